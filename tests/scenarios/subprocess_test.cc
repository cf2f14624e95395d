#include "tests/support/scenario.h"

// Embedded and event subprocesses (spec: elements/scopes 2, 3; scenarios/execution 6).
namespace beeline::testing {
namespace {

using record::TimerIntent;
using record::TimerRecord;

SCENARIO(SP1_a_subprocess_runs_from_its_start_event_to_its_last_path) {
  given.process("order", start() >> subprocess("pack", start("inner") >>
                                                           service_task("wrap", job("wrapper")) >>
                                                           end("wrapped")) >>
                             end());
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE pack
    E ELEMENT ACTIVATING pack
    E ELEMENT ACTIVATED pack
    C ELEMENT ACTIVATE inner
    E ELEMENT ACTIVATING inner
    E ELEMENT ACTIVATED inner
    C ELEMENT COMPLETE inner
    E ELEMENT COMPLETING inner
    E ELEMENT COMPLETED inner
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN inner_wrap
    ...
    E ELEMENT ACTIVATED wrap
  )");
  when.completes_job("wrapper");
  then.records(R"(
    ...
    E ELEMENT COMPLETED wrapped
    C ELEMENT COMPLETE pack
    E ELEMENT COMPLETING pack
    E ELEMENT COMPLETED pack
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN pack_end
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(SP1_subprocesses_nest_and_run_paths_at_once) {
  given.process(
      "order",
      start() >>
          subprocess(
              "outer",
              start("s1") >>
                  subprocess("inner", start("s2") >> service_task("a", job("a")) >> end("e2"),
                             from("s2") >> service_task("b", job("b")) >> end("e3")) >>
                  end("e1")) >>
          end());
  given.instance("order");
  when.completes_job("a");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED a
    E ELEMENT COMPLETED e2
  )");
  when.completes_job("b");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED b
    E ELEMENT COMPLETED e3
    E ELEMENT COMPLETED inner
    E ELEMENT COMPLETED e1
    E ELEMENT COMPLETED outer
    E ELEMENT COMPLETED end
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(SP1_a_subprocess_is_terminated_with_a_token_at_its_join) {
  given.process("order",
                start() >>
                    subprocess("pack",
                               start("s") >> parallel_gateway("fork") >> task("quick") >>
                                   parallel_gateway("join") >> end("e"),
                               from("fork") >> service_task("slow", job("slow")) >> to("join")) >>
                    end());
  const Key instance = given.instance("order");
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINAT"}, R"(
    E ELEMENT TERMINATING order
    E ELEMENT TERMINATING pack
    E ELEMENT TERMINATING slow
    E ELEMENT TERMINATED slow
    E ELEMENT TERMINATED pack
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

Model guarded() {
  return process(
      "order",
      start() >>
          subprocess("pack",
                     start("inner") >> service_task("wrap", job("wrapper")) >> end("wrapped"),
                     event_subprocess("hurry", start(timer("soon", 1h)) >>
                                                   service_task("rush", job("rusher")) >>
                                                   end("hurried"))) >>
          end("packed"),
      boundary("pack", timer("late", 2h)) >> end("expired"));
}

SCENARIO(SP2_a_subprocess_listens_once_its_start_event_is_through) {
  given.model("order.bpmn", guarded());
  when.instance("order");
  then.records_of({"E ELEMENT ACTIVATED pack", "E ELEMENT COMPLETING inner", "E TIMER",
                   "E ELEMENT COMPLETED inner"},
                  R"(
    E ELEMENT ACTIVATED pack
    E ELEMENT COMPLETING inner
    E TIMER CREATED soon
    E TIMER CREATED late
    E ELEMENT COMPLETED inner
  )");
}

SCENARIO(SP2_a_boundary_event_terminates_the_children_first) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> service_task("wrap", job("wrapper")) >>
                                           end("wrapped")) >>
                    end("packed"),
                boundary("pack", timer("late", 2h)) >> end("expired"));
  given.instance("order");
  when.time_passes(2h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED late
    E PROCESS_EVENT TRIGGERING late
    C ELEMENT TERMINATE pack
    E ELEMENT TERMINATING pack
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE wrap
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING wrap
    E JOB CANCELED wrapper
    E ELEMENT TERMINATED wrap
    E ELEMENT TERMINATED pack
    E PROCESS_EVENT TRIGGERED late
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATED late
    C ELEMENT COMPLETE late
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(SP2_a_boundary_expression_that_fails_is_an_incident_on_the_start_event) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> service_task("wrap", job("wrapper")) >>
                                           end("wrapped")) >>
                    end("packed"),
                boundary("pack", timer("late", "=limit")) >> end("expired"));
  const Key instance = when.instance("order");
  then.records_of({"E INCIDENT", "E TIMER", "E ELEMENT COMPLETED inner"},
                  "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"inner\"");
  given.sets_variables(instance, R"({"limit":"PT1H"})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E TIMER CREATED late
    E ELEMENT COMPLETED inner
    ...
    E ELEMENT ACTIVATED wrap
  )");
}

SCENARIO(SP3_inputs_are_local_and_outputs_go_out) {
  given.process("order",
                start() >>
                    subprocess("pack", input("=a + 1", "local"), output("=local * 10", "result"),
                               start("inner") >>
                                   service_task("wrap", job("wrapper"), output("=x", "local")) >>
                                   end("wrapped")) >>
                    service_task("ship", job("courier")) >> end());
  const Key instance = when.instance("order", R"({"a":1})");
  then.records_of({"E VARIABLE", "E ELEMENT ACTIVATING pack", "E ELEMENT ACTIVATED pack"}, R"(
    E VARIABLE CREATED a
    E ELEMENT ACTIVATING pack
    E VARIABLE CREATED local value="2"
    E ELEMENT ACTIVATED pack
  )");
  when.completes_job("wrapper", R"({"x":5})");
  then.records_of({"E VARIABLE", "E ELEMENT COMPLETING pack", "E ELEMENT COMPLETED pack"}, R"(
    E VARIABLE CREATED x
    E VARIABLE UPDATED local value="5"
    E ELEMENT COMPLETING pack
    E VARIABLE CREATED result value="50"
    E ELEMENT COMPLETED pack
  )");
  EXPECT_EQ(then.variable(instance, "result"), "50");
  EXPECT_EQ(then.variable(instance, "local"), "absent");
}

SCENARIO(SP3_local_variables_vanish_with_the_subprocess) {
  given.process("order", start() >>
                             subprocess("pack", input("=1", "local"),
                                        start("inner") >> service_task("wrap", job("wrapper")) >>
                                            end("wrapped")) >>
                             service_task("ship", job("courier")) >> end());
  const Key instance = given.instance("order");
  when.completes_job("wrapper", R"({"local":2,"other":3})");
  EXPECT_EQ(then.variable(instance, "local"), "absent");
  EXPECT_EQ(then.variable(instance, "other"), "3");
}

SCENARIO(EV1_an_interrupting_timer_event_subprocess_of_the_process) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      event_subprocess("hurry", start(timer("soon", 1h)) >> service_task("rush", job("rusher")) >>
                                    end("hurried")));
  when.instance("order");
  then.records_of({"E ELEMENT COMPLETING start", "E TIMER", "E ELEMENT COMPLETED start"}, R"(
    E ELEMENT COMPLETING start
    E TIMER CREATED soon
    E ELEMENT COMPLETED start
  )");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED soon
    E PROCESS_EVENT TRIGGERING soon
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    C ELEMENT ACTIVATE hurry
    E ELEMENT ACTIVATING hurry
    E ELEMENT ACTIVATED hurry
    C ELEMENT ACTIVATE soon
    E ELEMENT ACTIVATING soon
    E ELEMENT ACTIVATED soon
    C ELEMENT COMPLETE soon
    E ELEMENT COMPLETING soon
    E PROCESS_EVENT TRIGGERED soon
    E ELEMENT COMPLETED soon
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN soon_rush
    ...
    E ELEMENT ACTIVATED rush
  )");
  when.completes_job("rusher");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED rush
    E ELEMENT COMPLETED hurried
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV1_a_non_interrupting_timer_event_subprocess_of_the_process) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      event_subprocess("remind", start(timer_cycle("hourly", "R2/PT1H"), non_interrupting()) >>
                                     end("reminded")));
  given.instance("order");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED hourly
    E PROCESS_EVENT TRIGGERING hourly
    C ELEMENT ACTIVATE remind
    E TIMER CREATED hourly
    E ELEMENT ACTIVATING remind
    E ELEMENT ACTIVATED remind
    C ELEMENT ACTIVATE hourly
    E ELEMENT ACTIVATING hourly
    E ELEMENT ACTIVATED hourly
    C ELEMENT COMPLETE hourly
    E ELEMENT COMPLETING hourly
    E PROCESS_EVENT TRIGGERED hourly
    E ELEMENT COMPLETED hourly
    ...
    E ELEMENT COMPLETED remind
  )");
  when.completes_job("courier");
  then.records_of({"E TIMER", "E ELEMENT COMPLETED order"}, R"(
    E TIMER CANCELED hourly
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV1_event_subprocesses_inside_a_subprocess) {
  given.model("order.bpmn", guarded());
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E TIMER", "E ELEMENT TERMINATED", "E ELEMENT ACTIVATED"}, R"(
    E TIMER TRIGGERED soon
    E ELEMENT TERMINATED wrap
    E ELEMENT ACTIVATED hurry
    E ELEMENT ACTIVATED soon
    E ELEMENT ACTIVATED rush
  )");
  when.completes_job("rusher");
  then.records_of({"E TIMER", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED rush
    E ELEMENT COMPLETED hurried
    E ELEMENT COMPLETED hurry
    E TIMER CANCELED late
    E ELEMENT COMPLETED pack
    E ELEMENT COMPLETED packed
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV2_an_interruption_closes_the_other_event_subprocesses_but_not_the_boundary_events) {
  given.process(
      "order",
      start() >>
          subprocess("pack",
                     start("inner") >> service_task("wrap", job("wrapper")) >> end("wrapped"),
                     event_subprocess("first", start(timer("t1", 1h)) >>
                                                   service_task("a", job("a")) >> end("e1")),
                     event_subprocess("second", start(timer("t2", 90min)) >> end("e2")),
                     event_subprocess(
                         "third", start(timer("t3", 91min), non_interrupting()) >> end("e3"))) >>
          end("packed"),
      boundary("pack", timer("late", 2h)) >> end("expired"));
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED t1
    E TIMER CANCELED t2
    E TIMER CANCELED t3
  )");
  when.time_passes(1h);
  then.records_of({"E TIMER", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED first
    E ELEMENT TERMINATED pack
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV3_two_instances_of_a_non_interrupting_one_have_their_own_variables) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                event_subprocess("remind", input("=n", "mine"),
                                 start(timer_cycle("hourly", "R2/PT1H"), non_interrupting()) >>
                                     service_task("call", job("caller")) >> end("called")));
  const Key instance = given.instance("order", R"({"n":1})");
  given.time_passes(1h);
  const Key first = given.element("remind");
  given.sets_variables(instance, R"({"n":2})");
  given.time_passes(1h);
  const Key second = given.element("remind");
  ASSERT_NE(first, second);
  EXPECT_EQ(then.variable(first, "mine"), "1");
  EXPECT_EQ(then.variable(second, "mine"), "2");
  given.completes_job("courier");
  when.completes_job("caller");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED call
    E ELEMENT COMPLETED called
    E ELEMENT COMPLETED remind
  )");
  when.completes_job("caller");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    ...
    E ELEMENT COMPLETED remind
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV4_a_scope_is_interrupted_while_a_token_waits_at_its_join) {
  given.process(
      "order",
      start() >> parallel_gateway("fork") >> task("quick") >> parallel_gateway("join") >> end(),
      from("fork") >> service_task("slow", job("slow")) >> to("join"),
      event_subprocess("hurry", start(timer("soon", 1h)) >> end("hurried")));
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED slow
    E ELEMENT COMPLETED soon
    E ELEMENT COMPLETED hurried
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV4_a_scope_is_interrupted_while_its_gateway_has_an_incident) {
  given.process("order", start() >> exclusive_gateway("which") >> condition("a = 1") >> end(),
                event_subprocess("hurry", start(timer("soon", 1h)) >> end("hurried")));
  given.instance("order", R"({"a":0})");
  ASSERT_EQ(then.open_incidents(), 1U);
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINAT", "E INCIDENT", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATING which
    E INCIDENT RESOLVED CONDITION_ERROR
    E ELEMENT TERMINATED which
    E ELEMENT COMPLETED soon
    E ELEMENT COMPLETED hurried
    E ELEMENT COMPLETED hurry
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV4_without_any_child_the_event_subprocess_begins_at_once) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    parallel_gateway("join") >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"),
                from("fork") >> service_task("c", job("c"), input("=1", "x")) >>
                    exclusive_gateway("never") >> condition("false") >> to("join"),
                from("never") >> default_flow() >> end("e"),
                event_subprocess("hurry", start(timer("soon", 1h)) >> end("hurried")));
  given.instance("order");
  given.completes_job("a");
  given.completes_job("b");
  given.completes_job("c");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED soon
    E PROCESS_EVENT TRIGGERING soon
    C ELEMENT ACTIVATE hurry
    E ELEMENT ACTIVATING hurry
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(EV5_the_end_of_a_scope_ends_a_running_event_subprocess) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      event_subprocess("remind", start(timer("soon", 1h), non_interrupting()) >>
                                     service_task("call", job("caller")) >> end("called")));
  const Key instance = given.instance("order");
  given.time_passes(1h);
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINATED", "E JOB"}, R"(
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    ...
    E JOB CANCELED caller
    E ELEMENT TERMINATED call
    E ELEMENT TERMINATED remind
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
