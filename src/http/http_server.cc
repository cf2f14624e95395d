#include "http/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/io_error.h"
#include "base/log.h"
#include "http/hosts.h"
#include "http/target.h"

namespace beeline::http {
namespace {

namespace beast = boost::beast;
namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::string_view kTooManyConnections =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
constexpr std::chrono::milliseconds kLinger{2000};
constexpr std::size_t kDiscardBytes = 4096;
constexpr std::size_t kReadBytes = 4096;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr unsigned kHttp11 = 11;
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

// Returns what is wrong with a request that could not be read; nothing if there is no client to
// answer. `content_length` is the header of the request; empty if it has none.
std::optional<Response> unreadable(const ErrorCode& error, const HttpOptions& options,
                                   std::string_view content_length) {
  if (error == beast::http::error::header_limit) {
    return problem(431,
                   fmt::format("Expected at most {} bytes of headers.", options.header_bytes_max));
  }
  if (error == beast::http::error::body_limit) {
    return problem(
        413, fmt::format("Expected a body of at most {} bytes (message-size-max), but "
                         "it has {}.",
                         options.body_bytes_max, content_length.empty() ? "more" : content_length));
  }
  if (error == beast::http::error::end_of_stream || error == beast::error::timeout ||
      error == beast::http::error::partial_message ||
      error.category() != make_error_code(beast::http::error::bad_method).category()) {
    return std::nullopt;
  }
  return problem(400,
                 fmt::format("Expected an HTTP/1.1 request, but found a {}.", error.message()));
}

// Data that all connections of a server share. It outlives them.
struct Shared {
  const HttpOptions options;
  const Router router;
  const AllowedHosts hosts;
  const std::shared_ptr<asio::io_context> context;
};

enum class Place { Any, Probe };

// One connection. It lives during its asynchronous operations; answers refer to it by a weak
// pointer, so an answer that comes too late has no effect.
//
// Threading: all its code runs on its socket's strand, except waiting_since() and give_away(),
// which may be called from any thread.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  Session(const Shared& shared, Tcp::socket socket, Place place, absl::AnyInvocable<void()> on_end)
      : context_(shared.context),
        shared_(shared),
        options_(shared.options),
        stream_(std::move(socket)),
        place_(place),
        on_end_(std::move(on_end)) {}
  ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void begin() {
    wait_for_client(Clock::now());
    asio::dispatch(stream_.get_executor(), [self = shared_from_this()] { self->read_head(); });
  }

  // Returns since when the server waits for the head or the body of a request or for the client to
  // close the connection; nothing while a request is served.
  [[nodiscard]] std::optional<Clock::time_point> waiting_since() const {
    const Clock::rep since = waiting_since_;
    if (since == kServing || since == kGivenAway) return std::nullopt;
    return Clock::time_point(Clock::duration(since));
  }

  // Closes the connection if it still waits for its client; returns false if a request came
  // meanwhile.
  bool give_away() {
    Clock::rep since = waiting_since_;
    do {
      if (since == kServing || since == kGivenAway) return false;
    } while (!waiting_since_.compare_exchange_weak(since, kGivenAway));
    asio::post(stream_.get_executor(), [self = shared_from_this()] { self->close(); });
    return true;
  }

  void close() {
    ErrorCode ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
    stream_.close();
    source_.reset();
    if (auto on_end = std::exchange(on_end_, nullptr)) on_end();
  }

 private:
  // Values of waiting_since_ that are not times, which are positive.
  static constexpr Clock::rep kServing = -1;
  static constexpr Clock::rep kGivenAway = -2;

  // From now on a new connection may replace this one.
  void wait_for_client(Clock::time_point since) {
    waiting_since_ = since.time_since_epoch().count();
  }

  // Returns false if the place was given away while the server waited for the client.
  bool begin_to_serve() { return waiting_since_.exchange(kServing) != kGivenAway; }

  // The connection is kept: the next request may begin late, but must then arrive in time.
  void await_next() {
    wait_for_client(answered_at_);
    if (buffer_.size() > 0) return read_head();
    stream_.expires_after(options_.timeout);
    stream_.async_read_some(buffer_.prepare(kReadBytes),
                            [self = shared_from_this()](ErrorCode error, std::size_t count) {
                              if (error) return self->close();
                              self->buffer_.commit(count);
                              self->read_head();
                            });
  }

  void read_head() {
    is_head_ = false;
    parser_.emplace();
    parser_->header_limit(options_.header_bytes_max);
    parser_->body_limit(options_.body_bytes_max);
    stream_.expires_after(options_.head_timeout);
    beast::http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_head(error); });
  }

  void on_head(const ErrorCode& error) {
    if (!begin_to_serve()) return close();
    if (error) return on_unreadable(error);
    const auto& head = parser_->get();
    keep_alive_ = head.keep_alive() && place_ == Place::Any;
    is_head_ = head.method() == beast::http::verb::head;
    headers_.clear();
    for (const auto& field : head) {
      headers_.emplace_back(view(field.name_string()), view(field.value()));
    }
    if (auto response = refuse_head()) return refuse(*std::move(response));
    stream_.expires_after(options_.timeout);
    const auto expectation = head.find(beast::http::field::expect);
    if (expectation == head.end() || head.version() < kHttp11) return read_body();
    if (!equals_ignoring_case(view(expectation->value()), "100-continue")) {
      return refuse(problem(
          417, fmt::format("Expected the header Expect to be '100-continue', but it is '{}'.",
                           view(expectation->value()))));
    }
    asio::async_write(stream_, asio::buffer(kContinue),
                      [self = shared_from_this()](ErrorCode write_error, std::size_t) {
                        if (write_error) return self->close();
                        self->read_body();
                      });
  }

  // Returns the answer to a request that is refused by its head alone.
  [[nodiscard]] std::optional<Response> refuse_head() {
    const auto& head = parser_->get();
    if (head.version() >= kHttp11 && head.find(beast::http::field::host) == head.end()) {
      return problem(400, "Expected a header Host, which HTTP/1.1 requires, but there is none.");
    }
    ErrorCode ignored;
    const auto local = stream_.socket().local_endpoint(ignored).address().to_string();
    if (auto response = shared_.hosts.refuse(headers_, local)) return response;
    if (place_ == Place::Any) return std::nullopt;
    const bool is_read = is_head_ || head.method() == beast::http::verb::get;
    const auto target = parse_target(view(head.target()));
    const bool is_probe = target && std::ranges::find(options_.probe_paths, target->path) !=
                                        options_.probe_paths.end();
    if (is_read && is_probe && parser_->is_done()) return std::nullopt;
    return problem(503, fmt::format("All {} connections (http-connections-max) are busy; try again "
                                    "later.",
                                    options_.connections_max));
  }

  // The body is not read, so the connection cannot be kept.
  void refuse(Response response) {
    keep_alive_ = false;
    write(std::move(response));
  }

  void read_body() {
    if (parser_->is_done()) return serve();
    wait_for_client(Clock::now());
    beast::http::async_read(stream_, buffer_, *parser_,
                            [self = shared_from_this()](ErrorCode error, std::size_t) {
                              if (!self->begin_to_serve()) return self->close();
                              if (error) return self->on_unreadable(error);
                              self->serve();
                            });
  }

  void on_unreadable(const ErrorCode& error) {
    auto response =
        unreadable(error, options_, view(parser_->get()[beast::http::field::content_length]));
    if (!response) return close();
    refuse(*std::move(response));  // the place where the next request begins is unknown
  }

  void serve() {
    auto& message = parser_->get();
    auto target = parse_target(view(message.target()));
    if (!target) return write(problem(400, target.error()));
    Request request;
    request.path = std::move(target->path);
    request.query = std::move(target->query);
    request.body = std::move(message.body());
    request.headers = std::move(headers_);
    stream_.expires_never();  // the handler decides how long the answer takes
    try {
      shared_.router.dispatch(view(message.method_string()), std::move(request), make_responder());
    } catch (const std::exception& failure) {
      log::error("Answering {} {} failed: {}", view(message.method_string()),
                 view(message.target()), failure.what());
    }
  }

  [[nodiscard]] Responder make_responder() {
    return Responder([weak = weak_from_this()](Response response) {
      const auto self = weak.lock();
      if (!self) return;
      asio::post(self->stream_.get_executor(), [self, response = std::move(response)]() mutable {
        self->write(std::move(response));
      });
    });
  }

  void fill_head(beast::http::response_header<>& head, const Response& response) const {
    head.version(11);
    head.result(static_cast<unsigned>(response.status));
    head.reason(std::string(reason_of(response.status)));
    head.set(beast::http::field::server, "beeline");
    head.set(beast::http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) head.set(name, value);
  }

  void expire_write() {
    stream_.expires_after(place_ == Place::Any ? options_.timeout : options_.head_timeout);
  }

  void write(Response response) {
    answered_at_ = Clock::now();
    if (response.source) return write_streamed(std::move(response));
    message_ = {};
    fill_head(message_, response);
    message_.keep_alive(keep_alive_);
    message_.body() = std::move(response.body);
    message_.prepare_payload();
    if (is_head_) message_.body().clear();  // Content-Length stays that of the answer to GET
    expire_write();
    serializer_.emplace(message_);
    serializer_->split(is_head_);
    auto then = [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_sent(error); };
    if (is_head_) {
      beast::http::async_write_header(stream_, *serializer_, std::move(then));
    } else {
      beast::http::async_write(stream_, *serializer_, std::move(then));
    }
  }

  void on_sent(const ErrorCode& error) {
    if (error) return close();
    if (!keep_alive_) return linger();
    await_next();
  }

  // --- streamed bodies ---

  // HTTP/1.0 has no chunks; there the body ends with the connection.
  void write_streamed(Response response) {
    is_chunked_ = parser_->get().version() >= kHttp11;
    if (!is_chunked_) keep_alive_ = false;
    head_ = {};
    fill_head(head_, response);
    head_.keep_alive(keep_alive_);
    if (is_chunked_) head_.chunked(true);
    if (!is_head_) source_ = std::move(response.source);
    expire_write();
    head_serializer_.emplace(head_);
    beast::http::async_write_header(stream_, *head_serializer_,
                                    [self = shared_from_this()](ErrorCode error, std::size_t) {
                                      if (error || !self->source_) return self->on_sent(error);
                                      self->pull();
                                    });
  }

  void pull() {
    stream_.expires_never();  // the source decides how long the next piece takes
    PieceSink sink([weak = weak_from_this()](PieceSink::Piece piece) {
      const auto self = weak.lock();
      if (!self) return;
      asio::post(self->stream_.get_executor(), [self, piece = std::move(piece)]() mutable {
        self->write_piece(std::move(piece));
      });
    });
    try {
      source_->pull(std::move(sink));
    } catch (const std::exception& failure) {
      log::error("Making the body of an answer failed: {}", failure.what());
    }
  }

  void write_piece(PieceSink::Piece piece) {
    if (!source_) return;  // closed meanwhile
    switch (piece.kind) {
      case PieceSink::Kind::Cut:
        return close();
      case PieceSink::Kind::End:
        answered_at_ = Clock::now();
        source_.reset();
        if (!is_chunked_) return on_sent({});
        expire_write();
        return asio::async_write(
            stream_, beast::http::make_chunk_last(),
            [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_sent(error); });
      case PieceSink::Kind::More:
        break;
    }
    piece_ = std::move(piece.bytes);
    expire_write();
    auto then = [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      if (self->source_) self->pull();
    };
    if (is_chunked_) {
      asio::async_write(stream_, beast::http::make_chunk(asio::buffer(piece_)), std::move(then));
    } else {
      asio::async_write(stream_, asio::buffer(piece_), std::move(then));
    }
  }

  // Closing while bytes are unread would reset the connection, and the client might lose the answer
  // that explains what was wrong. So the server discards further bytes until the client closes as
  // well.
  void linger() {
    ErrorCode ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    wait_for_client(answered_at_);
    stream_.expires_after(std::min<std::chrono::milliseconds>(options_.timeout, kLinger));
    discard();
  }

  void discard() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kDiscardBytes),
                            [self = shared_from_this()](ErrorCode error, std::size_t) {
                              if (error) return self->close();
                              self->discard();
                            });
  }

  // This member is the first, so it is destroyed last: the socket belongs to it.
  const std::shared_ptr<asio::io_context> context_;
  const Shared& shared_;
  const HttpOptions& options_;
  beast::tcp_stream stream_;
  const Place place_;
  absl::AnyInvocable<void()> on_end_;
  std::atomic<Clock::rep> waiting_since_{kServing};
  // The time when the last answer was ready. The client may receive it before the server is
  // notified that it was sent, so the wait for the client begins here.
  Clock::time_point answered_at_;
  std::vector<NameValue> headers_;
  beast::flat_buffer buffer_;
  std::optional<beast::http::request_parser<beast::http::string_body>> parser_;
  beast::http::response<beast::http::string_body> message_;
  std::optional<beast::http::response_serializer<beast::http::string_body>> serializer_;
  bool keep_alive_ = false;
  bool is_head_ = false;

  // For a streamed body; the source exists from the head of the answer to the end of the body.
  beast::http::response<beast::http::empty_body> head_;
  std::optional<beast::http::response_serializer<beast::http::empty_body>> head_serializer_;
  std::shared_ptr<BodySource> source_;
  std::string piece_;
  bool is_chunked_ = false;
};

}  // namespace

// Threading: the acceptor and the map of sessions belong to one strand, each session to its own.
class HttpServer::Impl {
 public:
  Impl(HttpOptions options, Router router)
      : context_(std::make_shared<asio::io_context>(options.threads)),
        shared_(make_shared_parts(std::move(options), std::move(router), context_)),
        strand_(asio::make_strand(*context_)),
        acceptor_(strand_),
        pause_(strand_) {}

  void start() {
    bind();
    asio::post(strand_, [this] { accept(); });
    for (int i = 0; i < shared_.options.threads; ++i) {
      threads_.emplace_back([this] { context_->run(); });
    }
  }

  void stop() {
    if (threads_.empty()) return;
    context_->stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    // No code runs on the strands now, so everything can be closed from here.
    acceptor_.close();
    pause_.cancel();
    for (const auto& [id, session] : std::exchange(sessions_, {})) session->close();
    // Destroys handlers that were posted meanwhile, which would otherwise keep context and session
    // alive.
    context_->restart();
    context_->poll();
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  static Shared make_shared_parts(HttpOptions options, Router router,
                                  std::shared_ptr<asio::io_context> context) {
    std::vector<std::string> hosts = options.hosts;
    hosts.push_back(options.address.host);
    return {std::move(options), std::move(router), AllowedHosts(std::move(hosts)),
            std::move(context)};
  }

  void bind() {
    const HttpOptions& options = shared_.options;
    try {
      Tcp::resolver resolver(*context_);
      const auto found = resolver.resolve(
          options.address.host, std::to_string(options.address.port), Tcp::resolver::passive);
      const Tcp::endpoint endpoint = found.begin()->endpoint();
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(asio::socket_base::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
      port_ = acceptor_.local_endpoint().port();
    } catch (const boost::system::system_error& error) {
      const bool is_errno = error.code().category() == boost::system::system_category();
      throw IoError(is_errno ? error.code().value() : EADDRNOTAVAIL,
                    fmt::format("{}:{}", options.address.host, options.address.port));
    }
  }

  void accept() {
    acceptor_.async_accept(
        asio::make_strand(*context_),
        asio::bind_executor(strand_, [this](ErrorCode error, Tcp::socket socket) {
          if (!acceptor_.is_open()) return;
          if (error) return pause();
          begin(std::move(socket));
          accept();
        }));
  }

  // Accepting fails while there are no file descriptors. Trying again at once would waste the CPU
  // time that the connections need to end and free some.
  void pause() {
    close_longest_waiting();
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](ErrorCode error) {
      if (!error) accept();
    });
  }

  void begin(Tcp::socket socket) {
    ErrorCode ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    const HttpOptions& options = shared_.options;
    if (sessions_.size() >= options.connections_max) close_longest_waiting();
    if (sessions_.size() >= options.connections_max + options.probe_connections_max) {
      socket.non_blocking(true, ignored);
      socket.write_some(asio::buffer(kTooManyConnections), ignored);
      return;
    }
    const Place place = sessions_.size() < options.connections_max ? Place::Any : Place::Probe;
    const std::uint64_t id = next_id_++;
    const auto session = std::make_shared<Session>(shared_, std::move(socket), place, [this, id] {
      asio::dispatch(strand_, [this, id] { sessions_.erase(id); });
    });
    sessions_.emplace(id, session);
    session->begin();
  }

  // The place is free at once; the session closes its connection when its strand runs. A session
  // that gets a request at this moment is skipped.
  void close_longest_waiting() {
    for (;;) {
      auto longest = sessions_.end();
      std::optional<Session::Clock::time_point> longest_since;
      for (auto each = sessions_.begin(); each != sessions_.end(); ++each) {
        const auto since = each->second->waiting_since();
        if (since && (!longest_since || *since < *longest_since)) {
          longest = each;
          longest_since = since;
        }
      }
      if (longest == sessions_.end()) return;
      if (longest->second->give_away()) {
        sessions_.erase(longest);
        return;
      }
    }
  }

  const std::shared_ptr<asio::io_context> context_;
  const Shared shared_;
  const asio::strand<asio::io_context::executor_type> strand_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::uint16_t port_ = 0;
  std::uint64_t next_id_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  std::vector<std::thread> threads_;
};

HttpServer::HttpServer(HttpOptions options, Router router)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(router))) {}
HttpServer::~HttpServer() {
  stop();
}
void HttpServer::start() {
  impl_->start();
}
void HttpServer::stop() {
  impl_->stop();
}
std::uint16_t HttpServer::port() const {
  return impl_->port();
}

}  // namespace beeline::http
