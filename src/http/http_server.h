#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "http/router.h"

namespace beeline::http {

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0 takes one that is free; see HttpServer::port
  std::size_t connections_max = 256;
  // Further connections, for requests to `probe_paths` only: whoever watches the server must see it
  // when all other connections are taken.
  std::size_t probe_connections_max = 16;
  std::vector<std::string> probe_paths = {};
  std::uint32_t header_bytes_max = 16 << 10;
  std::uint64_t body_bytes_max = 4 << 20;
  // How long the head of a request may take, from its first byte or the beginning of the
  // connection.
  Milliseconds head_timeout{5'000};
  // How long the body may take, how long sending the answer may take, and how long a connection is
  // kept after it.
  Milliseconds timeout{30'000};
  // How many threads serve. Handlers of different connections run at the same time.
  int threads = 2;
  // Names under which the server may be asked, beside loopback and its address; see AllowedHosts.
  std::vector<std::string> hosts = {};
};

// Serves HTTP/1.1 on a few threads: what they have to do is short, and long waits are the handlers'
// business, whose responders answer from wherever the answer arises.
//
// What a client may cost is bounded: connections, bytes of headers (431) and body (413), and the
// time a request may take to arrive. When all places for connections are taken, a new connection
// takes the place of the one that has been waiting for its client for the longest time. When no
// connection waits for its client, all places are busy with requests; then a new connection gets
// one of the places for probes, and is told 503 when there is none.
//
// Threading: start and stop from one thread. Handlers run on the server's threads, several at the
// same time; the requests of one connection are handled one after the other.
class HttpServer {
 public:
  HttpServer(HttpOptions options, Router router);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and begins to serve. Throws IoError when the address cannot be had; its code tells why.
  void start();
  // Closes every connection and ends the threads. Responders that answer later do no harm.
  void stop();
  // The port that start() has bound.
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::http
