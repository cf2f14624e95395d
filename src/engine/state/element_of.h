#pragma once

#include "bpmn/model.h"
#include "record/values.h"

namespace beeline::engine {

// Returns the element that a value is about; null if the model has no such element. Records contain
// its id; a value that was created in this process knows its place.
[[nodiscard]] inline const bpmn::Element* find_element(const bpmn::Process& model,
                                                       const record::ProcessInstanceView& value) {
  if (value.element_place >= 0) return &model.element(bpmn::ElementIndex{value.element_place});
  return model.find(value.element_id, value.element_type);
}

// Makes the value one about `element`.
inline void set_element(record::ProcessInstanceView& value, const bpmn::Element& element) {
  value.element_id = element.id;
  value.element_type = element.type;
  value.event_type = element.event_type;
  value.element_place = element.index.value();
}

}  // namespace beeline::engine
