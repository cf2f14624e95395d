#include "tests/sim/copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/io_error.h"
#include "journal/journal.h"
#include "tests/sim/audit.h"

namespace beeline::sim {
namespace {

constexpr std::uint64_t kSegmentBytes = 64 * 1024;
// A record has more bytes than this.
constexpr std::int64_t kRecordBytesMin = 16;
constexpr std::int64_t kCheckpointRecords = 3'000;
constexpr std::size_t kCheckpointRows = 5;

}  // namespace

Copy::Copy(const Surroundings& surroundings)
    : around_(surroundings), disk_(surroundings.chance.below(1'000'000)) {
  open();
}

Copy::Copy(const Surroundings& surroundings, testing::LedLog& shared, std::size_t index)
    : around_(surroundings), disk_(0), shared_(&shared), index_(index) {
  open();
}

void Copy::open_log() {
  if (shared_ != nullptr) {
    auto log = shared_->open(index_);
    if (around_.chance.one_in(3)) log->set_window(1 + around_.chance.below(4));
    led_log_ = log.get();
    log_ = std::move(log);
    return;
  }
  // A disk that fails while the log is opened counts as a power loss as well.
  for (int tries = 0; log_ == nullptr; ++tries) {
    try {
      log_ = std::make_unique<journal::Journal>(
          disk_, "journal", journal::JournalSettings{.segment_bytes = kSegmentBytes});
    } catch (const IoError&) {
      if (tries > 3) throw;
      disk_.crash(testing::FaultyDisk::Crash::Random);
    }
  }
}

void Copy::open() {
  open_log();
  stream::PartitionOptions options;
  options.engine.partition = around_.id;
  options.engine.partition_count = around_.partition_count;
  options.engine.batch_commands_max = around_.chance.one_of<std::size_t>({1, 3, 100});
  // The limits are small, so payloads of a few thousand bytes are around every limit; the limit of
  // a client's command is as far below that of a command's records as in a server.
  // A step with many receivers ends between two of them when it has written as much as a batch, so
  // this must leave a command room for one receiver more.
  options.engine.batch_bytes_max = around_.chance.one_of<std::size_t>({2'000, 20'000, 80'000});
  options.engine.command_bytes_max = 160'000;  // a deployment has up to 120'000
  options.engine.reply_bytes_max = 20'000;
  options.engine.instance_variables_max = kInstanceVariablesMax;
  options.checkpoint_interval = Milliseconds{30'000};
  options.checkpoint_records = kCheckpointRecords;
  options.checkpoint_rows = kCheckpointRows;
  options.checkpoint_writes = state::Checkpointer::Writes::InStep;
  options.after_frame = [this](const engine::Engine& engine) { note_digest(engine); };
  if (around_.traces) {
    options.engine.before_command = [id = around_.id,
                                     index = index_](const record::Metadata& metadata) {
      fmt::print("{}.{}@{}: {} key={}\n", id.value(), index + 1, metadata.position.value(),
                 record::text_name(metadata), metadata.key.value());
    };
  }
  partition_ = std::make_unique<stream::Partition>(options, *log_, store_, around_.clock);
  partition_->set_transport(&around_.transport);
  set_read(read_);
  partition_->recover();
  if (partition_->engine().last_position() > Position{0}) note_digest(partition_->engine());
}

void Copy::commit(bool is_kind) {
  if (shared_ == nullptr || is_kind) return log_->commit_now();
  if (around_.chance.one_in(4)) return;  // the frame stays under way
  led_log_->deliver();
  if (around_.chance.one_in(4)) return;  // the frame arrived, but this copy does not know it
  led_log_->hear();
}

void Copy::lose_power() {
  turns_since_checkpoint_ = 0;
  seen_.clear();
  partition_.reset();
  log_.reset();
  if (shared_ == nullptr) disk_.crash(testing::FaultyDisk::Crash::Random);
  open();
}

void Copy::fill_disk(std::uint64_t segments, bool fills_checkpoints) {
  is_disk_full_ = true;
  disk_.set_room(segments * kSegmentBytes);
  store_.set_full(fills_checkpoints);
}

void Copy::empty_disk() {
  is_disk_full_ = false;
  disk_.set_room(std::nullopt);
  store_.set_full(false);
}

void Copy::set_read(Position position) {
  read_ = position;
  // On a shared log, an observer has a copy of its own.
  if (shared_ == nullptr) partition_->set_exported(position);
}

void Copy::note_digest(const engine::Engine& engine) {
  const Position position = engine.last_position();
  while (!seen_.empty() && seen_.back().position >= position) seen_.pop_back();
  seen_.push_back({position, engine.state().database().digest()});
}

void Copy::compare(const DigestBook& book) {
  // A deposed copy has dropped its uncommitted frames.
  const Position last = partition_->engine().last_position();
  while (!seen_.empty() && seen_.back().position > last) seen_.pop_back();
  const Position committed = log_->committed_position();
  for (; !seen_.empty() && seen_.front().position <= committed; seen_.pop_front()) {
    const auto [position, digest] = seen_.front();
    const auto known = book.find(position.value());
    if (known != book.end() && known->second == digest) continue;
    throw Broken(fmt::format("partition {}: copy {} had {} at position {}", around_.id.value(),
                             index_ + 1,
                             known == book.end() ? "a frame that is not on the log"
                                                 : "another state than a replay gives",
                             position.value()));
  }
}

void Copy::expect_checkpoints() {
  const stream::PartitionStats& stats = partition_->stats();
  const std::int64_t checkpoint = stats.checkpoint_position.load();
  const Position last = partition_->engine().last_position();
  // A full disk has no room for a checkpoint, and it takes a second until the next attempt. A
  // deposed copy begins anew.
  const bool is_full = is_disk_full_ || stats.disk_full.load() != 0;
  if (checkpoint != checkpoint_ || last.value() - checkpoint < kCheckpointRecords || is_full ||
      last < last_) {
    checkpoint_ = checkpoint;
    turns_since_checkpoint_ = 0;
  }
  last_ = last;
  std::size_t rows = 0;
  for (const auto& [id, table] : partition_->engine().state().database().tables()) {
    rows += table->size();
  }
  // Each turn captures kCheckpointRows, while further rows are added.
  if (++turns_since_checkpoint_ > 100 + 2 * rows / kCheckpointRows) {
    throw Broken(
        fmt::format("partition {}: the last checkpoint is at position {} of {}, and none "
                    "came in {} turns",
                    around_.id.value(), checkpoint, last.value(), turns_since_checkpoint_));
  }
  if (shared_ != nullptr) return;
  const std::int64_t needed = std::min(checkpoint, read_.value());
  if (log_->first_position().value() + static_cast<std::int64_t>(kSegmentBytes) / kRecordBytesMin <
      needed) {
    throw Broken(
        fmt::format("partition {}: the log begins at position {}, though nobody needs "
                    "what is before {}",
                    around_.id.value(), log_->first_position().value(), needed));
  }
}

}  // namespace beeline::sim
