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
  // Queues that grow and shrink, with a settling after each batch of one to seven commands.
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
    pending.settle();
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
    pending.settle();
  }
  EXPECT_FALSE(pending.front().element.has_value());
  EXPECT_EQ(pending.front().value, bytes);
}

TEST(PendingCommands, go_back_to_how_they_were) {
  PendingCommands pending;
  pending.push_back(at(1), "one");
  pending.push_back(at(2), "two");
  pending.settle();
  const std::vector<PendingCommand> before = pending.copy();
  (void)pending.take_front();
  pending.push_back(at(3), element("ship"));
  pending.replace_with(before);
  EXPECT_EQ(pending.take_front().value, "one");
  EXPECT_EQ(pending.take_front().value, "two");
  EXPECT_TRUE(pending.empty());
}

}  // namespace
}  // namespace beeline::engine
