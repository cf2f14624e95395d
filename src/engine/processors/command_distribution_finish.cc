#include <fmt/format.h>

#include "engine/behaviors/distribution.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void command_distribution_finish(Step& step, Key key, const record::CommandDistributionRecord&) {
  const DistributionRow* row = step.state().distributions().find(key);
  if (row == nullptr || step.state().distributions().has_targets(key)) {
    return step.reject(record::RejectionType::NotFound,
                       fmt::format("Expected to finish distribution with key '{}', but no such "
                                   "distribution is acknowledged by all partitions",
                                   key.value()));
  }
  record::CommandDistributionRecord finished;
  finished.queue_id = row->queue;
  finished.value_type = row->value_type;
  finished.intent = row->intent;
  finished.result = row->result;
  answer_distribution(step, key, *row);
  step.event(record::CommandDistributionIntent::Finished, key, finished);
}

}  // namespace beeline::engine
