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

// What an element's records have in common, and the rest; see engine/step.cc.
template void r::encode_part<1, 12>(const r::ProcessInstanceView&, std::string&);
BEELINE_INSTANTIATE_ROW(r::ActivationPart);

// What stands around the jobs of a batch; see engine/processors/job_batch_activate.cc.
template void r::encode_nested(std::uint32_t, const r::JobView&, std::string&);
template void r::encode_part<1, 7>(const r::JobBatchView&, std::string&);
template void r::encode_part<9, r::kFieldMax>(const r::JobBatchView&, std::string&);

// The two parts of a variable's record; see engine/behaviors/variable_writing.cc.
template void r::encode_part<1, 2>(const r::VariableView&, std::string&);
template void r::encode_part<3, r::kFieldMax>(const r::VariableView&, std::string&);

BEELINE_INSTANTIATE_ROW(r::JobView);
BEELINE_INSTANTIATE_ROW(r::ProcessInstanceView);
BEELINE_INSTANTIATE_ROW(r::JobBatchView);
BEELINE_INSTANTIATE_ROW(r::VariableView);
BEELINE_INSTANTIATE_ROW(r::ProcessInstanceCreationView);
BEELINE_INSTANTIATE_ROW(r::ProcessEventView);
