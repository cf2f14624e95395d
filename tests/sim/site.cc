#include "tests/sim/site.h"

#include <fmt/format.h>

#include "record/frame.h"

namespace beeline::sim {
namespace {

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
          disk_, "journal", journal::JournalSettings{.segment_bytes = 64 * 1024});
    } catch (const IoError&) {
      if (tries > 3) throw;
      disk_.crash(testing::FaultyDisk::Crash::Random);
    }
  }
  stream::PartitionOptions options;
  options.id = id_;
  options.partition_count = partition_count_;
  options.batch_commands_max = around_.chance.one_of<std::size_t>({1, 3, 100});
  options.checkpoint_interval = Milliseconds{30'000};
  options.checkpoint_rows = 5;
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

void Site::lose_power() {
  ++power_losses_;
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
