#pragma once

#include <absl/functional/any_invocable.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message.h"

namespace beeline::http {

// Takes the answer to one request, from any thread, at once or later. One that is destroyed without
// having answered answers 503: the command it waited for will not be answered any more.
class Responder {
 public:
  using Send = absl::AnyInvocable<void(Response)>;
  explicit Responder(Send send) : send_(std::move(send)) {}
  Responder(Responder&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
  Responder& operator=(Responder&&) = delete;
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;
  ~Responder();

  // At most once.
  void answer(Response response);

 private:
  Send send_;
};

// Called on a thread of the server: must not block. May throw: that is logged, and the responder
// answers as it is destroyed.
using Handler = absl::AnyInvocable<void(const Request&, Responder) const>;

// Finds who answers a request by its method and path.
//
//     router.add(Method::Get, "/jobs/{key}", [](const Request& request, Responder responder) {
//       responder.answer({.body = request.parameter("key")});
//     });
//
// A pattern is a path whose segments are text or a {name} that stands for any one segment. The last
// segment may be a *name that stands for the rest of the path, slashes and all: "/ui/*file" fits
// "/ui/", where `file` is empty, and "/ui/js/app.js", but not "/ui". A rest never has a segment "."
// or "..": such a path fits no *name.
//
// Where two patterns fit, the first segment in which they differ decides: text is taken before a
// {name}, and a {name} before a *name.
//
// Threading: dispatch may be called from any thread once all routes have been added.
class Router {
 public:
  // The pattern must not be there yet for this method.
  void add(Method method, std::string_view pattern, Handler handler);

  // Calls the handler of the request, or answers 404 or 405 itself. `method` is what the client
  // wrote; `request` has the rest of what it sent.
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
