#include "http/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "record/json.h"

namespace beeline::http {
namespace {

constexpr std::array kMethodNames{
    std::pair{Method::Get, std::string_view{"GET"}},
    std::pair{Method::Post, std::string_view{"POST"}},
    std::pair{Method::Put, std::string_view{"PUT"}},
    std::pair{Method::Patch, std::string_view{"PATCH"}},
    std::pair{Method::Delete, std::string_view{"DELETE"}},
};

}  // namespace

std::optional<Method> parse_method(std::string_view name) {
  for (const auto& [method, its_name] : kMethodNames) {
    if (its_name == name) return method;
  }
  return std::nullopt;
}

std::string_view name_of(Method method) {
  return std::ranges::find(kMethodNames, method, [](const auto& entry) { return entry.first; })
      ->second;
}

const std::string& Request::parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters, name, &NameValue::first);
  BEELINE_CHECK(found != parameters.end(), "the route has no parameter {}", name);
  return found->second;
}

const std::string* Request::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const NameValue& header) { return equals_ignoring_case(header.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

PieceSink::~PieceSink() {
  if (send_) give({Kind::Cut, {}});
}

void PieceSink::send(std::string bytes) {
  BEELINE_CHECK(!bytes.empty(), "an empty piece would end the body");
  give({Kind::More, std::move(bytes)});
}

void PieceSink::end() {
  give({Kind::End, {}});
}

void PieceSink::give(Piece piece) {
  BEELINE_CHECK(send_, "a piece was given twice");
  auto send = std::exchange(send_, nullptr);
  send(std::move(piece));
}

Response problem(int status, std::string_view detail,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> more) {
  Response response{
      .status = status, .content_type = "application/problem+json", .body = {}, .headers = {}};
  response.body = fmt::format(R"({{"type":"about:blank","title":"{}","status":{},"detail":)",
                              reason_of(status), status);
  record::append_json_string(detail, response.body);
  response.body += ",\"error\":";
  record::append_json_string(detail, response.body);
  for (const auto& [name, text] : more) {
    response.body += ',';
    record::append_json_string(name, response.body);
    response.body += ':';
    record::append_json_string(text, response.body);
  }
  response.body += "}\n";
  return response;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return status < 400 ? "OK" : "Error";
  }
}

}  // namespace beeline::http
