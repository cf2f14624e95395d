#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "journal/disk.h"
#include "journal/journal.h"
#include "stream/partition.h"
#include "stream/port.h"
#include "stream/transport.h"

namespace beeline::stream {

struct PartitionSetOptions {
  std::string directory;  // each partition has a folder of its number in it
  std::int32_t count = 1;
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;
  PartitionOptions partition;  // what all of them share
};

// The partitions of one server, each with its journal, its checkpoints and its thread, and what
// carries commands between them: each puts what it has for another into the other's queue.
//
//     <directory>/partition-1/journal/       the log
//     <directory>/partition-1/checkpoint/    RocksDB
//
// Lifecycle: construct, open(), start(), stop(). Threading: as Partitions says; open, start and
// stop from one thread.
class PartitionSet final : public Partitions, private Transport {
 public:
  // `disk` and `clock` must outlive this.
  PartitionSet(PartitionSetOptions options, journal::Disk& disk, const Clock& clock);
  ~PartitionSet() override;

  // Opens and recovers all partitions, and logs what it found. Throws where one cannot be opened.
  void open();
  void start();
  void stop();
  void on_failure(const std::function<void(const std::string&)>& callback);

  [[nodiscard]] std::int32_t count() const override { return options_.count; }
  [[nodiscard]] PartitionPort& partition(PartitionId id) override { return *at(id).partition; }
  void set_job_listener(JobListener* listener) override;

  [[nodiscard]] journal::LogStorage& log(PartitionId id) { return *at(id).log; }
  [[nodiscard]] const PartitionStats& stats(PartitionId id) { return at(id).partition->stats(); }
  [[nodiscard]] JobCountsByType job_counts(PartitionId id) {
    return at(id).partition->job_counts();
  }
  // See Partition::on_committed.
  void on_committed(PartitionId id, std::function<void(Position)> callback) {
    at(id).partition->on_committed(std::move(callback));
  }
  void set_exported(PartitionId id, Position position) { at(id).partition->set_exported(position); }
  // For `inspect` and `verify`, which open without starting.
  [[nodiscard]] const engine::Engine& engine(PartitionId id) { return at(id).partition->engine(); }

 private:
  struct Slot {
    std::unique_ptr<journal::Journal> log;
    std::unique_ptr<state::KeyValueStore> store;
    std::unique_ptr<Partition> partition;
  };
  [[nodiscard]] Slot& at(PartitionId id);

  // Transport
  void send(PartitionId to, Command command) override;

  PartitionSetOptions options_;
  journal::Disk& disk_;
  const Clock& clock_;
  std::vector<Slot> slots_;
};

}  // namespace beeline::stream
