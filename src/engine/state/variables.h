#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/state/rows.h"
#include "feel/feel.h"
#include "state/table.h"

namespace beeline::engine {

// Variables in a tree of scopes; the nearest scope that has a name wins.
class Variables {
 public:
  explicit Variables(state::Database& database);
  ~Variables();

  // The variable as this very scope has it, or null.
  [[nodiscard]] const StoredVariable* find_local(Key scope, std::string_view name) const;
  // The nearest one, from this scope upwards, or null.
  [[nodiscard]] const StoredVariable* find(Key scope, std::string_view name) const;
  // The nearest scope, from this one upwards, that has the name; unset when none does.
  [[nodiscard]] Key find_owner(Key scope, std::string_view name) const;
  // The outermost scope above this one, which may be itself.
  [[nodiscard]] Key root_of(Key scope) const;
  [[nodiscard]] const VariableScopeRow* find_scope(Key scope) const { return rows_.find(scope); }
  // Borrowed: good until a variable changes. All that is visible at a scope, or those of them that
  // are named; ordered by scope from inner to outer, then by name.
  [[nodiscard]] record::DocumentView collect(Key scope, std::span<const std::string> names) const;

  // Opens a scope; variables may have been written to it before, when it had no parent yet.
  void open_scope(Key scope, Key parent);
  void close_scope(Key scope);
  // Creates or replaces.
  void set(Key scope, std::string_view name, std::string_view value, Key key);

 private:
  state::Table<Key, VariableScopeRow, RowCodec<VariableScopeRow>> rows_;
};

// What expressions see of the variables of a scope and the scopes around it.
class ScopeVariables final : public feel::VariableSource {
 public:
  ScopeVariables(const Variables& variables, Key scope) : variables_(variables), scope_(scope) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

 private:
  const Variables& variables_;
  Key scope_;
};

}  // namespace beeline::engine
