#include "tests/scenarios/message_models.h"
#include "tests/support/two_partitions.h"

// Subscriptions whose two sides are on two partitions, and faults of the commands between them
// (spec: message_protocol 4 to 9). Instances run on the first partition; the correlation key "a"
// belongs to the second.
namespace beeline::testing {
namespace {

using record::MessageSubscriptionIntent;
using record::ProcessMessageSubscriptionIntent;
using record::RejectionType;

using Wire = std::vector<std::string>;

Model reusable() {
  return process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", message("ask", "asked", "=\"a\""), non_interrupting()) >> end("answered"));
}

constexpr const char* kVariables = R"({"order":"a"})";

TWO_PARTITIONS(Z17_R2_subscribe_then_publish) {
  deploy(one_catch());
  mark();
  one.instance("order", kVariables);
  EXPECT_EQ(wire(), Wire{std::string{kOpen}});
  settle();
  on_one.records_of(kMessages, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING paid subscriptionPartitionId=2
    C PROCESS_MESSAGE_SUBSCRIPTION CREATE paid
    E PROCESS_MESSAGE_SUBSCRIPTION CREATED paid
  )");
  on_two.records_of(kMessages, R"(
    C MESSAGE_SUBSCRIPTION CREATE paid
    E MESSAGE_SUBSCRIPTION CREATED paid
  )");
  mark();
  two.publishes("paid", "a", {R"({"x":1})"});
  EXPECT_EQ(wire(), Wire{std::string{kCorrelate}});
  settle();
  on_two.records_of(kMessages, R"(
    C MESSAGE PUBLISH paid
    E MESSAGE PUBLISHED paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE EXPIRED paid
    C MESSAGE_SUBSCRIPTION CORRELATE paid
    E MESSAGE_SUBSCRIPTION CORRELATED paid
  )");
  on_one.records_of({"E PROCESS_MESSAGE", "C PROCESS_MESSAGE", "E VARIABLE", "E ELEMENT COMPLETED"},
                    R"(
    C PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    E VARIABLE CREATED x
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED end
    E ELEMENT COMPLETED order
    C PROCESS_MESSAGE_SUBSCRIPTION DELETE paid
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED paid
  )");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(Z19_R1_publish_then_subscribe) {
  deploy(one_catch());
  two.publishes("paid", "a", {"", 1h});
  one.instance("order", kVariables);
  deliver(kOpen);
  EXPECT_EQ(wire(), (Wire{std::string{kOpened}, std::string{kCorrelate}}));
  settle();
  on_one.all_done();
}

TWO_PARTITIONS(P19_a_message_on_the_wrong_partition_is_refused) {
  record::MessageRecord message;
  message.name = "paid";
  message.correlation_key = "a";
  world_1.submit(record::MessageIntent::Publish, Key{}, message);
  on_one.rejected(RejectionType::InvalidState, "it was routed to partition 1");
  record::MessageCorrelationRecord correlation;
  correlation.name = "paid";
  correlation.correlation_key = "a";
  world_1.submit(record::MessageCorrelationIntent::Correlate, Key{}, correlation);
  on_one.rejected(RejectionType::InvalidState, "it was routed to partition 1");
  no_messages_left();
}

TWO_PARTITIONS(R3_the_message_overtakes_the_acknowledgement) {
  deploy(one_catch());
  two.publishes("paid", "a", {"", 1h});
  one.instance("order", kVariables);
  deliver(kOpen);
  mark();
  deliver(kCorrelate);
  on_one.records_of({"E PROCESS_MESSAGE"}, "E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid");
  mark();
  deliver(kOpened);
  on_one.records_of({"R"}, "R PROCESS_MESSAGE_SUBSCRIPTION CREATE paid rejection=INVALID_STATE");
  settle();
  on_one.all_done();
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R4_P2_what_opens_is_lost) {
  deploy(one_catch());
  const Key instance = one.instance("order", kVariables);
  lose(kOpen);
  one.sets_variables(instance, R"({"order":"other"})");
  pass(5s);
  EXPECT_TRUE(wire().empty());
  pass(10s);
  EXPECT_EQ(wire(), Wire{std::string{kOpen}});
  settle();
  two.publishes("paid", "a");
  settle();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(what_stays_lost_is_sent_again_less_and_less_often) {
  deploy(one_catch());
  one.instance("order", kVariables);
  lose(kOpen);
  std::vector<int> at;
  for (int second = 5; second <= 1500; second += 5) {
    pass(5s);
    if (wire().empty()) continue;
    at.push_back(second);
    lose(kOpen);
  }
  // The command is sent again ten seconds after the first scan sees it. Each further wait is twice
  // as long, up to five minutes.
  EXPECT_EQ(at, (std::vector<int>{15, 35, 75, 155, 315, 615, 915, 1215}));
}

TWO_PARTITIONS(R5_P3_the_acknowledgement_of_opening_is_lost) {
  deploy(one_catch());
  one.instance("order", kVariables);
  deliver(kOpen);
  lose(kOpened);
  pass(5s);
  pass(10s);
  mark();
  settle();
  on_two.records_of(kMessages, R"(
    C MESSAGE_SUBSCRIPTION CREATE paid
    R MESSAGE_SUBSCRIPTION CREATE paid rejection=INVALID_STATE
  )");
  on_one.records_of({"E PROCESS_MESSAGE"}, "E PROCESS_MESSAGE_SUBSCRIPTION CREATED paid");
}

TWO_PARTITIONS(R6_P11_a_late_repetition_opens_an_orphan) {
  deploy(one_catch());
  one.instance("order", kVariables);
  deliver_a_copy(kOpen);
  const auto late = delay(kOpen);
  settle();
  two.publishes("paid", "a");
  settle();
  on_one.all_done();
  no_messages_left();
  mark();
  deliver_late(late);
  settle();
  on_two.records_of(kMessages, R"(
    C MESSAGE_SUBSCRIPTION CREATE paid
    E MESSAGE_SUBSCRIPTION CREATED paid
    C MESSAGE_SUBSCRIPTION DELETE paid
    E MESSAGE_SUBSCRIPTION DELETED paid
  )");
  on_one.records_of({"R"}, R"(
    R PROCESS_MESSAGE_SUBSCRIPTION CREATE paid rejection=NOT_FOUND
    R PROCESS_MESSAGE_SUBSCRIPTION DELETE paid rejection=NOT_FOUND
  )");
  no_messages_left();
}

TWO_PARTITIONS(R6_an_orphan_that_takes_a_message_gives_it_back) {
  deploy(one_catch());
  const Key instance = one.instance("order", kVariables);
  deliver_a_copy(kOpen);
  const auto late = delay(kOpen);
  settle();
  one.cancels(instance);
  settle();
  no_messages_left();
  two.publishes("paid", "a", {"", 1h});
  deliver_late(late);
  one.instance("order", kVariables);
  settle();
  on_one.all_done();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R6_an_orphan_that_is_opened_while_the_first_one_is_closed) {
  deploy(one_catch());
  const Key instance = one.instance("order", kVariables);
  deliver_a_copy(kOpen);
  const auto late = delay(kOpen);
  settle();
  one.cancels(instance);
  deliver(kClose);
  deliver_late(late);
  // The acknowledgement of the orphan arrives before the acknowledgement that the first
  // subscription is closed.
  deliver(kOpened);
  deliver(kClosed);
  settle();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(R7_P4_P18_the_message_is_lost_on_its_way) {
  deploy(one_catch());
  one.instance("order", kVariables);
  settle();
  two.publishes("paid", "a", {R"({"x":1})", 1min});
  lose(kCorrelate);
  pass(5s);
  pass(10s);
  lose(kCorrelate);
  // The message expires and is removed, but it is still delivered, because the subscription holds a
  // copy.
  pass(1h);
  EXPECT_EQ(world_2.state().messages().count(), 0U);
  EXPECT_EQ(wire(), Wire{std::string{kCorrelate}});
  settle();
  on_one.all_done();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED wait"), 1U);
  no_messages_left();
}

TWO_PARTITIONS(R8_P5_the_acknowledgement_of_an_interrupting_one_is_lost) {
  deploy(one_catch());
  one.instance("order", kVariables);
  const Key second = one.instance("order", kVariables);
  settle();
  two.publishes("paid", "a", {"", 1h});
  deliver(kCorrelate);
  lose(kTaken);
  // Both sides send their commands again. Whichever arrives first settles the correlation.
  mark();
  for (int i = 0; i < 4; ++i) {
    pass(5s);
    while (!wire().empty()) lose(wire().front());
  }
  pass(10min);
  settle();
  EXPECT_EQ(times(world_2, "E MESSAGE_SUBSCRIPTION REJECTED"), 0U);
  EXPECT_EQ(times(world_2, "E MESSAGE_SUBSCRIPTION CORRELATED"), 1U);
  EXPECT_NE(world_1.state().element_instances().find(second), nullptr);
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 1U);
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 1U);
}

TWO_PARTITIONS(R8_the_message_is_repeated_after_it_was_taken) {
  deploy(one_catch());
  one.instance("order", kVariables);
  settle();
  two.publishes("paid", "a", {"", 1h});
  deliver_a_copy(kCorrelate);
  lose(kTaken);
  mark();
  deliver(kCorrelate);
  on_one.records_of({"R", "E"},
                    "R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid rejection=INVALID_STATE");
  EXPECT_EQ(wire(), Wire{std::string{kTaken}});
  settle();
  on_one.all_done();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R9_P6_acknowledgements_of_a_reusable_one_are_lost) {
  deploy(reusable());
  one.instance("order");
  settle();
  for (int i = 0; i < 10; ++i) two.publishes("asked", "a", {"", 24h});
  for (int i = 0; i < 10; ++i) {
    deliver(kCorrelate);
    lose(kTaken);
    while (wire().empty()) pass(5s);
    EXPECT_EQ(wire(), Wire{std::string{kCorrelate}});
    deliver(kCorrelate);
    deliver(kTaken);
  }
  settle();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED ask"), 10U);
  one.completes_job("courier");
  settle();
  on_one.all_done();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R10_a_late_repetition_of_an_older_message) {
  deploy(reusable());
  one.instance("order");
  settle();
  two.publishes("asked", "a", {"", 1h});
  deliver_a_copy(kCorrelate);
  const auto late = delay(kCorrelate);
  deliver(kTaken);
  two.publishes("asked", "a", {"", 1h});
  deliver(kCorrelate);
  deliver(kTaken);
  mark();
  deliver_late(late);
  settle();
  on_one.records_of({"R", "E"},
                    "R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE asked rejection=INVALID_STATE");
  on_two.records_of({"R", "E"}, "R MESSAGE_SUBSCRIPTION CORRELATE asked rejection=INVALID_STATE");
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED ask"), 2U);
}

TWO_PARTITIONS(R11_Z24_the_element_is_gone_before_it_is_opened) {
  deploy(one_catch());
  two.publishes("paid", "a", {"", 1h});
  const Key instance = one.instance("order", kVariables);
  const auto open = delay(kOpen);
  one.cancels(instance);
  const auto close = delay(kClose);
  mark();
  deliver_late(open);
  deliver(kOpened);
  deliver(kCorrelate);
  on_one.records_of({"R"}, R"(
    R PROCESS_MESSAGE_SUBSCRIPTION CREATE paid rejection=INVALID_STATE
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid rejection=INVALID_STATE
  )");
  deliver(kRefused);
  deliver_late(close);
  settle();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
  // The message is free for another instance.
  one.instance("order", kVariables);
  settle();
  on_one.all_done();
}

TWO_PARTITIONS(R13_P8_the_refusal_is_lost) {
  deploy(one_catch());
  const Key first = one.instance("order", kVariables);
  one.instance("order", kVariables);
  settle();
  one.cancels(first);
  const auto close = delay(kClose);
  two.publishes("paid", "a", {"", 1h});
  deliver(kCorrelate);
  lose(kRefused);
  mark();
  deliver_late(close);
  on_two.records_of({"E"}, R"(
    E MESSAGE_SUBSCRIPTION DELETED paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
  )");
  settle();
  on_one.all_done();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R14_P10_what_closes_is_lost) {
  deploy(one_catch());
  const Key first = one.instance("order", kVariables);
  settle();
  one.cancels(first);
  lose(kClose);
  // Another message finds the subscription open, is rejected by the instance, and is free again.
  two.publishes("paid", "a", {"", 1h});
  settle();
  EXPECT_EQ(times(world_2, "E MESSAGE_SUBSCRIPTION REJECTED"), 1U);
  pass(5s);
  pass(10s);
  settle();
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
  one.instance("order", kVariables);
  settle();
  on_one.all_done();
}

TWO_PARTITIONS(R13_what_closes_tells_that_the_message_was_taken) {
  deploy(reusable());
  one.instance("order");
  settle();
  two.publishes("asked", "a", {"", 1h});
  deliver(kCorrelate);
  lose(kTaken);
  one.completes_job("courier");
  mark();
  deliver(kClose);
  on_two.records_of({"E"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATED asked
    E MESSAGE_SUBSCRIPTION DELETED asked
  )");
  settle();
  on_one.all_done();
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(R17_P12_a_gateway_takes_one_of_two) {
  deploy(process("order",
                 start() >> event_based_gateway("wait") >>
                     catch_event(message("on_x", "x", "=\"a\"")) >>
                     catch_event(message("then_y", "y", "=\"a\"")) >> end("first"),
                 from("wait") >> catch_event(message("on_y", "y", "=\"a\"")) >> end("second")));
  two.publishes("x", "a", {"", 1h});
  two.publishes("y", "a", {"", 1h});
  one.instance("order");
  settle();
  on_one.all_done();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED then_y"), 1U);
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(P14_what_is_freed_starts_an_instance) {
  const Model model =
      process("order", start() >> catch_event(message("wait", "paid", "=\"a\"")) >> end(),
              start(message("begin", "paid")) >> end("done"));
  deploy(model);
  const Key instance = one.instance("order");
  settle();
  one.cancels(instance);
  const auto close = delay(kClose);
  two.publishes("paid", "a", {"", 1h});
  mark();
  deliver_late(close);
  on_two.records_of({"E MESSAGE"}, R"(
    E MESSAGE_SUBSCRIPTION DELETED paid
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED paid
  )");
  settle();
  on_one.all_done();
  on_two.all_done();
}

TWO_PARTITIONS(R24_P16_an_older_message_that_is_freed_is_no_duplicate) {
  const Model other = process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", message("ask", "asked", "=\"a\""), non_interrupting()) >> end("answered"));
  deploy(other);
  const Key first = one.instance("order");
  one.instance("order");
  settle();
  // The older message goes to the first instance, which is canceled later, and the newer one to the
  // second.
  two.publishes("asked", "a", {"", 1h});
  const auto older = delay(kCorrelate);
  two.publishes("asked", "a", {"", 1h});
  settle();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED ask"), 1U);
  one.cancels(first);
  deliver_late(older);
  settle();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED ask"), 2U);
}

TWO_PARTITIONS(R25_P9_the_refusal_comes_twice) {
  deploy(one_catch());
  const Key first = one.instance("order", kVariables);
  one.instance("order", kVariables);
  settle();
  one.cancels(first);
  lose(kClose);
  two.publishes("paid", "a", {"", 1h});
  deliver(kCorrelate);
  deliver_a_copy(kRefused);
  mark();
  deliver(kRefused);
  on_two.records_of({"R", "E"}, "R MESSAGE_SUBSCRIPTION REJECT paid rejection=NOT_FOUND");
  settle();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED wait"), 1U);
  pass_until_settled();
  on_one.all_done();
  EXPECT_EQ(world_1.state().process_message_subscriptions().count(), 0U);
}

TWO_PARTITIONS(C3_C8_the_sender_hears_over_two_partitions) {
  deploy(one_catch());
  const Key first = one.instance("order", kVariables);
  settle();
  const std::size_t answers = world_2.answers().size();
  record::MessageCorrelationRecord request;
  request.name = "paid";
  request.correlation_key = "a";
  world_2.submit(record::MessageCorrelationIntent::Correlate, Key{}, request);
  EXPECT_EQ(world_2.answers().size(), answers);
  settle();
  ASSERT_EQ(world_2.answers().size(), answers + 1);
  EXPECT_EQ(on_two.answer<record::MessageCorrelationRecord>().process_instance_key, first);

  const Key second = one.instance("order", kVariables);
  settle();
  one.cancels(second);
  const auto close = delay(kClose);
  world_2.submit(record::MessageCorrelationIntent::Correlate, Key{}, request);
  deliver_late(close);
  on_two.rejected(RejectionType::NotFound, "were closed");
  settle();
  no_messages_left();
}

TWO_PARTITIONS(R23_R27_what_is_pending_goes_on_after_a_restart) {
  deploy(one_catch());
  one.instance("order", kVariables);
  settle();
  two.publishes("paid", "a");
  lose(kCorrelate);
  engine::EngineOptions options;
  options.partition = PartitionId{2};
  options.partition_count = 2;
  engine::Engine restarted{options};
  for (const std::string& frame : world_2.frames()) restarted.replay(frame);
  EXPECT_TRUE(restarted.due_sends(world_2.now()).empty());
  const auto sends = restarted.due_sends(world_2.now() + Milliseconds{15'000});
  ASSERT_EQ(sends.size(), 1U);
  deliver_late(sends.front());
  settle();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(FM11_a_crash_before_it_is_opened_is_made_up_for) {
  deploy(one_catch());
  one.instance("order", kVariables);
  lose(kOpen);  // the command was written, but the power failed before it was sent
  world_1.restart();
  pass(5s);
  pass(10s);
  EXPECT_EQ(wire(), Wire{std::string{kOpen}});
  settle();
  two.publishes("paid", "a");
  settle();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(FM13_open_subscriptions_survive_a_restart_of_everything) {
  deploy(one_catch());
  one.instance("order", kVariables);
  settle();
  world_1.restart();
  world_2.restart();
  two.publishes("paid", "a", {"", 1h});
  settle();
  pass_until_settled();
  on_one.all_done();
  EXPECT_EQ(times(world_1, "E ELEMENT COMPLETED wait"), 1U);
  EXPECT_EQ(world_2.state().message_subscriptions().count(), 0U);
}

// One action of a story. If `arrives`, all commands on the wire are delivered before the next
// action.
struct Act {
  std::function<void(Actions& one, Actions& two)> run;
  bool arrives = true;
};

struct Story {
  std::string_view what;
  Model model;
  std::vector<Act> acts;
  std::size_t completed;  // instances that complete by the end
};

// Plays a story and cuts the power of one partition after one of its steps.
class Play : public TwoPartitionsTest {
 public:
  void TestBody() override {}

  // Returns the number of steps.
  std::size_t run(const Story& story, int partition, std::size_t crash) {
    deploy(story.model);
    std::size_t steps = 0;
    const auto step = [&] {
      if (steps++ != crash) return;
      (partition == 1 ? world_1 : world_2).restart();
      while (wire_size() > 0) lose_at(0);
    };
    for (const Act& act : story.acts) {
      act.run(one, two);
      step();
      while (act.arrives && wire_size() > 0) {
        deliver_at(0);
        step();
      }
    }
    pass_until_settled();
    constexpr std::string_view kCompleted = "E ELEMENT COMPLETED order";
    EXPECT_EQ(times(world_1, kCompleted) + times(world_2, kCompleted), story.completed);
    TearDown();
    return steps;
  }
};

TEST(MessageCrashes, Z26_a_crash_anywhere_changes_nothing) {
  const auto creates = [](Actions& one, Actions&) { one.instance("order", kVariables); };
  const auto cancels = [](Actions& one, Actions&) { one.cancels(one.element("order")); };
  const auto publishes = [](Milliseconds ttl) {
    return [ttl](Actions&, Actions& two) { two.publishes("paid", "a", {"", ttl}); };
  };
  const Model started = process("order", start(message("begin", "paid")) >> end());
  const std::vector<Story> stories = {
      {"Z17 subscribe, then publish", one_catch(), {{creates}, {publishes(24h)}}, 1},
      {"Z19 publish, then subscribe", one_catch(), {{publishes(24h)}, {creates}}, 1},
      {"Z20 nobody waits", one_catch(), {{publishes(0ms)}, {creates}}, 0},
      {"Z24 terminated on the way",
       one_catch(),
       {{publishes(24h)}, {creates, false}, {cancels}, {creates}},
       1},
      {"Z25 message start", started, {{publishes(24h)}}, 1},
  };
  for (const Story& story : stories) {
    for (const int partition : {1, 2}) {
      std::size_t steps = 1;
      for (std::size_t crash = 0; crash < steps; ++crash) {
        SCOPED_TRACE(fmt::format("{}, partition {} after step {}", story.what, partition, crash));
        Play play;
        steps = play.run(story, partition, crash);
      }
    }
  }
}

TWO_PARTITIONS(a_message_that_is_refused_after_its_time_goes_to_nobody) {
  deploy(one_catch());
  const Key first = one.instance("order", kVariables);
  const Key second = one.instance("order", kVariables);
  settle();
  one.cancels(first);
  const auto close = delay(kClose);
  const Key message = two.publishes("paid", "a", {"", 10s});
  const auto correlate = delay(kCorrelate);
  pass(10s);
  ASSERT_NE(world_2.state().messages().find(message), nullptr) << "it was not swept yet";
  deliver_late(correlate);
  mark();
  deliver(kRefused);
  on_two.records_of({"E"}, "E MESSAGE_SUBSCRIPTION REJECTED paid");
  deliver_late(close);
  settle();
  EXPECT_NE(world_1.state().element_instances().find(second), nullptr);
}

// Pending commands are collected by kind, deployments before subscriptions, but sent in the order
// of their age.
TWO_PARTITIONS(what_waits_longest_is_sent_again_first) {
  deploy(one_catch());
  one.instance("order", kVariables);
  lose(kOpen);
  pass(5s);  // the scan sees the pending command
  Actions{world_1, true}.process("later", start() >> end());
  lose("DEPLOYMENT CREATE");
  pass(5s);
  EXPECT_EQ(wire(), Wire{});
  pass(30s);
  EXPECT_EQ(wire(), (Wire{std::string{kOpen}, "DEPLOYMENT CREATE"}));
  settle();
}

}  // namespace
}  // namespace beeline::testing
