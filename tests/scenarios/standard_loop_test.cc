#include <fmt/format.h>

#include "tests/support/scenario.h"

// Standard loops (spec: elements/standard_loop; scenarios/execution 13).
namespace beeline::testing {
namespace {

const std::vector<std::string> kRuns = {"E MULTI_INSTANCE", "E INCIDENT CREATED",
                                        "E ELEMENT ACTIVATED work", "E ELEMENT COMPLETED work",
                                        "E ELEMENT COMPLETED order"};

template <typename... Items>
Model looped(StandardLoopOptions options, Items... items) {
  return process("order",
                 start() >> service_task("work", job("work"), standard_loop(options)) >> end(),
                 std::move(items)...);
}

SCENARIO(B14_it_runs_as_long_as_its_condition_is_true) {
  given.model("order.bpmn", looped({.condition = "again"}));
  const Key instance = when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT ACTIVATING work bpmnElementType=MULTI_INSTANCE_BODY
    E MULTI_INSTANCE LOOP_MAXIMUM_EVALUATED loopType=STANDARD
    E ELEMENT ACTIVATED work bpmnElementType=MULTI_INSTANCE_BODY
    C ELEMENT ACTIVATE work bpmnElementType=SERVICE_TASK
    E ELEMENT ACTIVATING work bpmnElementType=SERVICE_TASK
    E VARIABLE CREATED loopCounter value="1"
    E JOB CREATED work
    E ELEMENT ACTIVATED work bpmnElementType=SERVICE_TASK
  )");
  when.completes_job("work", R"({"again":true})");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED work
    E PROCESS_EVENT TRIGGERING
    C ELEMENT COMPLETE work
    E ELEMENT COMPLETING work
    E PROCESS_EVENT TRIGGERED
    E VARIABLE CREATED again
    E ELEMENT COMPLETED work bpmnElementType=SERVICE_TASK
    C ELEMENT ACTIVATE work bpmnElementType=SERVICE_TASK
    E ELEMENT ACTIVATING work
    E VARIABLE CREATED loopCounter value="2"
    E JOB CREATED work
    E ELEMENT ACTIVATED work
  )");
  when.completes_job("work", R"({"again":false})");
  then.records(R"(
    ...
    E ELEMENT COMPLETED work bpmnElementType=SERVICE_TASK
    C ELEMENT COMPLETE work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETING work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETED work bpmnElementType=MULTI_INSTANCE_BODY
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN work_end
    ...
    E ELEMENT COMPLETED order
  )");
  EXPECT_EQ(then.variable(instance, "loopCounter"), "absent");
  then.all_done();
}

SCENARIO(B14_it_runs_at_most_as_often_as_its_maximum) {
  given.model("order.bpmn", looped({.maximum = "2"}));
  when.instance("order");
  then.records_of({"E MULTI_INSTANCE"},
                  "E MULTI_INSTANCE LOOP_MAXIMUM_EVALUATED loopType=STANDARD loopMaximum=2");
  given.completes_job("work");
  when.completes_job("work");
  then.records_of(kRuns, R"(
    E ELEMENT COMPLETED work bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETED work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(B14_a_maximum_is_evaluated_once) {
  given.model("order.bpmn", looped({.maximum = "=most"}));
  given.instance("order", R"({"most":2})");
  given.completes_job("work", R"({"most":100})");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(B14_the_first_of_condition_and_maximum_ends_it) {
  given.model("order.bpmn", looped({.condition = "again", .maximum = "2"}));
  given.instance("order");
  given.completes_job("work", R"({"again":false})");
  then.all_done();
  given.instance("order");
  given.completes_job("work", R"({"again":true})");
  // After the last run the condition, which would fail, is not asked.
  given.completes_job("work", R"({"again":null})");
  then.all_done();
}

SCENARIO(B14_a_condition_that_is_tested_before_may_prevent_every_run) {
  given.model("order.bpmn", looped({.condition = "loopCounter > 0", .test_before = true}));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE work
    E ELEMENT ACTIVATING work bpmnElementType=MULTI_INSTANCE_BODY
    E MULTI_INSTANCE LOOP_MAXIMUM_EVALUATED
    E ELEMENT ACTIVATED work
    C ELEMENT COMPLETE work
    E ELEMENT COMPLETING work
    E ELEMENT COMPLETED work
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(B14_a_condition_that_is_tested_before_counts_the_runs_from_zero) {
  given.model("order.bpmn", looped({.condition = "loopCounter < 2", .test_before = true}));
  given.instance("order");
  given.completes_job("work");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(B14_a_condition_that_is_tested_after_does_not_prevent_the_first_run) {
  given.model("order.bpmn", looped({.condition = "false"}));
  given.instance("order");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(a_maximum_that_is_not_above_zero_prevents_every_run) {
  given.model("order.bpmn",
              looped({.condition = "unknown", .maximum = "=most", .test_before = true}));
  for (const char* most : {R"({"most":0})", R"({"most":-3})"}) {
    SCOPED_TRACE(most);
    when.instance("order", most);
    then.records_of(kRuns, R"(
      E MULTI_INSTANCE LOOP_MAXIMUM_EVALUATED loopMaximum=0
      E ELEMENT ACTIVATED work bpmnElementType=MULTI_INSTANCE_BODY
      E ELEMENT COMPLETED work bpmnElementType=MULTI_INSTANCE_BODY
      E ELEMENT COMPLETED order
    )");
  }
  then.all_done();
}

SCENARIO(a_maximum_that_is_no_whole_number_is_an_incident) {
  given.model("order.bpmn", looped({.maximum = "=most"}));
  for (const char* bad : {R"({})", R"({"most":"2"})", R"({"most":1.5})"}) {
    SCOPED_TRACE(bad);
    const Key instance = when.instance("order", bad);
    then.records_of(kRuns, "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"work\"");
    given.sets_variables(instance, R"({"most":1})");
    when.resolves_incident();
    then.records_of(kRuns, R"(
      E MULTI_INSTANCE LOOP_MAXIMUM_EVALUATED loopMaximum=1
      E ELEMENT ACTIVATED work
      E ELEMENT ACTIVATED work
    )");
    given.completes_job("work");
    then.all_done();
  }
}

SCENARIO(a_condition_that_is_not_boolean_is_an_incident_of_the_run) {
  given.model("order.bpmn", looped({.condition = "again"}));
  const Key instance = given.instance("order");
  when.completes_job("work", R"({"seen":1})");
  then.records(R"(
    C JOB COMPLETE
    ...
    E ELEMENT COMPLETING work bpmnElementType=SERVICE_TASK
    E PROCESS_EVENT TRIGGERED
    E VARIABLE CREATED seen
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="work"
  )");
  given.sets_variables(instance, R"({"again":true})");
  when.resolves_incident();
  then.records_of(kRuns, R"(
    E ELEMENT COMPLETED work bpmnElementType=SERVICE_TASK
    E ELEMENT ACTIVATED work bpmnElementType=SERVICE_TASK
  )");
  given.completes_job("work", R"({"again":"no"})");
  EXPECT_EQ(then.open_incidents(), 1U);
  given.cancels(instance);
  then.all_done();
  EXPECT_EQ(then.open_incidents(), 0U);
}

SCENARIO(a_condition_that_fails_before_the_first_run_is_an_incident_of_the_body) {
  given.model("order.bpmn", looped({.condition = "again", .test_before = true}));
  const Key instance = when.instance("order");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING work bpmnElementType=MULTI_INSTANCE_BODY
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="work"
  )");
  given.sets_variables(instance, R"({"again":false})");
  given.resolves_incident();
  then.all_done();
}

SCENARIO(the_condition_sees_the_results_of_output_mappings) {
  given.process("order", start() >>
                             service_task("work", job("work"), input("=loopCounter * 10", "size"),
                                          output("=size + found", "sum"),
                                          standard_loop({.condition = "sum < 25"})) >>
                             end());
  const Key instance = given.instance("order", R"({"sum":0})");
  given.completes_job("work", R"({"found":1})");
  EXPECT_EQ(then.variable(instance, "sum"), "11");
  EXPECT_EQ(then.variable(instance, "found"), "absent");
  given.completes_job("work", R"({"found":4})");
  EXPECT_EQ(then.variable(instance, "sum"), "24");
  when.completes_job("work", R"({"found":7})");
  then.records_of({"E VARIABLE UPDATED"}, R"(E VARIABLE UPDATED sum value="37")");
  then.all_done();
}

SCENARIO(the_condition_does_not_see_the_variables_of_a_run) {
  given.process("order", start() >> service_task("work", job("work"), input("=1", "mine"),
                                                 standard_loop({.condition = "mine = 1"})) >>
                             end());
  given.instance("order");
  when.completes_job("work");
  then.records_of(kRuns, R"(
    E ELEMENT COMPLETED work bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETED work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(B14_an_interrupting_boundary_timer_ends_the_loop) {
  given.model("order.bpmn",
              looped({.condition = "true"}, boundary("work", timer("late", 1h)) >> end("expired")));
  when.instance("order");
  then.records_of({"E TIMER"}, "E TIMER CREATED late");
  // The timer belongs to the body, so a new run does not start it again.
  given.time_passes(40min);
  when.completes_job("work");
  then.records_of({"E TIMER"}, "");
  when.time_passes(20min);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED late
    E PROCESS_EVENT TRIGGERING
    C ELEMENT TERMINATE work
    E ELEMENT TERMINATING work bpmnElementType=MULTI_INSTANCE_BODY
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE work
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING work bpmnElementType=SERVICE_TASK
    E JOB CANCELED work
    E ELEMENT TERMINATED work bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATED work bpmnElementType=MULTI_INSTANCE_BODY
    E PROCESS_EVENT TRIGGERED
    E ELEMENT ACTIVATING late
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(an_error_of_a_run_is_caught_at_the_body) {
  given.model("order.bpmn", looped({.condition = "true"},
                                   boundary("work", error("broken", "42")) >> end("sorry")));
  given.instance("order");
  given.completes_job("work");
  when.throws_error("work", "42");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED work bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATED work bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETED broken
    E ELEMENT COMPLETED sorry
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(a_loop_is_compensated_once) {
  given.process("order",
                start() >> service_task("work", job("work"), standard_loop({.maximum = "3"})) >>
                    end(compensation("undo")),
                boundary("work", compensation("undone")),
                service_task("handler", job("handler"), for_compensation()),
                association("undone", "handler"));
  given.instance("order");
  given.completes_job("work");
  given.completes_job("work");
  when.completes_job("work");
  then.records_of({"E COMPENSATION_SUBSCRIPTION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED
    E COMPENSATION_SUBSCRIPTION TRIGGERED
    E JOB CREATED handler
  )");
  given.completes_job("handler");
  then.all_done();
}

SCENARIO(a_handler_may_be_a_loop) {
  given.process(
      "order", start() >> service_task("work", job("work")) >> end(compensation("undo")),
      boundary("work", compensation("undone")),
      service_task("handler", job("handler"), for_compensation(), standard_loop({.maximum = "2"})),
      association("undone", "handler"));
  given.instance("order");
  given.completes_job("work");
  given.completes_job("handler");
  given.completes_job("handler");
  then.all_done();
}

SCENARIO(every_kind_of_activity_can_be_a_loop) {
  const auto loop = [] { return standard_loop({.condition = "loopCounter < 2"}); };
  given.process("child", start() >> service_task("inner", job("inner")) >> end());
  const std::vector<std::pair<std::string, Path>> activities = {
      {"script", script_task("each", script("loopCounter * 2", "twice"), loop())},
      {"task", task("each", loop())},
      {"manual", manual_task("each", loop())},
      {"user", user_task("each", loop())},
      {"send", send_task("each", job("send"), loop())},
      {"rule", business_rule_task("each", job("rule"), loop())},
      {"receive", receive_task(message("each", "paid", "=key"), loop())},
      {"call", call_activity("each", "child", loop())},
      {"sub", subprocess("each", start("s") >> service_task("in", job("in")) >> end("e"), loop())}};
  for (const auto& [id, activity] : activities) {
    SCOPED_TRACE(id);
    given.process(id, start() >> activity >> end());
    const std::size_t before = world.records().size();
    const Key instance = given.instance(id, R"({"key":"k"})");
    for (int run = 0; run < 2; ++run) {
      if (id == "user") given.completes_job("io.camunda.zeebe:userTask");
      if (id == "send" || id == "rule") given.completes_job(id);
      if (id == "receive") given.publishes("paid", "k");
      if (id == "call") given.completes_job("inner");
      if (id == "sub") given.completes_job("in");
    }
    EXPECT_EQ(world.state().element_instances().find(instance), nullptr);
    std::size_t runs = 0;
    for (std::size_t i = before; i < world.records().size(); ++i) {
      const std::string line = describe(world.records()[i]);
      if (line.starts_with("E ELEMENT COMPLETED each") &&
          line.find("MULTI_INSTANCE_BODY") == std::string::npos) {
        ++runs;
      }
    }
    EXPECT_EQ(runs, 2U);
  }
  then.all_done();
}

SCENARIO(a_loop_in_a_loop_has_a_counter_of_its_own) {
  given.process(
      "order",
      start() >>
          subprocess("outer",
                     start("s") >> service_task("work", job("work"), input("=loopCounter", "inner"),
                                                standard_loop({.maximum = "2"})) >>
                         service_task("note", job("note"), input("=loopCounter", "run")) >>
                         end("e"),
                     standard_loop({.maximum = "2"})) >>
          end());
  given.instance("order");
  for (const char* run : {"1", "2"}) {
    SCOPED_TRACE(run);
    EXPECT_EQ(then.variable(given.element("work"), "inner"), "1");
    given.completes_job("work");
    EXPECT_EQ(then.variable(given.element("work"), "inner"), "2");
    given.completes_job("work");
    EXPECT_EQ(then.variable(given.element("note"), "run"), run);
    given.completes_job("note");
  }
  then.all_done();
}

SCENARIO(a_body_that_is_canceled_ends_in_every_state) {
  given.model("order.bpmn", looped({.condition = "again", .test_before = true}));
  const Key with_incident = given.instance("order");
  given.cancels(with_incident);
  then.all_done();
  const Key running = given.instance("order", R"({"again":true})");
  given.completes_job("work");
  given.cancels(running);
  then.all_done();
  const Key completing = given.instance("order", R"({"again":true})");
  given.completes_job("work", R"({"again":3})");
  given.cancels(completing);
  then.all_done();
}

SCENARIO_STEP_BY_STEP(B14_the_timer_comes_before_the_completion_of_a_run) {
  given.model("order.bpmn",
              looped({.condition = "true"}, boundary("work", timer("late", 1h)) >> end("expired")));
  given.instance("order");
  when.appends([&] {
    given.time_passes(1h);
    given.completes_job("work");
  });
  then.all_done();
}

SCENARIO(an_instance_does_not_begin_inside_of_a_loop) {
  given.process("order",
                start() >>
                    subprocess("each", start("s") >> service_task("work", job("work")) >> end("e"),
                               standard_loop({.maximum = "2"})) >>
                    end());
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "order";
  creation.start_instructions = {{"work"}};
  when.creates(creation);
  then.rejected(RejectionType::InvalidArgument,
                "the element with id 'work' is inside a standard loop subprocess. The creation of "
                "elements inside a standard loop subprocess is not supported.");
  // An instance may begin at the loop itself, with its first run.
  creation.start_instructions = {{"each"}};
  given.creates(creation);
  given.completes_job("work");
  given.completes_job("work");
  then.all_done();
}

// A loop that never waits fills its batches; between them the commands of others are processed.
SCENARIO_STEP_BY_STEP(an_endless_loop_lets_other_instances_go_on) {
  given.process("endless", start() >> script_task("count", script("loopCounter", "runs"),
                                                  standard_loop({.condition = "true"})) >>
                               end());
  given.process("order", start() >> task("short") >> end());
  world.hold();
  const Key endless = given.instance("endless");
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "order";
  when.creates(creation);
  for (int i = 0; i < 500; ++i) world.step();
  then.records_of({"E ELEMENT COMPLETED order"}, "E ELEMENT COMPLETED order");
  EXPECT_NE(world.state().element_instances().find(endless), nullptr);
  const std::string runs = then.variable(endless, "runs");
  EXPECT_GT(runs.size(), 2U) << runs;  // more than 99
  given.cancels(endless);
  world.release();
  then.all_done();
}

SCENARIO(an_endless_loop_that_never_waits_ends_its_batch_and_is_canceled) {
  given.process("endless", start() >> task("spin", standard_loop({.condition = "true"})) >> end());
  world.hold();
  const std::size_t frames = world.frames().size();
  const Key endless = given.instance("endless");
  world.step();
  EXPECT_EQ(world.frames().size(), frames + 2);
  EXPECT_TRUE(world.engine().has_pending());
  EXPECT_EQ(world.compare_with_replay(), "");
  given.cancels(endless);
  world.release();
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
