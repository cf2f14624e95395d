#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "http/endpoints.h"
#include "http/message.h"
#include "http/router.h"
#include "service/service.h"

// The REST endpoints for signals.
//
//     POST /api/workflow/signal, or POST /signal
//     {"SignalName": "order-approved", "Variables": {"by": "Ada"}}
//     200 {"DeliveredCount": 3}
namespace beeline::http {

inline constexpr std::string_view kSignalPath = "/api/workflow/signal";
inline constexpr std::string_view kShortSignalPath = "/signal";

// The body of a request for these paths.
struct SignalBody {
  std::string name;
  std::string variables;

  // The request borrows from this object.
  [[nodiscard]] service::BroadcastSignal request() const {
    return {.name = name, .variables = variables, .tenant_id = {}, .awaits_count = true};
  }
};

// Reads a body, or returns the answer that explains why it cannot be read.
[[nodiscard]] Result<SignalBody, Response> read_signal_body(const Request& request);

// Broadcasts a signal and answers 200 with the number of its receivers on all partitions, which may
// be 0. If a partition has not reported after 5 seconds, the answer has "Complete": false.
void broadcast_signal(const Request& request, Responder responder, service::Service& service);

void add_signal_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
