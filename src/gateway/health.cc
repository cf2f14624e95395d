#include "gateway/health.h"

#include <fmt/format.h>

#include <utility>

#include "service/text.h"

namespace beeline::gateway {
namespace {

using grpc::health::v1::HealthCheckResponse;

bool is_known_service(std::string_view name) {
  return name.empty() || name == "gateway_protocol.Gateway";
}

}  // namespace

HealthCheckResponse Health::response_locked(bool is_known) const {
  HealthCheckResponse response;
  response.set_status(!is_known  ? HealthCheckResponse::SERVICE_UNKNOWN
                      : serving_ ? HealthCheckResponse::SERVING
                                 : HealthCheckResponse::NOT_SERVING);
  return response;
}

void Health::check(const grpc::health::v1::HealthCheckRequest& request, Call& call) {
  if (!is_known_service(request.service())) {
    call.finish(
        {StatusCode::NotFound,
         fmt::format("Expected to check the health of service '{}', but no such service was "
                     "found",
                     service::first_bytes(request.service(), 256))});
    return;
  }
  const MutexLock lock{mutex_};
  call.respond(response_locked(true));
}

void Health::watch(const grpc::health::v1::HealthCheckRequest& request,
                   std::shared_ptr<Call> call) {
  const bool is_known = is_known_service(request.service());
  {
    const MutexLock lock{mutex_};
    call->send(response_locked(is_known));
    if (stopped_) {
      call->finish(ok());
      return;
    }
    watchers_.push_back({call, is_known});
  }
  // This is called without the lock, because a call that is closed already calls back at once.
  call->on_closed([weak = weak_from_this(), watched = call.get()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::vector<Watcher> gone;
    const MutexLock lock{self->mutex_};
    std::erase_if(self->watchers_, [&](Watcher& watcher) {
      if (watcher.call.get() != watched) return false;
      gone.push_back(std::move(watcher));
      return true;
    });
  });
}

void Health::set_serving(bool serving) {
  const MutexLock lock{mutex_};
  if (stopped_ || serving_ == serving) return;
  serving_ = serving;
  for (const Watcher& watcher : watchers_) {
    if (watcher.is_known) watcher.call->send(response_locked(true));
  }
}

void Health::stop() {
  set_serving(false);
  std::vector<Watcher> watchers;
  {
    const MutexLock lock{mutex_};
    stopped_ = true;
    watchers.swap(watchers_);
  }
  for (const Watcher& watcher : watchers) watcher.call->finish(ok());
}

}  // namespace beeline::gateway
