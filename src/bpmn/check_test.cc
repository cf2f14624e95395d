#include <gtest/gtest.h>

#include "bpmn/test_support.h"

// Rules of flows, scopes and compensation. Each row has a model and all its errors.
namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;
using Errors = std::vector<std::string>;

TEST(Check, Files) {
  EXPECT_EQ(errors_of(file_with("")),
            (Errors{"Expected at least one executable process, but there is none"}));
  EXPECT_EQ(errors_of(file_with(R"(<bpmn:process id="p"/>)")),
            (Errors{"Expected at least one executable process, but there is none"}));
  EXPECT_EQ(errors_of(file_with(R"(<bpmn:process isExecutable="true">
                                     <bpmn:startEvent id="s"/></bpmn:process>)")),
            (Errors{"The file has a 'bpmn:process' without an id"}));
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:task id="t"/><bpmn:task id="t"/><bpmn:task id="t"/>)")),
            (Errors{"t: must have an id that is unique in the file, but other elements have it as "
                    "well"}));
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:task/><bpmn:task id=""/>)")),
            (Errors{"p: must not contain a 'task' without an id",
                    "p: must not contain a 'task' without an id"}));
}

TEST(Check, UnsupportedElementsAreNamed) {
  EXPECT_EQ(
      errors_of(process_with(R"(<bpmn:globalTask id="x"/><bpmn:choreography/>)")),
      (Errors{"p: must not contain a 'bpmn:choreography': elements of this type are not "
              "supported",
              "x: must not be a 'bpmn:globalTask': elements of this type are not supported"}));
  EXPECT_EQ(errors_of(process_with(R"(<other:thing xmlns:other="urn:o" id="x"/>)")),
            (Errors{"x: must not be a 'other:thing': elements of this type are not supported"}));
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:endEvent id="x"><bpmn:otherEventDefinition/>
                                      </bpmn:endEvent>)")),
            (Errors{"x: must not have a 'otherEventDefinition': it is not supported"}));
}

TEST(Check, DiagramsAndNotesAreIgnored) {
  EXPECT_EQ(errors_of(process_with(R"(
      <bpmn:documentation>text</bpmn:documentation><bpmn:laneSet id="l"><bpmn:lane id="l1"/>
      </bpmn:laneSet><bpmn:dataObject id="d"/><bpmn:dataObjectReference id="dr"/>
      <bpmn:dataStoreReference id="ds"/><bpmn:textAnnotation id="n"/><bpmn:group id="g"/>
      <bpmn:association id="as" sourceRef="start" targetRef="n"/>)")),
            Errors{});
}

TEST(Check, TextsHaveALimit) {
  const std::string id(kTextCharsMax + 1, 'x');
  const Errors errors = errors_of(process("p", start() >> task(id)));
  ASSERT_GE(errors.size(), 1u);
  EXPECT_TRUE(
      errors[0].ends_with("must have an id of at most 32768 characters, but has one of "
                          "32769"))
      << errors[0].substr(0, 300);
}

TEST(Check, FlowsConnectNodesOfOneScope) {
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:sequenceFlow id="f"/>)")),
            (Errors{"f: must have a sourceRef", "f: must have a targetRef"}));
  EXPECT_EQ(
      errors_of(process_with(R"(<bpmn:sequenceFlow id="f" sourceRef="start" targetRef="x"/>)")),
      (Errors{
          "f: must have a flow node as targetRef, but 'x' is not a flow node of this process"}));
  EXPECT_EQ(
      errors_of(process_with(R"(<bpmn:sequenceFlow id="f" sourceRef="start" targetRef="f"/>)")),
      (Errors{
          "f: must have a flow node as targetRef, but 'f' is not a flow node of this process"}));
  expect_refusals({
      {process("p", start() >> subprocess("sub", start("s") >> task("inside")) >> end(),
               flow("sub", "inside")),
       {"sub_inside: must have a targetRef in its own scope 'p', but 'inside' is in 'sub'"}},
      {process("p", start() >> end("e") >> task("t")),
       {"e: must not have outgoing flows, but has 'e_t'"}},
      {process("p", start() >> service_task("t", job("j")) >> to("start")),
       {"start: must not have incoming flows, but has 't_start'"}},
      {process("p", start() >> task("t") >> to("b"), boundary("t", timer("b", 1s))),
       {"b: must not have incoming flows, since it is a boundary event, but has 't_b'"}},
  });
}

TEST(Check, OnlyChoosingGatewaysHaveConditions) {
  expect_refusals({
      {process("p", start() >> condition("a") >> task("t")),
       {"start_t: must not have a condition: conditional flows must start at an exclusive, "
        "inclusive or complex gateway, but 'start' is not one"}},
      {process("p", start() >> parallel_gateway("g") >> condition("a") >> task("t")),
       {"g_t: must not have a condition: conditional flows must start at an exclusive, "
        "inclusive or complex gateway, but 'g' is not one"}},
      {process("p", start() >> exclusive_gateway("g") >> condition("a") >> task("t"),
               from("g") >> task("u")),
       {"g: must have a condition on each outgoing flow except the default flow, but 'g_u' has "
        "none"}},
      {process("p", start() >> inclusive_gateway("g") >> task("t"),
               from("g") >> default_flow() >> task("u")),
       {"g: must have a condition on each outgoing flow except the default flow, but 'g_t' has "
        "none"}},
      {process("p", start() >> complex_gateway("g") >> task("t"),
               from("g") >> default_flow() >> task("u")),
       {"g: must have a condition on each outgoing flow except the default flow, but 'g_t' has "
        "none"}},
      {process("p", start() >> complex_gateway("g", activation_condition("true")) >> task("t")),
       {"g: must not have an activationCondition, since it has 1 incoming flow and nothing to wait "
        "for; remove the condition, or put it on the outgoing flows"}},
      {process("p", start() >> complex_gateway("g", attribute("default", "start_g"))),
       {"g: must have a default flow that starts at it, but 'start_g' does not"}},
      {process("p", start() >> exclusive_gateway("g", attribute("default", "start_g"))),
       {"g: must have a default flow that starts at it, but 'start_g' does not"}},
      {process("p", start() >> exclusive_gateway("g", attribute("default", "nothing"))),
       {"g: must have a default flow that starts at it, but 'nothing' does not"}},
      {process("p", start() >> exclusive_gateway("g") >> task("t")), {}},
      {process("p", start() >> inclusive_gateway("g") >> condition("a") >> task("t")), {}},
  });
  EXPECT_EQ(errors_of(process_with(R"(
      <bpmn:exclusiveGateway id="g"/><bpmn:task id="t"/>
      <bpmn:sequenceFlow id="f" sourceRef="g" targetRef="t">
        <bpmn:conditionExpression>a</bpmn:conditionExpression></bpmn:sequenceFlow>)")),
            (Errors{"f: must have an expression (starting with '=') as condition, but has the "
                    "static value 'a'"}));
}

TEST(Check, EventBasedGateways) {
  expect_refusals({
      {process("p", start() >> event_based_gateway("g") >> catch_event(timer("t", 1s))),
       {"g: must have at least 2 outgoing flows, but has 1"}},
      {process("p", start() >> event_based_gateway("g") >> catch_event(timer("t", 1s)),
               from("g") >> task("u")),
       {"g: must lead to message, timer, signal or conditional catch events only, but 'u' is "
        "not one"}},
      {process("p", start() >> event_based_gateway("g") >> catch_event(timer("t", 1s)),
               from("g") >> catch_event(timer("u", 2s)), flow("t", "u")),
       {"u: must have no other incoming flow than that from the event-based gateway 'g'"}},
      {process("p", start() >> event_based_gateway("g") >> catch_event(timer("t", 1s)),
               from("g") >> catch_event(link_event("l", "L"))),
       {"g: must lead to message, timer, signal or conditional catch events only, but 'l' is not "
        "one",
        "l: must not have incoming flows, since it is a link catch event"}},
  });
}

TEST(Check, ProcessesStart) {
  expect_refusals({
      {process("p", task("t")), {"p: must have at least one start event"}},
      {process("p", start("a"), start("b")),
       {"p: must have at most one none start event, but has 2"}},
      {process("p", start("a"), start(timer_cycle("b", "R/PT1H"))), {}},
  });
}

TEST(Check, SubprocessesStartOnce) {
  expect_refusals({
      {process("p", start() >> subprocess("sub", task("t"))),
       {"sub: must have exactly one start event, since it is an embedded subprocess, but has 0"}},
      {process("p", start() >> subprocess("sub", start("a"), start("b"))),
       {"sub: must have exactly one start event, since it is an embedded subprocess, but has 2"}},
      {process("p", start() >> subprocess("sub", start(timer("a", 1s)))),
       {"a: must not have a 'timerEventDefinition': it must be a none start event, since it is in "
        "an embedded subprocess"}},
      {process("p", start() >> task("t") >> event_subprocess("sub", start(timer("a", 1s)))),
       {"sub: must not have incoming or outgoing flows, since it is an event subprocess"}},
      {process("p", start(), event_subprocess("sub", start("a"))),
       {"a: must have exactly one event definition: it must be a message, timer, error, signal, "
        "escalation or conditional start event, since it is in an event subprocess"}},
      {process("p", start(), event_subprocess("sub", start(compensation("a")))),
       {"a: must not have a 'compensateEventDefinition': it must be a message, timer, error, "
        "signal, escalation or conditional start event, since it is in an event subprocess"}},
      {process("p", start(), event_subprocess("sub", task("t"))),
       {"sub: must have exactly one start event, since it is an event subprocess, but has 0"}},
  });
}

TEST(Check, AdHocSubprocesses) {
  expect_refusals({
      {process("p", start() >> ad_hoc_subprocess("a", exclusive_gateway("g"))),
       {"a: must have at least one activity"}},
      {process("p", start() >> ad_hoc_subprocess("a", start("s") >> task("t") >> end("e"))),
       {"s: must not be in the ad-hoc subprocess 'a': it has neither start nor end events",
        "e: must not be in the ad-hoc subprocess 'a': it has neither start nor end events"}},
      {process("p",
               start() >> ad_hoc_subprocess("a", task("t"),
                                            event_subprocess("esp", start(timer("late", 1s))))),
       {"esp: must be non-interrupting, since it is in the ad-hoc subprocess 'a'"}},
      {process("p", start() >> ad_hoc_subprocess("a", task("t"), job("j"),
                                                 ad_hoc({.active_elements = "x",
                                                         .completion_condition = "y",
                                                         .cancel_remaining_instances = false}))),
       {"a: must not have a completionCondition together with a 'zeebe:taskDefinition'",
        "a: must not have an activeElementsCollection together with a 'zeebe:taskDefinition'",
        "a: must not have cancelRemainingInstances 'false' together with a "
        "'zeebe:taskDefinition'"}},
      {process("p",
               start() >> ad_hoc_subprocess("a", task("t"), ad_hoc({.output_collection = "x"}))),
       {"a: must have both outputCollection and outputElement in 'zeebe:adHoc', or neither"}},
  });
}

TEST(Check, BoundaryEventsNeedAnActivity) {
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:boundaryEvent id="b"><bpmn:timerEventDefinition>
      <bpmn:timeDuration>PT1S</bpmn:timeDuration></bpmn:timerEventDefinition>
      </bpmn:boundaryEvent>)")),
            (Errors{"b: must be attached to an activity"}));
  expect_refusals({
      {process("p", start() >> catch_event(timer("c", 1s)), boundary("c", timer("b", 1s))),
       {"b: must be attached to an activity, but 'c' is not an activity of its scope"}},
      {process("p", start(), boundary("nothing", timer("b", 1s))),
       {"b: must be attached to an activity, but 'nothing' is not an activity of its scope"}},
      {process("p", start() >> task("t"), boundary("t", none("b"))),
       {"b: must have exactly one event definition: it must be a message, timer, signal, "
        "conditional, escalation, error, compensation or cancel boundary event"}},
      {process("p", start() >> task("t"), boundary("t", link_event("b", "L"))),
       {"b: must not have a 'linkEventDefinition': it must be a message, timer, signal, "
        "conditional, escalation, error, compensation or cancel boundary event"}},
      {process("p", start() >> task("t"), boundary("t", error("b"), non_interrupting())),
       {"b: must be interrupting, since it catches an error"}},
      {process("p", start() >> task("t"), boundary("t", escalation("b"))),
       {"b: must be attached to a subprocess or call activity, since it catches an escalation, but "
        "'t' is neither"}},
      {process("p", start() >> call_activity("c", "x"), boundary("c", escalation("b"))), {}},
  });
}

TEST(Check, CancelEventsBelongToTransactions) {
  const auto canceled = [](auto... items) {
    return transaction("t", start("s") >> end(cancel("stop")), std::move(items)...);
  };
  expect_refusals({
      {process("p", start() >> canceled() >> end(), boundary("t", cancel("c")) >> end("undone")),
       {}},
      {process("p", start() >> transaction("t", start("s") >> end("e")),
               boundary("t", cancel("c"))),
       {}},
      {process("p", start() >> end(cancel("stop"))),
       {"stop: must be directly in a transaction, since it is a cancel end event, but 'p' is not "
        "one"}},
      {process(
           "p",
           start() >>
               transaction("t", start("s") >> subprocess("sub", start("i") >> end(cancel("stop")))),
           boundary("t", cancel("c"))),
       {"stop: must be directly in a transaction, since it is a cancel end event, but 'sub' is not "
        "one"}},
      {process("p",
               start() >> transaction("t", start("s"),
                                      event_subprocess(
                                          "esp", start(timer("late", 1s)) >> end(cancel("stop")))),
               boundary("t", cancel("c"))),
       {"stop: must be directly in a transaction, since it is a cancel end event, but 'esp' is not "
        "one"}},
      {process("p", start() >> canceled()),
       {"t: must have a cancel boundary event, since it contains the cancel end event 'stop'"}},
      {process("p", start() >> canceled(multi_instance({.input_collection = "=[1]"})),
               boundary("t", cancel("c"))),
       {"t: must not be multi-instance, since it contains the cancel end event 'stop'; put it into "
        "a multi-instance subprocess instead"}},
      {process("p", start() >> transaction("t", start("s") >> end("e"),
                                           multi_instance({.input_collection = "=[1]"}))),
       {}},
      {process("p", start() >> subprocess("sub", start("s")), boundary("sub", cancel("c"))),
       {"c: must be attached to a transaction, since it is a cancel boundary event, but 'sub' is "
        "not one"}},
      {process("p", start() >> canceled(), boundary("t", cancel("c")), boundary("t", cancel("d"))),
       {"d: must be the only cancel boundary event of 't', but 'c' is one too"}},
      {process("p", start() >> canceled(), boundary("t", cancel("c"), non_interrupting())),
       {"c: must be interrupting, since it is a cancel boundary event"}},
      {process("p", start() >> canceled(attribute("triggeredByEvent", "true")),
               boundary("t", cancel("c"))),
       {"t: must not have 'true' as triggeredByEvent, since it is a transaction; an event "
        "subprocess is a 'bpmn:subProcess'"}},
      {process("p", start() >> throw_event(cancel("c"))),
       {"c: must not have a 'cancelEventDefinition': it must be a none, message, signal, link, "
        "escalation or compensation throw event"}},
      {process("p", start() >> catch_event(cancel("c"))),
       {"c: must not have a 'cancelEventDefinition': it must be a message, timer, signal, link or "
        "conditional catch event"}},
      {process("p", start(), event_subprocess("esp", start(cancel("c")))),
       {"c: must not have a 'cancelEventDefinition': it must be a message, timer, error, signal, "
        "escalation or conditional start event, since it is in an event subprocess"}},
      {process("p", start() >> transaction("t", start("s"), start("s2"))),
       {"t: must have exactly one start event, since it is an embedded subprocess, but has 2"}},
  });
}

TEST(Check, Links) {
  expect_refusals({
      {process("p", start() >> throw_event(link_event("out", "L"))),
       {"out: must have a link catch event named 'L' in its scope, but there is none"}},
      {process("p", start() >> throw_event(link_event("out", ""))), {"out: must have a link name"}},
      {process("p", start(), catch_event(link_event("a", "L")), catch_event(link_event("b", "L"))),
       {"b: must have a link name of its own, but 'L' is also the link name of 'a'"}},
      {process("p", start() >> subprocess("sub", start("s") >> throw_event(link_event("o", "L"))),
               catch_event(link_event("i", "L"))),
       {"o: must have a link catch event named 'L' in its scope, but there is none"}},
      {process("p", start() >> throw_event(link_event("o", "L")) >> task("t"),
               catch_event(link_event("i", "L"))),
       {"o: must not have outgoing flows, since it is a link throw event"}},
      {process("p", start() >> parallel_gateway("g") >> throw_event(link_event("o", "L")),
               from("g") >> throw_event(link_event("o2", "L")), catch_event(link_event("i", "L"))),
       {}},
  });
}

TEST(Check, CompensationHandlersStandApart) {
  const auto with = [](auto... items) {
    return process("p", start() >> service_task("book", job("j")) >> service_task("t", job("j")),
                   std::move(items)...);
  };
  expect_refusals({
      {with(boundary("book", compensation("b"))),
       {"b: must have exactly one association with a compensation handler, but has 0"}},
      {with(boundary("book", compensation("b")), association("b", "t")),
       {"b: must be associated with an activity that is for compensation"}},
      {with(boundary("book", compensation("b")) >> task("x", for_compensation()),
            association("b", "x")),
       {"b: must not have outgoing flows, since it is a compensation boundary event",
        "x: must not have incoming or outgoing flows, since it is a compensation handler"}},
      {with(boundary("book", compensation("b")), service_task("x", job("j"), for_compensation()),
            association("b", "x"), boundary("x", timer("late", 1s))),
       {"x: must not have boundary events, since it is a compensation handler"}},
      {with(boundary("book", compensation("b"), listener("end", "l")),
            task("x", for_compensation()), association("b", "x")),
       {"b: must not have this execution listener: a compensation boundary event has no execution "
        "listeners"}},
      {with(from("t") >> end(compensation("c", "nothing"))),
       {"c: must compensate an activity, but 'nothing' is not an activity"}},
      {with(from("t") >> end(compensation("c", "t"))),
       {"c: must compensate an activity that has a compensation boundary event or is an embedded "
        "subprocess, but 't' does not"}},
      {with(from("t") >> subprocess("sub", start("s") >> subprocess("in", start("s2"))) >>
            end(compensation("c", "in"))),
       {"c: must compensate an activity of its own scope, but 'in' is in another"}},
      {with(subprocess("in", start("s2")),
            event_subprocess("esp", start(timer("late", 1s)) >> end(compensation("c", "in")))),
       {}},
  });
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:endEvent id="e"><bpmn:compensateEventDefinition
                                      waitForCompletion="false"/></bpmn:endEvent>)")),
            (Errors{"e: must have 'true' as waitForCompletion"}));
}

TEST(Check, AllErrorsAreReportedInTheOrderOfTheFile) {
  EXPECT_EQ(
      errors_of(process(
          "p", start() >> service_task("a") >> exclusive_gateway("b") >> call_activity("c", ""),
          from("b") >> script_task("d"))),
      (Errors{"a: must have a 'zeebe:taskDefinition' extension element",
              "b: must have a condition on each outgoing flow except the default flow, but 'b_c' "
              "has none",
              "b: must have a condition on each outgoing flow except the default flow, but 'b_d' "
              "has none",
              "c: must have a processId in 'zeebe:calledElement'",
              "d: must have either a 'zeebe:script' or a 'zeebe:taskDefinition' extension "
              "element, but has none"}));
}

}  // namespace
}  // namespace beeline::bpmn
