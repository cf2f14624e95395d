#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

  // The value of a parameter that the route's pattern has.
  [[nodiscard]] const std::string& parameter(std::string_view name) const;
  // The value of the first header of this name, in whatever case; null when there is none.
  [[nodiscard]] const std::string* header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<NameValue> headers;
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
