#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "gateway/call.h"
#include "gateway/methods.h"
#include "service/fakes_test.h"
#include "service/service.h"

// Replacements for the engine, the transport and the clock in the gateway's tests.
namespace beeline::gateway {

using service::FakePartitions;
using service::job_key;
using service::kPatience;
using service::ManualClock;
using service::Submitted;

// A call that records what was sent to it. Single-threaded.
class FakeCall final : public Call {
 public:
  void send_headers() override { headers_sent = true; }
  void send_bytes(std::string message, Written written) override {
    if (!is_open()) {
      if (written) written(false);
      return;
    }
    messages.push_back(std::move(message));
    if (holds_writes) {
      held.push_back(std::move(written));
    } else if (written) {
      written(true);
    }
  }
  void finish(Status end) override {
    if (!is_open()) return;
    status = std::move(end);
    closed_ = nullptr;
  }
  [[nodiscard]] bool is_open() const override { return !status && !gone; }
  void on_closed(absl::AnyInvocable<void()> closed) override { closed_ = std::move(closed); }

  // The client goes away.
  void vanish() {
    gone = true;
    for (Written& written : std::exchange(held, {})) written(false);
    if (auto closed = std::exchange(closed_, nullptr)) closed();
  }
  void release_write() {
    Written written = std::move(held.front());
    held.pop_front();
    written(true);
  }
  template <typename Message>
  [[nodiscard]] Message message(std::size_t index = 0) const {
    Message result;
    EXPECT_LT(index, messages.size());
    EXPECT_TRUE(index < messages.size() && result.ParseFromString(messages[index]));
    return result;
  }

  bool headers_sent = false;
  bool holds_writes = false;
  bool gone = false;
  std::vector<std::string> messages;
  std::deque<Written> held;
  std::optional<Status> status;

 private:
  absl::AnyInvocable<void()> closed_;
};

inline service::ServiceOptions small_messages(std::size_t bytes_max) {
  service::ServiceOptions options;
  options.message_bytes_max = bytes_max;
  return options;
}

// All methods without a transport and without threads: the test moves the clock and runs the loop.
class MethodsTest : public testing::Test {
 protected:
  explicit MethodsTest(std::int32_t partition_count = 1, service::ServiceOptions options = {})
      : partitions(partition_count), service(options, partitions, loop) {
    partitions.set_job_listener(&service.jobs());
  }
  ~MethodsTest() override { loop->stop(); }

  // A call and the code that waits on it own each other until one of them ends; in a server the
  // transport ends every call.
  void TearDown() override {
    for (const auto& each : calls_) {
      if (each->is_open()) each->vanish();
    }
    loop->run_ready();
  }

  std::shared_ptr<FakeCall> call_bytes(std::string_view rpc, std::string_view bytes,
                                       std::string_view physical_tenant = "") {
    auto call = std::make_shared<FakeCall>();
    calls_.push_back(call);
    const std::string path =
        rpc.starts_with("/") ? std::string(rpc) : "/gateway_protocol.Gateway/" + std::string(rpc);
    methods.handle(path, {.physical_tenant = std::string(physical_tenant)}, bytes, call);
    loop->run_ready();
    return call;
  }
  std::shared_ptr<FakeCall> call(std::string_view rpc,
                                 const google::protobuf::MessageLite& request) {
    return call_bytes(rpc, request.SerializeAsString());
  }
  void pass_time(Milliseconds by) {
    clock.advance(by);
    loop->run_ready();
  }
  void announce(std::string_view type, PartitionId partition = PartitionId{1},
                std::int64_t job = 1) {
    partitions.announce(partition, type, make_key(partition, job));
    loop->run_ready();
  }
  void answer_jobs(const std::vector<Key>& keys) {
    partitions.take().answer_jobs(keys);
    loop->run_ready();
  }

  ManualClock clock;
  std::shared_ptr<service::Loop> loop = std::make_shared<service::Loop>(clock);
  FakePartitions partitions;
  service::Service service;
  Methods methods{GatewayOptions{.address = {.port = 26501}}, service};

 private:
  std::vector<std::shared_ptr<FakeCall>> calls_;
};

}  // namespace beeline::gateway
