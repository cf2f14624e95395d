#pragma once

#include <optional>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "gateway.pb.h"
#include "gateway/status.h"
#include "record/values.h"
#include "stream/port.h"

// From requests to commands: what a client sent becomes a record and the partition it is for, or
// the status that says what is wrong with it. Pure functions; nothing here waits or sends.
//
// What only the engine can know (whether a job exists, in which state it is) is not checked here.
// What would be refused in any state is, in the engine's words.
namespace beeline::gateway {

struct Request {
  stream::Command command;
  // None: any partition will do, each in turn.
  std::optional<PartitionId> partition;
};

using MappedRequest = Result<Request, Status>;

[[nodiscard]] MappedRequest to_command(const gateway_protocol::CompleteJobRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::FailJobRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::ThrowErrorRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::UpdateJobRetriesRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::UpdateJobTimeoutRequest& request);
[[nodiscard]] MappedRequest to_command(
    const gateway_protocol::CancelProcessInstanceRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::SetVariablesRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::ResolveIncidentRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::DeployResourceRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::DeployProcessRequest& request);
[[nodiscard]] MappedRequest to_command(const gateway_protocol::DeleteResourceRequest& request);
[[nodiscard]] MappedRequest to_command(
    const gateway_protocol::CreateProcessInstanceRequest& request);
[[nodiscard]] MappedRequest to_command(
    const gateway_protocol::CreateProcessInstanceWithResultRequest& request);
// A message belongs to the partition of its correlation key, one of so many.
[[nodiscard]] MappedRequest to_command(const gateway_protocol::PublishMessageRequest& request,
                                       std::int32_t partition_count);

[[nodiscard]] MappedRequest to_command(const gateway_protocol::EvaluateDecisionRequest& request);

// What to ask partitions for; the same for polls and streams.
[[nodiscard]] Result<record::JobBatchRecord, Status> to_job_batch(
    const gateway_protocol::ActivateJobsRequest& request);
// The number of jobs is left open: it depends on how many the client can take.
[[nodiscard]] Result<record::JobBatchRecord, Status> to_job_batch(
    const gateway_protocol::StreamActivatedJobsRequest& request);

}  // namespace beeline::gateway
