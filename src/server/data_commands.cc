#include "server/data_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "base/io_error.h"
#include "base/log.h"
#include "base/time.h"
#include "journal/data_directory.h"
#include "journal/disk.h"
#include "journal/gap_list.h"
#include "journal/journal.h"
#include "record/frame.h"
#include "record/record.h"
#include "server/open_data.h"
#include "server/repair_command.h"
#include "server/state_text.h"
#include "state/database.h"
#include "state/key_value_store.h"
#include "stream/partition.h"

namespace beeline::server {
namespace {

// A partition that was recovered to the end of its log and is not started.
class RecoveredPartition {
 public:
  RecoveredPartition(std::int32_t number, journal::LogStorage& log, state::KeyValueStore& store) {
    stream::PartitionOptions options;
    options.engine.partition = PartitionId{number};
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    partition_ = std::make_unique<stream::Partition>(options, log, store, clock_);
    recovery_ = partition_->recover();
  }
  [[nodiscard]] const engine::EngineState& state() const { return partition_->engine().state(); }
  [[nodiscard]] const state::Database& database() const { return state().database(); }
  [[nodiscard]] Position checkpoint() const { return recovery_.checkpoint; }

 private:
  SystemClock clock_;
  std::unique_ptr<stream::Partition> partition_;
  stream::Partition::Recovery recovery_;
};

// Prints positions that a repair left out.
void print_gap(const InspectOptions& options, Position first, Position last, std::ostream& out) {
  if (options.json) {
    out << fmt::format(R"({{"recordType":"GAP","firstPosition":{},"lastPosition":{}}})",
                       first.value(), last.value());
  } else {
    out << fmt::format("# positions {} to {} are not on the log, which was repaired", first.value(),
                       last.value());
  }
  out << '\n';
}

void print_log(const InspectOptions& options, journal::Journal& log, std::ostream& out) {
  const Position from{std::max(options.from, log.first_position().value())};
  // A gap between two frames is found while reading. The log may also begin after a gap, if the
  // segments before it were released.
  for (const journal::Journal::Gap& gap : log.gaps()) {
    if (gap.last < log.first_position() && gap.last.value() >= options.from) {
      print_gap(options, gap.first, gap.last, out);
    }
  }
  if (from > log.committed_position()) return;
  const auto reader = log.read_from(from);
  Position next = from;
  while (const auto frame = reader->next()) {
    if (frame->first > next) print_gap(options, next, Position{frame->first.value() - 1}, out);
    next = Position{frame->last.value() + 1};
    const auto content = record::parse_frame(frame->bytes);
    record::RecordReader records(content ? content->records : std::string_view{});
    while (const auto record = records.next()) {
      if (record->metadata.position < from) continue;
      if (options.json) {
        out << record::to_json(*record) << '\n';
      } else {
        const std::string line = record::to_text(*record);
        out << fmt::format("{} {}\n", record->metadata.position.value(),
                           options.full ? line : shortened(line));
      }
    }
    if (!content || records.malformed()) {
      throw std::runtime_error(fmt::format("The frame of positions {} to {} contains no records.",
                                           frame->first.value(), frame->last.value()));
    }
  }
}

void print_state(const InspectOptions& options, std::int32_t number,
                 const RecoveredPartition& partition, std::ostream& out) {
  for_each_row(partition.state(), [&](const StateRow& row) {
    if (options.json) {
      out << fmt::format(R"({{"partition":{},"table":"{}","key":{},"row":{}}})", number, row.table,
                         row.key, row.json);
    } else {
      out << fmt::format("{} {} {}", row.table, row.key,
                         options.full ? row.json : shortened(row.json));
    }
    out << '\n';
  });
}

struct LogFindings {
  std::int64_t frames = 0;
  std::int64_t records = 0;
};

LogFindings check_log(journal::Journal& log) {
  const std::vector<journal::Journal::Gap> gaps = log.gaps();
  LogFindings found;
  Position expected = log.first_position();
  const auto reader = log.read_from(expected);
  while (const auto frame = reader->next()) {
    ++found.frames;
    const journal::Journal::Gap gap{expected, Position{frame->first.value() - 1}};
    if (std::ranges::find(gaps, gap) != gaps.end()) expected = frame->first;
    const auto content = record::parse_frame(frame->bytes);
    record::RecordReader records(content ? content->records : std::string_view{});
    while (const auto record = records.next()) {
      if (record->metadata.position != expected) {
        throw std::runtime_error(fmt::format("The log has position {} where {} should be.",
                                             record->metadata.position.value(), expected.value()));
      }
      if (!record::is_well_formed(*record)) {
        throw std::runtime_error(fmt::format("The record at position {} is malformed: {}.",
                                             expected.value(),
                                             record::text_name(record->metadata)));
      }
      expected = Position{expected.value() + 1};
      ++found.records;
    }
    if (!content || records.malformed() || frame->last.value() + 1 != expected.value()) {
      throw std::runtime_error(
          fmt::format("The frame of positions {} to {} contains other records.",
                      frame->first.value(), frame->last.value()));
    }
  }
  return found;
}

std::string verify_partition(OpenData& data, std::int32_t number) {
  const auto log = data.open_log(number);
  const LogFindings found = check_log(*log);
  const auto store = data.open_checkpoint(number);
  if (const Position checkpoint = state::Database::stored_position(*store);
      checkpoint > log->committed_position()) {
    throw std::runtime_error(describe_checkpoint_ahead(data, checkpoint, *log));
  }
  data.check_exported(number, log->committed_position());
  const RecoveredPartition partition(number, *log, *store);
  const std::uint64_t digest = partition.database().digest();
  std::string line = fmt::format(
      "partition {}: {} frames, {} records from position {} to {}, checkpoint at {}, state {:016x}",
      number, found.frames, found.records, log->first_position().value(),
      log->committed_position().value(), partition.checkpoint().value(), digest);
  for (const journal::NotedGap& gap : journal::read_gaps(data.directory())) {
    if (gap.partition.value() != number) continue;
    line += fmt::format(", positions {} to {} are not on the log since the repair of {}",
                        gap.first.value(), gap.last.value(), gap.when);
  }
  if (log->first_position() != Position{1}) {
    return line + ", the beginning of the log has been recycled";
  }
  if (!log->gaps().empty()) return line;  // it cannot be replayed from its beginning
  state::MemoryStore nothing;
  const RecoveredPartition replayed(number, *log, nothing);
  if (replayed.database().digest() != digest) {
    throw std::runtime_error(
        fmt::format("The checkpoint at position {} differs from the log: the state is {:016x} with "
                    "the checkpoint, but {:016x} from the log alone.",
                    partition.checkpoint().value(), digest, replayed.database().digest()));
  }
  return line + ", replay from the beginning leads to the same state";
}

}  // namespace

int inspect(const InspectOptions& options, std::ostream& out, std::ostream& errors) {
  log::set_level(log::Level::Warn);
  try {
    OpenData data(options.data);
    if (options.partition > data.partitions()) {
      throw std::runtime_error(fmt::format("{} has {} partitions; there is no partition {}.",
                                           options.data, data.partitions(), options.partition));
    }
    for (std::int32_t number = 1; number <= data.partitions(); ++number) {
      if (options.partition != 0 && options.partition != number) continue;
      const auto log = data.open_log(number);
      if (!options.json) out << fmt::format("# partition {}\n", number);
      if (options.log) print_log(options, *log, out);
      if (!options.state) continue;
      if (!options.json) out << fmt::format("# state of partition {}\n", number);
      const auto store = data.open_checkpoint(number);
      print_state(options, number, RecoveredPartition(number, *log, *store), out);
    }
    return 0;
  } catch (const std::exception& error) {
    errors << "beeline: " << error.what() << '\n';
    return 1;
  }
}

int verify(const std::string& path, std::ostream& out, std::ostream& errors) {
  log::set_level(log::Level::Warn);
  std::unique_ptr<OpenData> data;
  try {
    data = std::make_unique<OpenData>(path);
  } catch (const std::exception& error) {
    errors << "beeline: " << error.what() << '\n';
    return 1;
  }
  int exit_code = 0;
  for (std::int32_t number = 1; number <= data->partitions(); ++number) {
    try {
      out << verify_partition(*data, number) << '\n';
    } catch (const std::exception& error) {
      errors << fmt::format("beeline: partition {}: {}\n", number, error.what());
      exit_code = 1;
    }
  }
  return exit_code;
}

}  // namespace beeline::server
