#pragma once

#include <optional>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"
#include "record/document.h"

// BPMN errors and escalations: finds the event that catches one (spec: elements/events 5,
// elements/escalation).
namespace beeline::engine {

struct Catcher {
  ElementContext host;
  const bpmn::Element* event = nullptr;
};

// These search from the element instance `from` outwards, also in calling processes, for the
// nearest event that catches `code`; a specific code is preferred to a catch-all of the same scope.
[[nodiscard]] std::optional<Catcher> find_error_catcher(const Step& step, Key from,
                                                        std::string_view code);
[[nodiscard]] std::optional<Catcher> find_escalation_catcher(const Step& step, Key from,
                                                             std::string_view code);
// True if the catcher can still catch: another event may have been faster, and its host may be
// terminating.
[[nodiscard]] bool accepts(const Step& step, const Catcher& catcher);
void throw_to(Step& step, const Catcher& catcher, const record::DocumentView& variables);
// Returns the incident at `context` if nobody catches an error that was thrown at `from`: it names
// the codes that would have been caught there. `message` may be empty.
[[nodiscard]] Failure unhandled_error(const Step& step, const ElementContext& context, Key from,
                                      std::string_view code, std::string_view message);

}  // namespace beeline::engine
