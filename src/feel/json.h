#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "feel/value.h"

namespace beeline::feel {

class EvalState;  // state.h

// The value of a JSON text: digits of numbers are taken exactly, strings are never read as dates,
// of a repeated name the last counts. Nothing when the text is no JSON, a number is out of range,
// or the nesting exceeds kValueDepthMax.
[[nodiscard]] std::optional<Value> parse_json(std::string_view text);
// The same within the budget of an evaluation, which fails when that is used up.
[[nodiscard]] std::optional<Value> parse_json(std::string_view text, EvalState& state);

// The text of this member when the JSON is an object that has it, found without reading the other
// members' values. Gives nothing for broken JSON as well.
[[nodiscard]] std::optional<std::string_view> find_json_member(std::string_view json,
                                                               std::string_view name);

// Calls `member` with the name and the text of every member of an object, in order. False when the
// text is no object or broken between its members.
[[nodiscard]] bool read_json_members(
    std::string_view json, const std::function<void(std::string_view, std::string_view)>& member);

// What JSON has no form for, functions and ranges, is null in variables and text in to json().
enum class Opaque { AsNull, AsText };

// Appends the value as JSON, as `to_json` of feel.h describes.
void write_json(std::string& out, const Value& value, Opaque opaque = Opaque::AsNull);
// Appends the text in quotes with the escapes JSON demands.
void write_json_string(std::string& out, std::string_view text);

}  // namespace beeline::feel
