#include <fmt/format.h>

#include <algorithm>

#include "engine/processors/processors.h"

namespace beeline::engine {

using record::ProcessIntent;

// Records that a partition has deleted the process. The command may come from another partition;
// then its key is that of the distribution, so the process's key is taken from the value.
void process_delete_complete(Step& step, Key, const record::ProcessRecord& command) {
  const ProcessDeletionRow* deletion = step.state().definitions().find_deletion(command.key);
  const bool is_awaited =
      deletion != nullptr && command.drain_partitions.size() == 1 &&
      std::ranges::find(deletion->partitions, command.drain_partitions.front()) !=
          deletion->partitions.end();
  if (!is_awaited) {
    return step.reject(
        record::RejectionType::NotFound,
        fmt::format("Expected to complete the deletion of process definition with key '{}' on a "
                    "partition, but it is not being deleted there",
                    command.key.value()));
  }
  step.event(ProcessIntent::DeleteCompleted, command.key, command);
  if (!deletion->partitions.empty()) return;
  record::ProcessRecord deleted = command;
  deleted.drain_partitions.clear();
  step.event(ProcessIntent::FullyDeleted, command.key, deleted);
}

}  // namespace beeline::engine
