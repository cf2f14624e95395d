#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace beeline::http {

struct Target {
  std::string path;   // percent-decoded
  std::string query;  // as it was sent
  bool operator==(const Target&) const = default;
};

// Splits the text after the method in the request line. The error is a sentence.
[[nodiscard]] Result<Target, std::string> parse_target(std::string_view text);

// Returns the parameters of a query, `a=1&b=2`, decoded and in order; '+' is a space. The error is
// a sentence.
[[nodiscard]] Result<std::vector<NameValue>, std::string> parse_query(std::string_view query);

// Encodes a text for a path segment or a query.
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace beeline::http
