#pragma once

#include <absl/functional/any_invocable.h>

#include <memory>
#include <optional>

#include "load/lane.h"
#include "load/workload.h"

namespace beeline::load {

// Takes jobs from the gateway as a client's worker does, by polling or by a stream, and begins
// again whenever a call ends. All its code runs on the lane's thread.
class JobWorker {
 public:
  using OnJob = absl::AnyInvocable<void(const gateway_protocol::ActivatedJob&)>;
  virtual ~JobWorker() = default;
  virtual void start() = 0;
  // Ends the current call and begins no more. The worker may be destroyed after the lane has
  // stopped.
  virtual void stop() = 0;
};

// `lane` and `workload` must outlive the worker.
[[nodiscard]] std::unique_ptr<JobWorker> make_job_worker(Lane& lane, const Workload& workload,
                                                         JobWorker::OnJob on_job);

}  // namespace beeline::load
