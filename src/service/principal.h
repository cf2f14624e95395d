#pragma once

#include "record/principal.h"
#include "service/error.h"

namespace beeline::service {

// The caller of a request. Every call has one, and it goes to the log with the command.
using record::Principal;
using record::PrincipalKind;

// The id is written to the log with every command, so its length is limited.
inline constexpr std::size_t kPrincipalIdLengthMax = 256;

// Refuses a principal whose id is too long, or that must have an id and has none.
[[nodiscard]] Outcome<void> check_principal(const Principal& principal);

}  // namespace beeline::service
