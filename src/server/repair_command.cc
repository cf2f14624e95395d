#include "server/repair_command.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <ostream>
#include <stdexcept>

#include "base/log.h"
#include "engine/engine.h"
#include "journal/gap_list.h"
#include "state/database.h"

namespace beeline::server {
namespace {

std::string time_text() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{now - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

// A checkpoint that cannot be read must not be accepted.
void expect_readable(std::int32_t number, std::int32_t count, const state::KeyValueStore& store) {
  engine::EngineOptions options;
  options.partition = PartitionId{number};
  options.partition_count = count;
  engine::Engine engine{options};
  (void)engine.load(store);
}

// Returns false if the partition needs no repair.
bool repair_partition(OpenData& data, std::int32_t number, const RepairOptions& options,
                      std::ostream& out) {
  const auto log = data.open_log(number);
  const auto store = data.open_checkpoint(number);
  const Position checkpoint = state::Database::stored_position(*store);
  if (checkpoint <= log->committed_position()) return false;
  if (!options.accept_checkpoint) {
    throw std::runtime_error(describe_checkpoint_ahead(data, checkpoint, *log));
  }
  expect_readable(number, data.partitions(), *store);
  const Position first{log->committed_position().value() + 1};
  journal::note_gap(data.directory(), {PartitionId{number}, first, checkpoint, time_text()});
  log->skip_to(checkpoint);
  out << fmt::format(
      "partition {}: the log continues with position {}. Positions {} to {} will never be on it; "
      "this is recorded in {}. The segments before them stay in {} until they are no longer "
      "needed.\n",
      number, checkpoint.value() + 1, first.value(), checkpoint.value(),
      data.directory().path_of("beeline.gaps"), data.log_folder(number));
  return true;
}

}  // namespace

std::string describe_checkpoint_ahead(const OpenData& data, Position checkpoint,
                                      const journal::LogStorage& log) {
  const std::int64_t end = log.committed_position().value();
  return fmt::format(
      "The checkpoint is at position {}, but the log ends at {}. Either the log could not be "
      "written when the server stopped, or files of it were lost. If there is a backup of both "
      "from the same time, restore it. Otherwise run `beeline repair --data {} "
      "--accept-checkpoint`: the state of the checkpoint is kept as it is and the log continues "
      "after it; positions {} to {} will be missing from the log and from the export.",
      checkpoint.value(), end, data.directory().path(), end + 1, checkpoint.value());
}

int repair(const RepairOptions& options, std::ostream& out, std::ostream& errors) {
  log::set_level(log::Level::Warn);
  std::unique_ptr<OpenData> data;
  try {
    data = std::make_unique<OpenData>(options.data);
  } catch (const std::exception& error) {
    errors << "beeline: " << error.what() << '\n';
    return 1;
  }
  bool has_repaired = false;
  bool has_failed = false;
  for (std::int32_t number = 1; number <= data->partitions(); ++number) {
    try {
      has_repaired = repair_partition(*data, number, options, out) || has_repaired;
    } catch (const std::exception& error) {
      errors << fmt::format("beeline: partition {}: {}\n", number, error.what());
      has_failed = true;
    }
  }
  if (has_failed) return 1;
  if (has_repaired) return 0;
  errors << fmt::format(
      "beeline: nothing in {} needs repair: no checkpoint is ahead of its log. `beeline verify` "
      "looks for other damage.\n",
      options.data);
  return 1;
}

}  // namespace beeline::server
