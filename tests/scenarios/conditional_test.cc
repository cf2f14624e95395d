#include "tests/scenarios/conditional_models.h"

// Elements that wait for a condition (spec: conditions 1, 2; scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;

SCENARIO(CN2_a_catch_event_goes_on_when_its_condition_becomes_true) {
  given.model("order.bpmn", conditional_catch());
  when.instance("order", R"({"x":1})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE wait
    ...
    E ELEMENT ACTIVATING wait
    E CONDITIONAL_SUBSCRIPTION CREATED wait condition="=x > 5"
    E ELEMENT ACTIVATED wait
  )");
  when.sets_variables(given.element("order"), R"({"x":6})");
  then.records(R"(
    C VARIABLE_DOCUMENT UPDATE
    E VARIABLE UPDATED x value="6"
    C CONDITIONAL_SUBSCRIPTION TRIGGER wait
    E VARIABLE_DOCUMENT UPDATED
    E CONDITIONAL_SUBSCRIPTION TRIGGERED wait
    E PROCESS_EVENT TRIGGERING wait
    C ELEMENT COMPLETE wait
    E ELEMENT COMPLETING wait
    E PROCESS_EVENT TRIGGERED wait
    E ELEMENT COMPLETED wait
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN wait_end
    C ELEMENT ACTIVATE end
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(a_subscription_describes_its_condition_and_its_host) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                boundary("ship", conditional("stop", "=count(items) > limit", "update"),
                         non_interrupting()) >>
                    end("stopped"));
  when.instance("order");
  const auto created =
      then.values<ConditionalSubscriptionRecord>(ConditionalSubscriptionIntent::Created);
  ASSERT_EQ(created.size(), 1U);
  const ConditionalSubscriptionRecord& value = created.front();
  EXPECT_EQ(value.scope_key, given.element("ship"));
  EXPECT_EQ(value.element_instance_key, given.element("ship"));
  EXPECT_EQ(value.element_id, "stop");
  EXPECT_EQ(value.element_type, record::ElementType::BoundaryEvent);
  EXPECT_EQ(value.condition, "=count(items) > limit");
  EXPECT_EQ(value.variable_names, (std::vector<std::string>{"items", "limit"}));
  EXPECT_EQ(value.variable_events, std::vector<std::string>{"update"});
  EXPECT_FALSE(value.interrupting);
  EXPECT_EQ(value.process_instance_key, given.element("order"));
  EXPECT_EQ(value.root_process_instance_key, given.element("order"));
  EXPECT_EQ(value.process_definition_key, given.definition("order"));
  EXPECT_EQ(value.tenant_id, "<default>");
}

SCENARIO(CN1_a_catch_event_whose_condition_holds_already_goes_on_at_once) {
  given.model("order.bpmn", conditional_catch());
  when.instance("order", R"({"x":6})");
  then.records_of({"E CONDITIONAL", "C CONDITIONAL", "E ELEMENT ACTIVATED wait"}, R"(
    E CONDITIONAL_SUBSCRIPTION CREATED wait
    C CONDITIONAL_SUBSCRIPTION TRIGGER wait
    E ELEMENT ACTIVATED wait
    E CONDITIONAL_SUBSCRIPTION TRIGGERED wait
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN1_a_boundary_event_whose_condition_holds_already_ends_its_task) {
  given.model("order.bpmn", conditional_boundary());
  when.instance("order", R"({"x":6})");
  then.records_of({"E CONDITIONAL", "E JOB", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E CONDITIONAL_SUBSCRIPTION CREATED stop
    E JOB CREATED ship
    E CONDITIONAL_SUBSCRIPTION TRIGGERED stop
    E JOB CANCELED ship
    E ELEMENT TERMINATED ship
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN1_the_input_mappings_of_the_host_count) {
  given.process("order",
                start() >> service_task("ship", job("ship"), input("=6", "x")) >> end("shipped"),
                boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"));
  given.instance("order");
  then.all_done();
}

SCENARIO(CN1_an_event_subprocess_whose_condition_holds_already_starts_at_once) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess("esp", start(conditional("stop", "=x > 5")) >>
                                            service_task("clean", job("clean")) >> end()));
  when.instance("order", R"({"x":6})");
  then.records_of({"E CONDITIONAL", "E ELEMENT ACTIVATED", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT ACTIVATED order
    E ELEMENT ACTIVATED start
    E CONDITIONAL_SUBSCRIPTION CREATED stop
    E CONDITIONAL_SUBSCRIPTION TRIGGERED stop
    E ELEMENT ACTIVATED esp
    E ELEMENT ACTIVATED stop
    E ELEMENT ACTIVATED clean
  )");
  given.completes_job("clean");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN1_EG1_behind_an_event_based_gateway_the_first_condition_that_holds_wins) {
  given.model("order.bpmn", conditional_gateway());
  when.instance("order", R"({"x":6,"y":6})");
  then.records_of({"E CONDITIONAL", "E TIMER", "R", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    E TIMER CREATED late
    E CONDITIONAL_SUBSCRIPTION CREATED by_x
    E CONDITIONAL_SUBSCRIPTION CREATED by_y
    E CONDITIONAL_SUBSCRIPTION TRIGGERED by_x
    R CONDITIONAL_SUBSCRIPTION TRIGGER by_y rejection=INVALID_STATE
    E CONDITIONAL_SUBSCRIPTION DELETED by_y
    E TIMER CANCELED late
    E ELEMENT COMPLETED gate
    E ELEMENT COMPLETED by_x
    E ELEMENT COMPLETED ended_x
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(EG1_a_condition_behind_a_gateway_closes_the_other_events) {
  given.model("order.bpmn", conditional_gateway());
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"y":6})");
  then.records_of({"E CONDITIONAL", "E TIMER", "E ELEMENT COMPLETED"}, R"(
    E CONDITIONAL_SUBSCRIPTION TRIGGERED by_y
    E CONDITIONAL_SUBSCRIPTION DELETED by_x
    E TIMER CANCELED late
    E ELEMENT COMPLETED gate
    E ELEMENT COMPLETED by_y
    E ELEMENT COMPLETED ended_y
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN2_a_timer_behind_a_gateway_closes_the_conditions) {
  given.model("order.bpmn", conditional_gateway());
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E CONDITIONAL"}, R"(
    E CONDITIONAL_SUBSCRIPTION DELETED by_x
    E CONDITIONAL_SUBSCRIPTION DELETED by_y
  )");
  then.all_done();
}

SCENARIO(CN2_a_variable_of_an_outer_scope_and_of_the_own_scope_count) {
  given.model("order.bpmn", conditional_in_subprocess());
  for (const char* scope : {"order", "sub", "ship"}) {
    given.instance("order");
    when.sets_variables(given.element(scope), R"({"x":6})", true);
    then.records_of({"E CONDITIONAL_SUBSCRIPTION TRIGGERED"},
                    "E CONDITIONAL_SUBSCRIPTION TRIGGERED stop");
    then.all_done();
  }
}

SCENARIO(CN2_a_variable_of_a_sibling_and_an_unrelated_one_do_not_count) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("ship", job("ship")) >> end(),
                from("fork") >> service_task("bill", job("bill")) >> end("billed"),
                boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"));
  const Key instance = given.instance("order");
  when.sets_variables(given.element("bill"), R"({"x":6})", true);
  then.records_of({"C CONDITIONAL"}, "");
  when.sets_variables(instance, R"({"y":6})");
  then.records_of({"C CONDITIONAL"}, "");
  // The condition does not read `y`, so the change of `x` in between is what counts.
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"E CONDITIONAL"}, "E CONDITIONAL_SUBSCRIPTION TRIGGERED stop");
}

SCENARIO(CN2_an_equal_value_is_no_change) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end("shipped"),
      boundary("ship", conditional("note", "=x > 5"), non_interrupting()) >> end("noted"));
  const Key instance = given.instance("order", R"({"x":6})");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"C CONDITIONAL"}, "");
}

SCENARIO(CN2_a_condition_without_variables_is_tried_at_every_change) {
  given.process(
      "order",
      start() >> catch_event(conditional("wait", "=now() > @\"2023-11-14T23:00:00Z\"")) >> end());
  const Key instance = given.instance("order");
  given.time_passes(1h);
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 1U) << "time alone is no change";
  given.sets_variables(instance, R"({"any":1})");
  then.all_done();
}

SCENARIO(CN2_the_result_of_a_job_counts) {
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> service_task("ship", job("ship")) >>
          service_task("more", job("more")) >> end(),
      from("fork") >> catch_event(conditional("wait", "=state = \"shipped\"")) >> end("seen"));
  given.instance("order");
  when.completes_job("ship", R"({"state":"shipped"})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL", "E VARIABLE", "E ELEMENT COMPLETED"}, R"(
    E VARIABLE CREATED state
    C CONDITIONAL_SUBSCRIPTION TRIGGER wait
    E ELEMENT COMPLETED ship
    E CONDITIONAL_SUBSCRIPTION TRIGGERED wait
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED seen
  )");
}

SCENARIO(CN2_the_variables_of_a_failed_job_count) {
  given.model("order.bpmn", conditional_boundary());
  given.instance("order");
  given.fails_job("ship", 0, "", 0ms, R"({"x":6})");
  then.all_done();
  EXPECT_EQ(then.open_incidents(), 0U);
}

SCENARIO(CN2_a_called_process_sees_no_change_of_its_caller) {
  given.process("called", start() >> catch_event(conditional("wait", "=x > 5")) >> end());
  given.process("order", start() >> call_activity("call", "called") >> end());
  const Key instance = given.instance("order", R"({"x":1})");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"C CONDITIONAL"}, "");
  when.sets_variables(given.element("called"), R"({"x":6})");
  then.all_done();
}

SCENARIO(CN3_variable_events_choose_between_creation_and_update) {
  const auto deploy = [&](const char* id, const char* events) {
    given.process(id, start() >> service_task("ship", job("ship")) >> end("shipped"),
                  boundary("ship", conditional("note", "=x > 5", events), non_interrupting()) >>
                      end("noted"));
  };
  deploy("on_create", "create");
  deploy("on_update", "update");
  deploy("on_both", " update , create ");
  const std::pair<const char*, std::pair<int, int>> rows[] = {
      {"on_create", {1, 0}}, {"on_update", {0, 1}}, {"on_both", {1, 1}}};
  for (const auto& [id, fires] : rows) {
    const Key instance = given.instance(id);
    when.sets_variables(instance, R"({"x":6})");
    EXPECT_EQ(
        then.keys<ConditionalSubscriptionRecord>(ConditionalSubscriptionIntent::Triggered).size(),
        static_cast<std::size_t>(fires.first))
        << id;
    when.sets_variables(instance, R"({"x":7})");
    EXPECT_EQ(
        then.keys<ConditionalSubscriptionRecord>(ConditionalSubscriptionIntent::Triggered).size(),
        static_cast<std::size_t>(fires.second))
        << id;
  }
}

SCENARIO(CN3_a_condition_that_is_not_true_never_fires_and_is_no_incident) {
  int number = 0;
  for (const char* condition : {"=x", "=null", "=\"true\"", "=x.y.z", "=x + \"a\"",
                                "=assert(x, x > 100)", "=not_there", "=for i in x return i"}) {
    const std::string id = fmt::format("p{}", ++number);
    given.process(id, start() >> catch_event(conditional("wait", condition)) >> end());
    const Key instance = given.instance(id);
    for (const char* value : {"1", "null", "\"text\"", "{\"y\":1}", "[true]"}) {
      when.sets_variables(instance, fmt::format(R"({{"x":{}}})", value));
      then.records_of({"E CONDITIONAL"}, "");
    }
  }
  EXPECT_EQ(then.open_incidents(), 0U);
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 8U);
}

SCENARIO(CN4_an_outer_interrupting_event_keeps_inner_ones_from_firing) {
  given.process(
      "order",
      start() >>
          subprocess("sub", start("s") >> service_task("ship", job("ship")) >> end("shipped"),
                     boundary("ship", conditional("inner", "=x > 4")) >> end("inside")) >>
          end(),
      boundary("sub", conditional("outer", "=x > 5")) >> end("outside"));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL", "R"}, R"(
    C CONDITIONAL_SUBSCRIPTION TRIGGER outer
    E CONDITIONAL_SUBSCRIPTION TRIGGERED outer
    E CONDITIONAL_SUBSCRIPTION DELETED inner
  )");
  then.all_done();
  expect_no_conditions(world);
  // If the outer one does not hold, the inner one fires.
  given.instance("order");
  given.sets_variables(given.element("order"), R"({"x":5})");
  then.all_done();
}

SCENARIO(CN4_two_that_do_not_interrupt_both_fire_and_again_with_each_change) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                boundary("ship", conditional("a", "=x > 5"), non_interrupting()) >> end("ended_a"),
                boundary("ship", conditional("b", "=x > 6"), non_interrupting()) >> end("ended_b"));
  const Key instance = given.instance("order");
  for (const int x : {7, 8, 9}) {
    when.sets_variables(instance, fmt::format(R"({{"x":{}}})", x));
    then.records_of({"E CONDITIONAL", "E ELEMENT COMPLETED e"}, R"(
      E CONDITIONAL_SUBSCRIPTION TRIGGERED a
      E CONDITIONAL_SUBSCRIPTION TRIGGERED b
      E ELEMENT COMPLETED ended_a
      E ELEMENT COMPLETED ended_b
    )");
  }
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 2U);
  given.completes_job("ship");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN4_a_document_with_several_changes_fires_an_event_once) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end("shipped"),
      boundary("ship", conditional("note", "=x > 5 or y > 5"), non_interrupting()) >> end("noted"));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6,"y":6})");
  then.records_of({"E CONDITIONAL"}, "E CONDITIONAL_SUBSCRIPTION TRIGGERED note");
}

SCENARIO(CN4_an_interrupting_event_subprocess_ends_its_scope) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess(
                    "esp", start(conditional("stop", "=x > 5")) >> task("clean") >> end("cleaned")),
                event_subprocess("other", start(conditional("never", "=x > 100")) >> end("n")));
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"x":6})");
  then.records_of({"E CONDITIONAL", "E JOB", "E ELEMENT COMPLETED"}, R"(
    E CONDITIONAL_SUBSCRIPTION TRIGGERED stop
    E CONDITIONAL_SUBSCRIPTION DELETED never
    E JOB CANCELED ship
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED clean
    E ELEMENT COMPLETED cleaned
    E ELEMENT COMPLETED esp
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN4_an_event_subprocess_that_does_not_interrupt_runs_beside_its_scope) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess("esp", start(conditional("note", "=x > 5"), non_interrupting()) >>
                                            service_task("write", job("write")) >> end("written")));
  const Key instance = given.instance("order");
  given.sets_variables(instance, R"({"x":6})");
  given.sets_variables(instance, R"({"x":7})");
  EXPECT_EQ(given.activates_jobs("write").size(), 2U);
  given.completes_job("write");
  given.completes_job("write");
  given.completes_job("ship");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(CN5_a_change_by_the_output_mapping_of_the_host_comes_too_late) {
  given.process("order",
                start() >> service_task("ship", job("ship"), output("=6", "x")) >> end("shipped"),
                boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"));
  given.process("plain", start() >> service_task("send", job("send")) >> end("sent"),
                boundary("send", conditional("halt", "=x > 5")) >> end("halted"));
  given.instance("order");
  when.completes_job("ship");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL", "E ELEMENT COMPLETED shipped"}, R"(
    E CONDITIONAL_SUBSCRIPTION DELETED stop
    E ELEMENT COMPLETED shipped
  )");
  given.instance("plain");
  when.completes_job("send", R"({"x":6})");
  then.records_of({"C CONDITIONAL", "E CONDITIONAL", "E ELEMENT COMPLETED sent"}, R"(
    E CONDITIONAL_SUBSCRIPTION DELETED halt
    E ELEMENT COMPLETED sent
  )");
  then.all_done();
}

SCENARIO(D2_nothing_is_opened_while_another_event_of_the_host_cannot_be) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                boundary("ship", signal("called", "=name")) >> end("ended"),
                boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"));
  const Key instance = given.instance("order");
  EXPECT_EQ(then.open_incidents(), 1U);
  expect_no_conditions(world);
  given.sets_variables(instance, R"({"x":6})");
  expect_no_conditions(world);
  given.sets_variables(instance, R"({"name":"go","x":1})");
  when.resolves_incident();
  then.records_of({"E CONDITIONAL"}, "E CONDITIONAL_SUBSCRIPTION CREATED stop");
  given.sets_variables(instance, R"({"x":7})");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(a_host_that_ends_in_another_way_closes_its_conditions) {
  given.model("order.bpmn", conditional_boundary());
  given.model("in_sub.bpmn", conditional_in_subprocess());
  given.model("gate.bpmn", conditional_gateway("gated"));
  Key instance = given.instance("gated");
  given.cancels(instance);
  expect_no_conditions(world);
  instance = given.instance("order");
  given.completes_job("ship");
  expect_no_conditions(world);
  then.all_done();
}

SCENARIO(a_multi_instance_body_has_one_condition_for_all_items_and_each_item_its_own) {
  given.process(
      "order",
      start() >>
          subprocess("each", start("s") >> service_task("ship", job("ship")) >> end("e"),
                     boundary("ship", conditional("one", "=state = \"bad\"")) >> end("replaced"),
                     multi_instance({.input_collection = "=[1,2,3]"})) >>
          end(),
      boundary("each", conditional("all", "=stop")) >> end("stopped"));
  const Key instance = given.instance("order");
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 4U);
  when.sets_variables(given.element("ship"), R"({"state":"bad"})", true);
  then.records_of({"E CONDITIONAL_SUBSCRIPTION TRIGGERED"},
                  "E CONDITIONAL_SUBSCRIPTION TRIGGERED one");
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 3U);
  when.sets_variables(instance, R"({"stop":true,"state":"bad"})");
  then.records_of({"E CONDITIONAL_SUBSCRIPTION TRIGGERED"},
                  "E CONDITIONAL_SUBSCRIPTION TRIGGERED all");
  then.all_done();
  expect_no_conditions(world);
}

SCENARIO(many_siblings_are_not_asked_for_the_change_of_one_of_them) {
  given.process("order",
                start() >> service_task("ship", job("ship"),
                                        multi_instance({.input_collection = "=for i in 1..30 "
                                                                            "return i"})) >>
                    end(),
                boundary("ship", conditional("all", "=total > 1"), non_interrupting()) >> end("a"));
  given.process(
      "many",
      start() >>
          subprocess("each",
                     start("s") >> task("t") >> catch_event(conditional("wait", "=ok")) >> end("e"),
                     multi_instance({.input_collection = "=for i in 1..30 return i"})) >>
          end());
  const Key instance = given.instance("many");
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 30U);
  given.sets_variables(given.element("wait"), R"({"ok":true})", true);
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 29U);
  when.sets_variables(instance, R"({"ok":true})");
  EXPECT_EQ(
      then.keys<ConditionalSubscriptionRecord>(ConditionalSubscriptionIntent::Triggered).size(),
      29U);
  then.all_done();
  expect_no_conditions(world);
}

}  // namespace
}  // namespace beeline::testing
