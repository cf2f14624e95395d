#include "engine/pending_table.h"

#include <gtest/gtest.h>

#include "state/store_error.h"

namespace beeline::engine {
namespace {

record::Metadata at(std::int64_t position, record::RequestId request = 0) {
  record::Metadata metadata;
  metadata.position = Position{position};
  metadata.record_type = record::RecordType::Command;
  metadata.request_id = request;
  return metadata;
}

struct Queue {
  state::Database database;
  PendingCommands commands;
  PendingTable table{database, commands};

  // Adds commands at these positions and takes `takes` commands from the front, in one batch.
  void batch(const std::vector<std::int64_t>& positions, int takes) {
    database.begin_batch();
    for (const std::int64_t position : positions) {
      commands.push_back(at(position, 77), "value " + std::to_string(position));
    }
    for (int i = 0; i < takes; ++i) (void)commands.take_front();
    commands.settle(true);
    database.commit_batch();
  }
  state::WriteBatch checkpoint(Position position) {
    database.begin_checkpoint(position);
    while (!database.capture(1)) {
    }
    return database.take_captured();
  }
};

std::vector<std::int64_t> positions_of(const PendingCommands& commands) {
  std::vector<std::int64_t> positions;
  commands.for_each_on_log([&](const PendingCommand& command) {
    EXPECT_EQ(command.value, "value " + std::to_string(command.metadata.position.value()));
    EXPECT_EQ(command.metadata.request_id, 0U) << "whoever waited is gone";
    positions.push_back(command.metadata.position.value());
  });
  return positions;
}

std::vector<std::int64_t> stored_in(const state::KeyValueStore& store) {
  Queue loaded;
  loaded.database.load(store);
  loaded.commands.settle(true);
  return positions_of(loaded.commands);
}

using Positions = std::vector<std::int64_t>;

TEST(PendingTable, a_checkpoint_has_the_commands_that_were_pending_when_it_started) {
  state::MemoryStore store;
  Queue queue;
  queue.batch({1, 2, 3, 300}, 1);
  queue.database.begin_checkpoint(Position{301});
  queue.batch({302}, 3);  // during the capture
  while (!queue.database.capture(1)) {
  }
  store.write(queue.database.take_captured());
  EXPECT_EQ(stored_in(store), (Positions{2, 3, 300}));
  store.write(queue.checkpoint(Position{302}));
  EXPECT_EQ(stored_in(store), Positions{302});
  queue.batch({}, 1);
  store.write(queue.checkpoint(Position{303}));
  EXPECT_EQ(stored_in(store), Positions{});
}

TEST(PendingTable, a_checkpoint_that_could_not_be_written_is_made_up_for) {
  state::MemoryStore store;
  Queue queue;
  queue.batch({1, 2}, 0);
  store.write(queue.checkpoint(Position{2}));
  queue.batch({3, 4}, 3);
  queue.database.give_back(queue.checkpoint(Position{4}));
  queue.batch({5}, 0);
  store.write(queue.checkpoint(Position{5}));
  EXPECT_EQ(stored_in(store), (Positions{4, 5}));
}

TEST(PendingTable, a_loaded_command_is_removed_from_the_store_once_it_is_processed) {
  state::MemoryStore store;
  Queue queue;
  queue.batch({1, 2}, 0);
  store.write(queue.checkpoint(Position{2}));
  Queue loaded;
  loaded.database.load(store);
  loaded.commands.settle(true);
  loaded.batch({3}, 1);
  store.write(loaded.checkpoint(Position{3}));
  EXPECT_EQ(stored_in(store), (Positions{2, 3}));
}

TEST(PendingTable, commands_count_in_the_digest_and_their_requests_do_not) {
  Queue with;
  with.batch({1}, 0);
  Queue without;
  EXPECT_NE(with.database.digest(), without.database.digest());
  without.database.begin_batch();
  without.commands.push_back(at(1, 0), "value 1");
  without.commands.settle(true);
  without.database.commit_batch();
  EXPECT_EQ(with.database.digest(), without.database.digest());
  EXPECT_EQ(with.database.dump(), without.database.dump());
}

TEST(PendingTable, the_principal_of_a_command_is_kept_by_checkpoints_and_counts_in_the_digest) {
  const std::string principal(40, 'p');
  Queue queue;
  queue.database.begin_batch();
  {
    record::Metadata metadata = at(1, 77);
    const std::string borrowed(40, 'p');
    metadata.principal.bytes = borrowed;
    queue.commands.push_back(metadata, "value 1");
  }
  queue.commands.settle(true);
  queue.database.commit_batch();
  Queue of_nobody;
  of_nobody.batch({1}, 0);
  EXPECT_NE(queue.database.digest(), of_nobody.database.digest());
  state::MemoryStore store;
  store.write(queue.checkpoint(Position{1}));
  Queue loaded;
  loaded.database.load(store);
  loaded.commands.settle(true);
  EXPECT_EQ(loaded.database.digest(), queue.database.digest());
  EXPECT_EQ(loaded.commands.front().principal.bytes, principal);
  // A command without a principal reuses the memory of one that has a principal.
  loaded.batch({}, 1);
  loaded.batch({2}, 0);
  EXPECT_TRUE(loaded.commands.front().principal.empty());
}

TEST(PendingTable, a_row_that_is_no_command_is_refused) {
  Queue queue;
  EXPECT_THROW(queue.table.load_row("key", "row"), state::StoreError);
}

}  // namespace
}  // namespace beeline::engine
