// Hostile DMN files: for any bytes, reading ends with a model or with problems, and every decision
// of an accepted model can be evaluated.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dmn/dmn.h"
#include "feel/value.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  using beeline::dmn::Reading;
  for (const Reading reading : {Reading::Workflow, Reading::Standard}) {
    const auto definitions = beeline::dmn::parse_definitions(xml, reading);
    if (!definitions) continue;
    const beeline::feel::Context inputs;
    for (const auto& decision : definitions->decisions()) {
      const auto result = beeline::dmn::evaluate_decision(*definitions, decision.id, inputs, {});
      if (result.value == nullptr) __builtin_trap();
    }
  }
  return 0;
}
