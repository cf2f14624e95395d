#pragma once

#include <absl/functional/any_invocable.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/principal.h"

namespace beeline::http {

enum class Method { Get, Post, Put, Patch, Delete };

// "GET", "POST", ...; nothing for a method that no route can have. HEAD is answered as GET without
// its body, which the server sees to.
[[nodiscard]] std::optional<Method> parse_method(std::string_view name);
[[nodiscard]] std::string_view name_of(Method method);

using NameValue = std::pair<std::string, std::string>;

struct Request {
  Method method = Method::Get;
  std::string path;   // percent-decoded, without the query
  std::string query;  // what is behind the question mark, as it was sent
  std::vector<NameValue> headers;
  std::string body;
  std::vector<NameValue> parameters;  // what stood for {name} in the route's pattern
  service::Principal principal;       // who sent it

  // The value of a parameter that the route's pattern has.
  [[nodiscard]] const std::string& parameter(std::string_view name) const;
  // The value of the first header of this name, in whatever case; null when there is none.
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

// Takes the next piece of a streamed body, from any thread, at once or later. One that is destroyed
// without having been given anything cuts the connection, so that the client can tell that the body
// is not complete.
class PieceSink {
 public:
  enum class Kind { More, End, Cut };
  struct Piece {
    Kind kind = Kind::Cut;
    std::string bytes;
  };
  using Send = absl::AnyInvocable<void(Piece)>;

  explicit PieceSink(Send send) : send_(std::move(send)) {}
  PieceSink(PieceSink&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
  PieceSink& operator=(PieceSink&&) = delete;
  PieceSink(const PieceSink&) = delete;
  PieceSink& operator=(const PieceSink&) = delete;
  ~PieceSink();

  // One of these, at most once. `bytes` is not empty.
  void send(std::string bytes);
  void end();

 private:
  void give(Piece piece);

  Send send_;
};

// Makes a body piece by piece while it is being sent: for bodies that are too large to be held, and
// for those that have no end, such as server-sent events.
//
// The connection pulls: it asks for a piece when it has sent the one before, so that a slow client
// slows its source down and at most one piece of each body is held. A source is destroyed with the
// end of its body, or when the client goes away. Leaving is noticed when something is sent, so that
// a source which may be silent for long sends something now and then.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // Called on a thread of the server, never twice at the same time: must not block.
  virtual void pull(PieceSink sink) = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<NameValue> headers;
  // If set, the body comes from here, in chunks, and `body` is not looked at.
  std::shared_ptr<BodySource> source = nullptr;
};

// A problem (RFC 9457) as JSON; `detail` is a sentence for whoever sent the request. The sentence
// is in the member `error` as well, where clients of the REST endpoints look for it. `more` are
// further members, with their texts.
[[nodiscard]] Response problem(
    int status, std::string_view detail,
    std::initializer_list<std::pair<std::string_view, std::string_view>> more = {});

// Whether two texts are the same but for the case of ASCII letters.
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b);

// What a status is called: "Not Found".
[[nodiscard]] std::string_view reason_of(int status);

}  // namespace beeline::http
