#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "bpmn/parse.h"

// Hostile files for the BPMN parser: it must return consistent processes, or reasons that fit into
// a response.
namespace {

using beeline::bpmn::Element;
using beeline::bpmn::ElementIndex;
using beeline::bpmn::Process;

void check_graph(const Process& process) {
  for (const Element& element : process.elements) {
    BEELINE_CHECK(&process.element(element.index) == &element);
    for (const auto* list :
         {&element.incoming, &element.outgoing, &element.events, &element.boundary_events,
          &element.children, &element.start_events, &element.event_subprocesses}) {
      for (const ElementIndex index : *list) (void)process.element(index);
    }
    for (const ElementIndex child : element.children) {
      BEELINE_CHECK(process.element(child).flow_scope == element.index);
    }
    for (const ElementIndex flow : element.outgoing) {
      BEELINE_CHECK(process.element(flow).source == element.index);
    }
    for (const ElementIndex flow : element.incoming) {
      BEELINE_CHECK(process.element(flow).target == element.index);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  const auto parsed = beeline::bpmn::parse_bpmn("fuzz.bpmn", xml);
  if (!parsed) {
    BEELINE_CHECK(!parsed.error().errors.empty());
    BEELINE_CHECK(parsed.error().text().size() <= beeline::bpmn::kDiagnosticsBytesMax);
    return 0;
  }
  BEELINE_CHECK(!parsed->empty());
  for (const auto& process : *parsed) check_graph(*process);
  return 0;
}
