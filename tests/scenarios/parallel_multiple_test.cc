#include "base/partition_hash.h"
#include "tests/scenarios/message_models.h"
#include "tests/scenarios/signal_models.h"
#include "tests/support/two_partitions.h"

// Events that wait for all of several things (spec: elements/multiple_events 3; B2, B3).
namespace beeline::testing {
namespace {

// A catch event that waits for two signals and a message.
Model all_of_three() {
  return process("order", start() >> catch_event(parallel_multiple(
                                         "wait", {signal("s", "go"), message("m", "paid", "=order"),
                                                  signal("t", "stop")})) >>
                              service_task("use", job("use")) >> end());
}

// A task with an event that does not interrupt and waits for two signals.
Model rounds() {
  return process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", parallel_multiple("both", {signal("s", "go"), signal("t", "stop")}),
               non_interrupting()) >>
          service_task("use", job("use")) >> end("done"));
}

void nothing_waits(World& world) {
  Expectations then{world};
  then.all_done();
  then.no_messages_left();
  then.no_signals_left();
  EXPECT_EQ(world.state().timers().next_due(), std::nullopt);
}

std::size_t collected_by(const World& world, Key host) {
  const engine::TriggersRow* row = world.state().find_triggers(host);
  return row == nullptr ? 0 : row->collected.size();
}

SCENARIO(B3_each_trigger_is_collected_and_the_last_one_fires_the_event) {
  given.model("order.bpmn", all_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  when.broadcasts("stop", R"({"a":1,"b":1,"c":1})");
  then.records(R"(
    C SIGNAL BROADCAST stop
    E SIGNAL BROADCASTED stop
    E PROCESS_EVENT COLLECTED wait eventDefinitionId="wait#3"
    E SIGNAL_SUBSCRIPTION DELETED stop
  )");
  when.broadcasts("stop");
  then.delivered(0);
  when.publishes("paid", "1", {.variables = R"({"b":2,"c":2})"});
  then.records_of({"E PROCESS_EVENT", "E PROCESS_MESSAGE", "E MESSAGE_SUB"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    E PROCESS_EVENT COLLECTED wait eventDefinitionId="wait#2"
    E MESSAGE_SUBSCRIPTION CORRELATED paid
  )");
  when.broadcasts("go", R"({"c":3})");
  then.records_of({"E PROCESS_EVENT", "E SIGNAL_SUB", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#1"
    E PROCESS_EVENT TRIGGERED wait eventDefinitionId="wait#1"
    E SIGNAL_SUBSCRIPTION DELETED go
    E ELEMENT COMPLETED wait
  )");
  EXPECT_EQ(then.variable(instance, "a"), "1");
  EXPECT_EQ(then.variable(instance, "b"), "2");
  EXPECT_EQ(then.variable(instance, "c"), "3");
  given.completes_job("use");
  nothing_waits(world);
}

SCENARIO(a_timer_is_one_of_the_things_that_are_waited_for) {
  given.process("order", start() >> catch_event(parallel_multiple(
                                        "wait", {signal("s", "go"), timer("t", 1h)})) >>
                             end());
  given.instance("order");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED wait
    E PROCESS_EVENT COLLECTED wait eventDefinitionId="wait#2"
  )");
  when.broadcasts("go");
  then.delivered(1);
  nothing_waits(world);
}

SCENARIO(B3_a_restart_between_the_triggers_keeps_the_first) {
  given.model("order.bpmn", all_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  given.broadcasts("go", R"({"a":1})");
  world.restart();
  given.publishes("paid", "1", {.variables = R"({"b":2})"});
  world.restart();
  when.broadcasts("stop");
  EXPECT_EQ(then.variable(instance, "a"), "1");
  EXPECT_EQ(then.variable(instance, "b"), "2");
  given.completes_job("use");
  nothing_waits(world);
}

SCENARIO(cancellation_while_collecting_forgets_everything) {
  given.model("order.bpmn", all_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  given.broadcasts("go");
  const Key wait = given.element("wait");
  EXPECT_EQ(collected_by(world, wait), 1U);
  when.cancels(instance);
  EXPECT_EQ(world.state().find_triggers(wait), nullptr);
  nothing_waits(world);
}

SCENARIO(an_interrupting_boundary_event_fires_with_its_last_definition) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", parallel_multiple("stop", {signal("s", "go"), message("m", "paid", "=order"),
                                                  timer("t", 1h)})) >>
          end("stopped"));
  given.instance("order", R"({"order":"1"})");
  given.publishes("paid", "1");
  given.broadcasts("go");
  when.time_passes(1h);
  then.records_of({"E PROCESS_EVENT", "E JOB", "E TIMER"}, R"(
    E TIMER TRIGGERED stop
    E PROCESS_EVENT TRIGGERING stop eventDefinitionId="stop#3"
    E JOB CANCELED ship
    E PROCESS_EVENT TRIGGERED stop eventDefinitionId="stop#3"
  )");
  nothing_waits(world);
}

SCENARIO(a_host_that_completes_while_its_event_collects_leaves_nothing_open) {
  given.model("order.bpmn", rounds());
  given.instance("order");
  given.broadcasts("go");
  const Key ship = given.element("ship");
  EXPECT_EQ(collected_by(world, ship), 1U);
  when.completes_job("ship");
  EXPECT_EQ(world.state().find_triggers(ship), nullptr);
  nothing_waits(world);
}

SCENARIO(another_event_that_interrupts_forgets_what_was_collected) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      event_subprocess(
          "first",
          start(parallel_multiple("both", {signal("s", "go"), signal("t", "stop")})) >> end("a")),
      event_subprocess("second",
                       start(signal("now", "now")) >> service_task("use", job("use")) >> end("b")));
  const Key instance = given.instance("order");
  given.broadcasts("go");
  EXPECT_EQ(collected_by(world, instance), 1U);
  when.broadcasts("now");
  EXPECT_EQ(collected_by(world, instance), 0U);
  when.broadcasts("stop");
  then.delivered(0);
  given.completes_job("use");
  nothing_waits(world);
}

SCENARIO(an_event_subprocess_of_a_scope_does_not_forget_what_its_boundary_event_collected) {
  given.process(
      "order",
      start() >>
          subprocess("sub", start("s") >> service_task("ship", job("ship")) >> end("e"),
                     event_subprocess("second", start(signal("now", "now")) >>
                                                    service_task("use", job("use")) >> end("b"))) >>
          end(),
      boundary("sub", parallel_multiple("both", {signal("a", "go"), signal("b", "stop")})) >>
          end("out"));
  given.instance("order");
  given.broadcasts("go");
  given.broadcasts("now");
  when.broadcasts("stop");
  then.delivered(1);
  then.records_of({"E PROCESS_EVENT TRIGGERED", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERED both eventDefinitionId="both#2"
    E ELEMENT COMPLETED both
    E ELEMENT COMPLETED out
    E ELEMENT COMPLETED order
  )");
  nothing_waits(world);
}

SCENARIO(an_event_that_does_not_interrupt_goes_on_in_rounds) {
  given.model("order.bpmn", rounds());
  given.instance("order");
  when.broadcasts("go", R"({"n":1})");
  when.broadcasts("go", R"({"n":2})");
  then.records_of({"E PROCESS_EVENT", "E SIGNAL_SUB"}, R"(
    E PROCESS_EVENT COLLECTED both eventDefinitionId="both#1"
  )");
  const Key ship = given.element("ship");
  EXPECT_EQ(collected_by(world, ship), 2U);
  when.broadcasts("stop");
  then.records_of({"E PROCESS_EVENT", "E VARIABLE", "E SIGNAL_SUB"}, R"(
    E PROCESS_EVENT TRIGGERING both eventDefinitionId="both#2"
    E PROCESS_EVENT TRIGGERED both eventDefinitionId="both#2"
    E VARIABLE CREATED n value="1"
    E VARIABLE CREATED n value="1"
  )");
  EXPECT_EQ(collected_by(world, ship), 1U);
  when.broadcasts("stop");
  then.records_of({"E VARIABLE"}, R"(
    E VARIABLE CREATED n value="2"
    E VARIABLE UPDATED n value="2"
  )");
  EXPECT_EQ(world.state().find_triggers(ship), nullptr);
  when.broadcasts("stop");
  EXPECT_EQ(collected_by(world, ship), 1U);
  when.broadcasts("go");
  EXPECT_EQ(times(world, "E JOB CREATED use"), 3U);
  for (int i = 0; i < 3; ++i) given.completes_job("use");
  given.completes_job("ship");
  nothing_waits(world);
}

SCENARIO(a_cycle_counts_for_one_round_after_the_other) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", parallel_multiple("both", {signal("s", "go"), timer_cycle("t", "R3/PT1M")}),
               non_interrupting()) >>
          end("done"));
  given.instance("order");
  for (int i = 0; i < 3; ++i) given.time_passes(1min);
  EXPECT_EQ(times(world, "E PROCESS_EVENT COLLECTED both"), 3U);
  for (int i = 0; i < 4; ++i) given.broadcasts("go");
  EXPECT_EQ(times(world, "E ELEMENT COMPLETED both"), 3U);
  given.completes_job("ship");
  nothing_waits(world);
}

SCENARIO(a_hundred_further_triggers_are_kept_and_the_next_one_is_refused) {
  given.model("order.bpmn", rounds());
  given.instance("order");
  for (int i = 0; i < 101; ++i) {
    when.broadcasts("go");
    then.delivered(1);
  }
  when.broadcasts("go");
  then.delivered(0);
  when.broadcasts("stop");
  then.delivered(1);
  when.broadcasts("go");
  then.delivered(1);
  when.broadcasts("go");
  then.delivered(0);
  EXPECT_EQ(collected_by(world, given.element("ship")), 101U);
  given.completes_job("ship");
  given.completes_job("use");
  nothing_waits(world);
}

SCENARIO(a_definition_that_others_wait_for_always_finds_room) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship",
                         parallel_multiple(
                             "all", {signal("s", "go"), signal("t", "stop"), signal("u", "run")}),
                         non_interrupting()) >>
                    end("done"));
  given.instance("order");
  for (int i = 0; i < 102; ++i) given.broadcasts("go");
  when.broadcasts("stop");
  then.delivered(1);
  when.broadcasts("run");
  then.delivered(1);
  EXPECT_EQ(times(world, "E ELEMENT COMPLETED done"), 1U);
  given.completes_job("ship");
  nothing_waits(world);
}

SCENARIO(a_message_that_found_no_room_is_taken_after_the_next_round) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship",
               parallel_multiple("both", {message("m", "paid", "=order"), signal("s", "go")}),
               non_interrupting()) >>
          end("done"));
  given.instance("order", R"({"order":"1"})");
  for (int i = 0; i < 101; ++i) given.publishes("paid", "1");
  when.publishes("paid", "1");
  then.records_of({"R", "E PROCESS_EVENT"}, R"(
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE rejection=INVALID_STATE
  )");
  const Key ship = given.element("ship");
  when.broadcasts("go");
  then.records_of({"R", "E PROCESS_EVENT", "E PROCESS_MESSAGE", "E MESSAGE_SUB"}, R"(
    E PROCESS_EVENT TRIGGERING both eventDefinitionId="both#2"
    E PROCESS_EVENT TRIGGERED both
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    E PROCESS_EVENT COLLECTED both eventDefinitionId="both#1"
    E MESSAGE_SUBSCRIPTION CORRELATED paid
  )");
  EXPECT_EQ(collected_by(world, ship), 101U);
  given.publishes("paid", "1", {.time_to_live = 1h});
  when.completes_job("ship");
  then.all_done();
  then.no_signals_left();
  EXPECT_EQ(world.state().message_subscriptions().count(), 0U);
  EXPECT_EQ(world.state().process_message_subscriptions().count(), 0U);
}

SCENARIO(a_timer_that_finds_no_room_waits) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", parallel_multiple("both", {timer_cycle("t", "R/PT1M"), signal("s", "go")}),
               non_interrupting()) >>
          end("done"));
  given.instance("order");
  for (int i = 0; i < 101; ++i) given.time_passes(1min);
  when.time_passes(1min);
  then.records_of({"R", "E TIMER"}, R"(
    R TIMER TRIGGER rejection=INVALID_STATE
  )");
  given.broadcasts("go");
  when.time_passes(20s);
  EXPECT_EQ(times(world, "E TIMER TRIGGERED both"), 102U);
  given.completes_job("ship");
  nothing_waits(world);
}

SCENARIO(payloads_beyond_the_limit_of_an_instance_are_not_kept) {
  given.model("order.bpmn", rounds());
  given.instance("order");
  const std::string large = R"({"text":")" + std::string(3'000'000, 'x') + R"("})";
  int taken = 0;
  for (int i = 0; i < 14; ++i) {
    when.broadcasts("go", large);
    taken += static_cast<int>(then.answer<record::SignalRecord>().delivered_count);
  }
  EXPECT_EQ(taken, 11) << "33,554,432 bytes at most";
  given.completes_job("ship");
  nothing_waits(world);
}

SCENARIO_STEP_BY_STEP(B2_the_last_trigger_before_the_cancellation_wins) {
  given.model("order.bpmn", all_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  given.broadcasts("stop");
  given.publishes("paid", "1");
  when.appends_behind_others([&] {
    given.broadcasts("go");
    given.cancels(instance);
  });
  then.records_of({"E PROCESS_EVENT", "E ELEMENT COMPLETED wait"}, R"(
    E PROCESS_EVENT TRIGGERING wait
    E PROCESS_EVENT TRIGGERED wait
    E ELEMENT COMPLETED wait
  )");
  nothing_waits(world);
}

SCENARIO_STEP_BY_STEP(B2_the_cancellation_before_the_last_trigger_wins) {
  given.model("order.bpmn", all_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  given.broadcasts("stop");
  given.publishes("paid", "1");
  when.appends([&] {
    given.submits(record::ProcessInstanceIntent::TerminateElement, instance,
                  record::ProcessInstanceRecord{});
    given.broadcasts("go");
  });
  then.records_of({"E PROCESS_EVENT", "E ELEMENT TERMINATED wait"}, R"(
    E ELEMENT TERMINATED wait
  )");
  nothing_waits(world);
}

// ----- two partitions -----

// The instance is on partition 1; "b" and "a" are keys of messages on different partitions.
Model two_messages(bool parallel) {
  const std::vector<Event> events = {message("m", "paid", "=near"), message("n", "sent", "=far")};
  return process("order", start() >> catch_event(parallel ? parallel_multiple("wait", events)
                                                          : multiple("wait", events)) >>
                              service_task("use", job("use")) >> end());
}

// Returns a key whose messages belong to this partition.
std::string key_on(std::int32_t partition) {
  for (int i = 0;; ++i) {
    const std::string key = std::to_string(i);
    if (partition_of_correlation_key(key, 2) == PartitionId{partition}) return key;
  }
}

std::string both_keys() {
  return R"({"near":")" + key_on(1) + R"(","far":")" + key_on(2) + R"("})";
}

TWO_PARTITIONS(B3_two_messages_on_two_partitions_near_first) {
  deploy(two_messages(true));
  const Key instance = one.instance("order", both_keys());
  settle();
  one.publishes("paid", key_on(1), {.variables = R"({"a":1,"b":1})"});
  settle();
  world_1.restart();
  two.publishes("sent", key_on(2), {.variables = R"({"b":2})"});
  settle();
  EXPECT_EQ(on_one.variable(instance, "a"), "1");
  EXPECT_EQ(on_one.variable(instance, "b"), "2");
  one.completes_job("use");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(B3_two_messages_on_two_partitions_far_first) {
  deploy(two_messages(true));
  const Key instance = one.instance("order", both_keys());
  settle();
  two.publishes("sent", key_on(2), {.variables = R"({"b":2})"});
  settle();
  world_1.restart();
  world_2.restart();
  one.publishes("paid", key_on(1), {.variables = R"({"a":1,"b":1})"});
  settle();
  EXPECT_EQ(on_one.variable(instance, "b"), "1");
  one.completes_job("use");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(a_collected_message_is_not_collected_again) {
  deploy(two_messages(true));
  one.instance("order", both_keys());
  settle();
  two.publishes("sent", key_on(2));
  deliver_a_copy(kCorrelate);
  settle();
  EXPECT_EQ(times(world_1, "E PROCESS_EVENT COLLECTED wait"), 1U);
  one.publishes("paid", key_on(1));
  settle();
  one.completes_job("use");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(an_acknowledgement_of_a_collected_message_that_is_lost_is_sent_again) {
  deploy(two_messages(true));
  one.instance("order", both_keys());
  settle();
  two.publishes("sent", key_on(2));
  deliver(kCorrelate);
  lose(kTaken);
  one.publishes("paid", key_on(1));
  pass_until_settled();
  one.completes_job("use");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(B2_a_message_from_elsewhere_comes_too_late) {
  deploy(two_messages(false));
  one.instance("order", both_keys());
  settle();
  two.publishes("sent", key_on(2));
  one.publishes("paid", key_on(1));
  settle();
  EXPECT_EQ(times(world_1, "E PROCESS_EVENT TRIGGERING wait"), 1U);
  one.completes_job("use");
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(B2_a_cancellation_while_a_message_is_on_its_way_leaves_nothing_open) {
  deploy(two_messages(true));
  const Key instance = one.instance("order", both_keys());
  settle();
  one.publishes("paid", key_on(1));
  two.publishes("sent", key_on(2));
  one.cancels(instance);
  settle();
  EXPECT_EQ(times(world_1, "E PROCESS_EVENT TRIGGERING wait"), 0U);
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(B2_a_message_before_the_cancellation_leaves_nothing_open) {
  deploy(two_messages(true));
  const Key instance = one.instance("order", both_keys());
  settle();
  two.publishes("sent", key_on(2));
  deliver(kCorrelate);
  one.cancels(instance);
  settle();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(a_cancellation_before_the_far_side_is_open_leaves_nothing_open) {
  deploy(two_messages(true));
  const Key instance = one.instance("order", both_keys());
  const auto open = delay(kOpen);
  one.publishes("paid", key_on(1));
  one.cancels(instance);
  settle();
  deliver_late(open);
  pass_until_settled();
  on_one.all_done();
  no_messages_left();
}

TWO_PARTITIONS(a_message_from_elsewhere_that_found_no_room_is_sent_again) {
  deploy(process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", parallel_multiple("both", {message("m", "sent", "=far"), signal("s", "go")}),
               non_interrupting()) >>
          end("done")));
  one.instance("order", both_keys());
  settle();
  for (int i = 0; i < 102; ++i) {
    two.publishes("sent", key_on(2));
    settle();
  }
  EXPECT_EQ(times(world_1, "E PROCESS_EVENT COLLECTED both"), 101U);
  one.broadcasts("go");
  settle();
  pass_until_settled();
  EXPECT_EQ(times(world_1, "E PROCESS_EVENT COLLECTED both"), 102U);
  one.completes_job("ship");
  pass_until_settled();
  on_one.all_done();
  no_messages_left();
}

}  // namespace
}  // namespace beeline::testing
