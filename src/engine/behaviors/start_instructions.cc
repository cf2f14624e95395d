#include "engine/behaviors/start_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/behaviors/subscriptions.h"
#include "engine/behaviors/transitions.h"

namespace beeline::engine {
namespace {

using record::ElementType;
using record::RejectionType;

// Returns the kind of loop around the element; empty if there is none.
std::string_view loop_around(const bpmn::Process& model, const bpmn::Element& element) {
  for (bpmn::ElementIndex scope = element.flow_scope; scope.is_set();
       scope = model.element(scope).flow_scope) {
    if (model.element(scope).type != ElementType::MultiInstanceBody) continue;
    return model.element(scope).parts().standard_loop ? "standard loop" : "multi-instance";
  }
  return {};
}

bool is_behind_event_gateway(const bpmn::Process& model, const bpmn::Element& element) {
  return std::ranges::any_of(element.incoming, [&](bpmn::ElementIndex flow) {
    return model.element(model.element(flow).source).type == ElementType::EventBasedGateway;
  });
}

bool can_be_started(ElementType type) {
  using enum ElementType;
  return type != Unspecified && type != Process && type != StartEvent && type != BoundaryEvent &&
         type != SequenceFlow;
}

// Why an instance cannot begin at the element of this id, or nothing.
std::optional<std::string> start_obstacle(const bpmn::Process& model, std::string_view id) {
  const bpmn::Element* element = model.find(id);
  if (element == nullptr) return fmt::format("no element found with id '{}'.", id);
  if (const std::string_view loop = loop_around(model, *element); !loop.empty()) {
    return fmt::format(
        "the element with id '{0}' is inside a {1} subprocess. The creation of elements inside a "
        "{1} subprocess is not supported.",
        id, loop);
  }
  if (!can_be_started(element->type)) {
    return fmt::format(
        "the element with id '{}' targets unsupported element type '{}'. Supported are all element "
        "types but [PROCESS, START_EVENT, BOUNDARY_EVENT, SEQUENCE_FLOW]",
        id, record::name_of(element->type));
  }
  if (is_behind_event_gateway(model, *element)) {
    return fmt::format(
        "the element with id '{}' belongs to an event-based gateway. The creation of elements "
        "belonging to an event-based gateway is not supported.",
        id);
  }
  return std::nullopt;
}

// Why an instance cannot end after the element of this id, or nothing.
std::optional<std::string> end_obstacle(const bpmn::Process& model, std::string_view id) {
  const bpmn::Element* element = model.find(id);
  if (element == nullptr) {
    return fmt::format("no element found with id '{}' in process definition '{}'.", id, model.id);
  }
  if (element->type == ElementType::SequenceFlow || element->type == ElementType::Process) {
    return fmt::format(
        "the element with id '{}' is of type {}: nothing of an instance comes after it", id,
        record::name_of(element->type));
  }
  return std::nullopt;
}

Rejection refuse_instructions(std::string_view kind, const std::string& reason) {
  return {RejectionType::InvalidArgument,
          fmt::format("Expected to create instance of process with {} instructions but {}", kind,
                      reason)};
}

// The scopes of a new process instance, opened when they are first needed.
class OpenScopes {
 public:
  OpenScopes(Step& step, ElementContext process) : step_(step) { open(std::move(process)); }

  const ElementContext& get(const bpmn::Element& element) {
    const auto found = scopes_.find(element.index.value());
    if (found != scopes_.end()) return found->second;
    const ElementContext& around = scopes_.begin()->second;
    return open(child_context(get(around.element_at(element.flow_scope)), element));
  }

 private:
  const ElementContext& open(ElementContext scope) {
    write_activating(step_, scope);
    scope.value.activation = {};  // its tags are on the first record of the process only
    write_activated(step_, scope);
    const auto subscribed = subscribe(step_, scope);
    if (!subscribed) {
      throw CommandRefused{
          RejectionType::InvalidArgument,
          fmt::format("Expected to create instance of process with start instructions but the "
                      "events of '{}' cannot be subscribed to: {}",
                      scope.element->id, subscribed.error().message)};
    }
    return scopes_.emplace(scope.element->index.value(), std::move(scope)).first->second;
  }

  Step& step_;
  std::map<std::int32_t, ElementContext> scopes_;  // by place; the process is the first
};

}  // namespace

Result<void, Rejection> check_instructions(const bpmn::Process& model,
                                           const record::ProcessInstanceCreationView& creation) {
  for (const record::StartInstruction& instruction : creation.start_instructions) {
    if (const auto obstacle = start_obstacle(model, instruction.element_id)) {
      return failure(refuse_instructions("start", *obstacle));
    }
  }
  for (const record::RuntimeInstruction& instruction : creation.runtime_instructions) {
    if (const auto obstacle = end_obstacle(model, instruction.after_element_id)) {
      return failure(refuse_instructions("runtime", *obstacle));
    }
  }
  return {};
}

void begin_at_elements(Step& step, const Definition& definition,
                       const record::ProcessInstanceView& process,
                       const std::vector<record::StartInstruction>& instructions) {
  ElementContext context;
  context.key = process.process_instance_key;
  context.definition = &definition;
  context.element = &definition.model->root();
  context.value = process;
  OpenScopes scopes{step, std::move(context)};
  // Every scope is open before the first element is activated, so that an element never sees half
  // of them.
  for (const record::StartInstruction& instruction : instructions) {
    const bpmn::Element& element = *definition.model->find(instruction.element_id);
    (void)scopes.get(definition.model->element(element.flow_scope));
  }
  for (const record::StartInstruction& instruction : instructions) {
    const bpmn::Element& element = *definition.model->find(instruction.element_id);
    go_on_to_activate(step, scopes.get(definition.model->element(element.flow_scope)), element,
                      Key{});
  }
}

}  // namespace beeline::engine
