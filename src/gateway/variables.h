#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "gateway/status.h"
#include "record/document.h"

namespace beeline::gateway {

inline constexpr std::size_t kVariableNameLengthMax = 32768;

// Reads the variables of a request. Nothing, white space and null are no variables; anything else
// must be one JSON object, or the status says in the protocol's words what it was instead.
[[nodiscard]] Result<record::Document, Status> read_variables(std::string_view json);

// The other way round: at least "{}", since clients fail on less.
[[nodiscard]] std::string write_variables(const record::Document& document);

}  // namespace beeline::gateway
