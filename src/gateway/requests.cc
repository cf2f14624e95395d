#include "gateway/requests.h"

namespace beeline::gateway {
namespace {

template <typename Message>
std::int64_t operation_reference(const Message& message) {
  return message.has_operationreference() ? static_cast<std::int64_t>(message.operationreference())
                                          : service::kNoReference;
}

template <typename Texts>
std::vector<std::string_view> views_of(const Texts& texts) {
  return {texts.begin(), texts.end()};
}

template <typename Message>
service::JobWish to_wish(const Message& message) {
  service::JobWish wish{.type = message.type(),
                        .worker = message.worker(),
                        .timeout = Milliseconds{message.timeout()},
                        .fetch_variables = views_of(message.fetchvariable()),
                        .tenant_ids = views_of(message.tenantids()),
                        .with_lease = message.withlease()};
  if (!gateway_protocol::TenantFilter_IsValid(message.tenantfilter())) {
    wish.tenant_filter = std::nullopt;
  } else if (message.tenantfilter() != gateway_protocol::PROVIDED) {
    wish.tenant_filter = service::TenantFilter::Assigned;
  }
  return wish;
}

}  // namespace

service::CompleteJob to_request(const gateway_protocol::CompleteJobRequest& message) {
  service::CompleteJob request{.job = Key{message.jobkey()},
                               .variables = message.variables(),
                               .result_type = message.result().type(),
                               .business_id = std::nullopt};
  if (message.has_businessid()) request.business_id = message.businessid();
  return request;
}

service::FailJob to_request(const gateway_protocol::FailJobRequest& message) {
  return {.job = Key{message.jobkey()},
          .retries = message.retries(),
          .retry_backoff = Milliseconds{message.retrybackoff()},
          .error_message = message.errormessage(),
          .variables = message.variables()};
}

service::ThrowError to_request(const gateway_protocol::ThrowErrorRequest& message) {
  return {.job = Key{message.jobkey()},
          .error_code = message.errorcode(),
          .error_message = message.errormessage(),
          .variables = message.variables()};
}

service::UpdateJobRetries to_request(const gateway_protocol::UpdateJobRetriesRequest& message) {
  return {.job = Key{message.jobkey()},
          .retries = message.retries(),
          .operation_reference = operation_reference(message)};
}

service::UpdateJobTimeout to_request(const gateway_protocol::UpdateJobTimeoutRequest& message) {
  return {.job = Key{message.jobkey()},
          .timeout = Milliseconds{message.timeout()},
          .operation_reference = operation_reference(message)};
}

service::CancelProcessInstance to_request(
    const gateway_protocol::CancelProcessInstanceRequest& message) {
  return {.process_instance = Key{message.processinstancekey()},
          .operation_reference = operation_reference(message)};
}

service::SetVariables to_request(const gateway_protocol::SetVariablesRequest& message) {
  return {.element_instance = Key{message.elementinstancekey()},
          .variables = message.variables(),
          .local = message.local(),
          .operation_reference = operation_reference(message)};
}

service::ResolveIncident to_request(const gateway_protocol::ResolveIncidentRequest& message) {
  return {.incident = Key{message.incidentkey()},
          .operation_reference = operation_reference(message)};
}

service::DeployResources to_request(const gateway_protocol::DeployResourceRequest& message) {
  service::DeployResources request{.resources = {}, .tenant_id = message.tenantid()};
  for (const auto& resource : message.resources()) {
    request.resources.push_back({resource.name(), resource.content()});
  }
  return request;
}

service::DeployResources to_request(const gateway_protocol::DeployProcessRequest& message) {
  service::DeployResources request;
  for (const auto& process : message.processes()) {
    request.resources.push_back({process.name(), process.definition()});
  }
  return request;
}

service::DeleteResource to_request(const gateway_protocol::DeleteResourceRequest& message) {
  return {.resource = Key{message.resourcekey()},
          .operation_reference = operation_reference(message)};
}

service::CreateProcessInstance to_request(
    const gateway_protocol::CreateProcessInstanceRequest& message) {
  service::CreateProcessInstance request{
      .bpmn_process_id = message.bpmnprocessid(),
      .version = message.version(),
      .process_definition_key = Key{message.processdefinitionkey()},
      .variables = message.variables(),
      .tenant_id = message.tenantid(),
      .business_id = message.businessid(),
      .tags = views_of(message.tags()),
      .start_elements = {},
      .terminate_after = {},
      .operation_reference = operation_reference(message)};
  for (const auto& instruction : message.startinstructions()) {
    request.start_elements.push_back(instruction.elementid());
  }
  for (const auto& instruction : message.runtimeinstructions()) {
    request.terminate_after.push_back(
        instruction.has_terminate()
            ? std::optional<std::string_view>{instruction.terminate().afterelementid()}
            : std::nullopt);
  }
  return request;
}

service::CreateProcessInstanceWithResult to_request(
    const gateway_protocol::CreateProcessInstanceWithResultRequest& message) {
  return {.creation = to_request(message.request()),
          .fetch_variables = views_of(message.fetchvariables())};
}

service::PublishMessage to_request(const gateway_protocol::PublishMessageRequest& message) {
  return {.name = message.name(),
          .correlation_key = message.correlationkey(),
          .message_id = message.messageid(),
          .time_to_live = Milliseconds{message.timetolive()},
          .variables = message.variables(),
          .tenant_id = message.tenantid(),
          .business_id = message.businessid()};
}

service::BroadcastSignal to_request(const gateway_protocol::BroadcastSignalRequest& message) {
  return {.name = message.signalname(),
          .variables = message.variables(),
          .tenant_id = message.tenantid(),
          .awaits_count = false};
}

service::EvaluateConditional to_request(
    const gateway_protocol::EvaluateConditionalRequest& message) {
  return {.process_definition = message.has_processdefinitionkey()
                                    ? std::optional{Key{message.processdefinitionkey()}}
                                    : std::nullopt,
          .variables = message.variables(),
          .tenant_id = message.tenantid()};
}

service::EvaluateDecision to_request(const gateway_protocol::EvaluateDecisionRequest& message) {
  return {.decision_id = message.decisionid(),
          .decision_key = Key{message.decisionkey()},
          .variables = message.variables(),
          .tenant_id = message.tenantid()};
}

service::ActivateJobs to_request(const gateway_protocol::ActivateJobsRequest& message) {
  return {.wish = to_wish(message), .jobs_max = message.maxjobstoactivate()};
}

service::StreamJobs to_request(const gateway_protocol::StreamActivatedJobsRequest& message) {
  return {.wish = to_wish(message)};
}

}  // namespace beeline::gateway
