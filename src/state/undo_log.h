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
    if (count_ == room_) [[unlikely]]
      make_room(table);
    changes_[count_++] = Change{&table, &slot, kind};
  }
  // Notes that the first old row is on the stack of `table`.
  void note_old_rows(TableBase& table) { with_old_rows_.push_back(&table); }
  [[nodiscard]] Savepoint savepoint();
  void rollback_to(Savepoint savepoint);
  void commit();
  // Calls `visit(slot)` for every row of `table` that was erased and may still come back.
  template <typename Visit>
  void for_each_erased(const TableBase& table, Visit&& visit) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Change& change = changes_[i];
      if (change.table == &table && change.kind == ChangeKind::Erased) visit(*change.slot);
    }
  }

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Changes with every savepoint and rollback. A row whose old value was kept in the present epoch
  // need not be kept again.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  struct Change {
    TableBase* table = nullptr;
    SlotBase* slot = nullptr;
    ChangeKind kind = ChangeKind::Inserted;
  };

  // Fails when the log is not open, for which there is never room.
  void make_room(const TableBase& table);

  // The first `count_` are what was changed. Every change of every table is pushed, and a vector's
  // own push_back would spend most of its time on saving registers that only growing needs.
  std::vector<Change> changes_;
  std::size_t count_ = 0;
  std::size_t room_ = 0;                   // changes_.size() while the log is open, otherwise 0
  std::vector<TableBase*> with_old_rows_;  // may repeat a table
  std::uint64_t epoch_ = 1;
  bool is_open_ = false;
};

}  // namespace beeline::state
