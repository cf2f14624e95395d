#include "http/state_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/target.h"
#include "service/text.h"
#include "stream/state_view.h"

namespace beeline::http {
namespace {

using stream::SubmitResult;

constexpr std::size_t kLimitMax = 1'000;
constexpr std::size_t kEchoMax = 100;
// More tables than any list has.
constexpr std::uint32_t kTablesMax = 100;

template <typename T>
std::optional<T> parse_number(std::string_view text, int base = 10) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return number;
}

std::string_view echo(std::string_view text) {
  return service::first_bytes(text, kEchoMax);
}

Response refused(SubmitResult result) {
  return result == SubmitResult::QueueFull
             ? problem(429, "Too many reads of the state wait; try again later.")
             : problem(503, "The partition cannot be read now; try again later.");
}

// A request for a list, which visits the partitions one after the other.
struct List {
  stream::ListQuery query;
  std::int32_t partition = 1;
  std::int32_t last_partition = 1;
  Responder responder;
};

std::string cursor_json(const List& list, const stream::ListPage& page) {
  if (page.next && page.next->table > 0) {
    return fmt::format("\"{}.{}-{:016x}\"", list.partition, page.next->table, page.next->slot);
  }
  if (page.next) return fmt::format("\"{}-{:016x}\"", list.partition, page.next->slot);
  if (list.partition < list.last_partition) {
    return fmt::format("\"{}-{:016x}\"", list.partition + 1, 0);
  }
  return "null";
}

void read_page(std::unique_ptr<List> list, stream::Partitions& partitions) {
  auto page = std::make_shared<stream::ListPage>();
  auto& port = partitions.partition(PartitionId{list->partition});
  auto step = stream::list_state(list->query, page);
  // The list is kept here as well, to answer if the read is refused.
  auto shared = std::make_shared<std::unique_ptr<List>>(std::move(list));
  const SubmitResult result =
      port.read(std::move(step), [shared, page, &partitions](Position position) {
        std::unique_ptr<List> read = std::move(*shared);
        if (page->items.empty() && read->partition < read->last_partition) {
          ++read->partition;
          read->query.from = {};
          read_page(std::move(read), partitions);
          return;
        }
        std::string items;
        for (const std::string& item : page->items) items += (items.empty() ? "" : ",") + item;
        std::string body =
            fmt::format(R"({{"partition":{},"position":{},"items":[{}],"cursor":{}}})",
                        read->partition, position.value(), items, cursor_json(*read, *page));
        read->responder.answer({.body = std::move(body) + "\n", .headers = {}});
      });
  if (result != SubmitResult::Accepted) (*shared)->responder.answer(refused(result));
}

// The place where a page begins: PARTITION-SLOT, or PARTITION.TABLE-SLOT in the second table of a
// list or a later one.
struct Cursor {
  std::int32_t partition = 1;
  stream::ListPlace from = {};
};

std::optional<Cursor> parse_cursor(std::string_view text, std::int32_t partition_count) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view head = text.substr(0, dash);
  const std::size_t dot = head.find('.');
  const auto partition = parse_number<std::int32_t>(head.substr(0, dot));
  const auto table = dot == std::string_view::npos
                         ? std::optional<std::uint32_t>{0}
                         : parse_number<std::uint32_t>(head.substr(dot + 1));
  const auto slot = parse_number<std::uint64_t>(text.substr(dash + 1), 16);
  if (!partition || !table || !slot || *table > kTablesMax) return std::nullopt;
  if (*partition < 1 || *partition > partition_count) return std::nullopt;
  return Cursor{*partition, {*table, *slot}};
}

Result<void, Response> read_parameter(stream::ListQuery& query, Cursor& cursor,
                                      const NameValue& parameter, std::int32_t partition_count) {
  const auto& [name, value] = parameter;
  if (name == "limit") {
    const auto limit = parse_number<std::size_t>(value);
    if (!limit || *limit < 1 || *limit > kLimitMax) {
      return failure(
          problem(400, fmt::format("Expected 'limit' to be a number from 1 to {}, but it "
                                   "is '{}'.",
                                   kLimitMax, echo(value))));
    }
    query.limit = *limit;
    return {};
  }
  if (name == "cursor") {
    const auto parsed = parse_cursor(value, partition_count);
    if (!parsed) {
      return failure(
          problem(400, fmt::format("Expected 'cursor' to be the cursor of a page, but it "
                                   "is '{}'.",
                                   echo(value))));
    }
    cursor = *parsed;
    return {};
  }
  const auto members = stream::members_of(query.kind);
  if (std::ranges::find(members, name) == members.end()) {
    std::string known;
    for (const std::string_view member : members) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", member);
    }
    return failure(problem(
        400, fmt::format("Expected a parameter of {} to be limit, cursor or one of {}, but it is "
                         "'{}'.",
                         stream::name_of(query.kind), known, echo(name))));
  }
  query.filters.push_back(parameter);
  return {};
}

void list_kind(stream::StateKind kind, const Request& request, Responder responder,
               stream::Partitions& partitions) {
  const auto parameters = parse_query(request.query);
  if (!parameters) return responder.answer(problem(400, parameters.error()));
  stream::ListQuery query;
  query.kind = kind;
  Cursor cursor;
  for (const NameValue& parameter : *parameters) {
    auto result = read_parameter(query, cursor, parameter, partitions.count());
    if (!result) return responder.answer(std::move(result.error()));
  }
  query.from = cursor.from;
  // Every partition has all processes.
  const bool is_everywhere = kind == stream::StateKind::Processes;
  read_page(std::make_unique<List>(List{.query = std::move(query),
                                        .partition = cursor.partition,
                                        .last_partition = is_everywhere ? 1 : partitions.count(),
                                        .responder = std::move(responder)}),
            partitions);
}

}  // namespace

void list_state(const Request& request, Responder responder, stream::Partitions& partitions) {
  const auto kind = stream::parse_state_kind(request.parameter("kind"));
  if (!kind) {
    return responder.answer(
        problem(404, fmt::format("Expected one of {} to list, but it is '{}'.", stream::kStateKinds,
                                 echo(request.parameter("kind")))));
  }
  list_kind(*kind, request, std::move(responder), partitions);
}

void list_events(const Request& request, Responder responder, stream::Partitions& partitions) {
  list_kind(stream::StateKind::Events, request, std::move(responder), partitions);
}

void show_state(const Request& request, Responder responder, stream::Partitions& partitions) {
  const std::string& text = request.parameter("key");
  const auto number = parse_number<std::int64_t>(text);
  if (!number || *number <= 0) {
    return responder.answer(problem(
        400, fmt::format("Expected a key, which is a number, but it is '{}'.", echo(text))));
  }
  const auto parameters = parse_query(request.query);
  if (!parameters) return responder.answer(problem(400, parameters.error()));
  const Key key{*number};
  const PartitionId id = partition_of(key);
  const auto not_found = [key] {
    return problem(
        404, fmt::format("There is nothing with the key {}; it may have ended.", key.value()));
  };
  if (id.value() < 1 || id.value() > partitions.count()) return responder.answer(not_found());
  const bool full = std::ranges::find(*parameters, NameValue{"full", "true"}) != parameters->end();
  auto json = std::make_shared<std::string>();
  auto shared = std::make_shared<Responder>(std::move(responder));
  const SubmitResult result = partitions.partition(id).read(
      stream::show_state({.key = key, .full = full}, json),
      [shared, json, id, not_found](Position position) {
        if (json->empty()) return shared->answer(not_found());
        shared->answer({.body = fmt::format(R"({{"partition":{},"position":{},"found":{}}})",
                                            id.value(), position.value(), *json) +
                                "\n",
                        .headers = {}});
      });
  if (result != SubmitResult::Accepted) shared->answer(refused(result));
}

void add_state_endpoints(Router& router, const Api& api) {
  for (const auto& [path, read] :
       {std::pair{kStateListPath, &list_state}, std::pair{kStateShowPath, &show_state},
        std::pair{kEventsPath, &list_events}}) {
    router.add(Method::Get, path,
               while_running(api, "The server cannot be read now.",
                             [&partitions = api.service.partitions(), serve = read](
                                 const Request& request, Responder responder) {
                               serve(request, std::move(responder), partitions);
                             }));
  }
}

}  // namespace beeline::http
