#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "http/endpoints.h"
#include "http/message.h"
#include "http/router.h"
#include "service/service.h"

// The REST endpoints under /api/workflow: messages from clients that know a business key and no
// process instances.
//
//     POST /api/workflow/message
//     {"messageName": "paid", "correlationKey": "order-1", "variables": {"amount": 19}}
namespace beeline::http {

inline constexpr std::string_view kMessagePath = "/api/workflow/message";
// How long a sender waits for the answer who received its message.
inline constexpr Milliseconds kMessageAnswerTimeout{10'000};

// The body of a request for kMessagePath.
struct MessageBody {
  std::string name;
  std::string correlation_key;
  Key process_instance;
  std::string variables;

  // The request borrows from this object.
  [[nodiscard]] service::CorrelateMessage request() const {
    return {.name = name,
            .correlation_key = correlation_key,
            .process_instance = process_instance,
            .variables = variables};
  }
};

// Reads a body, or returns the answer that explains why it cannot be read.
[[nodiscard]] Result<MessageBody, Response> read_message_body(const Request& request);

// Correlates a message, which is never buffered, and answers after the commit: 200 with the
// instance that received it, or 404 if nobody waits for it.
void correlate_message(const Request& request, Responder responder, service::Service& service,
                       Milliseconds timeout);

void add_workflow_endpoints(Router& router, const Api& api);

}  // namespace beeline::http
