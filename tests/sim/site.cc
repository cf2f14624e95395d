#include "tests/sim/site.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/frame.h"

namespace beeline::sim {
namespace {

constexpr std::uint64_t kSegmentBytes = 64 * 1024;
// A record has more than so many bytes.
constexpr std::int64_t kRecordBytesMin = 16;
constexpr std::int64_t kCheckpointRecords = 3'000;
constexpr std::size_t kCheckpointRows = 5;

engine::EngineOptions replay_options(PartitionId id, std::int32_t partition_count) {
  engine::EngineOptions options;
  options.partition = id;
  options.partition_count = partition_count;
  return options;
}

}  // namespace

Site::Site(PartitionId id, std::int32_t partition_count, Surroundings surroundings)
    : id_(id),
      partition_count_(partition_count),
      around_(surroundings),
      disk_(surroundings.chance.below(1'000'000)),
      replayed_(replay_options(id, partition_count)) {
  open();
}

void Site::open() {
  // A disk that fails while the log is opened is a power loss as well.
  for (int tries = 0; log_ == nullptr; ++tries) {
    try {
      log_ = std::make_unique<journal::Journal>(
          disk_, "journal", journal::JournalSettings{.segment_bytes = kSegmentBytes});
    } catch (const IoError&) {
      if (tries > 3) throw;
      disk_.crash(testing::FaultyDisk::Crash::Random);
    }
  }
  stream::PartitionOptions options;
  options.id = id_;
  options.partition_count = partition_count_;
  options.batch_commands_max = around_.chance.one_of<std::size_t>({1, 3, 100});
  // Small, so that payloads of a few thousand bytes are around every limit; what a client may send
  // is as far below that of a command as it is in a server.
  options.batch_bytes_max = around_.chance.one_of<std::size_t>({2'000, 20'000, 1'000'000});
  options.command_bytes_max = 96'000;  // a deployment has up to 70'000
  options.reply_bytes_max = 20'000;
  options.instance_variables_max = kInstanceVariablesMax;
  options.checkpoint_interval = Milliseconds{30'000};
  options.checkpoint_records = kCheckpointRecords;
  options.checkpoint_rows = kCheckpointRows;
  options.checkpoint_writes = state::Checkpointer::Writes::InStep;
  if (around_.traces) {
    options.before_command = [id = id_](const record::Metadata& metadata) {
      fmt::print("{}@{}: {} key={}\n", id.value(), metadata.position.value(),
                 record::text_name(metadata), metadata.key.value());
    };
  }
  partition_ = std::make_unique<stream::Partition>(options, *log_, store_, around_.clock);
  partition_->set_transport(&around_.transport);
  // The log keeps what the replay beside it has not read.
  partition_->set_exported(replayed_.last_position());
  partition_->recover();
  committed_ = log_->read_from(Position{replayed_.last_position().value() + 1});
  read_committed();
  compare_with_replay();
}

bool Site::work() {
  try {
    const bool worked = partition_->run_once();
    if (!keeps_power_ && around_.chance.one_in(200)) {
      lose_power();  // processed, not committed
      return true;
    }
    log_->commit_now();
    expect_checkpoints();
    read_committed();
    if (!keeps_power_ && around_.chance.one_in(200)) {
      lose_power();  // committed, nobody heard of it
      return true;
    }
    partition_->let_out();
    return worked;
  } catch (const IoError&) {
    lose_power();
    return true;
  }
}

void Site::fill_disk(std::uint64_t segments, bool fills_checkpoints) {
  ++disk_fills_;
  is_disk_full_ = true;
  disk_.set_room(segments * kSegmentBytes);
  store_.set_full(fills_checkpoints);
}

void Site::empty_disk() {
  is_disk_full_ = false;
  disk_.set_room(std::nullopt);
  store_.set_full(false);
}

void Site::expect_checkpoints() {
  const std::int64_t checkpoint = partition_->stats().checkpoint_position.load();
  const std::int64_t last = log_->last_position().value();
  // A full disk has no room for one, and it takes a second until it is tried again.
  const bool is_full = is_disk_full_ || partition_->stats().disk_full.load() != 0;
  if (checkpoint != checkpoint_ || last - checkpoint < kCheckpointRecords || is_full) {
    checkpoint_ = checkpoint;
    turns_since_checkpoint_ = 0;
  }
  std::size_t rows = 0;
  for (const auto& [id, table] : state().database().tables()) rows += table->size();
  // It goes on by kCheckpointRows in each turn, while others are added.
  if (++turns_since_checkpoint_ > 100 + 2 * rows / kCheckpointRows) {
    throw Broken(
        fmt::format("partition {}: the last checkpoint is at position {} of {}, and none "
                    "came in {} turns",
                    id_.value(), checkpoint, last, turns_since_checkpoint_));
  }
  const std::int64_t needed = std::min(checkpoint, replayed_.last_position().value());
  if (log_->first_position().value() + static_cast<std::int64_t>(kSegmentBytes) / kRecordBytesMin <
      needed) {
    throw Broken(
        fmt::format("partition {}: the log begins at position {}, though nobody needs "
                    "what is before {}",
                    id_.value(), log_->first_position().value(), needed));
  }
}

void Site::lose_power() {
  ++power_losses_;
  turns_since_checkpoint_ = 0;
  partition_.reset();
  committed_.reset();
  log_.reset();
  disk_.crash(testing::FaultyDisk::Crash::Random);
  open();
}

void Site::read_committed() {
  if (log_->committed_position() <= replayed_.last_position()) return;
  while (const auto frame = committed_->next()) {
    const auto parsed = record::parse_frame(frame->bytes);
    record::RecordReader records{parsed->records};
    while (const auto record = records.next()) {
      if (around_.traces) fmt::print("{}: {}\n", id_.value(), record::to_text(*record));
      around_.audit.read(id_, *record);
    }
    replayed_.replay(frame->bytes);
  }
  partition_->set_exported(replayed_.last_position());
}

void Site::compare_with_replay() {
  const engine::Engine& processed = partition_->engine();
  if (processed.last_position() != replayed_.last_position()) return;
  if (processed.state().database().digest() == replayed_.state().database().digest()) return;
  throw Broken(fmt::format("partition {}: at position {} replay gives another state", id_.value(),
                           replayed_.last_position().value()));
}

}  // namespace beeline::sim
