#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/ids.h"
#include "base/time.h"
#include "engine/engine.h"
#include "state/checkpointer.h"

namespace beeline::stream {

struct PartitionOptions {
  PartitionId id{1};
  std::int32_t partition_count = 1;
  // How many commands may wait; more are refused.
  std::size_t queue_max = 10'000;
  // How many commands of other partitions may wait; more are dropped, and are sent again.
  std::size_t received_max = 10'000;
  // How many reads may wait; more are refused.
  std::size_t reads_max = 64;
  std::size_t batch_commands_max = 100;
  std::size_t batch_bytes_max = engine::kBatchBytesMax;
  std::size_t command_bytes_max = engine::kCommandBytesMax;
  std::size_t reply_bytes_max = std::size_t{4} << 20;
  std::size_t instance_variables_max = std::size_t{32} << 20;
  // See engine::EngineOptions.
  std::string time_zone = "UTC";
  Milliseconds message_sweep_interval{60'000};
  engine::ResendOptions resends = {};
  // A checkpoint is begun when so much has happened since the last.
  Milliseconds checkpoint_interval{5 * 60 * 1000};
  std::int64_t checkpoint_records = 2'000'000;
  // How many rows a checkpoint takes between two batches.
  std::size_t checkpoint_rows = 500;
  state::Checkpointer::Writes checkpoint_writes = state::Checkpointer::Writes::InBackground;
  // For tests; see engine::EngineOptions.
  std::function<void(const record::Metadata&)> before_command;
  // For tests: called on the partition's thread after each frame that was appended or replayed.
  std::function<void(const engine::Engine&)> after_frame = {};
};

}  // namespace beeline::stream
