#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "journal/disk.h"
#include "journal/journal.h"
#include "stream/partition.h"
#include "stream/partition_options.h"
#include "stream/port.h"
#include "stream/transport.h"

namespace beeline::stream {

// Makes logs in local files, in the folder `journal` of each partition's folder. `disk` must
// outlive the factory and its logs.
[[nodiscard]] LogFactory local_journals(journal::Disk& disk, journal::JournalSettings settings);

// The partitions of one server, each with its log, its checkpoints and its thread, and the
// transport between them: each partition puts its commands for another one into the other's queue.
//
//     <directory>/partition-1/journal/       the log
//     <directory>/partition-1/checkpoint/    RocksDB
//
// Lifecycle: construct, open(), start(), stop(). The ports exist from the beginning: the port of a
// partition that is not open yet refuses commands, and its condition gives the reason.
//
// Threading: see Partitions; open, start and stop from one thread.
class PartitionSet final : public Partitions, private Transport {
 public:
  // `disk` and `clock` must outlive this object.
  PartitionSet(PartitionSetOptions options, journal::Disk& disk, const Clock& clock);
  ~PartitionSet() override;

  // Opens and recovers all partitions, and logs what it found. Returns false if the disk has no
  // room to open one: open partitions stay open, the ports of the others report it, and open() may
  // be called again. Throws if one cannot be opened for another reason.
  [[nodiscard]] bool open();
  void start();
  void stop();
  void set_failure_callback(const std::function<void(const std::string&)>& callback);

  [[nodiscard]] std::int32_t count() const override { return options_.count; }
  [[nodiscard]] PartitionPort& partition(PartitionId id) override { return at(id).door; }
  void set_job_listener(JobListener* listener) override;

  // Call the following functions only for partitions that are open.

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
  [[nodiscard]] const Activity& activity(PartitionId id) { return at(id).partition->activity(); }
  void set_stalled(PartitionId id, std::string reason) {
    at(id).partition->set_stalled(std::move(reason));
  }

 private:
  // The port of a partition, whether it is open or not.
  class Door final : public PartitionPort {
   public:
    explicit Door(PartitionId id) : id_(id) {}
    void open(Partition& partition) { partition_.store(&partition); }
    void set_waits_for_room(std::string reason);

    [[nodiscard]] PartitionId id() const override { return id_; }
    [[nodiscard]] SubmitResult submit(const record::Principal& principal, Command command,
                                      ResponseHandler handler) override;
    [[nodiscard]] SubmitResult submit_internal(Command command) override;
    [[nodiscard]] SubmitResult read(ReadStep step, ReadHandler handler) override;
    [[nodiscard]] Condition condition() const override;
    void receive(Command command);
    void set_job_listener(JobListener* listener);

   private:
    [[nodiscard]] SubmitResult refusal() const;

    const PartitionId id_;
    std::atomic<Partition*> partition_{nullptr};  // null: not open yet
    mutable Mutex mutex_;
    std::string room_reason_ BEELINE_GUARDED_BY(mutex_);  // why it is not open, if the disk is full
  };
  struct Slot {
    explicit Slot(PartitionId id) : door(id) {}
    Door door;
    std::unique_ptr<journal::LogStorage> log;
    std::unique_ptr<state::KeyValueStore> store;
    std::unique_ptr<Partition> partition;
  };
  [[nodiscard]] Slot& at(PartitionId id);
  void open_slot(Slot& slot);

  // Transport
  void send(PartitionId to, Command command) override;

  PartitionSetOptions options_;
  journal::Disk& disk_;
  const Clock& clock_;
  std::vector<std::unique_ptr<Slot>> slots_;
  Mutex listener_mutex_;
  JobListener* listener_ BEELINE_GUARDED_BY(listener_mutex_) = nullptr;
};

}  // namespace beeline::stream
