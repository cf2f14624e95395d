#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"

namespace beeline::service {
class Service;
}

namespace beeline::gateway {

struct GatewayOptions {
  // Where to listen. Port 0 takes any free one; port() then says which.
  std::string host = "0.0.0.0";
  int port = 26500;

  std::size_t metadata_bytes_max = std::size_t{32} * 1024;

  // After this long without a sign of life a connection is asked for one, and is given up when it
  // does not answer in time: that is how workers that vanished are noticed.
  Milliseconds keepalive_time{60'000};
  Milliseconds keepalive_timeout{20'000};
  // Clients may ask for signs of life this often. Common clients do so every 45 s.
  Milliseconds ping_interval_min{10'000};

  // What Topology says. `version` is the protocol line that clients believe they talk to.
  std::string version = "8.8.0";
  std::string cluster_id = {};
  std::int32_t node_id = 0;
  std::string node_host = "0.0.0.0";
  int node_port = 26501;
};

// The gRPC edge: turns messages into requests to the service, and outcomes into responses. A
// message that is larger than the service allows is answered with RESOURCE_EXHAUSTED; jobs that
// would exceed that on the way out are split over several messages.
//
// Lifecycle: construct, start(), stop() once; the destructor stops what still runs, without grace.
// `service` must outlive it.
//
// Threading: start(), stop() and the destructor from one thread; the rest from any.
class Gateway {
 public:
  Gateway(GatewayOptions options, service::Service& service);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Listens and serves. Throws IoError, with a sentence that names the address, when it cannot
  // listen there.
  void start();

  // The port it listens on; 0 before start().
  [[nodiscard]] int port() const;

  // What the health service says. Serving from start() on; a server that has to recover first may
  // say so. Once stop() has begun it is not serving for good.
  void set_serving(bool serving);

  // Says that it no longer serves, drains the service, which ends waiting polls and streams with
  // OK, gives the other calls `grace` to end, then cancels them.
  void stop(Milliseconds grace);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
