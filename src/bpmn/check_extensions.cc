#include <algorithm>
#include <set>

#include "bpmn/draft.h"
#include "bpmn/extensions.h"

// Finds the reasons why a deployment is refused although its model can be read.
namespace beeline::bpmn {
namespace {

bool stands_on(const Extension& extension, std::string_view host) {
  std::string_view rest = extension.on;
  if (rest.empty()) return true;
  while (!rest.empty()) {
    const std::size_t blank = rest.find(' ');
    if (rest.substr(0, blank) == host) return true;
    rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
  }
  return false;
}

// A verdict holds the row of the table that applies to one extension on `host`.
struct Verdict {
  bool is_known = false;
  const Extension* row = nullptr;  // null if no row is for this host
};
Verdict find_verdict(std::string_view element, std::string_view attribute, std::string_view host) {
  Verdict verdict;
  for (const Extension& each : extensions()) {
    if (each.element != element || each.attribute != attribute) continue;
    verdict.is_known = true;
    if (stands_on(each, host)) verdict.row = &each;
  }
  return verdict;
}

std::string full_name(std::string_view element, std::string_view attribute) {
  if (element.empty()) return fmt::format("the attribute 'zeebe:{}'", attribute);
  if (attribute.empty()) return fmt::format("'zeebe:{}'", element);
  return fmt::format("'{}' in 'zeebe:{}'", attribute, element);
}

class ExtensionCheck {
 public:
  explicit ExtensionCheck(std::vector<Diagnostic>& refusals) : refusals_(refusals) {}

  // `id` belongs to the innermost element around the node that authors know by its id.
  void visit(const XmlNode& node, std::string_view id) {
    if (node.ns != Namespace::Bpmn) return;
    const bool is_detail =
        node.name.ends_with("EventDefinition") || node.name.ends_with("LoopCharacteristics");
    if (!is_detail && !node.attribute("id").empty()) id = node.attribute("id");
    for (const std::string_view attribute : node.zeebe_attributes) {
      judge("", attribute, node.name, id);
    }
    for (const XmlNode& child : node.children) {
      if (!child.is(Namespace::Bpmn, "extensionElements")) {
        visit(child, id);
        continue;
      }
      for (const XmlNode& extension : child.children) visit_extension(extension, node.name, id);
    }
  }

 private:
  void visit_extension(const XmlNode& node, std::string_view host, std::string_view id) {
    if (node.ns != Namespace::Zeebe || !judge(node.name, "", host, id)) return;
    for (const std::string_view attribute : node.attribute_names()) {
      if (!trim(node.attribute(std::string(attribute).c_str())).empty()) {
        judge(node.name, attribute, host, id);
      }
    }
    for (const XmlNode& child : node.children) visit_extension(child, host, id);
  }

  // Returns true if the contents must be judged as well.
  bool judge(std::string_view element, std::string_view attribute, std::string_view host,
             std::string_view id) {
    const auto [is_known, row] = find_verdict(element, attribute, host);
    if (is_known) {
      if (row == nullptr || row->fate != Fate::Refused) return row != nullptr;
      refuse(id, full_name(element, attribute), row->remark);
    } else {
      refuse(id, full_name(element, attribute),
             "this version of beeline does not know it and would ignore it; correct its spelling "
             "or remove it");
    }
    return false;
  }

  void refuse(std::string_view id, const std::string& what, std::string_view why) {
    std::string message = fmt::format("must not have {}: {}", cut(what), why);
    if (refusals_.size() >= kRefusalsMax || !seen_.emplace(id, message).second) return;
    refusals_.push_back({.element_id = std::string(id), .message = std::move(message)});
  }

  static constexpr std::size_t kRefusalsMax = 1000;  // far more than fit into the answer
  std::vector<Diagnostic>& refusals_;
  std::set<std::pair<std::string_view, std::string>> seen_;
};

// XML schema allows a name without a colon as id.
bool is_id(std::string_view text) {
  const auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto is_part = [&](char c) {
    return is_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !text.empty() && is_start(text.front()) && std::all_of(text.begin(), text.end(), is_part);
}

}  // namespace

std::vector<Diagnostic> find_refusals(const XmlNode& process) {
  std::vector<Diagnostic> refusals;
  const std::string_view id = process.attribute("id");
  if (!is_id(id)) {
    refusals.push_back(
        {.element_id = std::string(cut(id)),
         .message = "must have an id that begins with a letter or '_' and goes on with letters, "
                    "digits, '-', '_' and '.'; rename the process"});
  }
  ExtensionCheck(refusals).visit(process, id);
  return refusals;
}

std::vector<Diagnostic> find_refusals_of_file(const XmlNode& definitions) {
  std::vector<Diagnostic> refusals;
  ExtensionCheck check(refusals);
  for (const XmlNode& node : definitions.children) {
    if (node.is(Namespace::Bpmn, "process")) continue;
    check.visit(node, {});
  }
  return refusals;
}

}  // namespace beeline::bpmn
