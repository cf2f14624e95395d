#pragma once

#include <string>
#include <string_view>

namespace beeline {

// Returns the MD5 of `bytes` in hexadecimal. It serves only to notice that a resource was deployed
// before, as the protocol demands; it protects against nothing.
[[nodiscard]] std::string md5_hex(std::string_view bytes);

}  // namespace beeline
