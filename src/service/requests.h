#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "record/values/jobs.h"
#include "service/command_sender.h"
#include "service/error.h"

// The requests of clients, independent of any transport, and the commands that they lead to.
//
// to_command() checks a request and returns its command with the target partition, or an error that
// explains what is wrong. The functions are pure; they neither wait nor send. What only the engine
// can know (whether a job exists, in which state it is) is not checked here. A request that the
// engine would reject in any state is rejected here, with the engine's text.
//
// Requests borrow their texts from their maker and are valid as long as these texts.
namespace beeline::service {

// The number that a client gives its request to find it again in the records; -1 if it gives none.
inline constexpr std::int64_t kNoReference = -1;

// --- jobs ---------------------------------------------------------------------------------------

struct CompleteJob {
  Key job;
  std::string_view variables;    // JSON, as everywhere below
  std::string_view result_type;  // what the worker's result is for; empty for the element
  std::optional<std::string_view> business_id;
};

struct FailJob {
  Key job;
  std::int32_t retries = 0;
  Milliseconds retry_backoff{0};
  std::string_view error_message;
  std::string_view variables;
};

struct ThrowError {
  Key job;
  std::string_view error_code;
  std::string_view error_message;
  std::string_view variables;
};

struct UpdateJobRetries {
  Key job;
  std::int32_t retries = 0;
  std::int64_t operation_reference = kNoReference;
};

struct UpdateJobTimeout {
  Key job;
  Milliseconds timeout{0};
  std::int64_t operation_reference = kNoReference;
};

// --- process instances --------------------------------------------------------------------------

struct CreateProcessInstance {
  std::string_view bpmn_process_id;  // empty: the definition is named by its key
  std::int32_t version = -1;         // -1: the latest
  Key process_definition_key;
  std::string_view variables;
  std::string_view tenant_id;
  std::string_view business_id;
  std::vector<std::string_view> tags;
  std::vector<std::string_view> start_elements;  // empty: the none start event
  // The instance is terminated after the first of these elements that ends. An instruction of the
  // client that has no element is without a value.
  std::vector<std::optional<std::string_view>> terminate_after;
  std::int64_t operation_reference = kNoReference;
};

// The request is answered when the instance has completed, with its variables.
struct CreateProcessInstanceWithResult {
  CreateProcessInstance creation;
  std::vector<std::string_view> fetch_variables;  // empty: all
};

struct CancelProcessInstance {
  Key process_instance;
  std::int64_t operation_reference = kNoReference;
};

struct SetVariables {
  Key element_instance;
  std::string_view variables;
  bool local = false;
  std::int64_t operation_reference = kNoReference;
};

struct ResolveIncident {
  Key incident;
  std::int64_t operation_reference = kNoReference;
};

// --- resources and decisions --------------------------------------------------------------------

struct DeployResources {
  struct Resource {
    std::string_view name;
    std::string_view content;
  };
  std::vector<Resource> resources;
  std::string_view tenant_id;
};

struct DeleteResource {
  Key resource;
  std::int64_t operation_reference = kNoReference;
};

struct EvaluateDecision {
  std::string_view decision_id;  // empty: the decision is named by its key
  Key decision_key;
  std::string_view variables;
  std::string_view tenant_id;
};

// --- messages -----------------------------------------------------------------------------------

struct PublishMessage {
  std::string_view name;
  std::string_view correlation_key;
  std::string_view message_id;
  Milliseconds time_to_live{0};
  std::string_view variables;
  std::string_view tenant_id;
  std::string_view business_id;
};

// A message that is correlated at once or not at all.
struct CorrelateMessage {
  std::string_view name;
  std::string_view correlation_key;
  Key process_instance;  // unset if any instance may receive it
  std::string_view variables;
};

// --- signals ------------------------------------------------------------------------------------

struct BroadcastSignal {
  std::string_view name;
  std::string_view variables;
  std::string_view tenant_id;
  // The answer waits for the number of receivers on all partitions.
  bool awaits_count = false;
};

// --- conditional start events
// ---------------------------------------------------------------------

struct EvaluateConditional {
  std::optional<Key> process_definition;  // empty: the start events of all processes
  std::string_view variables;
  std::string_view tenant_id;
};

// --- jobs for workers ---------------------------------------------------------------------------

enum class TenantFilter { Provided, Assigned };

struct JobWish {
  std::string_view type;
  std::string_view worker;
  Milliseconds timeout{0};
  std::vector<std::string_view> fetch_variables;  // empty: all
  std::vector<std::string_view> tenant_ids;
  std::optional<TenantFilter> tenant_filter =
      TenantFilter::Provided;  // empty if the client's value is unknown
  bool with_lease = false;
};

struct ActivateJobs {
  JobWish wish;
  std::int32_t jobs_max = 0;
};

// The request does not limit the number of jobs: it depends on how many the client reads.
struct StreamJobs {
  JobWish wish;
};

// ------------------------------------------------------------------------------------------------

using MappedRequest = Outcome<Request>;

[[nodiscard]] MappedRequest to_command(const CompleteJob& request);
[[nodiscard]] MappedRequest to_command(const FailJob& request);
[[nodiscard]] MappedRequest to_command(const ThrowError& request);
[[nodiscard]] MappedRequest to_command(const UpdateJobRetries& request);
[[nodiscard]] MappedRequest to_command(const UpdateJobTimeout& request);
[[nodiscard]] MappedRequest to_command(const CreateProcessInstance& request);
[[nodiscard]] MappedRequest to_command(const CreateProcessInstanceWithResult& request);
[[nodiscard]] MappedRequest to_command(const CancelProcessInstance& request);
[[nodiscard]] MappedRequest to_command(const SetVariables& request);
[[nodiscard]] MappedRequest to_command(const ResolveIncident& request);
[[nodiscard]] MappedRequest to_command(const DeployResources& request);
[[nodiscard]] MappedRequest to_command(const DeleteResource& request);
[[nodiscard]] MappedRequest to_command(const EvaluateDecision& request);
// A message belongs to the partition of its correlation key, among `partition_count` partitions.
[[nodiscard]] MappedRequest to_command(const PublishMessage& request, std::int32_t partition_count);
[[nodiscard]] MappedRequest to_command(const CorrelateMessage& request,
                                       std::int32_t partition_count);
[[nodiscard]] MappedRequest to_command(const BroadcastSignal& request);
[[nodiscard]] MappedRequest to_command(const EvaluateConditional& request);

// Makes the value of the command that asks partitions for jobs.
[[nodiscard]] Outcome<record::JobBatchRecord> to_job_batch(const ActivateJobs& request);
[[nodiscard]] Outcome<record::JobBatchRecord> to_job_batch(const StreamJobs& request);

}  // namespace beeline::service
