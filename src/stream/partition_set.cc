#include "stream/partition_set.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/log.h"

namespace beeline::stream {

PartitionSet::PartitionSet(PartitionSetOptions options, journal::Disk& disk, const Clock& clock)
    : options_(std::move(options)), disk_(disk), clock_(clock) {
  BEELINE_CHECK(options_.count >= 1 && options_.count <= kPartitionsMax,
                "there must be between 1 and {} partitions, not {}", kPartitionsMax,
                options_.count);
}

PartitionSet::~PartitionSet() {
  stop();
}

void PartitionSet::open() {
  for (std::int32_t number = 1; number <= options_.count; ++number) {
    const std::string folder = fmt::format("{}/partition-{}", options_.directory, number);
    disk_.create_directory(folder);
    Slot slot;
    journal::JournalSettings settings;
    settings.segment_bytes = options_.segment_bytes;
    slot.log = std::make_unique<journal::Journal>(disk_, folder + "/journal", settings);
    slot.store = state::open_rocksdb(folder + "/checkpoint");
    PartitionOptions options = options_.partition;
    options.id = PartitionId{number};
    options.partition_count = options_.count;
    slot.partition = std::make_unique<Partition>(options, *slot.log, *slot.store, clock_);
    slot.partition->set_transport(this);
    const Partition::Recovery recovery = slot.partition->recover();
    log::info(
        "partition {} recovered: checkpoint at {}, {} records replayed, log ends at {}, {} torn "
        "bytes cut off",
        number, recovery.checkpoint.value(), recovery.replayed_records,
        slot.log->last_position().value(), slot.log->cut_bytes());
    slots_.push_back(std::move(slot));
  }
}

void PartitionSet::start() {
  for (const Slot& slot : slots_) slot.partition->start();
}

void PartitionSet::stop() {
  for (const Slot& slot : slots_) slot.partition->stop();
}

void PartitionSet::on_failure(const std::function<void(const std::string&)>& callback) {
  for (const Slot& slot : slots_) slot.partition->on_failure(callback);
}

void PartitionSet::set_job_listener(JobListener* listener) {
  for (const Slot& slot : slots_) slot.partition->set_job_listener(listener);
}

void PartitionSet::send(PartitionId to, Command command) {
  at(to).partition->receive(std::move(command));
}

PartitionSet::Slot& PartitionSet::at(PartitionId id) {
  BEELINE_CHECK(id.value() >= 1 && static_cast<std::size_t>(id.value()) <= slots_.size(),
                "there is no partition {}", id.value());
  return slots_[static_cast<std::size_t>(id.value()) - 1];
}

}  // namespace beeline::stream
