#include "load/generator.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

#include "gateway.grpc.pb.h"

namespace beeline::load {
namespace {

namespace gw = gateway_protocol;
using grpc::ServerContext;
using grpc::Status;
using std::chrono::milliseconds;

// A gateway that has one job for each instance and records its requests.
class FakeGateway final : public gw::Gateway::Service {
 public:
  FakeGateway() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~FakeGateway() override { server_->Shutdown(std::chrono::system_clock::now()); }

  [[nodiscard]] std::string target() const { return fmt::format("127.0.0.1:{}", port_); }

  Status Topology(ServerContext*, const gw::TopologyRequest*, gw::TopologyResponse*) override {
    ++topologies;
    return Status::OK;
  }
  Status DeployResource(ServerContext*, const gw::DeployResourceRequest* request,
                        gw::DeployResourceResponse*) override {
    if (request->resources(0).content() == "bad") {
      return Status(grpc::INVALID_ARGUMENT, "it is bad");
    }
    ++deployments;
    return Status::OK;
  }
  Status CreateProcessInstance(ServerContext*, const gw::CreateProcessInstanceRequest* request,
                               gw::CreateProcessInstanceResponse* response) override {
    if (refusals_left.fetch_sub(1) > 0) return Status(grpc::RESOURCE_EXHAUSTED, "later");
    const std::lock_guard lock(mutex_);
    if (stall) std::this_thread::sleep_for(*std::exchange(stall, std::nullopt));
    EXPECT_EQ(request->bpmnprocessid(), "p");
    response->set_processinstancekey(++created);
    jobs_.push_back(created);
    job_there_.notify_one();
    return Status::OK;
  }
  Status ActivateJobs(ServerContext* context, const gw::ActivateJobsRequest* request,
                      grpc::ServerWriter<gw::ActivateJobsResponse>* writer) override {
    gw::ActivateJobsResponse response;
    {
      std::unique_lock lock(mutex_);
      job_there_.wait_for(lock, milliseconds{20}, [&] { return !jobs_.empty(); });
      for (int i = 0; i < request->maxjobstoactivate() && !jobs_.empty(); ++i) {
        fill(*response.add_jobs());
      }
    }
    if (response.jobs_size() > 0 && !context->IsCancelled()) writer->Write(response);
    return Status::OK;
  }
  Status StreamActivatedJobs(ServerContext* context, const gw::StreamActivatedJobsRequest*,
                             grpc::ServerWriter<gw::ActivatedJob>* writer) override {
    while (!context->IsCancelled()) {
      gw::ActivatedJob job;
      std::unique_lock lock(mutex_);
      if (!job_there_.wait_for(lock, milliseconds{20}, [&] { return !jobs_.empty(); })) continue;
      fill(job);
      lock.unlock();
      writer->Write(job);
    }
    return Status::OK;
  }
  Status CompleteJob(ServerContext*, const gw::CompleteJobRequest* request,
                     gw::CompleteJobResponse*) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(completed.insert(request->jobkey()).second);
    return Status::OK;
  }

  std::atomic<int> topologies{0};
  std::atomic<int> deployments{0};
  std::atomic<int> refusals_left{0};
  std::optional<milliseconds> stall;  // before the next creation is answered
  std::int64_t created = 0;
  std::set<std::int64_t> completed;

 private:
  void fill(gw::ActivatedJob& job) {
    job.set_processinstancekey(jobs_.front());
    job.set_key(jobs_.front() * 10);
    jobs_.pop_front();
  }

  int port_ = 0;
  std::mutex mutex_;
  std::condition_variable job_there_;
  std::deque<std::int64_t> jobs_;
  std::unique_ptr<grpc::Server> server_;
};

Workload one_task(JobSource source = JobSource::Poll) {
  Workload workload;
  workload.name = "test";
  workload.process_id = "p";
  workload.bpmn = "<x/>";
  workload.jobs_per_instance = 1;
  workload.job_type = "work";
  workload.job_source = source;
  return workload;
}

LoadOptions short_run(const FakeGateway& gateway) {
  return {.target = gateway.target(),
          .rate = std::nullopt,
          .concurrency = 4,
          .warmup = milliseconds{0},
          .duration = milliseconds{300},
          .drain = milliseconds{60'000}};
}

Report run(const Workload& workload, const LoadOptions& options) {
  auto report = run_load(workload, options, nullptr);
  EXPECT_TRUE(report.has_value()) << report.error();
  return report ? *report : Report{};
}

TEST(Generator, a_closed_loop_completes_every_instance_it_created) {
  for (const auto source : {JobSource::Poll, JobSource::Stream}) {
    FakeGateway gateway;
    const auto report = run(one_task(source), short_run(gateway));
    EXPECT_EQ(gateway.deployments, 1);
    EXPECT_GT(report.started, 0);
    EXPECT_EQ(report.unfinished, 0);
    EXPECT_EQ(report.whole.count(), report.started);
    EXPECT_EQ(report.create.count(), report.started);
    EXPECT_EQ(static_cast<std::int64_t>(gateway.completed.size()), gateway.created);
    EXPECT_TRUE(report.errors.empty());
  }
}

TEST(Generator, an_open_loop_starts_what_is_due) {
  FakeGateway gateway;
  auto options = short_run(gateway);
  options.rate = 100;
  options.warmup = milliseconds{50};
  const auto report = run(one_task(), options);
  EXPECT_EQ(report.started, 30);
  EXPECT_EQ(report.whole.count(), 30);
}

// While the gateway stalls, a closed loop would see one slow call; the calls that were due
// meanwhile were slow as well.
TEST(Generator, an_open_loop_counts_from_when_a_call_was_due) {
  FakeGateway gateway;
  gateway.stall = milliseconds{500};
  auto options = short_run(gateway);
  options.duration = milliseconds{1000};
  options.rate = 200;
  const auto report = run(one_task(), options);
  EXPECT_EQ(report.create.count(), 200);
  // A fifth of the calls were due in the first 200 ms, and no call was answered before 500 ms.
  EXPECT_GE(report.create.quantile(0.82), milliseconds{300});
}

TEST(Generator, a_refused_call_is_tried_again_and_counted) {
  FakeGateway gateway;
  gateway.refusals_left = 3;
  const auto report = run(one_task(), short_run(gateway));
  EXPECT_EQ(report.errors.at("RESOURCE_EXHAUSTED"), 3);
  EXPECT_EQ(report.whole.count(), report.started);
}

TEST(Generator, topology_is_the_call_that_does_nothing) {
  FakeGateway gateway;
  Workload workload;
  workload.name = "empty";
  workload.call = CallKind::Topology;
  const auto report = run(workload, short_run(gateway));
  EXPECT_GT(report.whole.count(), 0);
  EXPECT_GE(gateway.topologies, report.whole.count());
  EXPECT_EQ(gateway.deployments, 0);
}

TEST(Generator, says_when_nothing_can_be_measured) {
  FakeGateway gateway;
  auto workload = one_task();
  workload.bpmn = "bad";
  EXPECT_EQ(run_load(workload, short_run(gateway), nullptr).error(),
            "The process of the workload could not be deployed: INVALID_ARGUMENT it is bad");
}

}  // namespace
}  // namespace beeline::load
