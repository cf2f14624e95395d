#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "state/database.h"
#include "state/key_codec.h"
#include "state/slot_pool.h"

namespace beeline::state {

// How a row is written in a checkpoint and in the canonical dump. Equal rows must have equal bytes.
// decode may throw anything for bytes that are no row; loading then stops with a StoreError.
template <typename Codec, typename Row>
concept RowCodec = requires(const Row& row, std::string& out, std::string_view in) {
  { Codec::encode(row, out) } -> std::same_as<void>;  // appends
  { Codec::decode(in) } -> std::convertible_to<Row>;
};

// Rows of one kind by key. All changes go through insert, update and erase, within a batch of the
// database, and that is what makes undo, dirty tracking and checkpoints (see Database) the same for
// every kind of row.
//
//     Table<Key, JobRow, JobRowCodec> jobs{database, TableId{7}, "jobs"};
//     jobs.insert(key, JobRow{...});
//     jobs.update(key, [&](JobRow& job) { job.worker = worker; });
//     if (const JobRow* job = jobs.find(key)) ...
//     jobs.erase(key);
//
// Pointers: a row stays where it is until the batch ends, even when it is erased; one that was
// found and then updated shows the new value. No pointer may outlive the batch, and rollback voids
// all.
//
// Order: rows are hashed, and there is no way to walk them that could reach a record. What must be
// walked has an index (see OrderedIndex), kept by an observer; for_each_sorted is for dumps.
//
// Eviction: a row may leave memory only while it is clean, and every access goes through find_slot,
// which is where it would come back.
//
// Must not outlive its database. Costs, in the usual case: find one hash lookup; insert one lookup
// and no allocation; update one lookup and a copy of the old row, unless that was kept already;
// erase one lookup.
template <typename K, typename Row, RowCodec<Row> Codec>
class Table final : public TableBase {
 public:
  // Told of every change, also of one that is taken back and of a row that is loaded: `before` is
  // null for a row that appears, `after` for one that goes. Must not change a table.
  using Observer = std::function<void(const K& key, const Row* before, const Row* after)>;

  Table(Database& database, TableId id, std::string_view name)
      : TableBase(id, name), database_(database) {
    database.add_table(*this);
  }

  // Adds an observer. All are added before the first row.
  void observe(Observer observer);

  [[nodiscard]] const Row* find(const K& key) const;
  [[nodiscard]] bool contains(const K& key) const { return find(key) != nullptr; }
  [[nodiscard]] std::size_t size() const override { return slots_.size(); }

  // The key must not be there.
  const Row& insert(K key, Row row);
  // The key must be there. Calls `change(row)`, which must not touch this table otherwise.
  template <std::invocable<Row&> Change>
  const Row& update(const K& key, Change&& change);
  // The key must be there.
  void erase(const K& key);
  // Inserts, or replaces the row that is there.
  const Row& put(K key, Row row);

  // Calls `visit(key, row)` in the order of the encoded keys. Costs a sort of the whole table.
  template <typename Visit>
  void for_each_sorted(Visit&& visit) const;

  void undo_last() override;
  void forget_undo() override;
  void begin_capture() override;
  std::size_t capture(std::size_t rows, WriteBatch& batch) override;
  void load_row(std::string_view encoded_key, std::string_view encoded_row) override;
  void visit_sorted(
      const std::function<void(std::string_view, std::string_view)>& visit) const override;

 private:
  struct Slot {
    K key;
    Row row;
    // The undo epoch in which the old row was kept last.
    std::uint64_t kept_epoch = 0;
    // The generation in which the row was marked dirty; 0 when it is clean.
    std::uint64_t dirty_generation = 0;
    // Whether the last checkpoint, or the one under way, has this key: only then does erasing the
    // row leave a removal behind.
    bool is_stored = false;
  };
  enum class Change : std::uint8_t { Inserted, Updated, Erased };
  struct Undo {
    Change change;
    Slot* slot;
  };

  [[nodiscard]] Slot* find_slot(const K& key) const;
  void note(Change change, Slot& slot);
  void mark_dirty(Slot& slot);
  void drop(Slot& slot);
  [[nodiscard]] bool is_due(const Slot& slot) const;
  void write(Slot& slot, WriteBatch& batch);
  void compact_dirty();
  void notify(const K& key, const Row* before, const Row* after) const;
  [[nodiscard]] std::string encoded_key(const K& key) const;
  [[nodiscard]] std::vector<std::pair<std::string, const Slot*>> sorted() const;

  Database& database_;
  absl::flat_hash_map<K, Slot*> slots_;
  SlotPool<Slot> pool_;
  std::vector<Observer> observers_;

  std::vector<Undo> undo_;
  std::vector<Row> old_rows_;  // one for each Change::Updated in undo_, in the same order

  std::vector<K>
      dirty_;           // keys that changed since the last checkpoint began; may repeat or be gone
  std::vector<K> due_;  // the same of the checkpoint under way
  std::size_t due_next_ = 0;
  std::size_t dirty_limit_ = 1024;  // when dirty_ is this long, it is worth looking for dead keys
  std::string key_buffer_;
  std::string row_buffer_;
};

}  // namespace beeline::state
