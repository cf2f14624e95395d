#include "http/workflow_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "http/error_status.h"
#include "http/json_body.h"
#include "record/codec.h"
#include "record/values/messages.h"
#include "service/text.h"

namespace beeline::http {
namespace {

using record::DocumentEntry;

// The members that a request may have.
struct Members {
  const DocumentEntry* message_name = nullptr;
  const DocumentEntry* correlation_key = nullptr;
  const DocumentEntry* variables = nullptr;
  const DocumentEntry* workflow_instance_id = nullptr;
};

Result<Members, Response> message_members(const record::Document& body) {
  for (const DocumentEntry& entry : body.entries) {
    // A sender of these members believes that the message is buffered, but it is not.
    for (const std::string_view buffering : {"timeToLive", "messageId"}) {
      if (!equals_ignoring_case(entry.name, buffering)) continue;
      return failure(problem(
          400, fmt::format("Expected no '{}': a message that is sent here is not buffered. Publish "
                           "it with PublishMessage instead.",
                           buffering)));
    }
  }
  Members members;
  const std::array known{
      BodyMember{"messageName", &members.message_name},
      BodyMember{"correlationKey", &members.correlation_key},
      BodyMember{"variables", &members.variables},
      BodyMember{"workflowInstanceId", &members.workflow_instance_id},
  };
  BEELINE_TRY_VOID(sort_members(body, known));
  return members;
}

Result<Key, Response> key_of(const DocumentEntry* member) {
  constexpr std::string_view kName = "workflowInstanceId";
  BEELINE_TRY(const std::string text, text_of(member, kName));
  if (member == nullptr || member->value == "null") return Key{};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number <= 0) {
    return failure(problem(400, fmt::format("The provided {} '{}' is not a valid key.", kName,
                                            service::first_characters(text, 100))));
  }
  return Key{number};
}

Response problem_of(const service::Error& error, std::string_view name) {
  const int status = status_of(error);
  if (status != 404) return problem(status, error.text);
  return problem(status, fmt::format("No subscription or start event found for message '{}': {}",
                                     name, error.text));
}

Response answer_of(const record::RecordView& record) {
  const record::Metadata& metadata = record.metadata;
  const auto value = record::try_decode<record::MessageCorrelationRecord>(record.value);
  if (metadata.value_type != record::ValueType::MessageCorrelation || !value) {
    return problem(500, "The answer to the command has an unexpected form");
  }
  return {
      .body = fmt::format(R"({{"delivered":true,"workflowInstanceIds":["{}"],"messageKey":"{}"}})"
                          "\n",
                          value->process_instance_key.value(), value->message_key.value()),
      .headers = {}};
}

}  // namespace

Result<MessageBody, Response> read_message_body(const Request& request) {
  BEELINE_TRY(const record::Document body, read_json_body(request));
  BEELINE_TRY(const Members members, message_members(body));
  MessageBody message;
  BEELINE_TRY(message.name, text_of(members.message_name, "messageName"));
  BEELINE_TRY(message.correlation_key, text_of(members.correlation_key, "correlationKey"));
  BEELINE_TRY(message.process_instance, key_of(members.workflow_instance_id));
  if (members.variables != nullptr) message.variables = members.variables->value;
  return message;
}

void correlate_message(const Request& request, Responder responder, service::Service& service,
                       Milliseconds timeout) {
  const auto message = read_message_body(request);
  if (!message) return responder.answer(message.error());
  service.send(
      request.principal, message->request(), timeout,
      [responder = std::move(responder),
       name = message->name](const service::Outcome<service::Answer>& outcome) mutable {
        responder.answer(outcome ? answer_of(**outcome) : problem_of(outcome.error(), name));
      });
}

void add_workflow_endpoints(Router& router, const Api& api) {
  router.add(Method::Post, kMessagePath,
             while_running(api, "The server accepts no commands now.",
                           [&service = api.service](const Request& request, Responder responder) {
                             correlate_message(request, std::move(responder), service,
                                               std::min(service.options().request_timeout,
                                                        kMessageAnswerTimeout));
                           }));
}

}  // namespace beeline::http
