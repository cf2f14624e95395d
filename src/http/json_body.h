#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"
#include "record/document.h"

// Reads JSON objects from the bodies of requests. Every function returns a value or the answer that
// explains to the client what is wrong.
namespace beeline::http {

[[nodiscard]] Result<record::Document, Response> read_json_body(const Request& request);

// A member that a body may have. `place` points to the member after sort_members, or is null if the
// body does not have it.
struct BodyMember {
  std::string_view name;
  const record::DocumentEntry** place;
};
// Finds the members of a body, whose names are matched without regard to case. A member that is not
// listed, or that occurs twice, is refused.
[[nodiscard]] Result<void, Response> sort_members(const record::Document& body,
                                                  std::span<const BodyMember> members);

// Returns the text of a member; empty if it is absent or null.
[[nodiscard]] Result<std::string, Response> text_of(const record::DocumentEntry* member,
                                                    std::string_view name);

}  // namespace beeline::http
