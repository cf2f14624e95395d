#include "load/job_worker.h"

#include <utility>

namespace beeline::load {
namespace {

using gateway_protocol::ActivatedJob;
using gateway_protocol::ActivateJobsRequest;
using gateway_protocol::ActivateJobsResponse;
using gateway_protocol::StreamActivatedJobsRequest;

constexpr std::chrono::milliseconds kPauseAfterError{50};
constexpr const char* kWorkerName = "beeline-bench";

ActivateJobsRequest request_of(const Workload& workload, const ActivateJobsResponse*) {
  ActivateJobsRequest request;
  request.set_type(workload.job_type);
  request.set_worker(kWorkerName);
  request.set_timeout(workload.job_timeout.count());
  request.set_maxjobstoactivate(workload.jobs_max);
  return request;
}

StreamActivatedJobsRequest request_of(const Workload& workload, const ActivatedJob*) {
  StreamActivatedJobsRequest request;
  request.set_type(workload.job_type);
  request.set_worker(kWorkerName);
  request.set_timeout(workload.job_timeout.count());
  return request;
}

auto prepare(Stub& stub, grpc::ClientContext* context, const ActivateJobsRequest& request,
             grpc::CompletionQueue* queue) {
  return stub.PrepareAsyncActivateJobs(context, request, queue);
}

auto prepare(Stub& stub, grpc::ClientContext* context, const StreamActivatedJobsRequest& request,
             grpc::CompletionQueue* queue) {
  return stub.PrepareAsyncStreamActivatedJobs(context, request, queue);
}

void for_each_job(const ActivateJobsResponse& response, JobWorker::OnJob& on_job) {
  for (const auto& job : response.jobs()) on_job(job);
}

void for_each_job(const ActivatedJob& job, JobWorker::OnJob& on_job) {
  on_job(job);
}

// idle ──▶ starting ──▶ reading ◀┐ ──▶ finishing ──▶ starting, or idle once stopped
//                          └─────┘
template <typename Response>
class WorkerOf final : public JobWorker, private Operation {
 public:
  WorkerOf(Lane& lane, const Workload& workload, OnJob on_job)
      : lane_(lane),
        request_(request_of(workload, static_cast<const Response*>(nullptr))),
        on_job_(std::move(on_job)) {}

  void start() override {
    if (stopped_) return;
    step_ = Step::Starting;
    activity_.emplace(lane_);
    context_.emplace();
    reader_ = prepare(lane_.stub(), &*context_, request_, &lane_.queue());
    reader_->StartCall(tag());
  }

  void stop() override {
    stopped_ = true;
    if (context_) context_->TryCancel();
  }

 private:
  enum class Step { Idle, Starting, Reading, Finishing };

  [[nodiscard]] void* tag() { return static_cast<Operation*>(this); }

  void proceed(bool ok) override {
    switch (step_) {
      case Step::Idle:
        break;
      case Step::Starting:
      case Step::Reading:
        if (step_ == Step::Reading && ok) for_each_job(response_, on_job_);
        step_ = ok ? Step::Reading : Step::Finishing;
        if (ok) {
          reader_->Read(&response_, tag());
        } else {
          reader_->Finish(&status_, tag());
        }
        break;
      case Step::Finishing:
        step_ = Step::Idle;
        finished();
        break;
    }
  }

  void finished() {
    reader_.reset();  // it lives in memory of the call, which is destroyed with the context
    context_.reset();
    if (stopped_) {
      activity_.reset();
    } else if (status_.ok()) {
      start();
    } else {
      ++lane_.errors[std::string(name_of(status_.error_code()))];
      lane_.after(kPauseAfterError, [this] { start(); });
      activity_.reset();
    }
  }

  Lane& lane_;
  const decltype(request_of(std::declval<Workload>(), static_cast<Response*>(nullptr))) request_;
  OnJob on_job_;
  Step step_ = Step::Idle;
  bool stopped_ = false;
  std::optional<Lane::Activity> activity_;  // set during a call
  std::optional<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientAsyncReader<Response>> reader_;
  Response response_;
  grpc::Status status_;
};

}  // namespace

std::unique_ptr<JobWorker> make_job_worker(Lane& lane, const Workload& workload,
                                           JobWorker::OnJob on_job) {
  if (workload.job_source == JobSource::Stream) {
    return std::make_unique<WorkerOf<ActivatedJob>>(lane, workload, std::move(on_job));
  }
  return std::make_unique<WorkerOf<ActivateJobsResponse>>(lane, workload, std::move(on_job));
}

}  // namespace beeline::load
