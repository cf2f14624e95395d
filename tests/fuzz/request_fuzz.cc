#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/time.h"
#include "gateway/methods.h"
#include "service/service.h"

// Hostile bytes as the request of any RPC: the first byte selects the method, the rest is the
// message. For any bytes, the call must be answered with a status that a client can read.
namespace {

using namespace beeline;

constexpr std::array<std::string_view, 20> kMethods = {
    "/gateway_protocol.Gateway/ActivateJobs",
    "/gateway_protocol.Gateway/StreamActivatedJobs",
    "/gateway_protocol.Gateway/CompleteJob",
    "/gateway_protocol.Gateway/FailJob",
    "/gateway_protocol.Gateway/ThrowError",
    "/gateway_protocol.Gateway/UpdateJobRetries",
    "/gateway_protocol.Gateway/UpdateJobTimeout",
    "/gateway_protocol.Gateway/CreateProcessInstance",
    "/gateway_protocol.Gateway/CreateProcessInstanceWithResult",
    "/gateway_protocol.Gateway/CancelProcessInstance",
    "/gateway_protocol.Gateway/SetVariables",
    "/gateway_protocol.Gateway/ResolveIncident",
    "/gateway_protocol.Gateway/DeployResource",
    "/gateway_protocol.Gateway/DeployProcess",
    "/gateway_protocol.Gateway/Topology",
    "/gateway_protocol.Gateway/PublishMessage",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/gateway_protocol.Gateway/EvaluateDecision",
};

// Checks that the engine could read every command, and refuses it.
class CheckingPartitions final : public stream::Partitions, public stream::PartitionPort {
 public:
  [[nodiscard]] std::int32_t count() const override { return 1; }
  [[nodiscard]] stream::PartitionPort& partition(PartitionId) override { return *this; }
  void set_job_listener(stream::JobListener*) override {}
  [[nodiscard]] PartitionId id() const override { return PartitionId{1}; }
  [[nodiscard]] stream::Condition condition() const override { return {}; }
  [[nodiscard]] stream::SubmitResult submit(const record::Principal&, stream::Command command,
                                            stream::ResponseHandler) override {
    return submit_internal(std::move(command));
  }
  [[nodiscard]] stream::SubmitResult submit_internal(stream::Command command) override {
    record::Metadata metadata{command.head.view()};
    metadata.record_type = record::RecordType::Command;
    BEELINE_CHECK(record::is_well_formed(record::RecordView{metadata, command.value}));
    return stream::SubmitResult::QueueFull;
  }
  [[nodiscard]] stream::SubmitResult read(stream::ReadStep, stream::ReadHandler) override {
    return stream::SubmitResult::Stopped;
  }
};

class CheckingCall final : public gateway::Call {
 public:
  void send_headers() override { answered_ = true; }
  void send_bytes(std::string, Written written) override {
    answered_ = true;
    if (written) written(true);
  }
  void finish(gateway::Status) override {
    answered_ = true;
    ended_ = true;
  }
  // Returns whether the client has received anything: headers, a message or the end.
  [[nodiscard]] bool is_answered() const { return answered_; }
  [[nodiscard]] bool is_open() const override { return !ended_; }
  void on_closed(absl::AnyInvocable<void()> closed) override { closed_ = std::move(closed); }
  // The client leaves, so calls that would wait for ever end.
  void leave() {
    const bool was_open = !std::exchange(ended_, true);
    if (was_open && closed_) closed_();
    closed_ = nullptr;
  }

 private:
  bool answered_ = false;
  bool ended_ = false;
  absl::AnyInvocable<void()> closed_;
};

struct Fixture {
  SystemClock clock;
  std::shared_ptr<service::Loop> loop = std::make_shared<service::Loop>(clock);
  CheckingPartitions partitions;
  service::Service service{service::ServiceOptions{}, partitions, loop};
  gateway::Methods methods{gateway::GatewayOptions{}, service};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto* fixture = new Fixture();
  if (size == 0) return 0;
  const std::string_view method = kMethods[data[0] % kMethods.size()];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto call = std::make_shared<CheckingCall>();
  fixture->methods.handle(method, {}, bytes, call);
  fixture->loop->run_ready();
  BEELINE_CHECK(call->is_answered(), "the client would wait for ever");
  call->leave();
  fixture->loop->run_ready();
  BEELINE_CHECK(call.use_count() == 1, "the call is still held after its end");
  return 0;
}
