#include "state/ordered_index.h"

#include <gtest/gtest.h>

#include <optional>

#include "state/state_test_support.h"

namespace beeline::state {
namespace {

using Entry = std::pair<std::string, Key>;

// Notes by their text; a note with an empty text is in no index.
struct IndexedNotes : Notes {
  OrderedIndex<Entry> by_text;
  IndexedNotes() {
    keep_index(by_key, by_text, [](Key key, const NoteRow& row) -> std::optional<Entry> {
      if (row.text.empty()) return std::nullopt;
      return Entry{row.text, key};
    });
  }
  [[nodiscard]] std::string entries() const {
    std::string text;
    for (const auto& [note, key] : by_text) text += fmt::format("{}={} ", note, key.value());
    return text;
  }
};

TEST(OrderedIndex, follows_rows_through_changes_and_rollback) {
  IndexedNotes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"pear"});
    notes.by_key.insert(Key{2}, {"apple"});
    notes.by_key.insert(Key{3}, {""});
  });
  EXPECT_EQ(notes.entries(), "apple=2 pear=1 ");
  notes.database.begin_batch();
  notes.by_key.update(Key{3}, [](NoteRow& row) { row.text = "fig"; });
  notes.by_key.update(Key{2}, [](NoteRow& row) { row.text = ""; });
  notes.by_key.erase(Key{1});
  EXPECT_EQ(notes.entries(), "fig=3 ");
  notes.database.rollback_batch();
  EXPECT_EQ(notes.entries(), "apple=2 pear=1 ");
  EXPECT_EQ(notes.by_text.from({"b", Key{0}})->second, Key{1});
}

TEST(OrderedIndex, is_rebuilt_when_rows_are_loaded) {
  MemoryStore store;
  IndexedNotes notes;
  notes.batch([&] {
    notes.by_key.insert(Key{1}, {"pear"});
    notes.by_key.insert(Key{2}, {"apple"});
  });
  notes.database.begin_checkpoint(Position{1});
  ASSERT_TRUE(notes.database.capture(100));
  store.write(notes.database.take_captured());
  IndexedNotes loaded;
  loaded.database.load(store);
  EXPECT_EQ(loaded.entries(), notes.entries());
}

}  // namespace
}  // namespace beeline::state
