#pragma once

#include <cstdint>
#include <string>

namespace beeline {

// The address on which a server listens. The default is loopback, on any free port.
struct Address {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;
};

}  // namespace beeline
