#include "http/signal_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "http/error_status.h"
#include "http/json_body.h"
#include "http/workflow_api.h"
#include "record/codec.h"
#include "record/values/signals.h"
#include "service/text.h"

namespace beeline::http {
namespace {

Response signal_answer(const record::RecordView& record) {
  const auto value = record::try_decode<record::SignalRecord>(record.value);
  if (record.metadata.value_type != record::ValueType::Signal || !value) {
    return problem(500, "The answer to the command has an unexpected form");
  }
  std::string body = fmt::format(R"({{"DeliveredCount":{})", value->delivered_count);
  if (!value->started_instances.empty()) {
    std::string keys;
    for (const Key key : value->started_instances) {
      keys += fmt::format("{}\"{}\"", keys.empty() ? "" : ",", key.value());
    }
    body += fmt::format(R"(,"WorkflowInstanceIds":[{}])", keys);
  }
  if (!value->complete) body += R"(,"Complete":false)";
  return {.body = body + "}\n", .headers = {}};
}

}  // namespace

Result<SignalBody, Response> read_signal_body(const Request& request) {
  BEELINE_TRY(const record::Document body, read_json_body(request));
  const record::DocumentEntry* name = nullptr;
  const record::DocumentEntry* variables = nullptr;
  const std::array known{BodyMember{"SignalName", &name}, BodyMember{"Variables", &variables}};
  BEELINE_TRY_VOID(sort_members(body, known));
  SignalBody signal;
  BEELINE_TRY(signal.name, text_of(name, "SignalName"));
  if (service::is_blank(signal.name)) {
    return failure(problem(400, "Expected a 'SignalName' that is not blank"));
  }
  if (variables != nullptr) signal.variables = variables->value;
  return signal;
}

void broadcast_signal(const Request& request, Responder responder, service::Service& service) {
  const auto signal = read_signal_body(request);
  if (!signal) return responder.answer(signal.error());
  service.send(
      request.principal, signal->request(),
      std::min(service.options().request_timeout, kMessageAnswerTimeout),
      [responder = std::move(responder)](const service::Outcome<service::Answer>& outcome) mutable {
        responder.answer(outcome ? signal_answer(**outcome)
                                 : problem(status_of(outcome.error()), outcome.error().text));
      });
}

void add_signal_endpoints(Router& router, const Api& api) {
  for (const std::string_view path : {kSignalPath, kShortSignalPath}) {
    router.add(Method::Post, path,
               while_running(api, "The server accepts no commands now.",
                             [&service = api.service](const Request& request, Responder responder) {
                               broadcast_signal(request, std::move(responder), service);
                             }));
  }
}

}  // namespace beeline::http
