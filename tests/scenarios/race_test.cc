#include "tests/support/scenario.h"

// Races between commands on the log (spec: races). Each batch has one command, so the order in
// which commands are appended decides.
namespace beeline::testing {
namespace {

using record::JobIntent;
using record::ProcessInstanceIntent;
using record::ProcessInstanceRecord;

Model one_task() {
  return process("order",
                 start() >> service_task("a", job("a")) >> service_task("b", job("b")) >> end());
}

Model one_task_with_timer() {
  return process("order", start() >> service_task("a", job("a")) >> end("done"),
                 boundary("a", timer("late", 1h)) >> end("expired"));
}

SCENARIO_STEP_BY_STEP(R1_CX2_a_job_is_completed_while_the_process_terminates) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.cancels(instance);
    given.completes_job("a");
  });
  then.records(R"(
    C PROCESS_INSTANCE CANCEL
    E ASYNC_REQUEST RECEIVED
    E PROCESS_INSTANCE CANCELING order
    C ELEMENT TERMINATE order
    C JOB COMPLETE
    E ELEMENT TERMINATING order
    C PROCESS_INSTANCE_BATCH TERMINATE
    E JOB COMPLETED a
    C ELEMENT TERMINATE a
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING a
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED order
    E ASYNC_REQUEST PROCESSED
  )");
  then.all_done();
}

SCENARIO(R1_CX2_a_job_whose_task_is_terminated_is_not_found) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  const Key key = given.job_key("a");
  given.cancels(instance);
  when.job_command(JobIntent::Complete, key);
  then.rejected(RejectionType::NotFound, "no such job");
}

SCENARIO_STEP_BY_STEP(R2_CX2_a_token_between_two_elements_does_not_hold_up_termination) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  // JOB COMPLETE is processed first. Then the log has COMPLETE of `a`, TERMINATE of the process
  // and, behind both, ACTIVATE of `b`.
  when.appends([&] {
    given.completes_job("a");
    given.submits(ProcessInstanceIntent::TerminateElement, instance, ProcessInstanceRecord{});
  });
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED a
    E PROCESS_EVENT TRIGGERING a
    C ELEMENT COMPLETE a
    C ELEMENT TERMINATE
    E ELEMENT COMPLETING a
    E PROCESS_EVENT TRIGGERED a
    E ELEMENT COMPLETED a
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN a_b
    C ELEMENT ACTIVATE b
    E ELEMENT TERMINATING order
    E ELEMENT TERMINATED order
    R ELEMENT ACTIVATE b rejection=INVALID_STATE
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R3_CX2_nothing_completes_in_a_terminating_process) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  const Key a = given.element("a");
  when.appends([&] {
    given.submits(ProcessInstanceIntent::TerminateElement, instance, ProcessInstanceRecord{});
    given.submits(ProcessInstanceIntent::CompleteElement, a, ProcessInstanceRecord{});
  });
  then.records(R"(
    C ELEMENT TERMINATE
    E ELEMENT TERMINATING order
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT COMPLETE
    C ELEMENT TERMINATE a
    E PROCESS_INSTANCE_BATCH TERMINATED
    R ELEMENT COMPLETE rejection=INVALID_STATE
    E ELEMENT TERMINATING a
    E JOB CANCELED a
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED order
  )");
  then.rejected(RejectionType::InvalidState, "in state 'ELEMENT_TERMINATING'");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R4_the_timer_is_quicker_than_the_job) {
  given.model("order.bpmn", one_task_with_timer());
  given.instance("order");
  const Key key = given.job_key("a");
  given.time_passes(1h);
  when.job_command(JobIntent::Complete, key);
  then.rejected(RejectionType::NotFound, "no such job");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R5_the_job_is_quicker_than_the_timer) {
  given.model("order.bpmn", one_task_with_timer());
  given.instance("order");
  const Key timer_key = world.state().timers().of_element_instance(given.element("a")).front();
  when.completes_job("a");
  then.records_of({"E TIMER"}, "E TIMER CANCELED late");
  when.submits(record::TimerIntent::Trigger, timer_key, record::TimerRecord{});
  then.rejected(RejectionType::NotFound, "no such timer");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R6_a_timer_between_the_job_and_its_task_is_refused) {
  given.model("order.bpmn", one_task_with_timer());
  given.instance("order");
  when.appends_behind_others([&] {
    given.completes_job("a");
    given.time_passes(1h);
  });
  then.records(R"(
    C JOB COMPLETE
    C TIMER TRIGGER
    E JOB COMPLETED a
    E PROCESS_EVENT TRIGGERING a
    C ELEMENT COMPLETE a
    R TIMER TRIGGER rejection=INVALID_STATE
    E ELEMENT COMPLETING a
    E PROCESS_EVENT TRIGGERED a
    E TIMER CANCELED late
    E ELEMENT COMPLETED a
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN a_done
    C ELEMENT ACTIVATE done
    E ELEMENT ACTIVATING done
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

// The command that terminates the task is on the log but not processed yet. The first command on
// the log wins.
SCENARIO_STEP_BY_STEP(R4_a_job_is_refused_once_the_timer_has_interrupted_its_task) {
  given.model("order.bpmn", one_task_with_timer());
  for (const auto& [intent, refusal] :
       {std::pair{JobIntent::Complete, "COMPLETE rejection=NOT_FOUND"},
        std::pair{JobIntent::Fail, "FAIL rejection=NOT_FOUND"},
        std::pair{JobIntent::ThrowError, "THROW_ERROR rejection=INVALID_STATE"}}) {
    given.instance("order");
    const Key key = given.job_key("a");
    when.appends_behind_others([&, intent = intent] {
      given.time_passes(1h);
      given.job_command(intent, key);
    });
    then.records_of({"E TIMER", "E JOB", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"},
                    fmt::format(R"(
      E TIMER TRIGGERED late
      R JOB {}
      E JOB CANCELED a
      E ELEMENT TERMINATED a
      E ELEMENT COMPLETED late
      E ELEMENT COMPLETED expired
      E ELEMENT COMPLETED order
    )",
                                refusal));
    then.all_done();
  }
}

SCENARIO_STEP_BY_STEP(R7_of_two_interrupting_boundary_events_the_first_wins) {
  given.process("order", start() >> service_task("a", job("a")) >> end("done"),
                boundary("a", timer("late", 1h)) >> end("expired"),
                boundary("a", timer("too_late", 1h)) >> end("expired_too"));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER CANCELED too_late
    E ELEMENT TERMINATED a
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R7_an_error_after_an_interrupting_boundary_event_is_refused) {
  given.process("order", start() >> service_task("a", job("a")) >> end("done"),
                boundary("a", timer("late", 1h)) >> end("expired"),
                boundary("a", error("lost", "404")) >> end("searching"));
  given.instance("order");
  when.appends_behind_others([&] {
    given.time_passes(1h);
    given.throws_error("a", "404");
  });
  then.records_of({"E TIMER", "E JOB", "R", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    R JOB THROW_ERROR rejection=INVALID_STATE
    E JOB CANCELED a
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.rejected(RejectionType::InvalidState, "takes no more events");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R8_of_two_equal_timers_behind_a_gateway_the_first_wins) {
  given.process("order",
                start() >> event_based_gateway("wait") >> catch_event(timer("t1", 1h)) >> end("e1"),
                from("wait") >> catch_event(timer("t2", 1h)) >> end("e2"));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED t1
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER CANCELED t2
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED t1
    E ELEMENT COMPLETED e1
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

// A subprocess with an interrupting event subprocess and an interrupting boundary event.
Model guarded(std::chrono::milliseconds soon, std::chrono::milliseconds late) {
  return process(
      "order",
      start() >>
          subprocess("pack",
                     start("inner") >> service_task("wrap", job("wrapper")) >> end("wrapped"),
                     event_subprocess("hurry", start(timer("soon", soon)) >> end("hurried"))) >>
          end("packed"),
      boundary("pack", timer("late", late)) >> end("expired"));
}

SCENARIO_STEP_BY_STEP(R19_a_boundary_event_still_fires_after_an_event_subprocess) {
  given.model("order.bpmn", guarded(1h, 1h));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED soon
    E TIMER TRIGGERED late
    E ELEMENT TERMINATED wrap
    E ELEMENT TERMINATED pack
    ...
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R19_an_event_subprocess_is_refused_after_a_boundary_event) {
  given.model("order.bpmn", guarded(1h, 59min));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER CANCELED soon
    E ELEMENT TERMINATED wrap
    E ELEMENT TERMINATED pack
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R20_of_two_interrupting_event_subprocesses_the_first_runs) {
  given.process("order", start() >> service_task("a", job("a")) >> end("done"),
                event_subprocess("first", start(timer("t1", 1h)) >> end("e1")),
                event_subprocess("second", start(timer("t2", 1h)) >> end("e2")));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED t1
    E TIMER CANCELED t2
    R TIMER TRIGGER rejection=NOT_FOUND
    E ELEMENT TERMINATED a
    E ELEMENT COMPLETED t1
    E ELEMENT COMPLETED e1
    E ELEMENT COMPLETED first
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R21_a_boundary_event_is_not_activated_in_an_interrupted_scope) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> service_task("wrap", job("wrapper")) >>
                                           end("wrapped")) >>
                    end("packed"),
                boundary("pack", timer("late", 59min)) >> end("expired"),
                event_subprocess("stop", start(timer("now", 1h)) >> end("stopped")));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    E TIMER TRIGGERED now
    E ELEMENT TERMINATED wrap
    E ELEMENT TERMINATED pack
    E ELEMENT COMPLETED now
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

// If it fired, the boundary event would be a child that nothing terminates (randomized seeds 11 and
// 99).
SCENARIO_STEP_BY_STEP(R21_a_boundary_event_does_not_fire_in_a_terminating_scope) {
  given.process("order", start() >> service_task("a", job("a")) >> end("done"),
                boundary("a", timer("remind", 1h), non_interrupting()) >> end("reminded"));
  const Key instance = given.instance("order");
  when.appends([&] {
    given.cancels(instance);
    given.time_passes(1h);
  });
  then.records_of({"E TIMER", "R", "E ELEMENT"}, R"(
    E ELEMENT TERMINATING order
    R TIMER TRIGGER rejection=INVALID_STATE
    E ELEMENT TERMINATING a
    E TIMER CANCELED remind
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R26_the_first_of_two_workers_completes_a_job_that_timed_out) {
  given.model("order.bpmn", one_task());
  given.instance("order");
  const auto first = given.activates_jobs("a", 1, Milliseconds{1000});
  given.time_passes(1s);
  ASSERT_EQ(given.activates_jobs("a"), first);
  when.job_command(JobIntent::Complete, first.front());
  then.answered();
  when.job_command(JobIntent::Complete, first.front());
  then.rejected(RejectionType::NotFound, "no such job");
}

SCENARIO_STEP_BY_STEP(R27_a_second_cancellation_is_refused_while_the_first_is_under_way) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.cancels(instance);
    given.cancels(instance);
  });
  then.records_of({"R", "E ELEMENT TERMINATED"}, R"(
    R PROCESS_INSTANCE CANCEL rejection=NOT_FOUND
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED order
  )");
  const Key other = given.instance("order");
  when.appends_behind_others([&] {
    given.cancels(other);
    given.cancels(other);
  });
  then.records_of({"R", "E ELEMENT TERMINATED"}, R"(
    R PROCESS_INSTANCE CANCEL rejection=INVALID_STATE
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(R28_of_two_updates_the_first_creates_and_the_second_updates) {
  given.model("order.bpmn", one_task());
  const Key instance = given.instance("order");
  when.appends_behind_others([&] {
    given.sets_variables(instance, R"({"a":1})");
    given.sets_variables(instance, R"({"a":2})");
  });
  then.records_of({"E VARIABLE "}, R"(
    E VARIABLE CREATED a value="1"
    E VARIABLE UPDATED a value="2"
  )");
  EXPECT_EQ(then.keys<record::VariableRecord>(record::VariableIntent::Created),
            then.keys<record::VariableRecord>(record::VariableIntent::Updated));
}

SCENARIO(R29_a_batch_on_the_log_is_replayed_and_not_processed_again) {
  given.model("order.bpmn", one_task());
  given.instance("order");
  const Key key = given.job_key("a");
  engine::Engine restarted{engine::EngineOptions{}};
  for (const std::string& frame : world.frames()) restarted.replay(frame);
  const std::string before = restarted.state().database().dump();
  const std::size_t frames = world.frames().size();
  given.completes_job("a");
  ASSERT_EQ(world.frames().size(), frames + 1);

  // The batch was processed and its effects were lost, but its frame is on the log.
  std::string value;
  record::encode(record::JobRecord{}, value);
  engine::BatchOutput output;
  const auto head = record::make_head<record::JobRecord>(JobIntent::Complete, key);
  restarted.process({head.view(), value, 1}, world.now(), output);
  restarted.rollback();
  EXPECT_TRUE(restarted.state().database().dump() == before);
  restarted.replay(world.frames().back());
  EXPECT_TRUE(restarted.state().database().dump() == world.state().database().dump());
  EXPECT_EQ(restarted.last_position(), world.engine().last_position());
  EXPECT_FALSE(restarted.has_pending());
}

// If it fired, the boundary event would run beside the event subprocess that has interrupted the
// scope.
SCENARIO_STEP_BY_STEP(R21_a_boundary_event_does_not_fire_in_an_interrupted_scope) {
  given.process("order", start() >> service_task("a", job("a")) >> end("done"),
                boundary("a", timer("remind", 1h), non_interrupting()) >> end("reminded"),
                event_subprocess("stop", start(timer("now", 59min)) >> end("stopped")));
  given.instance("order");
  when.appends_behind_others([&] { given.time_passes(1h); });
  then.records_of({"E TIMER", "R", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED now
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER CANCELED remind
    E ELEMENT TERMINATED a
    E ELEMENT COMPLETED now
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
