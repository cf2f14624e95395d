#pragma once

#include "engine/state/definitions.h"
#include "engine/step.h"
#include "record/document.h"

namespace beeline::engine {

// Creates an instance that begins at `start_event`, which has been triggered with `variables`.
// `instance` is a new key.
void start_by_event(Step& step, Key instance, const Definition& definition,
                    const bpmn::Element& start_event, const record::DocumentView& variables);

}  // namespace beeline::engine
