#include "tests/scenarios/message_models.h"
#include "tests/scenarios/signal_models.h"

// Events that wait for one of several things (spec: elements/multiple_events; B1, B2, B4, B5).
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;

// A catch event that waits for a message, a timer and a signal.
Model any_of_three() {
  return process("order", start() >>
                              catch_event(multiple("wait", {message("m", "paid", "=order"),
                                                            timer("t", 1h), signal("s", "go")})) >>
                              end());
}

void nothing_is_open(World& world) {
  Expectations then{world};
  then.no_messages_left();
  then.no_signals_left();
  EXPECT_EQ(world.state().timers().next_due(), std::nullopt);
}

SCENARIO(B1_all_definitions_are_opened_together_and_each_has_an_id) {
  given.model("order.bpmn", any_of_three());
  when.instance("order", R"({"order":"1"})");
  then.records_of({"E ELEMENT ACTIVATING wait", "E ELEMENT ACTIVATED wait",
                   "E PROCESS_MESSAGE_SUBSCRIPTION CREATING", "E TIMER", "E SIGNAL_SUB"},
                  R"(
    E ELEMENT ACTIVATING wait bpmnEventType=MULTIPLE
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING paid elementId="wait" eventDefinitionId="wait#1"
    E TIMER CREATED wait eventDefinitionId="wait#2"
    E SIGNAL_SUBSCRIPTION CREATED go catchEventId="wait" eventDefinitionId="wait#3"
    E ELEMENT ACTIVATED wait
  )");
}

SCENARIO(B1_the_message_wins_and_the_others_are_closed_in_the_same_batch) {
  given.model("order.bpmn", any_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  when.publishes("paid", "1", {.variables = R"({"sum":7})"});
  then.records_of({"E PROCESS_EVENT", "E TIMER", "E SIGNAL_SUB", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#1"
    E PROCESS_EVENT TRIGGERED wait eventDefinitionId="wait#1"
    E SIGNAL_SUBSCRIPTION DELETED go
    E TIMER CANCELED wait
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED end
    E ELEMENT COMPLETED order
  )");
  EXPECT_NE(instance, Key{});
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(B1_the_timer_wins_and_the_message_subscription_is_deleted) {
  given.model("order.bpmn", any_of_three());
  given.instance("order", R"({"order":"1"})");
  when.time_passes(1h);
  then.records_of(
      {"E PROCESS_EVENT", "E PROCESS_MESSAGE", "E MESSAGE_SUB", "E SIGNAL_SUB", "E TIMER"},
      R"(
    E TIMER TRIGGERED wait eventDefinitionId="wait#2"
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#2"
    E PROCESS_EVENT TRIGGERED wait eventDefinitionId="wait#2"
    E SIGNAL_SUBSCRIPTION DELETED go
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING paid
    E MESSAGE_SUBSCRIPTION DELETED paid
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED paid
  )");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(the_event_goes_on_with_the_payload_of_the_winner) {
  given.process("order", start() >>
                             catch_event(multiple("wait", {signal("s", "go"), signal("t", "stop")}),
                                         output("=sum", "total")) >>
                             service_task("use", job("use")) >> end());
  const Key instance = given.instance("order");
  when.broadcasts("stop", R"({"sum":7})");
  EXPECT_EQ(then.variable(instance, "total"), "7");
  EXPECT_EQ(then.variable(instance, "sum"), "absent");
  when.broadcasts("go", R"({"sum":8})");
  then.delivered(0);
}

SCENARIO(a_definition_that_cannot_be_evaluated_opens_none) {
  given.model("order.bpmn", any_of_three());
  const Key instance = given.instance("order");
  ASSERT_EQ(then.open_incidents(), 1U);
  nothing_is_open(world);
  given.sets_variables(instance, R"({"order":"1"})");
  when.resolves_incident();
  EXPECT_EQ(world.state().signals().count(), 1U);
  EXPECT_EQ(world.state().process_message_subscriptions().count(), 1U);
  when.broadcasts("go");
  then.delivered(1);
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(equal_dynamic_names_are_an_incident_that_names_the_definition) {
  given.process("order", start() >> catch_event(multiple(
                                        "wait", {signal("s", "=first"), signal("t", "=second")})) >>
                             end());
  const Key instance = given.instance("order", R"({"first":"go","second":"go"})");
  ASSERT_EQ(then.open_incidents(), 1U);
  const auto incident = then.values<IncidentRecord>(IncidentIntent::Created);
  ASSERT_EQ(incident.size(), 1U);
  EXPECT_EQ(incident.front().error_message,
            "Failed to evaluate the signal name of event definition 'wait#2' of element 'wait': "
            "the signal name 'go' is already used by event definition 'wait#1' of element 'wait'");
  EXPECT_EQ(world.state().signals().count(), 0U);
  given.sets_variables(instance, R"({"second":"stop"})");
  when.resolves_incident();
  EXPECT_EQ(world.state().signals().count(), 2U);
  when.broadcasts("stop");
  then.all_done();
}

SCENARIO(equal_dynamic_message_names_are_an_incident) {
  given.process("order", start() >>
                             catch_event(multiple("wait", {message("s", "=first", "=k"),
                                                           message("t", "=second", "=k")})) >>
                             end());
  given.instance("order", R"({"first":"go","second":"go","k":"1"})");
  const auto incident = then.values<IncidentRecord>(IncidentIntent::Created);
  ASSERT_EQ(incident.size(), 1U);
  EXPECT_EQ(incident.front().error_message,
            "Failed to open the message subscription of event definition 'wait#2' of element "
            "'wait': the message name 'go' is already used by event definition 'wait#1' of element "
            "'wait'");
  nothing_is_open(world);
}

SCENARIO(two_timers_fire_once) {
  given.process(
      "order", start() >> catch_event(multiple("wait", {timer("a", 2h), timer("b", 1h)})) >> end());
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED wait eventDefinitionId="wait#2"
    E TIMER CANCELED wait eventDefinitionId="wait#1"
  )");
  then.all_done();
}

SCENARIO(an_interrupting_boundary_event_closes_all_of_its_definitions) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship", multiple("stop", {message("m", "paid", "=order"), timer("t", 1h),
                                                   signal("s", "go"), error("e", "404")})) >>
                    end("stopped"));
  given.instance("order", R"({"order":"1"})");
  when.broadcasts("go", R"({"why":"go"})");
  then.records_of({"E PROCESS_EVENT", "E JOB", "E ELEMENT COMPLETED", "E SIGNAL_SUB", "E TIMER"},
                  R"(
    E PROCESS_EVENT TRIGGERING stop eventDefinitionId="stop#3"
    E JOB CANCELED ship
    E SIGNAL_SUBSCRIPTION DELETED go
    E TIMER CANCELED stop
    E PROCESS_EVENT TRIGGERED stop eventDefinitionId="stop#3"
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(an_error_can_win_at_a_boundary_event) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship", multiple("stop", {timer("t", 1h), error("e", "404")})) >>
                    service_task("use", job("use")) >> end("stopped"));
  const Key instance = given.instance("order");
  given.activates_jobs("ship");
  when.throws_error("ship", "404", "", R"({"why":"gone"})");
  then.records_of({"E PROCESS_EVENT", "E TIMER"}, R"(
    E PROCESS_EVENT TRIGGERING stop eventDefinitionId="stop#2"
    E TIMER CANCELED stop
    E PROCESS_EVENT TRIGGERED stop eventDefinitionId="stop#2"
  )");
  EXPECT_EQ(then.variable(instance, "why"), R"("gone")");
  given.completes_job("use");
  then.all_done();
}

SCENARIO(an_exact_code_wins_over_a_definition_that_catches_all) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", multiple("any", {signal("s", "go"), error("e")})) >> end("a"),
      boundary("ship", multiple("exact", {timer("t", 1h), error("f", "404")})) >> end("b"));
  given.instance("order");
  given.activates_jobs("ship");
  when.throws_error("ship", "404");
  then.records_of({"E PROCESS_EVENT TRIGGERING"}, R"(
    E PROCESS_EVENT TRIGGERING exact eventDefinitionId="exact#2"
  )");
  given.instance("order");
  given.activates_jobs("ship");
  when.throws_error("ship", "500");
  then.records_of({"E PROCESS_EVENT TRIGGERING"}, R"(
    E PROCESS_EVENT TRIGGERING any eventDefinitionId="any#2"
  )");
  then.all_done();
}

SCENARIO(an_escalation_is_caught_by_one_of_several_definitions) {
  given.process("order",
                start() >> subprocess("sub", start("s") >> throw_event(escalation("x", "slow")) >>
                                                 service_task("ship", job("ship")) >> end("e")) >>
                    end(),
                boundary("sub", multiple("told", {escalation("a", "slow"), signal("b", "go")}),
                         non_interrupting()) >>
                    end("t"));
  when.instance("order");
  then.records_of({"E PROCESS_EVENT", "E ESCALATION"}, R"(
    E PROCESS_EVENT TRIGGERING told eventDefinitionId="told#1"
    E PROCESS_EVENT TRIGGERED told eventDefinitionId="told#1"
    E ESCALATION ESCALATED slow catchElementId="told"
  )");
  when.broadcasts("go");
  then.delivered(1);
  given.completes_job("ship");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(B4_a_boundary_event_that_does_not_interrupt_fires_for_each_trigger) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      boundary("ship", multiple("remind", {signal("s", "go"), timer_cycle("t", "R2/PT1M")}),
               non_interrupting()) >>
          end("reminded"));
  given.instance("order");
  when.broadcasts("go");
  then.delivered(1);
  when.broadcasts("go");
  then.delivered(1);
  when.time_passes(1min);
  then.records_of({"E TIMER", "E PROCESS_EVENT TRIGGERING"}, R"(
    E TIMER TRIGGERED remind eventDefinitionId="remind#2"
    E PROCESS_EVENT TRIGGERING remind eventDefinitionId="remind#2"
    E TIMER CREATED remind eventDefinitionId="remind#2"
  )");
  when.time_passes(1min);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED remind eventDefinitionId="remind#2"
  )");
  when.broadcasts("go");
  then.delivered(1);
  EXPECT_EQ(times(world, "E ELEMENT COMPLETED remind"), 5U + 5U) << "with the ends";
  given.completes_job("ship");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(an_event_subprocess_starts_with_any_of_its_definitions) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess("stop", start(multiple("begin", {signal("s", "go"),
                                                                  message("m", "paid", "=order"),
                                                                  timer("t", 1h)})) >>
                                             service_task("use", job("use")) >> end("e")));
  const Key instance = given.instance("order", R"({"order":"1"})");
  when.publishes("paid", "1", {.variables = R"({"sum":7})"});
  then.records_of({"E PROCESS_EVENT", "E SIGNAL_SUB", "E TIMER", "E JOB"}, R"(
    E PROCESS_EVENT TRIGGERING begin eventDefinitionId="begin#2"
    E SIGNAL_SUBSCRIPTION DELETED go
    E TIMER CANCELED begin
    E JOB CANCELED ship
    E PROCESS_EVENT TRIGGERED begin eventDefinitionId="begin#2"
    E JOB CREATED use
  )");
  EXPECT_EQ(then.variable(instance, "sum"), "7");
  given.completes_job("use");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(an_event_subprocess_that_does_not_interrupt_starts_with_each_trigger) {
  given.process(
      "order", start() >> service_task("ship", job("ship")) >> end(),
      event_subprocess("note", start(multiple("begin", {signal("s", "go"), signal("t", "stop")}),
                                     non_interrupting()) >>
                                   service_task("use", job("use")) >> end("e")));
  given.instance("order");
  when.broadcasts("go");
  when.broadcasts("stop");
  when.broadcasts("go");
  EXPECT_EQ(times(world, "E JOB CREATED use"), 3U);
  for (int i = 0; i < 3; ++i) given.completes_job("use");
  given.completes_job("ship");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(a_multiple_event_can_be_behind_an_event_based_gateway) {
  given.process(
      "order",
      start() >> event_based_gateway("first") >>
          catch_event(multiple("wait", {signal("s", "go"), message("m", "paid", "=order")})) >>
          end("a"),
      from("first") >> catch_event(timer("later", 1h)) >> end("b"));
  given.instance("order", R"({"order":"1"})");
  when.publishes("paid", "1");
  then.records_of({"E PROCESS_EVENT", "E SIGNAL_SUB", "E TIMER", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#2"
    E SIGNAL_SUBSCRIPTION DELETED go
    E TIMER CANCELED later
    E ELEMENT COMPLETED first
    E PROCESS_EVENT TRIGGERED wait eventDefinitionId="wait#2"
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED a
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  nothing_is_open(world);
}

Model any_start(const std::string& message_name, const std::string& signal_name) {
  return process("order",
                 start(multiple("begin", {message("m", message_name), signal("s", signal_name),
                                          timer_cycle("t", "R/PT1H")})) >>
                     service_task("ship", job("ship")) >> end());
}

SCENARIO(B5_each_definition_of_a_start_event_starts_an_instance_by_itself) {
  given.model("order.bpmn", any_start("paid", "go"));
  when.publishes("paid", "", {.variables = R"({"sum":7})"});
  then.records_of({"E PROCESS_EVENT", "E MESSAGE_START", "E JOB"}, R"(
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED paid eventDefinitionId="begin#1"
    E PROCESS_EVENT TRIGGERING begin eventDefinitionId="begin#1"
    E PROCESS_EVENT TRIGGERED begin eventDefinitionId="begin#1"
    E JOB CREATED ship
  )");
  when.broadcasts("go");
  then.delivered(1);
  then.records_of({"E PROCESS_EVENT", "E JOB"}, R"(
    E PROCESS_EVENT TRIGGERING begin eventDefinitionId="begin#2"
    E PROCESS_EVENT TRIGGERED begin eventDefinitionId="begin#2"
    E JOB CREATED ship
  )");
  when.time_passes(1h);
  then.records_of({"E PROCESS_EVENT", "E JOB"}, R"(
    E PROCESS_EVENT TRIGGERING begin eventDefinitionId="begin#3"
    E PROCESS_EVENT TRIGGERED begin eventDefinitionId="begin#3"
    E JOB CREATED ship
  )");
  for (int i = 0; i < 3; ++i) given.completes_job("ship");
  then.all_done();
}

SCENARIO(B5_a_new_version_replaces_all_subscriptions_of_a_start_event) {
  given.model("order.bpmn", any_start("paid", "go"));
  when.model("order.bpmn", any_start("bought", "run"));
  then.records_of({"E MESSAGE_START", "E TIMER", "E SIGNAL_SUB"}, R"(
    E TIMER CANCELED begin
    E TIMER CREATED begin eventDefinitionId="begin#3"
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED paid
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED bought eventDefinitionId="begin#1"
    E SIGNAL_SUBSCRIPTION DELETED go
    E SIGNAL_SUBSCRIPTION CREATED run eventDefinitionId="begin#2"
  )");
  when.publishes("paid");
  when.broadcasts("go");
  EXPECT_EQ(times(world, "E JOB CREATED ship"), 0U);
  when.publishes("bought");
  when.broadcasts("run");
  EXPECT_EQ(times(world, "E JOB CREATED ship"), 2U);
  when.deletes(given.definition("order"));
  then.records_of({"E MESSAGE_START", "E TIMER", "E SIGNAL_SUB"}, R"(
    E TIMER CANCELED begin
    E TIMER CREATED begin eventDefinitionId="begin#3"
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED bought
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED paid eventDefinitionId="begin#1"
    E SIGNAL_SUBSCRIPTION DELETED run
    E SIGNAL_SUBSCRIPTION CREATED go eventDefinitionId="begin#2"
  )");
  when.deletes(given.definition("order"));
  EXPECT_EQ(world.state().timers().next_due(), std::nullopt);
  EXPECT_EQ(world.state().signals().count(), 0U);
}

SCENARIO_STEP_BY_STEP(B2_the_first_trigger_on_the_log_wins) {
  given.model("order.bpmn", any_of_three());
  given.instance("order", R"({"order":"1"})");
  when.appends_behind_others([&] {
    given.publishes("paid", "1");
    given.broadcasts("go");
  });
  then.records_of({"E PROCESS_EVENT TRIGGERING", "R"}, R"(
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#3"
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE rejection=INVALID_STATE
    R MESSAGE_SUBSCRIPTION DELETE rejection=NOT_FOUND
  )");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO_STEP_BY_STEP(B2_a_trigger_before_the_cancellation_leaves_nothing_open) {
  given.model("order.bpmn", any_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  when.appends_behind_others([&] {
    given.broadcasts("go");
    given.cancels(instance);
  });
  then.records_of(
      {"E PROCESS_EVENT TRIGGERING", "E ELEMENT TERMINATED wait", "E ELEMENT COMPLETED wait"},
      R"(
    E PROCESS_EVENT TRIGGERING wait eventDefinitionId="wait#3"
    E ELEMENT COMPLETED wait
  )");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO_STEP_BY_STEP(B2_a_cancellation_before_the_trigger_leaves_nothing_open) {
  given.model("order.bpmn", any_of_three());
  const Key instance = given.instance("order", R"({"order":"1"})");
  when.appends([&] {
    given.submits(record::ProcessInstanceIntent::TerminateElement, instance,
                  record::ProcessInstanceRecord{});
    given.broadcasts("go");
    given.publishes("paid", "1");
  });
  then.records_of({"E PROCESS_EVENT TRIGGERING", "E ELEMENT TERMINATED wait"}, R"(
    E ELEMENT TERMINATED wait
  )");
  then.all_done();
  nothing_is_open(world);
}

SCENARIO(a_definition_that_is_not_built_is_refused_with_its_event) {
  when.model(
      "order.bpmn",
      process("order", start() >>
                           throw_event(multiple("tell", {signal("s", "go"), message("m", "paid")}),
                                       extension("zeebe:publishMessage", {})) >>
                           end()));
  then.rejected(RejectionType::InvalidArgument, "tell");
}

}  // namespace
}  // namespace beeline::testing
