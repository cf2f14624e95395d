#include "engine/state/variables.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "base/check.h"

namespace beeline::engine {
namespace {

// The number of variables for which the first one reserves memory.
constexpr std::size_t kVariablesUsual = 4;

// A row with fewer variables than this inserts a new one directly at its sorted place.
constexpr std::size_t kMergedLaterMin = 64;

template <typename Iterator>
Iterator position_of(Iterator begin, Iterator end, std::string_view name) {
  // Clients usually send names in sorted order.
  if (begin == end || std::prev(end)->name < name) return end;
  return std::lower_bound(
      begin, end, name,
      [](const StoredVariable& variable, std::string_view other) { return variable.name < other; });
}

// Returns the variable of this name in the row, or null.
template <typename Row>
auto find_in(Row& row, std::string_view name) -> decltype(row.variables.data()) {
  const auto middle = row.variables.end() - static_cast<std::ptrdiff_t>(row.unmerged);
  auto it = position_of(row.variables.begin(), middle, name);
  if (it != middle && it->name == name) return &*it;
  if (row.unmerged == 0) return nullptr;
  it = position_of(middle, row.variables.end(), name);
  return it != row.variables.end() && it->name == name ? &*it : nullptr;
}

// Adds a variable that belongs between existing ones. It goes to the sorted, unmerged part at the
// end of the row.
void add_between(VariableScopeRow& row, StoredVariable variable) {
  std::vector<StoredVariable>& all = row.variables;
  const auto middle = all.end() - static_cast<std::ptrdiff_t>(row.unmerged);
  const auto place = position_of(middle, all.end(), variable.name);
  all.insert(place, std::move(variable));
  ++row.unmerged;
  // An insertion moves up to `unmerged` variables, and a merge moves all of them. Merging once
  // `unmerged` reaches about the square root of their number balances the two costs.
  if (std::size_t{row.unmerged} * row.unmerged < 2 * all.size()) return;
  std::inplace_merge(
      all.begin(), all.end() - static_cast<std::ptrdiff_t>(row.unmerged), all.end(),
      [](const StoredVariable& a, const StoredVariable& b) { return a.name < b.name; });
  row.unmerged = 0;
}

std::int64_t size_of(std::string_view name, std::string_view value) {
  return static_cast<std::int64_t>(name.size() + value.size());
}

std::int64_t replace_value(StoredVariable& known, std::string_view value) {
  const std::int64_t growth = size_of({}, value) - size_of({}, known.value);
  known.value.assign(value);
  return growth;
}

// Sets a variable of the row. Returns by how many bytes the row grew.
std::int64_t set_in(VariableScopeRow& row, std::string_view name, std::string_view value, Key key) {
  std::vector<StoredVariable>& all = row.variables;
  if (all.size() < kMergedLaterMin) {
    const auto place = position_of(all.begin(), all.end(), name);
    if (place != all.end()) {
      if (place->name == name) return replace_value(*place, value);
      all.insert(place, StoredVariable{std::string{name}, std::string{value}, key});
      return size_of(name, value);
    }
  } else if (row.unmerged > 0 || !(all.back().name < name)) {
    if (StoredVariable* known = find_in(row, name)) return replace_value(*known, value);
    add_between(row, StoredVariable{std::string{name}, std::string{value}, key});
    return size_of(name, value);
  }
  if (all.empty()) all.reserve(kVariablesUsual);
  StoredVariable& added = all.emplace_back();
  added.name = name;
  added.value = value;
  added.key = key;
  return size_of(name, value);
}

std::int64_t size_of(const VariableScopeRow* row) {
  std::int64_t bytes = 0;
  if (row == nullptr) return bytes;
  for (const StoredVariable& variable : row->variables) {
    bytes += size_of(variable.name, variable.value);
  }
  return bytes;
}

}  // namespace

Variables::Variables(state::Database& database) : rows_(database) {
  rows_.observe_restored([this](Key scope, const VariableScopeRow* before,
                                const VariableScopeRow* after) { restored(scope, before, after); });
}

Variables::~Variables() = default;

const StoredVariable* Variables::find_local(Key scope, std::string_view name) const {
  const VariableScopeRow* row = rows_.find(scope);
  return row != nullptr ? find_in(*row, name) : nullptr;
}

const StoredVariable* Variables::find(Key scope, std::string_view name) const {
  while (scope.is_set()) {
    const VariableScopeRow* row = rows_.find(scope);
    if (row == nullptr) return nullptr;
    if (const StoredVariable* found = find_in(*row, name)) return found;
    scope = row->parent_scope_key;
  }
  return nullptr;
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
    // A name can repeat only if there is more than one scope.
    const bool may_repeat = !document.empty() || row->parent_scope_key.is_set();
    document.entries.reserve(document.entries.size() + row->variables.size());
    for_each_variable(*row, [&](const StoredVariable& variable) {
      if (may_repeat && !seen.insert(variable.name).second) return;
      document.entries.push_back({variable.name, variable.value});
    });
    scope = row->parent_scope_key;
  }
  return document;
}

std::int64_t Variables::bytes_of(Key process_instance) const {
  if (is_counted_ && counter_->first == process_instance) return counter_->second;
  const auto found = bytes_.find(process_instance);
  return found == bytes_.end() ? 0 : found->second;
}

void Variables::open_scope(Key scope, ParentScopeKey parent) {
  rows_.update_or_insert(scope, [&](VariableScopeRow& row) { row.parent_scope_key = parent; });
}

void Variables::close_scope(Key scope) {
  rows_.erase_any(scope, [&](const VariableScopeRow& row) {
    if (!row.variables.empty()) count(scope, row.parent_scope_key, -size_of(&row));
  });
}

void Variables::set(Key scope, std::string_view name, std::string_view value, VariableKey key) {
  rows_.update_or_insert(scope, [&](VariableScopeRow& row) {
    count(scope, row.parent_scope_key, set_in(row, name, value, key));
  });
}

void Variables::count(Key scope, Key parent, std::int64_t growth) {
  if (!is_counted_ || counted_scope_ != scope) {
    counter_ = bytes_.try_emplace(parent.is_set() ? root_of(parent) : scope, 0).first;
    counted_scope_ = scope;
    is_counted_ = true;
  }
  counter_->second += growth;
  BEELINE_CHECK(counter_->second >= 0, "the variables of process instance {} have {} bytes",
                counter_->first.value(), counter_->second);
  if (counter_->second != 0) return;
  bytes_.erase(counter_);
  is_counted_ = false;
}

// When a row is restored, the row of its parent is there: a scope is opened after its parent and
// closed before it, and rows are loaded in the order of their keys, in which parents come first.
void Variables::restored(Key scope, const VariableScopeRow* before, const VariableScopeRow* after) {
  const std::int64_t growth = size_of(after) - size_of(before);
  if (growth == 0) return;
  is_counted_ = false;
  const VariableScopeRow& row = after != nullptr ? *after : *before;
  count(scope, row.parent_scope_key, growth);
}

std::optional<std::string_view> ScopeVariables::find(std::string_view name) const {
  const StoredVariable* variable = variables_.find(scope_, name);
  if (variable == nullptr) return std::nullopt;
  return variable->value;
}

}  // namespace beeline::engine
