#include "state/undo_log.h"

#include <algorithm>

#include "base/check.h"
#include "state/database.h"

namespace beeline::state {

void UndoLog::begin() {
  BEELINE_CHECK(!is_open_, "a batch was begun within a batch");
  is_open_ = true;
  room_ = changes_.size();
  ++epoch_;
}

void UndoLog::roll_back() {
  BEELINE_CHECK(is_open_, "only what a batch did can be taken back");
  while (count_ > 0) {
    const Change& change = changes_[--count_];
    change.table->undo(change.kind, *change.slot);
  }
  commit();
}

void UndoLog::commit() {
  BEELINE_CHECK(is_open_, "there is no batch to commit");
  for (std::size_t i = 0; i < count_; ++i) {
    const Change& change = changes_[i];
    if (change.kind == ChangeKind::Erased) change.table->forget_erased(*change.slot);
  }
  count_ = 0;
  room_ = 0;
  for (TableBase* table : with_old_rows_) table->forget_old_rows();
  with_old_rows_.clear();
  is_open_ = false;
}

void UndoLog::make_room(const TableBase& table) {
  BEELINE_CHECK(is_open_, "table {} is changed outside of a batch", table.name());
  constexpr std::size_t kChangesMin = 64;
  changes_.resize(std::max(kChangesMin, 2 * changes_.size()));
  room_ = changes_.size();
}

}  // namespace beeline::state
