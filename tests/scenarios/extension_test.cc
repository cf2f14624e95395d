#include <fmt/format.h>

#include "bpmn/extensions.h"
#include "tests/support/scenario.h"

// The fate of each extension at deployment, as docs/extensions.md lists it.
namespace beeline::testing {
namespace {

using bpmn::Extension;
using bpmn::Fate;

// An example of each extension element with all its attributes, and the element that contains it.
struct Sample {
  std::string_view element;
  std::string_view host;
  std::string_view xml;
};
constexpr Sample kSamples[] = {
    {"adHoc", "adHocSubProcess",
     R"(<zeebe:adHoc activeElementsCollection="=[]" outputCollection="r" outputElement="=1"/>)"},
    {"agentDefinition", "serviceTask", R"(<zeebe:agentDefinition agentType="external"/>)"},
    {"assignmentDefinition", "userTask",
     R"(<zeebe:assignmentDefinition assignee="a" candidateGroups="b" candidateUsers="c"/>)"},
    {"calledDecision", "businessRuleTask",
     R"(<zeebe:calledDecision decisionId="d" resultVariable="r" bindingType="versionTag"
          versionTag="v"/>)"},
    {"calledElement", "callActivity",
     R"(<zeebe:calledElement processId="c" processIdExpression="x" bindingType="versionTag"
          versionTag="v" propagateAllChildVariables="false" propagateAllParentVariables="false"/>)"},
    {"conditionalFilter", "conditionalEventDefinition",
     R"(<zeebe:conditionalFilter variableEvents="create" variableNames="a"/>)"},
    {"executionListener", "task",
     R"(<zeebe:executionListeners><zeebe:executionListener eventType="start" type="l" retries="1"/>
        </zeebe:executionListeners>)"},
    {"executionListeners", "exclusiveGateway",
     R"(<zeebe:executionListeners><zeebe:executionListener eventType="start" type="l"/>
        </zeebe:executionListeners>)"},
    {"formDefinition", "userTask",
     R"(<zeebe:formDefinition formKey="k" bindingType="versionTag" versionTag="v"/>)"},
    {"header", "serviceTask",
     R"(<zeebe:taskHeaders><zeebe:header id="h" key="k" value="v"/></zeebe:taskHeaders>)"},
    {"input", "serviceTask",
     R"(<zeebe:ioMapping><zeebe:input source="=a" target="b" modelerConfigurationName="n"
          modelerConfigurationTemplate="t"/></zeebe:ioMapping>)"},
    {"ioMapping", "endEvent",
     R"(<zeebe:ioMapping><zeebe:output source="=a" target="b"/></zeebe:ioMapping>)"},
    {"jobPriorityDefinition", "process", R"(<zeebe:jobPriorityDefinition priority="7"/>)"},
    {"linkedResource", "serviceTask",
     R"(<zeebe:linkedResources><zeebe:linkedResource resourceId="r" resourceType="RPA" linkName="l"
          bindingType="versionTag" versionTag="v"/></zeebe:linkedResources>)"},
    {"linkedResources", "serviceTask", R"(<zeebe:linkedResources/>)"},
    {"loopCharacteristics", "multiInstanceLoopCharacteristics",
     R"(<zeebe:loopCharacteristics inputCollection="=[1]" inputElement="i" outputCollection="o"
          outputElement="=i"/>)"},
    {"output", "userTask",
     R"(<zeebe:ioMapping><zeebe:output source="=a" target="b"/></zeebe:ioMapping>)"},
    {"priorityDefinition", "userTask", R"(<zeebe:priorityDefinition priority="80"/>)"},
    {"properties", "process", R"(<zeebe:properties/>)"},
    {"property", "serviceTask",
     R"(<zeebe:properties><zeebe:property name="n" value="v" modelerConfigurationName="n"
          modelerConfigurationTemplate="t"/></zeebe:properties>)"},
    {"publishMessage", "sendTask",
     R"(<zeebe:publishMessage correlationKey="=k" messageId="=i" timeToLive="=t"/>)"},
    {"script", "scriptTask", R"(<zeebe:script expression="=1" resultVariable="r"/>)"},
    {"subscription", "message", R"(<zeebe:subscription correlationKey="=k"/>)"},
    {"taskDefinition", "sendTask", R"(<zeebe:taskDefinition type="t" retries="5"/>)"},
    {"taskHeaders", "userTask",
     R"(<zeebe:taskHeaders><zeebe:header key="k" value="v"/></zeebe:taskHeaders>)"},
    {"taskListener", "userTask",
     R"(<zeebe:taskListeners><zeebe:taskListener eventType="creating" type="l" retries="1"/>
        </zeebe:taskListeners>)"},
    {"taskListeners", "userTask", R"(<zeebe:taskListeners/>)"},
    {"taskSchedule", "userTask",
     R"(<zeebe:taskSchedule dueDate="2026-10-01T12:00:00Z" followUpDate="=day"/>)"},
    {"userTask", "userTask", R"(<zeebe:userTask/>)"},
    {"userTaskForm", "process", R"(<zeebe:userTaskForm id="f">{}</zeebe:userTaskForm>)"},
    {"versionTag", "process", R"(<zeebe:versionTag value="v"/>)"},
};

std::string with(std::string_view xml) {
  return fmt::format("<bpmn:extensionElements>{}</bpmn:extensionElements>", xml);
}

// Returns a node "x" of this kind that needs only the extension to be valid.
std::string node_with(std::string_view host, const std::string& xml) {
  if (host == "multiInstanceLoopCharacteristics") {
    return fmt::format("<bpmn:task id='x'><bpmn:{0}>{1}</bpmn:{0}></bpmn:task>", host, with(xml));
  }
  if (host == "conditionalEventDefinition") {
    return fmt::format(
        "<bpmn:intermediateCatchEvent id='x'><bpmn:{0}>{1}<bpmn:condition>=a</bpmn:condition>"
        "</bpmn:{0}></bpmn:intermediateCatchEvent>",
        host, with(xml));
  }
  const std::string_view job = host == "serviceTask" ? "<zeebe:taskDefinition type='t'/>" : "";
  const std::string_view inside = host == "adHocSubProcess" ? "<bpmn:task id='y'/>" : "";
  return fmt::format("<bpmn:{0} id='x' messageRef='m'>{1}{2}</bpmn:{0}>", host,
                     with(std::string(job) + xml), inside);
}

std::string model_with(std::string_view host, const std::string& xml) {
  const bool in_process = host != "process" && host != "message";
  return fmt::format(
      R"(<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
           xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">
           <bpmn:message id="m" name="m">{}</bpmn:message>
           <bpmn:process id="p" isExecutable="true">{}{}{}
             <bpmn:receiveTask id="r" messageRef="m"/>
           </bpmn:process></bpmn:definitions>)",
      with(host == "message" ? xml : ""), with(host == "process" ? xml : ""),
      host == "startEvent" ? "" : "<bpmn:startEvent id='s'/>",
      in_process ? node_with(host, xml) : "");
}

class ExtensionTest : public ScenarioTest {
 protected:
  // Returns the reason for the rejection; empty if the model is accepted.
  std::string refusal(const std::string& xml) {
    when.deploys({{"a.bpmn", xml}});
    const engine::Response& answer = world.answers().back();
    return answer.record.metadata.record_type == record::RecordType::Event
               ? std::string{}
               : std::string(answer.record.rejection_reason);
  }
};

const Sample* sample_of(std::string_view element) {
  for (const Sample& sample : kSamples) {
    if (sample.element == element) return &sample;
  }
  return nullptr;
}

// Returns true if the element is refused with all its attributes.
bool is_refused(std::string_view element) {
  for (const Extension& row : bpmn::extensions()) {
    if (row.element == element && row.attribute.empty()) return row.fate == Fate::Refused;
  }
  return false;
}

TEST_F(ExtensionTest, each_element_of_the_table_meets_its_fate) {
  for (const Extension& row : bpmn::extensions()) {
    if (row.element.empty() || !row.attribute.empty()) continue;
    SCOPED_TRACE(row.element);
    const Sample* sample = sample_of(row.element);
    ASSERT_NE(sample, nullptr);
    const std::string reason = refusal(model_with(sample->host, std::string(sample->xml)));
    if (row.fate != Fate::Refused) {
      EXPECT_EQ(reason, "");
      continue;
    }
    EXPECT_NE(reason.find(fmt::format("'zeebe:{}", row.element)), std::string::npos) << reason;
    EXPECT_NE(reason.find(row.remark), std::string::npos) << reason;
    EXPECT_NE(reason.find("- Element: x"), std::string::npos) << reason;
  }
}

TEST_F(ExtensionTest, each_attribute_of_the_table_meets_its_fate) {
  for (const Extension& row : bpmn::extensions()) {
    if (row.attribute.empty()) continue;
    SCOPED_TRACE(fmt::format("{} {} on {}", row.element, row.attribute, row.on));
    if (row.element.empty()) {
      EXPECT_EQ(refusal(fmt::format(
                    R"(<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
                         xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">
                         <bpmn:process id="p" isExecutable="true" zeebe:{0}="1">
                           <bpmn:startEvent id="s" zeebe:{0}="1"/>
                         </bpmn:process></bpmn:definitions>)",
                    row.attribute)),
                "");
      continue;
    }
    // An attribute of a refused element is refused with the element. All other attributes are in
    // the samples, which the test above has deployed.
    if (row.fate != Fate::Refused || is_refused(row.element)) {
      const Sample* sample = sample_of(row.element);
      ASSERT_NE(sample, nullptr);
      if (row.on == "startEvent") continue;  // tested below
      EXPECT_NE(sample->xml.find(fmt::format("{}=", row.attribute)), std::string_view::npos);
    }
  }
  const auto says = [&](std::string_view host, std::string_view xml, std::string_view name) {
    const std::string reason = refusal(model_with(host, std::string(xml)));
    EXPECT_NE(reason.find(name), std::string::npos) << reason;
  };
  says("callActivity", R"(<zeebe:calledElement processId="c" businessId="b"/>)",
       "must not have 'businessId' in 'zeebe:calledElement': business ids are not built yet");
  says("userTask", R"(<zeebe:formDefinition formId="f"/>)",
       "must not have 'formId' in 'zeebe:formDefinition': forms are not built yet");
  says("userTask", R"(<zeebe:userTask/><zeebe:formDefinition externalReference="f"/>)",
       "must not have 'externalReference' in 'zeebe:formDefinition': user tasks of this kind");
  EXPECT_EQ(refusal(model_with("startEvent", R"(<zeebe:formDefinition formId="f"/>)")), "");
  EXPECT_EQ(refusal(model_with("startEvent", R"(<zeebe:formDefinition formKey="f"/>)")), "");
}

TEST_F(ExtensionTest, execution_listeners_are_refused_wherever_they_stand) {
  const Part on_start = listener("start", "l");
  const Part on_end = listener("end", "l");
  const std::pair<std::string_view, Model> rows[] = {
      {"x", process("x", on_start, start() >> end())},
      {"x", process("p", start() >> subprocess("x", on_end, start("s") >> end("e")) >> end())},
      {"x", process("p", start() >> end(),
                    event_subprocess("x", on_start,
                                     start(timer("t", 1s), non_interrupting()) >> end("e")))},
      {"x", process("p", start() >> service_task("x", job("j"), on_start) >> end())},
      {"x", process("p", start() >> user_task("x", on_end) >> end())},
      {"x", process("p", start() >> manual_task("x", on_end) >> end())},
      {"x", process("p", start() >> receive_task(message("x", "m", "=k"), on_end) >> end())},
      {"x", process("p", start() >> call_activity("x", "c", on_end) >> end())},
      {"x", process("p", start("x", on_end) >> end())},
      {"x", process("p", start() >> catch_event(timer("x", 1s), on_end) >> end())},
      {"x", process("p", start() >> end("x", on_start))},
      {"x", process("p", start() >> task("t") >> end(),
                    boundary("t", timer("x", 1s), on_end) >> end("e"))},
      {"x", process("p", start() >> exclusive_gateway("x", on_start) >> end())},
      {"x", process("p", start() >> parallel_gateway("x", on_start) >> end())},
      {"x", process("p", start() >> task("x", listener("beforeAll", "l"),
                                         multi_instance({.input_collection = "=[1]"})) >>
                             end())},
  };
  for (const auto& [element, model] : rows) {
    const std::string reason = refusal(model.to_xml());
    EXPECT_NE(reason.find(fmt::format("- Element: {}\n    - ERROR: must not have "
                                      "'zeebe:executionListeners': execution listeners are not "
                                      "built yet",
                                      element)),
              std::string::npos)
        << reason << model.to_xml();
  }
}

TEST_F(ExtensionTest, elements_that_are_not_built_are_refused_with_a_way_out) {
  const std::pair<std::string_view, Model> rows[] = {
      {"AD_HOC_SUB_PROCESS is not supported by this version of beeline; use an embedded subprocess",
       process("p", start() >> ad_hoc_subprocess("x", task("y")) >> end())},
  };
  for (const auto& [text, model] : rows) {
    const std::string reason = refusal(model.to_xml());
    EXPECT_NE(reason.find(fmt::format("- Element: x\n    - ERROR: {}", text)), std::string::npos)
        << reason;
  }
}

TEST_F(ExtensionTest, forms_and_other_files_are_refused_with_a_way_out) {
  when.deploys({{"ask.form", "{}"}});
  then.rejected(RejectionType::InvalidArgument, "'ask.form': forms are not built yet; leave the");
  when.deploys({{"robot.rpa", "{}"}});
  then.rejected(RejectionType::InvalidArgument,
                "'robot.rpa': resources of this type are not supported; deploy BPMN as '.bpmn'");
}

}  // namespace
}  // namespace beeline::testing
