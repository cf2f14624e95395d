#include "tests/scenarios/message_models.h"
#include "tests/support/two_partitions.h"

// Messages that an instance refuses, with the two sides of its subscription on two partitions
// (spec: message_protocol 5, 9). Instances run on the first partition, the correlation key "a"
// belongs to the second.
namespace beeline::testing {
namespace {

class RefusedMessage : public TwoPartitionsTest {
 protected:
  // The reason of the only rejection on the first partition since mark().
  [[nodiscard]] std::string reason() const {
    std::string found;
    for (std::size_t i = world_1.mark(); i < world_1.records().size(); ++i) {
      const record::OwnedRecord& record = world_1.records()[i];
      if (record.metadata.record_type != record::RecordType::CommandRejection) continue;
      EXPECT_EQ(found, "") << "a second rejection: " << record.rejection_reason;
      found = record.rejection_reason;
    }
    return found;
  }
};

// The instance is gone, and its subscription stays until the other side has closed its own.
TEST_F(RefusedMessage, the_log_tells_that_the_subscription_is_being_closed) {
  deploy(one_catch());
  const Key instance = one.instance("order", R"({"order":"a"})");
  settle();
  one.cancels(instance);
  lose(kClose);
  two.publishes("paid", "a", {"", 1h});
  mark();
  deliver(kCorrelate);
  on_one.records_of({"E", "R"},
                    "R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid rejection=INVALID_STATE");
  EXPECT_TRUE(reason().ends_with("but it is being closed")) << reason();
  EXPECT_EQ(wire(), std::vector<std::string>{std::string{kRefused}});
}

// A late repetition of CREATE opened the message's side once more, which correlates the message
// that the first refusal had freed.
TEST_F(RefusedMessage, R25_P9_a_refusal_that_comes_twice_does_not_end_a_newer_attempt) {
  deploy(one_catch());
  const Key instance = one.instance("order", R"({"order":"a"})");
  deliver_a_copy(kOpen);
  const auto open = delay(kOpen);
  settle();
  one.cancels(instance);
  lose(kClose);
  two.publishes("paid", "a", {"", 1h});
  deliver(kCorrelate);
  deliver_a_copy(kRefused);
  const auto refused = delay(kRefused);
  mark();
  deliver_late(open);
  on_two.records_of({"E"}, R"(
    E MESSAGE_SUBSCRIPTION CREATED paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
  )");
  mark();
  deliver_late(refused);
  on_two.records_of({"R", "E"}, "R MESSAGE_SUBSCRIPTION REJECT paid rejection=INVALID_STATE");
  pass_until_settled();
  one.instance("order", R"({"order":"a"})");
  settle();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED wait"), 1U);
  on_one.all_done();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

}  // namespace
}  // namespace beeline::testing
