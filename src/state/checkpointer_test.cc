#include "state/checkpointer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "base/io_error.h"
#include "state/state_test_support.h"

namespace beeline::state {
namespace {

using Writes = Checkpointer::Writes;

Position everything() {
  return Position{std::numeric_limits<std::int64_t>::max()};
}

TEST(Checkpointer, brings_a_checkpoint_to_the_store_in_steps) {
  MemoryStore store;
  Notes notes;
  Checkpointer checkpointer(notes.database, store, Position{0}, Writes::InStep, everything);
  notes.batch([&] {
    for (int i = 0; i < 10; ++i) notes.by_key.insert(Key{i}, {"row"});
  });
  const std::string dump = notes.database.dump();
  checkpointer.step(1);
  checkpointer.start(Position{5});
  int steps = 0;
  while (!checkpointer.is_idle()) {
    EXPECT_EQ(checkpointer.durable_position(), Position{0});
    checkpointer.step(3);
    notes.batch([&] { notes.by_key.put(Key{steps}, {"changed"}); });
    ++steps;
  }
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(checkpointer.durable_position(), Position{5});
  Notes loaded;
  EXPECT_EQ(loaded.database.load(store), Position{5});
  EXPECT_EQ(loaded.database.dump(), dump);
}

TEST(Checkpointer, reports_a_write_that_failed_and_makes_up_for_it) {
  for (const Writes writes : {Writes::InStep, Writes::InBackground}) {
    MemoryStore store;
    Notes notes;
    Checkpointer checkpointer(notes.database, store, Position{0}, writes, everything);
    notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
    store.fail_next_write();
    checkpointer.start(Position{1});
    EXPECT_THROW(checkpointer.finish(), IoError);
    EXPECT_TRUE(checkpointer.is_idle());
    EXPECT_EQ(checkpointer.durable_position(), Position{0});
    checkpointer.start(Position{2});
    checkpointer.finish();
    EXPECT_EQ(checkpointer.durable_position(), Position{2});
    Notes loaded;
    EXPECT_EQ(loaded.database.load(store), Position{2});
    EXPECT_EQ(loaded.database.dump(), notes.database.dump());
  }
}

// A log that failed has committed less than the state contains.
TEST(Checkpointer, never_stores_what_the_log_has_not_committed) {
  MemoryStore store;
  Notes notes;
  Checkpointer checkpointer(notes.database, store, Position{0}, Writes::InStep,
                            [] { return Position{4}; });
  notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
  checkpointer.start(Position{5});
  EXPECT_DEATH(checkpointer.finish(), "checkpoint at position 5 .* committed up to 4");
}

class RocksDb : public ::testing::Test {
 protected:
  RocksDb() {
    std::string name = std::filesystem::temp_directory_path() / "beeline_state_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~RocksDb() override { std::filesystem::remove_all(path_); }

  std::filesystem::path path_;
};

TEST_F(RocksDb, keeps_checkpoints_that_are_written_in_the_background) {
  std::string dump;
  for (std::int64_t life = 1; life <= 3; ++life) {
    const auto store = open_rocksdb(path_ / "state");
    Notes notes;
    const Position position = notes.database.load(*store);
    ASSERT_EQ(position, Position{life - 1});
    ASSERT_EQ(notes.database.dump(), dump);
    Checkpointer checkpointer(notes.database, *store, position, Writes::InBackground, everything);
    notes.batch([&] {
      for (int i = 0; i < 100; ++i) notes.by_key.put(Key{i}, {std::to_string(life)});
      if (life > 1) notes.by_name.erase(std::to_string(life - 1));
      notes.by_name.insert(std::to_string(life), {"life"});
    });
    dump = notes.database.dump();
    checkpointer.start(Position{life});
    while (!checkpointer.is_idle()) {
      checkpointer.step(7);
      notes.batch([&] { notes.by_key.put(Key{50}, {"not in the checkpoint"}); });
    }
    EXPECT_EQ(checkpointer.durable_position(), Position{life});
  }
}

TEST_F(RocksDb, has_the_last_whole_checkpoint_when_the_next_one_was_not_finished) {
  std::string dump;
  {
    const auto store = open_rocksdb(path_ / "state");
    Notes notes;
    Checkpointer checkpointer(notes.database, *store, Position{0}, Writes::InBackground,
                              everything);
    notes.batch([&] { notes.by_key.insert(Key{1}, {"one"}); });
    dump = notes.database.dump();
    checkpointer.start(Position{1});
    checkpointer.finish();
    notes.batch([&] { notes.by_key.put(Key{1}, {"eins"}); });
    checkpointer.start(Position{2});
    checkpointer.step(1);
  }
  Notes loaded;
  EXPECT_EQ(loaded.database.load(*open_rocksdb(path_ / "state")), Position{1});
  EXPECT_EQ(loaded.database.dump(), dump);
}

TEST_F(RocksDb, says_which_directory_it_cannot_open) {
  try {
    (void)open_rocksdb("/dev/null/state");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot open the checkpoint in /dev/null/state"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace beeline::state
