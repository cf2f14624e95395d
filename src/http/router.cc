#include "http/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace beeline::http {
namespace {

// "/a/b" has the segments "a" and "b", "/" has one that is empty.
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> result;
  if (path.starts_with('/')) path.remove_prefix(1);
  for (;;) {
    const std::size_t slash = path.find('/');
    result.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return result;
    path.remove_prefix(slash + 1);
  }
}

Response method_not_allowed(std::string_view method, const Request& request,
                            std::string_view allowed) {
  auto response =
      problem(405, fmt::format("Expected one of the methods {} for '{}', but it was {}.", allowed,
                               request.path, method));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

}  // namespace

Responder::~Responder() {
  if (send_) {
    send_(problem(503, "The request was not answered; it may or may not have been carried out."));
  }
}

void Responder::answer(Response response) {
  BEELINE_CHECK(send_, "a request was answered twice");
  auto send = std::exchange(send_, nullptr);
  send(std::move(response));
}

void Router::add(Method method, std::string_view pattern, Handler handler) {
  Route route{.method = method, .segments = {}, .handler = std::move(handler)};
  for (const auto segment : split(pattern)) {
    BEELINE_CHECK(route.segments.empty() || route.segments.back().kind != SegmentKind::Rest,
                  "in the pattern {} something follows the rest of the path", pattern);
    route.segments.push_back(parse_segment(segment));
  }
  const bool is_new = std::ranges::none_of(routes_, [&](const Route& other) {
    return other.method == method && other.segments == route.segments;
  });
  BEELINE_CHECK(is_new, "two routes for {} {}", name_of(method), pattern);
  routes_.push_back(std::move(route));
}

void Router::dispatch(std::string_view method, Request request, Responder responder) const {
  const auto wanted = parse_method(method == "HEAD" ? "GET" : method);
  const auto path = split(request.path);
  const Route* best = nullptr;
  std::string allowed;
  for (const auto& route : routes_) {
    if (!fits(route, path)) continue;
    if (route.method != wanted) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", name_of(route.method));
    } else if (best == nullptr || is_closer(route, *best)) {
      best = &route;
    }
  }
  if (best == nullptr) {
    responder.answer(allowed.empty()
                         ? problem(404, fmt::format("There is nothing at '{}'.", request.path))
                         : method_not_allowed(method, request, allowed));
    return;
  }
  request.method = *wanted;
  for (std::size_t i = 0; i < best->segments.size(); ++i) {
    const auto& [kind, name] = best->segments[i];
    if (kind == SegmentKind::Parameter) request.parameters.emplace_back(name, path[i]);
    // The rest extends from its first segment to the end of the path.
    if (kind == SegmentKind::Rest) {
      request.parameters.emplace_back(
          name, std::string_view(path[i].data(), path.back().data() + path.back().size()));
    }
  }
  best->handler(request, std::move(responder));
}

Router::Segment Router::parse_segment(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) {
    return {SegmentKind::Parameter, std::string(text.substr(1, text.size() - 2))};
  }
  if (text.starts_with('*')) return {SegmentKind::Rest, std::string(text.substr(1))};
  return {SegmentKind::Text, std::string(text)};
}

bool Router::fits(const Route& route, const std::vector<std::string_view>& path) {
  const bool has_rest = route.segments.back().kind == SegmentKind::Rest;
  if (has_rest ? path.size() < route.segments.size() : path.size() != route.segments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Segment& segment = route.segments[std::min(i, route.segments.size() - 1)];
    switch (segment.kind) {
      case SegmentKind::Text:
        if (segment.text != path[i]) return false;
        break;
      case SegmentKind::Parameter:
        if (path[i].empty()) return false;
        break;
      case SegmentKind::Rest:
        // A handler that uses the rest as a file name must not leave its folder.
        if (path[i] == "." || path[i] == "..") return false;
        break;
    }
  }
  return true;
}

bool Router::is_closer(const Route& a, const Route& b) {
  for (std::size_t i = 0; i < std::min(a.segments.size(), b.segments.size()); ++i) {
    if (a.segments[i].kind != b.segments[i].kind) return a.segments[i].kind < b.segments[i].kind;
  }
  // Both are equal as far as the shorter one goes, which ends with a rest.
  return a.segments.size() > b.segments.size();
}

}  // namespace beeline::http
