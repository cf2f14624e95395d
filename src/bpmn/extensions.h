#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The extensions of the zeebe namespace and their fates: one table, which deployments are checked
// against and which docs/extensions.md shows to users. A test holds the two against each other.
namespace beeline::bpmn {

enum class Fate : std::uint8_t {
  Executed,  // the engine does what the extension says
  Ignored,   // it does not change how an instance runs, in the reference neither
  Refused,   // it would change that and is not built, so that a deployment with it is refused
};
[[nodiscard]] std::string_view name_of(Fate fate);

// One element or attribute. An extension that stands on a BPMN element that no row names is
// ignored there, since the reference does not read it there either. An extension that the table
// does not have at all is refused: it may be one that a newer version executes, or a slip of the
// pen, and in both cases the instance would not do what the model says.
struct Extension {
  std::string_view element;    // without prefix; empty for attributes of BPMN elements
  std::string_view attribute;  // empty: the element as a whole
  std::string_view on;         // BPMN elements, separated by blanks; empty: wherever it stands
  Fate fate = Fate::Ignored;
  std::string_view remark;  // of a refused one: why, and what to do instead
};
[[nodiscard]] std::span<const Extension> extensions();

}  // namespace beeline::bpmn
