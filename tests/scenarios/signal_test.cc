#include "tests/scenarios/signal_models.h"

// Elements that wait for signals, and elements that throw them (spec: signals 1, 3;
// scenarios/messages 9, 10).
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;
using record::SignalSubscriptionIntent;
using record::SignalSubscriptionRecord;

SCENARIO(FS1_FS11_a_catch_event_goes_on_with_its_signal) {
  given.model("order.bpmn", one_signal_catch());
  when.instance("order", R"({"x":1})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE wait
    ...
    E ELEMENT ACTIVATING wait
    E SIGNAL_SUBSCRIPTION CREATED go catchEventId="wait" bpmnProcessId="order"
    E ELEMENT ACTIVATED wait
  )");
  when.broadcasts("go");
  then.delivered(1);
  then.records(R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING wait
    C ELEMENT COMPLETE wait
    E ELEMENT COMPLETING wait
    E PROCESS_EVENT TRIGGERED wait
    E SIGNAL_SUBSCRIPTION DELETED go
    E ELEMENT COMPLETED wait
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN wait_end
    C ELEMENT ACTIVATE end
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SG1_a_subscription_names_its_element_and_its_instance) {
  given.model("order.bpmn", one_signal_catch());
  when.instance("order");
  const auto created = then.values<SignalSubscriptionRecord>(SignalSubscriptionIntent::Created);
  ASSERT_EQ(created.size(), 1U);
  EXPECT_EQ(created.front().element_instance_key, given.element("wait"));
  EXPECT_EQ(created.front().process_instance_key, given.element("order"));
  EXPECT_EQ(created.front().process_definition_key, given.definition("order"));
  EXPECT_EQ(created.front().tenant_id, "<default>");
}

SCENARIO(FS7_S8_SG1_a_signal_that_nobody_waits_for_is_gone) {
  given.model("order.bpmn", one_signal_catch());
  when.broadcasts("go");
  then.delivered(0);
  then.records(R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
  )");
  given.instance("order");
  EXPECT_EQ(world.state().signals().count(), 1U);
  when.broadcasts("Go");
  then.delivered(0);
  when.broadcasts("go");
  then.delivered(1);
  when.broadcasts("go");
  then.delivered(0);
}

SCENARIO(a_signal_without_a_name_is_rejected) {
  when.broadcasts("");
  then.rejected(RejectionType::InvalidArgument, "non-empty name");
}

SCENARIO(another_tenant_receives_nothing) {
  given.model("order.bpmn", one_signal_catch());
  given.instance("order");
  record::SignalRecord signal;
  signal.signal_name = "go";
  signal.tenant_id = "acme";
  when.submits(record::SignalIntent::Broadcast, Key{}, signal);
  then.delivered(0);
  when.broadcasts("go");
  then.delivered(1);
}

SCENARIO(FS5_a_boundary_event_interrupts_its_task) {
  given.model("order.bpmn", signal_boundary());
  given.instance("order");
  when.broadcasts("go");
  then.delivered(1);
  then.records(R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING stop
    C ELEMENT TERMINATE ship
    E ELEMENT TERMINATING ship
    E JOB CANCELED ship
    E SIGNAL_SUBSCRIPTION DELETED go
    E ELEMENT TERMINATED ship
    E PROCESS_EVENT TRIGGERED stop
    E ELEMENT ACTIVATING stop
    E ELEMENT ACTIVATED stop
    C ELEMENT COMPLETE stop
    ...
    E ELEMENT COMPLETED stopped
    ...
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(FS7_a_task_that_is_done_is_not_interrupted) {
  given.model("order.bpmn", signal_boundary());
  given.instance("order");
  given.completes_job("ship");
  then.no_signals_left();
  when.broadcasts("go");
  then.delivered(0);
}

SCENARIO(S1_SG4_a_non_interrupting_boundary_event_fires_again_and_again) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                boundary("ship", signal("remind", "go"), non_interrupting()) >> end("reminded"));
  given.instance("order");
  for (int round = 0; round < 2; ++round) {
    when.broadcasts("go");
    then.delivered(1);
    then.records_of({"E ELEMENT COMPLETED"}, R"(
      E ELEMENT COMPLETED remind
      E ELEMENT COMPLETED reminded
    )");
  }
  EXPECT_EQ(world.state().signals().count(), 1U);
  given.completes_job("ship");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(S2_an_interrupting_event_subprocess_ends_its_scope) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess("esp", start(signal("stop", "go")) >> task("clean") >> end()));
  given.instance("order");
  when.broadcasts("go", R"({"why":"late"})");
  then.delivered(1);
  then.records_of(
      {"E SIGNAL", "E JOB", "E ELEMENT COMPLETED", "E ELEMENT TERMINATED", "E VARIABLE"},
      R"(
    E SIGNAL BROADCASTED go
    E SIGNAL_SUBSCRIPTION DELETED go
    E JOB CANCELED ship
    E ELEMENT TERMINATED ship
    E VARIABLE CREATED why value="\"late\""
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED clean
    ...
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(S2_a_non_interrupting_event_subprocess_runs_beside_its_scope) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                event_subprocess("esp", start(signal("note", "go"), non_interrupting()) >>
                                            service_task("write", job("write")) >> end()));
  given.instance("order");
  when.broadcasts("go");
  then.delivered(1);
  when.broadcasts("go");
  then.delivered(1);
  EXPECT_EQ(given.activates_jobs("write").size(), 2U);
  given.completes_job("write");
  given.completes_job("write");
  given.completes_job("ship");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(S3_an_event_based_gateway_takes_the_first_event) {
  given.process(
      "order",
      start() >> event_based_gateway("gate") >> catch_event(signal("went", "go")) >> end("gone"),
      from("gate") >> catch_event(timer("late", 1h)) >> end("too_late"));
  when.instance("order");
  then.records_of({"E TIMER", "E SIGNAL"}, R"(
    E TIMER CREATED late
    E SIGNAL_SUBSCRIPTION CREATED go catchEventId="went"
  )");
  when.broadcasts("go", R"({"x":1})");
  then.delivered(1);
  then.records(R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING went
    C ELEMENT COMPLETE gate
    E ELEMENT COMPLETING gate
    E SIGNAL_SUBSCRIPTION DELETED go
    E TIMER CANCELED late
    E ELEMENT COMPLETED gate
    E PROCESS_EVENT TRIGGERED went
    E ELEMENT ACTIVATING went
    E ELEMENT ACTIVATED went
    E VARIABLE CREATED x
    C ELEMENT COMPLETE went
    E ELEMENT COMPLETING went
    E VARIABLE CREATED x value="1"
    E ELEMENT COMPLETED went
    ...
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(FS12_two_catches_of_one_instance_both_receive) {
  given.process("order",
                start() >> parallel_gateway("fork") >> catch_event(signal("a", "go")) >>
                    parallel_gateway("join") >> end(),
                from("fork") >> catch_event(signal("b", "go")) >> to("join"));
  given.instance("order");
  when.broadcasts("go");
  then.delivered(2);
  then.all_done();
}

SCENARIO(FS4_all_instances_receive_in_the_order_of_their_subscriptions) {
  given.model("order.bpmn", one_signal_catch());
  given.instance("order");
  const Key first = given.element("wait");
  given.instance("order");
  const Key second = given.element("wait");
  when.broadcasts("go");
  then.delivered(2);
  const auto triggers =
      then.values<record::ProcessEventRecord>(record::ProcessEventIntent::Triggering);
  ASSERT_EQ(triggers.size(), 2U);
  EXPECT_EQ(triggers[0].scope_key, first);
  EXPECT_EQ(triggers[1].scope_key, second);
  then.all_done();
}

SCENARIO(S9_an_instance_that_comes_back_to_its_catch_waits_for_the_next_signal) {
  given.process("order", start() >> exclusive_gateway("again") >>
                             catch_event(signal("wait", "go")) >> to("again"));
  const Key instance = given.instance("order");
  for (int round = 0; round < 3; ++round) {
    when.broadcasts("go");
    then.delivered(1);
    then.records_of({"E ELEMENT COMPLETED"}, R"(
      E ELEMENT COMPLETED wait
      E ELEMENT COMPLETED again
    )");
  }
  given.cancels(instance);
  then.all_done();
  then.no_signals_left();
}

SCENARIO(S10_SG2_the_payload_goes_where_that_of_a_message_goes) {
  given.process("plain",
                start() >> catch_event(signal("a", "go")) >> service_task("t", job("t")) >> end());
  given.process("mapped", start() >> catch_event(signal("b", "go"), output("=x + 1", "y")) >>
                              service_task("u", job("t")) >> end());
  const Key plain = given.instance("plain", R"({"x":0})");
  const Key mapped = given.instance("mapped", R"({"x":0})");
  when.broadcasts("go", R"({"x":7,"z":8})");
  then.delivered(2);
  EXPECT_EQ(then.variable(plain, "x"), "7");
  EXPECT_EQ(then.variable(plain, "z"), "8");
  EXPECT_EQ(then.variable(mapped, "x"), "0");
  EXPECT_EQ(then.variable(mapped, "y"), "8");
  EXPECT_EQ(then.variable(mapped, "z"), "absent");
}

SCENARIO(S14_a_name_may_be_an_expression) {
  given.process("order", start() >> catch_event(signal("wait", "=\"go-\" + kind")) >> end());
  given.instance("order", R"({"kind":"a"})");
  when.broadcasts("go-a");
  then.delivered(1);
  then.all_done();
  when.instance("order", R"({"kind":7})");
  then.records_of(kSignals, "");
  const auto incidents = then.values<IncidentRecord>(IncidentIntent::Created);
  ASSERT_EQ(incidents.size(), 1U);
  EXPECT_EQ(incidents.front().error_type, record::ErrorType::ExtractValueError);
  given.sets_variables(given.element("order"), R"({"kind":"b"})");
  given.resolves_incident();
  when.broadcasts("go-b");
  then.delivered(1);
  then.all_done();
}

SCENARIO(S14_an_empty_or_a_long_name_is_an_incident) {
  given.process("order", start() >> catch_event(signal("wait", "=name")) >> end());
  given.process("thrower", start() >> throw_event(signal("shout", "=name")) >> end());
  const std::string most(32'768, 'x');
  given.instance("order", fmt::format(R"({{"name":"{}"}})", most));
  EXPECT_EQ(then.open_incidents(), 0U);
  std::size_t incidents = 0;
  for (const std::string& name : {std::string{}, most + "x"}) {
    for (const char* id : {"order", "thrower"}) {
      when.instance(id, fmt::format(R"({{"name":"{}"}})", name));
      then.records_of(kSignals, "");
      EXPECT_EQ(then.open_incidents(), ++incidents);
    }
  }
}

SCENARIO(SC14_the_name_of_a_boundary_event_is_evaluated_in_its_host) {
  given.process(
      "order",
      start() >> service_task("ship", job("ship"), input("=\"go-\" + kind", "name")) >> end(),
      boundary("ship", signal("stop", "=name")) >> end("stopped"));
  given.instance("order", R"({"kind":"a"})");
  when.broadcasts("go-a");
  then.delivered(1);
  then.all_done();
}

SCENARIO(SC14_one_name_twice_on_a_host_is_an_incident) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship", signal("a", "=first")) >> end("ended_a"),
                boundary("ship", signal("b", "=second")) >> end("ended_b"));
  when.instance("order", R"({"first":"go","second":"go"})");
  then.records_of(kSignals, "");
  const auto incidents = then.values<IncidentRecord>(IncidentIntent::Created);
  ASSERT_EQ(incidents.size(), 1U);
  EXPECT_NE(incidents.front().error_message.find("already used by element 'a'"), std::string::npos)
      << incidents.front().error_message;
  given.sets_variables(given.element("order"), R"({"second":"stay"})");
  given.resolves_incident();
  EXPECT_EQ(world.state().signals().count(), 2U);
  when.broadcasts("stay");
  then.delivered(1);
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SC16_children_of_a_multi_instance_wait_each_for_itself) {
  given.process(
      "order", start() >> subprocess("each", multi_instance({.input_collection = "=[1,2,3]"}),
                                     start("s") >> catch_event(signal("wait", "go")) >> end("e")) >>
                   end());
  given.instance("order");
  EXPECT_EQ(world.state().signals().count(), 3U);
  when.broadcasts("go");
  then.delivered(3);
  then.all_done();
  then.no_signals_left();
}

SCENARIO(FS2_FS8_SG3_a_throw_event_reaches_others_and_goes_on) {
  given.model("order.bpmn", one_signal_catch());
  given.process("thrower", start() >> throw_event(signal("shout", "go")) >>
                               service_task("t", job("t")) >> end());
  when.instance("thrower");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE shout
    ...
    E ELEMENT ACTIVATING shout
    C SIGNAL BROADCAST go
    E ELEMENT ACTIVATED shout
    C ELEMENT COMPLETE shout
    E SIGNAL BROADCASTED go
    E ELEMENT COMPLETING shout
    E ELEMENT COMPLETED shout
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN shout_t
    C ELEMENT ACTIVATE t
    ...
    E JOB CREATED t
    E ELEMENT ACTIVATED t
  )");
  given.instance("order");
  when.instance("thrower");
  then.records_of({"E ELEMENT COMPLETED wait", "E JOB CREATED"}, R"(
    E ELEMENT COMPLETED wait
    E JOB CREATED t
  )");
  then.no_signals_left();
}

SCENARIO(S11_SG3_a_thrown_signal_carries_its_input_mappings_and_nothing_else) {
  given.process("order", start() >> catch_event(signal("wait", "go")) >>
                             service_task("t", job("t")) >> end());
  given.process("bare", start() >> throw_event(signal("shout", "go")) >> end());
  given.process("mapped", start() >> throw_event(signal("shout", "go"), input("=x", "y.z"),
                                                 output("=y.z", "told")) >>
                              service_task("u", job("u")) >> end());
  const Key first = given.instance("order");
  given.instance("bare", R"({"x":1})");
  EXPECT_EQ(then.variable(first, "x"), "absent");
  const Key second = given.instance("order");
  const Key thrower = given.instance("mapped", R"({"x":1})");
  EXPECT_EQ(then.variable(second, "y"), R"({"z":1})");
  EXPECT_EQ(then.variable(second, "x"), "absent");
  EXPECT_EQ(then.variable(thrower, "told"), "1");
  EXPECT_EQ(then.variable(thrower, "y"), "absent");
}

SCENARIO(S12_an_end_event_throws_and_ends_its_path) {
  given.model("order.bpmn", one_signal_catch());
  given.instance("order");
  given.process("thrower", start() >> end(signal("shout", "go")));
  when.instance("thrower");
  then.records_of({"C SIGNAL", "E SIGNAL", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED start
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E ELEMENT COMPLETED shout
    E SIGNAL_SUBSCRIPTION DELETED go
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED thrower
    ...
  )");
  then.all_done();
  then.no_signals_left();
}

// F-S3: whichever branch of the split is taken first.
SCENARIO(FS3_an_instance_receives_its_own_signal) {
  given.process("catch_first",
                start() >> parallel_gateway("fork") >> catch_event(signal("wait", "go")) >>
                    parallel_gateway("join") >> end(),
                from("fork") >> throw_event(signal("shout", "go")) >> to("join"));
  given.process("throw_first",
                start() >> parallel_gateway("fork") >> throw_event(signal("shout", "go")) >>
                    parallel_gateway("join") >> end(),
                from("fork") >> catch_event(signal("wait", "go")) >> to("join"));
  for (const char* id : {"catch_first", "throw_first"}) {
    SCOPED_TRACE(id);
    given.instance(id);
    then.all_done();
    then.no_signals_left();
  }
}

// The throw event is two levels below the host of the boundary event.
SCENARIO(SC13_a_throw_event_ends_the_host_around_it) {
  given.process(
      "order",
      start() >>
          subprocess("host",
                     start("s1") >>
                         subprocess("inner", start("s2") >> throw_event(signal("shout", "go")) >>
                                                 service_task("t", job("t")) >> end("e2")) >>
                         end("e1")) >>
          end("done"),
      boundary("host", signal("stop", "go")) >> end("stopped"));
  when.instance("order");
  then.records_of({"E JOB", "E ELEMENT COMPLETED", "R"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED s1
    E ELEMENT COMPLETED s2
    E ELEMENT COMPLETED shout
    R ELEMENT ACTIVATE rejection=INVALID_STATE
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SC13_a_throw_event_ends_the_scope_of_an_event_subprocess) {
  given.process(
      "order",
      start() >>
          subprocess("middle",
                     start("s1") >>
                         subprocess("inner", start("s2") >> throw_event(signal("shout", "go")) >>
                                                 service_task("t", job("t")) >> end("e2")) >>
                         end("e1")) >>
          end("done"),
      event_subprocess("esp", start(signal("stop", "go")) >> end("stopped")));
  when.instance("order");
  then.records_of({"E JOB", "E ELEMENT COMPLETED", "R"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED s1
    E ELEMENT COMPLETED s2
    E ELEMENT COMPLETED shout
    R ELEMENT ACTIVATE rejection=INVALID_STATE
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED esp
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SC13_a_called_process_ends_the_call_activity_around_it) {
  given.process("child", start() >> throw_event(signal("shout", "go")) >>
                             service_task("t", job("t")) >> end());
  given.process("order", start() >> call_activity("call", "child") >> end("done"),
                boundary("call", signal("stop", "go")) >> end("stopped"));
  when.instance("order");
  then.records_of({"E JOB", "E ELEMENT COMPLETED stop", "R"}, R"(
    R ELEMENT ACTIVATE rejection=INVALID_STATE
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SC13_a_throw_event_at_the_end_of_its_host) {
  given.process(
      "order",
      start() >> subprocess("host", start("s1") >> end(signal("shout", "go"))) >> end("done"),
      boundary("host", signal("stop", "go")) >> end("stopped"));
  when.instance("order");
  then.records_of(
      {"E ELEMENT COMPLETED stop", "E ELEMENT COMPLETED done", "E ELEMENT COMPLETED host"},
      R"(
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(S16_an_output_mapping_that_fails_is_an_incident_of_its_receiver) {
  given.model("order.bpmn", one_signal_catch());
  given.process(
      "mapped",
      start() >> catch_event(signal("bad", "go"), output("=assert(x, x != null)", "y")) >> end());
  given.instance("mapped");
  given.instance("order");
  when.broadcasts("go");
  then.delivered(2);
  EXPECT_EQ(then.open_incidents(), 1U);
  given.sets_variables(given.element("mapped"), R"({"x":1})");
  given.resolves_incident();
  then.all_done();
  then.no_signals_left();
}

SCENARIO(FS6_SC10_a_signal_closes_the_other_boundary_events_of_its_host) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship", signal("stop", "go")) >> end("stopped"),
                boundary("ship", signal("other", "stay")) >> end("stayed"),
                boundary("ship", timer("late", 1h)) >> end("too_late"),
                boundary("ship", message("paid", "paid", "=1")) >> end("was_paid"));
  given.instance("order");
  when.broadcasts("go");
  then.delivered(1);
  then.records_of({"E TIMER", "E SIGNAL_SUBSCRIPTION", "E PROCESS_MESSAGE", "E MESSAGE"}, R"(
    E SIGNAL_SUBSCRIPTION DELETED go
    E SIGNAL_SUBSCRIPTION DELETED stay
    E TIMER CANCELED late
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING paid
    E MESSAGE_SUBSCRIPTION DELETED paid
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED paid
  )");
  then.all_done();
  then.no_signals_left();
  then.no_messages_left();
  when.correlates("paid", "1");
  then.rejected(RejectionType::NotFound, "paid");
  when.broadcasts("stay");
  then.delivered(0);
}

// SC11: whichever of the boundary events fires, the others are closed.
SCENARIO(SC11_every_kind_of_boundary_event_closes_the_others) {
  given.process("order", start() >> service_task("ship", job("ship")) >> end(),
                boundary("ship", signal("stop", "go")) >> end("stopped"),
                boundary("ship", timer("late", 1h)) >> end("too_late"),
                boundary("ship", message("paid", "paid", "=1")) >> end("was_paid"));
  const std::vector<std::function<void()>> triggers = {
      [&] { given.broadcasts("go"); },
      [&] { given.time_passes(1h); },
      [&] { given.publishes("paid", "1"); },
  };
  for (const auto& trigger : triggers) {
    given.instance("order");
    trigger();
    then.all_done();
    then.no_signals_left();
    then.no_messages_left();
    EXPECT_FALSE(world.state().timers().next_due());
    for (const auto& late : triggers) late();
    then.all_done();
  }
}

SCENARIO(SC10_an_event_subprocess_leaves_the_boundary_events_of_its_scope_open) {
  given.process(
      "order",
      start() >>
          subprocess(
              "scope", start("s") >> service_task("ship", job("ship")) >> end("e"),
              event_subprocess("esp", start(signal("inner", "go")) >>
                                          service_task("clean", job("clean")) >> end("cleaned")),
              event_subprocess("other", start(signal("late", "stay")) >> end("stayed"))) >>
          end("done"),
      boundary("scope", signal("stop", "halt")) >> end("stopped"));
  given.instance("order");
  when.broadcasts("go");
  then.delivered(1);
  then.records_of({"E SIGNAL_SUBSCRIPTION"}, R"(
    E SIGNAL_SUBSCRIPTION DELETED go
    E SIGNAL_SUBSCRIPTION DELETED stay
  )");
  when.broadcasts("stay");
  then.delivered(0);
  when.broadcasts("halt");
  then.delivered(1);
  then.records_of({"E JOB", "E ELEMENT COMPLETED"}, R"(
    E JOB CANCELED clean
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_signals_left();
}

SCENARIO(a_canceled_instance_closes_its_subscriptions) {
  given.model("order.bpmn", one_signal_catch());
  given.model("task.bpmn", signal_boundary("task"));
  const std::vector<Key> instances = {given.instance("order"), given.instance("task")};
  for (const Key instance : instances) given.cancels(instance);
  then.all_done();
  then.no_signals_left();
}

SCENARIO(SC12_subscriptions_survive_a_restart) {
  given.model("order.bpmn", one_signal_catch());
  given.model("task.bpmn", signal_boundary("task"));
  given.instance("order");
  given.instance("task");
  world.restart();
  when.broadcasts("go");
  then.delivered(2);
  then.all_done();
  then.no_signals_left();
}

}  // namespace
}  // namespace beeline::testing
