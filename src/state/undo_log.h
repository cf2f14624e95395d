#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/slot_list.h"

namespace beeline::state {

class TableBase;

enum class ChangeKind : std::uint8_t { Inserted, Updated, Erased };

// The changes of the tables of a database during one batch, in order. The tables themselves keep
// the old values of updated rows, typed, each on a stack of its own. Memory is reused from batch to
// batch.
class UndoLog {
 public:
  // At a million epochs per second it takes two thousand years to use them up.
  static constexpr int kEpochBits = 56;
  static constexpr std::uint64_t kEpochMax = (std::uint64_t{1} << kEpochBits) - 1;

  void begin();
  // The log must be open.
  void push(TableBase& table, SlotBase& slot, ChangeKind kind) {
    if (count_ == room_) [[unlikely]]
      make_room(table);
    changes_[count_++] = Change{&table, &slot, kind};
  }
  // Called when `table` pushes the first old row on its stack.
  void note_old_rows(TableBase& table) { with_old_rows_.push_back(&table); }
  // commit() and roll_back() end the batch; roll_back() undoes its changes first.
  void commit();
  void roll_back();
  // Calls `visit(slot)` for every row of `table` that was erased and may still be restored.
  template <typename Visit>
  void for_each_erased(const TableBase& table, Visit&& visit) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Change& change = changes_[i];
      if (change.table == &table && change.kind == ChangeKind::Erased) visit(*change.slot);
    }
  }

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Changes with every batch. A row whose old value was kept in the present epoch need not be kept
  // again.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  struct Change {
    TableBase* table = nullptr;
    SlotBase* slot = nullptr;
    ChangeKind kind = ChangeKind::Inserted;
  };

  // Fails if the log is not open; a closed log never has room.
  void make_room(const TableBase& table);

  // The first `count_` are the changes. Every change of every table is pushed, and a vector's own
  // push_back would spend most of its time saving registers that only growing needs.
  std::vector<Change> changes_;
  std::size_t count_ = 0;
  std::size_t room_ = 0;                   // changes_.size() while the log is open, otherwise 0
  std::vector<TableBase*> with_old_rows_;  // may repeat a table
  std::uint64_t epoch_ = 1;
  bool is_open_ = false;
};

}  // namespace beeline::state
