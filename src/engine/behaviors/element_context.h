#pragma once

#include "bpmn/model.h"
#include "engine/state/definitions.h"
#include "engine/step.h"
#include "record/values.h"

namespace beeline::engine {

// An element instance as behaviors and elements see it: where it is in the model, and the value its
// records carry. Good while one command is processed; its state is looked up where it matters,
// since events change it.
struct ElementContext {
  Key key;
  const Definition* definition = nullptr;
  const bpmn::Element* element = nullptr;
  record::ProcessInstanceRecord value;

  [[nodiscard]] const bpmn::Process& model() const { return *definition->model; }
  [[nodiscard]] const bpmn::Element& element_at(bpmn::ElementIndex index) const {
    return definition->model->element(index);
  }
};

// Of an element instance that exists.
[[nodiscard]] ElementContext context_of(const Step& step, Key key);
// Of one about to be activated within `scope`; its key is not set.
[[nodiscard]] ElementContext child_context(const ElementContext& scope,
                                           const bpmn::Element& element);
// Of the flow scope; `child` must have one.
[[nodiscard]] ElementContext scope_context(const Step& step, const ElementContext& child);

// The element of the flow scope, for which no context need be made; `child` must have one.
[[nodiscard]] const bpmn::Element& scope_element(const Step& step, const ElementContext& child);

// The row of an instance that must be there.
[[nodiscard]] const ElementInstanceRow& row_of(const Step& step, Key key);

}  // namespace beeline::engine
