#include "tests/scenarios/conditional_models.h"
#include "tests/scenarios/signal_models.h"

// Conditions among the definitions of events that have several (spec: elements/multiple_events,
// conditions).
namespace beeline::testing {
namespace {

using record::ConditionalEvaluationIntent;
using record::ConditionalEvaluationRecord;

void no_event_waits(World& world) {
  Expectations then{world};
  then.no_signals_left();
  expect_no_conditions(world);
}

SCENARIO(B1_a_condition_wins_and_the_signal_is_no_longer_waited_for) {
  given.process("order", start() >> catch_event(multiple(
                                        "wait", {signal("s", "go"), conditional("c", "=x > 5")})) >>
                             end());
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"E CONDITIONAL", "E SIGNAL_SUB", "E PROCESS_EVENT", "E ELEMENT COMPLETED wait"},
                  R"(
    E CONDITIONAL_SUBSCRIPTION TRIGGERED wait eventDefinitionId="wait#2"
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#2"
    E PROCESS_EVENT TRIGGERED wait eventDefinitionId="wait#2"
    E SIGNAL_SUBSCRIPTION DELETED go
    E ELEMENT COMPLETED wait
  )");
  then.all_done();
  no_event_waits(world);
}

SCENARIO(B1_a_signal_wins_and_the_condition_is_no_longer_waited_for) {
  given.process("order", start() >> catch_event(multiple(
                                        "wait", {signal("s", "go"), conditional("c", "=x > 5")})) >>
                             end());
  given.instance("order");
  when.signals("go");
  then.all_done();
  no_event_waits(world);
}

SCENARIO(a_condition_that_holds_already_wins_at_once) {
  given.process("order", start() >> catch_event(multiple(
                                        "wait", {signal("s", "go"), conditional("c", "=x > 5")})) >>
                             end());
  when.instance("order", R"({"x":6})");
  then.all_done();
  no_event_waits(world);
}

SCENARIO(B3_a_parallel_multiple_event_waits_for_a_condition_and_a_signal_in_either_order) {
  given.process("order", start() >> catch_event(parallel_multiple(
                                        "wait", {signal("s", "go"), conditional("c", "=x > 5")})) >>
                             end());
  const Key first = given.instance("order");
  given.sets_variables(first, R"({"x":6})");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  given.signals("go");
  then.all_done();
  const Key second = given.instance("order");
  given.signals("go");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  given.sets_variables(second, R"({"x":6})");
  then.all_done();
  no_event_waits(world);
}

SCENARIO(rounds_of_a_boundary_event_collect_conditions_up_to_the_limit) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end("shipped"),
      boundary("ship", parallel_multiple("both", {signal("s", "go"), conditional("c", "=x > 5")}),
               non_interrupting()) >>
          end("noted"));
  const Key instance = given.instance("order");
  // One trigger belongs to the round at hand, and a hundred wait for further rounds.
  for (int x = 6; x < 112; ++x) {
    given.sets_variables(instance, R"({"x":)" + std::to_string(x) + "}");
  }
  when.sets_variables(instance, R"({"x":500})");
  then.records_of({"R"}, R"(
    R CONDITIONAL_SUBSCRIPTION TRIGGER both rejection=INVALID_STATE
  )");
  for (int round = 0; round < 101; ++round) given.signals("go");
  given.completes_job("ship");
  then.all_done();
  no_event_waits(world);
}

SCENARIO(B5_a_start_event_with_a_condition_and_a_signal_is_started_by_either) {
  given.process("order",
                start(multiple("begin", {signal("s", "go"), conditional("c", "=x > 5")})) >>
                    service_task("ship", job("ship")) >> end());
  ConditionalEvaluationRecord evaluation;
  evaluation.variables.entries = {{"x", "6"}};
  when.submits(ConditionalEvaluationIntent::Evaluate, Key{}, evaluation);
  EXPECT_EQ(then.answer<ConditionalEvaluationRecord>().started_process_instances.size(), 1U);
  given.signals("go");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 2);
  // A new version takes the place of both definitions.
  given.process("order", start() >> end());
  when.submits(ConditionalEvaluationIntent::Evaluate, Key{}, evaluation);
  EXPECT_TRUE(then.answer<ConditionalEvaluationRecord>().started_process_instances.empty());
  no_event_waits(world);
  given.completes_job("ship");
  given.completes_job("ship");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
