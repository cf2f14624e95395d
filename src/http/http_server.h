#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"
#include "http/router.h"

namespace beeline::http {

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0 takes one that is free; see HttpServer::port
  std::size_t connections_max = 256;
  std::uint32_t header_bytes_max = 16 << 10;
  std::uint64_t body_bytes_max = 4 << 20;
  // From the end of one answer to the last byte of the next request; also for sending the answer.
  Milliseconds timeout{30'000};
};

// Serves HTTP/1.1 on one thread: what it has to do is short, and long waits are the handlers'
// business, whose responders answer from wherever the answer arises.
//
// What a client may cost is bounded: connections (further ones are told 503 and closed), bytes of
// headers (431) and body (413), and the time a request may take to arrive.
//
// Threading: start and stop from one thread; handlers run on the server's.
class HttpServer {
 public:
  HttpServer(HttpOptions options, Router router);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and begins to serve. Throws IoError when the address cannot be had; its code tells why.
  void start();
  // Closes every connection and ends the thread. Responders that answer later do no harm.
  void stop();
  // The port that start() has bound.
  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace beeline::http
