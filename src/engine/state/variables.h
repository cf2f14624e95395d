#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/state/keys.h"
#include "engine/state/tables.h"
#include "feel/feel.h"

namespace beeline::engine {

// Variables in a tree of scopes; the nearest scope with a name wins. The outermost scope is that of
// the process instance.
//
// A counter for each process instance contains the total size of its variables. The counters are
// computed from the rows and not stored: each change of a row counts, including one that is undone,
// and each row that is loaded.
class Variables {
 public:
  explicit Variables(state::Database& database);
  ~Variables();

  // Returns the variable of this scope itself, or null.
  [[nodiscard]] const StoredVariable* find_local(Key scope, std::string_view name) const;
  // Returns the nearest variable, from this scope upwards, or null.
  [[nodiscard]] const StoredVariable* find(Key scope, std::string_view name) const;
  [[nodiscard]] const VariableScopeRow* find_scope(Key scope) const { return rows_.find(scope); }
  // Returns the total size of the names and values of all variables of a process instance;
  // processes that it calls are counted separately.
  [[nodiscard]] std::int64_t bytes_of(Key process_instance) const;
  // Returns all variables that are visible at a scope, or those with the given names, ordered by
  // scope from inner to outer, then by name. The result borrows: it is valid until a variable
  // changes.
  [[nodiscard]] record::DocumentView collect(Key scope, std::span<const std::string> names) const;

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  // Opens a scope; variables may have been written to it before, when it had no parent yet.
  void open_scope(Key scope, ParentScopeKey parent);
  void close_scope(Key scope);
  // Creates or replaces a variable.
  void set(Key scope, std::string_view name, std::string_view value, VariableKey key);

 private:
  // Returns the outermost scope above this one, which may be itself.
  [[nodiscard]] Key root_of(Key scope) const;
  // Adds to the counter of the process instance that the scope belongs to. `parent` is the scope
  // around it, if there is one.
  void count(Key scope, Key parent, std::int64_t growth);
  // Called when a change of a row was undone, or a row was loaded.
  void restored(Key scope, const VariableScopeRow* before, const VariableScopeRow* after);

  TableOf<TableNumber::Variables> rows_;
  absl::flat_hash_map<Key, std::int64_t> bytes_;  // by process instance; counters of 0 are removed
  // The last counted scope and the counter of its instance, because consecutive variables usually
  // belong to one scope. They are valid only if is_counted_ is true: adding a counter may move the
  // others.
  Key counted_scope_;
  absl::flat_hash_map<Key, std::int64_t>::iterator counter_;
  bool is_counted_ = false;
};

// The variables that expressions see: those of a scope and of the scopes around it.
class ScopeVariables final : public feel::VariableSource {
 public:
  ScopeVariables(const Variables& variables, Key scope) : variables_(variables), scope_(scope) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

 private:
  const Variables& variables_;
  Key scope_;
};

}  // namespace beeline::engine
