#include "stream/state_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "record/codec_impl.h"
#include "record/json.h"
#include "stream/state_items.h"

namespace beeline::stream {
namespace {

// The most places of a table that a turn looks at: a table that was large has many free ones.
constexpr std::size_t kPlacesMax = 4 * kReadRowsMax;
// A page may have one item beyond this.
constexpr std::size_t kPageBytes = std::size_t{1} << 20;
// An element is shown with a handful of rows of other tables.
constexpr std::size_t kElementsMax = kReadRowsMax / 5;
constexpr std::size_t kValueBytesMax = 200;

constexpr std::array kKinds{
    std::pair{StateKind::Processes, std::string_view{"processes"}},
    std::pair{StateKind::Instances, std::string_view{"instances"}},
    std::pair{StateKind::Jobs, std::string_view{"jobs"}},
    std::pair{StateKind::Incidents, std::string_view{"incidents"}},
    std::pair{StateKind::Messages, std::string_view{"messages"}},
    std::pair{StateKind::Timers, std::string_view{"timers"}},
    std::pair{StateKind::Events, std::string_view{"events"}},
};

// One turn of a list.
class ListTurn {
 public:
  ListTurn(const ListQuery& query, ListPage& page) : query_(query), page_(page) {}

  std::optional<ListPlace> run(const engine::EngineState& state, ListPlace from) {
    const std::optional<std::uint64_t> next = run_table(state, from);
    if (next) return ListPlace{from.table, *next};
    const std::uint32_t tables = query_.kind == StateKind::Events ? kEventTables : 1;
    if (from.table + 1 >= tables) return std::nullopt;
    return ListPlace{from.table + 1, 0};
  }

 private:
  static constexpr std::uint32_t kEventTables = 4;

  std::optional<std::uint64_t> run_table(const engine::EngineState& state, ListPlace from) {
    const auto walk = [&](const auto& rows, auto&& to_item) {
      return rows.walk(
          from.slot, kPlacesMax,
          [&](Key key, const auto& row) {
            ++rows_;
            add(to_item(key, row));
          },
          [&] { return is_enough(); });
    };
    switch (query_.kind) {
      case StateKind::Processes:
        return walk(state.definitions(),
                    [&](Key key, const auto&) { return process_item(state, key); });
      case StateKind::Instances:
        return walk(state.element_instances(), [&](Key key, const auto& row) {
          return row.process_instance_key == key ? instance_item(state, key, row) : Item{};
        });
      case StateKind::Jobs:
        return walk(state.jobs(),
                    [&](Key key, const auto& row) { return job_item(state, key, row); });
      case StateKind::Incidents:
        return walk(state.incidents(),
                    [](Key key, const auto& row) { return incident_item(key, row.record); });
      case StateKind::Messages:
        return walk(state.messages(),
                    [](Key key, const auto& row) { return message_item(key, row.record); });
      case StateKind::Timers:
        return walk(state.timers(),
                    [](Key key, const auto& row) { return timer_item(key, row.record); });
      case StateKind::Events:
        return run_events(state, from.table, walk);
    }
    return std::nullopt;
  }

  // Every partition has the start events; those of partition 1 are shown.
  template <typename Walk>
  std::optional<std::uint64_t> run_events(const engine::EngineState& state, std::uint32_t table,
                                          const Walk& walk) {
    const bool shows_starts = state.partition() == PartitionId{1};
    const auto walk_both = [&](const auto& subscriptions) {
      return walk(subscriptions, [&](Key key, const auto& row) {
        const bool is_start = !row.record.element_instance_key.is_set();
        return is_start && !shows_starts ? Item{} : event_item(key, row.record);
      });
    };
    switch (table) {
      case 0:
        return walk(state.process_message_subscriptions(), [](Key key, const auto& row) {
          return event_item(key, row.record, name_of(row.state));
        });
      case 1:
        if (!shows_starts) return std::nullopt;
        return walk(state.message_starts(),
                    [](Key key, const auto& row) { return event_item(key, row.record); });
      case 2:
        return walk_both(state.signals());
      default:
        return walk_both(state.conditional_subscriptions());
    }
  }

  [[nodiscard]] bool is_enough() const {
    return rows_ >= kReadRowsMax || page_.items.size() >= query_.limit || bytes_ >= kPageBytes;
  }

  void add(const Item& item) {
    if (item.empty()) return;
    const bool fits = std::ranges::all_of(query_.filters, [&](const auto& filter) {
      const auto member = std::ranges::find(item, filter.first, &Member::name);
      return member != item.end() && member->text == filter.second;
    });
    if (!fits) return;
    page_.items.push_back(to_json(item));
    bytes_ += page_.items.back().size();
  }

  const ListQuery& query_;
  ListPage& page_;
  std::size_t rows_ = 0;
  std::size_t bytes_ = 0;
};

// JSON objects, separated by commas.
class List {
 public:
  void add(std::string_view json) {
    if (!text_.empty()) text_ += ',';
    text_ += json;
  }
  [[nodiscard]] std::string json() const { return fmt::format("[{}]", text_); }
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

// One turn that collects everything about a key.
class Show {
 public:
  Show(const engine::EngineState& state, bool full) : state_(state), full_(full) {}

  // Returns an empty text if there is nothing.
  std::string about(Key key) {
    if (const auto* const row = state_.element_instances().find(key)) {
      return about_instance(key, *row);
    }
    if (const auto* const row = state_.jobs().find(key)) return about_job(key, *row);
    if (const auto* const row = state_.incidents().find(key)) {
      return of_kind("incident", incident_item(key, row->record));
    }
    if (state_.definitions().find(key) != nullptr) {
      return of_kind("process", process_item(state_, key));
    }
    if (const auto* const row = state_.messages().find(key)) {
      Item item = message_item(key, row->record);
      item.push_back({"variables", "", variables_json(row->record.variables.entries)});
      return of_kind("message", std::move(item));
    }
    if (const auto* const row = state_.timers().find(key)) {
      return of_kind("timer", timer_item(key, row->record));
    }
    return about_record(key);
  }

  // A variable is found by searching the scopes.
  std::string about_variable(Key scope, const engine::StoredVariable& variable) {
    Item item{key_member("key", variable.key), text_member("name", variable.name),
              key_member("scopeKey", scope)};
    item.push_back({"value", "", value_json(variable.value)});
    return of_kind("variable", std::move(item));
  }

 private:
  static std::string of_kind(std::string_view kind, Item item) {
    item.insert(item.begin(), text_member("kind", kind));
    return to_json(item);
  }

  // Entities that are shown as they were recorded.
  std::string about_record(Key key) {
    const auto record = [&](std::string_view kind, const auto& value) {
      std::string json;
      record::to_json(value, json);
      return of_kind(kind, {key_member("key", key), Member{"record", "", json}});
    };
    if (const auto* const row = state_.process_message_subscriptions().find(key)) {
      return record("messageSubscription", row->record);
    }
    if (const auto* const row = state_.message_subscriptions().find(key)) {
      return record("messageSubscription", row->record);
    }
    if (const auto* const row = state_.message_starts().find(key)) {
      return record("messageStartEventSubscription", row->record);
    }
    if (const auto* const row = state_.signals().find(key)) {
      return record("signalSubscription", row->record);
    }
    if (const auto* const row = state_.conditional_subscriptions().find(key)) {
      return record("conditionalSubscription", row->record);
    }
    if (const auto* const row = state_.compensation_subscriptions().find(key)) {
      return record("compensationSubscription", row->record);
    }
    if (const auto* const decision = state_.decisions().find(key)) {
      return record("decision", *decision);
    }
    if (const auto* const found = state_.decisions().find_requirements(key)) {
      record::DecisionRequirementsRecord shown = *found;
      shown.resource = {};
      return record("decisionRequirements", shown);
    }
    return {};
  }

  std::string about_job(Key key, const engine::JobRow& row) {
    Item item = job_item(state_, key, row);
    std::string headers;
    record::append_headers(row.headers, headers);
    item.push_back({"customHeaders", "", headers});
    item.push_back({"incidents", "", incidents_of(row.element_instance_key)});
    return of_kind("job", std::move(item));
  }

  std::string about_instance(Key key, const engine::ElementInstanceRow& row) {
    const bool is_process = row.process_instance_key == key;
    Item item;
    if (is_process) {
      item = instance_item(state_, key, row);
    } else {
      const auto* const definition = state_.definitions().find(row.process_definition_key);
      item = {
          key_member("key", key),
          text_member("bpmnProcessId", definition == nullptr ? "" : definition->bpmn_process_id),
          key_member("processInstanceKey", row.process_instance_key),
          key_member("flowScopeKey", row.flow_scope_key)};
    }
    List elements;
    bool truncated = false;
    // The instances that are still to be shown; the next one is the last entry.
    std::vector<std::pair<Key, int>> open{{key, 0}};
    for (std::size_t count = 0; !open.empty(); ++count) {
      if (count == kElementsMax) {
        truncated = true;
        break;
      }
      const auto [next, depth] = open.back();
      open.pop_back();
      const auto* const element = state_.element_instances().find(next);
      if (element == nullptr) continue;
      elements.add(element_json(next, *element, depth));
      const std::size_t first_child = open.size();
      state_.element_instances().for_each_child(next, engine::ChildKey{},
                                                [&](Key child, const engine::ElementInstanceRow&) {
                                                  open.emplace_back(child, depth + 1);
                                                  return open.size() <= kElementsMax;
                                                });
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first_child), open.end());
    }
    item.push_back({"elements", "", elements.json()});
    item.push_back({"truncated", "", truncated ? "true" : "false"});
    return of_kind(is_process ? "instance" : "element", std::move(item));
  }

  std::string element_json(Key key, const engine::ElementInstanceRow& row, int depth) {
    const bpmn::Element* const element = element_of(state_, row);
    Item item{key_member("key", key),
              text_member("elementId", element == nullptr ? "" : element->id),
              text_member("elementType", element == nullptr ? "" : name_of(element->type)),
              text_member("state", name_of(row.state)), number_member("depth", depth)};
    if (const auto* const scope = state_.variables().find_scope(key)) {
      if (!scope->variables.empty()) {
        item.push_back({"variables", "", variables_json(scope->variables)});
      }
    }
    if (const std::string waits = waiting_places(key, row); !waits.empty()) {
      item.push_back({"waitsFor", "", fmt::format("[{}]", waits)});
    }
    if (std::string incidents = incidents_of(key); incidents != "[]") {
      item.push_back({"incidents", "", std::move(incidents)});
    }
    return to_json(item);
  }

  // Returns what an element instance waits for: its job, its timers, its messages, its signals, a
  // process that it called.
  std::string waiting_places(Key key, const engine::ElementInstanceRow& row) {
    std::string json;
    const auto add = [&](std::string_view kind, Item item) {
      if (!json.empty()) json += ',';
      json += of_kind(kind, std::move(item));
    };
    if (const auto* const job = state_.jobs().find(row.job_key)) {
      Item item = job_item(state_, row.job_key, *job);
      std::erase_if(item, [](const Member& member) {
        return member.json == "null" || member.name == "bpmnProcessId" ||
               member.name == "processInstanceKey" || member.name == "elementInstanceKey" ||
               member.name == "elementId";
      });
      add("job", std::move(item));
    }
    for (const Key timer : state_.timers().of_element_instance(key)) {
      const auto& record = state_.timers().find(timer)->record;
      add("timer", {key_member("key", timer), time_member("dueDate", record.due_date),
                    text_member("elementId", record.target_element_id)});
    }
    for (const Key subscription : state_.process_message_subscriptions().of_element_instance(key)) {
      const auto& record = state_.process_message_subscriptions().find(subscription)->record;
      add("message", {key_member("key", subscription), text_member("name", record.message_name),
                      text_member("correlationKey", record.correlation_key),
                      text_member("elementId", record.element_id)});
    }
    for (const Key subscription : state_.signals().of_element_instance(key)) {
      const auto& record = state_.signals().find(subscription)->record;
      add("signal", {key_member("key", subscription), text_member("name", record.signal_name),
                     text_member("elementId", record.element_id)});
    }
    if (row.called_instance_key.value() > 0) {
      add("calledInstance", {key_member("key", row.called_instance_key)});
    }
    return json;
  }

  std::string incidents_of(Key element_instance) {
    List incidents;
    for (const Key key : state_.incidents().of_element_instance(element_instance)) {
      const auto& record = state_.incidents().find(key)->record;
      incidents.add(
          to_json({key_member("key", key), text_member("errorType", name_of(record.error_type)),
                   text_member("errorMessage", record.error_message)}));
    }
    return incidents.json();
  }

  template <typename Variables>
  std::string variables_json(const Variables& variables) {
    std::string json = "{";
    for (const auto& variable : variables) {
      json += fmt::format("{}{}:{}", json.size() > 1 ? "," : "", record::json_string(variable.name),
                          value_json(variable.value));
    }
    return json + "}";
  }

  // Returns the value unchanged, or a string with its beginning and its size.
  std::string value_json(std::string_view value) const {
    if (full_ || value.size() <= kValueBytesMax) return std::string(value);
    return record::json_string(
        fmt::format("{}... ({} bytes)", value.substr(0, kValueBytesMax), value.size()));
  }

  const engine::EngineState& state_;
  const bool full_;
};

// Searches everything about a key, one table after the other. Deployments and variables are found
// only by walking tables, in turns.
class KeySearch {
 public:
  // Returns true when the search is over. `json` is empty if nothing was found.
  bool run_turn(const engine::EngineState& state, const ShowQuery& query, std::string& json) {
    Show show(state, query.full);
    if (table_ == Table::Indexed) {
      json = show.about(query.key);
      table_ = Table::Processes;
      return !json.empty();
    }
    if (table_ == Table::Processes) {
      walk(state.definitions(), Table::Decisions, [&](Key key, const engine::ProcessRow& row) {
        if (row.record.deployment_key == query.key)
          processes_.add(to_json(process_item(state, key)));
      });
      return false;
    }
    if (table_ == Table::Decisions) {
      walk(state.decisions(), Table::Variables, [&](Key, const engine::DecisionRow& row) {
        if (row.record.deployment_key != query.key) return;
        std::string decision;
        record::to_json(row.record, decision);
        decisions_.add(decision);
      });
      if (table_ == Table::Decisions || (processes_.empty() && decisions_.empty())) return false;
      json = to_json({text_member("kind", "deployment"), key_member("key", query.key),
                      Member{"processes", "", processes_.json()},
                      Member{"decisions", "", decisions_.json()}});
      return true;
    }
    std::size_t variables = 0;
    const auto next = state.variables().walk(
        from_, kPlacesMax,
        [&](Key scope, const engine::VariableScopeRow& row) {
          variables += 1 + row.variables.size();
          for (const engine::StoredVariable& variable : row.variables) {
            if (variable.key == query.key) json = show.about_variable(scope, variable);
          }
        },
        [&] { return variables >= kReadRowsMax || !json.empty(); });
    from_ = next.value_or(0);
    return !json.empty() || !next;
  }

 private:
  enum class Table { Indexed, Processes, Decisions, Variables };

  // Visits as many rows as a turn may. Goes on with the table `after` when this one ends.
  template <typename Rows, typename Visit>
  void walk(const Rows& rows, Table after, Visit&& visit) {
    std::size_t count = 0;
    const auto next = rows.walk(
        from_, kPlacesMax,
        [&](Key key, const auto& row) {
          ++count;
          visit(key, row);
        },
        [&] { return count >= kReadRowsMax; });
    from_ = next.value_or(0);
    if (!next) table_ = after;
  }

  Table table_ = Table::Indexed;
  std::uint64_t from_ = 0;  // the place in the table where the next turn begins
  List processes_;          // of the deployment that has the key
  List decisions_;
};

}  // namespace

std::optional<StateKind> parse_state_kind(std::string_view name) {
  const auto found =
      std::ranges::find(kKinds, name, [](const auto& entry) { return entry.second; });
  if (found == kKinds.end()) return std::nullopt;
  return found->first;
}

std::string_view name_of(StateKind kind) {
  return std::ranges::find(kKinds, kind, [](const auto& entry) { return entry.first; })->second;
}

std::span<const std::string_view> members_of(StateKind kind) {
  switch (kind) {
    case StateKind::Processes:
      return kProcessMembers;
    case StateKind::Instances:
      return kInstanceMembers;
    case StateKind::Jobs:
      return kJobMembers;
    case StateKind::Incidents:
      return kIncidentMembers;
    case StateKind::Messages:
      return kMessageMembers;
    case StateKind::Timers:
      return kTimerMembers;
    case StateKind::Events:
      return kEventMembers;
  }
  return {};
}

ReadStep list_state(ListQuery query, std::shared_ptr<ListPage> page) {
  const ListPlace begin = query.from;
  return [query = std::move(query), page = std::move(page),
          from = begin](const engine::EngineState& state) mutable {
    page->next = ListTurn(query, *page).run(state, from);
    from = page->next.value_or(from);
    return !page->items.empty() || !page->next;
  };
}

ReadStep show_state(ShowQuery query, std::shared_ptr<std::string> json) {
  return [query, json = std::move(json),
          search = KeySearch{}](const engine::EngineState& state) mutable {
    return search.run_turn(state, query, *json);
  };
}

}  // namespace beeline::stream
