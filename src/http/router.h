#pragma once

#include <absl/functional/any_invocable.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message.h"

namespace beeline::http {

// Takes the answer to one request, from any thread, at once or later. A responder that is destroyed
// without an answer answers 503, because then the command that it waited for will never be
// answered.
class Responder {
 public:
  using Send = absl::AnyInvocable<void(Response)>;
  explicit Responder(Send send) : send_(std::move(send)) {}
  Responder(Responder&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
  Responder& operator=(Responder&&) = delete;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder();

  // Call it at most once.
  void answer(Response response);

 private:
  Send send_;
};

// Called on a thread of the server, so it must not block. If it throws, the exception is logged,
// and the responder answers when it is destroyed.
using Handler = absl::AnyInvocable<void(const Request&, Responder) const>;

// Finds the handler of a request by method and path.
//
//     router.add(Method::Get, "/jobs/{key}", [](const Request& request, Responder responder) {
//       responder.answer({.body = request.parameter("key")});
//     });
//
// A pattern is a path whose segments are text or a {name} that matches any one segment. The last
// segment may be a *name that matches the rest of the path with its slashes: "/ui/*file" matches
// "/ui/", with an empty `file`, and "/ui/js/app.js", but not "/ui". A *name does not match a rest
// with a segment "." or "..".
//
// If two patterns match, the first segment in which they differ decides: text is preferred to a
// {name}, and a {name} to a *name.
//
// Threading: dispatch may be called from any thread once all routes have been added.
class Router {
 public:
  // The pattern must not exist yet for this method.
  void add(Method method, std::string_view pattern, Handler handler);

  // Calls the handler of the request, or answers 404 or 405 itself. `method` is the method as the
  // client wrote it; `request` contains the rest of the request.
  void dispatch(std::string_view method, Request request, Responder responder) const;

 private:
  // In the order in which they are preferred.
  enum class SegmentKind { Text, Parameter, Rest };
  struct Segment {
    SegmentKind kind = SegmentKind::Text;
    std::string text;  // or the parameter's name
    bool operator==(const Segment&) const = default;
  };
  struct Route {
    Method method;
    std::vector<Segment> segments;
    Handler handler;
  };

  [[nodiscard]] static Segment parse_segment(std::string_view text);
  [[nodiscard]] static bool fits(const Route& route, const std::vector<std::string_view>& path);
  [[nodiscard]] static bool is_closer(const Route& a, const Route& b);

  std::vector<Route> routes_;
};

}  // namespace beeline::http
