#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"
#include "stream/port.h"

namespace beeline::gateway {

class CommandSender;
class JobDispatcher;

struct GatewayOptions {
  // Where to listen. Port 0 takes any free one; port() then says which.
  std::string host = "0.0.0.0";
  int port = 26500;

  // No message in or out is larger. A larger one that comes in is answered with RESOURCE_EXHAUSTED;
  // jobs that would exceed it on the way out are split over several messages.
  std::size_t message_bytes_max = std::size_t{4} * 1024 * 1024;
  std::size_t metadata_bytes_max = std::size_t{32} * 1024;

  // After this long without a sign of life a connection is asked for one, and is given up when it
  // does not answer in time: that is how workers that vanished are noticed.
  Milliseconds keepalive_time{60'000};
  Milliseconds keepalive_timeout{20'000};
  // Clients may ask for signs of life this often. Common clients do so every 45 s.
  Milliseconds ping_interval_min{10'000};

  // How long a command may take to be answered.
  Milliseconds request_timeout{15'000};
  // How long ActivateJobs waits for a first job when the client leaves it to the server, and how
  // often waiting calls look for jobs even though nobody told them of any.
  Milliseconds long_poll_timeout{10'000};
  Milliseconds long_poll_probe_interval{10'000};
  // How many jobs a job stream may have been given that its client has not taken yet, and after how
  // long without taking any it loses them to others.
  std::int32_t stream_jobs_max = 32;
  Milliseconds stream_stall_timeout{1'000};

  // What Topology says. `version` is the protocol line that clients believe they talk to.
  std::string version = "8.8.0";
  std::string cluster_id = {};
  std::int32_t node_id = 0;
  std::string node_host = "0.0.0.0";
  int node_port = 26501;
};

// The gRPC edge: turns requests into commands for the partitions and their answers into responses,
// and hands jobs to workers that wait for them.
//
// Lifecycle: construct, start(), stop() once; the destructor stops what still runs, without grace.
// `partitions` and `clock` must outlive it. The gateway is the partitions' job listener from
// start() to stop(), and a partition may be about to call it just then: so it is destroyed after
// the partitions' threads have ended. Answers that come after stop() are dropped without harm.
//
// Threading: start(), stop() and the destructor from one thread; the rest from any.
class Gateway {
 public:
  Gateway(GatewayOptions options, stream::Partitions& partitions, const Clock& clock);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Listens and serves. Throws IoError, with a sentence that names the address, when it cannot
  // listen there.
  void start();

  // The port it listens on; 0 before start().
  [[nodiscard]] int port() const;

  // For other edges that send commands and wait for their answers. From start() on; once stop() has
  // begun nobody is told of timeouts any more, and the partitions' stop ends what still waits.
  [[nodiscard]] CommandSender& commands();

  // For other edges that show the open job streams. From start() on.
  [[nodiscard]] JobDispatcher& jobs();

  // What the health service says. Serving from start() on; a server that has to recover first may
  // say so. Once stop() has begun it is not serving for good.
  void set_serving(bool serving);

  // Says that it no longer serves, ends waiting polls and streams with OK, gives the other calls
  // `grace` to end, then cancels them.
  void stop(Milliseconds grace);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::gateway
