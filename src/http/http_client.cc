#include "http/http_client.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace beeline::http {
namespace {

namespace beast = boost::beast;
namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;

// The steps of one request; each begins the next. They run on the context of the caller.
class Exchange {
 public:
  Exchange(asio::io_context& context, Milliseconds timeout) : stream_(context) {
    stream_.expires_after(timeout);
    parser_.body_limit(std::numeric_limits<std::uint64_t>::max());
  }

  void begin(const asio::ip::tcp::resolver::results_type& found, const std::string& authority,
             const std::string& target) {
    request_.method(beast::http::verb::get);
    request_.target(target);
    request_.version(11);
    request_.set(beast::http::field::host, authority);
    request_.keep_alive(false);
    stream_.async_connect(found, [this](ErrorCode error, const asio::ip::tcp::endpoint&) {
      if (error) return end(error);
      beast::http::async_write(stream_, request_, [this](ErrorCode write_error, std::size_t) {
        if (write_error) return end(write_error);
        beast::http::async_read(stream_, buffer_, parser_,
                                [this](ErrorCode read_error, std::size_t) { end(read_error); });
      });
    });
  }

  Result<Response, std::string> result() {
    if (error_) return failure(error_.message());
    auto message = parser_.release();
    const auto type = message[beast::http::field::content_type];
    return Response{.status = static_cast<int>(message.result_int()),
                    .content_type = std::string(type.data(), type.size()),
                    .body = std::move(message.body()),
                    .headers = {}};
  }

 private:
  void end(const ErrorCode& error) { error_ = error; }

  beast::tcp_stream stream_;
  beast::http::request<beast::http::empty_body> request_;
  beast::flat_buffer buffer_;
  beast::http::response_parser<beast::http::string_body> parser_;
  ErrorCode error_;
};

}  // namespace

Result<Response, std::string> get(const std::string& host, std::uint16_t port,
                                  const std::string& target, Milliseconds timeout) {
  asio::io_context context(1);
  ErrorCode error;
  asio::ip::tcp::resolver resolver(context);
  const auto found = resolver.resolve(host, std::to_string(port), error);
  if (error) return failure(error.message());
  const bool is_ipv6 = host.find(':') != std::string::npos;
  Exchange exchange(context, timeout);
  exchange.begin(
      found, fmt::format("{}{}{}:{}", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port), target);
  context.run();
  return exchange.result();
}

}  // namespace beeline::http
