#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gateway.pb.h"
#include "gateway/fakes_test.h"

// One command in, one answer out: the unary RPCs through the service.
namespace beeline::gateway {
namespace {

using namespace gateway_protocol;

class CommandsTest : public MethodsTest {
 protected:
  std::shared_ptr<FakeCall> complete_job(Key key) {
    CompleteJobRequest request;
    request.set_jobkey(key.value());
    return call("CompleteJob", request);
  }
  std::shared_ptr<FakeCall> create_instance() {
    CreateProcessInstanceRequest request;
    request.set_bpmnprocessid("order");
    request.set_version(-1);
    return call("CreateProcessInstance", request);
  }
};

TEST_F(CommandsTest, an_answered_command_carries_one_message_even_if_empty) {
  const auto call = complete_job(job_key(1));
  EXPECT_TRUE(call->is_open());
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "JOB COMPLETE");
  command.answer(record::JobIntent::Completed, job_key(1), record::JobRecord{});
  EXPECT_EQ(call->status, ok());
  EXPECT_EQ(call->messages, std::vector<std::string>{""});
}

TEST_F(CommandsTest, a_rejection_ends_the_call_with_its_code_and_text) {
  const auto call = complete_job(job_key(1));
  partitions.take().reject(record::RejectionType::InvalidState,
                           "Expected to complete job with key '1', but it is in state 'FAILED'");
  EXPECT_EQ(call->status,
            (Status{StatusCode::FailedPrecondition,
                    "Command 'COMPLETE' rejected with code 'INVALID_STATE': Expected to complete "
                    "job with key '1', but it is in state 'FAILED'"}));
  EXPECT_TRUE(call->messages.empty());
}

TEST_F(CommandsTest, every_command_rpc_reaches_the_engine_and_is_answered) {
  const Key key = job_key(5);
  const auto expect_ok = [&](const std::shared_ptr<FakeCall>& call, std::string_view name,
                             auto intent, const auto& value) {
    Submitted command = partitions.take();
    EXPECT_EQ(command.name(), name);
    command.answer(intent, key, value);
    ASSERT_TRUE(call->status.has_value());
    EXPECT_EQ(*call->status, ok()) << name << call->status->text;
    EXPECT_EQ(call->messages.size(), 1U);
  };
  FailJobRequest fail;
  fail.set_jobkey(key.value());
  expect_ok(call("FailJob", fail), "JOB FAIL", record::JobIntent::Failed, record::JobRecord{});
  ThrowErrorRequest error;
  error.set_jobkey(key.value());
  expect_ok(call("ThrowError", error), "JOB THROW_ERROR", record::JobIntent::ErrorThrown,
            record::JobRecord{});
  UpdateJobRetriesRequest retries;
  retries.set_jobkey(key.value());
  expect_ok(call("UpdateJobRetries", retries), "JOB UPDATE_RETRIES",
            record::JobIntent::RetriesUpdated, record::JobRecord{});
  UpdateJobTimeoutRequest timeout;
  timeout.set_jobkey(key.value());
  expect_ok(call("UpdateJobTimeout", timeout), "JOB UPDATE_TIMEOUT",
            record::JobIntent::TimeoutUpdated, record::JobRecord{});
  CancelProcessInstanceRequest cancel;
  cancel.set_processinstancekey(key.value());
  expect_ok(call("CancelProcessInstance", cancel), "PROCESS_INSTANCE CANCEL",
            record::ProcessInstanceIntent::ElementTerminating, record::ProcessInstanceRecord{});
  ResolveIncidentRequest incident;
  incident.set_incidentkey(key.value());
  expect_ok(call("ResolveIncident", incident), "INCIDENT RESOLVE", record::IncidentIntent::Resolved,
            record::IncidentRecord{});
}

TEST_F(CommandsTest, set_variables_answers_the_key_of_the_update) {
  SetVariablesRequest request;
  request.set_elementinstancekey(job_key(3).value());
  request.set_variables(R"({"a":1})");
  const auto call = this->call("SetVariables", request);
  partitions.take().answer(record::VariableDocumentIntent::Updated, job_key(77),
                           record::VariableDocumentRecord{});
  EXPECT_EQ(call->message<SetVariablesResponse>().key(), job_key(77).value());
}

TEST_F(CommandsTest, a_deleted_resource_answers_its_key_as_text) {
  DeleteResourceRequest request;
  request.set_resourcekey(job_key(3).value());
  request.set_deletehistory(true);
  const auto call = this->call("DeleteResource", request);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "RESOURCE_DELETION DELETE");
  EXPECT_EQ(command.partition, PartitionId{1});
  const auto sent = command.value<record::ResourceDeletionRecord>();
  EXPECT_EQ(sent.resource_key, job_key(3));
  command.answer(record::ResourceDeletionIntent::Deleted, job_key(3), sent);
  EXPECT_EQ(call->message<DeleteResourceResponse>().resourcekey(),
            std::to_string(job_key(3).value()));
}

TEST_F(CommandsTest, a_published_message_answers_its_key) {
  PublishMessageRequest request;
  request.set_name("paid");
  const auto call = this->call("PublishMessage", request);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "MESSAGE PUBLISH");
  command.answer(record::MessageIntent::Published, job_key(77), record::MessageRecord{});
  const auto response = call->message<PublishMessageResponse>();
  EXPECT_EQ(response.key(), job_key(77).value());
  EXPECT_EQ(response.tenantid(), "<default>");
}

TEST_F(CommandsTest, a_signal_answers_its_key) {
  BroadcastSignalRequest request;
  request.set_signalname("go");
  const auto call = this->call("BroadcastSignal", request);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "SIGNAL BROADCAST");
  EXPECT_FALSE(command.value<record::SignalRecord>().awaits_count);
  command.answer(record::SignalIntent::Broadcasted, job_key(77), record::SignalRecord{});
  const auto response = call->message<BroadcastSignalResponse>();
  EXPECT_EQ(response.key(), job_key(77).value());
  EXPECT_EQ(response.tenantid(), "<default>");
}

TEST_F(CommandsTest, an_evaluation_lists_the_instances_that_it_started) {
  EvaluateConditionalRequest request;
  request.set_variables(R"({"x":1})");
  const auto call = this->call("EvaluateConditional", request);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "CONDITIONAL_EVALUATION EVALUATE");
  record::ConditionalEvaluationRecord answer;
  answer.started_process_instances = {{job_key(8), job_key(9)}, {job_key(10), job_key(11)}};
  command.answer(record::ConditionalEvaluationIntent::Evaluated, job_key(12), answer);
  const auto response = call->message<EvaluateConditionalResponse>();
  EXPECT_EQ(response.conditionalevaluationkey(), job_key(12).value());
  EXPECT_EQ(response.tenantid(), "<default>");
  ASSERT_EQ(response.processinstances_size(), 2);
  EXPECT_EQ(response.processinstances(0).processdefinitionkey(), job_key(8).value());
  EXPECT_EQ(response.processinstances(1).processinstancekey(), job_key(11).value());
}

TEST_F(CommandsTest, a_deployment_lists_its_processes) {
  record::DeploymentRecord answer;
  record::ProcessMetadata process;
  process.bpmn_process_id = "order";
  process.version = 2;
  process.key = job_key(8);
  process.resource_name = "order.bpmn";
  answer.processes.push_back(process);

  const auto resources = call("DeployResource", DeployResourceRequest{});
  partitions.take().answer(record::DeploymentIntent::Created, job_key(9), answer);
  const auto response = resources->message<DeployResourceResponse>();
  EXPECT_EQ(response.key(), job_key(9).value());
  EXPECT_EQ(response.tenantid(), "<default>");
  ASSERT_EQ(response.deployments_size(), 1);
  EXPECT_EQ(response.deployments(0).process().bpmnprocessid(), "order");
  EXPECT_EQ(response.deployments(0).process().version(), 2);
  EXPECT_EQ(response.deployments(0).process().processdefinitionkey(), job_key(8).value());
  EXPECT_EQ(response.deployments(0).process().resourcename(), "order.bpmn");

  const auto processes = call("DeployProcess", DeployProcessRequest{});
  partitions.take().answer(record::DeploymentIntent::Created, job_key(9), answer);
  EXPECT_EQ(processes->message<DeployProcessResponse>().processes(0).version(), 2);
}

TEST_F(CommandsTest, a_deployment_lists_processes_then_decisions_then_their_files) {
  record::DeploymentRecord answer;
  answer.processes.emplace_back().bpmn_process_id = "order";
  record::DecisionMetadata decision;
  decision.decision_id = "jedi";
  decision.decision_name = "Jedi or not";
  decision.version = 3;
  decision.key = job_key(5);
  decision.requirements_id = "force";
  decision.requirements_key = job_key(6);
  answer.decisions.push_back(decision);
  record::DecisionRequirementsMetadata requirements;
  requirements.requirements_id = "force";
  requirements.requirements_name = "The force";
  requirements.version = 2;
  requirements.key = job_key(6);
  requirements.resource_name = "force.dmn";
  answer.requirements.push_back(requirements);

  const auto call = this->call("DeployResource", DeployResourceRequest{});
  partitions.take().answer(record::DeploymentIntent::Created, job_key(9), answer);
  const auto response = call->message<DeployResourceResponse>();
  ASSERT_EQ(response.deployments_size(), 3);
  EXPECT_TRUE(response.deployments(0).has_process());
  ASSERT_TRUE(response.deployments(1).has_decision());
  EXPECT_EQ(response.deployments(1).decision().dmndecisionid(), "jedi");
  EXPECT_EQ(response.deployments(1).decision().dmndecisionname(), "Jedi or not");
  EXPECT_EQ(response.deployments(1).decision().version(), 3);
  EXPECT_EQ(response.deployments(1).decision().decisionkey(), job_key(5).value());
  EXPECT_EQ(response.deployments(1).decision().dmndecisionrequirementsid(), "force");
  EXPECT_EQ(response.deployments(1).decision().decisionrequirementskey(), job_key(6).value());
  EXPECT_EQ(response.deployments(1).decision().tenantid(), "<default>");
  ASSERT_TRUE(response.deployments(2).has_decisionrequirements());
  const DecisionRequirementsMetadata& file = response.deployments(2).decisionrequirements();
  EXPECT_EQ(file.dmndecisionrequirementsid(), "force");
  EXPECT_EQ(file.dmndecisionrequirementsname(), "The force");
  EXPECT_EQ(file.version(), 2);
  EXPECT_EQ(file.decisionrequirementskey(), job_key(6).value());
  EXPECT_EQ(file.resourcename(), "force.dmn");
  EXPECT_EQ(file.tenantid(), "<default>");
}

record::DecisionEvaluationRecord evaluated_decision() {
  record::DecisionEvaluationRecord value;
  value.decision_id = "jedi";
  value.decision_name = "Jedi or not";
  value.decision_version = 3;
  value.decision_key = job_key(5);
  value.requirements_id = "force";
  value.requirements_key = job_key(6);
  value.decision_output = "\"Obi-Wan\"";
  record::EvaluatedDecision decision;
  decision.decision_id = "jedi";
  decision.decision_name = "Jedi or not";
  decision.decision_key = job_key(5);
  decision.decision_version = 3;
  decision.decision_type = "DECISION_TABLE";
  decision.decision_output = "\"Obi-Wan\"";
  decision.evaluation_instance_key = "7-1";
  decision.evaluated_inputs.push_back({"in", "Side", "\"light\""});
  decision.matched_rules.push_back({"r1", 1, {{"out", "Who", "\"Obi-Wan\"", "r1", 1}}});
  value.evaluated_decisions.push_back(decision);
  return value;
}

TEST_F(CommandsTest, an_evaluated_decision_is_told_in_full) {
  EvaluateDecisionRequest request;
  request.set_decisionid("jedi");
  const auto call = this->call("EvaluateDecision", request);
  partitions.take().answer(record::DecisionEvaluationIntent::Evaluated, job_key(7),
                           evaluated_decision());
  const auto response = call->message<EvaluateDecisionResponse>();
  EXPECT_EQ(response.decisionid(), "jedi");
  EXPECT_EQ(response.decisionname(), "Jedi or not");
  EXPECT_EQ(response.decisionversion(), 3);
  EXPECT_EQ(response.decisionkey(), job_key(5).value());
  EXPECT_EQ(response.decisionrequirementsid(), "force");
  EXPECT_EQ(response.decisionrequirementskey(), job_key(6).value());
  EXPECT_EQ(response.decisionoutput(), "\"Obi-Wan\"");
  EXPECT_EQ(response.faileddecisionid(), "");
  EXPECT_EQ(response.failuremessage(), "");
  EXPECT_EQ(response.tenantid(), "<default>");
  EXPECT_EQ(response.decisioninstancekey(), job_key(7).value());
  EXPECT_EQ(response.decisionevaluationkey(), job_key(7).value());
  ASSERT_EQ(response.evaluateddecisions_size(), 1);
  const EvaluatedDecision& decision = response.evaluateddecisions(0);
  EXPECT_EQ(decision.decisionkey(), job_key(5).value());
  EXPECT_EQ(decision.decisiontype(), "DECISION_TABLE");
  EXPECT_EQ(decision.decisionoutput(), "\"Obi-Wan\"");
  EXPECT_EQ(decision.decisionevaluationinstancekey(), "7-1");
  EXPECT_EQ(decision.evaluatedinputs(0).inputid(), "in");
  EXPECT_EQ(decision.evaluatedinputs(0).inputname(), "Side");
  EXPECT_EQ(decision.evaluatedinputs(0).inputvalue(), "\"light\"");
  EXPECT_EQ(decision.matchedrules(0).ruleid(), "r1");
  EXPECT_EQ(decision.matchedrules(0).ruleindex(), 1);
  EXPECT_EQ(decision.matchedrules(0).evaluatedoutputs(0).outputid(), "out");
  EXPECT_EQ(decision.matchedrules(0).evaluatedoutputs(0).outputname(), "Who");
  EXPECT_EQ(decision.matchedrules(0).evaluatedoutputs(0).outputvalue(), "\"Obi-Wan\"");
}

TEST_F(CommandsTest, a_decision_that_failed_is_ok_and_has_no_output) {
  const auto call = this->call("EvaluateDecision", EvaluateDecisionRequest{});
  record::DecisionEvaluationRecord value = evaluated_decision();
  value.decision_output = "null";
  value.failed_decision_id = "jedi";
  value.evaluation_failure_message = "Expected to evaluate decision 'jedi', but it is late";
  partitions.take().answer(record::DecisionEvaluationIntent::Failed, job_key(7), value);
  EXPECT_EQ(call->status, ok());
  const auto response = call->message<EvaluateDecisionResponse>();
  EXPECT_EQ(response.faileddecisionid(), "jedi");
  EXPECT_EQ(response.failuremessage(), "Expected to evaluate decision 'jedi', but it is late");
  EXPECT_EQ(response.decisionoutput(), "");
  EXPECT_EQ(response.evaluateddecisions_size(), 1);
}

TEST_F(CommandsTest, a_created_instance_is_described) {
  const auto call = create_instance();
  Submitted command = partitions.take();
  auto value = command.value<record::ProcessInstanceCreationRecord>();
  value.version = 4;
  value.process_definition_key = job_key(1);
  value.process_instance_key = job_key(2);
  value.tags = {"a"};
  command.answer(record::ProcessInstanceCreationIntent::Created, job_key(3), value);
  const auto response = call->message<CreateProcessInstanceResponse>();
  EXPECT_EQ(response.bpmnprocessid(), "order");
  EXPECT_EQ(response.version(), 4);
  EXPECT_EQ(response.processdefinitionkey(), job_key(1).value());
  EXPECT_EQ(response.processinstancekey(), job_key(2).value());
  EXPECT_EQ(response.tenantid(), "<default>");
  EXPECT_EQ(response.tags(0), "a");
  EXPECT_FALSE(response.has_businessid());
}

TEST_F(CommandsTest, the_result_of_an_instance_answers_the_call_that_waits_for_it) {
  CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("order");
  const auto call = this->call("CreateProcessInstanceWithResult", request);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "PROCESS_INSTANCE_CREATION CREATE_WITH_AWAITING_RESULT");
  record::ProcessInstanceResultRecord result;
  result.bpmn_process_id = "order";
  result.process_instance_key = job_key(2);
  command.answer(record::ProcessInstanceResultIntent::Completed, job_key(2), result);
  const auto response = call->message<CreateProcessInstanceWithResultResponse>();
  EXPECT_EQ(response.processinstancekey(), job_key(2).value());
  EXPECT_EQ(response.variables(), "{}");
  EXPECT_TRUE(response.has_businessid());
}

TEST_F(CommandsTest, a_result_that_comes_too_late_is_a_timeout) {
  CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("order");
  request.set_requesttimeout(500);
  const auto call = this->call("CreateProcessInstanceWithResult", request);
  pass_time(Milliseconds{499});
  EXPECT_TRUE(call->is_open());
  pass_time(Milliseconds{1});
  EXPECT_EQ(call->status, (Status{StatusCode::DeadlineExceeded,
                                  "Time out between gateway and broker: Request timed out after "
                                  "PT0.5S"}));
  // A late answer has no effect.
  partitions.take().answer(record::ProcessInstanceResultIntent::Completed, job_key(2),
                           record::ProcessInstanceResultRecord{});
  EXPECT_TRUE(call->messages.empty());
}

TEST_F(CommandsTest, a_command_without_an_answer_times_out_after_the_request_timeout) {
  const auto call = complete_job(job_key(1));
  pass_time(Milliseconds{15'000});
  EXPECT_EQ(call->status, (Status{StatusCode::DeadlineExceeded,
                                  "Time out between gateway and broker: Request timed out after "
                                  "PT15S"}));
}

TEST_F(CommandsTest, a_partition_that_stops_without_answering_is_unavailable) {
  const auto call = complete_job(job_key(1));
  { const Submitted dropped = partitions.take(); }
  EXPECT_EQ(call->status, (Status{StatusCode::Unavailable,
                                  "The partition 1 is currently INACTIVE with no leader."}));
}

TEST_F(CommandsTest, a_client_that_went_away_leaves_its_command_running) {
  const auto call = complete_job(job_key(1));
  call->vanish();
  partitions.take().answer(record::JobIntent::Completed, job_key(1), record::JobRecord{});
  EXPECT_TRUE(call->messages.empty());
}

TEST_F(CommandsTest, a_full_queue_a_full_disk_and_a_stopped_partition_have_their_status) {
  const struct {
    stream::SubmitResult result;
    Status for_key;
    Status in_turn;
  } rows[] = {
      {stream::SubmitResult::QueueFull,
       {StatusCode::ResourceExhausted,
        "Failed to write client request to partition '1', because the request limit is exhausted."},
       status_of(service::all_overloaded(service::overloaded(PartitionId{1})))},
      {stream::SubmitResult::QueueBytesFull,
       {StatusCode::ResourceExhausted,
        "Failed to write client request to partition '1', because the request limit is exhausted: "
        "the commands that wait there have 67108864 bytes together, which is the limit. Please try "
        "again later."},
       status_of(service::all_overloaded(service::overloaded_by_bytes(PartitionId{1})))},
      {stream::SubmitResult::DiskFull,
       {StatusCode::ResourceExhausted,
        "Cannot accept requests for partition 1. Broker is out of disk space"},
       status_of(service::disk_full(PartitionId{1}))},
      {stream::SubmitResult::Stopped,
       {StatusCode::Unavailable, "The partition 1 is currently INACTIVE with no leader."},
       status_of(service::all_inactive())},
  };
  for (const auto& row : rows) {
    partitions.set_result(PartitionId{1}, row.result);
    EXPECT_EQ(complete_job(job_key(1))->status, row.for_key);
    EXPECT_EQ(create_instance()->status, row.in_turn);
  }
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(CommandsTest, a_partition_that_is_not_there_is_unavailable) {
  EXPECT_EQ(complete_job(job_key(1, PartitionId{2}))->status,
            (Status{StatusCode::Unavailable,
                    "Expected to execute command on partition 2, but either it does not exist, or "
                    "the gateway is not yet aware of it"}));
}

TEST_F(CommandsTest, bytes_that_are_no_request_are_the_clients_mistake) {
  for (const std::string_view rpc : {"CompleteJob", "DeployResource", "ActivateJobs", "Topology",
                                     "StreamActivatedJobs", "/grpc.health.v1.Health/Check"}) {
    const auto call = call_bytes(rpc, "\xff\xff\xff");
    ASSERT_TRUE(call->status.has_value()) << rpc;
    EXPECT_EQ(call->status->code, StatusCode::InvalidArgument) << rpc;
    EXPECT_TRUE(call->status->text.starts_with("Expected a message of type "));
  }
  // Field 2 of CompleteJobRequest is a text.
  EXPECT_EQ(call_bytes("CompleteJob", "\x12\x01\xff")->status->code, StatusCode::InvalidArgument);
}

TEST_F(CommandsTest, fields_of_newer_clients_are_ignored) {
  CompleteJobRequest request;
  request.set_jobkey(job_key(1).value());
  const auto call = call_bytes("CompleteJob", request.SerializeAsString() + "\xf8\x3f\x01");
  EXPECT_TRUE(call->is_open());
}

TEST_F(CommandsTest, rpcs_of_the_protocol_that_are_not_served_say_their_name) {
  for (const std::string name :
       {"ModifyProcessInstance", "MigrateProcessInstance", "UpdateJobPriority",
        "AssignProcessInstanceBusinessId", "Nonsense"}) {
    EXPECT_EQ(call_bytes(name, "")->status,
              (Status{StatusCode::Unimplemented, "Expected to handle request " + name +
                                                     ", but this version does not implement it"}));
  }
}

TEST_F(CommandsTest, only_the_default_physical_tenant_is_known) {
  EXPECT_EQ(call_bytes("Topology", "", "default")->status, ok());
  EXPECT_EQ(call_bytes("Topology", "", "other")->status,
            (Status{StatusCode::NotFound, "Unknown physical tenant: other"}));
}

TEST_F(CommandsTest, topology_shows_one_node_that_leads_all_partitions) {
  auto response = call("Topology", TopologyRequest{})->message<TopologyResponse>();
  EXPECT_EQ(response.clustersize(), 1);
  EXPECT_EQ(response.partitionscount(), 1);
  EXPECT_EQ(response.replicationfactor(), 1);
  EXPECT_EQ(response.gatewayversion(), "8.8.0");
  ASSERT_EQ(response.brokers_size(), 1);
  EXPECT_EQ(response.brokers(0).brokerid(), "0");
  EXPECT_EQ(response.brokers(0).port(), 26501);
  ASSERT_EQ(response.brokers(0).partitions_size(), 1);
  EXPECT_EQ(response.brokers(0).partitions(0).partitionid(), 1);
  EXPECT_EQ(response.brokers(0).partitions(0).role(), Partition::LEADER);
  EXPECT_EQ(response.brokers(0).partitions(0).health(), Partition::HEALTHY);
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Stopped);
  response = call("Topology", TopologyRequest{})->message<TopologyResponse>();
  EXPECT_EQ(response.brokers(0).partitions(0).health(), Partition::UNHEALTHY);
}

TEST_F(CommandsTest, a_command_that_is_dropped_on_a_full_disk_is_told_so) {
  CompleteJobRequest request;
  request.set_jobkey(job_key(1).value());
  for (const auto& [result, code] :
       {std::pair{stream::SubmitResult::DiskFull, StatusCode::ResourceExhausted},
        std::pair{stream::SubmitResult::Stopped, StatusCode::Unavailable}}) {
    partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
    const auto pending = call("CompleteJob", request);
    ASSERT_TRUE(pending->is_open());
    partitions.set_result(PartitionId{1}, result);
    { const auto dropped = partitions.take(); }
    loop->run_ready();
    ASSERT_FALSE(pending->is_open());
    EXPECT_EQ(pending->status->code, code) << pending->status->text;
  }
}

class SmallMessagesTest : public MethodsTest {
 protected:
  SmallMessagesTest() : MethodsTest(1, small_messages(100)) {}
};

TEST_F(SmallMessagesTest, a_command_larger_than_a_message_is_refused) {
  CreateProcessInstanceRequest request;
  request.set_bpmnprocessid(std::string(201, 'p'));
  const auto refused = call("CreateProcessInstance", request);
  EXPECT_EQ(refused->status->code, StatusCode::InvalidArgument);
  EXPECT_EQ(
      refused->status->text,
      "Request size is above configured maxMessageSize. The command has 206 bytes, and at most "
      "200 are allowed (twice message-size-max).");
}

TEST_F(SmallMessagesTest, a_result_larger_than_a_message_is_refused_with_the_key_of_its_instance) {
  CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("p");
  const auto call = this->call("CreateProcessInstanceWithResult", request);
  record::ProcessInstanceResultRecord result;
  result.process_instance_key = Key{2251799813685250};
  result.variables.entries.push_back({"x", "\"" + std::string(100, 'x') + "\""});
  partitions.take().answer(record::ProcessInstanceResultIntent::Completed, Key{2251799813685250},
                           result);
  EXPECT_EQ(call->status->code, StatusCode::ResourceExhausted);
  EXPECT_TRUE(call->status->text.starts_with(
      "Expected to answer with the result of process instance with key '2251799813685250', but the "
      "answer has "))
      << call->status->text;
  EXPECT_TRUE(call->messages.empty());
}

class SpreadTest : public MethodsTest {
 protected:
  SpreadTest() : MethodsTest(3) {}
  std::shared_ptr<FakeCall> create_instance() {
    CreateProcessInstanceRequest request;
    request.set_bpmnprocessid("order");
    return call("CreateProcessInstance", request);
  }
};

TEST_F(SpreadTest, instances_are_created_on_each_partition_in_turn) {
  std::vector<int> counts(4, 0);
  for (int i = 0; i < 30; ++i) {
    create_instance();
    ++counts.at(static_cast<std::size_t>(partitions.take().partition.value()));
  }
  EXPECT_EQ(counts, (std::vector<int>{0, 10, 10, 10}));
}

TEST_F(SpreadTest, a_partition_that_refuses_passes_the_command_on) {
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  partitions.set_result(PartitionId{3}, stream::SubmitResult::Stopped);
  for (int i = 0; i < 6; ++i) {
    const auto call = create_instance();
    EXPECT_TRUE(call->is_open());
    Submitted command = partitions.take();
    EXPECT_EQ(command.partition, PartitionId{2});
    command.answer(record::ProcessInstanceCreationIntent::Created, job_key(1),
                   record::ProcessInstanceCreationRecord{});
    EXPECT_EQ(call->status, ok());
  }
  partitions.set_result(PartitionId{2}, stream::SubmitResult::DiskFull);
  EXPECT_EQ(create_instance()->status,
            status_of(service::all_overloaded(service::overloaded(PartitionId{1}))));
}

TEST_F(SpreadTest, a_process_that_another_partition_does_not_know_yet_is_asked_of_partition_1) {
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  const auto call = create_instance();
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
  Submitted first = partitions.take();
  EXPECT_NE(first.partition, PartitionId{1});
  first.reject(record::RejectionType::NotFound, "not here");
  EXPECT_TRUE(call->is_open());
  Submitted again = partitions.take();
  EXPECT_EQ(again.partition, PartitionId{1});
  EXPECT_EQ(again.command.value, first.command.value);
  again.answer(record::ProcessInstanceCreationIntent::Created, Key{1},
               record::ProcessInstanceCreationRecord{});
  EXPECT_EQ(call->status, ok());
}

TEST_F(SpreadTest, what_partition_1_does_not_know_is_not_there) {
  for (int i = 0; i < 3; ++i) {
    const auto call = create_instance();
    Submitted command = partitions.take();
    command.reject(record::RejectionType::NotFound, "not here");
    if (command.partition != PartitionId{1}) {
      Submitted again = partitions.take();
      EXPECT_EQ(again.partition, PartitionId{1});
      again.reject(record::RejectionType::NotFound, "not there");
    }
    ASSERT_TRUE(call->status.has_value());
    EXPECT_EQ(call->status->code, StatusCode::NotFound);
    EXPECT_EQ(partitions.waiting(), 0U);
  }
}

TEST_F(SpreadTest, the_first_answer_stands_when_partition_1_takes_nothing) {
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  const auto call = create_instance();
  partitions.take().reject(record::RejectionType::NotFound, "not here");
  ASSERT_TRUE(call->status.has_value());
  EXPECT_EQ(call->status->code, StatusCode::NotFound);
}

TEST_F(SpreadTest, partition_1_that_stops_over_a_repetition_is_unavailable) {
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  const auto call = create_instance();
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
  partitions.take().reject(record::RejectionType::NotFound, "not here");
  partitions.take().handler = nullptr;
  EXPECT_EQ(call->status, status_of(service::partition_inactive(PartitionId{1})));
}

}  // namespace
}  // namespace beeline::gateway
