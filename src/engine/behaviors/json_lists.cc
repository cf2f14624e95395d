#include "engine/behaviors/json_lists.h"

namespace beeline::engine {
namespace {

// Where the item that begins at `at` ends: at the comma or bracket behind it. The text is valid
// JSON.
std::size_t end_of_item(std::string_view json, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      return at;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return json.size();
}

}  // namespace

std::string null_list(std::size_t count) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) list += i == 0 ? "null" : ",null";
  return list + "]";
}

std::optional<std::string> replace_item(std::string_view list, std::int32_t place,
                                        std::string_view item) {
  if (list.empty() || list.front() != '[') return std::nullopt;
  std::size_t at = 1;
  for (std::int32_t i = 1; at < list.size(); ++i) {
    const std::size_t end = end_of_item(list, at);
    const bool is_empty =
        list.substr(at, end - at).find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (is_empty) return std::nullopt;
    if (i == place) {
      std::string replaced{list.substr(0, at)};
      replaced += item;
      replaced += list.substr(end);
      return replaced;
    }
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace beeline::engine
