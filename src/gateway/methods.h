#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gateway/call.h"
#include "gateway/gateway.h"
#include "gateway/health.h"
#include "service/principal.h"
#include "service/service.h"

namespace beeline::gateway {

// The kind of a method, which the transport must know before it reads the first message.
enum class MethodKind {
  Unknown,       // not served: the call ends with UNIMPLEMENTED
  OneRequest,    // one message in, any number out
  ManyRequests,  // each incoming message is handled separately; the call ends when the client sends
                 // no more
};

// The origin of a call, according to its metadata.
struct CallOrigin {
  std::string physical_tenant = {};  // empty if the call names none
  service::Principal principal = {};
};

// All RPCs by name. It parses the request, calls its handler, and ensures that the call is
// answered.
//
// Threading: handle() from any thread.
class Methods {
 public:
  // `service` must outlive this.
  Methods(const GatewayOptions& options, service::Service& service)
      : options_(options), service_(service) {}

  // `method` is the path of the call: "/gateway_protocol.Gateway/Topology".
  [[nodiscard]] static MethodKind kind_of(std::string_view method);
  // Returns the status of a call to a method that is not served.
  [[nodiscard]] static Status unknown_method(std::string_view method);

  // `request` is the serialized message; bytes that cannot be parsed are an error of the client.
  void handle(std::string_view method, const CallOrigin& origin, std::string_view request,
              std::shared_ptr<Call> call);

  [[nodiscard]] Health& health() { return *health_; }

 private:
  struct Handlers;

  const GatewayOptions options_;
  service::Service& service_;
  const std::shared_ptr<Health> health_ = std::make_shared<Health>();
};

}  // namespace beeline::gateway
