#include "state/undo_log.h"

#include "base/check.h"
#include "state/database.h"

namespace beeline::state {

void UndoLog::begin() {
  BEELINE_CHECK(!is_open_, "a batch was begun within a batch");
  is_open_ = true;
  ++epoch_;
}

Savepoint UndoLog::savepoint() {
  BEELINE_CHECK(is_open_, "a savepoint belongs to a batch");
  ++epoch_;
  return Savepoint{changes_.size()};
}

void UndoLog::rollback_to(Savepoint savepoint) {
  BEELINE_CHECK(is_open_, "only what a batch did can be taken back");
  BEELINE_CHECK(savepoint.changes <= changes_.size(), "the savepoint was gone back beyond");
  while (changes_.size() > savepoint.changes) {
    const Change change = changes_.back();
    changes_.pop_back();
    change.table->undo(change.kind, *change.slot);
  }
  // What a row says about being kept may now be about a change that is gone.
  ++epoch_;
}

void UndoLog::commit() {
  BEELINE_CHECK(is_open_, "there is no batch to commit");
  for (const Change& change : changes_) {
    if (change.kind == ChangeKind::Erased) change.table->forget_erased(*change.slot);
  }
  changes_.clear();
  for (TableBase* table : with_old_rows_) table->forget_old_rows();
  with_old_rows_.clear();
  is_open_ = false;
}

void UndoLog::check_open(const TableBase& table) const {
  BEELINE_CHECK(is_open_, "table {} is changed outside of a batch", table.name());
}

}  // namespace beeline::state
