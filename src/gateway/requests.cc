#include "gateway/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/partition_hash.h"
#include "gateway/text.h"
#include "gateway/variables.h"
#include "record/value_type.h"

namespace beeline::gateway {
namespace {

using record::RejectionType;

constexpr std::size_t kErrorMessageLengthMax = 10'000;
constexpr std::size_t kBusinessIdLengthMax = 256;
constexpr std::size_t kMessageTextLengthMax = 32'768;
constexpr std::size_t kTagsMax = 10;
constexpr std::size_t kTagLengthMax = 100;
constexpr PartitionId kDeploymentPartition{1};

// Tenants are off: there is the default one and no other.
Result<std::string, Status> tenant(std::string_view rpc, std::string_view id) {
  if (is_blank(id) || id == record::kDefaultTenant) return std::string(record::kDefaultTenant);
  return failure(invalid_argument(fmt::format(
      "Expected to handle request {} with tenant identifier '{}', but multi-tenancy is disabled",
      rpc, first_bytes(id, 256))));
}

template <typename Request>
std::int64_t operation_reference(const Request& request) {
  return request.has_operationreference() ? static_cast<std::int64_t>(request.operationreference())
                                          : -1;
}

// The partition that made `key`. A key that no partition can have made is answered as the partition
// would: clients repeat UNAVAILABLE for ever, and no repetition makes this key exist.
Result<PartitionId, Status> partition_of_key(Key key, std::string_view intent,
                                             std::string_view not_found) {
  const PartitionId partition = partition_of(key);
  if (partition.value() > 0) return partition;
  return failure(rejected(RejectionType::NotFound, intent, not_found));
}

template <typename T>
MappedRequest addressed(typename T::Intent intent, Key key, const T& value,
                        std::string_view not_found, std::int64_t reference = -1) {
  const std::string_view name =
      record::intent_name(T::kType, static_cast<record::IntentNumber>(intent));
  BEELINE_TRY(const PartitionId partition, partition_of_key(key, name, not_found));
  Request request{stream::make_command(intent, key, value), partition};
  request.command.operation_reference = reference;
  return request;
}

MappedRequest job_command(record::JobIntent intent, std::int64_t job_key,
                          const record::JobRecord& job, std::string_view verb,
                          std::int64_t reference = -1) {
  return addressed(
      intent, Key{job_key}, job,
      fmt::format("Expected to {} job with key '{}', but no such job was found", verb, job_key),
      reference);
}

// --- creation -----------------------------------------------------------------------------------

bool is_valid_tag(std::string_view tag) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto may_follow = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ':' || c == '.';
  };
  return !tag.empty() && tag.size() <= kTagLengthMax && is_letter(tag.front()) &&
         std::all_of(tag.begin(), tag.end(), may_follow);
}

// Tags are a set: what is said twice counts once, in the place of the first.
template <typename Tags>
Result<std::vector<std::string>, Status> read_tags(const Tags& tags, std::string_view intent) {
  std::vector<std::string> result;
  for (const std::string& tag : tags) {
    if (std::find(result.begin(), result.end(), tag) != result.end()) continue;
    if (result.size() == kTagsMax) {
      return failure(rejected(RejectionType::InvalidArgument, intent,
                              fmt::format("Expected to create instance of process with tags, but "
                                          "the number of tags exceeds the limit of {}.",
                                          kTagsMax)));
    }
    if (!is_valid_tag(tag)) {
      return failure(rejected(
          RejectionType::InvalidArgument, intent,
          fmt::format("Expected to create instance of process with tags, but the tags '{}' are "
                      "invalid. Tags must start with a letter (a-z, A-Z), followed by "
                      "alphanumerics, underscores, minuses, colons, or periods. It must not be "
                      "blank and must be {} characters or less.",
                      first_bytes(tag, 256), kTagLengthMax)));
    }
    result.push_back(tag);
  }
  return result;
}

// What the protocol knows and this version does not: refused, since a client that asked for it
// would otherwise believe it had it.
Result<void, Status> check_supported(
    const gateway_protocol::CreateProcessInstanceRequest& request) {
  for (const auto& instruction : request.runtimeinstructions()) {
    if (!instruction.has_terminate()) {
      return failure(invalid_argument(
          "Expected to create instance of process with runtime instructions, but one of them says "
          "nothing to do"));
    }
    return failure(unimplemented(
        "Expected to create instance of process with runtime instructions, but this version has "
        "none"));
  }
  if (characters_in(request.businessid()) > kBusinessIdLengthMax) {
    return failure(invalid_argument(
        fmt::format("Expected to handle request with business id '{}', but business id exceeds the "
                    "limit of {} characters",
                    first_bytes(request.businessid(), 512), kBusinessIdLengthMax)));
  }
  if (!request.businessid().empty()) {
    return failure(unimplemented(
        "Expected to create instance of process with a business id, but this version has none"));
  }
  return {};
}

Result<record::ProcessInstanceCreationRecord, Status> to_creation(
    const gateway_protocol::CreateProcessInstanceRequest& request, std::string_view rpc,
    std::string_view intent) {
  record::ProcessInstanceCreationRecord value;
  BEELINE_TRY(value.tenant_id, tenant(rpc, request.tenantid()));
  BEELINE_TRY(value.variables, read_variables(request.variables()));
  BEELINE_TRY_VOID(check_supported(request));
  if (request.bpmnprocessid().empty()) {
    if (request.processdefinitionkey() < 0) {
      return failure(
          rejected(RejectionType::InvalidArgument, intent,
                   "Expected at least a bpmnProcessId or a key greater than -1, but none given"));
    }
    value.process_definition_key = Key{request.processdefinitionkey()};
  } else {
    value.bpmn_process_id = request.bpmnprocessid();
    value.version = std::max(request.version(), -1);
  }
  BEELINE_TRY(value.tags, read_tags(request.tags(), intent));
  for (const auto& instruction : request.startinstructions()) {
    value.start_instructions.push_back({instruction.elementid()});
  }
  return value;
}

Request creation_request(record::ProcessInstanceCreationIntent intent,
                         const record::ProcessInstanceCreationRecord& value,
                         std::int64_t reference) {
  Request result{stream::make_command(intent, Key{}, value), std::nullopt};
  result.command.operation_reference = reference;
  return result;
}

// --- messages -----------------------------------------------------------------------------------

Result<void, Status> check_message_text(std::string_view what, std::string_view text) {
  const std::size_t length = characters_in(text);
  if (length <= kMessageTextLengthMax) return {};
  return failure(invalid_argument(
      fmt::format("Expected to publish message with a {} of at most {} characters, but it has {}",
                  what, kMessageTextLengthMax, length)));
}

// --- activation ---------------------------------------------------------------------------------

template <typename Activation>
Result<std::vector<std::string>, Status> read_tenants(const Activation& request,
                                                      std::string_view rpc) {
  if (!gateway_protocol::TenantFilter_IsValid(request.tenantfilter())) {
    return failure(invalid_argument(
        "Unrecognized tenantFilter option; expected one of ASSIGNED or PROVIDED."));
  }
  if (request.tenantfilter() == gateway_protocol::PROVIDED) {
    for (const std::string& id : request.tenantids()) {
      if (const auto checked = tenant(rpc, id); !checked) return failure(checked.error());
    }
  }
  return std::vector<std::string>{std::string(record::kDefaultTenant)};
}

template <typename Activation>
Result<record::JobBatchRecord, Status> read_activation(const Activation& request,
                                                       std::string_view rpc) {
  record::JobBatchRecord batch;
  BEELINE_TRY(batch.tenant_ids, read_tenants(request, rpc));
  if (request.withlease()) {
    return failure(
        unimplemented("Expected to activate jobs with a lease, but this version has none"));
  }
  batch.type = request.type();
  batch.worker = request.worker();
  batch.timeout = Milliseconds{request.timeout()};
  batch.variables.assign(request.fetchvariable().begin(), request.fetchvariable().end());
  return batch;
}

}  // namespace

MappedRequest to_command(const gateway_protocol::CompleteJobRequest& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables()));
  if (const std::string& type = request.result().type();
      !type.empty() && type != "userTask" && type != "adHocSubProcess") {
    return failure(
        invalid_argument(fmt::format("Unknown job result type: {}", first_bytes(type, 256))));
  }
  if (request.has_businessid()) {
    if (is_blank(request.businessid())) {
      return failure(invalid_argument(
          fmt::format("Expected to handle request with business id '{}', but no business id was "
                      "provided",
                      first_bytes(request.businessid(), 256))));
    }
    return failure(
        unimplemented("Expected to complete job with a business id, but this version has none"));
  }
  return job_command(record::JobIntent::Complete, request.jobkey(), job, "complete");
}

MappedRequest to_command(const gateway_protocol::FailJobRequest& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables()));
  job.retries = std::max(request.retries(), 0);
  job.error_message = first_characters(request.errormessage(), kErrorMessageLengthMax);
  job.retry_backoff = std::max(Milliseconds{request.retrybackoff()}, Milliseconds{0});
  return job_command(record::JobIntent::Fail, request.jobkey(), job, "fail");
}

MappedRequest to_command(const gateway_protocol::ThrowErrorRequest& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables()));
  job.error_code = request.errorcode();
  job.error_message = first_characters(request.errormessage(), kErrorMessageLengthMax);
  return job_command(record::JobIntent::ThrowError, request.jobkey(), job, "throw an error for");
}

MappedRequest to_command(const gateway_protocol::UpdateJobRetriesRequest& request) {
  record::JobRecord job;
  job.retries = request.retries();
  return job_command(record::JobIntent::UpdateRetries, request.jobkey(), job, "update",
                     operation_reference(request));
}

MappedRequest to_command(const gateway_protocol::UpdateJobTimeoutRequest& request) {
  record::JobRecord job;
  job.timeout = Milliseconds{request.timeout()};
  return job_command(record::JobIntent::UpdateTimeout, request.jobkey(), job, "update",
                     operation_reference(request));
}

MappedRequest to_command(const gateway_protocol::CancelProcessInstanceRequest& request) {
  const Key key{request.processinstancekey()};
  record::ProcessInstanceRecord value;
  value.process_instance_key = key;
  return addressed(
      record::ProcessInstanceIntent::Cancel, key, value,
      fmt::format("Expected to cancel a process instance with key '{}', but no such process was "
                  "found",
                  key.value()),
      operation_reference(request));
}

MappedRequest to_command(const gateway_protocol::SetVariablesRequest& request) {
  const Key key{request.elementinstancekey()};
  record::VariableDocumentRecord value;
  BEELINE_TRY(value.variables, read_variables(request.variables()));
  value.scope_key = key;
  value.update_semantics =
      request.local() ? record::UpdateSemantics::Local : record::UpdateSemantics::Propagate;
  BEELINE_TRY(Request result,
              addressed(record::VariableDocumentIntent::Update, key, value,
                        fmt::format("Expected to update variables for element with key '{}', but "
                                    "no such element was found",
                                    key.value()),
                        operation_reference(request)));
  // The update itself gets its key from the engine; what it is about is in the value.
  result.command.key = Key{};
  return result;
}

MappedRequest to_command(const gateway_protocol::ResolveIncidentRequest& request) {
  const Key key{request.incidentkey()};
  return addressed(
      record::IncidentIntent::Resolve, key, record::IncidentRecord{},
      fmt::format("Expected to resolve incident with key '{}', but no such incident was found",
                  key.value()),
      operation_reference(request));
}

MappedRequest to_command(const gateway_protocol::DeployResourceRequest& request) {
  record::DeploymentRecord value;
  BEELINE_TRY(value.tenant_id, tenant("DeployResource", request.tenantid()));
  for (const auto& resource : request.resources()) {
    value.resources.push_back({resource.name(), resource.content()});
  }
  return Request{stream::make_command(record::DeploymentIntent::Create, Key{}, value),
                 kDeploymentPartition};
}

MappedRequest to_command(const gateway_protocol::DeployProcessRequest& request) {
  record::DeploymentRecord value;
  for (const auto& process : request.processes()) {
    value.resources.push_back({process.name(), process.definition()});
  }
  return Request{stream::make_command(record::DeploymentIntent::Create, Key{}, value),
                 kDeploymentPartition};
}

// No history is kept, so that there is none to be deleted with it.
MappedRequest to_command(const gateway_protocol::DeleteResourceRequest& request) {
  record::ResourceDeletionRecord value;
  value.resource_key = Key{request.resourcekey()};
  Request result{stream::make_command(record::ResourceDeletionIntent::Delete, Key{}, value),
                 kDeploymentPartition};
  result.command.operation_reference = operation_reference(request);
  return result;
}

MappedRequest to_command(const gateway_protocol::CreateProcessInstanceRequest& request) {
  BEELINE_TRY(const record::ProcessInstanceCreationRecord value,
              to_creation(request, "CreateProcessInstance", "CREATE"));
  return creation_request(record::ProcessInstanceCreationIntent::Create, value,
                          operation_reference(request));
}

MappedRequest to_command(const gateway_protocol::CreateProcessInstanceWithResultRequest& request) {
  BEELINE_TRY(record::ProcessInstanceCreationRecord value,
              to_creation(request.request(), "CreateProcessInstanceWithResult",
                          "CREATE_WITH_AWAITING_RESULT"));
  value.fetch_variables.assign(request.fetchvariables().begin(), request.fetchvariables().end());
  return creation_request(record::ProcessInstanceCreationIntent::CreateWithAwaitingResult, value,
                          operation_reference(request.request()));
}

MappedRequest to_command(const gateway_protocol::EvaluateDecisionRequest& request) {
  record::DecisionEvaluationRecord value;
  BEELINE_TRY(value.tenant_id, tenant("EvaluateDecision", request.tenantid()));
  BEELINE_TRY(value.variables, read_variables(request.variables()));
  value.decision_id = request.decisionid();
  // A field that was not set is 0, and no key is.
  if (value.decision_id.empty() && request.decisionkey() > 0) {
    value.decision_key = Key{request.decisionkey()};
  }
  return Request{stream::make_command(record::DecisionEvaluationIntent::Evaluate, Key{}, value),
                 std::nullopt};
}

MappedRequest to_command(const gateway_protocol::PublishMessageRequest& request,
                         std::int32_t partition_count) {
  record::MessageRecord value;
  BEELINE_TRY(value.tenant_id, tenant("PublishMessage", request.tenantid()));
  if (is_blank(request.name())) {
    return failure(invalid_argument(
        "Expected to publish message with a non-empty name, but no name was provided"));
  }
  BEELINE_TRY_VOID(check_message_text("name", request.name()));
  BEELINE_TRY_VOID(check_message_text("correlation key", request.correlationkey()));
  BEELINE_TRY_VOID(check_message_text("message id", request.messageid()));
  if (!request.businessid().empty()) {
    return failure(
        unimplemented("Expected to publish message with a business id, but this version has none"));
  }
  BEELINE_TRY(value.variables, read_variables(request.variables()));
  value.name = request.name();
  value.correlation_key = request.correlationkey();
  value.message_id = request.messageid();
  value.time_to_live = std::max(Milliseconds{request.timetolive()}, Milliseconds{0});
  return Request{stream::make_command(record::MessageIntent::Publish, Key{}, value),
                 partition_of_correlation_key(value.correlation_key, partition_count)};
}

Result<record::JobBatchRecord, Status> to_job_batch(
    const gateway_protocol::ActivateJobsRequest& request) {
  BEELINE_TRY(record::JobBatchRecord batch, read_activation(request, "ActivateJobs"));
  const auto refused = [](std::string reason) {
    return failure(rejected(RejectionType::InvalidArgument, "ACTIVATE", reason));
  };
  if (request.maxjobstoactivate() < 1) {
    return refused(fmt::format(
        "Expected to activate job batch with max jobs to activate to be greater than zero, but it "
        "was '{}'",
        request.maxjobstoactivate()));
  }
  if (request.timeout() < 1) {
    return refused(fmt::format(
        "Expected to activate job batch with timeout to be greater than zero, but it was '{}'",
        request.timeout()));
  }
  if (is_blank(request.type())) {
    return refused("Expected to activate job batch with type to be present, but it was blank");
  }
  batch.max_jobs_to_activate = request.maxjobstoactivate();
  return batch;
}

Result<record::JobBatchRecord, Status> to_job_batch(
    const gateway_protocol::StreamActivatedJobsRequest& request) {
  BEELINE_TRY(record::JobBatchRecord batch, read_activation(request, "StreamActivatedJobs"));
  if (is_blank(request.type())) {
    return failure(invalid_argument(
        "Expected to stream activated jobs with type to be present, but it was blank"));
  }
  if (request.timeout() < 1) {
    return failure(invalid_argument(fmt::format(
        "Expected to stream activated jobs with timeout to be greater than zero, but it was {}",
        request.timeout())));
  }
  return batch;
}

}  // namespace beeline::gateway
