#include "http/json_body.h"

#include <fmt/format.h>

#include <utility>

#include "record/json.h"
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

}  // namespace

Result<record::Document, Response> read_json_body(const Request& request) {
  if (request.body.empty()) {
    return failure(problem(400, "Required request body is missing"));
  }
  if (!equals_ignoring_case(media_type(request), "application/json")) {
    return failure(problem(415, fmt::format("Expected a body of type application/json, but it is "
                                            "'{}'",
                                            media_type(request))));
  }
  auto body = record::parse_document(request.body, record::DuplicateNames::Refused);
  if (!body) {
    return failure(problem(400, fmt::format("Failed to read request: {}", body.error())));
  }
  return *std::move(body);
}

Result<void, Response> sort_members(const record::Document& body,
                                    std::span<const BodyMember> members) {
  for (const DocumentEntry& entry : body.entries) {
    const DocumentEntry** place = nullptr;
    for (const BodyMember& member : members) {
      if (equals_ignoring_case(entry.name, member.name)) place = member.place;
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
  return {};
}

Result<std::string, Response> text_of(const DocumentEntry* member, std::string_view name) {
  if (member == nullptr || member->value == "null") return std::string{};
  auto text = record::parse_json_string(member->value);
  if (!text) {
    return failure(problem(400, fmt::format("Expected '{}' to be a string, but it is {}", name,
                                            service::first_characters(member->value, 100))));
  }
  return *std::move(text);
}

}  // namespace beeline::http
