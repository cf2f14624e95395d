#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "http/endpoints.h"
#include "http/router.h"
#include "service/job_dispatcher.h"

// Lists the open calls of StreamActivatedJobs in Zeebe's format. Tests of clients wait here until
// their stream is open.
//
//     GET /actuator/jobstreams          {"remote": [...], "client": [...]}
//     GET /actuator/jobstreams/remote   streams of a broker; equal calls share one stream
//     GET /actuator/jobstreams/client   streams of a gateway; each call is one stream
namespace beeline::http {

inline constexpr std::string_view kJobStreamsPath = "/actuator/jobstreams";

// These return JSON arrays. `streams` are in the order in which they were opened.
[[nodiscard]] std::string remote_streams(std::span<const service::JobStreams::Info> streams);
[[nodiscard]] std::string client_streams(std::span<const service::JobStreams::Info> streams);

// Returns a duration as "PT1M30S", "PT0.25S" or "PT0S".
[[nodiscard]] std::string iso_duration(Milliseconds duration);

// Answers one of the requests above; `kind` is "remote", "client" or empty for both.
void list_job_streams(const std::string& kind, Responder responder, service::JobDispatcher& jobs);

void add_job_streams_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
