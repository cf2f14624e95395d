#include "engine/behaviors/json_lists.h"

namespace beeline::engine {
namespace {

// Returns the end of the item that begins at `at`, which is the comma or bracket behind the item.
// The text is valid JSON.
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

bool is_list(std::string_view json) {
  return json.starts_with('[');
}

std::string with_items(std::string_view list, std::size_t count,
                       const std::function<const std::string*(std::size_t place)>& find) {
  std::string out = "[";
  std::size_t at = is_list(list) ? 1 : list.size();
  for (std::size_t place = 1; at < list.size() || place <= count; ++place) {
    std::string_view item = "null";
    if (at < list.size()) {
      const std::size_t end = end_of_item(list, at);
      item = list.substr(at, end - at);
      at = end < list.size() && list[end] == ',' ? end + 1 : list.size();
      const bool is_empty = item.find_first_not_of(" \t\r\n") == std::string_view::npos;
      if (is_empty && place > count) break;  // the list is `[]`
      if (is_empty) item = "null";
    }
    if (const std::string* given = place <= count ? find(place) : nullptr) item = *given;
    if (place > 1) out += ',';
    out += item;
  }
  return out + "]";
}

}  // namespace beeline::engine
