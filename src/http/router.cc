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
    send_(problem(503, "There is no answer to this request; it may or may not have been done."));
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
    const bool is_parameter = segment.starts_with('{') && segment.ends_with('}');
    route.segments.push_back(
        {.is_parameter = is_parameter,
         .text = std::string(is_parameter ? segment.substr(1, segment.size() - 2) : segment)});
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
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto& segment = best->segments[i];
    if (segment.is_parameter) request.parameters.emplace_back(segment.text, path[i]);
  }
  best->handler(request, std::move(responder));
}

bool Router::fits(const Route& route, const std::vector<std::string_view>& path) {
  return std::ranges::equal(route.segments, path,
                            [](const Segment& segment, std::string_view text) {
                              return segment.is_parameter ? !text.empty() : segment.text == text;
                            });
}

bool Router::is_closer(const Route& a, const Route& b) {
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    if (a.segments[i].is_parameter != b.segments[i].is_parameter) {
      return b.segments[i].is_parameter;
    }
  }
  return false;
}

}  // namespace beeline::http
