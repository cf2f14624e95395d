#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "http/endpoints.h"
#include "http/router.h"
#include "service/job_dispatcher.h"

// The open calls of StreamActivatedJobs, in the form in which Zeebe shows them: tests of clients
// wait here until their stream is there.
//
//     GET /actuator/jobstreams          {"remote": [...], "client": [...]}
//     GET /actuator/jobstreams/remote   the streams of a broker: calls that ask for the same are
//     one GET /actuator/jobstreams/client   the streams of a gateway: each call is one
namespace beeline::http {

inline constexpr std::string_view kJobStreamsPath = "/actuator/jobstreams";

// JSON arrays. `streams` are in the order in which they were opened.
[[nodiscard]] std::string remote_streams(std::span<const service::JobStreams::Info> streams);
[[nodiscard]] std::string client_streams(std::span<const service::JobStreams::Info> streams);

// "PT1M30S", "PT0.25S", "PT0S".
[[nodiscard]] std::string iso_duration(Milliseconds duration);

// Answers one of the requests above; `kind` is "remote", "client" or empty for both.
void list_job_streams(const std::string& kind, Responder responder, service::JobDispatcher& jobs);

void add_job_streams_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
