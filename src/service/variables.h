#pragma once

#include <string>
#include <string_view>

#include "record/document.h"
#include "service/error.h"

namespace beeline::service {

inline constexpr std::size_t kVariableNameLengthMax = 32768;
// How many members the variables document of one request may have. Each becomes a record and a row
// entry of its own, so their number costs more than their bytes.
inline constexpr std::size_t kVariablesMax = 10'000;

// Reads the variables of a request: gRPC and HTTP alike, of instances, jobs, messages and
// decisions. An empty text, white space and null are no variables; any other text must be one JSON
// object with at most kVariablesMax members, or the error says in the protocol's words what it was
// instead.
[[nodiscard]] Outcome<record::Document> read_variables(std::string_view json);

// The other way round: at least "{}", since clients fail on less.
[[nodiscard]] std::string write_variables(const record::Document& document);

}  // namespace beeline::service
