#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "record/document.h"

namespace beeline::record {

// How deep the values of variables may be nested; the protocol's limit.
inline constexpr int kJsonDepthMax = 1000;

// Appends `text` as a JSON string. Bytes that are not UTF-8 are replaced, so the output is always
// valid.
void append_json_string(std::string_view text, std::string& out);
// Returns the text as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

// Appends the document as one JSON object; the values' texts are unchanged.
void append_document(const Document& document, std::string& out);
void append_headers(const Headers& headers, std::string& out);

// If two members of the object have the same name, the last one counts, or it is an error. Objects
// within values are not checked.
enum class DuplicateNames { LastWins, Refused };

// Reads a JSON object into a document; each value's text is taken from `json` without surrounding
// white space. The error is a sentence. An empty text is an empty document.
[[nodiscard]] Result<Document, std::string> parse_document(
    std::string_view json, DuplicateNames duplicates = DuplicateNames::LastWins);

// Returns the text of a JSON string, such as the value of an entry; nothing if `json` is anything
// else.
[[nodiscard]] std::optional<std::string> parse_json_string(std::string_view json);

}  // namespace beeline::record
