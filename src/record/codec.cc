#include "record/codec_impl.h"
#include "record/values.h"

namespace r = beeline::record;

BEELINE_INSTANTIATE_VALUE(r::JobRecord);
BEELINE_INSTANTIATE_VALUE(r::DeploymentRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessInstanceRecord);
BEELINE_INSTANTIATE_VALUE(r::IncidentRecord);
BEELINE_INSTANTIATE_VALUE(r::MessageRecord);
BEELINE_INSTANTIATE_VALUE(r::MessageSubscriptionRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessMessageSubscriptionRecord);
BEELINE_INSTANTIATE_VALUE(r::JobBatchRecord);
BEELINE_INSTANTIATE_VALUE(r::TimerRecord);
BEELINE_INSTANTIATE_VALUE(r::MessageStartEventSubscriptionRecord);
BEELINE_INSTANTIATE_VALUE(r::VariableRecord);
BEELINE_INSTANTIATE_VALUE(r::VariableDocumentRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessInstanceCreationRecord);
BEELINE_INSTANTIATE_VALUE(r::ErrorRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessInstanceResultRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessEventRecord);
BEELINE_INSTANTIATE_VALUE(r::DecisionRecord);
BEELINE_INSTANTIATE_VALUE(r::DecisionRequirementsRecord);
BEELINE_INSTANTIATE_VALUE(r::DecisionEvaluationRecord);
BEELINE_INSTANTIATE_VALUE(r::CommandDistributionRecord);
BEELINE_INSTANTIATE_VALUE(r::ProcessInstanceBatchRecord);
BEELINE_INSTANTIATE_VALUE(r::MessageBatchRecord);
BEELINE_INSTANTIATE_VALUE(r::MessageCorrelationRecord);
BEELINE_INSTANTIATE_VALUE(r::AsyncRequestRecord);
BEELINE_INSTANTIATE_VALUE(r::MultiInstanceRecord);
BEELINE_INSTANTIATE_VALUE(r::ResourceDeletionRecord);
BEELINE_INSTANTIATE_ROW(r::Document);
BEELINE_INSTANTIATE_ROW(r::Headers);
