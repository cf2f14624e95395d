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

// Returns true if every promise was kept.
bool play(const Simulation::Options& options, std::int64_t steps, Simulation::Summary& sum) {
  try {
    Simulation simulation{options};
    simulation.run(steps);
    simulation.finish();
    const Simulation::Summary one = simulation.summary();
    sum.commands += one.commands;
    sum.records += one.records;
    sum.power_losses += one.power_losses;
    sum.disk_fills += one.disk_fills;
    sum.elections += one.elections;
    sum.instances += one.instances;
    sum.completions += one.completions;
    sum.messages += one.messages;
    sum.spinners += one.spinners;
    return true;
  } catch (const std::exception& error) {
    fmt::print("seed {}: {}\n  again: ./dev sim --seed {} --steps {} --partitions {} --copies {}\n",
               options.seed, error.what(), options.seed, steps, options.partitions, options.copies);
    return false;
  }
}

int main(int argc, char** argv) {
  CLI::App app{"Several partitions under chance: bad disks, a bad network, lost power, elections"};
  std::optional<std::uint64_t> seed;
  std::uint64_t count = 1;
  std::int64_t steps = 3'000;
  std::optional<std::int32_t> partitions;
  std::optional<std::size_t> copies;
  double seconds = 60;
  bool traces = false;
  app.add_option("--seed", seed, "play this seed; without, fresh ones until the time is over");
  app.add_option("--count", count, "of seeds, from --seed on")->capture_default_str();
  app.add_option("--steps", steps, "moves of a seed")->capture_default_str();
  app.add_option("--partitions", partitions, "without, the seed decides: 1 to 4")
      ->check(CLI::Range(1, 100));
  app.add_option("--copies", copies, "of each partition; without, the seed decides: 1 to 3")
      ->check(CLI::Range(1, 9));
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
    const Simulation::Options options{
        .seed = number,
        .partitions = partitions.value_or(static_cast<std::int32_t>(1 + number % 4)),
        .copies = copies.value_or(1 + number / 4 % 3),
        .traces = traces};
    ++(play(options, steps, sum) ? passed : failed);
  }
  fmt::print(
      "{} commands ({:.0f}/s), {} records, {} power losses, {} full disks, {} elections, {} "
      "instances, {} "
      "completions, "
      "{} messages acknowledged, {} instances that never wait\n",
      sum.commands, static_cast<double>(sum.commands) / seconds_since(begin), sum.records,
      sum.power_losses, sum.disk_fills, sum.elections, sum.instances, sum.completions, sum.messages,
      sum.spinners);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace beeline::sim

int main(int argc, char** argv) {
  return beeline::sim::main(argc, argv);
}
