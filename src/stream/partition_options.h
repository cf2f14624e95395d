#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/ids.h"
#include "base/time.h"
#include "engine/options.h"
#include "journal/journal_settings.h"
#include "state/checkpointer.h"

namespace beeline::engine {
class Engine;
}
namespace beeline::journal {
class LogStorage;
}

namespace beeline::stream {

struct PartitionOptions {
  engine::EngineOptions engine = {};  // also identifies the partition
  // The number of commands that may wait; further ones are refused.
  std::size_t queue_max = 8192;
  // The number of commands of other partitions that may wait; further ones are dropped and sent
  // again.
  std::size_t received_max = 10'000;
  // The number of reads that may wait; further ones are refused.
  std::size_t reads_max = 64;
  // A checkpoint is begun when this much has happened since the last.
  Milliseconds checkpoint_interval{60'000};
  std::int64_t checkpoint_records = 2'000'000;
  // The number of rows that a checkpoint takes between two batches.
  std::size_t checkpoint_rows = 500;
  state::Checkpointer::Writes checkpoint_writes = state::Checkpointer::Writes::InBackground;
  // For tests: called on the partition's thread after each frame that was appended or replayed.
  std::function<void(const engine::Engine&)> after_frame = {};

  [[nodiscard]] PartitionId id() const { return engine.partition; }
};

// Opens the log of partition `id`, whose files belong into `folder`. PartitionSet::open() calls it
// once for each partition, and again for a partition whose opening found no room. It throws
// whatever keeps the log from being opened.
using LogFactory =
    std::function<std::unique_ptr<journal::LogStorage>(PartitionId id, const std::string& folder)>;

struct PartitionSetOptions {
  std::string directory = {};  // each partition has a folder of its number in it
  std::int32_t count = 1;
  journal::JournalSettings journal = {};
  LogFactory log_factory = {};      // without one, local_journals with `journal`
  PartitionOptions partition = {};  // the options that all partitions share
};

}  // namespace beeline::stream
