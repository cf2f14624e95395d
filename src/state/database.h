#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "state/key_value_store.h"
#include "state/undo_log.h"

namespace beeline::state {

// Names a table on disk. Numbers start at 1; a number that was ever released is never reused.
enum class TableId : std::uint16_t {};

// Appends the bytes with which all keys of a table begin in the store.
void encode_table_prefix(TableId id, std::string& out);

// The functions that a database needs of its tables, independent of their rows.
class TableBase {
 public:
  virtual ~TableBase() = default;
  TableBase(const TableBase&) = delete;
  TableBase& operator=(const TableBase&) = delete;

  [[nodiscard]] TableId id() const { return id_; }
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Undoes the latest change of this table that is not undone yet.
  virtual void undo(ChangeKind kind, SlotBase& slot) = 0;
  // The batch is committed: erased rows and the old values of updated ones are no longer needed.
  virtual void forget_erased(SlotBase& slot) = 0;
  virtual void forget_old_rows() = 0;

  // From now on, changed rows are due for the checkpoint that was just started.
  virtual void begin_capture() = 0;
  // Writes up to `rows` due rows into `batch`, and returns how many; fewer than `rows` means that
  // no more are due.
  virtual std::size_t capture(std::size_t rows, WriteBatch& batch) = 0;

  // Puts a stored row into memory. The table must not contain it yet.
  virtual void load_row(std::string_view encoded_key, std::string_view encoded_row) = 0;
  // Calls `visit(encoded key, encoded row)` in the order of the encoded keys.
  virtual void visit_sorted(
      const std::function<void(std::string_view, std::string_view)>& visit) const = 0;

 protected:
  TableBase(TableId id, std::string_view name) : id_(id), name_(name) {}

 private:
  TableId id_;
  std::string name_;
};

// The tables of one partition, changed in batches and stored in checkpoints.
//
// A batch is what one command did: every change of a table happens between begin_batch and
// commit_batch, and until then all of it can be taken back at the cost of what changed.
//
//     database.begin_batch();
//     jobs.update(key, [](JobRow& job) { job.retries -= 1; });
//     if (failed) return database.rollback_batch();
//     database.commit_batch();
//
// A checkpoint is the state at one position, captured in slices between later batches, so nothing
// waits for it. At begin_checkpoint the rows that changed since the one before become due.
// capture() writes some of them into a WriteBatch; a batch that is about to change a due row writes
// its old value first. So the WriteBatch finally contains every due row as it was at the position,
// however long that took. Checkpointer drives this and writes the result to a store.
//
// Threading: the database and its tables belong to the thread of their partition.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // --- batches ---
  void begin_batch();
  // Makes the changes final. Pointers to rows become invalid.
  void commit_batch();
  // Takes back all changes of the batch and ends it. Pointers to rows are void.
  void rollback_batch();
  [[nodiscard]] bool in_batch() const { return undo_.is_open(); }

  // --- checkpoints; do not call these within a batch ---
  // Declares the present state to be the state at `position`. One checkpoint at a time.
  void begin_checkpoint(Position position);
  // Captures up to `rows` rows. Returns true when all are captured.
  [[nodiscard]] bool capture(std::size_t rows);
  // Returns the captured rows and the position, after capture() has returned true. Ends the
  // checkpoint.
  [[nodiscard]] WriteBatch take_captured();
  // Takes back a batch that could not be stored: it becomes part of the next checkpoint, in which
  // its rows would otherwise be missing.
  void give_back(WriteBatch captured);

  // --- recovery and comparison ---
  // Returns the position of the checkpoint in a store; 0 if there is none.
  [[nodiscard]] static Position stored_position(const KeyValueStore& store);
  // Fills the tables, which must be empty, and returns the position of the checkpoint; 0 if there
  // is none. Throws StoreError if this version cannot read the contents of the store.
  Position load(const KeyValueStore& store);
  // Returns every row of every table, in the order of table id and encoded key: equal states have
  // equal dumps, whatever changes led to them. The table `except` is left out.
  [[nodiscard]] std::string dump(std::optional<TableId> except = std::nullopt) const;
  // Returns 64 bits of the dump, without making it.
  [[nodiscard]] std::uint64_t digest(std::optional<TableId> except = std::nullopt) const;
  [[nodiscard]] const std::map<TableId, TableBase*>& tables() const { return tables_; }

  // --- for tables ---
  void add_table(TableBase& table);
  [[nodiscard]] UndoLog& undo() { return undo_; }
  // The contents of the current checkpoint so far.
  [[nodiscard]] WriteBatch& captured() { return captured_; }
  // The beginning of the next checkpoint: the removals, which must come before every put, since a
  // key may be used again after its row was erased.
  [[nodiscard]] WriteBatch& removals() { return removals_; }

 private:
  std::map<TableId, TableBase*> tables_;
  UndoLog undo_;
  bool is_capturing_ = false;
  bool is_captured_ = false;
  Position checkpoint_position_{0};
  WriteBatch captured_;
  WriteBatch removals_;
};

}  // namespace beeline::state
