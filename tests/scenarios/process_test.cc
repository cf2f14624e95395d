#include "tests/support/scenario.h"

// Process and none events (spec: elements/scopes 1; elements/events 1; scenarios/execution 1).
namespace beeline::testing {
namespace {

using record::ProcessInstanceCreationRecord;
using record::ProcessInstanceIntent;
using record::ProcessInstanceRecord;
using record::ProcessInstanceResultRecord;

ProcessInstanceCreationRecord creation_of(std::string process_id) {
  ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = std::move(process_id);
  return creation;
}

SCENARIO(PR1_an_instance_of_a_one_task_process_runs_to_its_job) {
  given.process("order", start("begin") >> service_task("ship", job("courier")) >> end("shipped"));
  when.instance("order", R"({"a":1})");
  then.records(R"(
    C PROCESS_INSTANCE_CREATION CREATE order
    E VARIABLE CREATED a value="1"
    C ELEMENT ACTIVATE order
    E PROCESS_INSTANCE_CREATION CREATED order
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    C ELEMENT ACTIVATE begin
    E ELEMENT ACTIVATING begin
    E ELEMENT ACTIVATED begin
    C ELEMENT COMPLETE begin
    E ELEMENT COMPLETING begin
    E ELEMENT COMPLETED begin
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN begin_ship
    C ELEMENT ACTIVATE ship
    E ELEMENT ACTIVATING ship
    E JOB CREATED courier retries=3
    E ELEMENT ACTIVATED ship
  )");
}

SCENARIO(PR1_completing_the_job_ends_the_instance) {
  given.process("order", start("begin") >> service_task("ship", job("courier")) >> end("shipped"));
  given.instance("order");
  when.completes_job("courier", R"({"b":2})");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED courier
    E PROCESS_EVENT TRIGGERING ship
    C ELEMENT COMPLETE ship
    E ELEMENT COMPLETING ship
    E PROCESS_EVENT TRIGGERED ship
    E VARIABLE CREATED b value="2"
    E ELEMENT COMPLETED ship
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN ship_shipped
    C ELEMENT ACTIVATE shipped
    E ELEMENT ACTIVATING shipped
    E ELEMENT ACTIVATED shipped
    C ELEMENT COMPLETE shipped
    E ELEMENT COMPLETING shipped
    E ELEMENT COMPLETED shipped
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(PR1_creating_by_id_takes_the_latest_version_by_version_or_key_exactly_that_one) {
  given.process("order", start() >> service_task("pack", job("packer")) >> end());
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  const auto deployed = then.answer<record::DeploymentRecord>().processes.front();
  ASSERT_EQ(deployed.version, 2);

  when.instance("order");
  EXPECT_EQ(then.answer<ProcessInstanceCreationRecord>().version, 2);
  then.records_of({"E JOB"}, "E JOB CREATED courier");

  ProcessInstanceCreationRecord by_version = creation_of("order");
  by_version.version = 1;
  when.creates(by_version);
  then.records_of({"E JOB"}, "E JOB CREATED packer");

  ProcessInstanceCreationRecord by_key;
  by_key.process_definition_key = deployed.key;
  when.creates(by_key);
  EXPECT_EQ(then.answer<ProcessInstanceCreationRecord>().bpmn_process_id, "order");
  then.records_of({"E JOB"}, "E JOB CREATED courier");
}

SCENARIO(PR2_variables_are_created_at_the_instance_before_it_is_activated) {
  given.process("order", start() >> end());
  const Key instance = when.instance("order", R"({"a":1,"b":"x","c":null})");
  then.records(R"(
    C PROCESS_INSTANCE_CREATION CREATE order
    E VARIABLE CREATED a value="1"
    E VARIABLE CREATED b
    E VARIABLE CREATED c value="null"
    C ELEMENT ACTIVATE order
    E PROCESS_INSTANCE_CREATION CREATED order
    E ELEMENT ACTIVATING order
    ...
    E ELEMENT COMPLETED order
  )");
  for (const auto& variable :
       then.values<record::VariableRecord>(record::VariableIntent::Created)) {
    EXPECT_EQ(variable.scope_key, instance);
    EXPECT_EQ(variable.process_instance_key, instance);
  }
}

SCENARIO(PR3_what_cannot_be_created_is_refused) {
  given.process("order", start() >> end());
  given.process("nightly", start(timer_cycle("midnight", "0 0 0 * * *")) >> end());
  then.refused({
      {"unknown id", [&] { when.creates(creation_of("unknown")); }, RejectionType::NotFound,
       "process ID 'unknown'"},
      {"unknown version",
       [&] {
         auto creation = creation_of("order");
         creation.version = 7;
         when.creates(creation);
       },
       RejectionType::NotFound, "version '7'"},
      {"unknown key",
       [&] {
         ProcessInstanceCreationRecord creation;
         creation.process_definition_key = Key{12345};
         when.creates(creation);
       },
       RejectionType::NotFound, "key '12345'"},
      {"neither id nor key", [&] { when.creates({}); }, RejectionType::InvalidArgument,
       "bpmnProcessId or a key"},
      {"no none start event", [&] { when.creates(creation_of("nightly")); },
       RejectionType::InvalidState, "no such event"},
  });
}

SCENARIO(PR4_creating_activates_the_none_start_beside_a_timer_start) {
  given.process("order", start("now") >> service_task("ship", job("courier")) >> end(),
                start(timer_cycle("midnight", "0 0 0 * * *")) >> to("ship"));
  when.instance("order");
  then.records_of({"E ELEMENT ACTIVATED"}, R"(
    E ELEMENT ACTIVATED order
    E ELEMENT ACTIVATED now
    E ELEMENT ACTIVATED ship
  )");
}

SCENARIO(PR5_a_task_without_outgoing_flow_ends_the_path) {
  given.process("order", start() >> service_task("ship", job("courier")));
  given.instance("order");
  when.completes_job("courier");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED courier
    E PROCESS_EVENT TRIGGERING ship
    C ELEMENT COMPLETE ship
    E ELEMENT COMPLETING ship
    E PROCESS_EVENT TRIGGERED ship
    E ELEMENT COMPLETED ship
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(PR6_two_outgoing_flows_fork_and_the_instance_waits_for_both) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                from("start") >> service_task("bill", job("biller")) >> end("billed"));
  when.instance("order");
  then.records_of({"E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN", "E ELEMENT ACTIVATED"}, R"(
    E ELEMENT ACTIVATED order
    E ELEMENT ACTIVATED start
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN start_ship
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN start_bill
    E ELEMENT ACTIVATED ship
    E ELEMENT ACTIVATED bill
  )");
  when.completes_job("courier");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED ship
    E ELEMENT COMPLETED shipped
  )");
  when.completes_job("biller");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED bill
    E ELEMENT COMPLETED billed
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(PR7_a_throw_event_with_an_output_mapping_sets_a_variable_of_the_instance) {
  given.process("order", start() >> throw_event("noted", output("=\"done\"", "status")) >> end());
  const Key instance = when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE noted
    E ELEMENT ACTIVATING noted
    E ELEMENT ACTIVATED noted
    C ELEMENT COMPLETE noted
    E ELEMENT COMPLETING noted
    E VARIABLE CREATED status
    E ELEMENT COMPLETED noted
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN noted_end
    ...
    E ELEMENT COMPLETED order
  )");
  const auto written = then.values<record::VariableRecord>(record::VariableIntent::Created);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written.front().scope_key, instance);
  EXPECT_EQ(written.front().value, R"("done")");
}

SCENARIO(PR7_start_and_end_events_map_outputs_too) {
  given.process("order", start("begin", output("=1", "first")) >>
                             end("ended", output("=first + 1", "second")));
  when.instance("order");
  then.records_of({"E VARIABLE"}, R"(
    E VARIABLE CREATED first value="1"
    E VARIABLE CREATED second value="2"
  )");
}

SCENARIO(PR8_awaiting_the_result_answers_with_all_variables_of_the_instance) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  auto creation = creation_of("order");
  creation.variables.entries.push_back({"a", "1"});
  given.creates(creation, true);
  const std::size_t answers = world.answers().size();
  when.completes_job("courier", R"({"b":2})");
  ASSERT_EQ(world.answers().size(), answers + 2);  // the answers to the job and to the creation
  const auto result = then.answer<ProcessInstanceResultRecord>();
  EXPECT_EQ(world.answers().back().record.metadata.value_type,
            record::ValueType::ProcessInstanceResult);
  EXPECT_EQ(result.bpmn_process_id, "order");
  EXPECT_EQ(result.variables, (record::Document{{{"a", "1"}, {"b", "2"}}}));
}

SCENARIO(PR8_fetch_variables_gives_those_that_are_there) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  auto creation = creation_of("order");
  creation.variables.entries = {{"a", "1"}, {"b", "2"}};
  creation.fetch_variables = {"b", "missing"};
  given.creates(creation, true);
  when.completes_job("courier");
  EXPECT_EQ(then.answer<ProcessInstanceResultRecord>().variables, (record::Document{{{"b", "2"}}}));
}

SCENARIO(PR9_an_instance_that_is_canceled_has_no_result) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  given.creates(creation_of("order"), true);
  const std::size_t answers = world.answers().size();
  when.cancels(given.element("order"));
  EXPECT_EQ(world.answers().size(), answers + 1);  // only the answer to the cancellation
  then.all_done();
}

SCENARIO(PR9_a_bad_request_for_a_result_is_refused_at_once) {
  then.refused({{"unknown id", [&] { when.creates(creation_of("unknown"), true); },
                 RejectionType::NotFound, "process ID 'unknown'"}});
}

SCENARIO(PR10_paths_are_on_activating_only_and_the_root_on_every_record) {
  given.process("order", start() >> subprocess("pack", start("inner") >>
                                                           service_task("wrap", job("wrapper")) >>
                                                           end("wrapped")) >>
                             end());
  const Key instance = when.instance("order");
  const Key pack = given.element("pack");
  const Key wrap = given.element("wrap");
  const auto activating =
      then.values<ProcessInstanceRecord>(ProcessInstanceIntent::ElementActivating);
  const ProcessInstanceRecord& last = activating.back();
  const auto path_of = [](const ProcessInstanceRecord& value) {
    const auto& path = value.activation->element_instance_path;
    EXPECT_EQ(path.size(), 1U);
    return std::vector<Key>{path.front().keys.begin(), path.front().keys.end()};
  };
  EXPECT_EQ(path_of(last), (std::vector<Key>{instance, pack, wrap}));
  ASSERT_EQ(last.activation->process_definition_path.size(), 1U);
  EXPECT_EQ(last.activation->process_definition_path.front(), last.process_definition_key);
  EXPECT_TRUE(last.activation->calling_element_path.empty());
  EXPECT_EQ(path_of(activating.front()), std::vector<Key>{instance});
  for (const auto& value : activating) EXPECT_EQ(value.root_process_instance_key, instance);
  for (const auto intent :
       {ProcessInstanceIntent::ElementActivated, ProcessInstanceIntent::ElementCompleted,
        ProcessInstanceIntent::SequenceFlowTaken}) {
    for (const auto& value : then.values<ProcessInstanceRecord>(intent)) {
      EXPECT_FALSE(value.activation.is_set());
      EXPECT_EQ(value.root_process_instance_key, instance);
    }
  }
  EXPECT_EQ(
      then.values<record::JobRecord>(record::JobIntent::Created).front().root_process_instance_key,
      instance);
}

SCENARIO(PR11_tags_of_the_instance_are_on_its_jobs) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  auto creation = creation_of("order");
  creation.tags = {"a", "b:1", "c.d", "e-f", "g_h", "i", "j", "k", "l", std::string(100, 'm')};
  when.creates(creation);
  EXPECT_EQ(then.values<record::JobRecord>(record::JobIntent::Created).front().tags, creation.tags);
  const auto jobs = when.activates_jobs("courier");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(then.answer<record::JobBatchRecord>().jobs.front().tags, creation.tags);
}

SCENARIO(PR11_tags_that_are_none_are_refused) {
  given.process("order", start() >> end());
  const auto with_tags = [&](std::vector<std::string> tags) {
    return [&, tags = std::move(tags)] {
      auto creation = creation_of("order");
      creation.tags = tags;
      when.creates(creation);
    };
  };
  constexpr auto kInvalid = RejectionType::InvalidArgument;
  then.refused({
      {"eleven", with_tags(std::vector<std::string>(11, "a")), kInvalid, "at most 10 tags"},
      {"empty", with_tags({""}), kInvalid, "tag ''"},
      {"digit first", with_tags({"1a"}), kInvalid, "tag '1a'"},
      {"space", with_tags({"a b"}), kInvalid, "tag 'a b'"},
      {"second is bad", with_tags({"fine", "/"}), kInvalid, "tag '/'"},
      {"101 characters", with_tags({std::string(101, 'a')}), kInvalid, "at most 100"},
  });
}

}  // namespace
}  // namespace beeline::testing
