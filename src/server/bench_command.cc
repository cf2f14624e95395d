#include "server/bench_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "load/report.h"
#include "load/workload.h"
#include "server/command_io.h"

namespace beeline::server {
namespace {

// Prints one line that is overwritten on a terminal, and a line per second elsewhere.
void print_progress(const load::Progress& progress) {
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  fmt::print(stderr, "{}{:5.0f} s{}  started {}  completed {}  {}/s  in flight {}  errors {}{}",
             is_terminal ? "\r" : "", progress.elapsed.count(),
             progress.is_warmup ? " (warm-up)" : "", progress.started, progress.completed,
             progress.completed_last_second, progress.in_flight, progress.errors,
             is_terminal ? "   " : "\n");
  std::fflush(stderr);
}

}  // namespace

int bench(const BenchOptions& options) {
  const auto workload = load::read_workload(options.workload);
  if (!workload) return fail(workload.error());
  const auto report = load::run_load(*workload, options.load, print_progress);
  if (!report) return fail(report.error());
  if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\n");
  const bool json_to_output = options.json_file == "-";
  fmt::print("{}", json_to_output ? load::to_json(*report) : load::to_text(*report));
  if (!options.json_file.empty() && !json_to_output) {
    std::ofstream file(options.json_file);
    file << load::to_json(*report);
    file.close();
    if (!file) return fail(fmt::format("The file {} cannot be written.", options.json_file));
  }
  return 0;
}

}  // namespace beeline::server
