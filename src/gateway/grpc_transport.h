#pragma once

#include <cstddef>
#include <memory>

#include "gateway/gateway.h"
#include "gateway/methods.h"

namespace beeline::gateway {

// Carries calls over gRPC. The only place that knows grpc++; everything else sees Call.
//
// It takes every method as raw bytes, so that requests which are no messages are answered in our
// own words, and so that there is one way through here for all RPCs.
//
// Threading: start() and stop() from one thread. Requests are handled on threads of gRPC.
class GrpcTransport {
 public:
  // `methods` must outlive it. No message that comes in may have more bytes than
  // `message_bytes_max`.
  GrpcTransport(const GatewayOptions& options, std::size_t message_bytes_max, Methods& methods);
  ~GrpcTransport();
  GrpcTransport(const GrpcTransport&) = delete;
  GrpcTransport& operator=(const GrpcTransport&) = delete;

  // Throws IoError when it cannot listen.
  void start();
  [[nodiscard]] int port() const;
  // Takes no new calls, waits `grace` for the open ones, then cancels them.
  void stop(Milliseconds grace);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
