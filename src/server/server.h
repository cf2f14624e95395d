#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/time.h"
#include "exporter/director.h"
#include "gateway/gateway.h"
#include "http/http_server.h"
#include "journal/data_directory.h"
#include "server/settings.h"
#include "stream/partition_set.h"

namespace beeline::server {

// The server could not start; the message is one sentence that says what to do.
class StartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All parts of a server, wired.
//
//     start: data directory ─▶ http (not ready yet) ─▶ partitions recover ─▶ exporters ─▶ gateway
//     stop:  gateway (calls end) ─▶ partitions (drain, checkpoint) ─▶ exporters (catch up) ─▶ http
//
// Each part is started after what it needs, and stopped before it. HTTP is there the whole time, to
// say how far the others are.
//
// Threading: start, stop and the destructor from one thread; the rest from any.
class Server {
 public:
  // `clock` must outlive this.
  Server(Settings settings, const Clock& clock);
  // Stops, if stop() was not called.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Throws StartError. `on_failure` hears, on any thread, that a partition cannot go on: its log
  // failed. What was acknowledged is safe; a new start recovers it.
  void start(std::function<void(const std::string&)> on_failure);
  void stop();

  // The ports that are served, once start() has returned.
  [[nodiscard]] int grpc_port() const;
  [[nodiscard]] int http_port() const;

 private:
  enum class Phase { Starting, Running, Stopping };

  void open_data_directory();
  void start_http();
  void open_partitions();
  void start_exporters();
  void start_gateway();
  void failed(const std::string& reason);

  [[nodiscard]] http::Router make_router();
  [[nodiscard]] http::Response health() const;
  [[nodiscard]] http::Response ready() const;
  [[nodiscard]] http::Response metrics() const;
  void correlate_message(const http::Request& request, http::Responder responder);

  const Settings settings_;
  const Clock& clock_;
  const Timestamp started_at_;
  journal::PosixDisk disk_;
  std::function<void(const std::string&)> on_failure_;
  std::atomic<Phase> phase_{Phase::Starting};
  mutable std::mutex failure_mutex_;
  std::string failure_;  // guarded by failure_mutex_; empty: none

  std::unique_ptr<journal::DataDirectory> data_directory_;
  std::unique_ptr<stream::PartitionSet> partitions_;
  std::vector<std::unique_ptr<exporter::ExporterDirector>> exporters_;  // one for each partition
  std::unique_ptr<gateway::Gateway> gateway_;
  std::unique_ptr<http::HttpServer> http_;
};

}  // namespace beeline::server
