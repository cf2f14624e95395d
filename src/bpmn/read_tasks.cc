#include <charconv>
#include <cmath>
#include <limits>

#include "bpmn/draft.h"
#include "bpmn/schedule.h"

// Reads activities: their work, and how often it is done.
namespace beeline::bpmn {
namespace {

constexpr std::string_view kUserTaskJobType = "io.camunda.zeebe:userTask";

void read_job_of(const Reading& reading, const XmlNode& node, const XmlNode& definition,
                 Element& element) {
  JobDefinition job = read_job(reading, definition, element.id);
  job.headers = read_headers(reading, node, element.id);
  job.priority = read_job_priority(reading, node, element.id);
  element.mutable_parts().job = std::move(job);
}

// Reports an error unless exactly one of two extensions is present.
bool exactly_one(const Reading& reading, const Element& element, const XmlNode* a, const XmlNode* b,
                 std::string_view b_name) {
  if ((a == nullptr) != (b == nullptr)) return true;
  reading.findings.error(element.id,
                         fmt::format("must have either a 'zeebe:{}' or a 'zeebe:taskDefinition' "
                                     "extension element, but has {}",
                                     b_name, a == nullptr ? "none" : "both"));
  return false;
}

std::string read_result_variable(const Reading& reading, const XmlNode& node,
                                 std::string_view element_id) {
  const std::string_view name = trim(node.attribute("resultVariable"));
  if (name.empty()) {
    reading.findings.error(
        element_id,
        fmt::format("must have a variable name as resultVariable in 'zeebe:{}'", node.name));
  }
  return std::string(name);
}

void read_script(const Reading& reading, const XmlNode& script, Element& element) {
  element.mutable_parts().script =
      Script{.expression = read_feel(reading, element.id, "script expression",
                                     script.attribute("expression")),
             .result_variable = read_result_variable(reading, script, element.id)};
}

void read_decision(const Reading& reading, const XmlNode& decision, Element& element) {
  if (trim(decision.attribute("decisionId")).empty()) {
    reading.findings.error(element.id, "must have a decisionId in 'zeebe:calledDecision'");
  }
  auto [binding, tag] = read_binding(reading, decision, element.id);
  element.mutable_parts().called_decision =
      CalledDecision{.decision_id = read_expression(reading, element.id, "decisionId",
                                                    decision.attribute("decisionId")),
                     .result_variable = read_result_variable(reading, decision, element.id),
                     .binding = binding,
                     .version_tag = std::move(tag)};
}

void read_linked_resources(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* list = extension(reading, node, element.id, "linkedResources");
  if (list == nullptr) return;
  for (const XmlNode& child : list->children) {
    if (!child.is(Namespace::Zeebe, "linkedResource")) continue;
    if (trim(child.attribute("resourceId")).empty()) {
      reading.findings.error(element.id, "must have a resourceId in 'zeebe:linkedResource'");
    }
    auto [binding, tag] = read_binding(reading, child, element.id);
    element.mutable_parts().linked_resources.push_back(
        {.resource_id =
             read_expression(reading, element.id, "resourceId", child.attribute("resourceId")),
         .resource_type = std::string(child.attribute("resourceType")),
         .link_name = std::string(child.attribute("linkName")),
         .binding = binding,
         .version_tag = std::move(tag)});
  }
}

std::optional<Form> read_form(const Reading& reading, const XmlNode& node, const Element& element,
                              bool allow_key, bool allow_external) {
  const XmlNode* definition = extension(reading, node, element.id, "formDefinition");
  if (definition == nullptr) return std::nullopt;
  Form form;
  form.form_id = read_optional(reading, element.id, *definition, "formId");
  if (const std::string_view key = definition->attribute("formKey"); !trim(key).empty()) {
    form.form_key = std::string(key);
  }
  form.external_reference = read_optional(reading, element.id, *definition, "externalReference");
  const int allowed = (form.form_id ? 1 : 0) + (allow_key && form.form_key ? 1 : 0) +
                      (allow_external && form.external_reference ? 1 : 0);
  const bool foreign =
      (form.form_key && !allow_key) || (form.external_reference && !allow_external);
  if (allowed != 1 || foreign) {
    reading.findings.error(element.id,
                           fmt::format("must have exactly one of 'formId' and '{}' in "
                                       "'zeebe:formDefinition'",
                                       allow_external ? "externalReference" : "formKey"));
  }
  std::tie(form.binding, form.version_tag) = read_binding(reading, *definition, element.id);
  return form;
}

std::optional<Expression> read_user_task_date(const Reading& reading, const XmlNode& schedule,
                                              std::string_view element_id, const char* attribute) {
  std::optional<Expression> date = read_optional(reading, element_id, schedule, attribute);
  if (date && date->is_static && !parse_date(date->text)) {
    reading.findings.error(element_id, fmt::format("must have an ISO 8601 date-time as {}, but has "
                                                   "'{}'",
                                                   attribute, cut(date->text)));
  }
  return date;
}

// Static lists are separated by commas, without empty items.
std::optional<Expression> read_candidates(const Reading& reading, const XmlNode& assignment,
                                          std::string_view element_id, const char* attribute) {
  std::optional<Expression> list = read_optional(reading, element_id, assignment, attribute);
  if (!list || list->is_feel()) return list;
  std::string_view rest = list->text;
  while (true) {
    const std::size_t comma = rest.find(',');
    if (trim(rest.substr(0, comma)).empty()) {
      reading.findings.error(
          element_id, fmt::format("must have a comma-separated list as {}, but has '{}'", attribute,
                                  cut(list->text)));
      return list;
    }
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

Expression read_user_task_priority(const Reading& reading, const XmlNode& node,
                                   const Element& element) {
  const XmlNode* definition = extension(reading, node, element.id, "priorityDefinition");
  if (definition == nullptr) return Expression::literal("50");
  const std::string_view text = trim(definition->attribute("priority"));
  if (text.empty()) return Expression::literal("50");
  Expression priority = read_expression(reading, element.id, "priority", text);
  int value = -1;
  if (priority.is_static) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < 0 || value > 100) {
      reading.findings.error(element.id,
                             fmt::format("must have a number from 0 to 100 as priority, but has "
                                         "'{}'",
                                         cut(text)));
    }
  }
  return priority;
}

}  // namespace

void read_task(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* job = extension(reading, node, element.id, "taskDefinition");
  using enum ElementType;
  if (element.type == ServiceTask) {
    if (job == nullptr) {
      reading.findings.error(element.id, "must have a 'zeebe:taskDefinition' extension element");
      return;
    }
    read_job_of(reading, node, *job, element);
    read_linked_resources(reading, node, element);
    return;
  }
  if (element.type == ScriptTask) {
    const XmlNode* script = extension(reading, node, element.id, "script");
    if (!exactly_one(reading, element, job, script, "script")) return;
    if (script != nullptr) read_script(reading, *script, element);
  } else if (element.type == BusinessRuleTask) {
    const XmlNode* decision = extension(reading, node, element.id, "calledDecision");
    if (!exactly_one(reading, element, job, decision, "calledDecision")) return;
    if (decision != nullptr) read_decision(reading, *decision, element);
  } else {  // send task, message throw and end event
    const XmlNode* publish = extension(reading, node, element.id, "publishMessage");
    const XmlNode* message_definition = node.child(Namespace::Bpmn, "messageEventDefinition");
    if (publish == nullptr && message_definition != nullptr) {
      publish = extension(reading, *message_definition, element.id, "publishMessage");
    }
    if (!exactly_one(reading, element, job, publish, "publishMessage")) return;
    if (publish != nullptr) {
      PublishMessage& parts = element.mutable_parts().publish_message.emplace();
      parts.correlation_key = read_optional(reading, element.id, *publish, "correlationKey");
      parts.message_id = read_optional(reading, element.id, *publish, "messageId");
      parts.time_to_live = read_optional(reading, element.id, *publish, "timeToLive");
      const XmlNode& referring = message_definition != nullptr ? *message_definition : node;
      const XmlNode* message = reading.file.find(referring.attribute("messageRef"), "message");
      if (message == nullptr) {
        reading.findings.error(element.id, "must reference a message to publish");
        return;
      }
      element.mutable_parts().message = Message{
          .id = std::string(message->attribute("id")),
          .name = read_expression(reading, element.id, "message name", message->attribute("name")),
          .correlation_key = std::nullopt};
    }
  }
  if (job != nullptr) read_job_of(reading, node, *job, element);
}

void read_user_task(const Reading& reading, const XmlNode& node, Element& element) {
  UserTask task;
  task.native = extension(reading, node, element.id, "userTask") != nullptr;
  task.headers = read_headers(reading, node, element.id);
  if (const XmlNode* assignment = extension(reading, node, element.id, "assignmentDefinition")) {
    task.assignee = read_optional(reading, element.id, *assignment, "assignee");
    task.candidate_groups = read_candidates(reading, *assignment, element.id, "candidateGroups");
    task.candidate_users = read_candidates(reading, *assignment, element.id, "candidateUsers");
  }
  if (const XmlNode* schedule = extension(reading, node, element.id, "taskSchedule")) {
    task.due_date = read_user_task_date(reading, *schedule, element.id, "dueDate");
    task.follow_up_date = read_user_task_date(reading, *schedule, element.id, "followUpDate");
  }
  if (task.native) task.priority = read_user_task_priority(reading, node, element);
  task.form = read_form(reading, node, element, !task.native, task.native);
  if (!task.native) {
    element.mutable_parts().job =
        JobDefinition{.type = Expression::literal(std::string(kUserTaskJobType)),
                      .retries = Expression::literal("1"),
                      .priority = Expression::literal("0"),
                      .headers = task.headers};
  }
  element.mutable_parts().user_task = std::move(task);
}

void read_call_activity(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* called = extension(reading, node, element.id, "calledElement");
  if (called == nullptr) {
    reading.findings.error(element.id, "must have a 'zeebe:calledElement' extension element");
    return;
  }
  const std::string_view process_id = called->attribute("processId");
  if (trim(process_id).empty()) {
    reading.findings.error(element.id, "must have a processId in 'zeebe:calledElement'");
  }
  auto [binding, tag] = read_binding(reading, *called, element.id);
  element.mutable_parts().called_element = CalledElement{
      .process_id = read_expression(reading, element.id, "processId", process_id),
      .binding = binding,
      .version_tag = std::move(tag),
      .propagate_all_child_variables = read_flag(*called, "propagateAllChildVariables", true),
      .propagate_all_parent_variables = read_flag(*called, "propagateAllParentVariables", true)};
}

namespace {

// outputCollection and outputElement must be given together or not at all.
void read_output(const Reading& reading, const XmlNode& node, std::string_view element_id,
                 std::string& collection, std::optional<Expression>& output) {
  collection = std::string(trim(node.attribute("outputCollection")));
  const std::string_view text = node.attribute("outputElement");
  if (collection.empty() != trim(text).empty()) {
    reading.findings.error(element_id,
                           fmt::format("must have both outputCollection and outputElement in "
                                       "'zeebe:{}', or neither",
                                       node.name));
    return;
  }
  if (collection.empty()) return;
  output = read_feel(reading, element_id, "outputElement", text);
}

}  // namespace

namespace {

// How often the loop may run: a whole number, or an expression that gives one.
std::optional<Expression> read_loop_maximum(const Reading& reading, const XmlNode& node,
                                            const Element& element) {
  const std::string_view text = trim(node.attribute("loopMaximum"));
  if (text.empty()) return std::nullopt;
  Expression maximum = read_expression(reading, element.id, "loopMaximum", text);
  constexpr double kLimit = std::numeric_limits<std::int32_t>::max();
  const bool is_whole = maximum.number && *maximum.number == std::trunc(*maximum.number) &&
                        std::abs(*maximum.number) <= kLimit;
  if (maximum.is_static && !is_whole) {
    reading.findings.error(
        element.id,
        fmt::format("must have a whole number of 32 bits as loopMaximum, or an expression that "
                    "begins with '=', but has '{}'",
                    cut(text)));
  }
  return maximum;
}

void read_standard_loop(const Reading& reading, const XmlNode& node, Element& element) {
  StandardLoop loop;
  loop.test_before = read_flag(node, "testBefore", false);
  loop.maximum = read_loop_maximum(reading, node, element);
  if (const XmlNode* condition = node.child(Namespace::Bpmn, "loopCondition")) {
    if (const std::string text = condition->text(); !text.empty()) {
      loop.condition = read_feel(reading, element.id, "loopCondition", text);
    }
  }
  if (!loop.maximum && !loop.condition) {
    reading.findings.error(element.id,
                           "must have a loopCondition or a loopMaximum in its "
                           "'bpmn:standardLoopCharacteristics', since nothing else ends the loop");
  }
  element.mutable_parts().standard_loop = std::move(loop);
}

}  // namespace

void read_loop(const Reading& reading, const XmlNode& node, Element& element) {
  const XmlNode* characteristics = node.child(Namespace::Bpmn, "multiInstanceLoopCharacteristics");
  if (const XmlNode* loop = node.child(Namespace::Bpmn, "standardLoopCharacteristics")) {
    if (characteristics != nullptr) {
      reading.findings.error(element.id,
                             "must not have both 'bpmn:standardLoopCharacteristics' and "
                             "'bpmn:multiInstanceLoopCharacteristics'; put one of them on a "
                             "subprocess around the activity");
      return;
    }
    return read_standard_loop(reading, *loop, element);
  }
  if (characteristics == nullptr) return;
  const XmlNode* zeebe = extension(reading, *characteristics, element.id, "loopCharacteristics");
  if (zeebe == nullptr) {
    reading.findings.error(element.id,
                           "must have a 'zeebe:loopCharacteristics' extension element in its "
                           "multi-instance loop");
    return;
  }
  Loop loop;
  loop.sequential = read_flag(*characteristics, "isSequential", false);
  loop.input_collection =
      read_feel(reading, element.id, "inputCollection", zeebe->attribute("inputCollection"));
  loop.input_element = std::string(trim(zeebe->attribute("inputElement")));
  read_output(reading, *zeebe, element.id, loop.output_collection, loop.output_element);
  if (loop.output_element && loop.output_element->is_feel()) {
    const std::string_view root = feel::root_variable(loop.output_element->feel);
    if (root != loop.input_element && root != "loopCounter") {
      loop.output_element_variable = std::string(root);
    }
  }
  if (const XmlNode* condition = characteristics->child(Namespace::Bpmn, "completionCondition")) {
    if (const std::string text = condition->text(); !text.empty()) {
      loop.completion_condition = read_feel(reading, element.id, "completionCondition", text);
    }
  }
  element.mutable_parts().loop = std::move(loop);
}

void read_ad_hoc(const Reading& reading, const XmlNode& node, Element& element) {
  AdHoc ad_hoc;
  ad_hoc.cancel_remaining_instances = read_flag(node, "cancelRemainingInstances", true);
  if (const XmlNode* condition = node.child(Namespace::Bpmn, "completionCondition")) {
    if (const std::string text = condition->text(); !text.empty()) {
      ad_hoc.completion_condition = read_feel(reading, element.id, "completionCondition", text);
    }
  }
  if (const XmlNode* zeebe = extension(reading, node, element.id, "adHoc")) {
    const std::string_view active = zeebe->attribute("activeElementsCollection");
    if (!trim(active).empty()) {
      ad_hoc.active_elements_collection =
          read_feel(reading, element.id, "activeElementsCollection", active);
    }
    read_output(reading, *zeebe, element.id, ad_hoc.output_collection, ad_hoc.output_element);
  }
  if (const XmlNode* job = extension(reading, node, element.id, "taskDefinition")) {
    read_job_of(reading, node, *job, element);
    const auto refuse = [&](bool wrong, std::string_view what) {
      if (wrong) {
        reading.findings.error(
            element.id,
            fmt::format("must not have {} together with a 'zeebe:taskDefinition'", what));
      }
    };
    refuse(ad_hoc.completion_condition.has_value(), "a completionCondition");
    refuse(ad_hoc.active_elements_collection.has_value(), "an activeElementsCollection");
    refuse(!ad_hoc.cancel_remaining_instances, "cancelRemainingInstances 'false'");
  }
  element.mutable_parts().ad_hoc = std::move(ad_hoc);
}

void read_start_form(const Reading& reading, const XmlNode& node, Element& element) {
  if (std::optional<Form> form = read_form(reading, node, element, true, false)) {
    element.mutable_parts().start_form = std::move(form);
  }
}

}  // namespace beeline::bpmn
