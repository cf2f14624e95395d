#include "load/lane.h"

#include <array>

namespace beeline::load {
namespace {

class Timer final : public Operation {
 public:
  Timer(Lane& lane, absl::AnyInvocable<void()> then) : activity_(lane), then_(std::move(then)) {}
  void start(grpc::CompletionQueue& queue, std::chrono::milliseconds delay) {
    alarm_.Set(&queue, std::chrono::system_clock::now() + delay, this);
  }
  void proceed(bool) override {
    then_();
    delete this;  // it was made for this one time, by Lane::after
  }

 private:
  const Lane::Activity activity_;
  absl::AnyInvocable<void()> then_;
  grpc::Alarm alarm_;
};

}  // namespace

Lane::Lane(const std::string& target) {
  grpc::ChannelArguments arguments;
  // Otherwise all lanes would share one connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  channel_ = grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
  stub_ = gateway_protocol::Gateway::NewStub(channel_);
}

void Lane::start() {
  thread_ = std::thread([this] {
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) static_cast<Operation*>(tag)->proceed(ok);
  });
}

void Lane::stop() {
  if (!thread_.joinable()) return;
  for (auto left = activities_.load(); left > 0; left = activities_.load()) activities_.wait(left);
  queue_.Shutdown();
  thread_.join();
}

void Lane::after(std::chrono::milliseconds delay, absl::AnyInvocable<void()> then) {
  (new Timer(*this, std::move(then)))->start(queue_, delay);
}

std::string_view name_of(grpc::StatusCode code) {
  static constexpr std::array<std::string_view, 17> kNames = {"OK",
                                                              "CANCELLED",
                                                              "UNKNOWN",
                                                              "INVALID_ARGUMENT",
                                                              "DEADLINE_EXCEEDED",
                                                              "NOT_FOUND",
                                                              "ALREADY_EXISTS",
                                                              "PERMISSION_DENIED",
                                                              "RESOURCE_EXHAUSTED",
                                                              "FAILED_PRECONDITION",
                                                              "ABORTED",
                                                              "OUT_OF_RANGE",
                                                              "UNIMPLEMENTED",
                                                              "INTERNAL",
                                                              "UNAVAILABLE",
                                                              "DATA_LOSS",
                                                              "UNAUTHENTICATED"};
  const auto index = static_cast<std::size_t>(code);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

}  // namespace beeline::load
