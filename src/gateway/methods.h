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

// What the transport must know of a method before it reads the first message.
enum class MethodKind {
  Unknown,       // not served: the call ends with UNIMPLEMENTED
  OneRequest,    // one message in, any number out
  ManyRequests,  // each message in is handled by itself; the call ends when the client has no more
};

// Where a call comes from, as its metadata say.
struct CallOrigin {
  std::string physical_tenant = {};  // empty: the call names none
  service::Principal principal = {};
};

// All RPCs, by name: reads the request, has it handled, and sees to it that the call is answered.
//
// Threading: handle() from any thread.
class Methods {
 public:
  // `service` must outlive this.
  Methods(const GatewayOptions& options, service::Service& service)
      : options_(options), service_(service) {}

  // `method` is the path of the call: "/gateway_protocol.Gateway/Topology".
  [[nodiscard]] static MethodKind kind_of(std::string_view method);
  // How the call of a method that is not served ends.
  [[nodiscard]] static Status unknown_method(std::string_view method);

  // `request` is the serialized message; bytes that cannot be parsed are the client's mistake.
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
