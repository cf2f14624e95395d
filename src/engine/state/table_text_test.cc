#include "engine/state/table_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/pending_table.h"
#include "engine/state/engine_state.h"

namespace beeline::engine {
namespace {

const TableText& text_of_table(TableNumber number) {
  return *std::ranges::find(table_texts(), number, &TableText::number);
}

TEST(TableText, has_the_tables_of_an_engine_and_no_others) {
  EngineState state{PartitionId{1}, 1};
  PendingCommands commands;
  const PendingTable pending{state.database(), commands};
  std::string tables;
  for (const auto& [id, table] : state.database().tables()) {
    tables += fmt::format("{} ", static_cast<int>(id));
  }
  std::string texts;
  for (const TableText& text : table_texts()) {
    texts += fmt::format("{} ", static_cast<int>(text.number));
  }
  EXPECT_EQ(texts, tables);
}

TEST(TableText, names_are_as_in_json) {
  EXPECT_EQ(text_of_table(TableNumber::Jobs).name, "jobs");
  EXPECT_EQ(text_of_table(TableNumber::MessageStartLocks).name, "messageStartLocks");
  EXPECT_EQ(text_of_table(TableNumber::PendingCommands).name, "pendingCommands");
}

TEST(TableText, keys_are_numbers_texts_or_two_of_them) {
  std::string key;
  state::KeyCodec<Key>::encode(Key{7}, key);
  EXPECT_EQ(text_of_table(TableNumber::Jobs).key(key), "7");
  key.clear();
  state::KeyCodec<OutputItemKey>::encode({Key{7}, 2}, key);
  EXPECT_EQ(text_of_table(TableNumber::OutputItems).key(key), "[7,2]");
  key.clear();
  state::KeyCodec<TenantAndId>::encode({"<default>", "order"}, key);
  EXPECT_EQ(text_of_table(TableNumber::RetiredProcesses).key(key), R"(["<default>","order"])");
}

TEST(TableText, rows_are_objects) {
  std::string row;
  RowCodec<BannedRow>::encode({5}, row);
  EXPECT_EQ(text_of_table(TableNumber::Banned).row(row), R"({"since":5})");
  row.clear();
  RowCodec<CounterRow>::encode({9}, row);
  EXPECT_EQ(text_of_table(TableNumber::OutputBytes).row(row), R"({"value":9})");
}

}  // namespace
}  // namespace beeline::engine
