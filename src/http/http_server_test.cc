#include "http/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <latch>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "base/io_error.h"

namespace beeline::http {
namespace {

// A connection that says exactly what the test says.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server has closed already; what it said can still be read
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // All until the server closes.
  std::string read_all() {
    std::string result;
    char block[4096];
    for (ssize_t size = 0; (size = ::recv(socket_, block, sizeof(block), 0)) > 0;) {
      result.append(block, static_cast<std::size_t>(size));
    }
    return result;
  }
  // Until `text` was seen.
  std::string read_until(std::string_view text) {
    std::string result;
    char c = 0;
    while (result.find(text) == std::string::npos && ::recv(socket_, &c, 1, 0) == 1) result += c;
    return result;
  }

 private:
  int socket_;
};

std::string get(const HttpServer& server, const std::string& path) {
  Client client(server.port());
  client.send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path));
  return client.read_all();
}

Router example() {
  Router router;
  router.add(Method::Get, "/hello/{name}", [](const Request& request, Responder responder) {
    responder.answer({.body = "hello " + request.parameter("name"), .headers = {}});
  });
  router.add(Method::Post, "/echo", [](const Request& request, Responder responder) {
    responder.answer({.status = 201, .body = request.body, .headers = {}});
  });
  router.add(Method::Get, "/throws",
             [](const Request&, Responder) { throw std::runtime_error("deliberately"); });
  router.add(Method::Get, "/elsewhere", [](const Request&, Responder responder) {
    std::thread([responder = std::move(responder)]() mutable {
      responder.answer({.body = "from another thread", .headers = {}});
    }).detach();
  });
  return router;
}

TEST(HttpServer, answers_by_route) {
  HttpServer server({}, example());
  server.start();
  const auto answer = get(server, "/hello/you");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\nhello you")) << answer;
  EXPECT_TRUE(get(server, "/elsewhere").ends_with("from another thread"));
}

TEST(HttpServer, keeps_a_connection_for_the_next_request) {
  HttpServer server({}, example());
  server.start();
  Client client(server.port());
  client.send("GET /hello/a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(client.read_until("hello a").find("200 OK"), std::string::npos);
  client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_NE(client.read_until("abc").find("201 Created"), std::string::npos);
  // Two at once, and one without a body in its answer.
  client.send("HEAD /hello/b HTTP/1.1\r\nHost: x\r\n\r\n");
  client.send("GET /hello/c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const auto rest = client.read_all();
  EXPECT_NE(rest.find("Content-Length: 7"), std::string::npos) << rest;
  EXPECT_EQ(rest.find("hello b"), std::string::npos) << rest;
  EXPECT_TRUE(rest.ends_with("hello c")) << rest;
}

TEST(HttpServer, answers_mistakes_as_json_with_a_sentence) {
  HttpServer server({}, example());
  server.start();
  const auto missing = get(server, "/nothing");
  EXPECT_TRUE(missing.starts_with("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_NE(missing.find("application/problem+json"), std::string::npos);
  EXPECT_NE(missing.find(R"("status":404,"detail":"There is nothing at '/nothing'.")"),
            std::string::npos);
  EXPECT_TRUE(get(server, "/echo").starts_with("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_TRUE(get(server, "/%zz").starts_with("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_TRUE(get(server, "/throws").starts_with("HTTP/1.1 503 Service Unavailable\r\n"));
  Client client(server.port());
  client.send("this is no request\r\n\r\n");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 400 Bad Request\r\n"));
}

TEST(HttpServer, bounds_headers_and_body) {
  HttpServer server({.header_bytes_max = 1000, .body_bytes_max = 10}, example());
  server.start();
  Client headers(server.port());
  headers.send("GET / HTTP/1.1\r\nX: " + std::string(2000, 'x'));
  EXPECT_TRUE(headers.read_all().starts_with("HTTP/1.1 431 "));
  Client body(server.port());
  body.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
  EXPECT_TRUE(body.read_all().starts_with("HTTP/1.1 413 "));
}

TEST(HttpServer, closes_a_connection_whose_request_does_not_arrive) {
  HttpServer server({.timeout = Milliseconds{20}}, example());
  server.start();
  Client client(server.port());
  client.send("GET /hel");
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, tells_503_to_those_beyond_the_limit_of_connections) {
  HttpServer server({.connections_max = 1}, example());
  server.start();
  Client first(server.port());
  first.send("GET /hello/a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(first.read_until("hello a"), "");
  Client second(server.port());
  EXPECT_TRUE(second.read_all().starts_with("HTTP/1.1 503 "));
}

TEST(HttpServer, a_port_in_use_is_an_error_with_its_code) {
  HttpServer first({}, example());
  first.start();
  HttpServer second({.port = first.port()}, example());
  try {
    second.start();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_EQ(error.code(), std::errc::address_in_use);
  }
}

TEST(HttpServer, an_answer_after_the_stop_does_no_harm) {
  auto kept = std::make_shared<std::optional<Responder>>();
  auto arrived = std::make_shared<std::latch>(1);
  Router router;
  router.add(Method::Get, "/", [kept, arrived](const Request&, Responder responder) {
    kept->emplace(std::move(responder));
    arrived->count_down();
  });
  HttpServer server({}, std::move(router));
  server.start();
  Client client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  arrived->wait();
  server.stop();
  EXPECT_EQ(client.read_all(), "");
  (*kept)->answer({.body = "late", .headers = {}});
}

}  // namespace
}  // namespace beeline::http
