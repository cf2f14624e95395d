#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "exporter/director.h"
#include "gateway/gateway.h"
#include "http/http_server.h"
#include "journal/data_directory.h"
#include "server/settings.h"
#include "server/watchdog.h"
#include "service/service.h"
#include "stream/partition_set.h"

namespace beeline::server {

// The server could not start; the message is one sentence that explains what to do.
class StartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All parts of a server, connected.
//
//     start: data directory ─▶ http (not ready yet) ─▶ partitions recover ─▶ exporters ─▶ gateway
//     stop:  gateway (calls end) ─▶ partitions (drain, checkpoint) ─▶ exporters (catch up) ─▶ http
//
// Each part is started after the parts that it needs, and stopped before them. HTTP runs the whole
// time, to report the progress of the others.
//
// A full disk does not prevent the server from starting: HTTP and the gateway serve and report that
// there is no room, while a separate thread tries every second to open the data.
//
// Threading: start, stop and the destructor from one thread; all other functions from any.
class Server {
 public:
  // `clock` must outlive this object.
  Server(Settings settings, const Clock& clock);
  // Stops the server if stop() was not called.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Throws StartError. When it returns, the server runs, or waits for room on the disk.
  // `on_failure` is called, on any thread, if a partition cannot continue because its log failed.
  // Acknowledged commands are safe; a new start recovers them.
  void start(std::function<void(const std::string&)> on_failure);
  void stop();

  // The ports that are served, once start() has returned.
  [[nodiscard]] int grpc_port() const;
  [[nodiscard]] int http_port() const;

 private:
  enum class Phase { Starting, Running, Stopping };

  void warn_of_exposure() const;
  void make_partitions();
  void make_service();
  // Each opens what is not open yet. They return false if the disk has no room for it, and throw
  // StartError.
  [[nodiscard]] bool open_data_directory();
  void start_http();
  [[nodiscard]] bool open_partitions();
  void open_when_there_is_room();
  void run_partitions();
  void all_run();
  void waits_for_room(const std::string& reason);
  void check_exported();
  void start_exporters();
  void start_gateway();
  void failed(const std::string& reason);

  [[nodiscard]] http::Router make_router();
  void look_after_health();
  // Returns what is wrong with the partitions, as a sentence; empty if nothing is.
  [[nodiscard]] std::string complaint() const;
  [[nodiscard]] http::Response health() const;
  [[nodiscard]] http::Response ready() const;
  [[nodiscard]] http::Response status() const;
  [[nodiscard]] http::Response metrics() const;

  const Settings settings_;
  const Clock& clock_;
  const Timestamp started_at_;
  journal::PosixDisk disk_;
  std::function<void(const std::string&)> on_failure_;
  std::atomic<Phase> phase_{Phase::Starting};
  std::atomic<bool> has_begun_to_wait_{false};  // true if it waited for room when it started
  mutable Mutex failure_mutex_;
  std::string failure_ BEELINE_GUARDED_BY(failure_mutex_);      // why a partition cannot go on
  std::string room_reason_ BEELINE_GUARDED_BY(failure_mutex_);  // why the data is not open yet

  std::thread opener_;  // runs while the data waits for room
  Mutex opener_mutex_;
  CondVar opener_wake_;
  bool opener_stops_ BEELINE_GUARDED_BY(opener_mutex_) = false;

  std::unique_ptr<journal::DataDirectory> data_directory_;
  std::unique_ptr<stream::PartitionSet> partitions_;
  std::vector<std::unique_ptr<exporter::ExporterDirector>> exporters_;  // one for each partition
  std::unique_ptr<service::Service> service_;
  std::unique_ptr<gateway::Gateway> gateway_;
  std::unique_ptr<http::HttpServer> http_;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace beeline::server
