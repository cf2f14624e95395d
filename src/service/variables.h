#pragma once

#include <string>
#include <string_view>

#include "record/document.h"
#include "service/error.h"

namespace beeline::service {

inline constexpr std::size_t kVariableNameLengthMax = 32768;
// The largest number of members in the variables document of one request. Each becomes a record and
// a row entry of its own, so their number costs more than their bytes.
inline constexpr std::size_t kVariablesMax = 10'000;

// Reads the variables of a request over gRPC or HTTP: for instances, jobs, messages and decisions.
// An empty text, white space and null mean no variables; any other text must be one JSON object
// with at most kVariablesMax members. Otherwise the error explains, in the words of the protocol,
// what the text is instead.
[[nodiscard]] Outcome<record::Document> read_variables(std::string_view json);

// Writes a document as JSON: at least "{}", since clients fail on an empty text.
[[nodiscard]] std::string write_variables(const record::Document& document);

}  // namespace beeline::service
