#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/slot_list.h"

namespace beeline::state {

class TableBase;

enum class ChangeKind : std::uint8_t { Inserted, Updated, Erased };

// A point within a batch that one can go back to. Good until the batch ends or something earlier is
// gone back to.
struct Savepoint {
  std::size_t changes = 0;
};

// What the tables of a database changed during one batch, in order. Only the old values of updated
// rows are kept by the tables, typed, each on a stack of its own. Memory is reused from batch to
// batch.
class UndoLog {
 public:
  // A million epochs a second would take two thousand years to fill them.
  static constexpr int kEpochBits = 56;
  static constexpr std::uint64_t kEpochMax = (std::uint64_t{1} << kEpochBits) - 1;

  void begin();
  // Must be open.
  void push(TableBase& table, SlotBase& slot, ChangeKind kind) {
    if (!is_open_) [[unlikely]]
      check_open(table);
    changes_.push_back(Change{&table, &slot, kind});
  }
  // Notes that the first old row is on the stack of `table`.
  void note_old_rows(TableBase& table) { with_old_rows_.push_back(&table); }
  [[nodiscard]] Savepoint savepoint();
  void rollback_to(Savepoint savepoint);
  void commit();
  // Calls `visit(slot)` for every row of `table` that was erased and may still come back.
  template <typename Visit>
  void for_each_erased(const TableBase& table, Visit&& visit) const {
    for (const Change& change : changes_) {
      if (change.table == &table && change.kind == ChangeKind::Erased) visit(*change.slot);
    }
  }

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Changes with every savepoint and rollback. A row whose old value was kept in the present epoch
  // need not be kept again.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  // Apart, so that push stays small enough to be inlined.
  void check_open(const TableBase& table) const;

  struct Change {
    TableBase* table;
    SlotBase* slot;
    ChangeKind kind;
  };
  std::vector<Change> changes_;
  std::vector<TableBase*> with_old_rows_;  // may repeat a table
  std::uint64_t epoch_ = 1;
  bool is_open_ = false;
};

}  // namespace beeline::state
