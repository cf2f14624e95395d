#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "load/report.h"
#include "load/workload.h"

namespace beeline::load {

struct LoadOptions {
  std::string target = "127.0.0.1:26500";
  // Open loop: the number of starts per second, independent of the answers. Without a value the
  // loop is closed.
  std::optional<double> rate;
  // Closed loop: the number of instances at a time; the next one begins when one is complete.
  std::int32_t concurrency = 64;
  std::int32_t connections = 2;  // connections, each with its own thread
  Milliseconds warmup{2'000};
  Milliseconds duration{10'000};
  // How long instances that have begun may take to complete after the end.
  Milliseconds drain{10'000};
  bool deploy = true;
};

struct Progress {
  std::chrono::duration<double> elapsed{0};
  bool is_warmup = false;
  std::int64_t started = 0;
  std::int64_t completed = 0;
  std::int64_t completed_last_second = 0;
  std::int64_t in_flight = 0;
  std::int64_t errors = 0;
};

// Drives a gateway and measures it. Returns when the time is over and the instances that had begun
// are complete.
//
// Latency counts from the time at which a call was meant to be made: in an open loop from its place
// in the schedule, even if the generator or the gateway was too busy to make it then. So a gateway
// that stalls for a second has high latencies for every call of that second, not just for one.
//
// `on_progress` is called about once a second, on the calling thread. The error is a sentence.
[[nodiscard]] Result<Report, std::string> run_load(
    const Workload& workload, const LoadOptions& options,
    const std::function<void(const Progress&)>& on_progress);

}  // namespace beeline::load
