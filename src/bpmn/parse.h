#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bpmn/model.h"

// Converts BPMN 2.0 XML into executable processes: reading, checking and linking. All functions are
// pure.
namespace beeline::bpmn {

inline constexpr std::size_t kXmlBytesMax = 8u << 20;
inline constexpr int kXmlDepthMax = 200;
inline constexpr std::size_t kXmlNodesMax = 400'000;
inline constexpr std::size_t kTextCharsMax = 32u << 10;  // ids, names, job types
inline constexpr std::size_t kDiagnosticsBytesMax = 12u << 10;

// All mistakes in a resource.
struct Diagnostics {
  std::string resource_name;
  std::vector<Diagnostic> errors;  // in XML order of the element, never empty

  // The text for the client, of at most kDiagnosticsBytesMax bytes:
  //   'order.bpmn':
  //   - Element 'ship': must have a 'zeebe:taskDefinition' extension element
  [[nodiscard]] std::string text() const;
};

// The origin of a file.
enum class Origin {
  Client,  // It is about to be deployed. Evaluating its constant expressions has a limit.
  Log,  // It was deployed, perhaps by a version with other limits, and must be readable for ever.
};

// Returns the executable processes of a file, in XML order, at least one; or all reasons why the
// file is refused. A caller that deploys must look at Process::refusals as well.
[[nodiscard]] Result<std::vector<std::shared_ptr<const Process>>, Diagnostics> parse_bpmn(
    std::string_view resource_name, std::string_view xml, Origin origin = Origin::Client);

}  // namespace beeline::bpmn
