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

// Names a table on disk. Numbers from 1 on; one that was ever released is never used for another.
enum class TableId : std::uint16_t {};

// Appends the bytes that all keys of a table begin with in the store.
void encode_table_prefix(TableId id, std::string& out);

// What a database needs of its tables, whatever their rows are.
class TableBase {
 public:
  virtual ~TableBase() = default;
  TableBase(const TableBase&) = delete;
  TableBase& operator=(const TableBase&) = delete;

  [[nodiscard]] TableId id() const { return id_; }
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Takes back the latest change of this table that is not taken back yet.
  virtual void undo(ChangeKind kind, SlotBase& slot) = 0;
  // The batch is done: an erased row will not come back, nor will the old values of updated ones.
  virtual void forget_erased(SlotBase& slot) = 0;
  virtual void forget_old_rows() = 0;

  // From now on what has changed is due for the checkpoint that was just started.
  virtual void begin_capture() = 0;
  // Writes up to `rows` due rows into `batch`, and returns how many; less than `rows` means that
  // none are due any more.
  virtual std::size_t capture(std::size_t rows, WriteBatch& batch) = 0;

  // Puts a stored row into memory. The table must not hold it yet.
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
// commit_batch, and until then all of it, or all since a savepoint, can be taken back at the cost
// of what changed.
//
//     database.begin_batch();
//     const Savepoint before = database.savepoint();
//     jobs.update(key, [](JobRow& job) { job.retries -= 1; });
//     if (refused) database.rollback_to(before);
//     database.commit_batch();
//
// A checkpoint is the state at one position, captured in slices between later batches; nothing
// waits for it. At begin_checkpoint the rows that changed since the one before become due.
// capture() writes some of them into a WriteBatch; a batch that is about to change a row that is
// still due writes its old value first. So the WriteBatch ends up with every due row as it was at
// the position, however long that took. Checkpointer drives this and brings the result to a store.
//
// Threading: belongs to the thread of its partition, tables included.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // --- batches ---
  void begin_batch();
  [[nodiscard]] Savepoint savepoint();
  // Takes back all changes since the savepoint, which can be used again. Pointers to rows are void.
  void rollback_to(Savepoint savepoint);
  // Makes the changes final. Pointers to rows are void.
  void commit_batch();
  // Takes back all changes of the batch and ends it.
  void rollback_batch();
  [[nodiscard]] bool in_batch() const { return undo_.is_open(); }

  // --- checkpoints; none of these within a batch ---
  // The state as it is now is the state at `position`. One checkpoint at a time.
  void begin_checkpoint(Position position);
  // Captures up to `rows` rows. True once all are captured.
  [[nodiscard]] bool capture(std::size_t rows);
  // What was captured, position included, when capture() has said true. Ends the checkpoint.
  [[nodiscard]] WriteBatch take_captured();
  // The batch could not be stored: it becomes part of the next checkpoint, in which its rows would
  // otherwise be missing.
  void give_back(WriteBatch captured);

  // --- recovery and comparison ---
  // The position of the checkpoint in a store; 0 if there is none.
  [[nodiscard]] static Position stored_position(const KeyValueStore& store);
  // Fills the tables, which must be empty, and returns the position of the checkpoint; 0 if there
  // is none. Throws StoreError when the store holds what this version cannot read.
  Position load(const KeyValueStore& store);
  // Every row of every table, in the order of table id and encoded key: equal states have equal
  // dumps, whatever way led to them. The table `except` is left out.
  [[nodiscard]] std::string dump(std::optional<TableId> except = std::nullopt) const;
  // 64 bits of the dump, without making it.
  [[nodiscard]] std::uint64_t digest(std::optional<TableId> except = std::nullopt) const;
  [[nodiscard]] const std::map<TableId, TableBase*>& tables() const { return tables_; }

  // --- for tables ---
  void add_table(TableBase& table);
  [[nodiscard]] UndoLog& undo() { return undo_; }
  // What the checkpoint under way consists of so far.
  [[nodiscard]] WriteBatch& captured() { return captured_; }
  // What the next checkpoint begins with: the removals, which must come before every put, since a
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
