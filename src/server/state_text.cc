#include "server/state_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/check.h"
#include "engine/state/rows.h"
#include "engine/state/table_ids.h"
#include "record/codec_impl.h"
#include "state/key_codec.h"

namespace beeline::server {
namespace {

using engine::TableNumber;

template <typename Row>
std::string row_to_json(std::string_view bytes) {
  const auto row = record::try_decode<Row>(bytes);
  if (!row) return "null";
  std::string json;
  record::to_json(*row, json);
  return json;
}

template <typename K>
std::string key_to_json(std::string_view bytes) {
  const auto text = []<typename Part>(const Part& part) {
    std::string json;
    if constexpr (std::is_same_v<Part, std::string>) {
      record::append_json_string(part, json);
    } else {
      json = fmt::format("{}", part.value());
    }
    return json;
  };
  if constexpr (std::is_same_v<K, std::int32_t>) {
    return fmt::format("{}", state::KeyCodec<K>::decode(bytes));
  } else if constexpr (requires(K key) { key.first; }) {
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

}  // namespace

void for_each_row(const state::Database& database,
                  const std::function<void(const StateRow&)>& visit) {
  const std::string dump = database.dump();
  for (std::string_view rest = dump; !rest.empty();) {
    const std::uint64_t number = state::decode_integer(sizeof(state::TableId), rest);
    const std::string_view key = take_piece(rest);
    const std::string_view row = take_piece(rest);
    const TableText* const table = find_table(number);
    BEELINE_CHECK(table != nullptr, "table {} has no name here", number);
    visit({.table = table->name, .key = table->key(key), .json = table->to_json(row)});
  }
}

}  // namespace beeline::server
