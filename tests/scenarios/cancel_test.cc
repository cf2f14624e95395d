#include "tests/support/scenario.h"

// Cancellation (spec: lifecycle 8; instances 2; scenarios/execution 12).
namespace beeline::testing {
namespace {

using record::ProcessInstanceIntent;

SCENARIO(CX1_an_instance_with_one_task_is_canceled) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  const Key instance = given.instance("order");
  when.cancels(instance);
  then.records(R"(
    C PROCESS_INSTANCE CANCEL
    E ASYNC_REQUEST RECEIVED
    E PROCESS_INSTANCE CANCELING order
    C ELEMENT TERMINATE order
    E ELEMENT TERMINATING order
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    E ELEMENT TERMINATED order
    E ASYNC_REQUEST PROCESSED
  )");
  then.answered();
  then.all_done();
}

SCENARIO(CX1_children_are_terminated_one_by_one) {
  given.process(
      "order", start() >> parallel_gateway("fork") >> service_task("a", job("a")) >> end(),
      from("fork") >> catch_event(timer("nap", 1h)) >> end(),
      from("fork") >> service_task("bad", job("=none")) >> end(),
      from("fork") >> subprocess("pack", start("inner") >> user_task("ask") >> end("wrapped")) >>
          end(),
      event_subprocess("hurry", start(timer("soon", 2h)) >> end("hurried")));
  const Key instance = given.instance("order");
  when.cancels(instance);
  then.records(R"(
    C PROCESS_INSTANCE CANCEL
    E ASYNC_REQUEST RECEIVED
    E PROCESS_INSTANCE CANCELING order
    C ELEMENT TERMINATE order
    E ELEMENT TERMINATING order
    E TIMER CANCELED soon
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE a
    C PROCESS_INSTANCE_BATCH TERMINATE
    E ELEMENT TERMINATING a
    E JOB CANCELED a
    E ELEMENT TERMINATED a
    C ELEMENT TERMINATE nap
    C PROCESS_INSTANCE_BATCH TERMINATE
    E ELEMENT TERMINATING nap
    E TIMER CANCELED nap
    E ELEMENT TERMINATED nap
    C ELEMENT TERMINATE bad
    C PROCESS_INSTANCE_BATCH TERMINATE
    E ELEMENT TERMINATING bad
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E ELEMENT TERMINATED bad
    C ELEMENT TERMINATE pack
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING pack
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ask
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ask
    E JOB CANCELED io.camunda.zeebe:userTask
    E ELEMENT TERMINATED ask
    E ELEMENT TERMINATED pack
    E ELEMENT TERMINATED order
    E ASYNC_REQUEST PROCESSED
  )");
  then.all_done();
}

SCENARIO(CX1_only_a_living_process_instance_is_canceled) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  const Key completed = given.instance("order");
  given.completes_job("courier");
  const Key canceled = given.instance("order");
  given.cancels(canceled);
  given.instance("order");
  const Key element = given.element("ship");
  then.refused({
      {"never given", [&] { when.cancels(Key{7}); }, RejectionType::NotFound, "no such process"},
      {"completed", [&] { when.cancels(completed); }, RejectionType::NotFound, "no such process"},
      {"canceled", [&] { when.cancels(canceled); }, RejectionType::NotFound, "no such process"},
      {"an element", [&] { when.cancels(element); }, RejectionType::NotFound, "no such process"},
  });
}

SCENARIO(CX1_a_large_scope_is_canceled_over_several_batches) {
  Path path = start() >> parallel_gateway("fork") >> service_task("t0", job("work")) >> end();
  std::vector<Item> items{Item(path)};
  for (int i = 1; i < 60; ++i) {
    items.emplace_back(from("fork") >> service_task("t" + std::to_string(i), job("work")));
  }
  given.model("order.bpmn", Model({Node{"bpmn:process", "order", items}}));
  const Key instance = given.instance("order");
  when.cancels(instance);
  EXPECT_EQ(then.values<record::JobRecord>(record::JobIntent::Canceled).size(), 60U);
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
