#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace beeline::http {

struct Target {
  std::string path;   // percent-decoded
  std::string query;  // as it was sent
  bool operator==(const Target&) const = default;
};

// Splits what stands behind the method in the request line. The error is a sentence.
[[nodiscard]] Result<Target, std::string> parse_target(std::string_view text);

}  // namespace beeline::http
