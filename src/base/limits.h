#pragma once

#include <cstddef>

namespace beeline {

// The largest message that comes in or goes out, unless the setting message-size-max says
// otherwise. Transports, the service and the engine must agree on it.
inline constexpr std::size_t kMessageBytesMax = std::size_t{4} << 20;

}  // namespace beeline
