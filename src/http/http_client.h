#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "http/message.h"

namespace beeline::http {

// Sends one GET over a connection of its own, for the command line. Blocks until the answer has
// arrived. The error is the system's description ("Connection refused").
[[nodiscard]] Result<Response, std::string> get(const std::string& host, std::uint16_t port,
                                                const std::string& target, Milliseconds timeout);

}  // namespace beeline::http
