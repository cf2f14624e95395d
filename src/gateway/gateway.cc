#include "gateway/gateway.h"

#include <google/protobuf/stubs/logging.h>

#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "gateway/grpc_transport.h"
#include "gateway/loop.h"
#include "gateway/service.h"

namespace beeline::gateway {

class Gateway::Impl {
 public:
  Impl(GatewayOptions options, stream::Partitions& partitions, const Clock& clock)
      : options_(std::move(options)),
        partitions_(partitions),
        loop_(std::make_shared<Loop>(clock)),
        service_(options_, partitions, loop_),
        transport_(options_, service_) {}

  void start() {
    BEELINE_CHECK(!started_, "a gateway starts once");
    // The client hears what is wrong with its bytes; the parser need not tell the log as well, once
    // for each request, at the client's pleasure.
    google::protobuf::SetLogHandler(nullptr);
    // First what may fail.
    transport_.start();
    started_ = true;
    loop_->start();
    partitions_.set_job_listener(&service_.jobs());
    service_.health().set_serving(true);
    log::info("The gateway listens address={}:{}", options_.host, transport_.port());
  }

  void stop(Milliseconds grace) {
    if (!started_ || stopped_) return;
    stopped_ = true;
    service_.health().stop();
    partitions_.set_job_listener(nullptr);
    service_.jobs().drain();
    transport_.stop(grace);
    loop_->stop();
    log::info("The gateway has stopped");
  }

  [[nodiscard]] int port() const { return transport_.port(); }
  [[nodiscard]] CommandSender& commands() { return service_.commands(); }
  [[nodiscard]] JobDispatcher& jobs() { return service_.jobs(); }
  void set_serving(bool serving) { service_.health().set_serving(serving); }

 private:
  const GatewayOptions options_;
  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  Service service_;
  GrpcTransport transport_;
  bool started_ = false;
  bool stopped_ = false;
};

Gateway::Gateway(GatewayOptions options, stream::Partitions& partitions, const Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(options), partitions, clock)) {}
Gateway::~Gateway() {
  stop(Milliseconds{0});
}
void Gateway::start() {
  impl_->start();
}
int Gateway::port() const {
  return impl_->port();
}
CommandSender& Gateway::commands() {
  return impl_->commands();
}
JobDispatcher& Gateway::jobs() {
  return impl_->jobs();
}
void Gateway::set_serving(bool serving) {
  impl_->set_serving(serving);
}
void Gateway::stop(Milliseconds grace) {
  impl_->stop(grace);
}

}  // namespace beeline::gateway
