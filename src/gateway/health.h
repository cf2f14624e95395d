#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "gateway/call.h"
#include "grpc/health/v1/health.pb.h"

namespace beeline::gateway {

// gRPC's health service for the server as a whole ("") and for the gateway's service by name.
//
// Threading: every function may be called from any thread.
class Health : public std::enable_shared_from_this<Health> {
 public:
  void check(const grpc::health::v1::HealthCheckRequest& request, Call& call);
  void watch(const grpc::health::v1::HealthCheckRequest& request, std::shared_ptr<Call> call);

  void set_serving(bool serving);
  // Sets the state to not serving for good; watchers receive it and their calls end.
  void stop();

 private:
  struct Watcher {
    std::shared_ptr<Call> call;
    bool is_known = false;  // true if it watches a service that we have
  };

  [[nodiscard]] grpc::health::v1::HealthCheckResponse response_locked(bool is_known) const
      BEELINE_REQUIRES(mutex_);

  Mutex mutex_;
  bool serving_ BEELINE_GUARDED_BY(mutex_) = false;
  bool stopped_ BEELINE_GUARDED_BY(mutex_) = false;
  std::vector<Watcher> watchers_ BEELINE_GUARDED_BY(mutex_);
};

}  // namespace beeline::gateway
