#include "engine/state/engine_state.h"

#include <algorithm>
#include <utility>

namespace beeline::engine {
namespace {

constexpr std::int32_t kKeyCounter = 1;

}  // namespace

EngineState::EngineState(PartitionId partition, std::int32_t partition_count)
    : partition_(partition), partition_count_(partition_count) {}

EngineState::~EngineState() = default;

void EngineState::add_trigger(Key scope, Trigger trigger) {
  triggers_.update_or_insert(scope,
                             [&](TriggersRow& row) { row.triggers.push_back(std::move(trigger)); });
}

void EngineState::remove_trigger(Key scope, TriggerKey trigger) {
  const TriggersRow* row = triggers_.find(scope);
  if (row == nullptr) return;
  if (row->triggers.size() == 1 && row->triggers.front().key == trigger && row->collected.empty()) {
    triggers_.erase(scope);
    return;
  }
  triggers_.update(scope, [&](TriggersRow& changed) {
    std::erase_if(changed.triggers, [&](const Trigger& each) { return each.key == trigger; });
  });
}

void EngineState::collect_trigger(Key scope, Trigger trigger) {
  triggers_.update_or_insert(
      scope, [&](TriggersRow& row) { row.collected.push_back(std::move(trigger)); });
}

void EngineState::remove_collected(Key scope, const std::vector<TriggerKey>& triggers) {
  if (triggers.empty()) return;
  const TriggersRow& row = *triggers_.find(scope);
  if (row.triggers.empty() && row.collected.size() == triggers.size()) {
    return triggers_.erase(scope);
  }
  triggers_.update(scope, [&](TriggersRow& changed) {
    std::erase_if(changed.collected, [&](const Trigger& each) {
      return std::ranges::find(triggers, TriggerKey{each.key}) != triggers.end();
    });
  });
}

void EngineState::remove_triggers(Key scope) {
  triggers_.erase_any(scope);
}

void EngineState::await_result(Key process_instance, AwaitedResultRow row) {
  awaited_results_.insert(process_instance, std::move(row));
}

void EngineState::forget_awaited_result(Key process_instance) {
  awaited_results_.erase_any(process_instance);
}

void EngineState::ban(Key process_instance, Position error_position) {
  banned_.put(process_instance, BannedRow{error_position.value()});
}

std::int64_t EngineState::active_instances(Key definition) const {
  std::int64_t count = element_instances_.process_instance_count(definition);
  if (count == 0 || !has_banned()) return count;
  banned_.for_each_sorted([&](Key instance, const BannedRow&) {
    const ElementInstanceRow* row = element_instances_.find(instance);
    if (row != nullptr && row->process_definition_key == definition) --count;
  });
  return count;
}

void EngineState::unban(Key process_instance) {
  banned_.erase_any(process_instance);
}

void EngineState::set_tags(Key process_instance, std::vector<std::string> tags) {
  tags_.put(process_instance, TagsRow{std::move(tags)});
}

void EngineState::forget_tags(Key process_instance) {
  tags_.erase_any(process_instance);
}

void EngineState::set_runtime_instructions(Key process_instance,
                                           std::vector<std::string> after_element_ids) {
  runtime_instructions_.insert(process_instance,
                               RuntimeInstructionsRow{std::move(after_element_ids)});
}

void EngineState::interrupt_by_runtime_instruction(Key process_instance) {
  runtime_instructions_.update(process_instance,
                               [](RuntimeInstructionsRow& row) { row.is_interrupted = true; });
}

void EngineState::forget_runtime_instructions(Key process_instance) {
  runtime_instructions_.erase_any(process_instance);
}

void EngineState::set_input_collection(Key body, std::vector<std::string> items) {
  input_collections_.put(body, InputCollectionRow{std::move(items)});
}

void EngineState::set_output_item(Key body, std::int32_t index, std::string value) {
  std::int64_t bytes = output_bytes(body) + static_cast<std::int64_t>(value.size());
  // An item produces a second result if its first attempt ended in an incident.
  if (const OutputItemRow* known = find_output_item(body, index)) {
    bytes -= static_cast<std::int64_t>(known->value.size());
  }
  output_bytes_.put(body, CounterRow{bytes});
  output_items_.put({body, index}, OutputItemRow{std::move(value)});
}

std::int64_t EngineState::output_bytes(Key body) const {
  const CounterRow* row = output_bytes_.find(body);
  return row != nullptr ? row->value : 0;
}

void EngineState::forget_input_collection(Key body) {
  const InputCollectionRow* input = input_collections_.find(body);
  const bool has_output = output_bytes_.find(body) != nullptr;
  const std::size_t count = input != nullptr && has_output ? input->items.size() : 0;
  for (std::size_t index = 1; index <= count; ++index) {
    output_items_.erase_any({body, static_cast<std::int32_t>(index)});
  }
  output_bytes_.erase_any(body);
  input_collections_.erase_any(body);
}

std::optional<std::int64_t> EngineState::loop_maximum(Key body) const {
  const CounterRow* row = loop_maximums_.find(body);
  return row != nullptr ? std::optional{row->value} : std::nullopt;
}

void EngineState::set_loop_maximum(Key body, std::int64_t maximum) {
  loop_maximums_.put(body, CounterRow{maximum});
}

void EngineState::forget_loop_maximum(Key body) {
  loop_maximums_.erase_any(body);
}

void EngineState::add_delivered_flow(Key scope, std::int32_t flow) {
  gateway_rounds_.update_or_insert(scope, [&](GatewayRoundsRow& row) {
    std::vector<std::int32_t>& flows = row.delivered_flows;
    const auto place = std::ranges::lower_bound(flows, flow);
    if (place == flows.end() || *place != flow) flows.insert(place, flow);
  });
}

void EngineState::remove_delivered_flows(Key scope, const std::vector<bpmn::ElementIndex>& flows) {
  const GatewayRoundsRow* row = gateway_rounds_.find(scope);
  if (row == nullptr) return;
  std::vector<std::int32_t> left;
  for (const std::int32_t flow : row->delivered_flows) {
    if (std::ranges::find(flows, bpmn::ElementIndex{flow}) == flows.end()) left.push_back(flow);
  }
  if (left.empty()) {
    gateway_rounds_.erase(scope);
  } else {
    gateway_rounds_.put(scope, GatewayRoundsRow{std::move(left)});
  }
}

void EngineState::forget_gateway_rounds(Key scope) {
  if (gateway_rounds_.size() > 0) gateway_rounds_.erase_any(scope);
}

std::int64_t EngineState::key_counter() const {
  const CounterRow* row = counters_.find(kKeyCounter);
  return row != nullptr ? row->value : 0;
}

void EngineState::set_key_counter(std::int64_t counter) {
  counters_.put(kKeyCounter, CounterRow{counter});
}

}  // namespace beeline::engine
