#include "record/json.h"
#include "tests/support/scenario.h"

// Multi-instance (spec: elements/multi_instance; scenarios/execution 8).
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
  then.records_of({"E ELEMENT", "E VARIABLE", "E MULTI_INSTANCE"}, R"(
    E ELEMENT COMPLETING each bpmnElementType=SERVICE_TASK
    E VARIABLE UPDATED result
    E MULTI_INSTANCE OUTPUT_COLLECTED index=2 value="\"b\""
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

// The records are those of the tables in stream-processing.md (docs/proof.md), for two items in
// sequence.
SCENARIO(MI1_the_records_of_a_sequential_body) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "items",
                                                             .input_element = "item",
                                                             .output_collection = "results",
                                                             .output_element = "result",
                                                             .sequential = true})) >>
                         bpmn::build::end("done"));
  when.instance("p", R"({"items":[10,20]})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE each bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT ACTIVATING each bpmnElementType=MULTI_INSTANCE_BODY
    E MULTI_INSTANCE INPUT_COLLECTION_EVALUATED inputCollection=["10","20"]
    E ELEMENT ACTIVATED each bpmnElementType=MULTI_INSTANCE_BODY
    E VARIABLE CREATED results value="[null,null]"
    C ELEMENT ACTIVATE each bpmnElementType=SERVICE_TASK
    E ELEMENT ACTIVATING each bpmnElementType=SERVICE_TASK
    E VARIABLE CREATED item value="10"
    E VARIABLE CREATED result value="null"
    E VARIABLE CREATED loopCounter value="1"
    E JOB CREATED work
    E ELEMENT ACTIVATED each bpmnElementType=SERVICE_TASK
  )");
  when.completes_job("work", R"({"result":"a"})");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED work
    E PROCESS_EVENT TRIGGERING each
    C ELEMENT COMPLETE each bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETING each bpmnElementType=SERVICE_TASK
    E PROCESS_EVENT TRIGGERED each
    E VARIABLE UPDATED result value="\"a\""
    E MULTI_INSTANCE OUTPUT_COLLECTED index=1 value="\"a\""
    E ELEMENT COMPLETED each bpmnElementType=SERVICE_TASK
    C ELEMENT ACTIVATE each bpmnElementType=SERVICE_TASK
    E ELEMENT ACTIVATING each bpmnElementType=SERVICE_TASK
    E VARIABLE CREATED item value="20"
    E VARIABLE CREATED result value="null"
    E VARIABLE CREATED loopCounter value="2"
    E JOB CREATED work
    E ELEMENT ACTIVATED each bpmnElementType=SERVICE_TASK
  )");
  when.completes_job("work", R"({"result":"b"})");
  then.records(R"(
    ...
    E ELEMENT COMPLETING each bpmnElementType=SERVICE_TASK
    E PROCESS_EVENT TRIGGERED each
    E VARIABLE UPDATED result
    E MULTI_INSTANCE OUTPUT_COLLECTED index=2 value="\"b\""
    E ELEMENT COMPLETED each bpmnElementType=SERVICE_TASK
    C ELEMENT COMPLETE each bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETING each bpmnElementType=MULTI_INSTANCE_BODY
    E VARIABLE CREATED results value="[\"a\",\"b\"]"
    E ELEMENT COMPLETED each bpmnElementType=MULTI_INSTANCE_BODY
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN each_done
    C ELEMENT ACTIVATE done
    ...
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(MI1_the_first_of_two_parallel_instances_completes_alone) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "[1,2]",
                                                             .output_collection = "results",
                                                             .output_element = "result"})) >>
                         bpmn::build::end("done"));
  given.instance("p");
  when.completes_job("work", R"({"result":"a"})");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED work
    E PROCESS_EVENT TRIGGERING each
    C ELEMENT COMPLETE each bpmnElementType=SERVICE_TASK
    E ELEMENT COMPLETING each bpmnElementType=SERVICE_TASK
    E PROCESS_EVENT TRIGGERED each
    E VARIABLE UPDATED result
    E MULTI_INSTANCE OUTPUT_COLLECTED index=1 value="\"a\""
    E ELEMENT COMPLETED each bpmnElementType=SERVICE_TASK
  )");
}

SCENARIO(MI2_an_inner_loop_counts_for_itself) {
  given.process("p", start() >>
                         subprocess("outer",
                                    multi_instance({.input_collection = "[\"a\",\"b\"]",
                                                    .input_element = "letter"}),
                                    start("inner_start") >>
                                        service_task("inner", job("work"),
                                                     multi_instance({.input_collection = "[7,8]",
                                                                     .input_element = "number"})) >>
                                        bpmn::build::end("inner_end")) >>
                         bpmn::build::end("done"));
  given.instance("p");
  std::vector<std::string> seen;
  given.activates_jobs("work");
  for (const auto& job : then.answer<record::JobBatchRecord>().jobs) {
    const auto value = [&](std::string_view name) {
      return then.variable(job.element_instance_key, name);
    };
    seen.push_back(value("letter") + value("number") + value("loopCounter"));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"\"a\"71", "\"a\"82", "\"b\"71", "\"b\"82"}));
  for (int i = 0; i < 4; ++i) given.completes_job("work");
  then.all_done();
}

SCENARIO(MI3_outputs_stand_at_the_place_of_their_item) {
  struct Row {
    std::string_view what;
    const char* element;
    std::string_view result;
  };
  for (const Row& row :
       {Row{"a variable", "r", "[null,\"late\",\"early\"]"},
        Row{"an expression", "=item * 2", "[2,4,6]"}, Row{"a path", "r.deep", "[null,null,null]"},
        Row{"the item itself", "item", "[1,2,3]"}}) {
    SCOPED_TRACE(row.what);
    given.process("p", start() >> service_task("each", job("work"),
                                               multi_instance({.input_collection = "[1,2,3]",
                                                               .input_element = "item",
                                                               .output_collection = "results",
                                                               .output_element = row.element})) >>
                           service_task("after", job("after")) >> bpmn::build::end());
    const Key instance = given.instance("p");
    const std::vector<Key> jobs = given.activates_jobs("work");
    ASSERT_EQ(jobs.size(), 3U);
    const auto complete = [&](Key job, std::string_view variables) {
      record::JobRecord value;
      if (!variables.empty()) value.variables = *record::parse_document(variables);
      given.submits(record::JobIntent::Complete, job, value);
    };
    complete(jobs[2], R"({"r":"early"})");
    complete(jobs[1], R"({"r":"late"})");
    complete(jobs[0], "");
    EXPECT_EQ(then.variable(instance, "results"), row.result);
    given.completes_job("after");
    then.all_done();
  }
}

SCENARIO(MI4_a_condition_sees_the_four_counters) {
  given.process(
      "p",
      start() >>
          service_task("each", job("work"),
                       multi_instance({.input_collection = "[1,2,3,4]",
                                       .completion_condition =
                                           "numberOfInstances = 4 and numberOfActiveInstances = 2 "
                                           "and numberOfCompletedInstances = 2 and "
                                           "numberOfTerminatedInstances = 0"})) >>
          bpmn::build::end("done"));
  given.instance("p", R"({"numberOfInstances":77})");
  when.completes_job("work");
  then.records_of({"E ELEMENT TERMINATED"}, "");
  when.completes_job("work");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED p"}, R"(
    E ELEMENT TERMINATED each
    E ELEMENT TERMINATED each
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(MI5_what_fails_at_the_end_of_an_item_is_mended_without_losing_items) {
  given.process("p",
                start() >>
                    service_task("each", job("work"),
                                 multi_instance({.input_collection = "[1,2]",
                                                 .output_collection = "results",
                                                 .output_element = "=assert(r, r != null)",
                                                 .completion_condition =
                                                     "if enough = null then null else enough"})) >>
                    service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  const auto mend = [&](std::string_view variables) {
    const Key incident = given.incident_key();
    given.sets_variables(world.state().incidents().find(incident)->record.element_instance_key,
                         variables);
    given.resolves_incident(incident);
  };
  when.completes_job("work");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"each\"");
  mend(R"({"r":1})");  // repairs the output; then the condition fails
  ASSERT_EQ(then.open_incidents(), 1U);
  mend(R"({"enough":false})");
  EXPECT_EQ(then.open_incidents(), 0U);
  given.completes_job("work", R"({"r":2})");
  EXPECT_EQ(then.variable(instance, "results"), "[1,2]");
  given.completes_job("after");
  then.all_done();
}

SCENARIO(MI5_an_output_collection_that_was_overwritten_is_an_incident) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "[1,2]",
                                                             .output_collection = "results",
                                                             .output_element = "r"})) >>
                         service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  const Key body = world.state().element_instances().find(given.element("each"))->flow_scope_key;
  given.sets_variables(body, R"({"results":"gone"})", true);
  when.completes_job("work", R"({"r":1})");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR");
  given.sets_variables(body, R"({"results":[null,null]})", true);
  given.resolves_incident();
  given.completes_job("work", R"({"r":2})");
  EXPECT_EQ(then.variable(instance, "results"), "[1,2]");
}

// Where no result was collected, the list keeps the items of the body's local variable. A body from
// an older version has its results there.
SCENARIO(MI3_items_of_the_variable_stay_where_nothing_was_collected) {
  given.process("p", start() >>
                         service_task("each", job("work"),
                                      multi_instance({.input_collection = "[1,2,3,4]",
                                                      .output_collection = "results",
                                                      .output_element = "r",
                                                      .sequential = true,
                                                      .completion_condition = "r = \"enough\""})) >>
                         service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  const Key body = world.state().element_instances().find(given.element("each"))->flow_scope_key;
  given.completes_job("work", R"({"r":"one"})");
  given.sets_variables(body, R"({"results":["old","old",{"a":[1,"]"]}]})", true);
  when.completes_job("work", R"({"r":"enough"})");
  EXPECT_EQ(then.variable(instance, "results"), R"(["one","enough",{"a":[1,"]"]},null])");
}

SCENARIO(MI3_an_output_is_collected_once_and_the_list_is_written_at_the_end) {
  given.process(
      "p", start() >> service_task("each", job("work"),
                                   multi_instance({.input_collection = "[1,2,3]",
                                                   .output_collection = "results",
                                                   .output_element = "={seen: results, value: r}",
                                                   .sequential = true})) >>
               service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("p");
  given.completes_job("work", R"({"r":1})");
  when.completes_job("work", R"({"r":2})");
  then.records_of({"E MULTI_INSTANCE", "E VARIABLE UPDATED"}, R"(
    E VARIABLE UPDATED r
    E MULTI_INSTANCE OUTPUT_COLLECTED index=2
  )");
  EXPECT_EQ(then.variable(instance, "results"), "absent");
  when.completes_job("work", R"({"r":3})");
  then.records_of({"E VARIABLE CREATED results", "E VARIABLE UPDATED results"},
                  "E VARIABLE CREATED results");
  // Before that, expressions see the variable as it was before the first item.
  EXPECT_EQ(then.variable(instance, "results"),
            R"([{"seen":[null,null,null],"value":1},{"seen":[null,null,null],"value":2},)"
            R"({"seen":[null,null,null],"value":3}])");
  given.completes_job("after");
  then.all_done();
}

SCENARIO(MI4_a_condition_sees_the_outputs_so_far) {
  for (const bool sequential : {true, false}) {
    const std::string id = sequential ? "one-by-one" : "at-once";
    given.process(id, start() >>
                          service_task("each", job("work"),
                                       multi_instance({.input_collection = "[1,2,3,4]",
                                                       .output_collection = "results",
                                                       .output_element = "r",
                                                       .sequential = sequential,
                                                       .completion_condition =
                                                           "sum(results[item != null]) >= 30"})) >>
                          service_task("after", job("after")) >> bpmn::build::end());
    const Key instance = given.instance(id);
    given.completes_job("work", R"({"r":10})");
    EXPECT_EQ(then.variable(instance, "results"), "absent");
    given.completes_job("work", R"({"r":20})");
    EXPECT_EQ(then.variable(instance, "results"), "[10,20,null,null]");
    given.completes_job("after");
    then.all_done();
  }
}

SCENARIO(MI8_what_was_collected_goes_with_the_body) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "[1,2,3]",
                                                             .output_collection = "results",
                                                             .output_element = "r"})) >>
                         bpmn::build::end());
  const Key instance = given.instance("p");
  given.completes_job("work", R"({"r":1})");
  EXPECT_EQ(world.state().output_item_count(), 1U);
  given.cancels(instance);
  then.all_done();
}

SCENARIO(MI6_a_list_that_changes_while_it_is_worked_on_changes_nothing) {
  given.process("p", start() >> service_task("each", job("work"),
                                             multi_instance({.input_collection = "items",
                                                             .input_element = "item",
                                                             .sequential = true})) >>
                         bpmn::build::end("done"));
  const Key instance = given.instance("p", R"({"items":[1,2]})");
  given.sets_variables(instance, R"({"items":[7,8,9]})");
  when.completes_job("work");
  then.records_of({"E VARIABLE CREATED item"}, R"(E VARIABLE CREATED item value="2")");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(MI7_a_non_interrupting_boundary_event_leaves_the_instances_alone) {
  given.process(
      "p",
      start() >> service_task("each", job("work"), multi_instance({.input_collection = "[1,2]"})) >>
          bpmn::build::end(),
      boundary("each", timer("remind", 1h), non_interrupting()) >> bpmn::build::end("reminded"));
  given.instance("p");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED remind
    E ELEMENT COMPLETED reminded
  )");
  given.completes_job("work");
  given.completes_job("work");
  then.all_done();
}

SCENARIO(MI8_every_kind_of_activity_runs_for_each_item) {
  const auto loop = multi_instance({.input_collection = "[1,2]", .input_element = "item"});
  given.process("child", start("child_start") >> service_task("child_work", job("work")) >>
                             bpmn::build::end("child_end"));
  const std::vector<std::pair<std::string_view, Path>> activities = {
      {"subprocess",
       subprocess("each", loop,
                  start("s") >> service_task("inner", job("work")) >> bpmn::build::end("e"))},
      {"call activity", call_activity("each", "child", loop)},
      {"user task", user_task("each", loop)},
      {"script task", script_task("each", loop, script("item", "r"))},
      {"manual task", manual_task("each", loop)},
  };
  for (const auto& [what, activity] : activities) {
    SCOPED_TRACE(what);
    given.process("p", start() >> activity >> bpmn::build::end("done"));
    when.instance("p");
    for (const char* type : {"work", "io.camunda.zeebe:userTask"}) {
      const std::vector<Key> jobs = given.activates_jobs(type);
      for (const Key job : jobs) given.job_command(record::JobIntent::Complete, job);
    }
    then.all_done();
    then.records_of({"E ELEMENT COMPLETED each"}, R"(
      E ELEMENT COMPLETED each
      E ELEMENT COMPLETED each
      E ELEMENT COMPLETED each bpmnElementType=MULTI_INSTANCE_BODY
    )");
  }
}

// A body of fifty items that is still creating its instances; `jobs` of them have their job.
class MakingTest : public StepByStepTest {
 protected:
  Key make(int jobs, const std::string& condition = "") {
    given.process(
        "p", start() >> service_task("each", job("work"),
                                     multi_instance({.input_collection = "for i in 1..50 return i",
                                                     .completion_condition = condition})) >>
                 bpmn::build::end("done"));
    world.hold();
    const Key instance = given.instance("p");
    const auto made = [&] {
      const auto& counts = world.state().jobs().counts();
      const auto found = counts.find("work");
      return found == counts.end() ? 0 : found->second.activatable;
    };
    while (made() < jobs) world.step();
    return instance;
  }
};

TEST_F(MakingTest, MI8_R23_a_body_that_is_terminated_makes_no_more_instances) {
  const Key instance = make(2);
  when.cancels(instance);
  world.release();
  then.records_of({"R", "E ELEMENT TERMINATED p"}, R"(
    R ELEMENT ACTIVATE each rejection=INVALID_STATE
    R ELEMENT ACTIVATE each rejection=INVALID_STATE
    R ELEMENT ACTIVATE each rejection=INVALID_STATE
    R PROCESS_INSTANCE_BATCH ACTIVATE rejection=INVALID_STATE
    E ELEMENT TERMINATED p
  )");
  then.all_done();
}

TEST_F(MakingTest, MI4_R23_a_body_that_has_seen_enough_makes_no_more_instances) {
  for (const int jobs : {1, 2, 5}) {
    SCOPED_TRACE(jobs);
    make(jobs, "true");
    when.completes_job("work");
    world.release();
    then.all_done();
    then.records_of({"E ELEMENT COMPLETED p", "E PROCESS_INSTANCE_BATCH ACTIVATED"}, R"(
      E PROCESS_INSTANCE_BATCH ACTIVATED index=0
      E ELEMENT COMPLETED p
    )");
    EXPECT_FALSE(world.state().jobs().counts().contains("work"));
  }
}

SCENARIO(MI9_results_without_a_mapping_go_to_the_instance) {
  const auto deploy = [&](auto... parts) {
    given.process("p", start() >>
                           service_task("each", job("work"),
                                        multi_instance({.input_collection = "[1,2]"}), parts...) >>
                           service_task("after", job("after")) >> bpmn::build::end());
  };
  deploy();
  Key instance = given.instance("p");
  given.completes_job("work", R"({"r":1})");
  given.completes_job("work", R"({"r":2})");
  EXPECT_EQ(then.variable(instance, "r"), "2");
  deploy(output("=r", "loopCounter"));
  instance = given.instance("p");
  given.completes_job("work", R"({"r":1})");
  given.completes_job("work", R"({"r":2})");
  EXPECT_EQ(then.variable(instance, "r"), "absent");
}

SCENARIO(ER7_an_error_of_an_item_is_caught_at_the_body) {
  given.process(
      "p",
      start() >> service_task("each", job("work"), multi_instance({.input_collection = "[1,2]"})) >>
          bpmn::build::end(),
      boundary("each", error("failed", "E1")) >> bpmn::build::end("handled"));
  given.instance("p");
  when.throws_error("work", "E1");
  then.records_of({"E JOB", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E JOB ERROR_THROWN work
    E ELEMENT TERMINATED each bpmnElementType=SERVICE_TASK
    E JOB CANCELED work
    E ELEMENT TERMINATED each bpmnElementType=SERVICE_TASK
    E ELEMENT TERMINATED each bpmnElementType=MULTI_INSTANCE_BODY
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED handled
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(ER7_an_error_is_caught_inside_of_its_item) {
  given.process(
      "p",
      start() >>
          subprocess("each", multi_instance({.input_collection = "[1,2]"}),
                     start("s") >> service_task("inner", job("work")) >> bpmn::build::end("e"),
                     boundary("inner", error("failed", "E1")) >> bpmn::build::end("handled")) >>
          bpmn::build::end("done"));
  given.instance("p");
  when.throws_error("work", "E1");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED inner
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED handled
    E ELEMENT COMPLETED each bpmnElementType=SUB_PROCESS
  )");
  given.completes_job("work");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
