#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "stream/port.h"

// The parts of a partition's state that are shown to people: lists of running and waiting entities,
// and everything about one key. These functions make the steps of PartitionPort::read. Their
// results are JSON text, in which keys and points in time are strings.
namespace beeline::stream {

// Events are what catch events and start events wait for: messages, signals and conditions.
enum class StateKind { Processes, Instances, Jobs, Incidents, Messages, Timers, Events };

// "processes", "instances", ...
[[nodiscard]] std::optional<StateKind> parse_state_kind(std::string_view name);
[[nodiscard]] std::string_view name_of(StateKind kind);
inline constexpr std::string_view kStateKinds =
    "processes, instances, jobs, incidents, messages, timers or events";
// The members of an item of this kind; each can be filtered by.
[[nodiscard]] std::span<const std::string_view> members_of(StateKind kind);

// A place in a list, whose items may come from several tables.
struct ListPlace {
  std::uint32_t table = 0;
  std::uint64_t slot = 0;
};

struct ListQuery {
  StateKind kind = StateKind::Processes;
  // Members and the values that they must have. The names are among members_of(kind).
  std::vector<std::pair<std::string, std::string>> filters = {};
  std::size_t limit = 100;
  ListPlace from = {};  // ListPage::next of the page before
};

// Items that one turn found, so all of them belong to one position. There may be fewer than the
// limit, although more follow.
struct ListPage {
  std::vector<std::string> items;  // JSON objects
  std::optional<ListPlace> next;
};

// Makes turns until one finds something or the end is reached. Items come in an arbitrary but
// stable order; an item that exists while all pages are read is in exactly one of them.
[[nodiscard]] ReadStep list_state(ListQuery query, std::shared_ptr<ListPage> page);

struct ShowQuery {
  Key key;
  bool full = false;  // otherwise long values of variables are shortened
};

// Writes one JSON object about the key, with the member `kind`; nothing if the partition has no
// such key. An instance comes with its elements, their variables, what they wait for and their
// incidents; there may be many, so `truncated` is true if some were left out.
[[nodiscard]] ReadStep show_state(ShowQuery query, std::shared_ptr<std::string> json);

}  // namespace beeline::stream
