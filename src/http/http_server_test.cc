#include "http/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/io_error.h"

namespace beeline::http {
namespace {

// A connection that sends exactly the bytes of the test.
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
      if (sent <= 0) return;  // the server has closed already; its answer can still be read
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Reads until the server closes.
  std::string read_all() {
    std::string result;
    char block[4096];
    for (ssize_t size = 0; (size = ::recv(socket_, block, sizeof(block), 0)) > 0;) {
      result.append(block, static_cast<std::size_t>(size));
    }
    return result;
  }
  // Reads until `text` was seen.
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
  client.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path));
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
  client.send("GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(client.read_until("hello a").find("200 OK"), std::string::npos);
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_NE(client.read_until("abc").find("201 Created"), std::string::npos);
  // Two requests at once, one of them with an answer without a body.
  client.send("HEAD /hello/b HTTP/1.1\r\nHost: localhost\r\n\r\n");
  client.send("GET /hello/c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
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
  EXPECT_NE(get(server, "/echo").find(R"("error":"Expected one of the methods POST)"),
            std::string::npos);
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
  body.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n");
  const auto refused = body.read_all();
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 413 "));
  EXPECT_NE(
      refused.find(
          R"("error":"Expected a body of at most 10 bytes (message-size-max), but it has 11.")"),
      std::string::npos)
      << refused;
}

TEST(HttpServer, closes_a_connection_whose_request_does_not_arrive) {
  HttpServer server({.head_timeout = Milliseconds{20}, .timeout = Milliseconds{60'000}}, example());
  server.start();
  Client client(server.port());
  client.send("GET /hel");
  EXPECT_EQ(client.read_all(), "");
  Client silent(server.port());
  EXPECT_EQ(silent.read_all(), "");
  // The time starts again for the next request of a connection, with its first byte.
  Client kept(server.port());
  kept.send("GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(kept.read_until("hello a"), "");
  kept.send("GET /hel");
  EXPECT_EQ(kept.read_all(), "");
}

TEST(HttpServer, closes_a_connection_whose_body_does_not_arrive) {
  HttpServer server({.timeout = Milliseconds{20}}, example());
  server.start();
  Client client(server.port());
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na");
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, a_new_connection_takes_the_place_of_the_one_that_waits_longest) {
  // There is one thread, so the first connection waits before the second one is accepted.
  HttpServer server({.connections_max = 2, .head_timeout = Milliseconds{60'000}, .threads = 1},
                    example());
  server.start();
  Client kept(server.port());
  kept.send("GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(kept.read_until("hello a"), "");
  Client half_open(server.port());
  half_open.send("GET /hel");
  EXPECT_TRUE(get(server, "/hello/b").ends_with("hello b"));
  EXPECT_EQ(kept.read_all(), "");
  half_open.send("lo/c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(half_open.read_all().ends_with("hello c"));
}

TEST(HttpServer, a_new_connection_takes_the_place_of_one_whose_body_does_not_arrive) {
  // There is one thread, so the first connection waits for its body before the second one is
  // accepted.
  HttpServer server({.connections_max = 1, .threads = 1}, example());
  server.start();
  Client half_open(server.port());
  half_open.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "3\r\n\r\n");
  EXPECT_NE(half_open.read_until("100 Continue"), "");
  EXPECT_TRUE(get(server, "/hello/b").ends_with("hello b"));
  half_open.send("abc");
  EXPECT_EQ(half_open.read_all().find("abc"), std::string::npos);
}

// Requests to /held are held until the test ends.
class BusyHttpServer : public testing::Test {
 protected:
  BusyHttpServer() : server({.connections_max = 1, .probe_paths = {"/hello/probe"}}, router()) {
    server.start();
    busy.emplace(server.port());
    busy->send("GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n");
    arrived->wait();
  }
  Router router() {
    Router result = example();
    result.add(Method::Get, "/held",
               [kept = kept, arrived = arrived](const Request&, Responder responder) {
                 kept->push_back(std::move(responder));
                 arrived->count_down();
               });
    return result;
  }

  std::shared_ptr<std::vector<Responder>> kept = std::make_shared<std::vector<Responder>>();
  std::shared_ptr<std::latch> arrived = std::make_shared<std::latch>(1);
  HttpServer server;
  std::optional<Client> busy;
};

TEST_F(BusyHttpServer, keeps_places_for_probes) {
  const auto refused = get(server, "/hello/you");
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 503 ")) << refused;
  EXPECT_NE(refused.find("All 1 connections (http-connections-max) are busy"), std::string::npos);
  const auto probed = get(server, "/hello/probe");
  EXPECT_TRUE(probed.starts_with("HTTP/1.1 200 ")) << probed;
  // A probe has no body, so it cannot be slow.
  Client slow(server.port());
  slow.send("GET /hello/probe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n");
  EXPECT_TRUE(slow.read_all().starts_with("HTTP/1.1 503 "));
}

TEST_F(BusyHttpServer, half_open_connections_do_not_take_the_places_for_probes) {
  std::vector<std::unique_ptr<Client>> half_open;
  for (int i = 0; i < 40; ++i) {
    half_open.push_back(std::make_unique<Client>(server.port()));
    half_open.back()->send("GET /hel");
  }
  EXPECT_TRUE(get(server, "/hello/probe").starts_with("HTTP/1.1 200 "));
}

TEST(HttpServer, tells_503_to_those_beyond_all_places) {
  auto kept = std::make_shared<std::vector<Responder>>();
  auto arrived = std::make_shared<std::latch>(1);
  Router router;
  router.add(Method::Get, "/", [kept, arrived](const Request&, Responder responder) {
    kept->push_back(std::move(responder));
    arrived->count_down();
  });
  HttpServer server({.connections_max = 1, .probe_connections_max = 0}, std::move(router));
  server.start();
  Client first(server.port());
  first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  arrived->wait();
  Client second(server.port());
  EXPECT_TRUE(second.read_all().starts_with("HTTP/1.1 503 "));
}

TEST(HttpServer, serves_only_under_its_own_names) {
  HttpServer server({.hosts = {"beeline.example"}}, example());
  server.start();
  const auto status_with = [&](std::string_view headers) {
    Client client(server.port());
    client.send(fmt::format("GET /hello/a HTTP/1.1\r\n{}Connection: close\r\n\r\n", headers));
    return client.read_all().substr(9, 3);
  };
  EXPECT_EQ(status_with("Host: 127.0.0.1\r\n"), "200");
  EXPECT_EQ(status_with("Host: beeline.example\r\n"), "200");
  EXPECT_EQ(status_with("Host: rebound.example\r\n"), "421");
  EXPECT_EQ(status_with("Host: localhost\r\nOrigin: http://rebound.example\r\n"), "421");
  EXPECT_EQ(status_with(""), "400");
  Client old(server.port());
  old.send("GET /hello/a HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(old.read_all().ends_with("hello a"));
}

TEST(HttpServer, tells_a_client_that_expects_it_to_continue) {
  HttpServer server({.body_bytes_max = 10}, example());
  server.start();
  Client client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: "
      "100-continue\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_TRUE(client.read_all().ends_with("\r\n\r\nabc"));
  Client large(server.port());
  large.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\nExpect: "
      "100-continue\r\n\r\n");
  EXPECT_TRUE(large.read_all().starts_with("HTTP/1.1 413 "));
  Client other(server.port());
  other.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n");
  EXPECT_TRUE(other.read_all().starts_with("HTTP/1.1 417 "));
}

// Returns one piece after the other, the first ones at once and the others from another thread.
class ListSource final : public BodySource {
 public:
  explicit ListSource(std::vector<std::string> pieces, bool complete = true)
      : pieces_(std::move(pieces)), complete_(complete) {}
  void pull(PieceSink sink) override {
    if (next_ == pieces_.size()) {
      if (complete_) sink.end();
      return;
    }
    std::string piece = pieces_[next_++];
    if (next_ == 1) return sink.send(std::move(piece));
    std::thread([piece = std::move(piece), sink = std::move(sink)]() mutable {
      sink.send(std::move(piece));
    }).detach();
  }

 private:
  const std::vector<std::string> pieces_;
  const bool complete_;
  std::size_t next_ = 0;
};

Router streaming(bool complete = true) {
  Router router = example();
  router.add(Method::Get, "/stream", [complete](const Request&, Responder responder) {
    responder.answer(
        {.content_type = "text/plain",
         .body = {},
         .headers = {},
         .source = std::make_shared<ListSource>(
             std::vector<std::string>{"one ", "two ", std::string(20, '3')}, complete)});
  });
  return router;
}

TEST(HttpServer, streams_a_body_in_chunks_and_keeps_the_connection) {
  HttpServer server({}, streaming());
  server.start();
  Client client(server.port());
  client.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string answer = client.read_until("0\r\n\r\n");
  EXPECT_NE(answer.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << answer;
  EXPECT_EQ(answer.find("Content-Length"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n4\r\none \r\n4\r\ntwo \r\n14\r\n" + std::string(20, '3') +
                               "\r\n0\r\n\r\n"))
      << answer;
  client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(client.read_until("\r\n\r\n").find("chunked"), std::string::npos);
  client.send("GET /hello/c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string rest = client.read_all();
  EXPECT_TRUE(rest.starts_with("HTTP/1.1 200 OK")) << rest;
  EXPECT_TRUE(rest.ends_with("hello c")) << rest;
}

TEST(HttpServer, streams_to_an_old_client_until_the_connection_ends) {
  HttpServer server({}, streaming());
  server.start();
  Client client(server.port());
  client.send("GET /stream HTTP/1.0\r\n\r\n");
  const std::string answer = client.read_all();
  EXPECT_EQ(answer.find("chunked"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\none two " + std::string(20, '3'))) << answer;
}

TEST(HttpServer, a_body_that_is_not_completed_is_cut) {
  HttpServer server({}, streaming(false));
  server.start();
  Client client(server.port());
  client.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string answer = client.read_all();
  EXPECT_TRUE(answer.ends_with(std::string(20, '3') + "\r\n")) << answer;
}

TEST(HttpServer, a_client_that_takes_nothing_stops_its_source_and_loses_it) {
  struct Endless final : BodySource {
    Endless(std::atomic<int>& pulls_in, std::latch& gone_in) : pulls(pulls_in), gone(gone_in) {}
    ~Endless() override { gone.count_down(); }
    void pull(PieceSink sink) override {
      ++pulls;
      sink.send(std::string(std::size_t{1} << 20, 'x'));
    }
    std::atomic<int>& pulls;
    std::latch& gone;
  };
  std::atomic<int> pulls = 0;
  std::latch gone(1);
  Router router;
  router.add(Method::Get, "/", [&](const Request&, Responder responder) {
    responder.answer({.body = {}, .headers = {}, .source = std::make_shared<Endless>(pulls, gone)});
  });
  HttpServer server({.timeout = Milliseconds{50}}, std::move(router));
  server.start();
  Client client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  gone.wait();
  // The buffers of the two sockets have room for some pieces.
  EXPECT_GE(pulls, 1);
  EXPECT_LT(pulls, 64);
}

TEST(HttpServer, serves_connections_on_several_threads) {
  constexpr int kThreads = 3;
  // Each handler blocks until all of them run.
  std::latch all(kThreads);
  Router router;
  router.add(Method::Get, "/", [&all](const Request&, Responder responder) {
    all.arrive_and_wait();
    responder.answer({.body = "together", .headers = {}});
  });
  HttpServer server({.threads = kThreads}, std::move(router));
  server.start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < kThreads; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    clients.back()->send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }
  for (const auto& client : clients) EXPECT_TRUE(client->read_all().ends_with("together"));
}

TEST(HttpServer, connections_come_and_go_on_all_threads) {
  HttpServer server({.connections_max = 4, .threads = 4}, example());
  server.start();
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        // A waiting connection may lose its place to another one, but no connection gets half an
        // answer.
        Client client(server.port());
        client.send("GET /hello/you HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        const std::string answer = client.read_all();
        EXPECT_TRUE(answer.empty() || answer.ends_with("hello you") ||
                    answer.starts_with("HTTP/1.1 503 "))
            << answer;
      }
    });
  }
  for (std::thread& user : users) user.join();
}

TEST(HttpServer, a_port_in_use_is_an_error_with_its_code) {
  HttpServer first({}, example());
  first.start();
  HttpServer second({.address = {.port = first.port()}}, example());
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
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  arrived->wait();
  server.stop();
  EXPECT_EQ(client.read_all(), "");
  (*kept)->answer({.body = "late", .headers = {}});
}

}  // namespace
}  // namespace beeline::http
