#pragma once

#include <cstddef>
#include <memory>

#include "gateway/gateway.h"
#include "gateway/methods.h"

namespace beeline::gateway {

// Carries calls over gRPC. It is the only place that knows grpc++; all other code uses Call.
//
// It receives every method as raw bytes. So our own code answers requests that are not valid
// messages, and all RPCs take the same path.
//
// Threading: start() and stop() from one thread. Requests are handled on threads of gRPC.
class GrpcTransport {
 public:
  // `methods` must outlive it. An incoming message may have at most `message_bytes_max` bytes.
  GrpcTransport(const GatewayOptions& options, std::size_t message_bytes_max, Methods& methods);
  ~GrpcTransport();
  GrpcTransport(const GrpcTransport&) = delete;
  GrpcTransport& operator=(const GrpcTransport&) = delete;

  // Throws IoError if it cannot listen.
  void start();
  [[nodiscard]] int port() const;
  // Accepts no new calls, waits `grace` for the open ones, then cancels them.
  void stop(Milliseconds grace);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
