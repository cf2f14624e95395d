#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpmn/model.h"
#include "bpmn/parse.h"
#include "bpmn/xml.h"

// The data that the stages of the parser pass to each other. Private to this folder. The stages
// are, in order:
//
//   read_process    XML -> elements with their own parts            (read_*.cc)
//   link_draft      references by id become indices                 (link.cc)
//   check_*         rules that concern more than one element        (check_*.cc)
//   expand_draft    multi-instance bodies, ad-hoc inner instances,
//                   event lists                                     (expand.cc)
namespace beeline::bpmn {

// Collects all errors and warnings, so the author sees everything at once.
class Findings {
 public:
  // `constants` is the budget for evaluating the constant expressions of the file.
  explicit Findings(feel::Budget& constants) : constants_budget_(constants) {}

  [[nodiscard]] feel::Budget& constants_budget() { return constants_budget_; }
  // `message` completes the sentence that begins with the element: "must have an id".
  void error(std::string_view element_id, std::string_view message) {
    if (errors_.size() >= kErrorsMax) return;  // far more than fit into the answer
    errors_.push_back({.element_id = std::string(element_id),
                       .message = std::string(cut(message, kMessageBytesMax))});
  }
  void warn(std::string_view element_id, std::string_view message) {
    warnings_.push_back(fmt::format("Element '{}': {}", element_id, message));
  }
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::vector<Diagnostic>& errors() { return errors_; }
  [[nodiscard]] std::vector<std::string>& warnings() { return warnings_; }

 private:
  static constexpr std::size_t kErrorsMax = 1000;
  static constexpr std::size_t kMessageBytesMax = 4000;
  std::vector<Diagnostic> errors_;
  std::vector<std::string> warnings_;
  feel::Budget& constants_budget_;
};

// The elements of a file that its processes refer to, by id.
struct File {
  std::unordered_map<std::string_view, const XmlNode*> by_id;  // BPMN elements only
  // Returns the node that a reference names if it is a bpmn:`name`, otherwise null. A reference is
  // a qualified name, and some tools write its prefix.
  [[nodiscard]] const XmlNode* find(std::string_view reference, std::string_view name) const;
};

// A process in the making. `nodes[i]` is the XML of `process.elements[i]`.
struct Draft {
  Process process;
  std::vector<const XmlNode*> nodes;

  [[nodiscard]] Element& at(ElementIndex index) {
    return process.elements[static_cast<std::size_t>(index.value())];
  }
  [[nodiscard]] const Element& at(ElementIndex index) const { return process.element(index); }
  [[nodiscard]] const XmlNode& node(ElementIndex index) const {
    return *nodes[static_cast<std::size_t>(index.value())];
  }
  // Adds the element of this XML node to the scope, which is unset for the process itself.
  // Invalidates references to elements.
  ElementIndex add(const XmlNode& node, ElementType type, ElementIndex scope);
  // Returns the element that a reference names, or unset.
  [[nodiscard]] ElementIndex find(std::string_view reference) const;
  [[nodiscard]] Element* scope_of(const Element& element) {
    return element.flow_scope.is_set() ? &at(element.flow_scope) : nullptr;
  }
};

struct Reading {
  const File& file;
  Findings& findings;
  Expression process_priority = Expression::literal("0");
};

[[nodiscard]] Draft read_process(const XmlNode& node, const File& file, Findings& findings);
// Reasons to refuse a deployment because of this process, and because of the file around it:
// extensions that are not built (extensions.h), and ids that are not XML ids.
[[nodiscard]] std::vector<Diagnostic> find_refusals(const XmlNode& process);
[[nodiscard]] std::vector<Diagnostic> find_refusals_of_file(const XmlNode& definitions);
void link_draft(Draft& draft, Findings& findings);
void check_flows(const Draft& draft, Findings& findings);
void check_scopes(const Draft& draft, Findings& findings);
void check_events(const Draft& draft, Findings& findings);
void check_compensation(const Draft& draft, Findings& findings);
void check_transactions(const Draft& draft, Findings& findings);
// Finds loops that run without ever waiting. It looks at all processes at once, since they may call
// each other. Its findings are refusals of a deployment: see Process::refusals.
void check_loops(const std::vector<Draft>& drafts, Findings& findings);
// Returns the elements that an ad-hoc subprocess can activate.
[[nodiscard]] std::vector<ElementIndex> activatable_of(const Draft& draft, const Element& ad_hoc);
void expand_draft(Draft& draft);

// The readers. Each handles one concern; `element` already has its id and type.
void read_listeners(const Reading& reading, const XmlNode& node, Element& element);
void read_mappings(const Reading& reading, const XmlNode& node, Element& element);
void read_properties(const Reading& reading, const XmlNode& node, Element& element);
void read_event_definition(const Reading& reading, const XmlNode& node, Element& element,
                           ElementType scope_type);
void read_receive_task(const Reading& reading, const XmlNode& node, Element& element);
void read_task(const Reading& reading, const XmlNode& node, Element& element);
void read_user_task(const Reading& reading, const XmlNode& node, Element& element);
void read_call_activity(const Reading& reading, const XmlNode& node, Element& element);
void read_loop(const Reading& reading, const XmlNode& node, Element& element);
void read_ad_hoc(const Reading& reading, const XmlNode& node, Element& element);
void read_start_form(const Reading& reading, const XmlNode& node, Element& element);

// Tools of the readers (read_values.cc). `what` names the attribute in the error message.
//
// Returns the extension element of this name, or null; reports an error if there are several.
[[nodiscard]] const XmlNode* extension(const Reading& reading, const XmlNode& node,
                                       std::string_view element_id, std::string_view name);
// Reads FEEL if the text starts with "=". Reports a syntax error and then returns FEEL that gives
// null.
[[nodiscard]] Expression read_expression(const Reading& reading, std::string_view element_id,
                                         std::string_view what, std::string_view text);
// Like read_expression(), but static text is an error.
[[nodiscard]] Expression read_feel(const Reading& reading, std::string_view element_id,
                                   std::string_view what, std::string_view text);
[[nodiscard]] std::optional<Expression> read_optional(const Reading& reading,
                                                      std::string_view element_id,
                                                      const XmlNode& node, const char* attribute);
[[nodiscard]] bool read_flag(const XmlNode& node, const char* attribute, bool otherwise);
[[nodiscard]] std::vector<Header> read_headers(const Reading& reading, const XmlNode& node,
                                               std::string_view element_id);
[[nodiscard]] std::pair<Binding, std::string> read_binding(const Reading& reading,
                                                           const XmlNode& node,
                                                           std::string_view element_id);
// The job of a zeebe:taskDefinition, or of a listener.
[[nodiscard]] JobDefinition read_job(const Reading& reading, const XmlNode& definition,
                                     std::string_view element_id);
[[nodiscard]] Expression read_job_priority(const Reading& reading, const XmlNode& node,
                                           std::string_view element_id);
void check_length(const Reading& reading, std::string_view element_id, std::string_view what,
                  std::string_view text);

// At deployment there are no variables, and now() is the epoch.
[[nodiscard]] feel::Evaluation evaluate_without_variables(const Reading& reading,
                                                          const Expression& expression);
// Returns the string that a constant expression gives; nothing if it needs variables or its result
// is not a string.
[[nodiscard]] std::optional<std::string> constant_string(const Reading& reading,
                                                         const Expression& expression);

}  // namespace beeline::bpmn
