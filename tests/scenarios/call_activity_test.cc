#include <algorithm>

#include "tests/support/scenario.h"

// Call activities (spec: elements/call_activity; scenarios/execution 7).
namespace beeline::testing {
namespace {

class CallActivity : public ScenarioTest {
 protected:
  void deploy_child() {
    given.process("child", start("child_start") >> service_task("work", job("work")) >>
                               bpmn::build::end("child_end"));
  }
};

TEST_F(CallActivity, CA2_the_called_process_knows_who_called_it) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  when.instance("parent", R"({"a":1})");
  then.records_of({"C ELEMENT ACTIVATE c", "E ELEMENT ACTIVAT", "E VARIABLE", "E JOB"}, R"(
    E VARIABLE CREATED a
    E ELEMENT ACTIVATING parent
    E ELEMENT ACTIVATED parent
    E ELEMENT ACTIVATING start
    E ELEMENT ACTIVATED start
    C ELEMENT ACTIVATE call
    E ELEMENT ACTIVATING call
    E ELEMENT ACTIVATED call
    C ELEMENT ACTIVATE child
    E VARIABLE CREATED a
    E ELEMENT ACTIVATING child
    E ELEMENT ACTIVATED child
    C ELEMENT ACTIVATE child_start
    E ELEMENT ACTIVATING child_start
    E ELEMENT ACTIVATED child_start
    E ELEMENT ACTIVATING work
    E JOB CREATED work
    E ELEMENT ACTIVATED work
  )");
}

TEST_F(CallActivity, paths_lead_from_the_root_to_an_element_and_its_incident) {
  given.process("child", start("child_start") >> service_task("work", job("=nothing")) >>
                             bpmn::build::end("child_end"));
  given.process("parent", start() >> call_activity("a_call", "child") >>
                              call_activity("call", "child") >> bpmn::build::end());
  when.instance("parent");
  const Key parent = given.element("parent");
  const Key call = given.element("a_call");
  const Key child = given.element("child");
  const Key work = given.element("work");
  const auto activating =
      then.values<record::ProcessInstanceRecord>(record::ProcessInstanceIntent::ElementActivating);
  const Key parent_definition = activating.front().process_definition_key;
  const Key child_definition = activating.back().process_definition_key;
  const auto incident =
      then.values<record::IncidentRecord>(record::IncidentIntent::Created).front();
  EXPECT_EQ(incident.element_instance_path,
            (std::vector<record::KeyPath>{{{parent, call}}, {{child, work}}}));
  EXPECT_EQ(incident.process_definition_path,
            (std::vector<Key>{parent_definition, child_definition}));
  EXPECT_EQ(incident.calling_element_path, std::vector<std::int32_t>{0});
  const record::ActivationPart& of_work = *activating.back().activation;
  EXPECT_TRUE(std::ranges::equal(of_work.element_instance_path, incident.element_instance_path));
  EXPECT_TRUE(
      std::ranges::equal(of_work.process_definition_path, incident.process_definition_path));
  EXPECT_TRUE(std::ranges::equal(of_work.calling_element_path, incident.calling_element_path));
}

TEST_F(CallActivity, CA4_the_end_of_the_called_process_brings_its_variables_back) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >>
                              service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("parent");
  when.completes_job("work", R"({"result":42})");
  then.records_of({"E ELEMENT COMPLET", "E PROCESS_EVENT", "E VARIABLE"}, R"(
    E PROCESS_EVENT TRIGGERING work
    E ELEMENT COMPLETING work
    E PROCESS_EVENT TRIGGERED work
    E VARIABLE CREATED result
    E ELEMENT COMPLETED work
    E ELEMENT COMPLETING child_end
    E ELEMENT COMPLETED child_end
    E ELEMENT COMPLETING child
    E PROCESS_EVENT TRIGGERING call
    E ELEMENT COMPLETED child
    E ELEMENT COMPLETING call
    E PROCESS_EVENT TRIGGERED call
    E VARIABLE CREATED result
    E ELEMENT COMPLETED call
  )");
  EXPECT_EQ(then.variable(instance, "result"), "42");
}

TEST_F(CallActivity, CA4_nothing_comes_back_that_was_not_asked_for) {
  deploy_child();
  given.process("parent",
                start() >>
                    call_activity("call", CallOptions{.process_id = "child",
                                                      .propagate_all_child_variables = false}) >>
                    service_task("after", job("after")) >> bpmn::build::end());
  const Key instance = given.instance("parent");
  given.completes_job("work", R"({"result":42})");
  EXPECT_EQ(then.variable(instance, "result"), "absent");
  EXPECT_EQ(given.activates_jobs("after").size(), 1U);
}

TEST_F(CallActivity, CA1_a_missing_target_is_an_incident_until_it_is_deployed) {
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  given.instance("parent");
  EXPECT_EQ(then.open_incidents(), 1U);
  deploy_child();
  given.resolves_incident();
  given.completes_job("work");
  then.all_done();
}

TEST_F(CallActivity, CA5_canceling_the_root_ends_the_called_process_and_the_child_alone_cannot) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  const Key instance = given.instance("parent");
  when.cancels(given.element("child"));
  then.rejected(RejectionType::InvalidState, "Cancel the root process instance");
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINATED"}, R"(
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT TERMINATED parent
  )");
  then.all_done();
}

TEST_F(CallActivity, CA5_a_boundary_event_ends_the_called_process_first) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end(),
                boundary("call", timer("late", 1h)) >> bpmn::build::end("expired"));
  given.instance("parent");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED parent
  )");
  then.all_done();
}

TEST_F(CallActivity, an_error_of_the_called_process_is_caught_at_the_call) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end(),
                boundary("call", error("failed", "E1")) >> bpmn::build::end("handled"));
  given.instance("parent");
  when.throws_error("work", "E1");
  then.records_of({"E JOB", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E JOB ERROR_THROWN work
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED handled
    E ELEMENT COMPLETED parent
  )");
}

// The records are those of the tables in stream-processing.md (docs/proof.md), for activation and
// completion. The variables of the parent are copied, and the output mappings return those of the
// child.
TEST_F(CallActivity, CA3_CA4_the_records_of_a_call_with_mappings) {
  deploy_child();
  given.process("parent", start() >> call_activity("call", "child", input("=a + 1", "b"),
                                                   output("=result", "c")) >>
                              service_task("after", job("after")) >> bpmn::build::end());
  when.instance("parent", R"({"a":1})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE call
    E ELEMENT ACTIVATING call
    E VARIABLE CREATED b value="2"
    E ELEMENT ACTIVATED call
    C ELEMENT ACTIVATE child
    E VARIABLE CREATED b value="2"
    E VARIABLE CREATED a value="1"
    E ELEMENT ACTIVATING child
    E ELEMENT ACTIVATED child
    C ELEMENT ACTIVATE child_start
    ...
    E JOB CREATED work
    E ELEMENT ACTIVATED work
  )");
  when.completes_job("work", R"({"result":42})");
  then.records(R"(
    ...
    C ELEMENT COMPLETE child
    E ELEMENT COMPLETING child
    E PROCESS_EVENT TRIGGERING call
    E ELEMENT COMPLETED child
    C ELEMENT COMPLETE call
    E ELEMENT COMPLETING call
    E PROCESS_EVENT TRIGGERED call
    ...
    E VARIABLE CREATED c value="42"
    E ELEMENT COMPLETED call
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN call_after
    C ELEMENT ACTIVATE after
    ...
  )");
  EXPECT_EQ(then.variable(given.element("parent"), "result"), "absent");
}

TEST_F(CallActivity, CA3_what_the_called_process_gets) {
  deploy_child();
  struct Row {
    std::string_view what;
    Path call;
    std::string_view a;  // the value that the called process sees
    std::string_view b;
  };
  const CallOptions none{.process_id = "child", .propagate_all_parent_variables = false};
  const std::vector<Row> rows = {
      {"everything", call_activity("call", "child"), "1", "absent"},
      {"everything, with a local one in front", call_activity("call", "child", input("=2", "a")),
       "2", "absent"},
      {"what is mapped only", call_activity("call", none, input("=a", "b")), "absent", "1"},
      {"nothing", call_activity("call", none), "absent", "absent"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    given.process("parent", start() >> row.call >> bpmn::build::end());
    given.instance("parent", R"({"a":1})");
    EXPECT_EQ(then.variable(given.element("child"), "a"), row.a);
    EXPECT_EQ(then.variable(given.element("child"), "b"), row.b);
    given.completes_job("work");
    then.all_done();
  }
}

TEST_F(CallActivity, CA1_the_binding_says_which_version_is_called) {
  const auto child = [](const std::string& type, const std::string& tag) {
    return process("child", version_tag(tag),
                   start("child_start") >> service_task("work", job(type)) >>
                       bpmn::build::end("child_end"))
        .to_xml();
  };
  const auto parent = [](const std::string& id, CallOptions options) {
    return process(id, start() >> call_activity("call", std::move(options)) >> bpmn::build::end())
        .to_xml();
  };
  given.deploys({{"latest.bpmn", parent("latest", {.process_id = "child"})},
                 {"together.bpmn", parent("together", {"child", "deployment"})},
                 {"tagged.bpmn", parent("tagged", {"child", "versionTag", "stable"})},
                 {"computed.bpmn", parent("computed", {.process_id = "=\"chi\" + suffix"})},
                 {"child.bpmn", child("one", "old")}});
  given.deploys({{"child.bpmn", child("two", "stable")}});
  given.deploys({{"child.bpmn", child("three", "new")}});
  for (const auto& [id, type] : {std::pair{"latest", "three"}, std::pair{"together", "one"},
                                 std::pair{"tagged", "two"}, std::pair{"computed", "three"}}) {
    SCOPED_TRACE(id);
    when.instance(id, R"({"suffix":"ld"})");
    then.records_of({"E JOB"}, fmt::format("E JOB CREATED {}", type));
  }
  when.instance("computed");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"call\"");
}

TEST_F(CallActivity, CA6_what_cannot_be_called_is_an_incident) {
  given.process("child", start(message("begin", "begun")) >> bpmn::build::end());
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  when.instance("parent");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED CALLED_ELEMENT_ERROR elementId=\"call\"");
  deploy_child();
  given.resolves_incident();
  given.completes_job("work");
  then.all_done();
}

TEST_F(CallActivity, CA6_calls_nest_a_thousand_levels_deep) {
  given.process("again", start() >> call_activity("call", "=\"again\"") >> bpmn::build::end());
  const Key instance = when.instance("again");
  const auto incidents = then.values<record::IncidentRecord>(record::IncidentIntent::Created);
  ASSERT_EQ(incidents.size(), 1U);
  EXPECT_EQ(incidents.front().error_type, record::ErrorType::CalledElementError);
  EXPECT_EQ(world.state().element_instances().count(), 2000U);
  given.cancels(instance);
  then.all_done();
}

TEST_F(CallActivity, CA7_a_call_that_has_an_incident_listens_to_nothing) {
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end(),
                boundary("call", timer("late", 1h)) >> bpmn::build::end("expired"));
  when.instance("parent");
  then.records_of({"E TIMER", "E ELEMENT ACTIVATED call", "E INCIDENT"},
                  "E INCIDENT CREATED CALLED_ELEMENT_ERROR");
  deploy_child();
  when.resolves_incident();
  then.records_of({"E TIMER", "E ELEMENT ACTIVATED call"}, R"(
    E TIMER CREATED late
    E ELEMENT ACTIVATED call
  )");
}

SCENARIO_STEP_BY_STEP(CA5_R22_a_called_process_does_not_complete_once_its_call_is_interrupted) {
  given.process("child", start("child_start") >> service_task("work", job("work")) >>
                             bpmn::build::end("child_end"));
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end("done"),
                boundary("call", timer("late", 1h)) >> bpmn::build::end("expired"));
  given.instance("parent");
  when.appends_behind_others([&] {
    given.time_passes(1h);
    given.completes_job("work");
  });
  then.records_of({"E TIMER", "E JOB", "R", "E ELEMENT TERMINAT", "E ELEMENT COMPLETED"}, R"(
    E TIMER TRIGGERED late
    E JOB COMPLETED work
    E ELEMENT TERMINATING call
    E ELEMENT COMPLETED work
    E ELEMENT TERMINATING child
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED call
    R ELEMENT ACTIVATE child_end rejection=INVALID_STATE
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED parent
  )");
  then.all_done();
}

// Here the called process completes before the timer fires.
SCENARIO_STEP_BY_STEP(CA5_R22_a_call_whose_process_is_completed_takes_no_boundary_event) {
  given.process("child", start("child_start") >> service_task("work", job("work")) >>
                             bpmn::build::end("child_end"));
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end("done"),
                boundary("call", timer("late", 1h)) >> bpmn::build::end("expired"));
  given.instance("parent");
  when.completes_job("work");
  then.records_of({"E TIMER", "R", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED work
    E ELEMENT COMPLETED child_end
    E ELEMENT COMPLETED child
    E TIMER CANCELED late
    E ELEMENT COMPLETED call
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED parent
  )");
  then.all_done();
}

// A cancellation in any state of the call leaves neither instances nor variables behind.
TEST(CallActivityRaces, CX1_a_call_is_canceled_in_every_state) {
  for (int steps = 0; steps < 14; ++steps) {
    SCOPED_TRACE(steps);
    engine::EngineOptions options;
    options.batch_commands_max = 1;
    World world{options};
    Actions given{world, false};
    given.process("child", start("child_start") >> service_task("work", job("work")) >>
                               bpmn::build::end("child_end"));
    given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end("done"));
    world.hold();
    const Key instance = given.instance("parent", R"({"a":1})");
    for (int i = 0; i < steps && world.engine().has_pending(); ++i) world.step();
    given.cancels(instance);
    world.release();
    Expectations{world}.all_done();
    for (const record::OwnedRecord& each : world.records()) {
      if (each.metadata.value_type != record::ValueType::Variable) continue;
      const Key scope = record::decode<record::VariableRecord>(each.value).scope_key;
      EXPECT_EQ(world.state().variables().find_scope(scope), nullptr) << "a variable is left";
    }
    EXPECT_EQ(world.compare_with_replay(), "");
  }
}

}  // namespace
}  // namespace beeline::testing
