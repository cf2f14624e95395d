#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <random>

#include "tests/sim/simulation.h"

// beeline_sim: plays seeds until the time is over, or one seed exactly.
namespace beeline::sim {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

// Whether every promise held.
bool play(std::uint64_t seed, std::int64_t steps, std::int32_t partitions, bool traces,
          Simulation::Summary& sum) {
  try {
    Simulation simulation{seed, partitions, traces};
    simulation.run(steps);
    simulation.finish();
    const Simulation::Summary one = simulation.summary();
    sum.commands += one.commands;
    sum.records += one.records;
    sum.power_losses += one.power_losses;
    sum.disk_fills += one.disk_fills;
    sum.instances += one.instances;
    sum.completions += one.completions;
    sum.messages += one.messages;
    sum.spinners += one.spinners;
    return true;
  } catch (const std::exception& error) {
    fmt::print("seed {}: {}\n  again: ./dev sim --seed {} --steps {} --partitions {}\n", seed,
               error.what(), seed, steps, partitions);
    return false;
  }
}

int main(int argc, char** argv) {
  CLI::App app{"Several partitions under chance: bad disks, a bad network, lost power"};
  std::optional<std::uint64_t> seed;
  std::uint64_t count = 1;
  std::int64_t steps = 3'000;
  std::optional<std::int32_t> partitions;
  double seconds = 60;
  bool traces = false;
  app.add_option("--seed", seed, "play this seed; without, fresh ones until the time is over");
  app.add_option("--count", count, "of seeds, from --seed on")->capture_default_str();
  app.add_option("--steps", steps, "moves of a seed")->capture_default_str();
  app.add_option("--partitions", partitions, "without, the seed decides: 1 to 4")
      ->check(CLI::Range(1, 100));
  app.add_option("--seconds", seconds, "how long to play fresh seeds")->capture_default_str();
  app.add_flag("--trace", traces, "print each command, and each record that is committed");
  CLI11_PARSE(app, argc, argv);

  Simulation::Summary sum;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  const auto begin = SteadyClock::now();
  std::random_device fresh;
  const auto goes_on = [&] {
    return seed ? passed + failed < count : failed == 0 && seconds_since(begin) < seconds;
  };
  while (goes_on()) {
    const std::uint64_t number = seed ? *seed + passed + failed : fresh();
    const auto by_seed = static_cast<std::int32_t>(1 + number % 4);
    ++(play(number, steps, partitions.value_or(by_seed), traces, sum) ? passed : failed);
  }
  fmt::print(
      "{} commands ({:.0f}/s), {} records, {} power losses, {} full disks, {} instances, {} "
      "completions, "
      "{} messages acknowledged, {} instances that never wait\n",
      sum.commands, static_cast<double>(sum.commands) / seconds_since(begin), sum.records,
      sum.power_losses, sum.disk_fills, sum.instances, sum.completions, sum.messages, sum.spinners);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace beeline::sim

int main(int argc, char** argv) {
  return beeline::sim::main(argc, argv);
}
