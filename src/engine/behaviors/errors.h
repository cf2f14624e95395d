#pragma once

#include <optional>
#include <string_view>

#include "engine/behaviors/element_context.h"
#include "engine/failure.h"
#include "record/document.h"

// BPMN errors: who catches one (spec: elements/events 5).
namespace beeline::engine {

struct Catcher {
  ElementContext host;
  const bpmn::Element* event = nullptr;
};

// Looks from the element instance `from` outwards, into calling processes too, for the nearest
// event that catches `code`; a specific code beats a catch-all of the same scope.
[[nodiscard]] std::optional<Catcher> find_error_catcher(const Step& step, Key from,
                                                        std::string_view code);
// Whether it still can: another event may have been quicker, and its host be on its way out.
[[nodiscard]] bool accepts(const Step& step, const Catcher& catcher);
void throw_to(Step& step, const Catcher& catcher, const record::DocumentView& variables);
// The incident at `context` when nobody catches what was thrown at `from`: it names the codes that
// would have been caught there. `message` may be empty.
[[nodiscard]] Failure unhandled_error(const Step& step, const ElementContext& context, Key from,
                                      std::string_view code, std::string_view message);

}  // namespace beeline::engine
