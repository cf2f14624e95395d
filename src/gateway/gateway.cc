#include "gateway/gateway.h"

#include <google/protobuf/stubs/logging.h>

#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "gateway/grpc_transport.h"
#include "gateway/methods.h"
#include "service/service.h"

namespace beeline::gateway {

class Gateway::Impl {
 public:
  Impl(GatewayOptions options, service::Service& service)
      : options_(std::move(options)),
        service_(service),
        methods_(options_, service),
        transport_(options_, service.options().message_bytes_max, methods_) {}

  void start() {
    BEELINE_CHECK(!started_, "a gateway starts once");
    // The client gets an answer that explains what is wrong with its bytes. The parser need not log
    // it as well, because a client could then fill the log.
    google::protobuf::SetLogHandler(nullptr);
    transport_.start();
    started_ = true;
    methods_.health().set_serving(true);
    log::info("The gateway listens address={}:{}", options_.address.host, transport_.port());
  }

  void stop(Milliseconds grace) {
    if (!started_ || stopped_) return;
    stopped_ = true;
    methods_.health().stop();
    service_.drain();
    transport_.stop(grace);
    log::info("The gateway has stopped");
  }

  [[nodiscard]] int port() const { return transport_.port(); }
  void set_serving(bool serving) { methods_.health().set_serving(serving); }

 private:
  const GatewayOptions options_;
  service::Service& service_;
  Methods methods_;
  GrpcTransport transport_;
  bool started_ = false;
  bool stopped_ = false;
};

Gateway::Gateway(GatewayOptions options, service::Service& service)
    : impl_(std::make_unique<Impl>(std::move(options), service)) {}
Gateway::~Gateway() {
  stop(Milliseconds{0});
}
void Gateway::start() {
  impl_->start();
}
int Gateway::port() const {
  return impl_->port();
}
void Gateway::set_serving(bool serving) {
  impl_->set_serving(serving);
}
void Gateway::stop(Milliseconds grace) {
  impl_->stop(grace);
}

}  // namespace beeline::gateway
