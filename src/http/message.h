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

// Parses "GET", "POST", ...; returns nothing for a method that no route can have. The server
// answers HEAD like GET without the body.
[[nodiscard]] std::optional<Method> parse_method(std::string_view name);
[[nodiscard]] std::string_view name_of(Method method);

using NameValue = std::pair<std::string, std::string>;

struct Request {
  Method method = Method::Get;
  std::string path;   // percent-decoded, without the query
  std::string query;  // the text after the question mark, as it was sent
  std::vector<NameValue> headers;
  std::string body;
  std::vector<NameValue> parameters;  // the values of {name} in the route's pattern
  service::Principal principal;       // who sent it

  // Returns the value of a parameter of the route's pattern.
  [[nodiscard]] const std::string& parameter(std::string_view name) const;
  // Returns the value of the first header of this name, in any case; null if there is none.
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

// Takes the next piece of a streamed body, from any thread, at once or later. If it is destroyed
// unused, the connection is cut, so the client notices that the body is incomplete.
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

  // Call one of these, at most once. `bytes` must not be empty.
  void send(std::string bytes);
  void end();

 private:
  void give(Piece piece);

  Send send_;
};

// Makes a body piece by piece while it is being sent: for bodies that are too large for memory, and
// for bodies without an end, such as server-sent events.
//
// The connection pulls: it asks for a piece when it has sent the previous one. So a slow client
// slows its source down, and at most one piece of each body is in memory. A source is destroyed at
// the end of its body, or when the client goes away. The server notices that a client went away
// only when it sends something, so a source that may be silent for long should send something from
// time to time.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // Called on a thread of the server, never concurrently. It must not block.
  virtual void pull(PieceSink sink) = 0;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<NameValue> headers;
  // If set, the body comes from here, in chunks, and `body` is ignored.
  std::shared_ptr<BodySource> source = nullptr;
};

// Makes a problem (RFC 9457) as JSON; `detail` is a sentence for the client. The member `error`
// contains the sentence as well, because clients of the REST endpoints look for it there. `more`
// are further members with their texts.
[[nodiscard]] Response problem(
    int status, std::string_view detail,
    std::initializer_list<std::pair<std::string_view, std::string_view>> more = {});

// True if two texts are equal except for the case of ASCII letters.
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b);

// Returns the name of a status: "Not Found".
[[nodiscard]] std::string_view reason_of(int status);

}  // namespace beeline::http
