#include "engine/behaviors/parallel_triggers.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/behaviors/message_protocol.h"
#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/state/collected_triggers.h"

namespace beeline::engine {
namespace {

using CollectedRound = std::vector<const Trigger*>;

bool has_trigger_of(const CollectedRound& round, const bpmn::Element& definition) {
  return std::ranges::any_of(round, [&](const Trigger* trigger) {
    return trigger->event_definition_id == definition.parts().definition_id;
  });
}

// Returns the variables of all triggers; a later one replaces an earlier one of the same name.
record::Document merged_payload(const CollectedRound& round, const record::DocumentView& last) {
  record::Document payload;
  std::map<std::string_view, std::size_t> places;
  const auto add = [&](const record::DocumentView& variables) {
    for (const record::DocumentEntryView& variable : variables.entries) {
      const auto [place, is_new] = places.try_emplace(variable.name, payload.entries.size());
      if (is_new) payload.entries.push_back({std::string{variable.name}, {}});
      payload.entries[place->second].value = variable.value;
    }
  };
  for (const Trigger* trigger : round) add(trigger->variables);
  add(last);
  return payload;
}

}  // namespace

bool is_collecting(const ElementContext& host, const bpmn::Element& definition) {
  return !definition.parts().definition_id.empty() &&
         host.element_at(definition.index).event_type == record::EventType::ParallelMultiple;
}

bool can_collect(const Step& step, const ElementContext& host, const bpmn::Element& definition,
                 const record::DocumentView& variables) {
  if (!is_collecting(host, definition)) return true;
  const TriggersRow* row = step.state().find_triggers(host.key);
  const CollectedRound round = collected_round(row, definition.id);
  // The first trigger of each definition always finds room: without it the round would never end.
  if (!has_trigger_of(round, definition)) return true;
  if (definition.interrupting) return false;  // there is no next round
  std::size_t count = 0;
  std::int64_t bytes = bytes_of(variables);
  for_each_collected(row, definition.id, [&](const Trigger& trigger) {
    ++count;
    bytes += bytes_of(trigger.variables);
  });
  return count - round.size() < kFurtherTriggersMax &&
         bytes <= static_cast<std::int64_t>(step.instance_variables_max());
}

std::optional<record::Document> collect(Step& step, const ElementContext& host,
                                        const bpmn::Element& definition,
                                        const record::DocumentView& variables) {
  const bpmn::Element& event = host.element_at(definition.index);
  const CollectedRound round = collected_round(step.state().find_triggers(host.key), event.id);
  const bool is_first = !has_trigger_of(round, definition);
  if (is_first && round.size() + 1 == event.definitions().size())
    return merged_payload(round, variables);
  if (!can_collect(step, host, definition, variables)) return std::nullopt;
  record::ProcessEventView value;
  value.scope_key = host.key;
  value.target_element_id = event.id;
  value.event_definition_id = definition.parts().definition_id;
  value.variables = variables;
  fill_owner(value, host);
  step.event(record::ProcessEventIntent::Collected, step.next_key(), value);
  if (event.interrupting) close_subscription_of(step, host, definition);
  return std::nullopt;
}

RefusedMessages::RefusedMessages(const Step& step, const ElementContext& host,
                                 const bpmn::Element& definition) {
  if (!is_collecting(host, definition) || definition.interrupting) return;
  const EngineState& state = step.state();
  for (const Key key : state.process_message_subscriptions().of_element_instance(host.key)) {
    const auto& waiting = state.process_message_subscriptions().get(key).record;
    if (waiting.element_id != definition.id) continue;
    const SubscriptionKey other =
        state.message_subscriptions().find_of(host.key, waiting.message_name);
    if (!other.is_set()) continue;
    const MessageSubscriptionRow& row = state.message_subscriptions().get(other);
    const bpmn::Element& each =
        catch_event_of(host, waiting.element_id, waiting.event_definition_id);
    if (row.is_correlating && !can_collect(step, host, each, row.record.variables)) {
      subscriptions_.push_back(other);
    }
  }
}

void RefusedMessages::correlate_again(Step& step) const {
  for (const SubscriptionKey key : subscriptions_) {
    send_to_instance(step, record::ProcessMessageSubscriptionIntent::Correlate,
                     step.state().message_subscriptions().get(key).record);
  }
}

}  // namespace beeline::engine
