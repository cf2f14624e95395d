#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/lexer.h"

namespace beeline::feel {

// A set of names that may contain spaces and special characters, to be recognised in the middle of
// an expression. The longest matching name wins, so `a - b` is a name if the set contains it.
class NameTable {
 public:
  void add(std::string_view name);
  [[nodiscard]] bool empty() const { return by_first_.empty(); }

  // Returns how many tokens, beginning with the first, spell a known name; 0 if no name matches.
  [[nodiscard]] std::size_t match(const Token* tokens) const;

 private:
  using Spelling = std::vector<std::string>;  // the texts of its tokens
  std::map<std::string, std::vector<Spelling>, std::less<>> by_first_;
};

// Returns the normal form in which names are compared: `a  b - c` is `a b-c`.
[[nodiscard]] std::string normalize_name(std::string_view name);

}  // namespace beeline::feel
