#include "engine/state/variables.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "engine/state/table_ids.h"

namespace beeline::engine {
namespace {

// How many variables room is made for with the first one.
constexpr std::size_t kVariablesUsual = 4;

auto position_of(const std::vector<StoredVariable>& variables, std::string_view name) {
  // Clients mostly send names in their order.
  if (variables.empty() || variables.back().name < name) return variables.end();
  return std::lower_bound(
      variables.begin(), variables.end(), name,
      [](const StoredVariable& variable, std::string_view other) { return variable.name < other; });
}

}  // namespace

Variables::Variables(state::Database& database)
    : rows_(database, table_id(TableNumber::Variables), "variables") {}

Variables::~Variables() = default;

const StoredVariable* Variables::find_local(Key scope, std::string_view name) const {
  const VariableScopeRow* row = rows_.find(scope);
  if (row == nullptr) return nullptr;
  const auto it = position_of(row->variables, name);
  return it != row->variables.end() && it->name == name ? &*it : nullptr;
}

const StoredVariable* Variables::find(Key scope, std::string_view name) const {
  while (scope.is_set()) {
    const VariableScopeRow* row = rows_.find(scope);
    if (row == nullptr) return nullptr;
    const auto it = position_of(row->variables, name);
    if (it != row->variables.end() && it->name == name) return &*it;
    scope = row->parent_scope_key;
  }
  return nullptr;
}

Key Variables::find_owner(Key scope, std::string_view name) const {
  while (scope.is_set()) {
    if (find_local(scope, name) != nullptr) return scope;
    const VariableScopeRow* row = rows_.find(scope);
    if (row == nullptr) break;
    scope = row->parent_scope_key;
  }
  return Key{};
}

Key Variables::root_of(Key scope) const {
  while (true) {
    const VariableScopeRow* row = rows_.find(scope);
    if (row == nullptr || !row->parent_scope_key.is_set()) return scope;
    scope = row->parent_scope_key;
  }
}

record::DocumentView Variables::collect(Key scope, std::span<const std::string> names) const {
  record::DocumentView document;
  if (!names.empty()) {
    for (const std::string& name : names) {
      if (const StoredVariable* variable = find(scope, name)) {
        document.entries.push_back({variable->name, variable->value});
      }
    }
    return document;
  }
  absl::flat_hash_set<std::string_view> seen;
  while (scope.is_set()) {
    const VariableScopeRow* row = rows_.find(scope);
    if (row == nullptr) break;
    // Only where scopes lie around one another can a name come twice.
    const bool may_repeat = !document.empty() || row->parent_scope_key.is_set();
    document.entries.reserve(document.entries.size() + row->variables.size());
    for (const StoredVariable& variable : row->variables) {
      if (may_repeat && !seen.insert(variable.name).second) continue;
      document.entries.push_back({variable.name, variable.value});
    }
    scope = row->parent_scope_key;
  }
  return document;
}

void Variables::open_scope(Key scope, Key parent) {
  rows_.update_or_insert(scope, [&](VariableScopeRow& row) { row.parent_scope_key = parent; });
}

void Variables::close_scope(Key scope) {
  rows_.erase_any(scope);
}

void Variables::set(Key scope, std::string_view name, std::string_view value, Key key) {
  rows_.update_or_insert(scope, [&](VariableScopeRow& row) {
    const auto it = position_of(row.variables, name);
    if (it == row.variables.end()) {
      if (row.variables.empty()) row.variables.reserve(kVariablesUsual);
      StoredVariable& added = row.variables.emplace_back();
      added.name = name;
      added.value = value;
      added.key = key;
    } else if (it->name == name) {
      row.variables[static_cast<std::size_t>(it - row.variables.begin())].value.assign(value);
    } else {
      row.variables.insert(it, StoredVariable{std::string{name}, std::string{value}, key});
    }
  });
}

std::optional<std::string_view> ScopeVariables::find(std::string_view name) const {
  const StoredVariable* variable = variables_.find(scope_, name);
  if (variable == nullptr) return std::nullopt;
  return variable->value;
}

}  // namespace beeline::engine
