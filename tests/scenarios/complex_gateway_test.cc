#include "tests/scenarios/rejections.h"
#include "tests/support/scenario.h"

// Complex gateways (spec: elements/gateways 5; scenarios/execution 13).
namespace beeline::testing {
namespace {

using record::ProcessInstanceIntent;

// Three jobs beside each other lead to the gateway, which has one path behind it.
Model three_branches(const std::string& condition_text, const char* behind = "paid") {
  Path gateway = condition_text.empty()
                     ? complex_gateway("join")
                     : complex_gateway("join", activation_condition(condition_text));
  return process("order",
                 start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                     std::move(gateway) >> service_task(behind, job(behind)) >> end(),
                 from("fork") >> service_task("b", job("b")) >> to("join"),
                 from("fork") >> service_task("c", job("c")) >> to("join"));
}

// The third branch may end before the gateway; the gateway is in a loop.
Model three_in_a_loop() {
  return process("order",
                 start() >> exclusive_gateway("again") >> parallel_gateway("fork") >>
                     service_task("a", job("a")) >>
                     complex_gateway("join", activation_condition("activationCount >= 2")) >>
                     service_task("work", job("work")) >> exclusive_gateway("done") >>
                     default_flow() >> end(),
                 from("fork") >> service_task("b", job("b")) >> to("join"),
                 from("fork") >> service_task("c", job("c")) >> exclusive_gateway("way") >>
                     default_flow() >> to("join"),
                 from("way") >> condition("lost = true") >> end("lost_end"),
                 from("done") >> condition("more = true") >> to("again"));
}

const std::vector<std::string> kFlows = {"E ELEMENT ACTIVATED join", "E ELEMENT COMPLETED join",
                                         "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED",
                                         "E COMPLEX_GATEWAY", "E ELEMENT COMPLETED order"};

SCENARIO(B12_it_fires_at_the_second_of_three_tokens_and_swallows_the_third) {
  given.model("order.bpmn", three_branches("activationCount >= 2"));
  given.instance("order");
  when.completes_job("a");
  then.records(R"(
    ...
    E ELEMENT COMPLETED a
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN a_join
    C ELEMENT ACTIVATE join
    R ELEMENT ACTIVATE join rejection=INVALID_STATE
  )");
  EXPECT_EQ(last_rejection(world),
            "Expected to activate element 'join', but its activation condition is not "
            "fulfilled");
  when.completes_job("c");
  then.records(R"(
    ...
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN c_join
    C ELEMENT ACTIVATE join
    E ELEMENT ACTIVATING join bpmnElementType=INCLUSIVE_GATEWAY
    E ELEMENT ACTIVATED join
    E ELEMENT COMPLETING join
    E ELEMENT COMPLETED join
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_paid
    C ELEMENT ACTIVATE paid
    ...
    E ELEMENT ACTIVATED paid
  )");
  when.completes_job("b");
  then.records(R"(
    ...
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN b_join
    C ELEMENT ACTIVATE join
    E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED b_join
  )");
  given.completes_job("paid");
  then.all_done();
}

SCENARIO(B12_the_scope_completes_when_the_last_token_is_swallowed) {
  given.model("order.bpmn", three_branches("activationCount >= 1"));
  given.instance("order");
  given.completes_job("b");
  given.completes_job("paid");
  given.completes_job("a");
  when.completes_job("c");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE join
    E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED c_join
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(B12_it_fires_again_in_the_next_round_of_a_loop) {
  given.model("order.bpmn", three_in_a_loop());
  given.instance("order");
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    given.completes_job("b");
    when.completes_job("a");
    then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
    when.completes_job("c");
    then.records_of(kFlows, "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED way_join");
    given.completes_job("work", round < 2 ? R"({"more":true})" : R"({"more":false})");
  }
  then.all_done();
}

SCENARIO(B12_tokens_of_the_next_round_wait_until_the_third_was_swallowed) {
  given.model("order.bpmn", three_in_a_loop());
  given.instance("order");
  given.completes_job("a");
  given.completes_job("b");
  given.completes_job("work", R"({"more":true})");
  when.completes_job("b");
  EXPECT_EQ(last_rejection(world),
            "Expected to activate element 'join', but it was activated and still waits for its "
            "other incoming sequence flows");
  given.completes_job("a");
  // The gateway is asked again for the tokens that waited.
  when.completes_job("c");
  then.records_of({"E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED", "C ELEMENT ACTIVATE join",
                   "E ELEMENT ACTIVATED join", "R ELEMENT"},
                  R"(
    C ELEMENT ACTIVATE join
    E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED way_join
    C ELEMENT ACTIVATE join
    E ELEMENT ACTIVATED join
  )");
  given.completes_job("work", R"({"more":false})");
  when.completes_job("c");
  then.records_of(kFlows,
                  "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED way_join\n"
                  "E ELEMENT COMPLETED order");
  then.all_done();
}

SCENARIO(B12_the_third_branch_ends_elsewhere_before_it_fires) {
  given.model("order.bpmn", three_in_a_loop());
  given.instance("order");
  given.completes_job("c", R"({"lost":true})");
  given.completes_job("a");
  when.completes_job("b");
  // No token is left that could still come, but those that the gateway emits.
  then.records_of(kFlows, R"(
    E ELEMENT ACTIVATED join
    E COMPLEX_GATEWAY RESET join
    E ELEMENT COMPLETED join
  )");
  given.completes_job("work", R"({"more":true,"lost":false})");
  given.completes_job("b");
  when.completes_job("c");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  when.completes_job("a");
  then.records_of(kFlows, "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED a_join");
  given.completes_job("work", R"({"more":false})");
  then.all_done();
}

SCENARIO(B12_the_third_branch_ends_elsewhere_after_it_has_fired) {
  given.model("order.bpmn",
              process("order",
                      start() >> parallel_gateway("fork") >> exclusive_gateway("merge") >>
                          service_task("a", job("a")) >>
                          complex_gateway("join", activation_condition("activationCount >= 2")) >>
                          service_task("work", job("work")) >> end(),
                      from("fork") >> service_task("b", job("b")) >> to("join"),
                      from("fork") >> service_task("c", job("c")) >> exclusive_gateway("way") >>
                          default_flow() >> to("join"),
                      from("way") >> condition("lost = true") >> end("lost_end"),
                      from("fork") >> service_task("d", job("d")) >> to("merge")));
  given.instance("order");
  given.completes_job("a");
  when.completes_job("b");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  // The second token of flow a waits for the next round.
  given.completes_job("d");
  given.completes_job("a");
  when.completes_job("c", R"({"lost":true})");
  then.records(R"(
    ...
    E ELEMENT COMPLETED lost_end
    E COMPLEX_GATEWAY RESET join
    C ELEMENT ACTIVATE join
    R ELEMENT ACTIVATE join rejection=INVALID_STATE
  )");
  // It can never fire, so the scope stays open, as for a parallel join that lacks a token.
  when.completes_job("work");
  then.records_of(kFlows, "");
  EXPECT_EQ(world.state().element_instances().count(), 1U);
}

SCENARIO(B12_the_next_round_begins_when_a_token_comes_and_the_missing_one_cannot) {
  // The branch of c goes to the flow of a or to its own.
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> service_task("b", job("b")) >>
          complex_gateway("join", activation_condition("activationCount >= 1")) >>
          service_task("work", job("work")) >> end(),
      from("fork") >> service_task("c", job("c")) >> exclusive_gateway("way") >> default_flow() >>
          to("join"),
      from("way") >> condition("b_too = true") >> exclusive_gateway("other") >> to("join"));
  given.instance("order");
  given.completes_job("b");
  when.completes_job("c", R"({"b_too":true})");
  then.records_of(kFlows, R"(
    E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED other_join
    E COMPLEX_GATEWAY RESET join
  )");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(B12_a_surplus_token_serves_the_next_round) {
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> exclusive_gateway("merge") >>
          service_task("a", job("a")) >>
          complex_gateway("join", activation_condition("activationCount = 2")) >>
          service_task("work", job("work")) >> end(),
      from("fork") >> to("merge"),
      from("fork") >> exclusive_gateway("merge_b") >> service_task("b", job("b")) >> to("join"),
      from("fork") >> to("merge_b"));
  given.instance("order");
  given.completes_job("a");
  given.completes_job("a");
  when.completes_job("b");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  when.completes_job("b");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  given.completes_job("work");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(the_condition_sees_which_flows_have_arrived) {
  given.model("order.bpmn",
              three_branches("list contains(arrivedFlows, \"c_join\") and activationCount = "
                             "count(arrivedFlows) and wanted"));
  const Key instance = given.instance("order", R"({"wanted":true,"activationCount":7})");
  given.completes_job("a");
  when.completes_job("b");
  EXPECT_EQ(last_rejection(world),
            "Expected to activate element 'join', but its activation condition is not fulfilled");
  when.completes_job("c");
  // Each flow has delivered, so the next round begins at once and needs no record.
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  EXPECT_EQ(then.variable(instance, "arrivedFlows"), "absent");
  given.completes_job("paid");
  then.all_done();
}

SCENARIO(B13_without_a_condition_it_joins_like_a_parallel_gateway) {
  given.model("order.bpmn", three_branches(""));
  given.instance("order");
  given.completes_job("a");
  when.completes_job("b");
  EXPECT_EQ(last_rejection(world),
            "Expected to activate element 'join', but not all of its incoming sequence flows "
            "were taken");
  when.completes_job("c");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  given.completes_job("paid");
  then.all_done();
}

Model split_only() {
  return process("order", start() >> complex_gateway("which") >> condition("a > 1") >> end("one"),
                 from("which") >> condition("a > 2") >> end("two"),
                 from("which") >> default_flow() >> end("usual"));
}

SCENARIO(B13_it_splits_by_conditions_and_default) {
  given.model("order.bpmn", split_only());
  const std::vector<std::string> taken = {"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which"};
  when.instance("order", R"({"a":3})");
  then.records_of(taken, R"(
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_one
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_two
  )");
  when.instance("order", R"({"a":2})");
  then.records_of(taken, "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_one");
  when.instance("order", R"({"a":1})");
  then.records_of(taken, "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_usual");
  then.all_done();
}

SCENARIO(B13_without_an_outgoing_flow_the_path_ends) {
  given.process("order", start() >> parallel_gateway("fork") >> complex_gateway("join"),
                from("fork") >> to("join"));
  when.instance("order");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED fork
    E ELEMENT COMPLETED join
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(a_split_that_finds_no_flow_has_fired_and_does_not_ask_its_condition_again) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    complex_gateway("join", activation_condition("activationCount = 2")) >>
                    condition("go = 1") >> end("one"),
                from("join") >> condition("go = 2") >> end("two"),
                from("fork") >> service_task("b", job("b")) >> to("join"),
                from("fork") >> service_task("c", job("c")) >> to("join"));
  const Key instance = given.instance("order", R"({"go":3})");
  given.completes_job("a");
  when.completes_job("b");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE join
    E ELEMENT ACTIVATING join
    E ELEMENT ACTIVATED join
    E ELEMENT COMPLETING join
    E INCIDENT CREATED CONDITION_ERROR elementId="join"
  )");
  when.completes_job("c");
  then.records_of(kFlows, "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED c_join");
  given.sets_variables(instance, R"({"go":2})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED CONDITION_ERROR
    E ELEMENT COMPLETED join
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_two
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(a_condition_that_fails_is_an_incident_and_later_tokens_are_counted) {
  given.model("order.bpmn", three_branches("activationCount >= least"));
  const Key instance = given.instance("order");
  when.completes_job("a");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE join
    E ELEMENT ACTIVATING join
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="join"
  )");
  when.completes_job("b");
  EXPECT_EQ(last_rejection(world),
            "Expected to activate element 'join', but an earlier activation of it has an "
            "incident");
  // The condition still fails.
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E ELEMENT"}, R"(
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E INCIDENT CREATED EXTRACT_VALUE_ERROR
  )");
  given.sets_variables(instance, R"({"least":2})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E ELEMENT ACTIVATED join
    E ELEMENT COMPLETING join
    E ELEMENT COMPLETED join
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_paid
    ...
    E ELEMENT ACTIVATED paid
  )");
  when.completes_job("c");
  then.records_of(kFlows, "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED c_join");
  given.completes_job("paid");
  then.all_done();
}

SCENARIO(a_condition_that_is_false_after_its_incident_lets_the_tokens_wait_again) {
  given.model("order.bpmn", three_branches("activationCount >= least"));
  const Key instance = given.instance("order", R"({"least":"two"})");
  given.completes_job("a");
  given.sets_variables(instance, R"({"least":2})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E ELEMENT TERMINATING join
    E ELEMENT TERMINATED join
  )");
  when.completes_job("b");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  given.completes_job("c");
  given.completes_job("paid");
  then.all_done();
}

SCENARIO(a_variable_of_the_gateway_itself_resolves_its_incident) {
  given.model("order.bpmn", three_branches("activationCount >= least"));
  given.instance("order");
  given.completes_job("a");
  given.sets_variables(given.element("join"), R"({"least":1})", true);
  when.resolves_incident();
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
}

SCENARIO(a_null_or_text_as_condition_is_an_incident) {
  given.model("order.bpmn", three_branches("wanted"));
  for (const char* bad : {R"({})", R"({"wanted":"yes"})", R"({"wanted":null})"}) {
    SCOPED_TRACE(bad);
    const Key instance = given.instance("order", bad);
    when.completes_job("a");
    then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"join\"");
    EXPECT_NE(world.state()
                  .incidents()
                  .find(given.incident_key())
                  ->record.error_message.find(
                      "Expected result of the expression 'wanted' to be 'boolean'"),
              std::string::npos);
    given.cancels(instance);
    then.all_done();
  }
}

SCENARIO(it_is_terminated_while_it_waits_and_while_it_is_spent) {
  given.model("order.bpmn", three_branches("activationCount >= least"));
  Key instance = given.instance("order", R"({"least":2})");
  given.completes_job("a");
  given.cancels(instance);
  then.all_done();
  instance = given.instance("order", R"({"least":1})");
  given.completes_job("a");
  given.cancels(instance);
  then.all_done();
}

SCENARIO(an_instance_with_an_incident_at_the_gateway_is_canceled) {
  given.model("order.bpmn", three_branches("activationCount >= least"));
  const Key instance = given.instance("order");
  given.completes_job("a");
  given.cancels(instance);
  then.all_done();
  EXPECT_EQ(then.open_incidents(), 0U);
}

SCENARIO_STEP_BY_STEP(
    an_incident_that_is_resolved_while_its_instance_is_canceled_holds_nothing_up) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    complex_gateway("join", activation_condition("activationCount >= least")) >>
                    service_task("paid", job("paid")) >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"));
  for (const char* least :
       {R"({"least":1})", R"({"least":2})", R"({"least":3})", R"({"least":"two"})"}) {
    SCOPED_TRACE(least);
    const Key instance = given.instance("order", R"({"least":"two"})");
    given.completes_job("a");
    given.completes_job("b");
    given.sets_variables(instance, least);
    const Key incident = given.incident_key();
    when.appends([&] {
      given.cancels(instance);
      given.resolves_incident(incident);
    });
    then.all_done();
  }
}

SCENARIO(an_interrupting_event_subprocess_forgets_the_tokens_that_wait) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    complex_gateway("join", activation_condition("activationCount >= 3")) >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"),
                from("fork") >> service_task("c", job("c")) >> to("join"),
                event_subprocess("stop", start(timer("late", 1h)) >>
                                             service_task("clean", job("clean")) >> end()));
  given.instance("order");
  given.completes_job("a");
  given.time_passes(1h);
  given.completes_job("clean");
  then.all_done();
}

SCENARIO(an_interrupting_event_subprocess_ends_a_gateway_that_is_spent) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    complex_gateway("join", activation_condition("activationCount >= 1")) >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"),
                event_subprocess("stop", start(timer("late", 1h)) >>
                                             service_task("clean", job("clean")) >> end()));
  given.instance("order");
  given.completes_job("a");
  given.time_passes(1h);
  given.completes_job("clean");
  then.all_done();
}

// Each instance of a subprocess has rounds of its own.
SCENARIO(instances_of_a_subprocess_do_not_share_rounds) {
  given.process(
      "order",
      start() >>
          subprocess("each",
                     start("s") >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                         complex_gateway("join", activation_condition("activationCount >= 1")) >>
                         bpmn::build::end("e"),
                     from("fork") >> service_task("b", job("b")) >> to("join"),
                     multi_instance({.input_collection = "[1,2]"})) >>
          end());
  given.instance("order");
  given.completes_job("a");
  when.completes_job("a");
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  given.completes_job("b");
  when.completes_job("b");
  then.records_of(kFlows, R"(
    E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED b_join
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(a_path_that_ends_does_not_forget_a_token_that_is_about_to_be_swallowed) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    complex_gateway("join", activation_condition("activationCount >= 1")) >>
                    service_task("work", job("work")) >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"),
                from("fork") >> service_task("d", job("d")) >> end("d_end"));
  given.instance("order");
  given.completes_job("a");
  // The token of b is on its flow when d ends.
  when.appends([&] {
    given.completes_job("d");
    given.completes_job("b");
  });
  then.records_of(kFlows, "E PROCESS_INSTANCE SEQUENCE_FLOW_DELETED b_join");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(an_instance_that_begins_at_the_gateway_has_a_token_on_each_flow) {
  given.model("order.bpmn", three_branches("activationCount = 3"));
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "order";
  creation.start_instructions = {{"join"}};
  when.creates(creation);
  then.records_of(kFlows, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED join");
  given.completes_job("paid");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
