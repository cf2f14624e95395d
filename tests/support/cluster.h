#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "tests/support/scenario.h"

// Several partitions in one thread, on one manual clock, and a network between them that does what
// the Transport's contract allows: it loses, repeats and reorders commands.
//
//   TEST(Distribution, survives_a_bad_network) {
//     Cluster cluster{3, {.loses = 0.3, .repeats = 0.3, .reorders = true}, seed};
//     cluster.when(1).deploys(...);      // what partition 1 does by itself
//     cluster.settle();                  // time passes until nothing is waited for
//     cluster.then(2).records(R"(...)"); // what partition 2 did since cluster.mark()
//   }
//
// Commands are sent only when deliver(), pass() or settle() runs. At its end a cluster compares
// each partition with the replay of its log.
namespace beeline::testing {

struct Network {
  double loses = 0;
  double repeats = 0;
  bool reorders = false;
};

// A command on its way.
struct Parcel {
  PartitionId from;
  engine::OutgoingCommand command;
  [[nodiscard]] bool is(std::string_view name) const;  // "DEPLOYMENT CREATE"
};

class Cluster {
 public:
  explicit Cluster(std::int32_t partitions, Network network = {}, std::uint64_t seed = 1,
                   engine::EngineOptions options = {});
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(worlds_.size()); }
  [[nodiscard]] World& at(std::int32_t partition);
  [[nodiscard]] Actions given(std::int32_t partition) { return {at(partition), false}; }
  [[nodiscard]] Actions when(std::int32_t partition) { return {at(partition), true}; }
  [[nodiscard]] Expectations then(std::int32_t partition) { return Expectations{at(partition)}; }
  // Sets the place, on all partitions, from which then() looks at records.
  void mark();

  // Delivers the commands that are under way, and those that they cause, until there are none; time
  // does not pass.
  void deliver();
  // Moves the clock second by second, with due dates, resends and their effects.
  void pass(Milliseconds duration);
  // Lets time pass until no partition waits for another; fails if that takes more than a day.
  void settle();

  // Loses the commands for which `is_lost` returns true, in addition to what the network does; an
  // empty function loses nothing.
  void lose(std::function<bool(const Parcel&)> is_lost) { is_lost_ = std::move(is_lost); }
  // The power fails: commands under way to and from the partition are lost, and its state is
  // replayed from the log.
  void restart(std::int32_t partition);
  // Sends a command by hand.
  void send(Parcel parcel) { under_way_.push_back(std::move(parcel)); }
  // Returns the commands that were delivered so far, including repetitions.
  [[nodiscard]] const std::vector<Parcel>& delivered() const { return delivered_; }

 private:
  void collect();
  [[nodiscard]] bool happens(double probability);
  [[nodiscard]] bool is_quiet();

  Network network_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<World>> worlds_;
  std::deque<Parcel> under_way_;
  std::vector<Parcel> delivered_;
  std::function<bool(const Parcel&)> is_lost_;
};

}  // namespace beeline::testing
