#include "engine/state/rows.h"

#include "engine/state/tables.h"
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

std::string_view table_name(TableNumber number) {
  switch (number) {
    case TableNumber::PendingCommands:
      return "pending_commands";
#define BEELINE_TABLE_NAME(enumerator, number, name, ...) \
  case TableNumber::enumerator:                           \
    return name;
      BEELINE_TABLES(BEELINE_TABLE_NAME, BEELINE_TABLE_NAME)
#undef BEELINE_TABLE_NAME
  }
  return "unknown";
}

template <typename Row>
void RowCodec<Row>::encode(const Row& row, std::string& out) {
  record::encode(row, out);
}

template <typename Row>
Row RowCodec<Row>::decode(std::string_view bytes) {
  return record::decode<Row>(bytes);
}

// Encodes the variables in sorted order, whatever order they were added in.
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

#define BEELINE_ROW_CODEC(enumerator, number, name, KeyType, RowType) \
  template struct RowCodec<RowType>;
#define BEELINE_NO_ROW_CODEC(...)  // all of these tables share CounterRow, below
BEELINE_TABLES(BEELINE_ROW_CODEC, BEELINE_NO_ROW_CODEC)
template struct RowCodec<CounterRow>;

}  // namespace beeline::engine
