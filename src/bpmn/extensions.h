#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// One table lists the extensions of the zeebe namespace and what happens to each. Deployments are
// checked against it, and docs/extensions.md shows it to users. A test compares the two.
namespace beeline::bpmn {

enum class Fate : std::uint8_t {
  Executed,  // the engine does what the extension describes
  Ignored,   // it does not change how an instance runs, in Zeebe either
  Refused,   // it would change that and is not built, so a deployment with it is refused
};
[[nodiscard]] std::string_view name_of(Fate fate);

// One element or attribute. An extension on a BPMN element that no row names is ignored there,
// since Zeebe does not read it there either. An extension that is missing from the table is
// refused: either a newer version executes it, or it is misspelt, and in both cases the instance
// would not do what the model describes.
struct Extension {
  std::string_view element;    // without prefix; empty for attributes of BPMN elements
  std::string_view attribute;  // empty for the element as a whole
  std::string_view on;         // BPMN elements, separated by blanks; empty for all elements
  Fate fate = Fate::Ignored;
  std::string_view remark;  // for a refused extension: why, and what to do instead
};
[[nodiscard]] std::span<const Extension> extensions();

}  // namespace beeline::bpmn
