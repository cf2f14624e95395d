#pragma once

#include <string>
#include <string_view>

namespace beeline {

// The MD5 of `bytes` in hexadecimal. Only to notice that a resource was deployed before, as the
// protocol asks; it guards nothing.
[[nodiscard]] std::string md5_hex(std::string_view bytes);

}  // namespace beeline
