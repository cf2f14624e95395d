#include "service/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/partition_hash.h"
#include "record/value_type.h"
#include "record/values/conditionals.h"
#include "record/values/decisions.h"
#include "record/values/deployments.h"
#include "record/values/incidents.h"
#include "record/values/messages.h"
#include "record/values/process_instances.h"
#include "record/values/signals.h"
#include "record/values/variables.h"
#include "service/text.h"
#include "service/variables.h"

namespace beeline::service {
namespace {

using record::RejectionType;

constexpr std::size_t kErrorMessageLengthMax = 10'000;
constexpr std::size_t kBusinessIdLengthMax = 256;
constexpr std::size_t kMessageTextLengthMax = 32'768;
constexpr std::size_t kTagsMax = 10;
constexpr std::size_t kTagLengthMax = 100;
constexpr PartitionId kDeploymentPartition{1};

std::vector<std::string> to_strings(const std::vector<std::string_view>& texts) {
  return {texts.begin(), texts.end()};
}

// Multi-tenancy is off: only the default tenant exists.
Outcome<std::string> tenant(std::string_view rpc, std::string_view id) {
  if (is_blank(id) || id == record::kDefaultTenant) return std::string(record::kDefaultTenant);
  return failure(invalid(fmt::format(
      "Expected to handle request {} with tenant identifier '{}', but multi-tenancy is disabled",
      rpc, first_bytes(id, 256))));
}

// Returns the partition that made `key`. A key that no partition can have made gets the answer that
// a partition would give: clients repeat UNAVAILABLE for ever, and no repetition makes this key
// exist.
Outcome<PartitionId> partition_of_key(Key key, std::string_view intent,
                                      std::string_view not_found) {
  const PartitionId partition = partition_of(key);
  if (partition.value() > 0) return partition;
  return failure(rejected(RejectionType::NotFound, intent, std::string(not_found)));
}

template <typename T>
MappedRequest addressed(typename T::Intent intent, Key key, const T& value,
                        std::string_view not_found, std::int64_t reference = -1) {
  const std::string_view name =
      record::intent_name(T::kType, static_cast<record::IntentNumber>(intent));
  BEELINE_TRY(const PartitionId partition, partition_of_key(key, name, not_found));
  Request request{stream::make_command(intent, key, value), partition};
  request.command.head.operation_reference = reference;
  return request;
}

MappedRequest job_command(record::JobIntent intent, Key job_key, const record::JobRecord& job,
                          std::string_view verb, std::int64_t reference = kNoReference) {
  return addressed(intent, job_key, job,
                   fmt::format("Expected to {} job with key '{}', but no such job was found", verb,
                               job_key.value()),
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

// Tags are a set: a repeated tag counts once, in its first place.
Outcome<std::vector<std::string>> read_tags(const std::vector<std::string_view>& tags,
                                            std::string_view intent) {
  std::vector<std::string> result;
  for (const std::string_view tag : tags) {
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
    result.emplace_back(tag);
  }
  return result;
}

// Refuses the parts of the protocol that this version does not support: otherwise a client that
// uses one would believe that it has an effect.
Outcome<void> check_supported(const CreateProcessInstance& request) {
  if (characters_in(request.business_id) > kBusinessIdLengthMax) {
    return failure(invalid(
        fmt::format("Expected to handle request with business id '{}', but business id exceeds the "
                    "limit of {} characters",
                    first_bytes(request.business_id, 512), kBusinessIdLengthMax)));
  }
  if (!request.business_id.empty()) {
    return failure(
        unsupported("Expected to create instance of process with a business id, but this version "
                    "does not support business ids"));
  }
  return {};
}

Outcome<record::ProcessInstanceCreationRecord> to_creation(const CreateProcessInstance& request,
                                                           std::string_view rpc,
                                                           std::string_view intent) {
  record::ProcessInstanceCreationRecord value;
  BEELINE_TRY(value.tenant_id, tenant(rpc, request.tenant_id));
  BEELINE_TRY(value.variables, read_variables(request.variables));
  BEELINE_TRY_VOID(check_supported(request));
  if (request.bpmn_process_id.empty()) {
    if (request.process_definition_key.value() < 0) {
      return failure(
          rejected(RejectionType::InvalidArgument, intent,
                   "Expected at least a bpmnProcessId or a key greater than -1, but none given"));
    }
    value.process_definition_key = request.process_definition_key;
  } else {
    value.bpmn_process_id = request.bpmn_process_id;
    value.version = std::max(request.version, -1);
  }
  BEELINE_TRY(value.tags, read_tags(request.tags, intent));
  for (const std::string_view element : request.start_elements) {
    value.start_instructions.push_back({std::string(element)});
  }
  for (const std::optional<std::string_view>& element : request.terminate_after) {
    if (!element) {
      return failure(
          invalid("Expected to create instance of process with runtime instructions, but one of "
                  "them is empty"));
    }
    value.runtime_instructions.push_back(
        {record::RuntimeInstructionType::TerminateProcessInstance, std::string(*element)});
  }
  return value;
}

Request creation_request(record::ProcessInstanceCreationIntent intent,
                         const record::ProcessInstanceCreationRecord& value,
                         std::int64_t reference) {
  Request result{stream::make_command(intent, Key{}, value), std::nullopt};
  result.command.head.operation_reference = reference;
  return result;
}

// --- messages -----------------------------------------------------------------------------------

Outcome<void> check_message_text(std::string_view what, std::string_view text) {
  const std::size_t length = characters_in(text);
  if (length <= kMessageTextLengthMax) return {};
  return failure(invalid(
      fmt::format("Expected to publish message with a {} of at most {} characters, but it has {}",
                  what, kMessageTextLengthMax, length)));
}

// --- activation ---------------------------------------------------------------------------------

Outcome<std::vector<std::string>> read_tenants(const JobWish& wish, std::string_view rpc) {
  if (!wish.tenant_filter) {
    return failure(
        invalid("Unrecognized tenantFilter option; expected one of ASSIGNED or PROVIDED."));
  }
  if (*wish.tenant_filter == TenantFilter::Provided) {
    for (const std::string_view id : wish.tenant_ids) {
      if (const auto checked = tenant(rpc, id); !checked) return failure(checked.error());
    }
  }
  return std::vector<std::string>{std::string(record::kDefaultTenant)};
}

Outcome<record::JobBatchRecord> read_wish(const JobWish& wish, std::string_view rpc) {
  record::JobBatchRecord batch;
  BEELINE_TRY(batch.tenant_ids, read_tenants(wish, rpc));
  if (wish.with_lease) {
    return failure(unsupported(
        "Expected to activate jobs with a lease, but this version does not support leases"));
  }
  batch.type = wish.type;
  batch.worker = wish.worker;
  batch.timeout = wish.timeout;
  batch.variables = to_strings(wish.fetch_variables);
  return batch;
}

}  // namespace

MappedRequest to_command(const CompleteJob& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables));
  if (const std::string_view type = request.result_type;
      !type.empty() && type != "userTask" && type != "adHocSubProcess") {
    return failure(invalid(fmt::format("Unknown job result type: {}", first_bytes(type, 256))));
  }
  if (request.business_id) {
    if (is_blank(*request.business_id)) {
      return failure(invalid(
          fmt::format("Expected to handle request with business id '{}', but no business id was "
                      "provided",
                      first_bytes(*request.business_id, 256))));
    }
    return failure(
        unsupported("Expected to complete job with a business id, but this version does not "
                    "support business ids"));
  }
  return job_command(record::JobIntent::Complete, request.job, job, "complete");
}

MappedRequest to_command(const FailJob& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables));
  job.retries = std::max(request.retries, 0);
  job.error_message = first_characters(request.error_message, kErrorMessageLengthMax);
  job.retry_backoff = std::max(request.retry_backoff, Milliseconds{0});
  return job_command(record::JobIntent::Fail, request.job, job, "fail");
}

MappedRequest to_command(const ThrowError& request) {
  record::JobRecord job;
  BEELINE_TRY(job.variables, read_variables(request.variables));
  job.error_code = request.error_code;
  job.error_message = first_characters(request.error_message, kErrorMessageLengthMax);
  return job_command(record::JobIntent::ThrowError, request.job, job, "throw an error for");
}

MappedRequest to_command(const UpdateJobRetries& request) {
  record::JobRecord job;
  job.retries = request.retries;
  return job_command(record::JobIntent::UpdateRetries, request.job, job, "update",
                     request.operation_reference);
}

MappedRequest to_command(const UpdateJobTimeout& request) {
  record::JobRecord job;
  job.timeout = request.timeout;
  return job_command(record::JobIntent::UpdateTimeout, request.job, job, "update",
                     request.operation_reference);
}

MappedRequest to_command(const CancelProcessInstance& request) {
  const Key key = request.process_instance;
  record::ProcessInstanceRecord value;
  value.process_instance_key = key;
  return addressed(
      record::ProcessInstanceIntent::Cancel, key, value,
      fmt::format("Expected to cancel a process instance with key '{}', but no such process was "
                  "found",
                  key.value()),
      request.operation_reference);
}

MappedRequest to_command(const SetVariables& request) {
  const Key key = request.element_instance;
  record::VariableDocumentRecord value;
  BEELINE_TRY(value.variables, read_variables(request.variables));
  value.scope_key = key;
  value.update_semantics =
      request.local ? record::UpdateSemantics::Local : record::UpdateSemantics::Propagate;
  BEELINE_TRY(Request result,
              addressed(record::VariableDocumentIntent::Update, key, value,
                        fmt::format("Expected to update variables for element with key '{}', but "
                                    "no such element was found",
                                    key.value()),
                        request.operation_reference));
  // The engine assigns the key of the update; the value names its element.
  result.command.head.key = Key{};
  return result;
}

MappedRequest to_command(const ResolveIncident& request) {
  const Key key = request.incident;
  return addressed(
      record::IncidentIntent::Resolve, key, record::IncidentRecord{},
      fmt::format("Expected to resolve incident with key '{}', but no such incident was found",
                  key.value()),
      request.operation_reference);
}

MappedRequest to_command(const DeployResources& request) {
  record::DeploymentRecord value;
  BEELINE_TRY(value.tenant_id, tenant("DeployResource", request.tenant_id));
  for (const DeployResources::Resource& resource : request.resources) {
    value.resources.push_back({std::string(resource.name), std::string(resource.content)});
  }
  return Request{stream::make_command(record::DeploymentIntent::Create, Key{}, value),
                 kDeploymentPartition};
}

// beeline keeps no history, so there is no history to delete.
MappedRequest to_command(const DeleteResource& request) {
  record::ResourceDeletionRecord value;
  value.resource_key = request.resource;
  Request result{stream::make_command(record::ResourceDeletionIntent::Delete, Key{}, value),
                 kDeploymentPartition};
  result.command.head.operation_reference = request.operation_reference;
  return result;
}

MappedRequest to_command(const CreateProcessInstance& request) {
  BEELINE_TRY(const record::ProcessInstanceCreationRecord value,
              to_creation(request, "CreateProcessInstance", "CREATE"));
  return creation_request(record::ProcessInstanceCreationIntent::Create, value,
                          request.operation_reference);
}

MappedRequest to_command(const CreateProcessInstanceWithResult& request) {
  BEELINE_TRY(record::ProcessInstanceCreationRecord value,
              to_creation(request.creation, "CreateProcessInstanceWithResult",
                          "CREATE_WITH_AWAITING_RESULT"));
  value.fetch_variables = to_strings(request.fetch_variables);
  return creation_request(record::ProcessInstanceCreationIntent::CreateWithAwaitingResult, value,
                          request.creation.operation_reference);
}

MappedRequest to_command(const EvaluateDecision& request) {
  record::DecisionEvaluationRecord value;
  BEELINE_TRY(value.tenant_id, tenant("EvaluateDecision", request.tenant_id));
  BEELINE_TRY(value.variables, read_variables(request.variables));
  value.decision_id = request.decision_id;
  // A field that was not set is 0, which is never a key.
  if (value.decision_id.empty() && request.decision_key.value() > 0) {
    value.decision_key = request.decision_key;
  }
  return Request{stream::make_command(record::DecisionEvaluationIntent::Evaluate, Key{}, value),
                 std::nullopt};
}

MappedRequest to_command(const PublishMessage& request, std::int32_t partition_count) {
  record::MessageRecord value;
  BEELINE_TRY(value.tenant_id, tenant("PublishMessage", request.tenant_id));
  if (is_blank(request.name)) {
    return failure(
        invalid("Expected to publish message with a non-empty name, but no name was provided"));
  }
  BEELINE_TRY_VOID(check_message_text("name", request.name));
  BEELINE_TRY_VOID(check_message_text("correlation key", request.correlation_key));
  BEELINE_TRY_VOID(check_message_text("message id", request.message_id));
  if (!request.business_id.empty()) {
    return failure(
        unsupported("Expected to publish message with a business id, but this version does not "
                    "support business ids"));
  }
  BEELINE_TRY(value.variables, read_variables(request.variables));
  value.name = request.name;
  value.correlation_key = request.correlation_key;
  value.message_id = request.message_id;
  value.time_to_live = std::max(request.time_to_live, Milliseconds{0});
  return Request{stream::make_command(record::MessageIntent::Publish, Key{}, value),
                 partition_of_correlation_key(value.correlation_key, partition_count)};
}

MappedRequest to_command(const CorrelateMessage& request, std::int32_t partition_count) {
  // The names are the members that a REST client writes.
  for (const auto& [name, text] :
       {std::pair<std::string_view, std::string_view>{"messageName", request.name},
        {"correlationKey", request.correlation_key}}) {
    if (const std::size_t length = characters_in(text); length > kMessageTextLengthMax) {
      return failure(
          invalid(fmt::format("Expected '{}' to have at most {} characters, but it has {}", name,
                              kMessageTextLengthMax, length)));
    }
  }
  if (is_blank(request.name)) {
    return failure(invalid("Expected a 'messageName' that is not blank"));
  }
  record::MessageCorrelationRecord value;
  BEELINE_TRY(value.variables, read_variables(request.variables));
  value.name = request.name;
  value.correlation_key = request.correlation_key;
  value.process_instance_key = request.process_instance;
  return Request{stream::make_command(record::MessageCorrelationIntent::Correlate, Key{}, value),
                 partition_of_correlation_key(value.correlation_key, partition_count)};
}

MappedRequest to_command(const BroadcastSignal& request) {
  record::SignalRecord value;
  BEELINE_TRY(value.tenant_id, tenant("BroadcastSignal", request.tenant_id));
  if (is_blank(request.name)) {
    return failure(
        invalid("Expected to broadcast signal with a non-empty name, but no name was provided"));
  }
  if (const std::size_t length = characters_in(request.name); length > kMessageTextLengthMax) {
    return failure(
        invalid(fmt::format("Expected to broadcast signal with a name of at most {} characters, "
                            "but it has {}",
                            kMessageTextLengthMax, length)));
  }
  BEELINE_TRY(value.variables, read_variables(request.variables));
  value.signal_name = request.name;
  value.awaits_count = request.awaits_count;
  return Request{stream::make_command(record::SignalIntent::Broadcast, Key{}, value), std::nullopt};
}

MappedRequest to_command(const EvaluateConditional& request) {
  record::ConditionalEvaluationRecord value;
  BEELINE_TRY(value.tenant_id, tenant("EvaluateConditional", request.tenant_id));
  BEELINE_TRY(value.variables, read_variables(request.variables));
  if (request.process_definition) {
    const Key key = *request.process_definition;
    if (key.value() <= 0) {
      return failure(rejected(
          RejectionType::NotFound, "EVALUATE",
          fmt::format("Expected to evaluate conditional for process definition key '{}', but no "
                      "such process was found.",
                      key.value())));
    }
    value.process_definition_key = key;
  }
  return Request{stream::make_command(record::ConditionalEvaluationIntent::Evaluate, Key{}, value),
                 std::nullopt};
}

Outcome<record::JobBatchRecord> to_job_batch(const ActivateJobs& request) {
  BEELINE_TRY(record::JobBatchRecord batch, read_wish(request.wish, "ActivateJobs"));
  const auto refused = [](std::string reason) {
    return failure(rejected(RejectionType::InvalidArgument, "ACTIVATE", std::move(reason)));
  };
  if (request.jobs_max < 1) {
    return refused(fmt::format(
        "Expected to activate job batch with max jobs to activate to be greater than zero, but it "
        "was '{}'",
        request.jobs_max));
  }
  if (request.wish.timeout.count() < 1) {
    return refused(fmt::format(
        "Expected to activate job batch with timeout to be greater than zero, but it was '{}'",
        request.wish.timeout.count()));
  }
  if (is_blank(request.wish.type)) {
    return refused("Expected to activate job batch with type to be present, but it was blank");
  }
  batch.max_jobs_to_activate = request.jobs_max;
  return batch;
}

Outcome<record::JobBatchRecord> to_job_batch(const StreamJobs& request) {
  BEELINE_TRY(record::JobBatchRecord batch, read_wish(request.wish, "StreamActivatedJobs"));
  if (is_blank(request.wish.type)) {
    return failure(
        invalid("Expected to stream activated jobs with type to be present, but it was blank"));
  }
  if (request.wish.timeout.count() < 1) {
    return failure(invalid(fmt::format(
        "Expected to stream activated jobs with timeout to be greater than zero, but it was {}",
        request.wish.timeout.count())));
  }
  return batch;
}

}  // namespace beeline::service
