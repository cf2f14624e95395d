#include <algorithm>
#include <map>

#include "base/check.h"
#include "engine/appliers/appliers.h"
#include "engine/state/element_of.h"

namespace beeline::engine {
namespace {

using record::ElementType;
using record::ProcessInstanceIntent;
using record::ProcessInstanceView;

void add_flow(std::vector<FlowCount>& flows, std::int32_t flow) {
  for (FlowCount& each : flows) {
    if (each.flow == flow) {
      ++each.count;
      return;
    }
  }
  flows.push_back({flow, 1});
}

// Removes one token from the flow. Returns false if the flow has no token.
bool remove_flow(std::vector<FlowCount>& flows, std::int32_t flow) {
  for (auto it = flows.begin(); it != flows.end(); ++it) {
    if (it->flow != flow) continue;
    BEELINE_CHECK(it->count > 0, "flow {} is kept with a count of {}", flow, it->count);
    if (--it->count == 0) flows.erase(it);
    return true;
  }
  return false;
}

const bpmn::Process& model_of(const EngineState& state, Key definition_key) {
  const Definition* definition = state.definitions().find(definition_key);
  BEELINE_CHECK(definition != nullptr, "no process definition with key {}", definition_key.value());
  return *definition->model;
}

const bpmn::Element& element_of(const bpmn::Process& model, const ProcessInstanceView& value) {
  const bpmn::Element* element = find_element(model, value);
  BEELINE_CHECK(element != nullptr, "process '{}' has no element '{}'", model.id, value.element_id);
  return *element;
}

bool comes_from_event_gateway(const bpmn::Process& model, const bpmn::Element& element) {
  return std::any_of(
      element.incoming.begin(), element.incoming.end(), [&](bpmn::ElementIndex flow) {
        return model.element(model.element(flow).source).type == ElementType::EventBasedGateway;
      });
}

bool is_join(const bpmn::Element& element) {
  return element.type == ElementType::ParallelGateway ||
         element.type == ElementType::InclusiveGateway;
}

bool is_complex(const bpmn::Element& element) {
  return element.type == ElementType::InclusiveGateway && element.parts().complex_join.has_value();
}

// Returns true if the element, which is no join, takes a token of its scope: a flow led to it.
bool takes_token(const bpmn::Process& model, const bpmn::Element& element,
                 const ElementInstanceRow& scope) {
  if (element.type == ElementType::StartEvent || element.type == ElementType::BoundaryEvent ||
      element.type == ElementType::EventSubProcess || element.for_compensation) {
    return false;
  }
  if (element.type == ElementType::IntermediateCatchEvent &&
      (element.incoming.empty() || comes_from_event_gateway(model, element))) {
    return false;
  }
  return model.element(bpmn::ElementIndex{scope.element}).type != ElementType::MultiInstanceBody;
}

// Removes the tokens of the scope that the element consumes when it is activated (spec: lifecycle
// 4).
void take_tokens(const bpmn::Process& model, const bpmn::Element& element,
                 ElementInstanceRow& scope) {
  std::int32_t taken = 0;
  if (is_join(element)) {
    for (const bpmn::ElementIndex flow : element.incoming) {
      if (remove_flow(scope.taken_flows, flow.value())) ++taken;
    }
  } else if (takes_token(model, element, scope)) {
    taken = 1;
  } else if (element.type == ElementType::EventSubProcess && element.interrupting) {
    scope.active_flow_count = 0;
    scope.active_flows.clear();
    scope.taken_flows.clear();
  }
  for (const bpmn::ElementIndex flow : element.incoming) {
    remove_flow(scope.active_flows, flow.value());
  }
  scope.active_flow_count = std::max(0, scope.active_flow_count - taken);
}

// Moves the trigger of an event subprocess to its start event, where the payload becomes the start
// event's result.
void take_over_trigger(EngineState& state, Key key, const bpmn::Process& model,
                       const bpmn::Element& element, const ProcessInstanceView& value) {
  if (!model.starts_event_subprocess(element)) return;
  const ElementInstanceRow* subprocess = state.element_instances().find(value.flow_scope_key);
  BEELINE_CHECK(subprocess != nullptr, "no event subprocess with key {}",
                value.flow_scope_key.value());
  const TriggersRow* waiting = state.find_triggers(subprocess->flow_scope_key);
  if (waiting == nullptr) return;
  for (const Trigger& trigger : waiting->triggers) {
    if (trigger.target_element_id != element.id) continue;
    Trigger moved = trigger;
    state.remove_trigger(subprocess->flow_scope_key, TriggerKey{moved.key});
    state.add_trigger(key, std::move(moved));
    return;
  }
}

void element_activating(EngineState& state, Key key, const ProcessInstanceView& value) {
  const bpmn::Process& model = model_of(state, value.process_definition_key);
  const bpmn::Element& element = element_of(model, value);
  ElementInstanceRow row;
  row.process_definition_key = value.process_definition_key;
  row.process_instance_key = value.process_instance_key;
  row.element = element.index.value();
  row.flow_scope_key = value.flow_scope_key;
  row.parent_process_instance_key = value.parent_process_instance_key;
  row.parent_element_instance_key = value.parent_element_instance_key;
  row.root_process_instance_key = value.root_process_instance_key;

  if (value.flow_scope_key.is_set()) {
    state.element_instances().update(value.flow_scope_key, [&](ElementInstanceRow& scope) {
      ++scope.child_count;
      // A complex gateway takes its tokens when it fires.
      if (!is_complex(element)) take_tokens(model, element, scope);
      row.depth = scope.depth;
      if (model.element(bpmn::ElementIndex{scope.element}).type == ElementType::MultiInstanceBody) {
        row.loop.loop_counter = ++scope.loop.loop_counter;
        ++scope.loop.number_of_instances;
      }
    });
  } else if (value.parent_element_instance_key.is_set()) {
    state.element_instances().update(value.parent_element_instance_key,
                                     [&](ElementInstanceRow& caller) {
                                       caller.called_instance_key = key;
                                       row.depth = caller.depth + 1;
                                     });
  }
  state.element_instances().insert(key, std::move(row));
  state.variables().open_scope(key, ParentScopeKey{value.flow_scope_key});
  take_over_trigger(state, key, model, element, value);
}

// Aborts, because an element instance may only go to a later state. This function is separate from
// set_state so that the compiler can inline set_state without the formatting code.
[[gnu::cold, gnu::noinline]] void went_back(Key key, ElementState from, ElementState to) {
  BEELINE_CHECK(from < to, "element instance {} goes from {} to {}", key.value(), name_of(from),
                name_of(to));
}

void set_state(EngineState& state, Key key, ElementState to) {
  state.element_instances().update(key, [&](ElementInstanceRow& row) {
    if (row.state >= to) [[unlikely]]
      went_back(key, row.state, to);
    row.state = to;
  });
}

void element_activated(EngineState& state, Key key, const ProcessInstanceView& value) {
  set_state(state, key, ElementState::Activated);
  if (value.element_type != ElementType::InclusiveGateway) return;
  const bpmn::Process& model = model_of(state, value.process_definition_key);
  const bpmn::Element& gateway = element_of(model, value);
  if (!is_complex(gateway)) return;
  std::vector<std::int32_t> delivered;
  state.element_instances().update(value.flow_scope_key, [&](ElementInstanceRow& scope) {
    for (const FlowCount& taken : scope.taken_flows) {
      const bool is_its_own = model.element(bpmn::ElementIndex{taken.flow}).target == gateway.index;
      if (is_its_own) delivered.push_back(taken.flow);
    }
    take_tokens(model, gateway, scope);
  });
  if (delivered.size() == gateway.incoming.size()) return;
  for (const std::int32_t flow : delivered) state.add_delivered_flow(value.flow_scope_key, flow);
}

// Removes an element instance with everything that belongs to it, whether it completed or was
// terminated.
void remove_element(EngineState& state, Key key, const ProcessInstanceView& value, bool completed) {
  state.element_instances().erase(key);
  state.variables().close_scope(key);
  state.remove_triggers(key);
  if (value.element_type == ElementType::MultiInstanceBody) {
    state.forget_input_collection(key);
    state.forget_loop_maximum(key);
  } else if (bpmn::is_scope(value.element_type)) {
    state.forget_gateway_rounds(key);
  }
  if (!value.flow_scope_key.is_set()) {
    state.forget_awaited_result(key);
    state.forget_tags(key);
    state.forget_runtime_instructions(key);
    state.message_starts().unlock(key);
    if (state.is_banned(key)) {
      state.unban(key);
      forget_deleted_definition(state, value.process_definition_key);
    }
    return;
  }
  const bpmn::Process& model = model_of(state, value.process_definition_key);
  state.element_instances().update(value.flow_scope_key, [&](ElementInstanceRow& scope) {
    BEELINE_CHECK(scope.child_count > 0, "scope {} of element instance {} has no children",
                  value.flow_scope_key.value(), key.value());
    --scope.child_count;
    if (model.element(bpmn::ElementIndex{scope.element}).type == ElementType::MultiInstanceBody) {
      ++(completed ? scope.loop.completed : scope.loop.terminated);
    }
    if (completed && value.element_type == ElementType::EndEvent &&
        value.event_type == record::EventType::Terminate) {
      scope.active_flow_count = 0;
      scope.active_flows.clear();
      scope.interrupted_by = element_of(model, value).index.value();
    }
  });
}

// A client cancels the process instance, or its cancel end event cancels a transaction, which loses
// its tokens and takes no more events.
void canceling(EngineState& state, Key key) {
  state.element_instances().update(key, [](ElementInstanceRow& row) {
    row.is_canceling = true;
    if (!row.flow_scope_key.is_set()) return;
    row.accepts_events = false;
    row.active_flow_count = 0;
    row.active_flows.clear();
    row.taken_flows.clear();
  });
}

void sequence_flow_taken(EngineState& state, const ProcessInstanceView& value) {
  const bpmn::Process& model = model_of(state, value.process_definition_key);
  const bpmn::Element& flow = element_of(model, value);
  BEELINE_CHECK(flow.type == ElementType::SequenceFlow, "element '{}' is not a sequence flow",
                flow.id);
  const ElementType target = model.element(flow.target).type;
  state.element_instances().update(value.flow_scope_key, [&](ElementInstanceRow& scope) {
    ++scope.active_flow_count;
    add_flow(scope.active_flows, flow.index.value());
    if (target == ElementType::ParallelGateway || target == ElementType::InclusiveGateway) {
      add_flow(scope.taken_flows, flow.index.value());
    }
  });
}

// Removes a token that came to a complex gateway after it had fired.
void sequence_flow_deleted(EngineState& state, const ProcessInstanceView& value) {
  const bpmn::Process& model = model_of(state, value.process_definition_key);
  const bpmn::Element& flow = element_of(model, value);
  state.element_instances().update(value.flow_scope_key, [&](ElementInstanceRow& scope) {
    const bool is_removed = remove_flow(scope.taken_flows, flow.index.value());
    BEELINE_CHECK(is_removed && scope.active_flow_count > 0,
                  "scope {} has no token on flow '{}' to delete", value.flow_scope_key.value(),
                  flow.id);
    remove_flow(scope.active_flows, flow.index.value());
    --scope.active_flow_count;
  });
  state.add_delivered_flow(value.flow_scope_key, flow.index.value());
  const std::vector<bpmn::ElementIndex>& all = model.element(flow.target).incoming;
  const std::vector<std::int32_t>& delivered =
      state.find_gateway_rounds(value.flow_scope_key)->delivered_flows;
  const bool is_round_over = std::ranges::all_of(all, [&](bpmn::ElementIndex each) {
    return std::ranges::binary_search(delivered, each.value());
  });
  if (is_round_over) state.remove_delivered_flows(value.flow_scope_key, all);
}

// The instance of each scope that a new process instance has, by the place of the scope.
using ScopesByPlace = std::map<std::int32_t, Key>;
void collect_scopes(const EngineState& state, Key scope, ScopesByPlace& scopes) {
  scopes.emplace(state.element_instances().get(scope).element, scope);
  state.element_instances().for_each_child(scope, ChildKey{},
                                           [&](Key child, const ElementInstanceRow&) {
                                             collect_scopes(state, child, scopes);
                                             return true;
                                           });
}

}  // namespace

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ComplexGatewayRecord& value) {
  check_version(metadata, 1);
  switch (static_cast<record::ComplexGatewayIntent>(metadata.intent)) {
    case record::ComplexGatewayIntent::Reset: {
      const bpmn::Element* gateway =
          model_of(state, value.process_definition_key).find(value.element_id);
      BEELINE_CHECK(gateway != nullptr, "process '{}' has no element '{}'", value.bpmn_process_id,
                    value.element_id);
      return state.remove_delivered_flows(value.flow_scope_key, gateway->incoming);
    }
  }
  no_applier(metadata);
}

void add_start_tokens(EngineState& state, const record::ProcessInstanceCreationView& creation) {
  const bpmn::Process& model = model_of(state, creation.process_definition_key);
  ScopesByPlace scopes;
  collect_scopes(state, creation.process_instance_key, scopes);
  for (const record::StartInstruction& instruction : creation.start_instructions) {
    const bpmn::Element* element = model.find(instruction.element_id);
    BEELINE_CHECK(element != nullptr, "process '{}' has no element '{}'", model.id,
                  instruction.element_id);
    state.element_instances().update(
        scopes.at(element->flow_scope.value()), [&](ElementInstanceRow& scope) {
          if (!is_join(*element)) {
            scope.active_flow_count += takes_token(model, *element, scope) ? 1 : 0;
            return;
          }
          for (const bpmn::ElementIndex flow : element->incoming) {
            add_flow(scope.taken_flows, flow.value());
            ++scope.active_flow_count;
          }
        });
  }
}

void apply(EngineState& state, const record::Metadata& metadata,
           const record::ProcessInstanceView& value) {
  check_version(metadata, 1);
  switch (static_cast<ProcessInstanceIntent>(metadata.intent)) {
    case ProcessInstanceIntent::ElementActivating:
      return element_activating(state, metadata.key, value);
    case ProcessInstanceIntent::ElementActivated:
      return element_activated(state, metadata.key, value);
    case ProcessInstanceIntent::ElementCompleting:
      return set_state(state, metadata.key, ElementState::Completing);
    case ProcessInstanceIntent::ElementCompleted:
      return remove_element(state, metadata.key, value, true);
    case ProcessInstanceIntent::ElementTerminating:
      return set_state(state, metadata.key, ElementState::Terminating);
    case ProcessInstanceIntent::ElementTerminated:
      return remove_element(state, metadata.key, value, false);
    case ProcessInstanceIntent::SequenceFlowTaken:
      return sequence_flow_taken(state, value);
    case ProcessInstanceIntent::SequenceFlowDeleted:
      return sequence_flow_deleted(state, value);
    case ProcessInstanceIntent::Canceling:
      return canceling(state, metadata.key);
    case ProcessInstanceIntent::Cancel:
    case ProcessInstanceIntent::ActivateElement:
    case ProcessInstanceIntent::CompleteElement:
    case ProcessInstanceIntent::TerminateElement:
      break;  // commands
  }
  no_applier(metadata);
}

}  // namespace beeline::engine
