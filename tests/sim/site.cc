#include "tests/sim/site.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/io_error.h"
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

Site::Site(PartitionId id, std::int32_t partition_count, std::size_t copies,
           Surroundings surroundings)
    : id_(id), around_(surroundings), replayed_(replay_options(id, partition_count)) {
  const Copy::Surroundings around{
      id, partition_count, around_.clock, around_.transport, around_.chance, around_.traces};
  if (copies == 1) {
    copies_.push_back(std::make_unique<Copy>(around));
    return;
  }
  shared_ = std::make_unique<testing::LedLog>(copies + 1);
  observer_ = shared_->open(copies);
  for (std::size_t i = 0; i < copies; ++i) {
    copies_.push_back(std::make_unique<Copy>(around, *shared_, i));
  }
  elect();
}

Site::~Site() = default;

stream::Partition& Site::partition() {
  std::vector<Copy*> leading;
  for (const auto& copy : copies_) {
    if (copy->partition().is_leading()) leading.push_back(copy.get());
  }
  if (leading.empty()) return copies_.front()->partition();
  return leading[leading.size() == 1 ? 0 : around_.chance.below(leading.size())]->partition();
}

bool Site::work() {
  if (shared_ != nullptr) {
    if (leader_ == nullptr && (is_kind_ || around_.chance.one_in(5))) elect();
    pause_or_resume();
  }
  bool worked = false;
  for (const auto& copy : copies_) {
    if (copy.get() == paused_) continue;
    if (copies_.size() > 1 && !is_kind_ && around_.chance.one_in(3)) continue;
    worked = work(*copy) || worked;
  }
  return worked;
}

bool Site::work(Copy& copy) {
  try {
    const bool worked = copy.partition().run_once();
    if (!is_kind_ && around_.chance.one_in(200)) {
      lose_power(copy);  // processed, not committed
      return true;
    }
    copy.commit(is_kind_);
    copy.expect_checkpoints();
    read_committed();
    copy.compare(digests_);
    if (!is_kind_ && around_.chance.one_in(200)) {
      lose_power(copy);  // committed, but nobody knows it
      return true;
    }
    copy.partition().let_out();
    return worked;
  } catch (const IoError&) {
    lose_power(copy);
    return true;
  }
}

void Site::elect() {
  if (shared_ == nullptr) return;
  Copy& copy = any_copy();
  if (copy.led_log().role() != journal::LogRole::Following) return;
  if (around_.traces) fmt::print("{}: a copy is elected\n", id_.value());
  shared_->elect(copy.led_log());
  leader_ = &copy;
  ++counts_.elections;
}

// A paused copy may lead, or have led: then it still accepts commands.
void Site::pause_or_resume() {
  if (is_kind_) {
    paused_ = nullptr;
  } else if (paused_ != nullptr) {
    if (around_.chance.one_in(20)) paused_ = nullptr;
  } else if (around_.chance.one_in(100)) {
    paused_ = &any_copy();
  }
}

void Site::lose_power_at_call(std::uint64_t n) {
  any_copy().lose_power_at_call(n);
}

void Site::lose_power(Copy& copy) {
  ++counts_.power_losses;
  if (leader_ == &copy) leader_ = nullptr;
  if (shared_ == nullptr) committed_.reset();  // it reads the log of this copy
  copy.lose_power();
  read_committed();
  copy.compare(digests_);
}

void Site::fill_or_empty_disk(std::uint64_t segments, bool fills_checkpoints) {
  Copy& copy = any_copy();
  if (copy.is_disk_full()) return copy.empty_disk();
  ++counts_.disk_fills;
  copy.fill_disk(segments, fills_checkpoints);
}

void Site::be_kind() {
  is_kind_ = true;
  for (const auto& copy : copies_) copy->empty_disk();
}

void Site::read_committed() {
  journal::LogStorage& log = shared_ != nullptr ? *observer_ : copies_.front()->log();
  if (log.committed_position() <= replayed_.last_position()) return;
  if (committed_ == nullptr) {
    committed_ = log.read_from(Position{replayed_.last_position().value() + 1});
  }
  while (const auto frame = committed_->next()) {
    const auto parsed = record::parse_frame(frame->bytes);
    record::RecordReader records{parsed->records};
    while (const auto record = records.next()) {
      if (around_.traces) fmt::print("{}: {}\n", id_.value(), record::to_text(*record));
      around_.audit.read(id_, *record);
    }
    replayed_.replay(frame->bytes);
    digests_[frame->last.value()] = replayed_.state().database().digest();
  }
  for (const auto& copy : copies_) copy->set_read(replayed_.last_position());
  if (observer_ != nullptr) observer_->release_before(replayed_.last_position());
}

void Site::compare_with_replay() const {
  for (const auto& copy : copies_) {
    const engine::Engine& engine = copy->partition().engine();
    if (engine.last_position() == replayed_.last_position() &&
        engine.state().database().digest() == replayed_.state().database().digest()) {
      continue;
    }
    throw Broken(fmt::format(
        "partition {}: a copy is at position {}, a replay at {}{}", id_.value(),
        engine.last_position().value(), replayed_.last_position().value(),
        engine.last_position() == replayed_.last_position() ? ", and they have other states" : ""));
  }
}

}  // namespace beeline::sim
