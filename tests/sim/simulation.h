#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "record/document.h"
#include "stream/transport.h"
#include "tests/sim/audit.h"
#include "tests/sim/site.h"
#include "tests/support/chance.h"

namespace beeline::sim {

// Several partitions in one thread, on a manual clock, disks that fail and a network that loses,
// repeats and reorders commands, under random clients that run random processes. Each partition may
// have several copies, with elections between them. One seed decides everything; the same seed and
// the same numbers of partitions and copies give the same run.
//
// Throws Broken if a promise is broken: see Audit, Site and finish().
class Simulation final : private stream::Transport {
 public:
  struct Options {
    std::uint64_t seed = 0;
    std::int32_t partitions = 1;
    std::size_t copies = 1;  // copies of each partition
    bool traces = false;     // see Site::Surroundings
  };
  explicit Simulation(const Options& options);

  // Makes `steps` random moves of clients, network, clock and power.
  void run(std::int64_t steps);
  // Stops all faults: nothing is lost any more, workers work, every instance ends. Then
  // acknowledged commands must be on the log, nothing may be stuck, and nothing may be left.
  void finish();

  struct Summary {
    std::int64_t commands = 0;
    std::int64_t records = 0;
    int power_losses = 0;
    int disk_fills = 0;
    int elections = 0;
    std::size_t instances = 0;
    std::size_t completions = 0;
    std::size_t messages = 0;
    std::size_t spinners = 0;
  };
  [[nodiscard]] Summary summary() const;

 private:
  struct Parcel {
    PartitionId to;
    stream::Command command;
  };

  // stream::Transport
  void send(PartitionId to, stream::Command command) override;

  [[nodiscard]] Site& site(PartitionId id) {
    return *sites_[static_cast<std::size_t>(id.value() - 1)];
  }
  [[nodiscard]] Site& any_site() { return *sites_[chance_.below(sites_.size())]; }
  template <typename T>
  void submit(PartitionId to, typename T::Intent intent, Key key, const T& value,
              stream::ResponseHandler handler);

  [[nodiscard]] record::Principal next_principal();
  void move();
  void deploy();
  void delete_a_version();
  void create();
  void publish(Milliseconds time_to_live);
  void broadcast(const std::string& name);
  void evaluate_conditions();
  void activate(PartitionId partition, const std::string& type, int max);
  void end_a_job();
  void cancel();
  // Adds a variable of some size, or none, to the variables of a client's request.
  void add_payload(record::Document& variables, std::size_t bytes_max);
  void spin();
  void stop_spinning();
  void resolve_incidents();
  void make_smaller(Key scope);
  void cancel_incidents();
  void fill_or_empty_a_disk();
  void carry_one();
  void work_all();
  // Runs without faults until nothing happens any more.
  void settle();
  [[nodiscard]] bool is_over() const;
  void expect_acknowledged_is_on_the_log() const;
  void expect_nothing_is_left() const;
  void expect_same_definitions() const;

  Chance chance_;
  SimulatedClock clock_;
  Audit audit_;
  std::vector<std::unique_ptr<Site>> sites_;
  std::vector<Parcel> under_way_;
  std::map<Key, int> tries_on_size_;  // by element instance
  bool is_kind_ = false;
  std::int64_t requests_ = 0;

  // The keys that clients know from their answers.
  std::vector<Key> deployments_;
  std::set<Key> definitions_;  // all definitions that ever existed
  // The definitions that no client asked to delete, by id.
  std::map<std::string, std::vector<Key>> kept_;
  std::set<Key> deleted_;  // deletions that were acknowledged
  std::vector<Key> instances_;
  std::vector<Key> spinners_;  // spinning instances that no client asked to cancel
  std::size_t spinner_count_ = 0;
  std::vector<Key> activated_jobs_;
  std::set<Key> completed_jobs_;
  std::vector<Key> messages_;
};

}  // namespace beeline::sim
