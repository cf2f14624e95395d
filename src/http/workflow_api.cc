#include "http/workflow_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "http/error_status.h"
#include "record/codec.h"
#include "record/json.h"
#include "record/values/messages.h"
#include "service/text.h"

namespace beeline::http {
namespace {

using record::DocumentEntry;

// The media type of the body, without parameters such as the character set.
std::string_view media_type(const Request& request) {
  const std::string* const header = request.header("Content-Type");
  if (header == nullptr) return {};
  std::string_view type = std::string_view(*header).substr(0, header->find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

// The members that a request may have. Names are matched without regard to case.
struct Members {
  const DocumentEntry* message_name = nullptr;
  const DocumentEntry* correlation_key = nullptr;
  const DocumentEntry* variables = nullptr;
  const DocumentEntry* workflow_instance_id = nullptr;
};

Result<Members, Response> sort_members(const record::Document& body) {
  Members members;
  const std::array known{
      std::pair{std::string_view{"messageName"}, &members.message_name},
      std::pair{std::string_view{"correlationKey"}, &members.correlation_key},
      std::pair{std::string_view{"variables"}, &members.variables},
      std::pair{std::string_view{"workflowInstanceId"}, &members.workflow_instance_id},
  };
  for (const DocumentEntry& entry : body.entries) {
    // A sender of these members believes that the message is buffered, but it is not.
    for (const std::string_view buffering : {"timeToLive", "messageId"}) {
      if (!equals_ignoring_case(entry.name, buffering)) continue;
      return failure(problem(
          400, fmt::format("Expected no '{}': a message that is sent here is not buffered. Publish "
                           "it with PublishMessage instead.",
                           buffering)));
    }
    const DocumentEntry** place = nullptr;
    for (const auto& [name, member] : known) {
      if (equals_ignoring_case(entry.name, name)) place = member;
    }
    if (place == nullptr) {
      return failure(problem(400, fmt::format("Request property [{}] cannot be parsed",
                                              service::first_characters(entry.name, 100))));
    }
    if (*place != nullptr) {
      return failure(problem(400, fmt::format("Expected '{}' once, but found '{}' as well.",
                                              (*place)->name, entry.name)));
    }
    *place = &entry;
  }
  return members;
}

// Returns the text of a member; empty if it is absent or null.
Result<std::string, Response> text_of(const DocumentEntry* member, std::string_view name) {
  if (member == nullptr || member->value == "null") return std::string{};
  auto text = record::parse_json_string(member->value);
  if (!text) {
    return failure(problem(400, fmt::format("Expected '{}' to be a string, but it is {}", name,
                                            service::first_characters(member->value, 100))));
  }
  return *std::move(text);
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
  if (request.body.empty()) {
    return failure(problem(400, "Required request body is missing"));
  }
  if (!equals_ignoring_case(media_type(request), "application/json")) {
    return failure(problem(415, fmt::format("Expected a body of type application/json, but it is "
                                            "'{}'",
                                            media_type(request))));
  }
  const auto body = record::parse_document(request.body, record::DuplicateNames::Refused);
  if (!body) {
    return failure(problem(400, fmt::format("Failed to read request: {}", body.error())));
  }
  BEELINE_TRY(const Members members, sort_members(*body));
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
