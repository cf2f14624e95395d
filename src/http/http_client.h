#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "http/message.h"

namespace beeline::http {

// One GET over a connection of its own, for the command line. Blocks until the answer is there. The
// error says what went wrong in the system's words ("Connection refused").
[[nodiscard]] Result<Response, std::string> get(const std::string& host, std::uint16_t port,
                                                const std::string& target, Milliseconds timeout);

}  // namespace beeline::http
