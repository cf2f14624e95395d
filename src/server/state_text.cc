#include "server/state_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/state/table_text.h"
#include "record/json.h"

namespace beeline::server {
namespace {

constexpr std::size_t kStringBytesMax = 200;
constexpr std::size_t kLineBytesMax = 2000;

// Puts the ids of the element and its flows before their places in the model.
void name_element(const engine::EngineState& state, std::string_view bytes, std::string& json) {
  const auto row = engine::RowCodec<engine::ElementInstanceRow>::decode(bytes);
  const engine::Definition* const definition = state.definitions().find(row.process_definition_key);
  if (definition == nullptr || definition->model == nullptr || row.element < 0) return;
  const auto id_of = [&](std::int32_t place) {
    std::string quoted;
    record::append_json_string(definition->model->element(bpmn::ElementIndex{place}).id, quoted);
    return quoted;
  };
  std::string names = fmt::format("\"elementId\":{},", id_of(row.element));
  const auto add_flows = [&](std::string_view name, const std::vector<engine::FlowCount>& flows) {
    std::string ids;
    for (const engine::FlowCount& flow : flows) {
      ids += fmt::format("{}{}", ids.empty() ? "" : ",", id_of(flow.flow));
    }
    if (!ids.empty()) names += fmt::format("\"{}\":[{}],", name, ids);
  };
  add_flows("activeFlowIds", row.active_flows);
  add_flows("takenFlowIds", row.taken_flows);
  json.insert(1, names);
}

}  // namespace

void for_each_row(const engine::EngineState& state,
                  const std::function<void(const StateRow&)>& visit) {
  const auto& tables = state.database().tables();
  for (const engine::TableText& text : engine::table_texts()) {
    const auto table = tables.find(engine::table_id(text.number));
    if (table == tables.end()) continue;
    table->second->visit_sorted([&](std::string_view key, std::string_view row) {
      std::string json = text.row(row);
      if (text.number == engine::TableNumber::ElementInstances) name_element(state, row, json);
      visit({.table = text.name, .key = text.key(key), .json = std::move(json)});
    });
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
