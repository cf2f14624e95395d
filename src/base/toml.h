#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Reads the part of TOML that our files use: tables, and keys with a string (all four kinds), a
// number or a boolean. Anything else (arrays, inline tables, dates) is refused.
namespace beeline::toml {

enum class Kind { String, Integer, Float, Boolean };

struct Entry {
  std::string key;  // dotted, with the name of its table: "worker.count"
  Kind kind = Kind::String;
  std::string text;  // the content of a string, otherwise the value as written
  int line = 0;
  bool operator==(const Entry&) const = default;
};

struct Error {
  int line = 0;
  std::string message;  // a sentence
};

// Returns the entries in the order of the file. A repeated key is an error.
[[nodiscard]] Result<std::vector<Entry>, Error> parse(std::string_view text);

}  // namespace beeline::toml
