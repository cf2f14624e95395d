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
    changes_.back()->undo_last();
    changes_.pop_back();
  }
  // What a row says about being kept may now be about a change that is gone.
  ++epoch_;
}

void UndoLog::commit() {
  BEELINE_CHECK(is_open_, "there is no batch to commit");
  for (TableBase* table : touched_) table->forget_undo();
  touched_.clear();
  changes_.clear();
  is_open_ = false;
}

}  // namespace beeline::state
