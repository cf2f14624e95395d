#include "bpmn/extensions.h"

#include <array>

namespace beeline::bpmn {
namespace {

using enum Fate;

constexpr std::string_view kJobs =
    "serviceTask sendTask scriptTask businessRuleTask intermediateThrowEvent endEvent";
constexpr std::string_view kNodes =
    "startEvent endEvent intermediateCatchEvent intermediateThrowEvent boundaryEvent serviceTask "
    "sendTask scriptTask businessRuleTask userTask receiveTask callActivity subProcess "
    "transaction";
constexpr std::string_view kWithElement = "with its element";
constexpr std::string_view kNative =
    "user tasks of this kind are not built yet; remove 'zeebe:userTask', and the task becomes a "
    "job of type 'io.camunda.zeebe:userTask' that a worker completes";
constexpr std::string_view kForms =
    "forms are not built yet and '.form' files cannot be deployed; use 'formKey', which reaches "
    "the worker in the job header 'io.camunda.zeebe:formKey'";
constexpr std::string_view kExecutionListeners =
    "execution listeners are not built yet, and the element would run without their jobs; put "
    "service tasks before or after the element instead";
constexpr std::string_view kTaskListeners =
    "task listeners are not built yet, and the task would run without their jobs; put service "
    "tasks before or after the user task instead";
constexpr std::string_view kLinkedResources =
    "linked resources are not built yet, and the job would lack its header 'linkedResources'; name "
    "the resource in a task header of your own instead";
constexpr std::string_view kAdHoc =
    "ad-hoc subprocesses are not built yet; use an embedded subprocess with gateways instead";

constexpr std::array kExtensions = {
    Extension{"adHoc", "", "adHocSubProcess", Refused, kAdHoc},
    Extension{"adHoc", "activeElementsCollection", "adHocSubProcess", Refused, kWithElement},
    Extension{"adHoc", "outputCollection", "adHocSubProcess", Refused, kWithElement},
    Extension{"adHoc", "outputElement", "adHocSubProcess", Refused, kWithElement},
    Extension{"agentDefinition", "", "serviceTask adHocSubProcess", Refused,
              "agent definitions are not built yet, and the job would lack the key of its agent; "
              "remove the element if the worker does not need it"},
    Extension{"agentDefinition", "agentType", "serviceTask adHocSubProcess", Refused, kWithElement},
    Extension{"assignmentDefinition", "", "userTask", Executed, ""},
    Extension{"assignmentDefinition", "assignee", "userTask", Executed, ""},
    Extension{"assignmentDefinition", "candidateGroups", "userTask", Executed, ""},
    Extension{"assignmentDefinition", "candidateUsers", "userTask", Executed, ""},
    Extension{"calledDecision", "", "businessRuleTask", Executed, ""},
    Extension{"calledDecision", "bindingType", "businessRuleTask", Executed, ""},
    Extension{"calledDecision", "decisionId", "businessRuleTask", Executed, ""},
    Extension{"calledDecision", "resultVariable", "businessRuleTask", Executed, ""},
    Extension{"calledDecision", "versionTag", "businessRuleTask", Executed, ""},
    Extension{"calledElement", "", "callActivity", Executed, ""},
    Extension{"calledElement", "bindingType", "callActivity", Executed, ""},
    Extension{"calledElement", "businessId", "callActivity", Refused,
              "business ids are not built yet; pass the id to the called process as a variable "
              "instead"},
    Extension{"calledElement", "processId", "callActivity", Executed, ""},
    Extension{"calledElement", "processIdExpression", "", Ignored,
              "written by modelers before 2021; 'processId' is used and required"},
    Extension{"calledElement", "propagateAllChildVariables", "callActivity", Executed, ""},
    Extension{"calledElement", "propagateAllParentVariables", "callActivity", Executed, ""},
    Extension{"calledElement", "versionTag", "callActivity", Executed, ""},
    Extension{"conditionalFilter", "", "conditionalEventDefinition", Executed, ""},
    Extension{"conditionalFilter", "variableEvents", "conditionalEventDefinition", Executed, ""},
    Extension{"conditionalFilter", "variableNames", "", Ignored,
              "the names are those that the condition reads, as in Zeebe 8.9"},
    Extension{"executionListener", "", "", Refused, kExecutionListeners},
    Extension{"executionListener", "eventType", "", Refused, kWithElement},
    Extension{"executionListener", "retries", "", Refused, kWithElement},
    Extension{"executionListener", "type", "", Refused, kWithElement},
    Extension{"executionListeners", "", "", Refused, kExecutionListeners},
    Extension{"formDefinition", "", "userTask", Executed, "depending on its attributes"},
    Extension{"formDefinition", "bindingType", "", Ignored, "selects the version of 'formId'"},
    Extension{"formDefinition", "externalReference", "userTask", Refused, kNative},
    Extension{"formDefinition", "formId", "startEvent", Ignored,
              "start forms are for user interfaces; instances start without them"},
    Extension{"formDefinition", "formId", "userTask", Refused, kForms},
    Extension{"formDefinition", "formKey", "startEvent", Ignored,
              "start forms are for user interfaces; instances start without them"},
    Extension{"formDefinition", "formKey", "userTask", Executed, ""},
    Extension{"formDefinition", "versionTag", "", Ignored, "selects the version of 'formId'"},
    Extension{"header", "", "", Executed, "in 'zeebe:taskHeaders'"},
    Extension{"header", "id", "", Ignored, "for modelers"},
    Extension{"header", "key", "", Executed, ""},
    Extension{"header", "value", "", Executed, ""},
    Extension{"input", "", kNodes, Executed, "in 'zeebe:ioMapping'"},
    Extension{"input", "modelerConfigurationName", "", Ignored, "for modelers"},
    Extension{"input", "modelerConfigurationTemplate", "", Ignored, "for modelers"},
    Extension{"input", "source", kNodes, Executed, ""},
    Extension{"input", "target", kNodes, Executed, ""},
    Extension{"ioMapping", "", kNodes, Executed, ""},
    Extension{"jobPriorityDefinition", "",
              "process serviceTask sendTask scriptTask businessRuleTask intermediateThrowEvent "
              "endEvent",
              Executed, ""},
    Extension{"jobPriorityDefinition", "priority",
              "process serviceTask sendTask scriptTask businessRuleTask intermediateThrowEvent "
              "endEvent",
              Executed, ""},
    Extension{"linkedResource", "", "serviceTask", Refused, kLinkedResources},
    Extension{"linkedResource", "bindingType", "serviceTask", Refused, kWithElement},
    Extension{"linkedResource", "linkName", "serviceTask", Refused, kWithElement},
    Extension{"linkedResource", "resourceId", "serviceTask", Refused, kWithElement},
    Extension{"linkedResource", "resourceType", "serviceTask", Refused, kWithElement},
    Extension{"linkedResource", "versionTag", "serviceTask", Refused, kWithElement},
    Extension{"linkedResources", "", "serviceTask", Refused, kLinkedResources},
    Extension{"loopCharacteristics", "", "multiInstanceLoopCharacteristics", Executed, ""},
    Extension{"loopCharacteristics", "inputCollection", "multiInstanceLoopCharacteristics",
              Executed, ""},
    Extension{"loopCharacteristics", "inputElement", "multiInstanceLoopCharacteristics", Executed,
              ""},
    Extension{"loopCharacteristics", "outputCollection", "multiInstanceLoopCharacteristics",
              Executed, ""},
    Extension{"loopCharacteristics", "outputElement", "multiInstanceLoopCharacteristics", Executed,
              ""},
    Extension{"output", "", kNodes, Executed, "in 'zeebe:ioMapping'"},
    Extension{"output", "source", kNodes, Executed, ""},
    Extension{"output", "target", kNodes, Executed, ""},
    Extension{"priorityDefinition", "", "", Ignored,
              "for user tasks with 'zeebe:userTask', which are refused; it does not apply to jobs"},
    Extension{"priorityDefinition", "priority", "", Ignored, ""},
    Extension{"properties", "", "", Ignored, "for modelers, connectors and exporters"},
    Extension{"property", "", "", Ignored, "in 'zeebe:properties'"},
    Extension{"property", "modelerConfigurationName", "", Ignored, "for modelers"},
    Extension{"property", "modelerConfigurationTemplate", "", Ignored, "for modelers"},
    Extension{"property", "name", "", Ignored, ""},
    Extension{"property", "value", "", Ignored, ""},
    Extension{"publishMessage", "", "sendTask messageEventDefinition", Refused,
              "a model cannot publish messages yet; use 'zeebe:taskDefinition' and let a worker "
              "publish the message"},
    Extension{"publishMessage", "correlationKey", "sendTask messageEventDefinition", Refused,
              kWithElement},
    Extension{"publishMessage", "messageId", "sendTask messageEventDefinition", Refused,
              kWithElement},
    Extension{"publishMessage", "timeToLive", "sendTask messageEventDefinition", Refused,
              kWithElement},
    Extension{"script", "", "scriptTask", Executed, ""},
    Extension{"script", "expression", "scriptTask", Executed, ""},
    Extension{"script", "resultVariable", "scriptTask", Executed, ""},
    Extension{"subscription", "", "message", Executed, ""},
    Extension{"subscription", "correlationKey", "message", Executed, ""},
    Extension{"taskDefinition", "", kJobs, Executed, ""},
    Extension{"taskDefinition", "retries", kJobs, Executed, ""},
    Extension{"taskDefinition", "type", kJobs, Executed, ""},
    Extension{"taskHeaders", "",
              "serviceTask sendTask scriptTask businessRuleTask intermediateThrowEvent endEvent "
              "userTask",
              Executed, ""},
    Extension{"taskListener", "", "userTask", Refused, kTaskListeners},
    Extension{"taskListener", "eventType", "userTask", Refused, kWithElement},
    Extension{"taskListener", "retries", "userTask", Refused, kWithElement},
    Extension{"taskListener", "type", "userTask", Refused, kWithElement},
    Extension{"taskListeners", "", "userTask", Refused, kTaskListeners},
    Extension{"taskSchedule", "", "userTask", Executed, ""},
    Extension{"taskSchedule", "dueDate", "userTask", Executed, ""},
    Extension{"taskSchedule", "followUpDate", "userTask", Executed, ""},
    Extension{"userTask", "", "userTask", Refused, kNative},
    Extension{"userTaskForm", "", "", Ignored,
              "the text of a form, which a 'formKey' refers to; for user interfaces"},
    Extension{"userTaskForm", "id", "", Ignored, ""},
    Extension{"versionTag", "", "process", Executed, ""},
    Extension{"versionTag", "value", "process", Executed, ""},
    Extension{"", "modelerTemplate", "", Ignored, "for modelers"},
    Extension{"", "modelerTemplateIcon", "", Ignored, "for modelers"},
    Extension{"", "modelerTemplateVersion", "", Ignored, "for modelers"},
    Extension{"", "retryCounter", "", Ignored, "for modelers"},
};

}  // namespace

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Executed:
      return "executed";
    case Ignored:
      return "ignored";
    case Refused:
      return "refused";
  }
  return {};
}

std::span<const Extension> extensions() {
  return kExtensions;
}

}  // namespace beeline::bpmn
