#pragma once

#include "gateway.pb.h"
#include "service/requests.h"

// Maps messages to requests of the service. The mapping is pure: service/requests.cc decides what
// is allowed. The requests borrow the texts of the messages.
namespace beeline::gateway {

[[nodiscard]] service::CompleteJob to_request(const gateway_protocol::CompleteJobRequest& message);
[[nodiscard]] service::FailJob to_request(const gateway_protocol::FailJobRequest& message);
[[nodiscard]] service::ThrowError to_request(const gateway_protocol::ThrowErrorRequest& message);
[[nodiscard]] service::UpdateJobRetries to_request(
    const gateway_protocol::UpdateJobRetriesRequest& message);
[[nodiscard]] service::UpdateJobTimeout to_request(
    const gateway_protocol::UpdateJobTimeoutRequest& message);
[[nodiscard]] service::CancelProcessInstance to_request(
    const gateway_protocol::CancelProcessInstanceRequest& message);
[[nodiscard]] service::SetVariables to_request(
    const gateway_protocol::SetVariablesRequest& message);
[[nodiscard]] service::ResolveIncident to_request(
    const gateway_protocol::ResolveIncidentRequest& message);
[[nodiscard]] service::DeployResources to_request(
    const gateway_protocol::DeployResourceRequest& message);
[[nodiscard]] service::DeployResources to_request(
    const gateway_protocol::DeployProcessRequest& message);
[[nodiscard]] service::DeleteResource to_request(
    const gateway_protocol::DeleteResourceRequest& message);
[[nodiscard]] service::CreateProcessInstance to_request(
    const gateway_protocol::CreateProcessInstanceRequest& message);
[[nodiscard]] service::CreateProcessInstanceWithResult to_request(
    const gateway_protocol::CreateProcessInstanceWithResultRequest& message);
[[nodiscard]] service::PublishMessage to_request(
    const gateway_protocol::PublishMessageRequest& message);
[[nodiscard]] service::BroadcastSignal to_request(
    const gateway_protocol::BroadcastSignalRequest& message);
[[nodiscard]] service::EvaluateConditional to_request(
    const gateway_protocol::EvaluateConditionalRequest& message);
[[nodiscard]] service::EvaluateDecision to_request(
    const gateway_protocol::EvaluateDecisionRequest& message);
[[nodiscard]] service::ActivateJobs to_request(
    const gateway_protocol::ActivateJobsRequest& message);
[[nodiscard]] service::StreamJobs to_request(
    const gateway_protocol::StreamActivatedJobsRequest& message);

}  // namespace beeline::gateway
