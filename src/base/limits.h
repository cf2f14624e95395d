#pragma once

#include <cstddef>

namespace beeline {

// The largest incoming or outgoing message, unless the setting message-size-max changes it.
// Transports, the service and the engine must agree on it.
inline constexpr std::size_t kMessageBytesMax = std::size_t{4} << 20;

}  // namespace beeline
