#include "tests/support/scenario.h"

// Multi-instance: spec 3.16 and 9.16.
namespace beeline::testing {
namespace {

SCENARIO(MI1_parallel_instances_run_over_the_list_and_their_results_keep_its_order) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "items",
                                                             .input_element = "item",
                                                             .output_collection = "results",
                                                             .output_element = "result"})) >>
                         service_task("after", job("after")) >> bpmn::build::end("done"));
  const Key instance = given.instance("p", R"({"items":[10,20]})");
  given.completes_job("work", R"({"result":"a"})");
  when.completes_job("work", R"({"result":"b"})");
  then.records_of({"E ELEMENT", "E VARIABLE"}, R"(
    E ELEMENT COMPLETING each bpmnElementType=SERVICE_TASK
    E VARIABLE UPDATED result
    E VARIABLE UPDATED results
    E ELEMENT COMPLETED each bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETING each bpmnElementType=MULTI_INSTANCE_BODY
    E VARIABLE CREATED results
    E ELEMENT COMPLETED each bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT ACTIVATING after
    E ELEMENT ACTIVATED after
  )");
  EXPECT_EQ(then.variable(instance, "results"), R"(["a","b"])");
  EXPECT_EQ(then.variable(instance, "item"), "absent");
}

SCENARIO(MI1_the_body_is_activated_with_its_items_frozen) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "items",
                                                             .input_element = "item"})) >>
                         bpmn::build::end("done"));
  when.instance("p", R"({"items":[10,20]})");
  then.records_of({"E ELEMENT ACTIVATING each", "E ELEMENT ACTIVATED each", "E MULTI",
                   "C PROCESS_INSTANCE_BATCH", "E PROCESS_INSTANCE_BATCH", "E VARIABLE", "E JOB"},
                  R"(
    E VARIABLE CREATED items
    E ELEMENT ACTIVATING each bpmnElementType=MULTI_INSTANCE_BODY
    E MULTI_INSTANCE INPUT_COLLECTION_EVALUATED inputCollection=["10","20"]
    E ELEMENT ACTIVATED each bpmnElementType=MULTI_INSTANCE_BODY
    C PROCESS_INSTANCE_BATCH ACTIVATE index=2
    C PROCESS_INSTANCE_BATCH ACTIVATE index=1
    E ELEMENT ACTIVATING each bpmnElementType=SERVICE_TASK
    E VARIABLE CREATED item value="10"
    E VARIABLE CREATED loopCounter value="1"
    E JOB CREATED work
    E ELEMENT ACTIVATED each bpmnElementType=SERVICE_TASK
    E PROCESS_INSTANCE_BATCH ACTIVATED index=1
    E ELEMENT ACTIVATING each bpmnElementType=SERVICE_TASK
    E VARIABLE CREATED item value="20"
    E VARIABLE CREATED loopCounter value="2"
    E JOB CREATED work
    E ELEMENT ACTIVATED each bpmnElementType=SERVICE_TASK
  )");
}

SCENARIO(MI1_sequential_instances_run_one_after_the_other) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "[1,2,3]",
                                                             .input_element = "item",
                                                             .sequential = true})) >>
                         bpmn::build::end("done"));
  given.instance("p");
  EXPECT_EQ(given.activates_jobs("work").size(), 1U);
  given.completes_job("work");
  given.completes_job("work");
  EXPECT_EQ(world.state().jobs().counts().at("work").activatable, 1);
  given.completes_job("work");
  then.all_done();
}

SCENARIO(MI1_an_empty_list_completes_at_once_with_an_empty_output) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "[]",
                                                             .output_collection = "results",
                                                             .output_element = "x"})) >>
                         service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  EXPECT_EQ(then.variable(instance, "results"), "[]");
  EXPECT_EQ(given.activates_jobs("after").size(), 1U);
}

SCENARIO(MI4_a_condition_that_holds_terminates_the_rest_and_keeps_partial_output) {
  given.process("p", start() >>
                         service_task("each", job("work"),
                                      multi_instance({.input_collection = "[1,2,3]",
                                                      .output_collection = "results",
                                                      .output_element = "r",
                                                      .completion_condition =
                                                          "numberOfCompletedInstances >= 2"})) >>
                         service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  given.completes_job("work", R"({"r":1})");
  when.completes_job("work", R"({"r":2})");
  then.records_of({"E ELEMENT TERMINAT", "E JOB CANCELED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED each bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATING each bpmnElementType=SERVICE_TASK
    E JOB CANCELED work
    E ELEMENT TERMINATED each bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETED each bpmnElementType=MULTI_INSTANCE_BODY
  )");
  EXPECT_EQ(then.variable(instance, "results"), "[1,2,null]");
}

SCENARIO(MI5_an_input_that_is_no_list_is_an_incident_and_can_be_mended) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "items"})) >>
                         bpmn::build::end());
  const Key instance = given.instance("p");
  EXPECT_EQ(then.open_incidents(), 1U);
  given.sets_variables(instance, R"({"items":[1]})");
  given.resolves_incident();
  EXPECT_EQ(then.open_incidents(), 0U);
  given.completes_job("work");
  then.all_done();
}

SCENARIO(MI7_an_interrupting_boundary_event_ends_all_instances) {
  given.process(
      "p",
      start() >> service_task("each", job("work"), multi_instance({.input_collection = "[1,2]"})) >>
          bpmn::build::end(),
      boundary("each", timer("late", 1h)) >> service_task("help", job("help")) >>
          bpmn::build::end());
  given.instance("p");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT ACTIVATED"}, R"(
    E ELEMENT TERMINATED each bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATED each bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATED each bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT ACTIVATED late
    E ELEMENT ACTIVATED help
  )");
}

SCENARIO(MI8_a_thousand_parallel_items_run_in_batches_that_fit) {
  given.process(
      "p", start() >>
               service_task("each", job("work"),
                            multi_instance({.input_collection = "for i in 1..1000 return i"})) >>
               bpmn::build::end());
  given.instance("p");
  EXPECT_EQ(world.state().jobs().counts().at("work").activatable, 1000);
}

}  // namespace
}  // namespace beeline::testing
