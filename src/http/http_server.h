#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/limits.h"
#include "base/time.h"
#include "http/router.h"

namespace beeline::http {

struct HttpOptions {
  Address address = {};  // port 0 selects a free port; see HttpServer::port
  std::size_t connections_max = 256;
  // Further connections, for requests to `probe_paths` only: monitoring must reach the server even
  // if all other connections are in use.
  std::size_t probe_connections_max = 16;
  std::vector<std::string> probe_paths = {};
  std::uint32_t header_bytes_max = 16 << 10;
  std::uint64_t body_bytes_max = kMessageBytesMax;
  // How long the head of a request may take, from its first byte or the beginning of the
  // connection.
  Milliseconds head_timeout{5'000};
  // How long the body may take, how long sending the answer may take, and how long a connection is
  // kept after it.
  Milliseconds timeout{30'000};
  // The number of threads that serve. Handlers of different connections run at the same time.
  int threads = 2;
  // Host names that the server accepts besides loopback names and its address; see AllowedHosts.
  std::vector<std::string> hosts = {};
};

// Serves HTTP/1.1 on a few threads. Their work is short: a handler that has to wait keeps its
// responder and answers later, from any thread.
//
// The cost of a client is limited: connections, bytes of headers (431) and body (413), and the time
// until a request has arrived. When all connections are in use, a new connection replaces the one
// that has waited for its client for the longest time. If no connection waits for its client, all
// of them are busy with requests; then a new connection uses one of those for probes, or is
// answered 503 if these are in use as well.
//
// Threading: start and stop from one thread. Handlers run on the server's threads, several at the
// same time; the requests of one connection are handled one after the other.
class HttpServer {
 public:
  HttpServer(HttpOptions options, Router router);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds the address and begins to serve. Throws IoError if the address cannot be bound; its code
  // gives the reason.
  void start();
  // Closes every connection and ends the threads. Responders may still answer later without effect.
  void stop();
  // Returns the port that start() has bound.
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::http
