#include "stream/partition_set.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/io_error.h"
#include "base/log.h"

namespace beeline::stream {

LogFactory local_journals(journal::Disk& disk, journal::JournalSettings settings) {
  return [&disk, settings](PartitionId id, const std::string& folder) {
    auto log = std::make_unique<journal::Journal>(disk, folder + "/journal", settings);
    if (log->cut_bytes() > 0) {
      log::info("partition {}: {} torn bytes were cut off the end of the log", id.value(),
                log->cut_bytes());
    }
    return log;
  };
}

PartitionSet::PartitionSet(PartitionSetOptions options, journal::Disk& disk, const Clock& clock)
    : options_(std::move(options)), disk_(disk), clock_(clock) {
  BEELINE_CHECK(options_.count >= 1 && options_.count <= kPartitionsMax,
                "there must be between 1 and {} partitions, not {}", kPartitionsMax,
                options_.count);
  if (!options_.log_factory) options_.log_factory = local_journals(disk_, options_.journal);
  for (std::int32_t number = 1; number <= options_.count; ++number) {
    slots_.push_back(std::make_unique<Slot>(PartitionId{number}));
  }
}

PartitionSet::~PartitionSet() {
  stop();
}

bool PartitionSet::open() {
  for (const auto& slot : slots_) {
    if (slot->partition != nullptr) continue;
    try {
      open_slot(*slot);
    } catch (const IoError& error) {
      slot->partition.reset();
      slot->store.reset();
      slot->log.reset();
      if (!is_out_of_room(error)) throw;
      slot->door.set_waits_for_room(error.what());
      return false;
    }
  }
  return true;
}

void PartitionSet::open_slot(Slot& slot) {
  const PartitionId id = slot.door.id();
  const std::string folder = fmt::format("{}/partition-{}", options_.directory, id.value());
  disk_.create_directory(folder);
  slot.log = options_.log_factory(id, folder);
  slot.store = state::open_rocksdb(folder + "/checkpoint");
  PartitionOptions options = options_.partition;
  options.engine.partition = id;
  options.engine.partition_count = options_.count;
  slot.partition = std::make_unique<Partition>(options, *slot.log, *slot.store, clock_);
  slot.partition->set_transport(this);
  const Partition::Recovery recovery = slot.partition->recover();
  log::info("partition {} recovered: checkpoint at {}, {} records replayed, log ends at {}",
            id.value(), recovery.checkpoint.value(), recovery.replayed_records,
            slot.log->last_position().value());
  const MutexLock lock{listener_mutex_};
  slot.door.open(*slot.partition);
  slot.door.set_job_listener(listener_);
}

void PartitionSet::start() {
  for (const auto& slot : slots_) slot->partition->start();
}

void PartitionSet::stop() {
  for (const auto& slot : slots_) {
    if (slot->partition != nullptr) slot->partition->stop();
  }
}

void PartitionSet::set_failure_callback(const std::function<void(const std::string&)>& callback) {
  for (const auto& slot : slots_) slot->partition->set_failure_callback(callback);
}

void PartitionSet::set_job_listener(JobListener* listener) {
  const MutexLock lock{listener_mutex_};
  listener_ = listener;
  for (const auto& slot : slots_) slot->door.set_job_listener(listener);
}

void PartitionSet::send(PartitionId to, Command command) {
  at(to).door.receive(std::move(command));
}

PartitionSet::Slot& PartitionSet::at(PartitionId id) {
  BEELINE_CHECK(id.value() >= 1 && static_cast<std::size_t>(id.value()) <= slots_.size(),
                "there is no partition {}", id.value());
  return *slots_[static_cast<std::size_t>(id.value()) - 1];
}

// --- Door ---

void PartitionSet::Door::set_waits_for_room(std::string reason) {
  const MutexLock lock{mutex_};
  room_reason_ = std::move(reason);
}

SubmitResult PartitionSet::Door::submit(const record::Principal& principal, Command command,
                                        ResponseHandler handler) {
  if (Partition* partition = partition_.load()) {
    return partition->submit(principal, std::move(command), std::move(handler));
  }
  return refusal();
}

SubmitResult PartitionSet::Door::submit_internal(Command command) {
  if (Partition* partition = partition_.load()) {
    return partition->submit_internal(std::move(command));
  }
  return refusal();
}

// Returns why a partition that is not open takes no command.
SubmitResult PartitionSet::Door::refusal() const {
  return condition().is_disk_full ? SubmitResult::DiskFull : SubmitResult::Stopped;
}

SubmitResult PartitionSet::Door::read(ReadStep step, ReadHandler handler) {
  if (Partition* partition = partition_.load()) {
    return partition->read(std::move(step), std::move(handler));
  }
  return SubmitResult::Stopped;
}

void PartitionSet::Door::set_job_listener(JobListener* listener) {
  if (Partition* partition = partition_.load()) partition->set_job_listener(listener);
}

void PartitionSet::Door::receive(Command command) {
  if (Partition* partition = partition_.load()) partition->receive(std::move(command));
}

Condition PartitionSet::Door::condition() const {
  if (const Partition* partition = partition_.load()) return partition->condition();
  const MutexLock lock{mutex_};
  if (room_reason_.empty()) return {Health::Unhealthy, false, "The partition is not open yet."};
  return {Health::Unhealthy, true,
          fmt::format("The disk is full: the partition cannot be opened ({}). The server tries "
                      "again every second; nothing committed is lost.",
                      room_reason_)};
}

}  // namespace beeline::stream
