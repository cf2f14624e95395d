#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "record/document.h"

namespace beeline::record {

// How deep the values of variables may nest; the protocol's limit.
inline constexpr int kJsonDepthMax = 1000;

// Appends `text` as a JSON string. Bytes that are not UTF-8 are replaced, so that what we print can
// always be read.
void append_json_string(std::string_view text, std::string& out);
// The text as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

// Appends the document as one JSON object; the values' texts go through as they are.
void append_document(const Document& document, std::string& out);
void append_headers(const Headers& headers, std::string& out);

// Of two members of the object with the same name the last one counts, or there is an error.
// Objects within values are never looked at.
enum class DuplicateNames { LastWins, Refused };

// Reads a JSON object into a document, each value's text as it stands in `json` but for white space
// around it. The error is a sentence. An empty text is an empty document.
[[nodiscard]] Result<Document, std::string> parse_document(
    std::string_view json, DuplicateNames duplicates = DuplicateNames::LastWins);

// The text of a JSON string, such as the value of an entry; nothing when `json` is anything else.
[[nodiscard]] std::optional<std::string> parse_json_string(std::string_view json);

}  // namespace beeline::record
