#include "gateway/responses.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "record/codec.h"
#include "record/json.h"
#include "record/values/conditionals.h"
#include "record/values/decisions.h"
#include "record/values/deployments.h"
#include "record/values/messages.h"
#include "record/values/process_instances.h"
#include "record/values/signals.h"
#include "record/values/variables.h"
#include "service/variables.h"

namespace beeline::gateway {
namespace {

// Returns the value of the answer, which must have type T; otherwise ends the call.
template <typename T>
std::optional<T> value_of(const record::RecordView& answer, Call& call) {
  if (answer.metadata.value_type == T::kType) {
    if (std::optional<T> value = record::try_decode<T>(answer.value)) return value;
  }
  call.finish(
      status_of(service::unexpected_error("the answer to the command has an unexpected form")));
  return std::nullopt;
}

void fill(const record::ProcessMetadata& from, gateway_protocol::ProcessMetadata& to) {
  to.set_bpmnprocessid(from.bpmn_process_id);
  to.set_version(from.version);
  to.set_processdefinitionkey(from.key.value());
  to.set_resourcename(from.resource_name);
  to.set_tenantid(from.tenant_id);
}

void fill(const record::DecisionMetadata& from, gateway_protocol::DecisionMetadata& to) {
  to.set_dmndecisionid(from.decision_id);
  to.set_dmndecisionname(from.decision_name);
  to.set_version(from.version);
  to.set_decisionkey(from.key.value());
  to.set_dmndecisionrequirementsid(from.requirements_id);
  to.set_decisionrequirementskey(from.requirements_key.value());
  to.set_tenantid(from.tenant_id);
}

void fill(const record::DecisionRequirementsMetadata& from,
          gateway_protocol::DecisionRequirementsMetadata& to) {
  to.set_dmndecisionrequirementsid(from.requirements_id);
  to.set_dmndecisionrequirementsname(from.requirements_name);
  to.set_version(from.version);
  to.set_decisionrequirementskey(from.key.value());
  to.set_resourcename(from.resource_name);
  to.set_tenantid(from.tenant_id);
}

void fill(const record::EvaluatedDecision& from, gateway_protocol::EvaluatedDecision& to) {
  to.set_decisionkey(from.decision_key.value());
  to.set_decisionid(from.decision_id);
  to.set_decisionname(from.decision_name);
  to.set_decisionversion(from.decision_version);
  to.set_decisiontype(from.decision_type);
  to.set_decisionoutput(from.decision_output);
  to.set_tenantid(from.tenant_id);
  to.set_decisionevaluationinstancekey(from.evaluation_instance_key);
  for (const record::EvaluatedInput& input : from.evaluated_inputs) {
    auto& added = *to.add_evaluatedinputs();
    added.set_inputid(input.input_id);
    added.set_inputname(input.input_name);
    added.set_inputvalue(input.input_value);
  }
  for (const record::MatchedRule& rule : from.matched_rules) {
    auto& added = *to.add_matchedrules();
    added.set_ruleid(rule.rule_id);
    added.set_ruleindex(rule.rule_index);
    for (const record::EvaluatedOutput& output : rule.evaluated_outputs) {
      auto& value = *added.add_evaluatedoutputs();
      value.set_outputid(output.output_id);
      value.set_outputname(output.output_name);
      value.set_outputvalue(output.output_value);
    }
  }
}

gateway_protocol::ActivatedJob::JobKind kind_of(record::JobKind kind) {
  using gateway_protocol::ActivatedJob;
  switch (kind) {
    case record::JobKind::BpmnElement:
      return ActivatedJob::BPMN_ELEMENT;
    case record::JobKind::ExecutionListener:
      return ActivatedJob::EXECUTION_LISTENER;
    case record::JobKind::TaskListener:
      return ActivatedJob::TASK_LISTENER;
    case record::JobKind::AdHocSubProcess:
      return ActivatedJob::AD_HOC_SUB_PROCESS;
  }
  return ActivatedJob::BPMN_ELEMENT;
}

}  // namespace

void respond_deploy_resource(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::DeploymentRecord>(answer, call);
  if (!value) return;
  gateway_protocol::DeployResourceResponse response;
  response.set_key(answer.metadata.key.value());
  response.set_tenantid(value->tenant_id);
  for (const record::ProcessMetadata& process : value->processes) {
    fill(process, *response.add_deployments()->mutable_process());
  }
  for (const record::DecisionMetadata& decision : value->decisions) {
    fill(decision, *response.add_deployments()->mutable_decision());
  }
  for (const record::DecisionRequirementsMetadata& requirements : value->requirements) {
    fill(requirements, *response.add_deployments()->mutable_decisionrequirements());
  }
  call.respond(response);
}

void respond_deploy_process(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::DeploymentRecord>(answer, call);
  if (!value) return;
  gateway_protocol::DeployProcessResponse response;
  response.set_key(answer.metadata.key.value());
  for (const record::ProcessMetadata& process : value->processes) {
    fill(process, *response.add_processes());
  }
  call.respond(response);
}

void respond_create_instance(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::ProcessInstanceCreationRecord>(answer, call);
  if (!value) return;
  gateway_protocol::CreateProcessInstanceResponse response;
  response.set_processdefinitionkey(value->process_definition_key.value());
  response.set_bpmnprocessid(value->bpmn_process_id);
  response.set_version(value->version);
  response.set_processinstancekey(value->process_instance_key.value());
  response.set_tenantid(value->tenant_id);
  response.mutable_tags()->Assign(value->tags.begin(), value->tags.end());
  call.respond(response);
}

void respond_create_instance_with_result(const record::RecordView& answer, Call& call,
                                         std::size_t bytes_max) {
  const auto value = value_of<record::ProcessInstanceResultRecord>(answer, call);
  if (!value) return;
  gateway_protocol::CreateProcessInstanceWithResultResponse response;
  response.set_processdefinitionkey(value->process_definition_key.value());
  response.set_bpmnprocessid(value->bpmn_process_id);
  response.set_version(value->version);
  response.set_processinstancekey(value->process_instance_key.value());
  response.set_variables(service::write_variables(value->variables));
  response.set_tenantid(value->tenant_id);
  response.mutable_tags()->Assign(value->tags.begin(), value->tags.end());
  response.set_businessid("");
  if (const std::size_t bytes = response.ByteSizeLong(); bytes > bytes_max) {
    return call.finish(
        {StatusCode::ResourceExhausted,
         fmt::format("Expected to answer with the result of process instance with key '{}', but "
                     "the answer has {} bytes and at most {} are allowed (message-size-max). The "
                     "process instance has completed. Ask for fewer variables with fetchVariables.",
                     value->process_instance_key.value(), bytes, bytes_max)});
  }
  call.respond(response);
}

void respond_evaluate_decision(const record::RecordView& answer, Call& call,
                               std::size_t bytes_max) {
  const auto value = value_of<record::DecisionEvaluationRecord>(answer, call);
  if (!value) return;
  gateway_protocol::EvaluateDecisionResponse response;
  response.set_decisionkey(value->decision_key.value());
  response.set_decisionid(value->decision_id);
  response.set_decisionname(value->decision_name);
  response.set_decisionversion(value->decision_version);
  response.set_decisionrequirementsid(value->requirements_id);
  response.set_decisionrequirementskey(value->requirements_key.value());
  response.set_tenantid(value->tenant_id);
  response.set_decisioninstancekey(answer.metadata.key.value());
  response.set_decisionevaluationkey(answer.metadata.key.value());
  response.set_faileddecisionid(value->failed_decision_id);
  response.set_failuremessage(value->evaluation_failure_message);
  if (value->failed_decision_id.empty()) response.set_decisionoutput(value->decision_output);
  for (const record::EvaluatedDecision& decision : value->evaluated_decisions) {
    fill(decision, *response.add_evaluateddecisions());
  }
  if (const std::size_t bytes = response.ByteSizeLong(); bytes > bytes_max) {
    return call.finish(
        {StatusCode::ResourceExhausted,
         fmt::format("Expected to answer with the evaluation of decision '{}', but the answer has "
                     "{} bytes and at most {} are allowed (message-size-max). The decision was "
                     "evaluated, with key '{}'.",
                     value->decision_id, bytes, bytes_max, answer.metadata.key.value())});
  }
  call.respond(response);
}

void respond_publish_message(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::MessageRecord>(answer, call);
  if (!value) return;
  gateway_protocol::PublishMessageResponse response;
  response.set_key(answer.metadata.key.value());
  response.set_tenantid(value->tenant_id);
  call.respond(response);
}

void respond_broadcast_signal(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::SignalRecord>(answer, call);
  if (!value) return;
  gateway_protocol::BroadcastSignalResponse response;
  response.set_key(answer.metadata.key.value());
  response.set_tenantid(value->tenant_id);
  call.respond(response);
}

void respond_evaluate_conditional(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::ConditionalEvaluationRecord>(answer, call);
  if (!value) return;
  gateway_protocol::EvaluateConditionalResponse response;
  for (const record::StartedProcessInstance& started : value->started_process_instances) {
    gateway_protocol::ProcessInstanceReference& instance = *response.add_processinstances();
    instance.set_processdefinitionkey(started.process_definition_key.value());
    instance.set_processinstancekey(started.process_instance_key.value());
  }
  response.set_conditionalevaluationkey(answer.metadata.key.value());
  response.set_tenantid(value->tenant_id);
  call.respond(response);
}

void respond_delete_resource(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::ResourceDeletionRecord>(answer, call);
  if (!value) return;
  gateway_protocol::DeleteResourceResponse response;
  response.set_resourcekey(std::to_string(value->resource_key.value()));
  call.respond(response);
}

void respond_set_variables(const record::RecordView& answer, Call& call) {
  const auto value = value_of<record::VariableDocumentRecord>(answer, call);
  if (!value) return;
  gateway_protocol::SetVariablesResponse response;
  response.set_key(answer.metadata.key.value());
  call.respond(response);
}

gateway_protocol::ActivatedJob to_activated_job(Key key, const record::JobRecord& job) {
  gateway_protocol::ActivatedJob message;
  message.set_key(key.value());
  message.set_type(job.type);
  message.set_processinstancekey(job.process_instance_key.value());
  message.set_bpmnprocessid(job.bpmn_process_id);
  message.set_processdefinitionversion(job.process_definition_version);
  message.set_processdefinitionkey(job.process_definition_key.value());
  message.set_elementid(job.element_id);
  message.set_elementinstancekey(job.element_instance_key.value());
  record::append_headers(job.custom_headers, *message.mutable_customheaders());
  message.set_worker(job.worker);
  message.set_retries(job.retries);
  message.set_deadline(job.deadline.millis());
  record::append_document(job.variables, *message.mutable_variables());
  message.set_tenantid(job.tenant_id);
  message.set_kind(kind_of(job.kind));
  message.set_listenereventtype(gateway_protocol::ActivatedJob::UNSPECIFIED);
  message.mutable_tags()->Assign(job.tags.begin(), job.tags.end());
  message.set_priority(job.priority);
  message.set_physicaltenantid("default");
  return message;
}

}  // namespace beeline::gateway
