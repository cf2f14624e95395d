#include "base/check.h"
#include "engine/appliers/appliers.h"
#include "engine/state/collected_triggers.h"

// Appliers of timers, of triggers of catch events and of escalations.
namespace beeline::engine {
namespace {

using record::ElementType;
using record::EscalationIntent;
using record::ProcessEventIntent;
using record::ProcessEventView;
using record::TimerIntent;

Trigger trigger_of(Key key, const ProcessEventView& value) {
  return {key, std::string{value.target_element_id}, value.variables.to_document(),
          std::string{value.event_definition_id}};
}

// A parallel-multiple event has fired: its round is used up.
void take_round(EngineState& state, const ProcessEventView& value) {
  std::vector<TriggerKey> taken;
  for (const Trigger* trigger :
       collected_round(state.find_triggers(value.scope_key), value.target_element_id)) {
    taken.emplace_back(trigger->key);
  }
  state.remove_collected(value.scope_key, taken);
}

// Forgets the triggers of events that cannot fire any more, since another one interrupts the host.
void forget_collected(EngineState& state, const ProcessEventView& value, const bpmn::Process& model,
                      bool boundary_events_too) {
  const TriggersRow* row = state.find_triggers(value.scope_key);
  if (row == nullptr) return;
  std::vector<TriggerKey> forgotten;
  for (const Trigger& trigger : row->collected) {
    const bpmn::Element* event = model.find(trigger.target_element_id);
    const bool is_boundary = event != nullptr && event->type == ElementType::BoundaryEvent;
    if (boundary_events_too || !is_boundary) forgotten.emplace_back(trigger.key);
  }
  state.remove_collected(value.scope_key, forgotten);
}

// Records on the host that one of its catch events was triggered (spec: lifecycle 7). An
// interrupting event closes the host for further events. An interrupting event subprocess
// interrupts its scope.
void note_interruption(EngineState& state, const ProcessEventView& value) {
  const ElementInstanceRow* host = state.element_instances().find(value.scope_key);
  if (host == nullptr) return;
  const Definition* definition = state.definitions().find(host->process_definition_key);
  BEELINE_CHECK(definition != nullptr, "no process definition with key {}",
                host->process_definition_key.value());
  const bpmn::Process& model = *definition->model;
  const bpmn::Element* target = model.find(value.target_element_id);
  // A trigger whose target is the host itself carries the result of the host's work.
  if (target == nullptr || target->id == model.element(bpmn::ElementIndex{host->element}).id)
    return;
  const bool is_boundary = target->type == ElementType::BoundaryEvent;
  // The first event behind an event-based gateway wins, so it closes the gateway for the others.
  const bool is_behind_gateway =
      model.element(bpmn::ElementIndex{host->element}).type == ElementType::EventBasedGateway;
  const bool interrupts =
      target->interrupting && (is_boundary || model.starts_event_subprocess(*target));
  if (!is_behind_gateway && !interrupts) return;
  forget_collected(state, value, model, is_boundary);
  state.element_instances().update(value.scope_key, [&](ElementInstanceRow& row) {
    row.event_interrupted = true;
    if (is_boundary || is_behind_gateway) {
      row.accepts_events = false;
    } else {
      row.interrupted_by = target->flow_scope.value();
    }
  });
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessEventView& value) {
  check_version(metadata, 1);
  switch (static_cast<ProcessEventIntent>(metadata.intent)) {
    case ProcessEventIntent::Triggering:
      BEELINE_CHECK(value.scope_key.is_set(), "trigger {} belongs to no element instance",
                    metadata.key.value());
      if (!value.event_definition_id.empty()) take_round(state, value);
      state.add_trigger(value.scope_key, trigger_of(metadata.key, value));
      return note_interruption(state, value);
    case ProcessEventIntent::Triggered:
      return state.remove_trigger(value.scope_key, TriggerKey{metadata.key});
    case ProcessEventIntent::Collected:
      BEELINE_CHECK(value.scope_key.is_set(), "trigger {} belongs to no element instance",
                    metadata.key.value());
      return state.collect_trigger(value.scope_key, trigger_of(metadata.key, value));
  }
  no_applier(metadata);
}

void apply(EngineState& state, const record::Metadata& metadata, const record::TimerRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<TimerIntent>(metadata.intent)) {
    case TimerIntent::Created:
      return state.timers().insert(metadata.key, value);
    case TimerIntent::Triggered:
    case TimerIntent::Canceled:
      return state.timers().erase(metadata.key);
    case TimerIntent::Trigger:
    case TimerIntent::Cancel:
      break;  // commands
  }
  no_applier(metadata);
}

void apply(EngineState&, const record::Metadata& metadata, const record::EscalationRecord&) {
  check_version(metadata, 1);
  switch (static_cast<EscalationIntent>(metadata.intent)) {
    case EscalationIntent::Escalated:
    case EscalationIntent::NotEscalated:
      return;  // the trigger of the event that caught it has a record of its own
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
