#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "load/histogram.h"

namespace beeline::load {

// The results of a run. Counts cover the measured time, without the warm-up before it.
struct Report {
  std::string workload;
  std::string target;
  std::optional<double> rate;    // open loop: starts per second
  std::int32_t concurrency = 0;  // closed loop: instances at a time
  std::chrono::duration<double> measured{0};

  std::int64_t started = 0;
  std::int64_t completed = 0;
  std::int64_t unfinished = 0;  // begun, but not complete when the run gave up waiting
  std::map<std::string, std::int64_t> errors;  // by gRPC status, over the whole run

  // These count from the time at which a call was meant to be made, whether or not it could be made
  // then.
  Histogram whole;     // to the completion of the instance, or the answer of a single call
  Histogram create;    // to the answer of CreateProcessInstance
  Histogram complete;  // CompleteJob, from its sending

  [[nodiscard]] double per_second() const {
    return measured.count() > 0 ? static_cast<double>(completed) / measured.count() : 0;
  }
};

[[nodiscard]] std::string to_text(const Report& report);
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace beeline::load
