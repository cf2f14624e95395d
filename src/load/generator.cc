#include "load/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "load/instance_tracker.h"
#include "load/job_worker.h"
#include "load/lane.h"

namespace beeline::load {
namespace {

using gateway_protocol::ActivatedJob;
using gateway_protocol::CompleteJobRequest;
using gateway_protocol::CompleteJobResponse;
using gateway_protocol::CreateProcessInstanceRequest;
using gateway_protocol::CreateProcessInstanceResponse;
using gateway_protocol::TopologyRequest;
using gateway_protocol::TopologyResponse;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kConnectTimeout{5};
constexpr std::chrono::milliseconds kPauseAfterRefusal{10};
// A gateway that does not answer must not exhaust our memory: beyond this number an open loop
// waits, and calls that it starts late count from the time when they were due.
constexpr std::int64_t kInFlightMax = 50'000;

// True if the same call may succeed a little later.
bool is_refusal(grpc::StatusCode code) {
  return code == grpc::RESOURCE_EXHAUSTED || code == grpc::UNAVAILABLE;
}

class Generator {
 public:
  Generator(const Workload& workload, const LoadOptions& options)
      : workload_(workload), options_(options), tracker_(workload.jobs_per_instance) {
    for (int i = 0; i < options.connections; ++i) {
      lanes_.push_back(std::make_unique<Lane>(options.target));
    }
    create_request_.set_bpmnprocessid(workload.process_id);
    create_request_.set_version(-1);
    create_request_.set_variables(workload.variables);
  }

  Result<Report, std::string> run(const std::function<void(const Progress&)>& on_progress) {
    BEELINE_TRY_VOID(connect());
    if (options_.deploy && !workload_.bpmn.empty()) BEELINE_TRY_VOID(deploy());
    start();
    watch(on_progress);
    stop();
    return report();
  }

 private:
  Result<void, std::string> connect();
  Result<void, std::string> deploy();
  void start();
  void start_workers();
  void start_closed_loop();
  void run_open_loop();
  void watch(const std::function<void(const Progress&)>& on_progress);
  void stop();
  [[nodiscard]] Report report() const;

  // One round: an instance from its creation to the completion of its jobs, or a single call. `due`
  // is the time at which it was meant to start.
  void begin(Lane& lane, Instant due);
  void create_instance(Lane& lane, Instant due);
  void call_topology(Lane& lane, Instant due);
  void complete_job(Lane& lane, std::int64_t job_key, std::int64_t instance_key);
  void round_finished(Lane& lane, Instant due, Instant end);
  void round_refused(Lane& lane, Instant due, const grpc::Status& status);
  void round_ended(Lane& lane, std::chrono::milliseconds pause);

  void count_error(Lane& lane, const grpc::Status& status);
  [[nodiscard]] bool is_measured(Instant at) const { return at >= measure_from_ && at < end_; }
  [[nodiscard]] bool is_over() const { return over_.load(std::memory_order_relaxed); }

  const Workload& workload_;
  const LoadOptions& options_;
  InstanceTracker tracker_;
  CreateProcessInstanceRequest create_request_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<JobWorker>> workers_;
  std::thread pacer_;

  Instant begin_;
  Instant measure_from_;
  Instant end_;
  std::atomic<bool> over_{false};      // no round begins any more
  std::atomic<bool> given_up_{false};  // nothing is retried any more
  std::atomic<std::int64_t> started_{0};
  std::atomic<std::int64_t> completed_{0};
  std::atomic<std::int64_t> errors_{0};
  std::atomic<std::int64_t> in_flight_{0};
  std::atomic<std::int64_t> started_measured_{0};
  std::atomic<std::int64_t> completed_measured_{0};
  std::int64_t unfinished_ = 0;
};

Result<void, std::string> Generator::connect() {
  const auto deadline = std::chrono::system_clock::now() + kConnectTimeout;
  for (const auto& lane : lanes_) {
    if (!lane->channel().WaitForConnected(deadline)) {
      return failure(fmt::format(
          "No gateway answers at {}; start one there or give another address with --target.",
          options_.target));
    }
  }
  return {};
}

Result<void, std::string> Generator::deploy() {
  gateway_protocol::DeployResourceRequest request;
  auto* const resource = request.add_resources();
  resource->set_name(workload_.process_id + ".bpmn");
  resource->set_content(workload_.bpmn);
  gateway_protocol::DeployResourceResponse response;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
  const auto status = lanes_[0]->stub().DeployResource(&context, request, &response);
  if (!status.ok()) {
    return failure(fmt::format("The process of the workload could not be deployed: {} {}",
                               name_of(status.error_code()), status.error_message()));
  }
  return {};
}

void Generator::start() {
  begin_ = SteadyClock::now();
  measure_from_ = begin_ + options_.warmup;
  end_ = measure_from_ + options_.duration;
  for (const auto& lane : lanes_) lane->start();
  start_workers();
  if (options_.rate) {
    pacer_ = std::thread([this] { run_open_loop(); });
  } else {
    start_closed_loop();
  }
}

void Generator::start_workers() {
  if (workload_.call == CallKind::Topology || workload_.jobs_per_instance == 0) return;
  for (int i = 0; i < workload_.workers; ++i) {
    Lane& lane = *lanes_[static_cast<std::size_t>(i) % lanes_.size()];
    workers_.push_back(make_job_worker(lane, workload_, [this, &lane](const ActivatedJob& job) {
      complete_job(lane, job.key(), job.processinstancekey());
    }));
    lane.after(std::chrono::milliseconds{0}, [worker = workers_.back().get()] { worker->start(); });
  }
}

void Generator::start_closed_loop() {
  for (int i = 0; i < options_.concurrency; ++i) {
    Lane& lane = *lanes_[static_cast<std::size_t>(i) % lanes_.size()];
    lane.after(std::chrono::milliseconds{0}, [this, &lane] { begin(lane, SteadyClock::now()); });
  }
}

void Generator::run_open_loop() {
  const std::chrono::duration<double> interval(1.0 / *options_.rate);
  for (std::int64_t i = 0;; ++i) {
    const Instant due = begin_ + std::chrono::duration_cast<SteadyClock::duration>(
                                     interval * static_cast<double>(i));
    if (due >= end_) return;
    std::this_thread::sleep_until(due);
    while (in_flight_.load(std::memory_order_relaxed) >= kInFlightMax) {
      if (SteadyClock::now() >= end_ + options_.drain) return;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    begin(*lanes_[static_cast<std::size_t>(i) % lanes_.size()], due);
  }
}

void Generator::begin(Lane& lane, Instant due) {
  if (is_over()) return;
  started_.fetch_add(1, std::memory_order_relaxed);
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  if (is_measured(due)) started_measured_.fetch_add(1, std::memory_order_relaxed);
  if (workload_.call == CallKind::Topology) {
    call_topology(lane, due);
  } else {
    create_instance(lane, due);
  }
}

void Generator::create_instance(Lane& lane, Instant due) {
  lane.call<CreateProcessInstanceResponse>(
      [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
        return lane.stub().PrepareAsyncCreateProcessInstance(context, create_request_, queue);
      },
      [this, &lane, due](const grpc::Status& status, const CreateProcessInstanceResponse& created) {
        if (!status.ok()) return round_refused(lane, due, status);
        const Instant now = SteadyClock::now();
        if (is_measured(due)) lane.create.add(now - due);
        if (const auto finished = tracker_.created(created.processinstancekey(), due, now)) {
          round_finished(lane, finished->start, finished->end);
        }
      });
}

void Generator::call_topology(Lane& lane, Instant due) {
  lane.call<TopologyResponse>(
      [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
        return lane.stub().PrepareAsyncTopology(context, TopologyRequest{}, queue);
      },
      [this, &lane, due](const grpc::Status& status, const TopologyResponse&) {
        if (!status.ok()) return round_refused(lane, due, status);
        round_finished(lane, due, SteadyClock::now());
      });
}

void Generator::complete_job(Lane& lane, std::int64_t job_key, std::int64_t instance_key) {
  CompleteJobRequest request;
  request.set_jobkey(job_key);
  request.set_variables(workload_.result);
  const Instant sent = SteadyClock::now();
  lane.call<CompleteJobResponse>(
      [&](grpc::ClientContext* context, grpc::CompletionQueue* queue) {
        return lane.stub().PrepareAsyncCompleteJob(context, request, queue);
      },
      [this, &lane, job_key, instance_key, sent](const grpc::Status& status,
                                                 const CompleteJobResponse&) {
        const Instant now = SteadyClock::now();
        if (!status.ok()) {
          count_error(lane, status);
          if (!is_refusal(status.error_code()) || given_up_) return;
          return lane.after(kPauseAfterRefusal, [this, &lane, job_key, instance_key] {
            complete_job(lane, job_key, instance_key);
          });
        }
        if (is_measured(sent)) lane.complete.add(now - sent);
        if (const auto finished = tracker_.job_completed(instance_key, now)) {
          round_finished(lane, finished->start, finished->end);
        }
      });
}

void Generator::round_finished(Lane& lane, Instant due, Instant end) {
  completed_.fetch_add(1, std::memory_order_relaxed);
  if (is_measured(end)) completed_measured_.fetch_add(1, std::memory_order_relaxed);
  if (is_measured(due)) lane.whole.add(end - due);
  round_ended(lane, std::chrono::milliseconds{0});
}

void Generator::round_refused(Lane& lane, Instant due, const grpc::Status& status) {
  count_error(lane, status);
  if (!is_refusal(status.error_code()) || given_up_) {
    return round_ended(lane, kPauseAfterRefusal);
  }
  // The call is tried again as the same round, even after the end: the time that it waited is part
  // of its latency, and leaving out the calls that waited longest would make the gateway look
  // better.
  lane.after(kPauseAfterRefusal, [this, &lane, due] {
    if (given_up_) return round_ended(lane, kPauseAfterRefusal);
    if (workload_.call == CallKind::Topology) {
      call_topology(lane, due);
    } else {
      create_instance(lane, due);
    }
  });
}

void Generator::round_ended(Lane& lane, std::chrono::milliseconds pause) {
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  if (options_.rate || is_over()) return;
  if (pause == std::chrono::milliseconds{0}) return begin(lane, SteadyClock::now());
  lane.after(pause, [this, &lane] { begin(lane, SteadyClock::now()); });
}

void Generator::count_error(Lane& lane, const grpc::Status& status) {
  ++lane.errors[std::string(name_of(status.error_code()))];
  errors_.fetch_add(1, std::memory_order_relaxed);
}

void Generator::watch(const std::function<void(const Progress&)>& on_progress) {
  std::int64_t completed_before = 0;
  for (Instant next = begin_ + std::chrono::seconds{1};; next += std::chrono::seconds{1}) {
    std::this_thread::sleep_until(std::min(next, end_));
    const Instant now = SteadyClock::now();
    if (now >= end_) return;
    Progress progress{.elapsed = now - begin_, .is_warmup = now < measure_from_};
    progress.started = started_;
    progress.completed = completed_;
    progress.completed_last_second = progress.completed - completed_before;
    progress.in_flight = in_flight_;
    progress.errors = errors_;
    completed_before = progress.completed;
    if (on_progress) on_progress(progress);
  }
}

void Generator::stop() {
  if (pacer_.joinable()) pacer_.join();  // what was due is started, even if it is late
  over_ = true;
  const Instant patience = SteadyClock::now() + options_.drain;
  while (in_flight_ > 0 && SteadyClock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  unfinished_ = in_flight_;
  given_up_ = true;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    // This runs on the lane's thread, like everything that a worker does.
    lanes_[i % lanes_.size()]->after(std::chrono::milliseconds{0},
                                     [worker = workers_[i].get()] { worker->stop(); });
  }
  for (const auto& lane : lanes_) lane->stop();
}

Report Generator::report() const {
  Report result{.workload = workload_.name,
                .target = options_.target,
                .rate = options_.rate,
                .concurrency = options_.concurrency,
                .measured = end_ - measure_from_,
                .started = started_measured_,
                .completed = completed_measured_,
                .unfinished = unfinished_,
                .errors = {},
                .whole = {},
                .create = {},
                .complete = {}};
  for (const auto& lane : lanes_) {
    result.whole.merge(lane->whole);
    result.create.merge(lane->create);
    result.complete.merge(lane->complete);
    for (const auto& [status, count] : lane->errors) result.errors[status] += count;
  }
  return result;
}

}  // namespace

Result<Report, std::string> run_load(const Workload& workload, const LoadOptions& options,
                                     const std::function<void(const Progress&)>& on_progress) {
  return Generator(workload, options).run(on_progress);
}

}  // namespace beeline::load
