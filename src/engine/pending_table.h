#pragma once

#include <deque>
#include <string>
#include <vector>

#include "engine/pending_commands.h"
#include "state/database.h"

namespace beeline::engine {

// The pending commands as a table of the database: a checkpoint contains a copy of them, taken when
// it starts, and they count in the digest. So the log before a checkpoint is no longer needed,
// although some of its commands are still to be processed, and an instance that never waits cannot
// prevent checkpoints.
//
// A row is a command as it is on the log, by its position, but without its request id: when a
// checkpoint is read, the client that waited for the answer is gone. The principal stays, because
// the command is still to be carried out on its behalf.
//
// Unlike the rows of other tables, commands are not changed through the undo log: PendingCommands
// undoes a batch by itself.
//
// Threading: it belongs to the thread of its database. It must not outlive the commands.
class PendingTable final : public state::TableBase {
 public:
  PendingTable(state::Database& database, PendingCommands& commands);
  ~PendingTable() override;

  [[nodiscard]] std::size_t size() const override { return commands_.count_on_log(); }
  void undo(state::ChangeKind kind, state::SlotBase& slot) override;
  void forget_erased(state::SlotBase& slot) override;
  void forget_old_rows() override {}
  void begin_capture() override;
  std::size_t capture(std::size_t rows, state::WriteBatch& batch) override;
  void load_row(std::string_view encoded_key, std::string_view encoded_row) override;
  void visit_sorted(
      const std::function<void(std::string_view, std::string_view)>& visit) const override;

 private:
  struct Change {
    std::string key;
    std::string row;  // empty if the row is removed
  };

  PendingCommands& commands_;
  std::vector<Position> stored_;  // contents of the store when all checkpoints so far are written
  std::deque<Change> due_;        // for the current checkpoint
};

}  // namespace beeline::engine
