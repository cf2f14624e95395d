#pragma once

#include <absl/functional/any_invocable.h>
#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "gateway.grpc.pb.h"
#include "load/histogram.h"

namespace beeline::load {

using Stub = gateway_protocol::Gateway::Stub;

// An operation on a completion queue. It has one asynchronous call at a time.
class Operation {
 public:
  virtual ~Operation() = default;
  virtual void proceed(bool ok) = 0;
};

// A connection, its completion queue, and the thread that serves it. Operations are notified on
// that thread, so the lane's results need no lock.
class Lane {
 public:
  explicit Lane(const std::string& target);
  ~Lane() { stop(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void start();
  // Waits for every activity to end; activities without a deadline must be cancelled before.
  void stop();

  // An operation holds an Activity during its lifetime: a completion queue must not be shut down
  // while it may still be used.
  class Activity {
   public:
    explicit Activity(Lane& lane) : lane_(lane) {
      lane_.activities_.fetch_add(1, std::memory_order_relaxed);
    }
    ~Activity() {
      if (lane_.activities_.fetch_sub(1, std::memory_order_release) == 1) {
        lane_.activities_.notify_all();
      }
    }
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

   private:
    Lane& lane_;
  };

  [[nodiscard]] Stub& stub() { return *stub_; }
  [[nodiscard]] grpc::Channel& channel() { return *channel_; }
  [[nodiscard]] grpc::CompletionQueue& queue() { return queue_; }

  // Calls `then` on the lane's thread after the delay.
  void after(std::chrono::milliseconds delay, absl::AnyInvocable<void()> then);

  // Makes a call with one answer; `then` is called on the lane's thread. `prepare` makes the call:
  //
  //     lane.call<TopologyResponse>([&](auto* context, auto* queue) {
  //       return lane.stub().PrepareAsyncTopology(context, request, queue);
  //     }, [](const grpc::Status& status, const TopologyResponse& response) { ... });
  template <typename Response, typename Prepare, typename Then>
  void call(Prepare prepare, Then then);

  // Belongs to the lane's thread until stop() has returned.
  Histogram whole;
  Histogram create;
  Histogram complete;
  std::map<std::string, std::int64_t> errors;

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<Stub> stub_;
  grpc::CompletionQueue queue_;
  std::thread thread_;
  std::atomic<std::int64_t> activities_{0};
};

// No call takes longer, so a missing answer cannot keep a run from ending.
inline constexpr std::chrono::seconds kCallTimeout{20};

template <typename Response, typename Then>
class UnaryCall final : public Operation {
 public:
  UnaryCall(Lane& lane, Then then) : activity_(lane), then_(std::move(then)) {}

  template <typename Prepare>
  void start(Prepare& prepare, grpc::CompletionQueue& queue) {
    context_.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
    reader_ = prepare(&context_, &queue);
    reader_->StartCall();
    reader_->Finish(&response_, &status_, this);
  }
  void proceed(bool) override {
    then_(status_, response_);
    delete this;  // it was made for this one call, by Lane::call
  }

 private:
  const Lane::Activity activity_;
  Then then_;
  grpc::ClientContext context_;
  Response response_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader_;
};

template <typename Response, typename Prepare, typename Then>
void Lane::call(Prepare prepare, Then then) {
  (new UnaryCall<Response, Then>(*this, std::move(then)))->start(prepare, queue_);
}

// Returns the name of a code, such as "RESOURCE_EXHAUSTED".
[[nodiscard]] std::string_view name_of(grpc::StatusCode code);

}  // namespace beeline::load
