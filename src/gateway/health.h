#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "gateway/call.h"
#include "grpc/health/v1/health.pb.h"

namespace beeline::gateway {

// gRPC's health service for the server as a whole ("") and the gateway's service by name.
//
// Threading: every function may be called from any thread.
class Health : public std::enable_shared_from_this<Health> {
 public:
  void check(const grpc::health::v1::HealthCheckRequest& request, Call& call);
  void watch(const grpc::health::v1::HealthCheckRequest& request, std::shared_ptr<Call> call);

  void set_serving(bool serving);
  // Not serving for good; those who watch hear it and their calls end.
  void stop();

 private:
  struct Watcher {
    std::shared_ptr<Call> call;
    bool is_known = false;  // whether it watches a service we have
  };

  [[nodiscard]] grpc::health::v1::HealthCheckResponse response_locked(bool is_known) const;

  std::mutex mutex_;
  bool serving_ = false;
  bool stopped_ = false;
  std::vector<Watcher> watchers_;
};

}  // namespace beeline::gateway
