#include "tests/scenarios/rejections.h"
#include "tests/support/scenario.h"

// Inclusive gateways (spec: lifecycle 5; elements/gateways 2; scenarios/execution 5), and what is
// left of the event-based gateway.
namespace beeline::testing {
namespace {

const std::vector<std::string> kJoined = {"R ELEMENT ACTIVATE join", "E ELEMENT ACTIVATED join",
                                          "E ELEMENT COMPLETED order"};
constexpr std::string_view kCanStillCome =
    "Expected to activate element 'join', but a token can still reach one of its other incoming "
    "sequence flows";

SCENARIO(IG1_the_default_flow_is_taken_if_no_condition_is_true) {
  given.process("order",
                start() >> inclusive_gateway("which") >> condition("a > 1") >> end("large"),
                from("which") >> condition("a > 0") >> end("small"),
                from("which") >> default_flow() >> condition("true") >> end("usual"));
  const std::vector<std::string> taken = {"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which"};
  when.instance("order", R"({"a":0})");
  then.records_of(taken, "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_usual");
  when.instance("order", R"({"a":2})");
  then.records_of(taken, R"(
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_large
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN which_small
  )");
  then.all_done();
}

SCENARIO(IG1_a_fork_that_finds_no_flow_is_an_incident) {
  given.process("order", start() >> inclusive_gateway("which") >> condition("a = 1") >> end("one"),
                from("which") >> condition("a = 2") >> end("two"));
  const Key instance = when.instance("order", R"({"a":3})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE which
    E ELEMENT ACTIVATING which
    E INCIDENT CREATED CONDITION_ERROR elementId="which"
  )");
  given.sets_variables(instance, R"({"a":"x"})");
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E ELEMENT"}, R"(
    E INCIDENT RESOLVED CONDITION_ERROR
    E INCIDENT CREATED EXTRACT_VALUE_ERROR
  )");
  given.sets_variables(instance, R"({"a":1})");
  given.resolves_incident();
  then.all_done();
}

SCENARIO(IG1_a_condition_that_is_not_boolean_is_an_incident) {
  given.process("order", start() >> inclusive_gateway("which") >> condition("a") >> end("one"),
                from("which") >> default_flow() >> end("two"));
  const Key instance = when.instance("order", R"({"a":"x"})");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR");
  given.sets_variables(instance, R"({"a":true})");
  given.resolves_incident();
  then.all_done();
}

SCENARIO(IG2_a_join_waits_for_all_branches_that_were_taken) {
  given.process("order",
                start() >> inclusive_gateway("fork") >> condition("true") >>
                    service_task("a", job("a")) >> inclusive_gateway("join") >> end(),
                from("fork") >> condition("true") >> service_task("b", job("b")) >> to("join"),
                from("fork") >> condition("c_too") >> service_task("c", job("c")) >> to("join"));
  for (const char* some : {R"({"c_too":true})", R"({"c_too":false})"}) {
    SCOPED_TRACE(some);
    given.instance("order", some);
    when.completes_job("b");
    EXPECT_EQ(last_rejection(world), kCanStillCome);
    if (std::string_view{some}.find("true") != std::string_view::npos) {
      when.completes_job("c");
      EXPECT_EQ(last_rejection(world), kCanStillCome);
    }
    when.completes_job("a");
    then.records_of(kJoined, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED order");
  }
  then.all_done();
}

SCENARIO(IG2_a_boundary_event_that_leads_to_the_join_counts) {
  // Only the boundary event of b leads to the join.
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    inclusive_gateway("join") >> service_task("after", job("after")) >> end(),
                from("fork") >> service_task("b", job("b")) >> end("b_end"),
                boundary("b", timer("late", 1h)) >> to("join"));
  given.instance("order");
  when.completes_job("a");
  EXPECT_EQ(last_rejection(world), kCanStillCome);
  when.time_passes(1h);
  then.records_of(kJoined, "E ELEMENT ACTIVATED join");
  given.completes_job("after");
  then.all_done();
}

SCENARIO(IG2_a_link_that_leads_to_the_join_counts) {
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
          inclusive_gateway("join") >> end(),
      from("fork") >> service_task("b", job("b")) >> throw_event(link_event("leave", "x")),
      catch_event(link_event("arrive", "x")) >> to("join"));
  given.instance("order");
  when.completes_job("a");
  EXPECT_EQ(last_rejection(world), kCanStillCome);
  when.completes_job("b");
  then.records_of(kJoined, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED order");
  then.all_done();
}

SCENARIO(IG2_a_loop_that_leads_to_the_join_counts) {
  // The token of b may go round before it comes.
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    inclusive_gateway("join") >> end(),
                from("fork") >> exclusive_gateway("again") >> service_task("b", job("b")) >>
                    exclusive_gateway("enough") >> default_flow() >> to("again"),
                from("enough") >> condition("done = true") >> to("join"));
  given.instance("order");
  given.completes_job("b");
  when.completes_job("a");
  EXPECT_EQ(last_rejection(world), kCanStillCome);
  given.completes_job("b");
  when.completes_job("b", R"({"done":true})");
  then.records_of(kJoined, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED order");
  then.all_done();
}

SCENARIO(IG2_an_active_task_that_cannot_reach_the_join_does_not_block_it) {
  given.process("order",
                start() >> parallel_gateway("fork") >> inclusive_gateway("some") >>
                    condition("true") >> service_task("a", job("a")) >> inclusive_gateway("join") >>
                    end(),
                from("some") >> condition("false") >> service_task("c", job("c")) >> to("join"),
                from("fork") >> service_task("other", job("other")) >> end("other_end"));
  given.instance("order");
  when.completes_job("a");
  then.records_of(kJoined, "E ELEMENT ACTIVATED join");
  given.completes_job("other");
  then.all_done();
}

SCENARIO(IG3_several_tokens_of_one_flow_activate_the_join_one_after_the_other) {
  given.process("order",
                start() >> parallel_gateway("fork") >> exclusive_gateway("merge") >>
                    service_task("a", job("a")) >> inclusive_gateway("join") >>
                    service_task("after", job("after")) >> end(),
                from("fork") >> to("merge"),
                from("fork") >> service_task("b", job("b")) >> to("join"));
  given.instance("order");
  given.completes_job("a");
  given.completes_job("a");
  when.completes_job("b");
  // The second token of a stays until the join is asked again, which happens only when a token
  // comes.
  then.records_of(kJoined, "E ELEMENT ACTIVATED join");
  const auto* row = world.state().element_instances().find(given.element("order"));
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->active_flow_count, 1);
  given.cancels(given.element("order"));
  then.all_done();
}

SCENARIO(IG3_tokens_of_one_flow_that_come_after_each_other_pass_when_no_other_can_come) {
  given.process("order",
                start() >> parallel_gateway("fork") >> exclusive_gateway("merge") >>
                    service_task("a", job("a")) >> inclusive_gateway("join") >> end(),
                from("fork") >> to("merge"));
  given.instance("order");
  when.completes_job("a");
  then.records_of(kJoined, "E ELEMENT ACTIVATED join");
  when.completes_job("a");
  then.records_of(kJoined, "E ELEMENT ACTIVATED join\nE ELEMENT COMPLETED order");
}

SCENARIO(IG3_one_gateway_joins_and_forks) {
  given.process("order",
                start() >> inclusive_gateway("fork") >> condition("true") >> task("a") >>
                    inclusive_gateway("join") >> condition("true") >> end("one"),
                from("fork") >> condition("true") >> task("b") >> to("join"),
                from("join") >> condition("true") >> end("two"),
                from("join") >> condition("false") >> end("three"));
  when.instance("order");
  then.records_of({"E ELEMENT COMPLETED join", "E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join",
                   "E ELEMENT COMPLETED order"},
                  R"(
    E ELEMENT COMPLETED join
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_one
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN join_two
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EG1_two_timers_that_are_due_together_take_one_path) {
  given.process(
      "order",
      start() >> event_based_gateway("wait") >> catch_event(timer("one", 1h)) >> end("first"),
      from("wait") >> catch_event(timer("two", 1h)) >> end("second"));
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E TIMER", "E ELEMENT COMPLETED first", "E ELEMENT COMPLETED second"}, R"(
    E TIMER TRIGGERED one
    E TIMER CANCELED two
    E ELEMENT COMPLETED first
  )");
  then.all_done();
}

SCENARIO(EG1_a_message_wins_over_the_timer_and_EG2_its_payload_merges_into_the_scope) {
  given.process("order",
                start() >> event_based_gateway("wait") >>
                    catch_event(message("paid", "paid", "=key")) >>
                    service_task("after", job("after")) >> end("first"),
                from("wait") >> catch_event(timer("late", 1h)) >> end("second"));
  const Key instance = given.instance("order", R"({"key":"k"})");
  when.publishes("paid", "k", {R"({"sum":7})"});
  then.records_of({"E TIMER", "E ELEMENT COMPLETED"}, R"(
    E TIMER CANCELED late
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED paid
  )");
  EXPECT_EQ(then.variable(instance, "sum"), "7");
  given.completes_job("after");
  then.all_done();
}

SCENARIO(EG2_a_payload_that_an_output_mapping_takes_stays_with_the_event) {
  given.process("order",
                start() >> event_based_gateway("wait") >>
                    catch_event(message("paid", "paid", "=key"), output("=sum + 1", "total")) >>
                    service_task("after", job("after")) >> end("first"),
                from("wait") >> catch_event(timer("late", 1h)) >> end("second"));
  const Key instance = given.instance("order", R"({"key":"k"})");
  given.publishes("paid", "k", {R"({"sum":7})"});
  EXPECT_EQ(then.variable(instance, "sum"), "absent");
  EXPECT_EQ(then.variable(instance, "total"), "8");
}

}  // namespace
}  // namespace beeline::testing
