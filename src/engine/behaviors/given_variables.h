#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <string_view>

#include "feel/feel.h"
#include "record/document.h"

namespace beeline::engine {

// The variables of a command, for expressions that see no others. Borrows the document.
class GivenVariables final : public feel::VariableSource {
 public:
  explicit GivenVariables(const record::Document& document) {
    for (const record::DocumentEntry& entry : document.entries) values_[entry.name] = entry.value;
  }
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    const auto it = values_.find(name);
    if (it == values_.end()) return std::nullopt;
    return it->second;
  }

 private:
  absl::flat_hash_map<std::string_view, std::string_view> values_;
};

}  // namespace beeline::engine
