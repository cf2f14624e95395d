#include <fmt/format.h>

#include "engine/behaviors/distribution.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

// Answers the client, who has waited long enough for the other partitions. They still get the
// command.
void command_distribution_time_out(Step& step, Key key, const record::CommandDistributionRecord&) {
  const DistributionRow* row = step.state().distributions().find(key);
  if (row == nullptr || row->awaited_by == 0) {
    return step.reject(
        record::RejectionType::NotFound,
        fmt::format(
            "Expected to answer the client of distribution with key '{}', but no client waits",
            key.value()));
  }
  answer_distribution(step, key, *row);
  step.event(record::CommandDistributionIntent::TimedOut, key, record::CommandDistributionRecord{});
}

}  // namespace beeline::engine
