#pragma once

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"
#include "record/values.h"

// Start instructions: a new process instance begins at certain elements instead of its start event
// (spec: instances 1).
namespace beeline::engine {

// Checks whether an instance of this process can be created with these start and run-time
// instructions.
[[nodiscard]] Result<void, Rejection> check_instructions(
    const bpmn::Process& model, const record::ProcessInstanceCreationView& creation);

// Opens the process and the scopes of the elements, and writes the commands that activate them.
// Throws CommandRefused if an event of one of these scopes cannot be subscribed to.
void begin_at_elements(Step& step, const Definition& definition,
                       const record::ProcessInstanceView& process,
                       const std::vector<record::StartInstruction>& instructions);

}  // namespace beeline::engine
