#include "server/state_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/check.h"
#include "engine/state/rows.h"
#include "engine/state/table_ids.h"
#include "record/codec_impl.h"
#include "record/record.h"
#include "state/key_codec.h"

namespace beeline::server {
namespace {

using engine::TableNumber;

constexpr std::size_t kStringBytesMax = 200;
constexpr std::size_t kLineBytesMax = 2000;

template <typename Row>
std::string row_to_json(std::string_view bytes) {
  const auto row = record::try_decode<Row>(bytes);
  if (!row) return "null";
  std::string json;
  record::to_json(*row, json);
  return json;
}

// A pending command stands in its row as it stands on the log.
std::string command_to_json(std::string_view bytes) {
  record::RecordReader reader{bytes};
  const auto command = reader.next();
  return command ? record::to_json(*command) : "null";
}

template <typename K>
std::string key_to_json(std::string_view bytes) {
  const auto text = []<typename Part>(const Part& part) {
    std::string json;
    if constexpr (std::is_same_v<Part, std::string>) {
      record::append_json_string(part, json);
    } else if constexpr (std::is_integral_v<Part>) {
      json = fmt::format("{}", part);
    } else {
      json = fmt::format("{}", part.value());
    }
    return json;
  };
  if constexpr (requires(K key) { key.first; }) {
    const K key = state::KeyCodec<K>::decode(bytes);
    return fmt::format("[{},{}]", text(key.first), text(key.second));
  } else {
    return text(state::KeyCodec<K>::decode(bytes));
  }
}

struct TableText {
  TableNumber number;
  std::string_view name;
  std::string (*to_json)(std::string_view);
  std::string (*key)(std::string_view) = key_to_json<Key>;
};

constexpr std::array kTables{
    TableText{TableNumber::ElementInstances, "elementInstances",
              row_to_json<engine::ElementInstanceRow>},
    TableText{TableNumber::Variables, "variables", row_to_json<engine::VariableScopeRow>},
    TableText{TableNumber::Jobs, "jobs", row_to_json<engine::JobRow>},
    TableText{TableNumber::Incidents, "incidents", row_to_json<engine::IncidentRow>},
    TableText{TableNumber::Processes, "processes", row_to_json<engine::ProcessRow>},
    TableText{TableNumber::Triggers, "triggers", row_to_json<engine::TriggersRow>},
    TableText{TableNumber::AwaitedResults, "awaitedResults", row_to_json<engine::AwaitedResultRow>},
    TableText{TableNumber::Banned, "banned", row_to_json<engine::BannedRow>},
    TableText{TableNumber::Timers, "timers", row_to_json<engine::TimerRow>},
    TableText{TableNumber::Counters, "counters", row_to_json<engine::CounterRow>,
              key_to_json<std::int32_t>},
    TableText{TableNumber::Tags, "tags", row_to_json<engine::TagsRow>},
    TableText{TableNumber::InputCollections, "inputCollections",
              row_to_json<engine::InputCollectionRow>},
    TableText{TableNumber::OutputItems, "outputItems", row_to_json<engine::OutputItemRow>,
              key_to_json<std::pair<Key, std::int32_t>>},
    TableText{TableNumber::OutputBytes, "outputBytes", row_to_json<engine::CounterRow>},
    TableText{TableNumber::RetiredProcesses, "retiredProcesses", row_to_json<engine::CounterRow>,
              key_to_json<std::pair<std::string, std::string>>},
    TableText{TableNumber::ProcessDeletions, "processDeletions",
              row_to_json<engine::ProcessDeletionRow>},
    TableText{TableNumber::Messages, "messages", row_to_json<engine::MessageRow>},
    TableText{TableNumber::MessageMarks, "messageMarks", row_to_json<engine::MessageMarksRow>},
    TableText{TableNumber::MessageSubscriptions, "messageSubscriptions",
              row_to_json<engine::MessageSubscriptionRow>},
    TableText{TableNumber::ProcessMessageSubscriptions, "processMessageSubscriptions",
              row_to_json<engine::ProcessMessageSubscriptionRow>},
    TableText{TableNumber::MessageStartSubscriptions, "messageStartSubscriptions",
              row_to_json<engine::MessageStartSubscriptionRow>},
    TableText{TableNumber::MessageStartLocks, "messageStartLocks",
              row_to_json<engine::MessageStartLockRow>},
    TableText{TableNumber::MessageCorrelations, "messageCorrelations",
              row_to_json<engine::MessageCorrelationRow>},
    TableText{TableNumber::DecisionRequirements, "decisionRequirements",
              row_to_json<engine::DecisionRequirementsRow>},
    TableText{TableNumber::Decisions, "decisions", row_to_json<engine::DecisionRow>},
    TableText{TableNumber::RetiredRequirements, "retiredRequirements",
              row_to_json<engine::CounterRow>, key_to_json<std::pair<std::string, std::string>>},
    TableText{TableNumber::RetiredDecisions, "retiredDecisions", row_to_json<engine::CounterRow>,
              key_to_json<std::pair<std::string, std::string>>},
    TableText{TableNumber::PendingCommands, "pendingCommands", command_to_json,
              key_to_json<Position>},
    TableText{TableNumber::Distributions, "distributions", row_to_json<engine::DistributionRow>},
    TableText{TableNumber::DistributionTargets, "distributionTargets",
              row_to_json<engine::DistributionTargetRow>, key_to_json<std::pair<Key, PartitionId>>},
    TableText{TableNumber::ReceivedDistributions, "receivedDistributions",
              row_to_json<engine::ReceivedDistributionRow>},
    TableText{TableNumber::DistributionFloors, "distributionFloors",
              row_to_json<engine::DistributionFloorRow>, key_to_json<PartitionId>},
};

const TableText* find_table(std::uint64_t number) {
  for (const auto& table : kTables) {
    if (static_cast<std::uint64_t>(table.number) == number) return &table;
  }
  return nullptr;
}

std::string_view take_piece(std::string_view& rest) {
  const std::size_t size = state::decode_integer(4, rest);
  const std::string_view piece = rest.substr(0, size);
  rest.remove_prefix(size);
  return piece;
}

// Puts the ids of the element and its flows before their places in the model.
void name_element(const engine::EngineState& state, std::string_view bytes, std::string& json) {
  const auto row = record::try_decode<engine::ElementInstanceRow>(bytes);
  if (!row) return;
  const engine::Definition* const definition =
      state.definitions().find(row->process_definition_key);
  if (definition == nullptr || definition->model == nullptr || row->element < 0) return;
  const auto id_of = [&](std::int32_t place) {
    std::string quoted;
    record::append_json_string(definition->model->element(bpmn::ElementIndex{place}).id, quoted);
    return quoted;
  };
  std::string names = fmt::format("\"elementId\":{},", id_of(row->element));
  const auto add_flows = [&](std::string_view name, const std::vector<engine::FlowCount>& flows) {
    std::string ids;
    for (const engine::FlowCount& flow : flows) {
      ids += fmt::format("{}{}", ids.empty() ? "" : ",", id_of(flow.flow));
    }
    if (!ids.empty()) names += fmt::format("\"{}\":[{}],", name, ids);
  };
  add_flows("activeFlowIds", row->active_flows);
  add_flows("takenFlowIds", row->taken_flows);
  json.insert(1, names);
}

}  // namespace

void for_each_row(const engine::EngineState& state,
                  const std::function<void(const StateRow&)>& visit) {
  const std::string dump = state.database().dump();
  for (std::string_view rest = dump; !rest.empty();) {
    const std::uint64_t number = state::decode_integer(sizeof(state::TableId), rest);
    const std::string_view key = take_piece(rest);
    const std::string_view row = take_piece(rest);
    const TableText* const table = find_table(number);
    BEELINE_CHECK(table != nullptr, "table {} has no name here", number);
    std::string json = table->to_json(row);
    if (table->number == TableNumber::ElementInstances) name_element(state, row, json);
    visit({.table = table->name, .key = table->key(key), .json = std::move(json)});
  }
}

std::string shortened(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t quote = std::min(line.find('"', at), line.size());
    result += line.substr(at, quote - at);
    if (quote == line.size()) break;
    std::size_t end = quote + 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    end = std::min(end, line.size());
    const std::string_view text = line.substr(quote + 1, end - quote - 1);
    if (text.size() <= kStringBytesMax) {
      result += fmt::format("\"{}\"", text);
    } else {
      result += fmt::format("\"{}...\" ({} bytes)", text.substr(0, kStringBytesMax), text.size());
    }
    at = end + 1;
  }
  if (result.size() <= kLineBytesMax) return result;
  return fmt::format("{}... ({} bytes)", result.substr(0, kLineBytesMax), line.size());
}

}  // namespace beeline::server
