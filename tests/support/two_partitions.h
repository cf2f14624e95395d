#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

#include "record/value_type.h"
#include "tests/support/scenario.h"

// Two partitions with a wire between them that the test controls: a command that one sends to the
// other stays on the wire until the test delivers it, and can be lost, repeated and overtaken.
//
//   TWO_PARTITIONS(a_lost_command_is_sent_again) {
//     one.instance("order", ...);
//     lose("MESSAGE_SUBSCRIPTION CREATE");
//     pass(10s);
//     settle();
//   }
namespace beeline::testing {

class TwoPartitionsTest : public ::testing::Test {
 protected:
  TwoPartitionsTest()
      : world_1(options(1)),
        world_2(options(2)),
        one(world_1, false),
        two(world_2, false),
        on_one(world_1),
        on_two(world_2) {}

  void TearDown() override {
    EXPECT_EQ(world_1.compare_with_replay(), "");
    EXPECT_EQ(world_2.compare_with_replay(), "");
  }

  // Sets the place from which on_one and on_two look at records.
  void mark() {
    world_1.set_mark();
    world_2.set_mark();
  }

  // Deploys processes on both partitions; returns when both have them.
  void deploy(const std::vector<std::pair<std::string, std::string>>& resources) {
    Actions{world_1, true}.deploys(resources);
    settle();
    ASSERT_FALSE(world_1.answers().empty());
    EXPECT_EQ(world_1.answers().back().record.metadata.record_type, record::RecordType::Event);
  }
  void deploy(const Model& model) { deploy({{"order.bpmn", model.to_xml()}}); }

  // Returns the names of the commands on the wire, oldest first: "MESSAGE_SUBSCRIPTION CREATE".
  [[nodiscard]] std::vector<std::string> wire() {
    collect();
    std::vector<std::string> names;
    for (const engine::OutgoingCommand& command : wire_) names.push_back(name_of(command));
    return names;
  }

  // Delivers all commands, and those that they cause.
  void settle() {
    for (collect(); !wire_.empty(); collect()) deliver_at(0);
  }
  // Each of these functions acts on the oldest command of that name.
  void deliver(std::string_view name) { deliver_at(find(name)); }
  void lose(std::string_view name) { take(find(name)); }
  // Delivers the command and leaves it on the wire.
  void deliver_a_copy(std::string_view name) { submit(wire_.at(find(name))); }
  // Takes the command off the wire, to be delivered later with deliver_late().
  [[nodiscard]] engine::OutgoingCommand delay(std::string_view name) { return take(find(name)); }
  void deliver_late(const engine::OutgoingCommand& command) { submit(command); }

  void pass(Milliseconds duration) {
    world_1.pass(duration);
    world_2.pass(duration);
  }
  // Lets time pass until all lost commands have been sent again.
  void pass_until_settled() {
    for (int i = 0; i < 200; ++i) {
      pass(Milliseconds{5'000});
      settle();
    }
  }

  // Checks that no messages and subscriptions are left on either side.
  void no_messages_left() {
    on_one.no_messages_left();
    on_two.no_messages_left();
  }

  // These give access to commands on the wire by number.
  [[nodiscard]] std::size_t wire_size() {
    collect();
    return wire_.size();
  }
  void deliver_at(std::size_t index) { submit(take(index)); }
  void copy_at(std::size_t index) { wire_.push_back(wire_.at(index)); }
  void lose_at(std::size_t index) { take(index); }

  World world_1;
  World world_2;
  Actions one;
  Actions two;
  Expectations on_one;
  Expectations on_two;

 private:
  static engine::EngineOptions options(std::int32_t partition) {
    engine::EngineOptions options;
    options.partition = PartitionId{partition};
    options.partition_count = 2;
    return options;
  }
  static std::string name_of(const engine::OutgoingCommand& command) {
    return std::string{record::name_of(command.head.value_type)} + " " +
           std::string{record::intent_name(command.head.value_type, command.head.intent)};
  }
  void collect() {
    for (World* world : {&world_1, &world_2}) {
      for (auto& command : world->take_sends()) wire_.push_back(std::move(command));
    }
  }
  [[nodiscard]] std::size_t find(std::string_view name) {
    const std::vector<std::string> names = wire();
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name << " is not on the wire";
    return static_cast<std::size_t>(found - names.begin());
  }
  engine::OutgoingCommand take(std::size_t index) {
    engine::OutgoingCommand command = wire_.at(index);
    wire_.erase(wire_.begin() + static_cast<std::ptrdiff_t>(index));
    return command;
  }
  void submit(const engine::OutgoingCommand& command) {
    World& world = command.to == PartitionId{1} ? world_1 : world_2;
    world.receive(command);
  }

  std::deque<engine::OutgoingCommand> wire_;
};

}  // namespace beeline::testing

#define TWO_PARTITIONS(name)                                    \
  class name : public ::beeline::testing::TwoPartitionsTest {}; \
  TEST_F(name, holds)
