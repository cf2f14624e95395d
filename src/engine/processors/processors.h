#pragma once

#include "engine/step.h"
#include "record/values.h"

// One function per command, in a file of its name: JOB COMPLETE is job_complete in
// processors/job_complete.cc. Each reads state, refuses early, then writes. The command's value is
// a request; the truth is in state.
namespace beeline::engine {

void command_distribution_acknowledge(Step& step, Key key,
                                      const record::CommandDistributionRecord& command);
void command_distribution_finish(Step& step, Key key,
                                 const record::CommandDistributionRecord& command);
void command_distribution_time_out(Step& step, Key key,
                                   const record::CommandDistributionRecord& command);

void compensation_subscription_trigger(Step& step, Key key,
                                       const record::CompensationSubscriptionRecord& command);

void deployment_create(Step& step, Key key, const record::DeploymentRecord& command);
void resource_deletion_delete(Step& step, Key key, const record::ResourceDeletionRecord& command);
void process_delete_complete(Step& step, Key key, const record::ProcessRecord& command);

void process_instance_creation_create(Step& step, Key key,
                                      const record::ProcessInstanceCreationView& command);

void process_instance_activate_element(Step& step, Key key,
                                       const record::ProcessInstanceView& command);
void process_instance_complete_element(Step& step, Key key,
                                       const record::ProcessInstanceView& command);
void process_instance_terminate_element(Step& step, Key key,
                                        const record::ProcessInstanceView& command);
void process_instance_cancel(Step& step, Key key, const record::ProcessInstanceView& command);
void process_instance_batch_terminate(Step& step, Key key,
                                      const record::ProcessInstanceBatchRecord& command);

void process_instance_batch_activate(Step& step, Key key,
                                     const record::ProcessInstanceBatchRecord& command);

void job_batch_activate(Step& step, Key key, const record::JobBatchView& command);
void job_complete(Step& step, Key key, const record::JobView& command);
void job_fail(Step& step, Key key, const record::JobView& command);
void job_throw_error(Step& step, Key key, const record::JobView& command);
void job_time_out(Step& step, Key key, const record::JobView& command);
void job_recur_after_backoff(Step& step, Key key, const record::JobView& command);
void job_update_retries(Step& step, Key key, const record::JobView& command);
void job_update_timeout(Step& step, Key key, const record::JobView& command);
void job_yield(Step& step, Key key, const record::JobView& command);
void job_cancel(Step& step, Key key, const record::JobView& command);

void incident_resolve(Step& step, Key key, const record::IncidentRecord& command);
void variable_document_update(Step& step, Key key, const record::VariableDocumentRecord& command);

void conditional_subscription_trigger(Step& step, Key key,
                                      const record::ConditionalSubscriptionRecord& command);
void conditional_subscription_evaluate(Step& step, Key key,
                                       const record::ConditionalSubscriptionRecord& command);
void conditional_evaluation_evaluate(Step& step, Key key,
                                     const record::ConditionalEvaluationRecord& command);
void signal_broadcast(Step& step, Key key, const record::SignalRecord& command);
void signal_continue(Step& step, Key key, const record::SignalRecord& command);

void timer_trigger(Step& step, Key key, const record::TimerRecord& command);
void timer_cancel(Step& step, Key key, const record::TimerRecord& command);

void message_publish(Step& step, Key key, const record::MessageRecord& command);
void message_expire(Step& step, Key key, const record::MessageRecord& command);
void message_batch_expire(Step& step, Key key, const record::MessageBatchRecord& command);
void message_batch_correlate(Step& step, Key key, const record::MessageBatchRecord& command);
void message_batch_start(Step& step, Key key, const record::MessageBatchRecord& command);
void message_correlation_correlate(Step& step, Key key,
                                   const record::MessageCorrelationRecord& command);
void message_subscription_create(Step& step, Key key,
                                 const record::MessageSubscriptionRecord& command);
void message_subscription_correlate(Step& step, Key key,
                                    const record::MessageSubscriptionRecord& command);
void message_subscription_reject(Step& step, Key key,
                                 const record::MessageSubscriptionRecord& command);
void message_subscription_delete(Step& step, Key key,
                                 const record::MessageSubscriptionRecord& command);
void process_message_subscription_create(Step& step, Key key,
                                         const record::ProcessMessageSubscriptionRecord& command);
void process_message_subscription_correlate(
    Step& step, Key key, const record::ProcessMessageSubscriptionRecord& command);
void process_message_subscription_delete(Step& step, Key key,
                                         const record::ProcessMessageSubscriptionRecord& command);
void decision_evaluation_evaluate(Step& step, Key key,
                                  const record::DecisionEvaluationRecord& command);

// Returns the function that processes a command, or null for a command that is never processed.
using Processor = void (*)(Step& step, const PendingCommand& command);
[[nodiscard]] Processor find_processor(record::ValueType type, record::IntentNumber intent);

// Returns the process instance that a command concerns; unset if it concerns none or one that does
// not exist.
[[nodiscard]] Key process_instance_of(const EngineState& state, const PendingCommand& command);

}  // namespace beeline::engine
