#include "engine/state/rows.h"

#include "record/codec_impl.h"

namespace beeline::engine {

std::string_view name_of(ElementState state) {
  switch (state) {
    case ElementState::Activating:
      return "ELEMENT_ACTIVATING";
    case ElementState::Activated:
      return "ELEMENT_ACTIVATED";
    case ElementState::Completing:
      return "ELEMENT_COMPLETING";
    case ElementState::Completed:
      return "ELEMENT_COMPLETED";
    case ElementState::Terminating:
      return "ELEMENT_TERMINATING";
    case ElementState::Terminated:
      return "ELEMENT_TERMINATED";
  }
  return "UNKNOWN";
}

std::string_view name_of(DefinitionState state) {
  switch (state) {
    case DefinitionState::Active:
      return "ACTIVE";
    case DefinitionState::Draining:
      return "DRAINING";
    case DefinitionState::Deleted:
      return "DELETED";
  }
  return "UNKNOWN";
}

std::string_view name_of(JobState state) {
  switch (state) {
    case JobState::Activatable:
      return "ACTIVATABLE";
    case JobState::Activated:
      return "ACTIVATED";
    case JobState::Failed:
      return "FAILED";
    case JobState::ErrorThrown:
      return "ERROR_THROWN";
  }
  return "UNKNOWN";
}

std::string_view name_of(SubscriptionState state) {
  switch (state) {
    case SubscriptionState::Opening:
      return "OPENING";
    case SubscriptionState::Opened:
      return "OPENED";
    case SubscriptionState::Closing:
      return "CLOSING";
  }
  return "UNKNOWN";
}

template <typename Row>
void RowCodec<Row>::encode(const Row& row, std::string& out) {
  record::encode(row, out);
}

template <typename Row>
Row RowCodec<Row>::decode(std::string_view bytes) {
  return record::decode<Row>(bytes);
}

// The stored row has its variables in order, whatever order they came in.
template <>
void RowCodec<VariableScopeRow>::encode(const VariableScopeRow& row, std::string& out) {
  if (row.unmerged == 0) return record::encode(row, out);
  VariableScopeRow merged;
  merged.parent_scope_key = row.parent_scope_key;
  merged.variables.reserve(row.variables.size());
  for_each_variable(row,
                    [&](const StoredVariable& variable) { merged.variables.push_back(variable); });
  record::encode(merged, out);
}

template struct RowCodec<ElementInstanceRow>;
template struct RowCodec<VariableScopeRow>;
template struct RowCodec<JobRow>;
template struct RowCodec<IncidentRow>;
template struct RowCodec<ProcessRow>;
template struct RowCodec<ProcessDeletionRow>;
template struct RowCodec<DecisionRequirementsRow>;
template struct RowCodec<DecisionRow>;
template struct RowCodec<TriggersRow>;
template struct RowCodec<AwaitedResultRow>;
template struct RowCodec<BannedRow>;
template struct RowCodec<TimerRow>;
template struct RowCodec<TagsRow>;
template struct RowCodec<InputCollectionRow>;
template struct RowCodec<OutputItemRow>;
template struct RowCodec<MessageRow>;
template struct RowCodec<MessageMarksRow>;
template struct RowCodec<MessageSubscriptionRow>;
template struct RowCodec<ProcessMessageSubscriptionRow>;
template struct RowCodec<MessageStartSubscriptionRow>;
template struct RowCodec<MessageStartLockRow>;
template struct RowCodec<MessageCorrelationRow>;
template struct RowCodec<DistributionRow>;
template struct RowCodec<DistributionTargetRow>;
template struct RowCodec<ReceivedDistributionRow>;
template struct RowCodec<DistributionFloorRow>;
template struct RowCodec<CounterRow>;

}  // namespace beeline::engine
