#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "state/database.h"
#include "state/key_codec.h"
#include "state/slot_index.h"
#include "state/slot_list.h"
#include "state/slot_pool.h"
#include "state/store_error.h"

namespace beeline::state {

// How a row is written in a checkpoint and in the canonical dump. Equal rows must have equal bytes.
// decode may throw anything for bytes that are not a row; loading then stops with a StoreError.
template <typename Codec, typename Row>
concept RowCodec = requires(const Row& row, std::string& out, std::string_view in) {
  { Codec::encode(row, out) } -> std::same_as<void>;  // appends
  { Codec::decode(in) } -> std::convertible_to<Row>;
};

struct NoAttachment {};

// A row in its table, with data that an observer attaches to it, such as its place in a list. The
// attachment is not part of the state: it is not stored, dumped or undone, so it may be changed
// where the row may not. It is empty when the row is inserted or loaded. If an erased row is
// restored by undo, its attachment is unchanged, and everything that it points to exists again,
// since all later changes were undone before.
template <typename K, typename Row, typename Attachment>
struct TableEntry {
  K key;
  Row row;
  [[no_unique_address]] mutable Attachment attachment{};
};

enum class Presence : std::uint8_t { Appears, Goes };

// Rows of one kind by key. All changes go through insert, update and erase, within a batch of the
// database. That is why undo, dirty tracking and checkpoints (see Database) are the same for every
// kind of row.
//
//     Table<Key, JobRow, JobRowCodec> jobs{database, TableId{7}, "jobs"};
//     jobs.insert(key, JobRow{...});
//     jobs.update(key, [&](JobRow& job) { job.worker = worker; });
//     if (const JobRow* job = jobs.find(key)) ...
//     jobs.erase(key);
//
// Pointers: a row stays at its address until the batch ends, even if it is erased; a row that was
// found and then updated shows the new value. No pointer may outlive the batch, and a rollback
// invalidates all.
//
// Order: rows are hashed (see SlotIndex), and the order of a walk must not reach a record. The
// engine walks indexes (see OrderedIndex), which an observer maintains; for_each_sorted is for
// dumps, walk for readers from outside.
//
// Eviction: a row may leave memory only while it is clean; every access goes through find_slot,
// which would load it again. Rows of a table with attachments are never evicted.
//
// A table must not outlive its database. Costs, in the usual case: find one hash lookup; insert one
// lookup and no allocation; update one lookup and a copy of the old row, unless that was kept
// already; erase one lookup.
template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment = NoAttachment>
class Table final : public TableBase {
 public:
  // Called for every change, including one that is undone and a row that is loaded: `before` is
  // null for a row that is added, `after` for one that is removed. It must not change a table.
  using Observer = std::function<void(const K& key, const Row* before, const Row* after)>;
  // Called in the same way for rows that are added and removed. A row that was removed can no
  // longer be found.
  using Entry = TableEntry<K, Row, Attachment>;
  using PresenceObserver = std::function<void(const Entry& entry, Presence presence)>;

  Table(Database& database, TableId id, std::string_view name)
      : TableBase(id, name), database_(database) {
    database.add_table(*this);
  }
  // For a codec that describes its table as well.
  explicit Table(Database& database) : Table(database, Codec::kId, Codec::kName) {}
  ~Table() override;

  // Adds an observer. All observers must be added before the first row.
  void observe(Observer observer);
  // Adds an observer that is not called for updates, so the table need not copy the row at each
  // update.
  void observe_presence(PresenceObserver observer);
  // Adds an observer that is called only for changes that the owner of the table does not make
  // itself: a change that is undone, and a row that is loaded. The owner handles its own changes as
  // it makes them.
  void observe_restored(Observer observer);

  [[nodiscard]] const Row* find(const K& key) const;
  // Returns the row with its attachment. Attachments may point to entries as long as their rows
  // exist or may be restored.
  [[nodiscard]] const Entry* find_entry(const K& key) const { return find_slot(key); }
  [[nodiscard]] bool contains(const K& key) const { return find(key) != nullptr; }
  [[nodiscard]] std::size_t size() const override { return slots_.size(); }

  // The key must not exist. The row is moved into its place, once.
  const Row& insert(K key, Row&& row);
  // The key must exist. Calls `change(row)`, which must not touch this table otherwise.
  template <std::invocable<Row&> Function>
  const Row& update(const K& key, Function&& change);
  // The key must exist.
  void erase(const K& key);
  // Erases the row if it exists, after calling `before(row)`.
  template <std::invocable<const Row&> Function>
  void erase_any(const K& key, Function&& before);
  void erase_any(const K& key) {
    erase_any(key, [](const Row&) {});
  }
  // Inserts the row, or replaces the existing one.
  const Row& put(K key, Row&& row);
  // Updates the existing row, or inserts an empty row with the change.
  template <std::invocable<Row&> Function>
  const Row& update_or_insert(K key, Function&& change);

  // Calls `visit(key, row)` in the order of the encoded keys. Costs a sort of the whole table.
  template <typename Visit>
  void for_each_sorted(Visit&& visit) const;

  // Calls `visit(key, row)` for some of the rows; see SlotIndex::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return slots_.walk(
        from, places_max, [&](const Slot& slot) { visit(slot.key, slot.row); }, enough);
  }

  void undo(ChangeKind kind, SlotBase& slot) override;
  void forget_erased(SlotBase& slot) override { pool_.destroy(&static_cast<Slot&>(slot)); }
  void forget_old_rows() override { old_rows_.clear(); }
  void begin_capture() override;
  std::size_t capture(std::size_t rows, WriteBatch& batch) override;
  void load_row(std::string_view encoded_key, std::string_view encoded_row) override;
  void visit_sorted(
      const std::function<void(std::string_view, std::string_view)>& visit) const override;

 private:
  // A slot is linked while its row is dirty or due.
  struct Slot : SlotBase, Entry {
    Slot(K&& its_key, Row&& its_row) : Entry{std::move(its_key), std::move(its_row)} {}

    // The undo epoch in which the old row was last kept. It shares a word with the other marks,
    // because there are millions of slots.
    std::uint64_t kept_epoch : UndoLog::kEpochBits = 0;
    // The generation in which the row was marked dirty; 0 if it is clean.
    std::uint64_t dirty_generation : 2 = 0;
    // True if the last or the current checkpoint contains this key: only then does erasing the row
    // write a removal.
    std::uint64_t is_stored : 1 = 0;
  };

  [[nodiscard]] Slot* find_slot(const K& key) const;
  const Row& insert_new(K&& key, Row&& row);
  template <std::invocable<Row&> Function>
  const Row& update_slot(Slot& slot, Function&& change);
  void erase_slot(Slot& slot);
  void note(ChangeKind kind, Slot& slot);
  void keep_row(const Slot& slot);
  [[nodiscard]] bool is_due(const Slot& slot) const;
  void write(Slot& slot, WriteBatch& batch);
  void before_change(Slot& slot);
  void mark_dirty(Slot& slot);
  void mark_clean(Slot& slot);
  void notify_of_presence(const Slot& slot, Presence presence) const;
  void notify(const K& key, const Row* before, const Row* after) const;
  void notify_of_restored(const K& key, const Row* before, const Row* after) const;
  void encode_stored_key(const K& key);
  [[nodiscard]] std::vector<std::pair<std::string, const Slot*>> sorted() const;

  Database& database_;
  SlotIndex<K, Slot> slots_;
  SlotPool<Slot> pool_;
  std::vector<Observer> observers_;
  std::vector<PresenceObserver> presence_observers_;
  std::vector<Observer> restore_observers_;

  // One old row for each update of this table in the undo log, in the same order.
  std::vector<Row> old_rows_;

  // The rows that changed since the last checkpoint began, and those that the current one has yet
  // to write. There are at most two generations at a time, so 1 and 2 take turns.
  SlotList dirty_;
  SlotList due_;
  std::uint8_t generation_ = 1;
  std::string key_buffer_;
  std::string row_buffer_;
};

// --- implementation ---
// Functions that every change calls are small and declared inline, because g++ decides by that.

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
Table<K, Row, Codec, Attachment>::~Table() {
  database_.undo().for_each_erased(*this, [&](SlotBase& slot) { forget_erased(slot); });
  slots_.for_each([&](Slot& slot) { pool_.destroy(&slot); });
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::observe(Observer observer) {
  BEELINE_CHECK(slots_.empty(), "table {} has rows that the observer has not seen", name());
  observers_.push_back(std::move(observer));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::observe_presence(PresenceObserver observer) {
  BEELINE_CHECK(slots_.empty(), "table {} has rows that the observer has not seen", name());
  presence_observers_.push_back(std::move(observer));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::observe_restored(Observer observer) {
  BEELINE_CHECK(slots_.empty(), "table {} has rows that the observer has not seen", name());
  restore_observers_.push_back(std::move(observer));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
const Row* Table<K, Row, Codec, Attachment>::find(const K& key) const {
  const Slot* slot = find_slot(key);
  return slot == nullptr ? nullptr : &slot->row;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline auto Table<K, Row, Codec, Attachment>::find_slot(const K& key) const -> Slot* {
  return slots_.find(key);
}

// --- changes ---

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
const Row& Table<K, Row, Codec, Attachment>::insert(K key, Row&& row) {
  BEELINE_CHECK(find_slot(key) == nullptr, "table {} has the key that is inserted", name());
  return insert_new(std::move(key), std::move(row));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline const Row& Table<K, Row, Codec, Attachment>::insert_new(K&& key, Row&& row) {
  Slot* slot = pool_.make(std::move(key), std::move(row));
  slots_.insert(slot);
  note(ChangeKind::Inserted, *slot);
  mark_dirty(*slot);
  notify_of_presence(*slot, Presence::Appears);
  return slot->row;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
template <std::invocable<Row&> Function>
const Row& Table<K, Row, Codec, Attachment>::update(const K& key, Function&& change) {
  Slot* slot = find_slot(key);
  BEELINE_CHECK(slot != nullptr, "table {} lacks the key that is updated", name());
  return update_slot(*slot, std::forward<Function>(change));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
template <std::invocable<Row&> Function>
inline const Row& Table<K, Row, Codec, Attachment>::update_slot(Slot& slot, Function&& change) {
  before_change(slot);
  // An observer needs the row before each change; undo needs only the row before the first change.
  const bool is_kept = slot.kept_epoch == database_.undo().epoch() && observers_.empty();
  if (!is_kept) {
    keep_row(slot);
    note(ChangeKind::Updated, slot);
  }
  mark_dirty(slot);
  try {
    change(slot.row);
  } catch (...) {
    // The indexes were not notified of a change that was half made.
    if (!is_kept) slot.row = old_rows_.back();
    throw;
  }
  if (!observers_.empty()) notify(slot.key, &old_rows_.back(), &slot.row);
  return slot.row;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::erase(const K& key) {
  Slot* slot = find_slot(key);
  BEELINE_CHECK(slot != nullptr, "table {} lacks the key that is erased", name());
  erase_slot(*slot);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
template <std::invocable<const Row&> Function>
inline void Table<K, Row, Codec, Attachment>::erase_any(const K& key, Function&& before) {
  Slot* slot = find_slot(key);
  if (slot == nullptr) return;
  before(std::as_const(slot->row));
  erase_slot(*slot);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::erase_slot(Slot& slot) {
  before_change(slot);
  if (slot.is_stored) {
    encode_stored_key(slot.key);
    database_.removals().remove(key_buffer_);
  }
  // If the row is restored, it must be written, since its removal will be.
  slot.is_stored = false;
  mark_clean(slot);
  slots_.erase(&slot);
  note(ChangeKind::Erased, slot);
  notify_of_presence(slot, Presence::Goes);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
const Row& Table<K, Row, Codec, Attachment>::put(K key, Row&& row) {
  Slot* slot = find_slot(key);
  if (slot == nullptr) return insert_new(std::move(key), std::move(row));
  return update_slot(*slot, [&](Row& present) { present = std::move(row); });
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
template <std::invocable<Row&> Function>
const Row& Table<K, Row, Codec, Attachment>::update_or_insert(K key, Function&& change) {
  if (Slot* slot = find_slot(key)) return update_slot(*slot, std::forward<Function>(change));
  Row row{};
  change(row);
  return insert_new(std::move(key), std::move(row));
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::notify(const K& key, const Row* before,
                                                     const Row* after) const {
  for (const Observer& observer : observers_) observer(key, before, after);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::notify_of_presence(const Slot& slot,
                                                                 Presence presence) const {
  for (const PresenceObserver& observer : presence_observers_) observer(slot, presence);
  const bool appears = presence == Presence::Appears;
  notify(slot.key, appears ? nullptr : &slot.row, appears ? &slot.row : nullptr);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::notify_of_restored(const K& key, const Row* before,
                                                          const Row* after) const {
  for (const Observer& observer : restore_observers_) observer(key, before, after);
}

// --- undo ---

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::note(ChangeKind kind, Slot& slot) {
  UndoLog& log = database_.undo();
  log.push(*this, slot, kind);
  slot.kept_epoch = log.epoch() & UndoLog::kEpochMax;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::keep_row(const Slot& slot) {
  if (old_rows_.empty()) database_.undo().note_old_rows(*this);
  old_rows_.push_back(slot.row);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::undo(ChangeKind kind, SlotBase& changed) {
  auto& slot = static_cast<Slot&>(changed);
  switch (kind) {
    case ChangeKind::Inserted:
      slots_.erase(&slot);
      mark_clean(slot);
      notify_of_presence(slot, Presence::Goes);
      notify_of_restored(slot.key, &slot.row, nullptr);
      pool_.destroy(&slot);
      return;
    case ChangeKind::Updated: {
      const Row undone = std::exchange(slot.row, std::move(old_rows_.back()));
      old_rows_.pop_back();
      notify(slot.key, &undone, &slot.row);
      notify_of_restored(slot.key, &undone, &slot.row);
      return;
    }
    case ChangeKind::Erased:
      slots_.insert(&slot);
      mark_dirty(slot);
      notify_of_presence(slot, Presence::Appears);
      notify_of_restored(slot.key, nullptr, &slot.row);
      return;
  }
}

// --- checkpoints ---

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline bool Table<K, Row, Codec, Attachment>::is_due(const Slot& slot) const {
  return slot.dirty_generation != 0 && slot.dirty_generation != generation_;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::before_change(Slot& slot) {
  if (is_due(slot)) [[unlikely]]
    write(slot, database_.captured());
}

// A due row need not be marked here, because before_change runs first.
template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::mark_dirty(Slot& slot) {
  if (slot.dirty_generation != 0) return;
  slot.dirty_generation = generation_ & 3;
  dirty_.push_back(slot);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
inline void Table<K, Row, Codec, Attachment>::mark_clean(Slot& slot) {
  if (slot.dirty_generation == 0) return;
  slot.dirty_generation = 0;
  SlotList::remove(slot);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::begin_capture() {
  BEELINE_CHECK(due_.empty(), "table {} was not captured to its end", name());
  due_.take_over(dirty_);
  generation_ = generation_ == 1 ? 2 : 1;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
std::size_t Table<K, Row, Codec, Attachment>::capture(std::size_t rows, WriteBatch& batch) {
  std::size_t written = 0;
  for (; written < rows && !due_.empty(); ++written) {
    write(static_cast<Slot&>(due_.front()), batch);
  }
  return written;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::write(Slot& slot, WriteBatch& batch) {
  encode_stored_key(slot.key);
  row_buffer_.clear();
  Codec::encode(slot.row, row_buffer_);
  batch.put(key_buffer_, row_buffer_);
  mark_clean(slot);
  slot.is_stored = true;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::encode_stored_key(const K& key) {
  key_buffer_.clear();
  encode_table_prefix(id(), key_buffer_);
  KeyCodec<K>::encode(key, key_buffer_);
}

// --- recovery and comparison ---

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::load_row(std::string_view encoded_key,
                                                std::string_view encoded_row) {
  Slot* slot = nullptr;
  try {
    K key = KeyCodec<K>::decode(encoded_key);
    if (!encoded_key.empty()) throw StoreError("a key has bytes too many");
    slot = pool_.make(std::move(key), Codec::decode(encoded_row));
  } catch (const std::exception& error) {
    throw StoreError(fmt::format("the checkpoint has a row of table {} that cannot be read: {}",
                                 name(), error.what()));
  }
  slot->is_stored = true;
  BEELINE_CHECK(find_slot(slot->key) == nullptr, "table {} has the row that is loaded", name());
  slots_.insert(slot);
  notify_of_presence(*slot, Presence::Appears);
  notify_of_restored(slot->key, nullptr, &slot->row);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
auto Table<K, Row, Codec, Attachment>::sorted() const
    -> std::vector<std::pair<std::string, const Slot*>> {
  std::vector<std::pair<std::string, const Slot*>> rows;
  rows.reserve(slots_.size());
  slots_.for_each([&](const Slot& slot) {
    KeyCodec<K>::encode(slot.key, rows.emplace_back(std::string(), &slot).first);
  });
  std::ranges::sort(rows, {}, &std::pair<std::string, const Slot*>::first);
  return rows;
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
template <typename Visit>
void Table<K, Row, Codec, Attachment>::for_each_sorted(Visit&& visit) const {
  for (const auto& [encoded_key, slot] : sorted()) visit(slot->key, slot->row);
}

template <typename K, std::copyable Row, RowCodec<Row> Codec, typename Attachment>
void Table<K, Row, Codec, Attachment>::visit_sorted(
    const std::function<void(std::string_view, std::string_view)>& visit) const {
  std::string row;
  for (const auto& [encoded_key, slot] : sorted()) {
    row.clear();
    Codec::encode(slot->row, row);
    visit(encoded_key, row);
  }
}

}  // namespace beeline::state
