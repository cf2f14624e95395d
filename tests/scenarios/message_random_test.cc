#include <map>
#include <random>
#include <set>

#include "base/partition_hash.h"
#include "tests/support/two_partitions.h"

// Messages between two partitions over a wire that loses, repeats and reorders commands at random
// (spec: scenarios/messages 4, the lines P7, P20 and P21).
namespace beeline::testing {
namespace {

using record::ProcessMessageSubscriptionIntent;
using record::ProcessMessageSubscriptionRecord;

class RandomMessages : public TwoPartitionsTest, public ::testing::WithParamInterface<int> {
 protected:
  using Random = std::mt19937;

  static int pick(Random& random, int below) {
    return std::uniform_int_distribution<int>{0, below - 1}(random);
  }

  void disturb_wire(Random& random) {
    const auto index = static_cast<std::size_t>(pick(random, static_cast<int>(wire_size())));
    switch (pick(random, 8)) {
      case 0:
        return lose_at(index);
      case 1:
        return copy_at(index);
      default:
        return deliver_at(index);
    }
  }

  // Returns how often each process took each message, on both partitions together.
  [[nodiscard]] std::map<std::pair<Key, std::string>, int> taken() const {
    std::map<std::pair<Key, std::string>, int> count;
    for (const World* world : {&world_1, &world_2}) {
      for (const record::OwnedRecord& record : world->records()) {
        if (record.metadata.record_type != record::RecordType::Event ||
            record.metadata.value_type != record::ValueType::ProcessMessageSubscription ||
            record.metadata.intent !=
                static_cast<record::IntentNumber>(ProcessMessageSubscriptionIntent::Correlated)) {
          continue;
        }
        const auto value = record::decode<ProcessMessageSubscriptionRecord>(record.value);
        ++count[{value.message_key, value.bpmn_process_id}];
      }
    }
    return count;
  }
};

TEST_P(RandomMessages, are_taken_at_most_once_and_leave_nothing_behind) {
  Random random{static_cast<std::uint32_t>(GetParam())};
  const std::vector<std::pair<std::string, std::string>> models = {
      {"catch.bpmn",
       process("catch", start() >> catch_event(message("wait", "paid", "=order")) >> end())
           .to_xml()},
      {"loop.bpmn",
       process("loop", start() >> service_task("ship", job("courier")) >> end(),
               boundary("ship", message("ask", "paid", "=order"), non_interrupting()) >>
                   end("answered"))
           .to_xml()}};
  deploy(models);
  const char* keys[] = {"a", "b", "123"};  // on the second, the first and the first partition
  std::vector<std::pair<int, Key>> instances;
  int published = 0;
  for (int step = 0; step < 400; ++step) {
    Actions& somewhere = pick(random, 2) == 0 ? one : two;
    const char* key = keys[pick(random, 3)];
    switch (pick(random, 10)) {
      case 0:
      case 1: {
        const char* process = pick(random, 2) == 0 ? "catch" : "loop";
        const Key instance = somewhere.instance(process, fmt::format(R"({{"order":"{}"}})", key));
        instances.emplace_back(&somewhere == &one ? 1 : 2, instance);
        break;
      }
      case 2: {
        if (instances.empty()) break;
        const auto [where, instance] =
            instances[static_cast<std::size_t>(pick(random, static_cast<int>(instances.size())))];
        World& world = where == 1 ? world_1 : world_2;
        if (world.state().element_instances().find(instance) == nullptr) break;
        (where == 1 ? one : two).cancels(instance);
        break;
      }
      case 3:
      case 4: {
        const PartitionId partition = partition_of_correlation_key(key, 2);
        (partition == PartitionId{1} ? one : two)
            .publishes("paid", key, {"", Milliseconds{pick(random, 3) * 20'000}});
        ++published;
        break;
      }
      case 5:
        pass(Milliseconds{pick(random, 20'000)});
        break;
      default:
        if (wire_size() > 0) disturb_wire(random);
    }
  }
  pass_until_settled();
  for (const auto& [where, instance] : instances) {
    World& world = where == 1 ? world_1 : world_2;
    if (world.state().element_instances().find(instance) != nullptr) {
      (where == 1 ? one : two).cancels(instance);
    }
  }
  pass_until_settled();
  on_one.all_done();
  on_two.all_done();
  no_messages_left();
  EXPECT_GT(published, 0);
  for (const auto& [pair, count] : taken()) {
    EXPECT_EQ(count, 1) << "message " << pair.first.value() << " of " << pair.second;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMessages, ::testing::Range(1, 9));

}  // namespace
}  // namespace beeline::testing
