#include "tests/scenarios/conditional_models.h"

// Conditions that are expensive or many (spec: conditions 3).
namespace beeline::testing {
namespace {

using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;

// Returns a condition that reads x and takes about this percentage of the budget of a command.
std::string expensive(int percent) {
  constexpr std::int64_t kStepsOfTurn = 2;
  return fmt::format("=x > 5 and (every i in 1..{} satisfies true)",
                     feel::Budget::kSteps / 100 * percent / kStepsOfTurn);
}

SCENARIO(conditions_that_are_too_expensive_for_a_change_are_decided_by_commands_of_their_own) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                boundary("ship", conditional("a", expensive(20)), non_interrupting()) >> end("ea"),
                boundary("ship", conditional("b", expensive(21)), non_interrupting()) >> end("eb"),
                boundary("ship", conditional("c", expensive(101)), non_interrupting()) >> end("ec"),
                boundary("ship", conditional("d", "=x > 5"), non_interrupting()) >> end("ed"));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL", "E INCIDENT", "R"}, R"(
    C CONDITIONAL_SUBSCRIPTION EVALUATE a
    C CONDITIONAL_SUBSCRIPTION TRIGGER a
    C CONDITIONAL_SUBSCRIPTION EVALUATE b
    E CONDITIONAL_SUBSCRIPTION TRIGGERED a
    C CONDITIONAL_SUBSCRIPTION TRIGGER b
    C CONDITIONAL_SUBSCRIPTION EVALUATE c
    E CONDITIONAL_SUBSCRIPTION TRIGGERED b
    C CONDITIONAL_SUBSCRIPTION EVALUATE d
    C CONDITIONAL_SUBSCRIPTION TRIGGER d
    E CONDITIONAL_SUBSCRIPTION TRIGGERED d
  )");
}

SCENARIO(expensive_conditions_leave_time_for_the_mappings_of_a_command) {
  given.process("order",
                start() >> parallel_gateway("fork") >>
                    service_task("ship", job("ship"), output(expensive(80), "y")) >> end("shipped"),
                from("fork") >> service_task("bill", job("bill")) >> end("billed"),
                boundary("bill", conditional("a", expensive(30))) >> end("ea"));
  given.instance("order", R"({"x":1})");
  given.sets_variables(given.element("ship"), R"({"x":6})", true);
  when.completes_job("ship", R"({"x":7})");
  EXPECT_EQ(then.open_incidents(), 0U);
}

SCENARIO(an_outer_event_that_is_decided_late_still_keeps_inner_ones_from_firing) {
  given.process(
      "order",
      start() >>
          subprocess("sub", start("s") >> service_task("ship", job("ship")) >> end("shipped"),
                     boundary("ship", conditional("inner", "=x > 4")) >> end("inside")) >>
          end(),
      boundary("sub", conditional("outer", expensive(20))) >> end("outside"));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL"}, R"(
    C CONDITIONAL_SUBSCRIPTION EVALUATE outer
    C CONDITIONAL_SUBSCRIPTION TRIGGER outer
    E CONDITIONAL_SUBSCRIPTION TRIGGERED outer
    E CONDITIONAL_SUBSCRIPTION DELETED inner
  )");
  then.all_done();
}

SCENARIO(a_catch_event_with_an_expensive_condition_is_decided_when_it_waits) {
  given.process("order", start() >> catch_event(conditional("wait", expensive(20))) >> end());
  when.instance("order", R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL"}, R"(
    E CONDITIONAL_SUBSCRIPTION CREATED wait
    C CONDITIONAL_SUBSCRIPTION EVALUATE wait
    C CONDITIONAL_SUBSCRIPTION TRIGGER wait
    E CONDITIONAL_SUBSCRIPTION TRIGGERED wait
  )");
  then.all_done();
}

SCENARIO(a_condition_that_is_decided_late_and_does_not_hold_leaves_no_record) {
  given.process("order", start() >> catch_event(conditional("wait", expensive(101))) >> end());
  when.instance("order", R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL"}, R"(
    E CONDITIONAL_SUBSCRIPTION CREATED wait
    C CONDITIONAL_SUBSCRIPTION EVALUATE wait
  )");
  EXPECT_FALSE(world.engine().has_pending());
}

SCENARIO(an_instance_whose_condition_spins_takes_turns_and_can_be_canceled) {
  given.process(
      "spin", start() >> service_task("ship", job("ship")) >> end(),
      event_subprocess("esp", start(conditional("again", "=x >= 0"), non_interrupting()) >>
                                  script_task("count", script("x + 1", "x")) >> end("counted")));
  given.process("other", start() >> task("t") >> end());
  world.hold();
  const Key instance = given.instance("spin", R"({"x":0})");
  for (int batch = 0; batch < 5; ++batch) world.step();
  EXPECT_TRUE(world.engine().has_pending()) << "it spins";
  EXPECT_GT(std::stoi(then.variable(instance, "x")), 10);
  const std::size_t frames = world.frames().size();
  given.instance("other");
  for (int batch = 0; batch < 10; ++batch) world.step();
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1) << "the other has ended";
  given.cancels(instance);
  for (int batch = 0; batch < 100 && world.engine().has_pending(); ++batch) world.step();
  then.all_done();
  expect_no_conditions(world);
  EXPECT_LT(world.frames().size(), frames + 120);
}

class SmallStepTest : public ScenarioTest {
 protected:
  SmallStepTest() : ScenarioTest(options()) {}

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.batch_bytes_max = 512;
    return options;
  }
};

TEST_F(SmallStepTest, more_events_than_fit_a_step_fire_in_several) {
  std::vector<Item> items;
  items.emplace_back(start() >> service_task("ship", job("ship")) >> end("shipped"));
  for (int n = 0; n < 30; ++n) {
    items.emplace_back(
        boundary("ship", conditional(fmt::format("note{}", n), "=x > 5"), non_interrupting()) >>
        end(fmt::format("noted{}", n)));
  }
  given.model("order.bpmn", Model({Node{"bpmn:process", "order", std::move(items)}}));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  EXPECT_EQ(
      then.keys<ConditionalSubscriptionRecord>(ConditionalSubscriptionIntent::Triggered).size(),
      30U);
  int steps = 0;
  for (std::size_t i = world.mark(); i < world.records().size(); ++i) {
    const record::Metadata& metadata = world.records()[i].metadata;
    if (record::text_name(metadata) == "CONDITIONAL_SUBSCRIPTION EVALUATE") ++steps;
  }
  EXPECT_GT(steps, 2);
  given.completes_job("ship");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(subscriptions_survive_a_restart) {
  given.model("order.bpmn", conditional_boundary());
  const Key instance = given.instance("order");
  world.restart();
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"E CONDITIONAL"}, "E CONDITIONAL_SUBSCRIPTION TRIGGERED stop");
  then.all_done();
  world.restart();
  expect_no_conditions(world);
}

}  // namespace
}  // namespace beeline::testing
