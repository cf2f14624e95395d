#include "base/check.h"
#include "tests/support/cluster.h"
#include "tests/support/decision_files.h"
#include "tests/support/scenario.h"

// Deletion of deployed resources (spec: deployments 4; scenarios/execution 11).
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;
using record::ProcessIntent;
using record::ProcessRecord;
using record::ResourceDeletionRecord;

Model one_task(const std::string& id, const std::string& type) {
  return process(id, start() >> service_task("task", job(type)) >> bpmn::build::end("done"));
}

record::ProcessInstanceCreationRecord first_version_of(const std::string& process_id) {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = process_id;
  creation.version = 1;
  return creation;
}

record::ProcessInstanceCreationRecord instance_of(Key definition) {
  record::ProcessInstanceCreationRecord creation;
  creation.process_definition_key = definition;
  return creation;
}

constexpr std::string_view kWholeDeletion = R"(
    C RESOURCE_DELETION DELETE
    E RESOURCE_DELETION DELETING order resourceType="PROCESS_DEFINITION"
    E PROCESS DRAINING order
    E PROCESS DELETING order
    E PROCESS DELETED order
    C PROCESS DELETE_COMPLETE order
    E RESOURCE_DELETION DELETED order
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )";

SCENARIO(DL1_a_process_without_instances_is_deleted_at_once) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key definition = given.definition("order");
  when.deletes(definition);
  then.records(kWholeDeletion);
  then.answered();
  EXPECT_EQ(then.answer<ResourceDeletionRecord>().resource_key, definition);
  EXPECT_EQ(world.state().definitions().find(definition), nullptr);
  EXPECT_EQ(world.state().definitions().find_deletion(definition), nullptr);

  then.refused({
      {"by id", [&] { when.instance("order"); }, RejectionType::NotFound,
       "Expected to find process definition with process ID 'order', but none found"},
      {"by version", [&] { when.creates(first_version_of("order")); }, RejectionType::NotFound,
       "Expected to find process definition with process ID 'order' and version '1', but none "
       "found"},
      {"by key", [&] { when.creates(instance_of(definition)); }, RejectionType::NotFound,
       "Expected to find process definition with key"},
      {"once more", [&] { when.deletes(definition); }, RejectionType::NotFound,
       "Expected to delete resource but no resource found with key `"},
  });
}

SCENARIO(DL1_the_version_before_is_the_latest_again_and_numbers_do_not_come_back) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key first = given.definition("order");
  given.model("order.bpmn", one_task("order", "two"));
  const Key second = given.definition("order");
  given.deletes(second);
  EXPECT_EQ(given.definition("order"), first);
  when.instance("order");
  then.records_of({"E JOB"}, "E JOB CREATED one");
  when.model("order.bpmn", one_task("order", "two"));
  then.records_of({"E PROCESS CREATED"}, "E PROCESS CREATED order version=3");
}

SCENARIO(DL1_what_was_the_last_version_leaves_its_number_behind) {
  given.model("order.bpmn", one_task("order", "one"));
  given.deletes(given.definition("order"));
  when.model("order.bpmn", one_task("order", "one"));
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED order version=2
    E DEPLOYMENT CREATED
  )");
}

SCENARIO(DL2_a_process_with_instances_drains_until_the_last_has_ended) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key definition = given.definition("order");
  given.instance("order");
  const Key last = given.instance("order");
  when.deletes(definition);
  then.records(R"(
    C RESOURCE_DELETION DELETE
    E RESOURCE_DELETION DELETING order
    E PROCESS DRAINING order
    E RESOURCE_DELETION DELETED order
  )");
  then.answered();
  when.completes_job("one");
  then.records_of({"E PROCESS D", "C PROCESS D"}, "");
  when.cancels(last);
  then.records_of({"E ELEMENT TERMINATED", "E PROCESS D", "C PROCESS D", "E PROCESS F", "E ASYNC"},
                  R"(
    E ASYNC_REQUEST RECEIVED
    E ELEMENT TERMINATED task
    E ELEMENT TERMINATED order
    E ASYNC_REQUEST PROCESSED
    E PROCESS DELETING order
    E PROCESS DELETED order
    C PROCESS DELETE_COMPLETE order
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )");
  EXPECT_EQ(world.state().definitions().find(definition), nullptr);
}

SCENARIO(DL2_the_completion_of_the_last_instance_deletes_it) {
  given.model("order.bpmn", one_task("order", "one"));
  given.instance("order");
  given.deletes(given.definition("order"));
  when.completes_job("one");
  then.records_of({"E ELEMENT COMPLETED", "E PROCESS D", "C PROCESS D"}, R"(
    E ELEMENT COMPLETED task
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED order
    E PROCESS DELETING order
    E PROCESS DELETED order
    C PROCESS DELETE_COMPLETE order
    E PROCESS DELETE_COMPLETED order
  )");
  then.all_done();
}

SCENARIO(DL2_while_it_drains_every_way_to_an_instance_is_refused) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key definition = given.definition("order");
  given.instance("order");
  given.deletes(definition);
  const std::string_view reason =
      "Expected to create instance of process with ID 'order' and version 1 (key ";
  then.refused({
      {"by id", [&] { when.instance("order"); }, RejectionType::InvalidState, reason},
      {"by version", [&] { when.creates(first_version_of("order")); }, RejectionType::InvalidState,
       reason},
      {"by key", [&] { when.creates(instance_of(definition)); }, RejectionType::InvalidState,
       "but it is being deleted"},
      {"delete twice", [&] { when.deletes(definition); }, RejectionType::InvalidState,
       "Expected to delete process definition with key `"},
  });
}

SCENARIO(DL2_a_call_activity_does_not_call_what_drains) {
  given.model("child.bpmn", one_task("child", "one"));
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end());
  given.instance("child");
  given.deletes(given.definition("child"));
  when.instance("parent");
  const auto incidents = then.values<IncidentRecord>(IncidentIntent::Created);
  ASSERT_EQ(incidents.size(), 1U);
  EXPECT_EQ(incidents.front().error_type, record::ErrorType::CalledElementError);
  EXPECT_EQ(incidents.front().error_message,
            "Expected to call process with BPMN process id 'child', but it is being deleted.");
  given.model("child.bpmn", one_task("child", "one"));
  when.resolves_incident();
  then.records_of({"E JOB"}, "E JOB CREATED one");
}

SCENARIO(DL2_a_called_process_is_deleted_as_its_caller_goes_on) {
  given.model("child.bpmn", one_task("child", "one"));
  given.process("parent", start() >> call_activity("call", "child") >> bpmn::build::end("over"));
  given.instance("parent");
  given.deletes(given.definition("child"));
  when.completes_job("one");
  then.records_of({"E PROCESS D", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED task
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED child
    E PROCESS DELETING child
    E PROCESS DELETED child
    E ELEMENT COMPLETED call
    E PROCESS DELETE_COMPLETED child
    E ELEMENT COMPLETED over
    E ELEMENT COMPLETED parent
  )");
  then.all_done();
}

SCENARIO(DL2_the_same_content_while_it_drains_is_a_new_version) {
  given.model("order.bpmn", one_task("order", "one"));
  given.instance("order");
  given.deletes(given.definition("order"));
  when.model("order.bpmn", one_task("order", "one"));
  then.records_of({"E PROCESS CREATED"}, "E PROCESS CREATED order version=2");
  when.instance("order");
  then.answered();
}

// The client has already got the instance's key, so the instance runs and the definition waits for
// it.
SCENARIO_STEP_BY_STEP(DL2_an_instance_that_was_created_before_runs_although_it_begins_after) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key definition = given.definition("order");
  when.appends_behind_others([&] {
    given.instance("order");
    given.deletes(definition);
  });
  then.records_of({"E PROCESS_INSTANCE_CREATION", "E RESOURCE_DELETION", "E PROCESS D", "R",
                   "E ELEMENT ACTIVATED task"},
                  R"(
    E PROCESS_INSTANCE_CREATION CREATED order
    E RESOURCE_DELETION DELETING order
    E PROCESS DRAINING order
    E RESOURCE_DELETION DELETED order
    E ELEMENT ACTIVATED task
  )");
  when.completes_job("one");
  then.records_of({"E PROCESS DELETED"}, "E PROCESS DELETED order");
}

SCENARIO(DL3_the_start_timer_goes_back_to_the_version_before) {
  given.process("order", start(timer_cycle("hourly", "R/PT1H")) >> end());
  given.process("order", start(timer_cycle("daily", "R/P1D")) >> end());
  when.deletes(given.definition("order"));
  then.records(R"(
    C RESOURCE_DELETION DELETE
    E RESOURCE_DELETION DELETING order
    E PROCESS DRAINING order version=2
    E TIMER CANCELED daily
    E TIMER CREATED hourly
    E PROCESS DELETING order
    E PROCESS DELETED order
    C PROCESS DELETE_COMPLETE order
    E RESOURCE_DELETION DELETED order
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )");
  when.time_passes(1h);
  then.records_of({"E TIMER TRIGGERED"}, "E TIMER TRIGGERED hourly");
  when.deletes(given.definition("order"));
  then.records_of({"E TIMER"}, "E TIMER CANCELED hourly");
}

SCENARIO(DL3_a_date_that_has_passed_does_not_fire_once_more) {
  given.process("order", start(timer_date("once", "2023-11-14T23:00:00Z")) >> end());
  when.time_passes(1h);
  then.records_of({"E TIMER TRIGGERED"}, "E TIMER TRIGGERED once");
  given.process("order", start(timer_cycle("daily", "R/P1D")) >> end());
  when.deletes(given.definition("order"));
  then.records_of({"E TIMER"}, "E TIMER CANCELED daily");
}

SCENARIO(DL3_the_message_start_goes_back_to_the_version_before) {
  given.process("order", start(message("begin", "placed")) >> end());
  given.process("order", start(message("begin", "ordered")) >> end());
  when.deletes(given.definition("order"));
  then.records_of({"E PROCESS", "E MESSAGE_START_EVENT_SUBSCRIPTION"}, R"(
    E PROCESS DRAINING order
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED ordered
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED placed
    E PROCESS DELETING order
    E PROCESS DELETED order
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )");
  when.publishes("ordered");
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "");
  when.publishes("placed");
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "E PROCESS_INSTANCE_CREATION CREATED order");
}

SCENARIO(DL3_the_next_lower_version_that_is_active_takes_over) {
  given.process("order", start(message("begin", "one")) >> end());
  given.process("order", start(message("begin", "two")) >> service_task("t", job("t")) >> end());
  const Key second = given.definition("order");
  given.publishes("two");  // starts an instance, so that the version drains
  given.process("order", start(message("begin", "three")) >> end());
  given.deletes(second);
  when.deletes(given.definition("order"));
  then.records_of({"E MESSAGE_START_EVENT_SUBSCRIPTION"}, R"(
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED three
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED one
  )");
}

SCENARIO(DL3_deleting_an_older_version_leaves_the_starts_alone) {
  given.process("order", start(message("begin", "one")) >> end());
  const Key first = given.definition("order");
  given.process("order", start(message("begin", "two")) >> end());
  when.deletes(first);
  then.records(kWholeDeletion);
}

SCENARIO(DL3_a_version_whose_timers_cannot_be_set_keeps_the_newer_one) {
  given.process("order", start(timer_cycle("again",
                                           "=if now() < date and time("
                                           "\"2023-11-15T00:00:00Z\") then \"R/PT1H\" "
                                           "else \"never\"")) >>
                             end());
  given.process("order", start() >> end());
  given.time_passes(48h);
  const Key second = given.definition("order");
  then.refused({{"delete the newer one", [&] { when.deletes(second); }, RejectionType::InvalidState,
                 "version 1, which would take over, cannot set its timers"}});
}

SCENARIO(DL4_of_decisions_the_version_before_is_the_latest_again) {
  const auto deploy = [&](const std::string& text) {
    when.deploys({{"d.dmn", decisions_file(
                                "drg", literal_decision("d", text) + literal_decision("e", "1"))}});
    return then.answer<record::DeploymentRecord>().requirements.front().key;
  };
  deploy("\"one\"");
  const Key second = deploy("\"two\"");
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >>
                         service_task("after", job("after")) >> end());
  when.deletes(second);
  then.records(R"(
    C RESOURCE_DELETION DELETE
    E RESOURCE_DELETION DELETING drg resourceType="DECISION_REQUIREMENTS"
    E DECISION DELETED d version=2
    E DECISION DELETED e version=2
    E DECISION_REQUIREMENTS DELETED drg decisionRequirementsVersion=2
    E RESOURCE_DELETION DELETED drg
  )");
  then.answered();
  EXPECT_EQ(then.variable(when.instance("p"), "y"), "\"one\"");
  // Deploying the file again creates a new version.
  deploy("\"two\"");
  then.records_of({"E DECISION"}, R"(
    E DECISION_REQUIREMENTS CREATED drg decisionRequirementsVersion=3
    E DECISION CREATED d version=3
    E DECISION CREATED e version=3
  )");
}

SCENARIO(DL4_without_its_decision_a_task_has_an_incident) {
  when.deploys({{"d.dmn", decisions_file("drg", literal_decision("d", "1"))}});
  given.deletes(then.answer<record::DeploymentRecord>().requirements.front().key);
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >> end());
  when.instance("p");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED CALLED_DECISION_ERROR");
}

SCENARIO(DL4_decisions_that_others_import_are_kept) {
  when.deploys(
      {{"prices.dmn",
        in_namespace("prices", decisions_file("prices", literal_decision("price", "20")))}});
  const Key imported = then.answer<record::DeploymentRecord>().requirements.front().key;
  when.deploys({{"offer.dmn",
                 decisions_file("offer", "<import name='p' namespace='prices' importType='dmn'/>" +
                                             literal_decision("offer", "1"))}});
  const Key importer = then.answer<record::DeploymentRecord>().requirements.front().key;
  then.refused({{"delete what is imported", [&] { when.deletes(imported); },
                 RejectionType::InvalidState, "but 'offer' with key"}});
  given.deletes(importer);
  when.deletes(imported);
  then.answered();
}

SCENARIO(DL4_what_is_not_there_is_not_found) {
  then.refused({
      {"any key", [&] { when.deletes(Key{4711}); }, RejectionType::NotFound,
       "Expected to delete resource but no resource found with key `4711`"},
      {"none", [&] { when.deletes(Key{}); }, RejectionType::NotFound,
       "Expected to delete resource but no resource found with key `-1`"},
  });
}

// ----- instances that met a bug -----

class BannedInstanceTest : public ScenarioTest {
 protected:
  BannedInstanceTest() : ScenarioTest(options(*this)) {}

  void ban(Key element) {
    is_broken_ = true;
    given.submits(record::ProcessInstanceIntent::CompleteElement, element,
                  record::ProcessInstanceRecord{});
    is_broken_ = false;
  }

 private:
  static engine::EngineOptions options(BannedInstanceTest& test) {
    engine::EngineOptions options;
    options.before_command = [&test](const record::Metadata& command) {
      if (test.is_broken_ && command.value_type == record::ValueType::ProcessInstance) {
        throw InvariantError("a bug");
      }
    };
    return options;
  }
  bool is_broken_ = false;
};

TEST_F(BannedInstanceTest, DL2_they_do_not_keep_a_process_from_being_deleted) {
  given.model("order.bpmn", one_task("order", "one"));
  const Key definition = given.definition("order");
  const Key instance = given.instance("order");
  ban(given.element("task"));
  ASSERT_TRUE(world.state().is_banned(instance));
  when.deletes(definition);
  then.records(kWholeDeletion);
  then.refused({{"once more", [&] { when.deletes(definition); }, RejectionType::NotFound,
                 "no resource found"}});
  then.refused({{"create", [&] { when.creates(instance_of(definition)); }, RejectionType::NotFound,
                 "none found"}});
  // The instance can still be canceled, and the rest of the definition is removed with it.
  when.cancels(instance);
  then.answered();
  then.all_done();
  EXPECT_EQ(world.state().definitions().find(definition), nullptr);
}

TEST_F(BannedInstanceTest, DL2_one_that_is_banned_while_its_process_drains_lets_it_go) {
  given.model("order.bpmn", one_task("order", "one"));
  given.instance("order");
  given.deletes(given.definition("order"));
  world.set_mark();
  ban(given.element("task"));
  then.records_of({"E"}, R"(
    E ERROR CREATED
    E PROCESS DELETING order
    E PROCESS DELETED order
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )");
}

// ----- several partitions -----

void deploy_order(Cluster& cluster) {
  cluster.when(1).deploys({{"order.bpmn", one_task("order", "one").to_xml()}});
}

std::size_t definitions_left(Cluster& cluster, Key definition) {
  std::size_t count = 0;
  for (std::int32_t number = 1; number <= cluster.count(); ++number) {
    if (cluster.at(number).state().definitions().find(definition) != nullptr) ++count;
  }
  return count;
}

TEST(Deletion, reaches_every_partition) {
  Cluster cluster{3};
  cluster.when(1).deploys({{"order.bpmn", one_task("order", "one").to_xml()}});
  cluster.deliver();
  const Key definition = cluster.given(1).definition("order");
  cluster.mark();
  cluster.when(1).deletes(definition);
  cluster.deliver();
  cluster.then(1).records(R"(
    C RESOURCE_DELETION DELETE
    E RESOURCE_DELETION DELETING order
    E PROCESS DRAINING order drainPartitions=[1,2,3]
    E PROCESS DELETING order
    E PROCESS DELETED order
    C PROCESS DELETE_COMPLETE order
    E RESOURCE_DELETION DELETED order
    E COMMAND_DISTRIBUTION STARTED queueId="DEPLOYMENT" valueType=RESOURCE_DELETION
    E COMMAND_DISTRIBUTION ENQUEUED 2
    E COMMAND_DISTRIBUTION DISTRIBUTING 2
    E COMMAND_DISTRIBUTION ENQUEUED 3
    E COMMAND_DISTRIBUTION DISTRIBUTING 3
    E PROCESS DELETE_COMPLETED order drainPartitions=[1]
    ...
    E PROCESS DELETE_COMPLETED order drainPartitions=[2]
    ...
    E PROCESS DELETE_COMPLETED order drainPartitions=[3]
    E PROCESS FULLY_DELETED order
    ...
    E COMMAND_DISTRIBUTION FINISHED
  )");
  cluster.then(1).answered();
  for (const std::int32_t other : {2, 3}) {
    cluster.then(other).records(R"(
      C RESOURCE_DELETION DELETE
      E RESOURCE_DELETION DELETING order
      E PROCESS DRAINING order
      E PROCESS DELETING order
      E PROCESS DELETED order
      E COMMAND_DISTRIBUTION STARTED valueType=PROCESS
      E COMMAND_DISTRIBUTION DISTRIBUTING 1
      E RESOURCE_DELETION DELETED order
      E COMMAND_DISTRIBUTION RECEIVED 1
      C COMMAND_DISTRIBUTION ACKNOWLEDGE 1
      E COMMAND_DISTRIBUTION ACKNOWLEDGED 1
      C COMMAND_DISTRIBUTION FINISH
      E COMMAND_DISTRIBUTION FINISHED
    )");
  }
  EXPECT_EQ(definitions_left(cluster, definition), 0U);
}

TEST(Deletion, waits_for_the_instances_of_each_partition) {
  Cluster cluster{3};
  deploy_order(cluster);
  cluster.deliver();
  const Key definition = cluster.given(1).definition("order");
  cluster.given(3).instance("order");
  cluster.when(1).deletes(definition);
  cluster.settle();
  cluster.then(1).answered();
  EXPECT_EQ(definitions_left(cluster, definition), 1U);
  EXPECT_EQ(cluster.at(1).state().definitions().find_deletion(definition)->partitions,
            std::vector<std::int32_t>{3});
  cluster.mark();
  cluster.when(3).completes_job("one");
  cluster.settle();
  cluster.then(1).records_of({"E PROCESS"}, R"(
    E PROCESS DELETE_COMPLETED order
    E PROCESS FULLY_DELETED order
  )");
  EXPECT_EQ(definitions_left(cluster, definition), 0U);
}

TEST(Deletion, comes_after_the_deployment_although_the_network_is_bad) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Cluster cluster{3, {.loses = 0.3, .repeats = 0.3, .reorders = true}, seed};
    deploy_order(cluster);
    const Key definition = cluster.given(1).definition("order");
    cluster.given(1).deletes(definition);
    cluster.when(1).deploys({{"order.bpmn", one_task("order", "two").to_xml()}});
    cluster.restart(static_cast<std::int32_t>(seed % 3) + 1);
    cluster.settle();
    EXPECT_EQ(definitions_left(cluster, definition), 0U);
    for (const std::int32_t number : {1, 2, 3}) {
      EXPECT_EQ(cluster.given(number).definition("order"), cluster.given(1).definition("order"));
      cluster.when(number).instance("order");
      cluster.then(number).records_of({"E JOB"}, "E JOB CREATED two");
    }
    EXPECT_EQ(cluster.at(1).state().definitions().find_deletion(definition), nullptr);
  }
}

TEST(Deletion, start_events_go_back_on_every_partition_and_timers_on_the_first) {
  Cluster cluster{2};
  const auto version = [](const std::string& name) {
    return process("order", start(message("begin", name)) >> end("done"),
                   start(timer_cycle(name + "_timer", "R/P1D")) >> end("late"))
        .to_xml();
  };
  cluster.when(1).deploys({{"order.bpmn", version("one")}});
  cluster.when(1).deploys({{"order.bpmn", version("two")}});
  cluster.deliver();
  cluster.mark();
  cluster.when(1).deletes(cluster.given(1).definition("order"));
  cluster.deliver();
  cluster.then(1).records_of({"E TIMER", "E MESSAGE_START"}, R"(
    E TIMER CANCELED two_timer
    E TIMER CREATED one_timer
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED two
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED one
  )");
  cluster.then(2).records_of({"E TIMER", "E MESSAGE_START"}, R"(
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED two
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED one
  )");
}

}  // namespace
}  // namespace beeline::testing
