#include "tests/support/scenario.h"

// Escalations (spec: elements/escalation; scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::EscalationIntent;
using record::EscalationRecord;
using record::RejectionType;

SCENARIO(ES1_an_interrupting_boundary_event_ends_the_subprocess_with_its_throw_event) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> throw_event(escalation("late", "slow")) >>
                                           task("wrap") >> end("wrapped")) >>
                    end("packed"),
                boundary("pack", escalation("hurry", "slow")) >> end("express"));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE late
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATED late
    E PROCESS_EVENT TRIGGERING hurry
    C ELEMENT TERMINATE pack
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    E ELEMENT TERMINATING pack
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE late
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING late
    E ELEMENT TERMINATED late
    E ELEMENT TERMINATED pack
    E PROCESS_EVENT TRIGGERED hurry
    E ELEMENT ACTIVATING hurry
    E ELEMENT ACTIVATED hurry
    C ELEMENT COMPLETE hurry
    ...
    E ELEMENT COMPLETED express
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ES1_a_non_interrupting_boundary_event_lets_the_throw_event_go_on) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> throw_event(escalation("late", "slow")) >>
                                           end("wrapped")) >>
                    end("packed"),
                boundary("pack", escalation("hurry", "slow"), non_interrupting()) >> end("told"));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE late
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATED late
    E PROCESS_EVENT TRIGGERING hurry
    E PROCESS_EVENT TRIGGERED hurry
    E ELEMENT ACTIVATING hurry
    E ELEMENT ACTIVATED hurry
    C ELEMENT COMPLETE hurry
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    C ELEMENT COMPLETE late
    ...
    E ELEMENT COMPLETED order
  )");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED inner
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED wrapped
    E ELEMENT COMPLETED pack
    E ELEMENT COMPLETED packed
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ES1_an_end_event_throws_too_and_completes_unless_it_is_interrupted) {
  given.process("order",
                start() >> subprocess("pack", start("inner") >> end(escalation("late", "slow"))) >>
                    end("packed"),
                boundary("pack", escalation("hurry", "slow"), non_interrupting()) >> end("told"));
  when.instance("order");
  then.records_of({"E ESCALATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED inner
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED pack
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED packed
    E ELEMENT COMPLETED order
  )");
  given.process("claim",
                start() >> subprocess("pack", start("inner") >> end(escalation("late", "slow"))) >>
                    end("packed"),
                boundary("pack", escalation("hurry", "slow")) >> end("told"));
  when.instance("claim");
  then.records_of({"E ESCALATION", "E ELEMENT COMPLETED", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED inner
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    E ELEMENT TERMINATED late
    E ELEMENT TERMINATED pack
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED claim
  )");
  then.all_done();
}

SCENARIO(ES1_an_escalation_that_nothing_catches_is_no_incident) {
  given.process("order", start() >> throw_event(escalation("late", "slow")) >>
                             end(escalation("later", "slower")));
  const Key instance = when.instance("order");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATED late
    E ESCALATION NOT_ESCALATED slow throwElementId="late"
    C ELEMENT COMPLETE late
    E ELEMENT COMPLETING late
    E ELEMENT COMPLETED late
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN late_later
    C ELEMENT ACTIVATE later
    E ELEMENT ACTIVATING later
    E ELEMENT ACTIVATED later
    E ESCALATION NOT_ESCALATED slower throwElementId="later"
    C ELEMENT COMPLETE later
    ...
    E ELEMENT COMPLETED order
  )");
  const EscalationRecord value =
      then.values<EscalationRecord>(EscalationIntent::NotEscalated).front();
  EXPECT_EQ(value.process_instance_key, instance);
  EXPECT_EQ(value.process_definition_key, given.definition("order"));
  EXPECT_EQ(value.bpmn_process_id, "order");
  EXPECT_EQ(then.open_incidents(), 0U);
  then.all_done();
}

SCENARIO(ES1_an_event_subprocess_catches_with_and_without_interrupting) {
  given.process("order",
                start() >> throw_event(escalation("late", "slow")) >> task("wrap") >> end("packed"),
                event_subprocess(
                    "tell", start(escalation("hurry", "slow"), non_interrupting()) >> end("told")));
  when.instance("order");
  then.records(R"(
    ...
    E ELEMENT ACTIVATED late
    E PROCESS_EVENT TRIGGERING hurry
    C ELEMENT ACTIVATE tell
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    C ELEMENT COMPLETE late
    E ELEMENT ACTIVATING tell
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  given.process("claim",
                start() >> throw_event(escalation("late", "slow")) >> task("wrap") >> end("packed"),
                event_subprocess("tell", start(escalation("hurry", "slow")) >> end("told")));
  when.instance("claim");
  then.records(R"(
    ...
    E ELEMENT ACTIVATED late
    E PROCESS_EVENT TRIGGERING hurry
    C PROCESS_INSTANCE_BATCH TERMINATE
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    C ELEMENT TERMINATE late
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING late
    E ELEMENT TERMINATED late
    C ELEMENT ACTIVATE tell
    ...
    E ELEMENT COMPLETED tell
    C ELEMENT COMPLETE claim
    E ELEMENT COMPLETING claim
    E ELEMENT COMPLETED claim
  )");
  then.all_done();
}

SCENARIO(ES1_the_events_that_catch_have_no_payload_and_the_throw_event_maps_outputs) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> throw_event(escalation("late", "=code"),
                                                                     output("=code", "thrown")) >>
                                           end("wrapped")) >>
                    service_task("wait", job("w")) >> end("packed"),
                boundary("pack", escalation("hurry"), non_interrupting()) >> end("told"));
  const Key instance = given.instance("order", R"({"code": "slow"})");
  EXPECT_EQ(then.variable(instance, "thrown"), "\"slow\"");
  EXPECT_EQ(world.state().variables().collect(instance, {}).entries.size(), 2U);
}

SCENARIO(ES1_a_code_that_cannot_be_evaluated_is_an_incident_that_can_be_resolved) {
  given.process("order", start() >> end(escalation("late", "=code")));
  const Key instance = when.instance("order");
  then.records_of({"E INCIDENT", "E ESCALATION"}, R"(
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="late"
  )");
  given.sets_variables(instance, R"({"code": "slow"})");
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E ESCALATION"}, R"(
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E ESCALATION NOT_ESCALATED slow throwElementId="late"
  )");
  then.all_done();
}

SCENARIO(ES2_the_nearest_scope_that_matches_catches) {
  given.process(
      "order",
      start() >>
          subprocess(
              "outer",
              start("o") >>
                  subprocess("middle",
                             start("m") >> subprocess("inner", start("i") >> throw_event(escalation(
                                                                                 "late", "slow")) >>
                                                                   end("i_end")) >>
                                 end("m_end"),
                             boundary("inner", escalation("other", "fast"), non_interrupting()) >>
                                 end("other_end")) >>
                  end("o_end"),
              boundary("middle", escalation("any"), non_interrupting()) >> end("any_end")) >>
          end("done"),
      boundary("outer", escalation("exact", "slow")) >> end("exact_end"));
  when.instance("order");
  then.records_of({"E ESCALATION"}, R"(
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="any"
  )");
  then.all_done();
}

SCENARIO(ES2_the_exact_code_beats_a_catch_all_of_the_same_scope) {
  given.process("order",
                start() >>
                    subprocess("pack", start("s") >> throw_event(escalation("late", "slow")) >>
                                           throw_event(escalation("lost", "gone")) >> end("e")) >>
                    end("done"),
                boundary("pack", escalation("any"), non_interrupting()) >> end("any_end"),
                boundary("pack", escalation("exact", "slow"), non_interrupting()) >> end("x_end"));
  when.instance("order");
  then.records_of({"E ESCALATION"}, R"(
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="exact"
    E ESCALATION ESCALATED gone throwElementId="lost" catchElementId="any"
  )");
  then.all_done();
}

SCENARIO(ES2_an_escalation_goes_through_call_activities) {
  given.process("leaf", start() >> throw_event(escalation("late", "slow")) >>
                            service_task("work", job("w")) >> end());
  given.process("middle", start() >> call_activity("call_leaf", "leaf") >> end());
  given.process("told", start() >> call_activity("call", "middle") >> end("done"),
                boundary("call", escalation("hurry", "slow"), non_interrupting()) >> end("heard"));
  when.instance("told");
  then.records_of({"E ESCALATION", "E ELEMENT COMPLETED heard", "E ELEMENT ACTIVATED work"}, R"(
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    E ELEMENT ACTIVATED work
    E ELEMENT COMPLETED heard
  )");
  when.completes_job("w");
  then.all_done();
  given.process("stopped", start() >> call_activity("call", "middle") >> end("done"),
                boundary("call", escalation("hurry", "slow")) >> end("heard"));
  when.instance("stopped");
  then.records_of({"E ESCALATION", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED heard"}, R"(
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    E ELEMENT TERMINATED late
    E ELEMENT TERMINATED leaf
    E ELEMENT TERMINATED call_leaf
    E ELEMENT TERMINATED middle
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED heard
  )");
  then.all_done();
}

SCENARIO(ES2_each_instance_of_a_multi_instance_subprocess_throws) {
  given.process("order",
                start() >>
                    subprocess("pack", multi_instance({.input_collection = "=[1, 2, 3]"}),
                               start("s") >> throw_event(escalation("late", "slow")) >> end("e")) >>
                    end("done"),
                boundary("pack", escalation("hurry", "slow"), non_interrupting()) >> end("told"));
  when.instance("order");
  then.records_of({"E ESCALATION", "E ELEMENT COMPLETED told"}, R"(
    E ESCALATION ESCALATED slow catchElementId="hurry"
    E ESCALATION ESCALATED slow catchElementId="hurry"
    E ESCALATION ESCALATED slow catchElementId="hurry"
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED told
  )");
  then.all_done();
}

SCENARIO(ES2_an_interrupting_event_stops_the_other_instances_of_a_multi_instance_subprocess) {
  given.process("order",
                start() >>
                    subprocess("pack", multi_instance({.input_collection = "=[1, 2, 3]"}),
                               start("s") >> throw_event(escalation("late", "slow")) >> end("e")) >>
                    end("done"),
                boundary("pack", escalation("hurry", "slow")) >> end("told"));
  when.instance("order");
  then.records_of({"E ESCALATION", "R ELEMENT", "E ELEMENT COMPLETED told"}, R"(
    E ESCALATION ESCALATED slow throwElementId="late" catchElementId="hurry"
    R ELEMENT ACTIVATE late
    R ELEMENT ACTIVATE late
    E ELEMENT COMPLETED told
  )");
  then.all_done();
}

// An escalation and a timer wait on the same host: the first on the log interrupts it.
const Model& raced_escalation() {
  static const Model model = process(
      "order",
      start() >> subprocess("pack", start("s") >> service_task("wait", job("w")) >>
                                        throw_event(escalation("late", "slow")) >> end("e")) >>
          end("done"),
      boundary("pack", escalation("hurry", "slow")) >> end("told"),
      boundary("pack", timer("alarm", 10s)) >> end("rung"));
  return model;
}

SCENARIO_STEP_BY_STEP(ES_race_the_escalation_comes_before_the_timer) {
  given.model("order.bpmn", raced_escalation());
  given.instance("order");
  when.appends([&] {
    given.completes_job("w");
    for (int i = 0; i < 3; ++i) world.step();
    given.time_passes(10s);
  });
  then.records_of({"E ESCALATION", "E TIMER", "R TIMER", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED wait
    E ESCALATION ESCALATED slow catchElementId="hurry"
    ...
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(ES_race_the_timer_comes_before_the_escalation) {
  given.model("order.bpmn", raced_escalation());
  given.instance("order");
  when.appends([&] {
    given.completes_job("w");
    given.time_passes(10s);
  });
  then.records_of({"E ESCALATION", "E TIMER TRIGGERED", "E ELEMENT COMPLETED"}, R"(
    ...
    E TIMER TRIGGERED alarm
    ...
    E ELEMENT COMPLETED alarm
    E ELEMENT COMPLETED rung
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ES3_models_with_mistakes_are_refused) {
  const auto refused = [&](const Model& model, std::string_view reason) {
    when.deploys({{"p.bpmn", model.to_xml()}});
    then.rejected(RejectionType::InvalidArgument, reason);
  };
  refused(process("p", start() >> service_task("t", job("j")) >> end(),
                  boundary("t", escalation("b", "slow")) >> end("e")),
          "- Element: b\n    - ERROR: must be attached to a subprocess or call activity");
  refused(process("p", start() >> throw_event(escalation("t")) >> end()),
          "- Element: t\n    - ERROR: must reference an escalation");
  refused(process("p", start() >> subprocess("s", start("i") >> end("e")) >> end(),
                  boundary("s", escalation("a", "slow")) >> end("x"),
                  boundary("s", escalation("b", "slow")) >> end("y")),
          "- Element: b\n    - ERROR: must have another escalation code than 'slow'");
  refused(process("p", start() >> subprocess("s", start("i") >> end("e")) >> end(),
                  boundary("s", escalation("b", "=code")) >> end("x")),
          "- Element: b\n    - ERROR: ");
}

}  // namespace
}  // namespace beeline::testing
