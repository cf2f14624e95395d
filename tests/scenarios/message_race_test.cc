#include "tests/scenarios/message_models.h"
#include "tests/support/scenario.h"

// Races of messages on one partition, where the order of the log decides (spec: message_protocol 7,
// 9). Races between partitions are in message_partition_test.cc.
namespace beeline::testing {
namespace {

using record::RejectionType;

SCENARIO_STEP_BY_STEP(Z24_P13_a_message_that_was_refused_goes_to_another_instance) {
  given.model("order.bpmn", one_catch());
  const Key first = given.instance("order", R"({"order":"o-1"})");
  const Key second = given.instance("order", R"({"order":"o-1"})");
  when.appends_behind_others([&] {
    given.cancels(first);
    given.publishes("paid", "o-1", {"", 1h});
  });
  then.records_of({"E MESSAGE_SUBSCRIPTION", "R", "E ELEMENT COMPLETED order"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid rejection=INVALID_STATE
    ...
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    ...
    E ELEMENT COMPLETED order
  )");
  EXPECT_EQ(world.state().element_instances().find(second), nullptr);
  then.all_done();
}

SCENARIO_STEP_BY_STEP(P14_R22_or_starts_an_instance) {
  given.process("order", start(message("begin", "paid")) >>
                             catch_event(message("wait", "paid", "=\"o-1\"")) >> end());
  given.publishes("paid", "o-1");
  const Key first = given.element("order");
  when.appends_behind_others([&] {
    given.cancels(first);
    given.publishes("paid", "o-1", {"", 1h});
  });
  then.records_of({"E MESSAGE_START", "E MESSAGE_SUBSCRIPTION CORRELATING"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED paid
  )");
  EXPECT_EQ(world.state().element_instances().find(first), nullptr);
  EXPECT_NE(given.element("order"), first);
}

SCENARIO_STEP_BY_STEP(R16_without_time_to_live_it_is_lost) {
  given.model("order.bpmn", one_catch());
  const Key first = given.instance("order", R"({"order":"o-1"})");
  const Key second = given.instance("order", R"({"order":"o-1"})");
  when.appends_behind_others([&] {
    given.cancels(first);
    given.publishes("paid", "o-1");
  });
  then.records_of({"E MESSAGE_SUBSCRIPTION CORRELATING"},
                  "E MESSAGE_SUBSCRIPTION CORRELATING paid");
  EXPECT_NE(world.state().element_instances().find(second), nullptr);
}

SCENARIO_STEP_BY_STEP(R12_what_was_correlated_counts_though_the_instance_is_cancelled) {
  given.process("order", start() >> catch_event(message("wait", "paid", "=1")) >>
                             service_task("ship", job("courier")) >> end());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.publishes("paid", "1", {"", 1h});
    given.cancels(instance);
  });
  then.records_of({"E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED", "E MESSAGE_SUBSCRIPTION CORRELATED",
                   "E MESSAGE_SUBSCRIPTION DELETED", "E ELEMENT TERMINATED order"},
                  R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    ...
    E ELEMENT TERMINATED order
  )");
  then.all_done();
  EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
}

SCENARIO_STEP_BY_STEP(R17_P12_a_gateway_takes_one_of_two_and_the_other_goes_to_the_next_catch) {
  given.process("order",
                start() >> event_based_gateway("wait") >> catch_event(message("on_a", "a", "=1")) >>
                    catch_event(message("then_b", "b", "=1")) >> end("first"),
                from("wait") >> catch_event(message("on_b", "b", "=1")) >>
                    catch_event(message("then_a", "a", "=1")) >> end("second"));
  given.publishes("a", "1", {"", 1h});
  given.publishes("b", "1", {"", 1h});
  when.instance("order");
  then.records_of({"R", "E MESSAGE_SUBSCRIPTION REJECTED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE b rejection=INVALID_STATE
    ...
    E MESSAGE_SUBSCRIPTION REJECTED b
    ...
    E ELEMENT COMPLETED then_b
    E ELEMENT COMPLETED first
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R18_of_a_timer_and_a_message_at_one_host_the_first_wins) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", timer("late", 1h)) >> end("by_timer"),
                boundary("ship", message("stop", "stopped", "=1")) >> end("by_message"));
  given.instance("order");
  when.appends_behind_others([&] {
    given.time_passes(1h);
    given.publishes("stopped", "1", {"", 1h});
  });
  then.records_of({"E ELEMENT COMPLETED", "R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE"}, R"(
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE stopped
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED by_timer
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
  // The message is not lost: another instance can take it.
  given.process("other", start() >> catch_event(message("wait", "stopped", "=1")) >> end());
  given.instance("other");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(a_task_whose_job_is_done_takes_no_message) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", message("stop", "stopped", "=1")) >> end("by_message"));
  given.instance("order");
  when.appends_behind_others([&] {
    given.completes_job("courier");
    given.publishes("stopped", "1", {"", 1h});
  });
  then.records_of({"E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED ship
    E ELEMENT COMPLETED shipped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world.state().process_message_subscriptions().count(), 0U);
}

SCENARIO_STEP_BY_STEP(a_scope_that_is_about_to_complete_takes_no_message) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end("shipped"),
      event_subprocess(
          "asked", start(message("ask", "asked", "=1"), non_interrupting()) >> end("answered")));
  given.instance("order");
  // In whatever order the commands meet, each message is either taken or kept.
  when.appends([&] {
    given.completes_job("courier");
    for (int i = 0; i < 12; ++i) given.publishes("asked", "1", {"", 1h});
  });
  const auto taken = then.keys<record::ProcessMessageSubscriptionRecord>(
      record::ProcessMessageSubscriptionIntent::Correlated);
  const auto run = std::ranges::count_if(world.records(), [](const record::OwnedRecord& record) {
    return describe(record).starts_with("E ELEMENT COMPLETED asked");
  });
  EXPECT_EQ(static_cast<std::size_t>(run), taken.size());
  then.all_done();
  EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
}

SCENARIO(R15_Z23_the_message_expires_while_it_is_correlated) {
  given.model("order.bpmn", one_catch());
  given.instance("order", R"({"order":"o-1"})");
  when.publishes("paid", "o-1", {R"({"a":1})"});
  then.records_of({"E MESSAGE EXPIRED", "E PROCESS_MESSAGE", "E VARIABLE"}, R"(
    E MESSAGE EXPIRED paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    E VARIABLE CREATED a
  )");
  then.all_done();
}

SCENARIO(what_is_refused_of_subscriptions) {
  record::MessageSubscriptionRecord unknown;
  unknown.element_instance_key = Key{7};
  unknown.process_instance_key = make_key(PartitionId{1}, 7);
  unknown.message_name = "paid";
  record::ProcessMessageSubscriptionRecord unknown_too;
  unknown_too.element_instance_key = Key{7};
  unknown_too.process_instance_key = make_key(PartitionId{1}, 7);
  unknown_too.subscription_partition_id = PartitionId{1};
  unknown_too.message_name = "paid";
  using M = record::MessageSubscriptionIntent;
  using P = record::ProcessMessageSubscriptionIntent;
  const auto m = [&](M intent) { return [&, intent] { given.submits(intent, Key{}, unknown); }; };
  const auto p = [&](P intent) {
    return [&, intent] { given.submits(intent, Key{}, unknown_too); };
  };
  constexpr std::string_view kReason = "no such subscription was found";
  then.refused({{"correlate", m(M::Correlate), RejectionType::NotFound, kReason},
                {"reject", m(M::Reject), RejectionType::NotFound, kReason},
                {"delete", m(M::Delete), RejectionType::NotFound, kReason},
                {"create", p(P::Create), RejectionType::NotFound, kReason},
                {"correlate", p(P::Correlate), RejectionType::NotFound, kReason},
                {"delete", p(P::Delete), RejectionType::NotFound, kReason}});
}

SCENARIO_STEP_BY_STEP(R18_a_message_that_comes_first_wins_over_the_timer) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", timer("late", 1h)) >> end("by_timer"),
                boundary("ship", message("stop", "stopped", "=1")) >> end("by_message"));
  given.instance("order");
  // The correlation is on the log before the timer's command.
  when.appends([&] {
    given.publishes("stopped", "1", {"", 1h});
    given.time_passes(1h);
  });
  then.records_of({"E ELEMENT COMPLETED", "E TIMER", "R TIMER"}, R"(
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER CANCELED late
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED by_message
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(a_job_whose_task_has_taken_a_message_is_refused) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", message("stop", "stopped", "=1")) >> end("by_message"));
  given.instance("order");
  when.appends([&] {
    given.publishes("stopped", "1", {"", 1h});
    given.completes_job("courier");
  });
  then.records_of({"E JOB", "R", "E ELEMENT COMPLETED"}, R"(
    R JOB COMPLETE rejection=NOT_FOUND
    E JOB CANCELED courier
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED by_message
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

// R11 on one partition, in both orders: the element ends before its subscription is opened, or
// between the opening and the correlation.
SCENARIO_STEP_BY_STEP(R11_Z24_termination_goes_before_a_correlation_that_is_under_way) {
  given.model("order.bpmn", one_catch());
  given.publishes("paid", "o-1", {"", 1h});
  for (int steps = 0; steps < 12; ++steps) {
    SCOPED_TRACE(steps);
    world.hold();
    const Key instance = given.instance("order", R"({"order":"o-1"})");
    for (int i = 0; i < steps && world.engine().has_pending(); ++i) world.step();
    const bool is_taken = !world.engine().has_pending();
    if (is_taken) break;
    when.cancels(instance);
    world.release();
    then.all_done();
    EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
    EXPECT_EQ(world.state().process_message_subscriptions().count(), 0U);
  }
  world.release();
  // Each instance that was terminated in time left the message to the next one.
  const auto taken = std::ranges::count_if(world.records(), [](const record::OwnedRecord& record) {
    return describe(record).starts_with("E MESSAGE_SUBSCRIPTION CORRELATED");
  });
  EXPECT_EQ(taken, 1);
}

}  // namespace
}  // namespace beeline::testing
