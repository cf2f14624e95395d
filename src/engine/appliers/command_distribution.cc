#include "engine/appliers/appliers.h"

namespace beeline::engine {
namespace {

using record::CommandDistributionRecord;

DistributionRow started_v1(const CommandDistributionRecord& value) {
  DistributionRow row;
  row.value_type = value.value_type;
  row.intent = value.intent;
  row.value = value.command_value;
  row.queue = value.queue_id;
  row.awaited_by = value.awaited_by;
  row.answer_by = value.answer_by;
  row.principal = value.principal;
  return row;
}

// The origin has a result of its own, to which those of the targets are added.
DistributionRow started_v2(const CommandDistributionRecord& value) {
  DistributionRow row = started_v1(value);
  row.result = value.result;
  return row;
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::CommandDistributionRecord& value) {
  using record::CommandDistributionIntent;
  check_version(metadata, record::latest_version<CommandDistributionRecord>(
                              static_cast<CommandDistributionIntent>(metadata.intent)));
  Distributions& distributions = state.distributions();
  switch (static_cast<CommandDistributionIntent>(metadata.intent)) {
    case CommandDistributionIntent::Started:
      return distributions.start(metadata.key,
                                 metadata.version == 1 ? started_v1(value) : started_v2(value));
    case CommandDistributionIntent::Enqueued:
      return distributions.enqueue(metadata.key, value.partition_id, value.queue_id);
    case CommandDistributionIntent::Distributing:
      return distributions.mark_sent(metadata.key, value.partition_id);
    case CommandDistributionIntent::Acknowledged:
      return distributions.acknowledge(metadata.key, value.partition_id, value.result);
    case CommandDistributionIntent::Finished:
      return distributions.finish(metadata.key);
    case CommandDistributionIntent::Received:
      return distributions.receive(metadata.key, MinPendingKey{value.min_pending_key},
                                   value.result);
    case CommandDistributionIntent::TimedOut:
      return distributions.forget_answer(metadata.key);
    case CommandDistributionIntent::Acknowledge:
    case CommandDistributionIntent::Finish:
    case CommandDistributionIntent::TimeOut:
      break;  // commands
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
