#include <algorithm>

#include "tests/scenarios/message_models.h"

// Events that throw several things (spec: elements/multiple_events 4; B6).
namespace beeline::testing {
namespace {

// The end of a process: a signal and a job.
Model signal_and_job() {
  return process("order", start() >> end(multiple("tell", {signal("s", "go"), message("m", "x")}),
                                         job("tell")));
}

SCENARIO(B6_an_end_event_broadcasts_a_signal_and_completes_with_its_job) {
  given.model("order.bpmn", signal_and_job());
  given.process("other", start() >> catch_event(signal("wait", "go")) >> end());
  given.instance("other");
  when.instance("order");
  then.records_of({"E ELEMENT ACTIVATED tell", "E JOB", "C SIGNAL", "E SIGNAL B",
                   "E ELEMENT COMPLETED wait", "C ELEMENT COMPLETE tell"},
                  R"(
    E ELEMENT ACTIVATED tell bpmnEventType=MULTIPLE
    C SIGNAL BROADCAST go
    E JOB CREATED tell
    E SIGNAL BROADCASTED go
    E ELEMENT COMPLETED wait
  )");
  when.completes_job("tell");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED tell
    E PROCESS_EVENT TRIGGERING tell
    C ELEMENT COMPLETE tell
    E ELEMENT COMPLETING tell
    E PROCESS_EVENT TRIGGERED tell
    E ELEMENT COMPLETED tell
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(without_a_job_the_event_goes_on_at_once) {
  given.process("order",
                start() >> throw_event(multiple("tell", {signal("s", "go"), escalation("e", "slow"),
                                                         signal("t", "stop")}),
                                       input("=1", "one"), output("=one", "two")) >>
                    service_task("ship", job("ship")) >> end());
  const Key instance = given.instance("order");
  EXPECT_EQ(then.variable(instance, "two"), "1");
  EXPECT_EQ(times(world, "E SIGNAL BROADCASTED go"), 1U);
  EXPECT_EQ(times(world, "E SIGNAL BROADCASTED stop"), 1U);
  EXPECT_EQ(times(world, "E ESCALATION NOT_ESCALATED slow"), 1U);
  given.completes_job("ship");
  then.all_done();
}

SCENARIO(a_definition_that_cannot_be_evaluated_starts_none) {
  given.process("order", start() >>
                             throw_event(multiple("tell", {signal("s", "go"), message("m", "x"),
                                                           escalation("e", "=code")}),
                                         job("tell")) >>
                             end());
  const Key instance = given.instance("order");
  ASSERT_EQ(then.open_incidents(), 1U);
  EXPECT_EQ(times(world, "C SIGNAL BROADCAST"), 0U);
  EXPECT_EQ(times(world, "E JOB CREATED"), 0U);
  given.sets_variables(instance, R"({"code":"slow"})");
  when.resolves_incident();
  EXPECT_EQ(times(world, "E SIGNAL BROADCASTED go"), 1U);
  given.completes_job("tell");
  then.all_done();
}

Model escalation_between(bool interrupting) {
  Path late = boundary("sub", escalation("late", "slow"));
  if (!interrupting) late = boundary("sub", escalation("late", "slow"), non_interrupting());
  return process(
      "order",
      start() >>
          subprocess("sub", start("s") >> throw_event(multiple("tell", {message("m", "x"),
                                                                        escalation("e", "slow"),
                                                                        signal("t", "go")}),
                                                      job("tell")) >>
                                end("e1")) >>
          end(),
      std::move(late) >> end("told"));
}

SCENARIO(an_escalation_that_interrupts_stops_the_rest_and_cancels_the_job) {
  given.model("order.bpmn", escalation_between(true));
  when.instance("order");
  then.records_of({"E JOB", "E ESCALATION", "C SIGNAL", "E SIGNAL", "E ELEMENT TERMINATED",
                   "E ELEMENT COMPLETED"},
                  R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED s
    E JOB CREATED tell
    E ESCALATION ESCALATED slow
    E JOB CANCELED tell
    E ELEMENT TERMINATED tell
    E ELEMENT TERMINATED sub
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED told
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(an_escalation_that_does_not_interrupt_lets_the_rest_go_on) {
  given.model("order.bpmn", escalation_between(false));
  when.instance("order");
  then.records_of({"E JOB", "E ESCALATION", "E SIGNAL"}, R"(
    E JOB CREATED tell
    E ESCALATION ESCALATED slow
    E SIGNAL BROADCASTED go
  )");
  given.completes_job("tell");
  then.all_done();
}

// A task with a handler, and an event that compensates it and has a job, in this order or the
// other.
Model compensation_and_job(bool job_first) {
  std::vector<Event> events = {compensation("c"), message("m", "x")};
  if (job_first) std::ranges::reverse(events);
  return process("order",
                 start() >> service_task("ship", job("ship")) >>
                     throw_event(multiple("tell", events), job("tell"), output("=told", "told")) >>
                     service_task("after", job("after")) >> end(),
                 boundary("ship", compensation("undone")),
                 service_task("undo", job("undo"), for_compensation()),
                 association("undone", "undo"));
}

SCENARIO(the_event_completes_with_the_job_if_that_comes_last) {
  for (const bool job_first : {true, false}) {
    given.model("order.bpmn", compensation_and_job(job_first));
    const Key instance = given.instance("order");
    given.completes_job("ship");
    when.completes_job("undo");
    then.records_of({"C ELEMENT COMPLETE", "E COMPENSATION"}, R"(
      C ELEMENT COMPLETE undo
      E COMPENSATION_SUBSCRIPTION COMPLETED ship
    )");
    when.completes_job("tell", R"({"told":true})");
    EXPECT_EQ(then.variable(instance, "told"), "true");
    given.completes_job("after");
    then.all_done();
  }
}

SCENARIO(the_event_completes_with_the_handlers_if_they_come_last) {
  for (const bool job_first : {true, false}) {
    given.model("order.bpmn", compensation_and_job(job_first));
    const Key instance = given.instance("order");
    given.completes_job("ship");
    when.completes_job("tell", R"({"told":true})");
    then.records(R"(
      C JOB COMPLETE
      E JOB COMPLETED tell
      E PROCESS_EVENT TRIGGERING tell
    )");
    EXPECT_EQ(then.variable(instance, "told"), "absent");
    when.completes_job("undo");
    EXPECT_EQ(then.variable(instance, "told"), "true");
    given.completes_job("after");
    then.all_done();
  }
}

SCENARIO(with_nothing_to_compensate_the_event_waits_for_its_job_alone) {
  given.process("order", start() >>
                             throw_event(multiple("tell", {compensation("c"), message("m", "x")}),
                                         job("tell")) >>
                             end());
  when.instance("order");
  then.records_of({"C ELEMENT COMPLETE tell", "E JOB"}, R"(
    E JOB CREATED tell
  )");
  given.completes_job("tell");
  then.all_done();
}

SCENARIO(cancellation_cancels_the_job_and_the_handlers) {
  given.model("order.bpmn", compensation_and_job(true));
  const Key instance = given.instance("order");
  given.completes_job("ship");
  when.cancels(instance);
  then.records_of({"E JOB", "E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED ship
    E JOB CANCELED tell
    E JOB CANCELED undo
  )");
  then.all_done();
  EXPECT_TRUE(world.state().compensation_subscriptions().empty());
}

SCENARIO(a_job_that_fails_raises_its_incident_and_goes_on_when_that_is_resolved) {
  given.model("order.bpmn", signal_and_job());
  given.instance("order");
  given.activates_jobs("tell");
  given.fails_job("tell", 0);
  ASSERT_EQ(then.open_incidents(), 1U);
  given.updates_retries("tell", 1);
  given.resolves_incident();
  EXPECT_EQ(times(world, "E SIGNAL BROADCASTED go"), 1U) << "it is thrown once";
  given.completes_job("tell");
  then.all_done();
}

SCENARIO(an_error_of_the_job_ends_the_handlers_with_the_scope) {
  given.process(
      "order",
      start() >>
          subprocess("sub",
                     start("s") >> service_task("ship", job("ship")) >>
                         end(multiple("tell", {compensation("c"), message("m", "x")}), job("tell")),
                     boundary("ship", compensation("undone")),
                     service_task("undo", job("undo"), for_compensation()),
                     association("undone", "undo")) >>
          end(),
      boundary("sub", error("broken", "404")) >> end("out"));
  given.instance("order");
  given.completes_job("ship");
  given.activates_jobs("tell");
  when.throws_error("tell", "404");
  then.all_done();
  EXPECT_TRUE(world.state().compensation_subscriptions().empty());
  EXPECT_EQ(times(world, "E JOB CANCELED undo"), 1U);
}

}  // namespace
}  // namespace beeline::testing
