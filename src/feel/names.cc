#include "feel/names.h"

#include <algorithm>

namespace beeline::feel {

void NameTable::add(std::string_view name) {
  const auto tokens = tokenize(name);
  if (!tokens || tokens->size() < 2) return;
  Spelling spelling;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) spelling.emplace_back((*tokens)[i].text);
  std::vector<Spelling>& known = by_first_[spelling.front()];
  if (std::find(known.begin(), known.end(), spelling) == known.end()) {
    known.push_back(std::move(spelling));
  }
}

std::size_t NameTable::match(const Token* tokens) const {
  const auto found = by_first_.find(tokens[0].text);
  if (found == by_first_.end()) return 0;
  std::size_t longest = 0;
  for (const Spelling& spelling : found->second) {
    std::size_t i = 0;
    // The End token has an empty text, which no spelling contains.
    while (i < spelling.size() && tokens[i].text == spelling[i]) ++i;
    if (i == spelling.size()) longest = std::max(longest, i);
  }
  return longest;
}

std::string normalize_name(std::string_view name) {
  const auto tokens = tokenize(name);
  if (!tokens) return std::string(name);
  return spell_name(tokens->data(), tokens->size() - 1);
}

}  // namespace beeline::feel
