#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bpmn/test_support.h"

namespace beeline::bpmn {
namespace {

// Every type of element, everything that is ignored between them, and multi-instance activities and
// ad-hoc subprocesses inside of one another.
constexpr std::string_view kEverything = R"(
  <bpmn:error id="broken" errorCode="broken"/>
  <bpmn:message id="go" name="go">
    <bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements>
  </bpmn:message>
  <bpmn:process id="p" isExecutable="true">
    <bpmn:documentation>ignored</bpmn:documentation>
    <bpmn:property id="property"/>
    <bpmn:laneSet id="lanes"><bpmn:lane id="lane"/></bpmn:laneSet>
    <bpmn:sequenceFlow id="early" sourceRef="start" targetRef="each"/>
    <bpmn:startEvent id="start"/>
    <bpmn:dataObject id="data"/>
    <bpmn:dataObjectReference id="data_reference" dataObjectRef="data"/>
    <bpmn:subProcess id="each">
      <bpmn:multiInstanceLoopCharacteristics>
        <bpmn:extensionElements>
          <zeebe:loopCharacteristics inputCollection="=items"/>
        </bpmn:extensionElements>
      </bpmn:multiInstanceLoopCharacteristics>
      <bpmn:startEvent id="each_start"/>
      <bpmn:sequenceFlow id="each_1" sourceRef="each_start" targetRef="work"/>
      <bpmn:serviceTask id="work">
        <bpmn:extensionElements><zeebe:taskDefinition type="work"/></bpmn:extensionElements>
        <bpmn:multiInstanceLoopCharacteristics>
          <bpmn:extensionElements>
            <zeebe:loopCharacteristics inputCollection="=parts"/>
          </bpmn:extensionElements>
        </bpmn:multiInstanceLoopCharacteristics>
      </bpmn:serviceTask>
      <bpmn:subProcess id="on_go" triggeredByEvent="true">
        <bpmn:startEvent id="go_start" isInterrupting="false">
          <bpmn:messageEventDefinition messageRef="go"/>
        </bpmn:startEvent>
        <bpmn:manualTask id="by_hand"/>
        <bpmn:sequenceFlow id="go_1" sourceRef="go_start" targetRef="by_hand"/>
      </bpmn:subProcess>
    </bpmn:subProcess>
    <bpmn:boundaryEvent id="on_error" attachedToRef="each">
      <bpmn:errorEventDefinition errorRef="broken"/>
    </bpmn:boundaryEvent>
    <bpmn:adHocSubProcess id="outer">
      <bpmn:task id="outer_task"/>
      <bpmn:adHocSubProcess id="inner">
        <bpmn:multiInstanceLoopCharacteristics>
          <bpmn:extensionElements>
            <zeebe:loopCharacteristics inputCollection="=rows"/>
          </bpmn:extensionElements>
        </bpmn:multiInstanceLoopCharacteristics>
        <bpmn:scriptTask id="compute">
          <bpmn:extensionElements>
            <zeebe:script expression="=1" resultVariable="one"/>
          </bpmn:extensionElements>
        </bpmn:scriptTask>
      </bpmn:adHocSubProcess>
    </bpmn:adHocSubProcess>
    <bpmn:sequenceFlow id="f1" sourceRef="each" targetRef="outer"/>
    <bpmn:sequenceFlow id="f2" sourceRef="outer" targetRef="either"/>
    <bpmn:exclusiveGateway id="either" default="f3"/>
    <bpmn:sequenceFlow id="f3" sourceRef="either" targetRef="fork"/>
    <bpmn:parallelGateway id="fork"/>
    <bpmn:textAnnotation id="note"/>
    <bpmn:association id="line" sourceRef="fork" targetRef="note"/>
    <bpmn:group id="group"/>
    <bpmn:sequenceFlow id="f4" sourceRef="fork" targetRef="some"/>
    <bpmn:sequenceFlow id="f5" sourceRef="fork" targetRef="first"/>
    <bpmn:inclusiveGateway id="some" default="f6"/>
    <bpmn:eventBasedGateway id="first"/>
    <bpmn:sequenceFlow id="f6" sourceRef="some" targetRef="ask"/>
    <bpmn:userTask id="ask"/>
    <bpmn:sequenceFlow id="f7" sourceRef="ask" targetRef="decide"/>
    <bpmn:businessRuleTask id="decide">
      <bpmn:extensionElements>
        <zeebe:calledDecision decisionId="d" resultVariable="decided"/>
      </bpmn:extensionElements>
    </bpmn:businessRuleTask>
    <bpmn:sequenceFlow id="f8" sourceRef="decide" targetRef="call"/>
    <bpmn:callActivity id="call">
      <bpmn:extensionElements><zeebe:calledElement processId="q"/></bpmn:extensionElements>
    </bpmn:callActivity>
    <bpmn:sequenceFlow id="f9" sourceRef="call" targetRef="tell"/>
    <bpmn:sendTask id="tell">
      <bpmn:extensionElements><zeebe:taskDefinition type="tell"/></bpmn:extensionElements>
    </bpmn:sendTask>
    <bpmn:sequenceFlow id="f10" sourceRef="tell" targetRef="told"/>
    <bpmn:intermediateThrowEvent id="told"/>
    <bpmn:sequenceFlow id="f11" sourceRef="told" targetRef="receive"/>
    <bpmn:receiveTask id="receive" messageRef="go"/>
    <bpmn:sequenceFlow id="f12" sourceRef="first" targetRef="later"/>
    <bpmn:sequenceFlow id="f13" sourceRef="first" targetRef="caught"/>
    <bpmn:intermediateCatchEvent id="later">
      <bpmn:timerEventDefinition><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>
    </bpmn:intermediateCatchEvent>
    <bpmn:intermediateCatchEvent id="caught">
      <bpmn:messageEventDefinition messageRef="go"/>
    </bpmn:intermediateCatchEvent>
    <bpmn:sequenceFlow id="f14" sourceRef="receive" targetRef="end"/>
    <bpmn:endEvent id="end"/>
  </bpmn:process>)";

// The place of an element in this list is stored in checkpoints, so the list never changes. A new
// type of element makes another test; README.md lists the places that it may take.
constexpr std::string_view kOrder = R"(
0 PROCESS p
1 SEQUENCE_FLOW early
2 START_EVENT start
3 SUB_PROCESS each
4 START_EVENT each_start
5 SEQUENCE_FLOW each_1
6 SERVICE_TASK work
7 EVENT_SUB_PROCESS on_go
8 START_EVENT go_start
9 MANUAL_TASK by_hand
10 SEQUENCE_FLOW go_1
11 BOUNDARY_EVENT on_error
12 AD_HOC_SUB_PROCESS outer
13 TASK outer_task
14 AD_HOC_SUB_PROCESS inner
15 SCRIPT_TASK compute
16 SEQUENCE_FLOW f1
17 SEQUENCE_FLOW f2
18 EXCLUSIVE_GATEWAY either
19 SEQUENCE_FLOW f3
20 PARALLEL_GATEWAY fork
21 SEQUENCE_FLOW f4
22 SEQUENCE_FLOW f5
23 INCLUSIVE_GATEWAY some
24 EVENT_BASED_GATEWAY first
25 SEQUENCE_FLOW f6
26 USER_TASK ask
27 SEQUENCE_FLOW f7
28 BUSINESS_RULE_TASK decide
29 SEQUENCE_FLOW f8
30 CALL_ACTIVITY call
31 SEQUENCE_FLOW f9
32 SEND_TASK tell
33 SEQUENCE_FLOW f10
34 INTERMEDIATE_THROW_EVENT told
35 SEQUENCE_FLOW f11
36 RECEIVE_TASK receive
37 SEQUENCE_FLOW f12
38 SEQUENCE_FLOW f13
39 INTERMEDIATE_CATCH_EVENT later
40 INTERMEDIATE_CATCH_EVENT caught
41 SEQUENCE_FLOW f14
42 END_EVENT end
43 AD_HOC_SUB_PROCESS_INNER_INSTANCE outer#innerInstance
44 AD_HOC_SUB_PROCESS_INNER_INSTANCE inner#innerInstance
45 MULTI_INSTANCE_BODY each
46 MULTI_INSTANCE_BODY work
47 MULTI_INSTANCE_BODY inner
)";

// Elements that came later, with the places that they may take.
constexpr std::string_view kLater = R"(
  <bpmn:process id="p" isExecutable="true">
    <bpmn:startEvent id="start"/>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="which"/>
    <bpmn:complexGateway id="which" default="f2"/>
    <bpmn:sequenceFlow id="f2" sourceRef="which" targetRef="again"/>
    <bpmn:task id="again">
      <bpmn:standardLoopCharacteristics loopMaximum="2"/>
    </bpmn:task>
    <bpmn:sequenceFlow id="f3" sourceRef="again" targetRef="each"/>
    <bpmn:task id="each">
      <bpmn:multiInstanceLoopCharacteristics>
        <bpmn:extensionElements>
          <zeebe:loopCharacteristics inputCollection="=items"/>
        </bpmn:extensionElements>
      </bpmn:multiInstanceLoopCharacteristics>
    </bpmn:task>
    <bpmn:sequenceFlow id="f4" sourceRef="each" targetRef="end"/>
    <bpmn:endEvent id="end"/>
  </bpmn:process>)";

constexpr std::string_view kLaterOrder = R"(
0 PROCESS p
1 START_EVENT start
2 SEQUENCE_FLOW f1
3 INCLUSIVE_GATEWAY which
4 SEQUENCE_FLOW f2
5 TASK again
6 SEQUENCE_FLOW f3
7 TASK each
8 SEQUENCE_FLOW f4
9 END_EVENT end
10 MULTI_INSTANCE_BODY again
11 MULTI_INSTANCE_BODY each
)";

std::string order_of(const Process& process) {
  std::string order = "\n";
  for (const Element& element : process.elements) {
    order +=
        fmt::format("{} {} {}\n", element.index.value(), record::name_of(element.type), element.id);
  }
  return order;
}

TEST(ElementOrder, elements_that_came_later_take_the_places_that_are_left_for_them) {
  const auto processes = parse_all(file_with(kLater));
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(order_of(*processes.front()), kLaterOrder);
}

TEST(ElementOrder, the_place_of_an_element_is_the_same_for_ever) {
  const auto processes = parse_all(file_with(kEverything));
  ASSERT_EQ(processes.size(), 1U);
  std::set<std::string_view> types;
  for (const Element& element : processes.front()->elements) {
    types.insert(record::name_of(element.type));
  }
  EXPECT_EQ(order_of(*processes.front()), kOrder);
  for (int type = 1; type <= static_cast<int>(ElementType::SendTask); ++type) {
    const std::string_view name = record::name_of(static_cast<ElementType>(type));
    EXPECT_TRUE(types.contains(name)) << name << " is not in the model";
  }
}

}  // namespace
}  // namespace beeline::bpmn
