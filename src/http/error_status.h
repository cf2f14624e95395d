#pragma once

#include "service/error.h"

namespace beeline::http {

// The status code of a request that the service could not carry out.
[[nodiscard]] int status_of(const service::Error& error);

}  // namespace beeline::http
