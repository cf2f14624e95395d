#pragma once

#include <absl/container/btree_set.h>

#include <cstddef>

#include "base/check.h"

namespace beeline::state {

// An ordered set of entries that are derived from rows, such as (due date, job key). The observer
// of its table maintains it, so it needs no undo and no checkpoint of its own:
//
//     OrderedIndex<std::pair<Timestamp, Key>> due;
//     keep_index(jobs, due, [](Key key, const JobRow& job) -> std::optional<std::pair<Timestamp,
//     Key>> {
//       if (!job.deadline) return std::nullopt;
//       return std::pair{*job.deadline, key};
//     });
//     for (auto it = due.from({now, Key{}}); it != due.end(); ++it) ...
//
// An iterator is invalid after the next change of the table.
template <typename Entry>
class OrderedIndex {
 public:
  using const_iterator = typename absl::btree_set<Entry>::const_iterator;

  void insert(const Entry& entry) {
    const bool is_new = entries_.insert(entry).second;
    BEELINE_CHECK(is_new, "an index has the same entry twice");
  }
  void erase(const Entry& entry) {
    const bool was_there = entries_.erase(entry) == 1;
    BEELINE_CHECK(was_there, "an index lacks an entry that its table has");
  }

  [[nodiscard]] const_iterator begin() const { return entries_.begin(); }
  [[nodiscard]] const_iterator end() const { return entries_.end(); }
  // Returns the first entry that is not less than `entry`.
  [[nodiscard]] const_iterator from(const Entry& entry) const {
    return entries_.lower_bound(entry);
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  absl::btree_set<Entry> entries_;
};

// Keeps in `index`, for every row of `table`, the optional entry that `entry_of(key, row)` returns.
// The entries of two rows must differ. `index` must live as long as the table.
template <typename Table, typename Entry, typename EntryOf>
void keep_index(Table& table, OrderedIndex<Entry>& index, EntryOf entry_of) {
  table.observe([&index, entry_of](const auto& key, const auto* before, const auto* after) {
    const auto old_entry = before ? entry_of(key, *before) : decltype(entry_of(key, *before)){};
    const auto new_entry = after ? entry_of(key, *after) : decltype(entry_of(key, *after)){};
    if (old_entry == new_entry) return;
    if (old_entry) index.erase(*old_entry);
    if (new_entry) index.insert(*new_entry);
  });
}

}  // namespace beeline::state
