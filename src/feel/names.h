#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/lexer.h"

namespace beeline::feel {

// A set of names that may hold spaces and special characters, to be recognised in the middle of an
// expression: of several that fit the longest wins, so that `a - b` is the name when there is one.
class NameTable {
 public:
  void add(std::string_view name);
  [[nodiscard]] bool empty() const { return by_first_.empty(); }

  // How many tokens from the first on spell a known name; 0 when none does.
  [[nodiscard]] std::size_t match(const Token* tokens) const;

 private:
  using Spelling = std::vector<std::string>;  // the texts of its tokens
  std::map<std::string, std::vector<Spelling>, std::less<>> by_first_;
};

// The normal form in which names are compared: `a  b - c` is `a b-c`.
[[nodiscard]] std::string normalize_name(std::string_view name);

}  // namespace beeline::feel
