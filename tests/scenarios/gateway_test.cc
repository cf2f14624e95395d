#include "tests/support/scenario.h"

// Exclusive and parallel gateways (spec: lifecycle 5; elements/gateways 1, 3; scenarios/execution
// 5).
namespace beeline::testing {
namespace {

Model choice() {
  return process("order",
                 start() >> exclusive_gateway("which") >> condition("a > 10") >> end("large"),
                 from("which") >> condition("a > 5") >> end("medium"),
                 from("which") >> default_flow() >> end("small"));
}

SCENARIO(XG1_the_first_flow_whose_condition_holds_is_taken) {
  given.model("order.bpmn", choice());
  when.instance("order", R"({"a":20})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE which
    E ELEMENT ACTIVATING which
    E ELEMENT ACTIVATED which
    E ELEMENT COMPLETING which
    E ELEMENT COMPLETED which
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_large
    C ELEMENT ACTIVATE large
    ...
    E ELEMENT COMPLETED order
  )");
  when.instance("order", R"({"a":7})");
  then.records_of({"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which"},
                  "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_medium");
  when.instance("order", R"({"a":1})");
  then.records_of({"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which"},
                  "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_small");
}

SCENARIO(XG1_the_condition_of_the_default_flow_does_not_matter) {
  given.process(
      "order",
      start() >> exclusive_gateway("which") >> default_flow() >> condition("true") >> end("usual"),
      from("which") >> condition("true") >> end("other"));
  when.instance("order");
  then.records_of({"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which"},
                  "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_other");
}

SCENARIO(XG1_a_single_flow_needs_no_condition_and_every_token_passes) {
  given.process("order", start() >> exclusive_gateway("merge") >> end("done"),
                from("start") >> task("detour") >> to("merge"));
  when.instance("order");
  then.records_of({"E ELEMENT ACTIVATED merge", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT ACTIVATED merge
    E ELEMENT COMPLETED merge
    ...
    E ELEMENT COMPLETED detour
    ...
    E ELEMENT ACTIVATED merge
    E ELEMENT COMPLETED merge
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(XG2_a_gateway_that_finds_no_flow_waits_for_a_fix) {
  given.process("order", start() >> exclusive_gateway("which") >> condition("a = 1") >> end("one"),
                from("which") >> condition("a = 2") >> end("two"));
  const Key instance = when.instance("order", R"({"a":3})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE which
    E ELEMENT ACTIVATING which
    E INCIDENT CREATED CONDITION_ERROR elementId="which"
  )");
  given.sets_variables(instance, R"({"a":2})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED CONDITION_ERROR
    E ELEMENT ACTIVATED which
    E ELEMENT COMPLETING which
    E ELEMENT COMPLETED which
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_two
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(XG2_a_condition_that_is_not_boolean_is_an_incident_even_with_a_default) {
  given.model("order.bpmn", choice());
  for (const char* bad : {R"({})", R"({"a":"x"})"}) {
    SCOPED_TRACE(bad);
    const Key instance = when.instance("order", bad);
    then.records_of({"E INCIDENT", "E ELEMENT ACTIVATED which"},
                    "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"which\"");
    given.sets_variables(instance, R"({"a":1})");
    when.resolves_incident();
    then.all_done();
  }
}

SCENARIO(XG3_a_gateway_without_outgoing_flow_ends_the_path) {
  given.process("order", start() >> exclusive_gateway("last"));
  when.instance("order");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING last
    E ELEMENT ACTIVATED last
    E ELEMENT COMPLETING last
    E ELEMENT COMPLETED last
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(PG1_a_fork_takes_all_flows_and_a_join_waits_for_all) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    parallel_gateway("join") >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE fork
    E ELEMENT ACTIVATING fork
    E ELEMENT ACTIVATED fork
    E ELEMENT COMPLETING fork
    E ELEMENT COMPLETED fork
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN fork_a
    C ELEMENT ACTIVATE a
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN fork_b
    C ELEMENT ACTIVATE b
    E ELEMENT ACTIVATING a
    ...
    E ELEMENT ACTIVATED b
  )");
  when.completes_job("b");
  then.records(R"(
    ...
    E ELEMENT COMPLETED b
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN b_join
    C ELEMENT ACTIVATE join
    R ELEMENT ACTIVATE join rejection=INVALID_STATE
  )");
  when.completes_job("a");
  then.records(R"(
    ...
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN a_join
    C ELEMENT ACTIVATE join
    E ELEMENT ACTIVATING join
    E ELEMENT ACTIVATED join
    E ELEMENT COMPLETING join
    E ELEMENT COMPLETED join
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_end
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

// Both flows are taken before the first ACTIVATE is processed, so the second one is rejected.
SCENARIO(PG1_one_gateway_joins_and_forks) {
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> task("a") >> parallel_gateway("both") >> end("one"),
      from("fork") >> task("b") >> to("both"), from("both") >> end("two"));
  when.instance("order");
  then.records_of({"R", "E ELEMENT COMPLETED both", "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN both",
                   "E ELEMENT COMPLETED order"},
                  R"(
    E ELEMENT COMPLETED both
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN both_one
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN both_two
    R ELEMENT ACTIVATE both rejection=INVALID_STATE
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(PG1_R18_a_surplus_token_waits_for_its_partner) {
  // Two tokens reach the join through "merge", and one through "c".
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    exclusive_gateway("merge") >> parallel_gateway("join") >> end(),
                from("fork") >> service_task("b", job("b")) >> to("merge"),
                from("fork") >> service_task("c", job("c")) >> to("join"));
  given.instance("order");
  when.completes_job("a");
  then.records_of({"R", "E ELEMENT ACTIVATED join"}, "R ELEMENT ACTIVATE join");
  when.completes_job("b");
  then.records_of({"R", "E ELEMENT ACTIVATED join"}, "R ELEMENT ACTIVATE join");
  when.completes_job("c");
  then.records_of({"R", "E ELEMENT ACTIVATED join", "E ELEMENT COMPLETED order"},
                  "E ELEMENT ACTIVATED join");
  const auto* row = world.state().element_instances().find(given.element("order"));
  ASSERT_NE(row, nullptr) << "a token that can never be joined keeps the instance open";
  EXPECT_EQ(row->active_flow_count, 1);
  EXPECT_EQ(row->child_count, 0);
  when.cancels(given.element("order"));
  then.all_done();
}

SCENARIO(PG1_a_join_in_a_loop_joins_each_round_anew) {
  given.process("order",
                start() >> exclusive_gateway("again") >> parallel_gateway("fork") >>
                    service_task("a", job("work")) >> parallel_gateway("join") >>
                    exclusive_gateway("enough") >> condition("rounds >= 2") >> end(),
                from("fork") >> service_task("b", job("work")) >> to("join"),
                from("enough") >> default_flow() >> to("again"));
  given.instance("order", R"({"rounds":1})");
  given.completes_job("work");
  when.completes_job("work", R"({"rounds":2})");
  then.records_of({"E ELEMENT ACTIVATED join", "E ELEMENT COMPLETED order"}, R"(
    E ELEMENT ACTIVATED join
    E ELEMENT COMPLETED order
  )");
  given.instance("order", R"({"rounds":1})");
  given.completes_job("work");
  when.completes_job("work");
  then.records_of({"E ELEMENT ACTIVATED fork", "E ELEMENT ACTIVATED join"}, R"(
    E ELEMENT ACTIVATED join
    E ELEMENT ACTIVATED fork
  )");
  given.completes_job("work");
  when.completes_job("work", R"({"rounds":2})");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
