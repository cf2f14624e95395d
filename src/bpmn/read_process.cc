#include <algorithm>
#include <array>

#include "bpmn/draft.h"

// The skeleton: which XML element becomes which element, and which element contains which.
namespace beeline::bpmn {
namespace {

struct Kind {
  std::string_view name;
  ElementType type;
};
constexpr std::array kKinds = {
    Kind{"startEvent", ElementType::StartEvent},
    Kind{"endEvent", ElementType::EndEvent},
    Kind{"intermediateCatchEvent", ElementType::IntermediateCatchEvent},
    Kind{"intermediateThrowEvent", ElementType::IntermediateThrowEvent},
    Kind{"boundaryEvent", ElementType::BoundaryEvent},
    Kind{"serviceTask", ElementType::ServiceTask},
    Kind{"receiveTask", ElementType::ReceiveTask},
    Kind{"userTask", ElementType::UserTask},
    Kind{"manualTask", ElementType::ManualTask},
    Kind{"task", ElementType::Task},
    Kind{"businessRuleTask", ElementType::BusinessRuleTask},
    Kind{"scriptTask", ElementType::ScriptTask},
    Kind{"sendTask", ElementType::SendTask},
    Kind{"exclusiveGateway", ElementType::ExclusiveGateway},
    Kind{"parallelGateway", ElementType::ParallelGateway},
    Kind{"eventBasedGateway", ElementType::EventBasedGateway},
    Kind{"inclusiveGateway", ElementType::InclusiveGateway},
    Kind{"complexGateway", ElementType::InclusiveGateway},
    Kind{"callActivity", ElementType::CallActivity},
    Kind{"subProcess", ElementType::SubProcess},
    Kind{"adHocSubProcess", ElementType::AdHocSubProcess},
    Kind{"transaction", ElementType::SubProcess},
    Kind{"sequenceFlow", ElementType::SequenceFlow},
};

// XML elements that may occur in a process or subprocess and do not affect execution. None of them
// ever moves to kKinds: the places of elements in deployed models are stored (README.md).
constexpr std::array<std::string_view, 26> kIgnored = {
    "documentation",
    "extensionElements",
    "auditing",
    "monitoring",
    "property",
    "laneSet",
    "dataObject",
    "dataObjectReference",
    "dataStoreReference",
    "association",
    "group",
    "textAnnotation",
    "ioSpecification",
    "dataInputAssociation",
    "dataOutputAssociation",
    "incoming",
    "outgoing",
    "resourceRole",
    "correlationSubscription",
    "supports",
    "completionCondition",
    "multiInstanceLoopCharacteristics",
    "standardLoopCharacteristics",
    "performer",
    "humanPerformer",
    "potentialOwner",
};
class ProcessReader {
 public:
  ProcessReader(const File& file, Findings& findings)
      : reading_{.file = file, .findings = findings} {}

  Draft read(const XmlNode& node) {
    const ElementIndex root = draft_.add(node, ElementType::Process, {});
    Process& process = draft_.process;
    process.id = std::string(node.attribute("id"));
    process.name = std::string(node.attribute("name"));
    if (process.id.empty()) {
      reading_.findings.error("", "The file has a 'bpmn:process' without an id");
    }
    check_length(reading_, process.id, "a name", process.name);
    if (const XmlNode* tag = extension(reading_, node, process.id, "versionTag")) {
      process.version_tag = std::string(trim(tag->attribute("value")));
    }
    reading_.process_priority = read_job_priority(reading_, node, process.id);
    read_listeners(reading_, node, draft_.at(root));
    read_properties(reading_, node, draft_.at(root));
    read_children(node, root);
    return std::move(draft_);
  }

 private:
  void read_children(const XmlNode& node, ElementIndex scope) {
    for (const XmlNode& child : node.children) {
      if (child.ns == Namespace::Bpmn &&
          std::find(kIgnored.begin(), kIgnored.end(), child.name) != kIgnored.end()) {
        continue;
      }
      const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                     [&](const Kind& k) { return k.name == child.name; });
      if (child.ns != Namespace::Bpmn || kind == kKinds.end()) {
        const std::string_view id = child.attribute("id");
        reading_.findings.error(
            id.empty() ? std::string_view(draft_.at(scope).id) : id,
            fmt::format("must not {} a '{}': elements of this type are not supported",
                        id.empty() ? "contain" : "be", cut(child.full_name)));
        continue;
      }
      if (trim(child.attribute("id")).empty()) {
        reading_.findings.error(draft_.at(scope).id,
                                fmt::format("must not contain a '{}' without an id", child.name));
        continue;
      }
      read_element(child, kind->type, scope);
    }
  }

  void read_element(const XmlNode& node, ElementType type, ElementIndex scope) {
    const bool is_transaction = node.name == "transaction";
    if (type == ElementType::SubProcess && read_flag(node, "triggeredByEvent", false)) {
      if (is_transaction) {
        reading_.findings.error(node.attribute("id"),
                                "must not have 'true' as triggeredByEvent, since it is a "
                                "transaction; an event subprocess is a 'bpmn:subProcess'");
      } else {
        type = ElementType::EventSubProcess;
      }
    }
    const ElementIndex index = draft_.add(node, type, scope);
    const ElementType scope_type = draft_.at(scope).type;
    Element& element = draft_.at(index);
    check_length(reading_, element.id, "a name", element.name);
    if (type == ElementType::SequenceFlow) return read_flow(node, element);
    element.transaction = is_transaction;
    element.for_compensation = is_activity(type) && read_flag(node, "isForCompensation", false);
    if (type == ElementType::BoundaryEvent) {
      // The attribute has no meaning for a compensation boundary event, which interrupts nothing.
      element.interrupting = read_flag(node, "cancelActivity", true);
    } else if (type == ElementType::StartEvent) {
      element.interrupting =
          read_flag(node, "isInterrupting", true) || scope_type != ElementType::EventSubProcess;
    }
    read_specifics(node, element, scope_type);
    if (is_activity(type)) read_loop(reading_, node, element);
    read_mappings(reading_, node, element);
    read_listeners(reading_, node, element);
    read_properties(reading_, node, element);
    if (is_scope(type)) read_children(node, index);
  }

  void read_specifics(const XmlNode& node, Element& element, ElementType scope_type) {
    using enum ElementType;
    switch (element.type) {
      case StartEvent:
        read_event_definition(reading_, node, element, scope_type);
        if (element.event_type == EventType::None) read_start_form(reading_, node, element);
        return;
      case IntermediateCatchEvent:
      case IntermediateThrowEvent:
      case BoundaryEvent:
      case EndEvent:
        return read_event_definition(reading_, node, element, scope_type);
      case ServiceTask:
      case BusinessRuleTask:
      case ScriptTask:
      case SendTask:
        return read_task(reading_, node, element);
      case ReceiveTask:
        return read_receive_task(reading_, node, element);
      case UserTask:
        return read_user_task(reading_, node, element);
      case CallActivity:
        return read_call_activity(reading_, node, element);
      case AdHocSubProcess:
        return read_ad_hoc(reading_, node, element);
      case InclusiveGateway:
        if (node.name == "complexGateway") read_complex_join(node, element);
        return;
      case Unspecified:
      case Process:
      case SubProcess:
      case EventSubProcess:
      case AdHocSubProcessInnerInstance:
      case ManualTask:
      case Task:
      case ExclusiveGateway:
      case ParallelGateway:
      case EventBasedGateway:
      case SequenceFlow:
      case MultiInstanceBody:
        return;
    }
  }

  void read_complex_join(const XmlNode& node, Element& element) {
    ComplexJoin& join = element.mutable_parts().complex_join.emplace();
    const XmlNode* condition = node.child(Namespace::Bpmn, "activationCondition");
    if (condition == nullptr) return;
    const std::string text = condition->text();
    if (text.empty()) return;
    join.activation_condition = read_feel(reading_, element.id, "activationCondition", text);
  }

  void read_flow(const XmlNode& node, Element& element) {
    const XmlNode* condition = node.child(Namespace::Bpmn, "conditionExpression");
    if (condition == nullptr) return;
    const std::string text = condition->text();
    if (text.empty()) return;
    element.mutable_parts().condition = read_feel(reading_, element.id, "condition", text);
  }

  Reading reading_;
  Draft draft_;
};

}  // namespace

const XmlNode* File::find(std::string_view reference, std::string_view name) const {
  auto found = by_id.find(reference);
  if (found == by_id.end()) {
    const std::size_t colon = reference.find(':');
    if (colon == std::string_view::npos) return nullptr;
    found = by_id.find(reference.substr(colon + 1));
    if (found == by_id.end()) return nullptr;
  }
  return found->second->name == name ? found->second : nullptr;
}

ElementIndex Draft::add(const XmlNode& node, ElementType type, ElementIndex scope) {
  const ElementIndex index{static_cast<std::int32_t>(process.elements.size())};
  Element& element = process.elements.emplace_back();
  element.id = std::string(node.attribute("id"));
  element.name = std::string(node.attribute("name"));
  element.type = type;
  element.index = index;
  element.flow_scope = scope;
  nodes.push_back(&node);
  if (scope.is_set()) at(scope).children.push_back(index);
  process.add_to_index(index);
  return index;
}

ElementIndex Draft::find(std::string_view reference) const {
  const ElementIndex found = process.by_id.find(process.elements, reference);
  const std::size_t colon = reference.find(':');
  if (found.is_set() || colon == std::string_view::npos) return found;
  return process.by_id.find(process.elements, reference.substr(colon + 1));
}

Draft read_process(const XmlNode& node, const File& file, Findings& findings) {
  return ProcessReader(file, findings).read(node);
}

}  // namespace beeline::bpmn
