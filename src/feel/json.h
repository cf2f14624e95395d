#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "feel/value.h"

namespace beeline::feel {

class EvalState;  // state.h

// Parses a JSON text: digits of numbers are kept exactly, strings are never read as dates, and the
// last of several members with one name counts. Returns nothing if the text is not JSON, a number
// is out of range, or the nesting exceeds kValueDepthMax.
[[nodiscard]] std::optional<Value> parse_json(std::string_view text);
// Like parse_json() above, but within the budget of an evaluation, which fails when the budget is
// used up.
[[nodiscard]] std::optional<Value> parse_json(std::string_view text, EvalState& state);

// Returns the text of this member if the JSON is an object that has it, without parsing the values
// of other members. Returns nothing for broken JSON as well.
[[nodiscard]] std::optional<std::string_view> find_json_member(std::string_view json,
                                                               std::string_view name);

// Calls `member` with the name and the text of every member of an object, in order. Returns false
// if the text is not an object or is broken between its members.
[[nodiscard]] bool read_json_members(
    std::string_view json, const std::function<void(std::string_view, std::string_view)>& member);

// Functions and ranges have no JSON form: they are null in variables and text in to json().
enum class Opaque { AsNull, AsText };

// Appends the value as JSON, as `to_json` of feel.h describes.
void write_json(std::string& out, const Value& value, Opaque opaque = Opaque::AsNull);
// Appends the text in quotes with the escapes JSON demands.
void write_json_string(std::string& out, std::string_view text);

}  // namespace beeline::feel
