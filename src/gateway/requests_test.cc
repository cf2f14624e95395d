#include "gateway/requests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "gateway/fakes_test.h"
#include "gateway/status.h"

namespace beeline::gateway {
namespace {

using namespace gateway_protocol;

using service::MappedRequest;

// Maps a message with this folder and checks it with the service.
template <typename Message>
MappedRequest to_command(const Message& message) {
  return service::to_command(to_request(message));
}
MappedRequest to_command(const PublishMessageRequest& message, std::int32_t partition_count) {
  return service::to_command(to_request(message), partition_count);
}
template <typename Message>
service::Outcome<record::JobBatchRecord> to_job_batch(const Message& message) {
  return service::to_job_batch(to_request(message));
}

template <typename T>
T value_of(const MappedRequest& mapped) {
  EXPECT_TRUE(mapped.has_value()) << mapped.error().text;
  EXPECT_EQ(mapped->command.head.value_type, T::kType);
  return record::decode<T>(mapped->command.value);
}

std::string intent_of(const MappedRequest& mapped) {
  EXPECT_TRUE(mapped.has_value()) << mapped.error().text;
  return std::string(
      record::intent_name(mapped->command.head.value_type, mapped->command.head.intent));
}

template <typename Mapped>
Status error_of(const Mapped& mapped) {
  EXPECT_FALSE(mapped.has_value());
  return mapped.has_value() ? Status{} : status_of(mapped.error());
}

TEST(Requests, a_job_command_goes_to_the_partition_of_its_key) {
  CompleteJobRequest request;
  request.set_jobkey(job_key(7, PartitionId{3}).value());
  request.set_variables(R"({"a":1})");
  const MappedRequest mapped = to_command(request);
  EXPECT_EQ(intent_of(mapped), "COMPLETE");
  EXPECT_EQ(mapped->partition, PartitionId{3});
  EXPECT_EQ(mapped->command.head.key, job_key(7, PartitionId{3}));
  EXPECT_EQ(mapped->command.head.operation_reference, -1);
  EXPECT_EQ(value_of<record::JobRecord>(mapped).variables.entries.front().value, "1");
}

TEST(Requests, fail_carries_retries_backoff_and_a_cut_message) {
  FailJobRequest request;
  request.set_jobkey(job_key(1).value());
  request.set_retries(2);
  request.set_retrybackoff(1500);
  request.set_errormessage(std::string(20'000, 'e'));
  const auto job = value_of<record::JobRecord>(to_command(request));
  EXPECT_EQ(job.retries, 2);
  EXPECT_EQ(job.retry_backoff, Milliseconds{1500});
  EXPECT_EQ(job.error_message.size(), 10'000U);

  request.set_retries(-3);
  request.set_retrybackoff(-1);
  const auto negative = value_of<record::JobRecord>(to_command(request));
  EXPECT_EQ(negative.retries, 0);
  EXPECT_EQ(negative.retry_backoff, Milliseconds{0});
}

TEST(Requests, throw_error_carries_code_and_message) {
  ThrowErrorRequest request;
  request.set_jobkey(job_key(1).value());
  request.set_errorcode("E1");
  request.set_errormessage("broken");
  const MappedRequest mapped = to_command(request);
  EXPECT_EQ(intent_of(mapped), "THROW_ERROR");
  EXPECT_EQ(value_of<record::JobRecord>(mapped).error_code, "E1");
  EXPECT_EQ(value_of<record::JobRecord>(mapped).error_message, "broken");
}

TEST(Requests, updates_carry_the_operation_reference) {
  UpdateJobRetriesRequest retries;
  retries.set_jobkey(job_key(1).value());
  retries.set_retries(0);  // the engine will refuse this
  retries.set_operationreference(42);
  EXPECT_EQ(intent_of(to_command(retries)), "UPDATE_RETRIES");
  EXPECT_EQ(to_command(retries)->command.head.operation_reference, 42);

  UpdateJobTimeoutRequest timeout;
  timeout.set_jobkey(job_key(1).value());
  timeout.set_timeout(5);
  EXPECT_EQ(intent_of(to_command(timeout)), "UPDATE_TIMEOUT");
  EXPECT_EQ(value_of<record::JobRecord>(to_command(timeout)).timeout, Milliseconds{5});
}

TEST(Requests, a_key_of_no_partition_is_not_found_in_the_words_of_each_command) {
  for (const std::int64_t key : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{5},
                                 std::numeric_limits<std::int64_t>::min()}) {
    const std::string text = std::to_string(key);
    const auto expect = [&](const MappedRequest& mapped, std::string_view intent,
                            const std::string& reason) {
      EXPECT_EQ(error_of(mapped),
                (Status{StatusCode::NotFound, "Command '" + std::string(intent) +
                                                  "' rejected with code 'NOT_FOUND': " + reason}));
    };
    const auto job = [&](std::string_view verb) {
      return "Expected to " + std::string(verb) + " job with key '" + text +
             "', but no such job was found";
    };
    CompleteJobRequest complete;
    complete.set_jobkey(key);
    expect(to_command(complete), "COMPLETE", job("complete"));
    FailJobRequest fail;
    fail.set_jobkey(key);
    expect(to_command(fail), "FAIL", job("fail"));
    ThrowErrorRequest error;
    error.set_jobkey(key);
    expect(to_command(error), "THROW_ERROR", job("throw an error for"));
    UpdateJobRetriesRequest retries;
    retries.set_jobkey(key);
    expect(to_command(retries), "UPDATE_RETRIES", job("update"));
    UpdateJobTimeoutRequest timeout;
    timeout.set_jobkey(key);
    expect(to_command(timeout), "UPDATE_TIMEOUT", job("update"));
    CancelProcessInstanceRequest cancel;
    cancel.set_processinstancekey(key);
    expect(to_command(cancel), "CANCEL",
           "Expected to cancel a process instance with key '" + text +
               "', but no such process was found");
    SetVariablesRequest variables;
    variables.set_elementinstancekey(key);
    expect(to_command(variables), "UPDATE",
           "Expected to update variables for element with key '" + text +
               "', but no such element was found");
    ResolveIncidentRequest incident;
    incident.set_incidentkey(key);
    expect(to_command(incident), "RESOLVE",
           "Expected to resolve incident with key '" + text + "', but no such incident was found");
  }
}

TEST(Requests, variables_are_checked_wherever_they_come) {
  const auto is_invalid = [](const auto& mapped) {
    EXPECT_EQ(error_of(mapped).code, StatusCode::InvalidArgument);
  };
  CompleteJobRequest complete;
  complete.set_variables("[]");
  is_invalid(to_command(complete));
  FailJobRequest fail;
  fail.set_variables("{");
  is_invalid(to_command(fail));
  ThrowErrorRequest error;
  error.set_variables("1");
  is_invalid(to_command(error));
  SetVariablesRequest set;
  set.set_variables("true");
  is_invalid(to_command(set));
  CreateProcessInstanceRequest create;
  create.set_variables("{bad");
  is_invalid(to_command(create));
  CreateProcessInstanceWithResultRequest with_result;
  with_result.mutable_request()->set_variables("[1]");
  is_invalid(to_command(with_result));
}

TEST(Requests, set_variables_names_its_scope_in_the_value) {
  SetVariablesRequest request;
  request.set_elementinstancekey(job_key(9).value());
  request.set_variables(R"({"a":1})");
  request.set_local(true);
  const MappedRequest mapped = to_command(request);
  EXPECT_EQ(mapped->partition, PartitionId{1});
  EXPECT_FALSE(mapped->command.head.key.is_set());
  const auto value = value_of<record::VariableDocumentRecord>(mapped);
  EXPECT_EQ(value.scope_key, job_key(9));
  EXPECT_EQ(value.update_semantics, record::UpdateSemantics::Local);
}

TEST(Requests, deployments_go_to_the_first_partition) {
  DeployResourceRequest request;
  auto* resource = request.add_resources();
  resource->set_name("a.bpmn");
  resource->set_content(std::string("<\0>", 3));
  const MappedRequest mapped = to_command(request);
  EXPECT_EQ(mapped->partition, PartitionId{1});
  const auto value = value_of<record::DeploymentRecord>(mapped);
  ASSERT_EQ(value.resources.size(), 1U);
  EXPECT_EQ(value.resources[0].resource_name, "a.bpmn");
  EXPECT_EQ(value.resources[0].resource, std::string("<\0>", 3));

  DeployProcessRequest old;
  old.add_processes()->set_name("b.bpmn");
  EXPECT_EQ(value_of<record::DeploymentRecord>(to_command(old)).resources[0].resource_name,
            "b.bpmn");
}

TEST(Requests, an_instance_is_created_by_id_or_by_key) {
  CreateProcessInstanceRequest request;
  request.set_bpmnprocessid("order");
  request.set_processdefinitionkey(5);
  request.set_version(-7);
  auto value = value_of<record::ProcessInstanceCreationRecord>(to_command(request));
  EXPECT_EQ(value.bpmn_process_id, "order");
  EXPECT_EQ(value.version, -1);
  EXPECT_FALSE(value.process_definition_key.is_set());
  EXPECT_FALSE(to_command(request)->partition.has_value());

  request.set_version(0);  // 0 is looked up like any other version
  EXPECT_EQ(value_of<record::ProcessInstanceCreationRecord>(to_command(request)).version, 0);

  request.clear_bpmnprocessid();
  value = value_of<record::ProcessInstanceCreationRecord>(to_command(request));
  EXPECT_EQ(value.process_definition_key, Key{5});

  request.set_processdefinitionkey(-1);
  EXPECT_EQ(error_of(to_command(request)),
            (Status{StatusCode::InvalidArgument,
                    "Command 'CREATE' rejected with code 'INVALID_ARGUMENT': Expected at least a "
                    "bpmnProcessId or a key greater than -1, but none given"}));
}

TEST(Requests, creation_with_result_names_the_variables_to_return) {
  CreateProcessInstanceWithResultRequest request;
  request.mutable_request()->set_bpmnprocessid("order");
  request.mutable_request()->set_version(-1);
  request.mutable_request()->set_operationreference(3);
  request.add_fetchvariables("a");
  const MappedRequest mapped = to_command(request);
  EXPECT_EQ(intent_of(mapped), "CREATE_WITH_AWAITING_RESULT");
  EXPECT_EQ(mapped->command.head.operation_reference, 3);
  EXPECT_EQ(value_of<record::ProcessInstanceCreationRecord>(mapped).fetch_variables,
            std::vector<std::string>{"a"});
}

TEST(Requests, tags_are_a_set_of_ten_valid_names) {
  CreateProcessInstanceRequest request;
  request.set_bpmnprocessid("order");
  for (const char* tag : {"b", "a:1.2_3-4", "b"}) request.add_tags(tag);
  EXPECT_EQ(value_of<record::ProcessInstanceCreationRecord>(to_command(request)).tags,
            (std::vector<std::string>{"b", "a:1.2_3-4"}));
  for (const std::string& tag : {std::string("1x"), std::string(""), std::string(101, 'a'),
                                 std::string("a b"), std::string("é")}) {
    CreateProcessInstanceRequest bad = request;
    bad.add_tags(tag);
    EXPECT_EQ(error_of(to_command(bad)).code, StatusCode::InvalidArgument) << tag;
  }
  for (int i = 0; i < 9; ++i) request.add_tags("t" + std::to_string(i));
  EXPECT_EQ(
      error_of(to_command(request)).text,
      "Command 'CREATE' rejected with code 'INVALID_ARGUMENT': Expected to create instance of "
      "process with tags, but the number of tags exceeds the limit of 10.");
}

TEST(Requests, a_message_goes_to_the_partition_of_its_correlation_key) {
  PublishMessageRequest request;
  request.set_name("paid");
  request.set_correlationkey("order-123");
  request.set_timetolive(5000);
  request.set_messageid("id-1");
  request.set_variables(R"({"a":1})");
  EXPECT_EQ(to_command(request, 1)->partition, PartitionId{1});
  EXPECT_EQ(to_command(request, 2)->partition, PartitionId{2});
  const MappedRequest mapped = to_command(request, 10);
  EXPECT_EQ(mapped->partition, PartitionId{10});
  EXPECT_EQ(intent_of(mapped), "PUBLISH");
  const auto message = value_of<record::MessageRecord>(mapped);
  EXPECT_EQ(message.name, "paid");
  EXPECT_EQ(message.correlation_key, "order-123");
  EXPECT_EQ(message.time_to_live, Milliseconds{5000});
  EXPECT_EQ(message.message_id, "id-1");
  EXPECT_EQ(message.variables.entries.front().value, "1");

  request.set_timetolive(-5);
  EXPECT_EQ(value_of<record::MessageRecord>(to_command(request, 1)).time_to_live, Milliseconds{0});
}

TEST(Requests, what_is_refused_of_messages) {
  PublishMessageRequest request;
  for (const char* name : {"", "  "}) {
    request.set_name(name);
    EXPECT_EQ(error_of(to_command(request, 1)),
              (Status{StatusCode::InvalidArgument,
                      "Expected to publish message with a non-empty name, but no name was "
                      "provided"}));
  }
  request.set_name(std::string(32'769, 'x'));
  EXPECT_EQ(error_of(to_command(request, 1)),
            (Status{StatusCode::InvalidArgument,
                    "Expected to publish message with a name of at most 32768 characters, but it "
                    "has 32769"}));
  request.set_name(std::string(32'768, 'x'));
  EXPECT_TRUE(to_command(request, 1).has_value());
  request.set_variables("[1]");
  EXPECT_EQ(error_of(to_command(request, 1)).code, StatusCode::InvalidArgument);
  request.set_variables("");
  request.set_businessid("b");
  EXPECT_EQ(error_of(to_command(request, 1)).code, StatusCode::Unimplemented);
}

TEST(Requests, a_signal_goes_to_the_partitions_in_turn) {
  BroadcastSignalRequest request;
  request.set_signalname("go");
  request.set_variables(R"({"a":1})");
  const MappedRequest mapped = to_command(request);
  EXPECT_FALSE(mapped->partition.has_value());
  EXPECT_EQ(intent_of(mapped), "BROADCAST");
  const auto signal = value_of<record::SignalRecord>(mapped);
  EXPECT_EQ(signal.signal_name, "go");
  EXPECT_EQ(signal.variables.entries.front().value, "1");
  EXPECT_FALSE(signal.awaits_count);
  request.set_signalname(" ");
  EXPECT_EQ(error_of(to_command(request)),
            (Status{StatusCode::InvalidArgument,
                    "Expected to broadcast signal with a non-empty name, but no name was "
                    "provided"}));
  request.set_signalname(std::string(32'769, 'x'));
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.set_signalname("go");
  request.set_variables("[1]");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.set_variables("");
  request.set_tenantid("acme");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
}

TEST(Requests, conditions_are_evaluated_with_an_object_on_any_partition) {
  EvaluateConditionalRequest request;
  request.set_variables(R"({"a":1})");
  const MappedRequest mapped = to_command(request);
  EXPECT_FALSE(mapped->partition.has_value());
  EXPECT_EQ(intent_of(mapped), "EVALUATE");
  const auto value = value_of<record::ConditionalEvaluationRecord>(mapped);
  EXPECT_EQ(value.variables.entries.front().value, "1");
  EXPECT_FALSE(value.process_definition_key.is_set());
  request.set_processdefinitionkey(77);
  EXPECT_EQ(
      value_of<record::ConditionalEvaluationRecord>(to_command(request)).process_definition_key,
      Key{77});
  for (const std::int64_t key : {0, -1}) {
    request.set_processdefinitionkey(key);
    EXPECT_EQ(error_of(to_command(request)),
              (Status{StatusCode::NotFound,
                      fmt::format("Command 'EVALUATE' rejected with code 'NOT_FOUND': Expected to "
                                  "evaluate conditional for process definition key '{}', but no "
                                  "such process was found.",
                                  key)}));
  }
  request.clear_processdefinitionkey();
  request.set_variables("[1]");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.set_variables("");
  request.set_tenantid("acme");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
}

TEST(Requests, only_the_default_tenant_is_served) {
  CreateProcessInstanceRequest request;
  request.set_bpmnprocessid("order");
  for (const char* tenant : {"", "  ", "<default>"}) {
    request.set_tenantid(tenant);
    EXPECT_EQ(value_of<record::ProcessInstanceCreationRecord>(to_command(request)).tenant_id,
              "<default>");
  }
  request.set_tenantid("foo");
  EXPECT_EQ(error_of(to_command(request)),
            (Status{StatusCode::InvalidArgument,
                    "Expected to handle request CreateProcessInstance with tenant identifier "
                    "'foo', but multi-tenancy is disabled"}));
  ActivateJobsRequest activate;
  activate.set_type("t");
  activate.set_timeout(1);
  activate.set_maxjobstoactivate(1);
  activate.add_tenantids("<default>");
  EXPECT_TRUE(to_job_batch(activate).has_value());
  activate.add_tenantids("foo");
  EXPECT_EQ(error_of(to_job_batch(activate)).text,
            "Expected to handle request ActivateJobs with tenant identifier 'foo', but "
            "multi-tenancy is disabled");
  activate.set_tenantfilter(ASSIGNED);
  EXPECT_TRUE(to_job_batch(activate).has_value());
  activate.set_tenantfilter(static_cast<TenantFilter>(7));
  EXPECT_EQ(error_of(to_job_batch(activate)).text,
            "Unrecognized tenantFilter option; expected one of ASSIGNED or PROVIDED.");
}

TEST(Requests, a_decision_is_named_by_id_or_else_by_key) {
  const auto read = [](const EvaluateDecisionRequest& request) {
    return value_of<record::DecisionEvaluationRecord>(to_command(request));
  };
  EvaluateDecisionRequest request;
  EXPECT_FALSE(read(request).decision_key.is_set());
  request.set_decisionkey(-5);
  EXPECT_FALSE(read(request).decision_key.is_set());
  request.set_decisionkey(job_key(1).value());
  EXPECT_EQ(read(request).decision_key, job_key(1));
  request.set_decisionid("jedi");
  request.set_variables(R"({"side":"light"})");
  EXPECT_FALSE(read(request).decision_key.is_set());
  EXPECT_EQ(read(request).decision_id, "jedi");
  EXPECT_EQ(read(request).variables.entries.at(0).value, "\"light\"");
  EXPECT_EQ(to_command(request)->partition, std::nullopt);
  request.set_variables("[]");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.set_variables("");
  request.set_tenantid("foo");
  EXPECT_EQ(error_of(to_command(request)).text,
            "Expected to handle request EvaluateDecision with tenant identifier 'foo', but "
            "multi-tenancy is disabled");
}

TEST(Requests, what_this_version_does_not_have_is_not_silently_ignored) {
  CreateProcessInstanceRequest request;
  request.set_bpmnprocessid("order");
  request.set_businessid(std::string(257, 'b'));
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.set_businessid("b");
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::Unimplemented);
  request.set_businessid("");
  EXPECT_TRUE(to_command(request).has_value());
  request.add_runtimeinstructions();
  EXPECT_EQ(error_of(to_command(request)).code, StatusCode::InvalidArgument);
  request.mutable_runtimeinstructions(0)->mutable_terminate()->set_afterelementid("a");
  EXPECT_TRUE(to_command(request).has_value());

  CompleteJobRequest complete;
  complete.set_jobkey(job_key(1).value());
  complete.mutable_result()->set_type("other");
  EXPECT_EQ(error_of(to_command(complete)).text, "Unknown job result type: other");
  complete.mutable_result()->set_type("userTask");
  EXPECT_TRUE(to_command(complete).has_value());
  complete.set_businessid(" ");
  EXPECT_EQ(error_of(to_command(complete)).code, StatusCode::InvalidArgument);

  StreamActivatedJobsRequest leased;
  leased.set_type("t");
  leased.set_timeout(1);
  leased.set_withlease(true);
  EXPECT_EQ(error_of(to_job_batch(leased)).code, StatusCode::Unimplemented);
}

TEST(Requests, activations_are_checked_before_they_wait) {
  ActivateJobsRequest request;
  request.set_type("t");
  request.set_worker("w");
  request.set_timeout(1000);
  request.set_maxjobstoactivate(5);
  request.add_fetchvariable("a");
  const auto batch = to_job_batch(request);
  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->type, "t");
  EXPECT_EQ(batch->worker, "w");
  EXPECT_EQ(batch->timeout, Milliseconds{1000});
  EXPECT_EQ(batch->max_jobs_to_activate, 5);
  EXPECT_EQ(batch->variables, std::vector<std::string>{"a"});
  EXPECT_EQ(batch->tenant_ids, std::vector<std::string>{"<default>"});

  const std::string prefix = "Command 'ACTIVATE' rejected with code 'INVALID_ARGUMENT': ";
  request.set_maxjobstoactivate(0);
  EXPECT_EQ(error_of(to_job_batch(request)).text,
            prefix +
                "Expected to activate job batch with max jobs to activate to be greater than "
                "zero, but it was '0'");
  request.set_maxjobstoactivate(1);
  request.set_timeout(-4);
  EXPECT_EQ(error_of(to_job_batch(request)).text,
            prefix +
                "Expected to activate job batch with timeout to be greater than zero, but it "
                "was '-4'");
  request.set_timeout(1);
  request.set_type(" ");
  EXPECT_EQ(error_of(to_job_batch(request)).text,
            prefix + "Expected to activate job batch with type to be present, but it was blank");

  StreamActivatedJobsRequest stream;
  EXPECT_EQ(error_of(to_job_batch(stream)).text,
            "Expected to stream activated jobs with type to be present, but it was blank");
  stream.set_type("t");
  EXPECT_EQ(error_of(to_job_batch(stream)).text,
            "Expected to stream activated jobs with timeout to be greater than zero, but it was 0");
}

}  // namespace
}  // namespace beeline::gateway
