#pragma once

#include "service/error.h"

namespace beeline::http {

// Returns the status code for a request that the service could not carry out.
[[nodiscard]] int status_of(const service::Error& error);

}  // namespace beeline::http
