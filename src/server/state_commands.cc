#include "server/state_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "http/http_client.h"
#include "http/target.h"
#include "record/json.h"
#include "server/command_io.h"
#include "server/settings_text.h"

namespace beeline::server {
namespace {

constexpr std::int64_t kPageItemsMax = 1'000;

// Returns an object's member as JSON; null if it is missing.
std::string_view member(const record::Document& object, std::string_view name) {
  const auto found = std::ranges::find(object.entries, name, &record::DocumentEntry::name);
  return found == object.entries.end() ? std::string_view("null") : found->value;
}

// Returns a JSON value in readable form: strings without quotes.
std::string plain(std::string_view json) {
  if (auto text = record::parse_json_string(json)) return *std::move(text);
  return std::string(json);
}

// Returns the elements of a JSON array, unchanged. The array comes from the server and is well
// formed.
std::vector<std::string> elements_of(std::string_view array) {
  std::vector<std::string> elements;
  if (array.size() < 2 || array.front() != '[') return elements;
  array = array.substr(1, array.size() - 2);
  int depth = 0;
  bool in_string = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < array.size(); ++at) {
    const char c = array[at];
    if (in_string) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      elements.emplace_back(array.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  if (begin < array.size()) elements.emplace_back(array.substr(begin));
  return elements;
}

// Returns the object that the server answers; the error is a sentence.
Result<record::Document, std::string> ask(const ClientOptions& client, const std::string& target) {
  const auto address = parse_address(client.http);
  if (!address) {
    return failure(fmt::format("Expected --http to be HOST:PORT, but it is '{}'.", client.http));
  }
  const auto answer = http::get(address->host, address->port, target, client.timeout);
  if (!answer) {
    return failure(
        fmt::format("No server answers over HTTP at {} ({}); start one there or give another "
                    "address with --http.",
                    client.http, answer.error()));
  }
  auto body = record::parse_document(answer->body);
  if (!body) {
    return failure(fmt::format("The server at {} answered with status {} and no JSON object: {}.",
                               client.http, answer->status, body.error()));
  }
  if (answer->status != 200) return failure(plain(member(*body, "detail")));
  return *std::move(body);
}

std::int64_t key_of(const record::Document& item) {
  const std::string text = plain(member(item, "key"));
  std::int64_t key = 0;
  std::from_chars(text.data(), text.data() + text.size(), key);
  return key;
}

// Returns "key 7 type=ship state=FAILED", without members that are null.
std::string line_of(const record::Document& item) {
  std::string line;
  for (const record::DocumentEntry& entry : item.entries) {
    if (entry.value == "null" || entry.name == "kind") continue;
    if (entry.name == "key") {
      line += fmt::format("{}{}", line.empty() ? "" : " ", plain(entry.value));
      continue;
    }
    const std::string text = plain(entry.value);
    // A text with spaces keeps its quotes, so its end is visible.
    const bool is_plain = text.find(' ') == std::string::npos;
    line += fmt::format(" {}={}", entry.name, is_plain ? text : entry.value);
  }
  return line;
}

void print_element(const record::Document& element) {
  const int depth = std::atoi(plain(member(element, "depth")).c_str());
  const std::string indent(static_cast<std::size_t>(2 + 2 * depth), ' ');
  fmt::print("{}{} {} {} {}\n", indent, plain(member(element, "elementId")),
             plain(member(element, "elementType")), plain(member(element, "key")),
             plain(member(element, "state")));
  const std::string_view variables = member(element, "variables");
  if (const auto values = record::parse_document(variables == "null" ? "{}" : variables)) {
    for (const record::DocumentEntry& entry : values->entries) {
      fmt::print("{}  variable {} = {}\n", indent, entry.name, entry.value);
    }
  }
  const auto print_all = [&](std::string_view name, std::string_view word) {
    for (const std::string& each : elements_of(member(element, name))) {
      const auto object = record::parse_document(each);
      if (!object) continue;
      const std::string_view kind = member(*object, "kind");
      fmt::print("{}  {}{} {}\n", indent, word, kind == "null" ? "" : " " + plain(kind),
                 line_of(*object));
    }
  };
  print_all("waitsFor", "waits for");
  print_all("incidents", "incident");
}

void print_found(const record::Document& found) {
  record::Document head;
  for (const record::DocumentEntry& entry : found.entries) {
    if (entry.name != "elements" && entry.name != "truncated") head.entries.push_back(entry);
  }
  fmt::print("{} {}\n", plain(member(found, "kind")), line_of(head));
  for (const std::string& each : elements_of(member(found, "elements"))) {
    if (const auto element = record::parse_document(each)) print_element(*element);
  }
  if (member(found, "truncated") == "true") {
    fmt::print("  ... and further elements, which are too many to show\n");
  }
}

struct Listed {
  std::vector<record::Document> items;
  bool has_more = false;
};

Result<Listed, std::string> list_items(const ClientOptions& client, const ListOptions& options) {
  std::string filters;
  for (const auto& [name, value] : options.filters) {
    filters += fmt::format("&{}={}", http::percent_encode(name), http::percent_encode(value));
  }
  Listed listed;
  std::string cursor;
  do {
    const std::int64_t missing = options.limit - static_cast<std::int64_t>(listed.items.size());
    const std::string target =
        fmt::format("/api/state/{}?limit={}{}{}", http::percent_encode(options.kind),
                    std::min(missing, kPageItemsMax), filters,
                    cursor.empty() ? "" : "&cursor=" + http::percent_encode(cursor));
    BEELINE_TRY(const record::Document page, ask(client, target));
    for (const std::string& item : elements_of(member(page, "items"))) {
      auto object = record::parse_document(item);
      if (!object) return failure(fmt::format("The server's list is not a JSON object: {}", item));
      listed.items.push_back(*std::move(object));
    }
    const std::string_view next = member(page, "cursor");
    cursor = next == "null" ? "" : plain(next);
  } while (!cursor.empty() && static_cast<std::int64_t>(listed.items.size()) < options.limit);
  listed.has_more = !cursor.empty();
  std::ranges::sort(listed.items, {}, key_of);
  return listed;
}

std::string to_json(const record::Document& object) {
  std::string json;
  record::append_document(object, json);
  return json;
}

}  // namespace

int list(const ClientOptions& client, const ListOptions& options) {
  const auto listed = list_items(client, options);
  if (!listed) return fail(listed.error());
  for (const record::Document& item : listed->items) {
    fmt::print("{}\n", client.json ? to_json(item) : line_of(item));
  }
  if (listed->items.empty() && !client.json) fmt::print("no {}\n", options.kind);
  if (listed->has_more) {
    fmt::print(stderr, "there may be more; --limit {} is reached\n", options.limit);
  }
  return 0;
}

int show(const ClientOptions& client, const ShowOptions& options) {
  const auto answer = ask(
      client, fmt::format("/api/state/keys/{}{}", options.key, options.full ? "?full=true" : ""));
  if (!answer) return fail(answer.error());
  if (client.json) {
    fmt::print("{}\n", to_json(*answer));
    return 0;
  }
  const auto found = record::parse_document(member(*answer, "found"));
  if (!found)
    return fail(fmt::format("The server's answer is not a JSON object: {}.", found.error()));
  print_found(*found);
  return 0;
}

Result<std::int32_t, std::string> job_retries(const ClientOptions& client, std::int64_t job) {
  BEELINE_TRY(const record::Document answer, ask(client, fmt::format("/api/state/keys/{}", job)));
  const auto found = record::parse_document(member(answer, "found"));
  if (!found || plain(member(*found, "kind")) != "job") {
    return failure(fmt::format("The key {} is not the key of a job.", job));
  }
  const std::string text = plain(member(*found, "retries"));
  std::int32_t retries = 0;
  std::from_chars(text.data(), text.data() + text.size(), retries);
  return retries;
}

std::optional<std::string> instance_with_tag(const ClientOptions& client, const std::string& tag) {
  const auto listed =
      list_items(client, {.kind = "instances", .filters = {{"tags", tag}}, .limit = 1});
  if (!listed || listed->items.empty()) return std::nullopt;
  return plain(member(listed->items.front(), "key"));
}

Result<ServerStatus, std::string> server_status(const ClientOptions& client) {
  BEELINE_TRY(const record::Document answer, ask(client, "/api/status"));
  return ServerStatus{.version = plain(member(answer, "version")),
                      .grpc = plain(member(answer, "grpc")),
                      .http = plain(member(answer, "http"))};
}

}  // namespace beeline::server
