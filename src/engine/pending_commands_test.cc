#include "engine/pending_commands.h"

#include <gtest/gtest.h>

#include <deque>

#include "record/codec.h"

namespace beeline::engine {
namespace {

record::Metadata at(std::int64_t position) {
  record::Metadata metadata;
  metadata.position = Position{position};
  return metadata;
}

record::ProcessInstanceView element(std::string_view id) {
  record::ProcessInstanceView value;
  value.element_id = id;
  return value;
}

TEST(PendingCommands, come_out_in_the_order_in_which_they_went_in) {
  PendingCommands pending;
  std::deque<std::int64_t> model;
  std::int64_t next = 1;
  // The queue grows and shrinks, and settles after each batch of one to seven commands.
  for (int batch = 0; batch < 2'000; ++batch) {
    for (int i = 0; i < batch % 7 + 1 && !pending.empty(); ++i) {
      const PendingCommand& command = pending.take_front();
      ASSERT_EQ(command.metadata.position.value(), model.front());
      ASSERT_EQ(command.value, std::to_string(model.front()));
      model.pop_front();
    }
    for (int i = 0; i < (batch % 500 < 250 ? 6 : 2); ++i) {
      pending.push_back(at(next), std::to_string(next));
      model.push_back(next++);
    }
    pending.settle(true);
    ASSERT_EQ(pending.empty(), model.empty());
    if (!model.empty()) {
      ASSERT_EQ(pending.front().metadata.position.value(), model.front());
    }
  }
}

TEST(PendingCommands, one_that_was_taken_stays_while_others_are_added) {
  PendingCommands pending;
  pending.push_back(at(1), "first");
  const PendingCommand& taken = pending.take_front();
  for (std::int64_t i = 2; i < 500; ++i) pending.push_back(at(i), "later");
  EXPECT_EQ(taken.metadata.position, Position{1});
  EXPECT_EQ(taken.value, "first");
}

TEST(PendingCommands, nothing_is_borrowed_beyond_a_batch) {
  PendingCommands pending;
  std::string bytes;
  record::encode(element("ship"), bytes);
  {
    const std::string name = "ship";
    pending.push_back(at(1), element(name));
    std::string buffer;
    EXPECT_EQ(pending.front().bytes(buffer), bytes);
    ASSERT_TRUE(pending.front().element.has_value());
    pending.settle(true);
  }
  EXPECT_FALSE(pending.front().element.has_value());
  EXPECT_EQ(pending.front().value, bytes);
}

TEST(PendingCommands, go_back_to_how_they_were) {
  PendingCommands pending;
  pending.push_back(at(1), "one");
  pending.push_back(at(2), "two");
  pending.settle(true);
  for (int attempt = 0; attempt < 3; ++attempt) {
    EXPECT_EQ(pending.take_front().value, "one");
    pending.push_back(at(3), element("ship"));
    pending.push_back(at(4), std::string(10'000, 'x'));
    EXPECT_EQ(pending.take_front().value, "two");
    EXPECT_TRUE(pending.take_front().element.has_value());
    pending.roll_back();
  }
  EXPECT_EQ(pending.take_front().value, "one");
  EXPECT_EQ(pending.take_front().value, "two");
  EXPECT_TRUE(pending.empty());
}

// After a rollback the queue is as the batch found it, wherever its memory begins.
TEST(PendingCommands, go_back_wherever_the_queue_stands_in_its_memory) {
  PendingCommands pending;
  std::deque<std::int64_t> model;
  std::int64_t next = 1;
  for (int batch = 0; batch < 1'000; ++batch) {
    const int takes = batch % 5;
    const int adds = batch % 300 < 150 ? 4 : 1;
    const bool is_taken_back = batch % 3 == 0;
    for (int i = 0; i < adds; ++i) pending.push_back(at(next + i), std::to_string(next + i));
    for (int i = 0; i < takes && !pending.empty(); ++i) (void)pending.take_front();
    if (is_taken_back) {
      pending.roll_back();
      pending.settle(true);
    } else {
      pending.settle(true);
      for (int i = 0; i < adds; ++i) model.push_back(next++);
      for (int i = 0; i < takes && !model.empty(); ++i) model.pop_front();
    }
    ASSERT_EQ(pending.empty(), model.empty());
    std::vector<std::int64_t> positions;
    (void)pending.any_of([&](const PendingCommand& command) {
      EXPECT_EQ(command.value, std::to_string(command.metadata.position.value()));
      positions.push_back(command.metadata.position.value());
      return false;
    });
    ASSERT_EQ(positions, std::vector<std::int64_t>(model.begin(), model.end()));
  }
}

std::vector<std::int64_t> on_log(const PendingCommands& pending) {
  std::vector<std::int64_t> positions;
  pending.for_each_on_log([&](const PendingCommand& command) {
    positions.push_back(command.metadata.position.value());
  });
  return positions;
}

TEST(PendingCommands, what_came_to_nothing_is_pending_on_the_log_until_something_is_written) {
  PendingCommands pending;
  for (std::int64_t i = 1; i <= 4; ++i) pending.push_back(at(i), "value");
  pending.settle(true);
  (void)pending.take_front();
  pending.settle(false);
  EXPECT_EQ(pending.front().metadata.position, Position{2});
  EXPECT_EQ(on_log(pending), (std::vector<std::int64_t>{1, 2, 3, 4}));
  (void)pending.take_front();
  pending.roll_back();
  EXPECT_EQ(pending.front().metadata.position, Position{2}) << "what is done is not done again";
  (void)pending.take_front();
  pending.push_back(at(5), "value");
  pending.settle(true);
  EXPECT_EQ(on_log(pending), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(pending.front().metadata.position, Position{3});
}

}  // namespace
}  // namespace beeline::engine
