#pragma once

#include <string_view>

#include "engine/state/definitions.h"
#include "engine/step.h"
#include "record/document.h"

namespace beeline::engine {

// Returns the start event with this id, or its definition with this id if it has several; it must
// exist.
[[nodiscard]] const bpmn::Element& start_event_of(const Definition& definition,
                                                  std::string_view event_id,
                                                  std::string_view definition_id);
// Creates an instance that begins at `start_event`, which has been triggered with `variables`.
// `instance` is a new key.
void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::DocumentView& variables);

}  // namespace beeline::engine
