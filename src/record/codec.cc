#include "record/codec_impl.h"
#include "record/values.h"

namespace r = beeline::record;

#define BEELINE_INSTANTIATE_RECORD(enumerator, number, name) \
  BEELINE_INSTANTIATE_VALUE(r::enumerator##Record);
BEELINE_VALUE_TYPES(BEELINE_INSTANTIATE_RECORD)

BEELINE_INSTANTIATE_ROW(r::Document);
BEELINE_INSTANTIATE_ROW(r::Headers);

// The common part of an element's records, and the rest; see engine/step.cc.
template void r::encode_part<1, 12>(const r::ProcessInstanceView&, std::string&);
BEELINE_INSTANTIATE_ROW(r::ActivationPart);

// The parts around the jobs of a batch; see engine/processors/job_batch_activate.cc.
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
