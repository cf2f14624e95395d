#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/address.h"
#include "base/time.h"

namespace beeline::service {
class Service;
}

namespace beeline::gateway {

struct GatewayOptions {
  // The address to listen on, which Topology reports. Port 0 selects any free port; port() then
  // returns it.
  Address address = {};

  std::size_t metadata_bytes_max = std::size_t{32} * 1024;

  // The gateway pings a connection after this time without activity, and closes it if the client
  // does not answer in time. This is how it notices that workers vanished.
  Milliseconds keepalive_time{60'000};
  Milliseconds keepalive_timeout{20'000};
  // Clients may ping this often. Common clients do so every 45 s.
  Milliseconds ping_interval_min{10'000};

  // The contents of the Topology response. `version` is the protocol version that clients believe
  // they talk to.
  std::string version = "8.8.0";
  std::string cluster_id = {};
  std::int32_t node_id = 0;
};

// The gRPC edge: converts messages into requests to the service, and outcomes into responses. It
// answers a message that is larger than the service allows with RESOURCE_EXHAUSTED, and splits jobs
// that would exceed that limit over several messages.
//
// Lifecycle: construct, start(), stop() once; the destructor stops a gateway that still runs,
// without grace. `service` must outlive it.
//
// Threading: start(), stop() and the destructor from one thread; the rest from any.
class Gateway {
 public:
  Gateway(GatewayOptions options, service::Service& service);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Listens and serves. Throws IoError, with a sentence that names the address, if it cannot listen
  // there.
  void start();

  // Returns the port that it listens on; 0 before start().
  [[nodiscard]] int port() const;

  // Sets the state that the health service reports. It is serving from start() on; a server that
  // has to recover first may set it to false. Once stop() has begun, it is never serving again.
  void set_serving(bool serving);

  // Reports that it no longer serves, drains the service, which ends waiting polls and streams with
  // OK, gives other calls the time `grace` to end, and then cancels them.
  void stop(Milliseconds grace);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
