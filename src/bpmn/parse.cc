#include "bpmn/parse.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "bpmn/draft.h"

namespace beeline::bpmn {
namespace {

// All BPMN elements of the file by id; reports ids that occur twice.
class Ids {
 public:
  void collect(const XmlNode& node, Findings& findings) {
    if (node.ns == Namespace::Bpmn) {
      const std::string_view id = node.attribute("id");
      if (id.size() > kTextCharsMax) {
        findings.error(cut(id, 100),
                       fmt::format("must have an id of at most {} characters, but has "
                                   "one of {}",
                                   kTextCharsMax, id.size()));
        has_long_ = true;
      }
      if (!id.empty() && !file_.by_id.try_emplace(id, &node).second &&
          reported_.insert(id).second) {
        findings.error(id,
                       "must have an id that is unique in the file, but other elements have it "
                       "as well");
      }
    }
    for (const XmlNode& child : node.children) collect(child, findings);
  }
  [[nodiscard]] const File& file() const { return file_; }
  [[nodiscard]] bool has_long() const { return has_long_; }

 private:
  File file_;
  bool has_long_ = false;
  std::set<std::string_view> reported_;
};

// Ranks the call activities of the file by id, for callingElementPath.
void rank_call_activities(std::vector<Draft>& drafts) {
  std::map<std::string_view, std::int32_t> ranks;
  const auto for_each = [&](auto visit) {
    for (Draft& draft : drafts) {
      for (Element& element : draft.process.elements) {
        if (element.parts().called_element) visit(element);
      }
    }
  };
  for_each([&](Element& element) { ranks.emplace(element.id, 0); });
  std::int32_t next = 0;
  for (auto& [id, rank] : ranks) rank = next++;
  for_each([&](Element& element) {
    element.mutable_parts().called_element->rank = ranks.at(element.id);
  });
}

void sort_by_place(std::vector<Diagnostic>& errors, const File& file) {
  const auto place = [&](const Diagnostic& error) {
    const auto found = file.by_id.find(error.element_id);
    return found == file.by_id.end() ? 0 : found->second->ordinal;
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

Diagnostics one_error(std::string_view resource_name, std::string message) {
  return {.resource_name = std::string(resource_name),
          .errors = {{.element_id = "", .message = std::move(message)}}};
}

// Returns how many steps evaluating the constant expressions of a file may take in total. A
// deployment is one command whatever its size, so a client gets a number of steps for each byte.
std::int64_t constant_steps_max(std::size_t bytes, Origin origin) {
  constexpr std::int64_t kStepsMin = 1'000;
  constexpr std::int64_t kStepsPerByte = 2;
  if (origin == Origin::Log) return std::numeric_limits<std::int64_t>::max();
  return kStepsMin + kStepsPerByte * static_cast<std::int64_t>(bytes);
}

}  // namespace

std::string Diagnostics::text() const {
  constexpr std::size_t kTailBytes = 60;  // room for the last line
  constexpr std::size_t kNameBytesMax = 1024;
  std::string out = fmt::format("'{}': ", cut(resource_name, kNameBytesMax));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const Diagnostic& error = errors[i];
    const std::string line =
        error.element_id.empty()
            ? error.message
            : fmt::format("- Element: {}\n    - ERROR: {}", error.element_id, error.message);
    if (out.size() + line.size() + kTailBytes > kDiagnosticsBytesMax) {
      out += fmt::format("\nand {} more errors and/or warnings", errors.size() - i);
      break;
    }
    if (i > 0) out += '\n';
    out += line;
  }
  return out;
}

Result<std::vector<std::shared_ptr<const Process>>, Diagnostics> parse_bpmn(
    std::string_view resource_name, std::string_view xml, Origin origin) {
  Result<XmlDocument, std::string> document = XmlDocument::parse(xml);
  if (!document) return failure(one_error(resource_name, document.error()));
  const XmlNode& root = document->root();
  if (!root.is(Namespace::Bpmn, "definitions")) {
    return failure(one_error(resource_name,
                             fmt::format("Expected 'bpmn:definitions' as root element, but it is "
                                         "'{}'",
                                         cut(root.full_name))));
  }
  feel::Budget constants(constant_steps_max(xml.size(), origin));
  Findings findings(constants);
  Ids ids;
  ids.collect(root, findings);
  // Ids are quoted in other messages, so they must not be long.
  if (ids.has_long()) {
    return failure(Diagnostics{.resource_name = std::string(resource_name),
                               .errors = std::move(findings.errors())});
  }
  std::vector<Draft> drafts;
  for (const XmlNode& node : root.children) {
    if (!node.is(Namespace::Bpmn, "process") || !read_flag(node, "isExecutable", false)) continue;
    Findings of_process(constants);
    drafts.push_back(read_process(node, ids.file(), of_process));
    drafts.back().process.warnings = std::move(of_process.warnings());
    drafts.back().process.refusals = find_refusals(node);
    for (Diagnostic& error : of_process.errors()) {
      findings.error(error.element_id, std::move(error.message));
    }
  }
  if (drafts.empty()) {
    findings.error("", "Expected at least one executable process, but there is none");
  }
  for (Draft& draft : drafts) {
    link_draft(draft, findings);
    check_flows(draft, findings);
    check_scopes(draft, findings);
    check_events(draft, findings);
    check_compensation(draft, findings);
    check_transactions(draft, findings);
  }
  if (!findings.empty()) {
    sort_by_place(findings.errors(), ids.file());
    return failure(Diagnostics{.resource_name = std::string(resource_name),
                               .errors = std::move(findings.errors())});
  }
  std::vector<Diagnostic>& refusals = drafts.front().process.refusals;
  // This is a refusal, not an error: a process that an earlier version accepted may run in circles,
  // and it is read again at every start.
  Findings loops(constants);
  check_loops(drafts, loops);
  sort_by_place(loops.errors(), ids.file());
  std::ranges::move(loops.errors(), std::back_inserter(refusals));
  std::ranges::move(find_refusals_of_file(root), std::back_inserter(refusals));
  rank_call_activities(drafts);
  std::vector<std::shared_ptr<const Process>> processes;
  for (Draft& draft : drafts) {
    expand_draft(draft);
    processes.push_back(std::make_shared<const Process>(std::move(draft.process)));
  }
  return processes;
}

}  // namespace beeline::bpmn
