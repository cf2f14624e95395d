#include <gtest/gtest.h>

#include <algorithm>

#include "bpmn/test_support.h"

namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;

// Returns the ids of these elements, "a b c".
std::string ids(const Process& process, const std::vector<ElementIndex>& indices) {
  std::string text;
  for (const ElementIndex index : indices) {
    text += (text.empty() ? "" : " ") + process.element(index).id;
  }
  return text;
}

const Element& element(const Process& process, std::string_view id) {
  const Element* found = process.find(id);
  if (found == nullptr) {
    ADD_FAILURE() << "no element " << id;
    return process.root();
  }
  return *found;
}

TEST(Parse, AProcessIsAGraphOfNodesAndFlows) {
  const auto process = parse_one(build::process(
      "order", name("Order"), version_tag("v1"),
      start() >> service_task("ship", job("courier"), name("Ship it")) >> end("shipped")));
  EXPECT_EQ(process->id, "order");
  EXPECT_EQ(process->name, "Order");
  EXPECT_EQ(process->version_tag, "v1");
  EXPECT_EQ(process->root().type, ElementType::Process);
  EXPECT_EQ(ids(*process, process->root().children), "start ship shipped start_ship ship_shipped");
  EXPECT_EQ(ids(*process, process->root().start_events), "start");
  EXPECT_EQ(process->element(process->root().none_start).id, "start");
  const Element& ship = element(*process, "ship");
  EXPECT_EQ(ship.name, "Ship it");
  EXPECT_EQ(ship.type, ElementType::ServiceTask);
  EXPECT_EQ(ship.event_type, EventType::Unspecified);
  EXPECT_EQ(ship.flow_scope, process->root().index);
  EXPECT_EQ(ids(*process, ship.incoming), "start_ship");
  EXPECT_EQ(ids(*process, ship.outgoing), "ship_shipped");
  const Element& flow = element(*process, "start_ship");
  EXPECT_EQ(flow.type, ElementType::SequenceFlow);
  EXPECT_EQ(process->element(flow.source).id, "start");
  EXPECT_EQ(process->element(flow.target).id, "ship");
  EXPECT_EQ(element(*process, "shipped").event_type, EventType::None);
  EXPECT_EQ(process->find("nothing"), nullptr);
}

TEST(Parse, OnlyExecutableProcessesCount) {
  const auto processes = parse_all(file_with(
      R"(<bpmn:process id="a" isExecutable="true"><bpmn:startEvent id="s"/></bpmn:process>
         <bpmn:process id="b"><bpmn:globalTask id="x"/></bpmn:process>
         <bpmn:process id="c" isExecutable="true"><bpmn:startEvent id="t"/></bpmn:process>)"));
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0]->id, "a");
  EXPECT_EQ(processes[1]->id, "c");
}

TEST(Parse, GatewaysKnowTheirDefaultFlow) {
  const auto process = parse_one(build::process(
      "p", start() >> exclusive_gateway("big") >> condition("total > 10") >> task("ask") >> end(),
      from("big") >> via("no") >> default_flow() >> to("ask")));
  const Element& gateway = element(*process, "big");
  EXPECT_EQ(process->element(gateway.default_flow).id, "no");
  EXPECT_EQ(ids(*process, gateway.outgoing), "big_ask no");
  const Parts& parts = element(*process, "big_ask").parts();
  ASSERT_TRUE(parts.condition.has_value());
  EXPECT_TRUE(parts.condition->is_feel());
  EXPECT_EQ(parts.condition->text, "total > 10");
  EXPECT_FALSE(element(*process, "no").parts().condition.has_value());
}

TEST(Parse, FS9_SignalsKeepTheirNamesAndReferences) {
  const auto process = parse_one(build::process(
      "p",
      start() >> catch_event(signal("wait", "go")) >> throw_event(signal("shout", "=name")) >>
          service_task("t", job("t")) >> end(signal("last", "halt")),
      boundary("t", signal("stop", "halt")) >> end("stopped")));
  const std::tuple<std::string_view, ElementType, std::string_view> rows[] = {
      {"wait", ElementType::IntermediateCatchEvent, "go"},
      {"shout", ElementType::IntermediateThrowEvent, "name"},
      {"last", ElementType::EndEvent, "halt"},
      {"stop", ElementType::BoundaryEvent, "halt"}};
  for (const auto& [id, type, name] : rows) {
    const Element& event = element(*process, id);
    EXPECT_EQ(event.type, type) << id;
    EXPECT_EQ(event.event_type, EventType::Signal) << id;
    ASSERT_TRUE(event.parts().signal.has_value()) << id;
    EXPECT_EQ(event.parts().signal->name.text, name) << id;
    EXPECT_FALSE(event.parts().signal->id.empty()) << id;
  }
  EXPECT_TRUE(element(*process, "shout").parts().signal->name.is_feel());
  EXPECT_EQ(ids(*process, element(*process, "t").events), "stop");
  EXPECT_EQ(ids(*process, element(*process, "wait").events), "wait");
}

TEST(Parse, SubprocessesAreScopes) {
  const auto process = parse_one(build::process(
      "p", start() >>
               subprocess("sub", start("s") >> task("t") >> end("e"),
                          event_subprocess(
                              "esp", start(timer("late", 1h), non_interrupting()) >> end())) >>
               end()));
  const Element& sub = element(*process, "sub");
  EXPECT_EQ(element(*process, "t").flow_scope, sub.index);
  EXPECT_EQ(process->element(sub.none_start).id, "s");
  EXPECT_EQ(ids(*process, sub.event_subprocesses), "esp");
  EXPECT_EQ(ids(*process, sub.events), "late");
  const Element& esp = element(*process, "esp");
  EXPECT_EQ(esp.type, ElementType::EventSubProcess);
  EXPECT_FALSE(esp.interrupting);
  EXPECT_FALSE(element(*process, "late").interrupting);
  EXPECT_EQ(element(*process, "late").event_type, EventType::Timer);
  EXPECT_FALSE(esp.none_start.is_set());
}

TEST(Parse, BoundaryEventsBelongToTheirActivity) {
  const auto process = parse_one(build::process(
      "p", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer("late", 90s)) >> end("expired"),
      boundary("ship", error("failed", "E1")) >> end("gone"),
      boundary("ship", message("hurry", "hurry", "=id"), non_interrupting()) >> end("hurried")));
  const Element& ship = element(*process, "ship");
  EXPECT_EQ(ids(*process, ship.boundary_events), "late failed hurry");
  EXPECT_EQ(ids(*process, ship.events), "late failed hurry");
  const Element& late = element(*process, "late");
  EXPECT_EQ(late.attached_to, ship.index);
  EXPECT_TRUE(late.interrupting);
  EXPECT_EQ(late.parts().timer->kind, TimerKind::Duration);
  EXPECT_EQ(late.parts().timer->expression.text, "PT90S");
  EXPECT_EQ(element(*process, "failed").parts().error->code->text, "E1");
  const Element& hurry = element(*process, "hurry");
  EXPECT_FALSE(hurry.interrupting);
  EXPECT_EQ(hurry.parts().message->name.text, "hurry");
  EXPECT_EQ(hurry.parts().message->correlation_key->text, "id");
  EXPECT_TRUE(hurry.parts().message->correlation_key->is_feel());
}

TEST(Parse, AMultiInstanceActivityIsABodyAroundTheActivity) {
  const auto process = parse_one(build::process(
      "p",
      start() >> service_task("each", job("work"), input("=item", "x"),
                              listener("beforeAll", "prepare"), listener("start", "begin"),
                              multi_instance({.input_collection = "items",
                                              .input_element = "item",
                                              .output_collection = "results",
                                              .output_element = "result.value",
                                              .sequential = true,
                                              .completion_condition = "done"})) >>
          end(),
      boundary("each", timer("late", 1h)) >> end("expired")));
  const Element& body = element(*process, "each");
  ASSERT_EQ(body.type, ElementType::MultiInstanceBody);
  const Element& inner = process->element(body.inner);
  EXPECT_EQ(inner.id, "each");
  EXPECT_EQ(inner.type, ElementType::ServiceTask);
  EXPECT_EQ(process->find("each", ElementType::ServiceTask), &inner);
  EXPECT_EQ(process->find("each", ElementType::MultiInstanceBody), &body);
  EXPECT_EQ(process->find("each", ElementType::UserTask), nullptr);
  EXPECT_EQ(inner.flow_scope, body.index);
  EXPECT_EQ(body.flow_scope, process->root().index);
  EXPECT_EQ(ids(*process, body.incoming), "start_each");
  EXPECT_TRUE(inner.incoming.empty());
  EXPECT_EQ(element(*process, "start_each").target, body.index);
  EXPECT_EQ(element(*process, "each_end").source, body.index);
  EXPECT_EQ(element(*process, "late").attached_to, body.index);
  EXPECT_EQ(ids(*process, body.events), "late");
  EXPECT_TRUE(inner.events.empty());
  EXPECT_NE(std::find(process->root().children.begin(), process->root().children.end(), body.index),
            process->root().children.end());
  EXPECT_EQ(
      std::find(process->root().children.begin(), process->root().children.end(), inner.index),
      process->root().children.end());
  const Loop& loop = *body.parts().loop;
  EXPECT_TRUE(loop.sequential);
  EXPECT_EQ(loop.input_collection.text, "items");
  EXPECT_EQ(loop.input_element, "item");
  EXPECT_EQ(loop.output_collection, "results");
  EXPECT_EQ(loop.output_element->text, "result.value");
  EXPECT_EQ(loop.output_element_variable, "result");
  EXPECT_EQ(loop.completion_condition->text, "done");
  EXPECT_FALSE(inner.parts().loop.has_value());
  EXPECT_FALSE(body.parts().job.has_value());
  EXPECT_EQ(inner.parts().job->type.text, "work");
  EXPECT_EQ(inner.parts().inputs.size(), 1u);
  ASSERT_EQ(body.parts().listeners.size(), 1u);
  EXPECT_EQ(body.parts().listeners[0].event, ListenerEvent::BeforeAll);
  ASSERT_EQ(inner.parts().listeners.size(), 1u);
  EXPECT_EQ(inner.parts().listeners[0].job.type.text, "begin");
}

TEST(Parse, TheOutputElementIsLocalOnlyIfItIsAVariableOfItsOwn) {
  const auto variable = [](std::string output) {
    const auto process = parse_one(build::process(
        "p", start() >> task("each", multi_instance({.input_collection = "items",
                                                     .input_element = "item",
                                                     .output_collection = "results",
                                                     .output_element = std::move(output)}))));
    return element(*process, "each").parts().loop->output_element_variable;
  };
  EXPECT_EQ(variable("result"), "result");
  EXPECT_EQ(variable("item.x"), "");
  EXPECT_EQ(variable("loopCounter"), "");
  EXPECT_EQ(variable("a + 1"), "");
}

TEST(Parse, NestedMultiInstanceKeepsItsScopes) {
  const auto process = parse_one(build::process(
      "p", start() >> subprocess("outer", multi_instance({.input_collection = "xs"}),
                                 start("s") >>
                                     task("inner", multi_instance({.input_collection = "ys"}))) >>
               end()));
  const Element& outer_body = element(*process, "outer");
  const Element& outer = process->element(outer_body.inner);
  const Element& inner_body = element(*process, "inner");
  EXPECT_EQ(inner_body.type, ElementType::MultiInstanceBody);
  EXPECT_EQ(inner_body.flow_scope, outer.index);
  EXPECT_EQ(element(*process, "s").flow_scope, outer.index);
  EXPECT_EQ(ids(*process, outer.children), "s inner s_inner");
  EXPECT_EQ(process->element(outer.children[1]).type, ElementType::MultiInstanceBody);
}

TEST(Parse, AnAdHocSubprocessHasAnInnerInstance) {
  const auto process = parse_one(build::process(
      "p", start() >>
               ad_hoc_subprocess(
                   "any",
                   ad_hoc({.active_elements = "[\"a\"]",
                           .completion_condition = "done",
                           .cancel_remaining_instances = false,
                           .output_collection = "results",
                           .output_element = "r"}),
                   task("a") >> task("b"), task("c", multi_instance({.input_collection = "xs"})),
                   event_subprocess("esp", start(signal("stop", "stop"), non_interrupting()))) >>
               end()));
  const Element& any = element(*process, "any");
  const Element& inner = element(*process, "any#innerInstance");
  EXPECT_EQ(inner.type, ElementType::AdHocSubProcessInnerInstance);
  EXPECT_EQ(any.inner, inner.index);
  EXPECT_EQ(inner.flow_scope, any.index);
  EXPECT_EQ(element(*process, "a").flow_scope, inner.index);
  EXPECT_EQ(element(*process, "esp").flow_scope, any.index);
  EXPECT_EQ(ids(*process, any.children), "any#innerInstance esp");
  EXPECT_EQ(ids(*process, any.events), "stop");
  const AdHoc& ad_hoc = *any.parts().ad_hoc;
  EXPECT_EQ(ids(*process, ad_hoc.activatable), "a c");
  EXPECT_EQ(process->element(ad_hoc.activatable[1]).type, ElementType::MultiInstanceBody);
  EXPECT_FALSE(ad_hoc.cancel_remaining_instances);
  EXPECT_EQ(ad_hoc.active_elements_collection->text, "[\"a\"]");
  EXPECT_EQ(ad_hoc.completion_condition->text, "done");
}

TEST(Parse, LinksLeadToTheirCatchEvent) {
  const auto process = parse_one(build::process(
      "p", start() >> service_task("a", job("x")) >> throw_event(link_event("out", "L")),
      catch_event(link_event("in", "L")) >> end()));
  EXPECT_EQ(process->element(element(*process, "out").parts().link->catch_event).id, "in");
  EXPECT_TRUE(element(*process, "in").events.empty());
}

TEST(Parse, AnEventBasedGatewayWaitsForItsTargets) {
  const auto process = parse_one(build::process(
      "p",
      start() >> event_based_gateway("first") >> catch_event(timer("late", 1h)) >> end("expired"),
      from("first") >> catch_event(message("paid", "paid", "=id")) >> end("done"),
      from("first") >> catch_event(signal("stop", "stop")) >> end("stopped")));
  EXPECT_EQ(ids(*process, element(*process, "first").events), "late paid stop");
  EXPECT_EQ(ids(*process, element(*process, "paid").events), "paid");
}

TEST(Parse, AReceiveTaskWaitsForItselfBeforeItsBoundaryEvents) {
  const auto process = parse_one(
      build::process("p", start() >> receive_task(message("wait", "paid", "=id")) >> end(),
                     boundary("wait", timer("late", 1h)) >> end("expired")));
  const Element& wait = element(*process, "wait");
  EXPECT_EQ(wait.type, ElementType::ReceiveTask);
  EXPECT_EQ(wait.event_type, EventType::Message);
  EXPECT_EQ(ids(*process, wait.events), "wait late");
}

TEST(Parse, TransactionsAreSubprocesses) {
  const auto process = parse_one(
      build::process("p",
                     start() >> transaction("book", attribute("method", "##Image"),
                                            input("=1", "x"), start("s") >> end(cancel("stop"))) >>
                         subprocess("plain", start("s2")) >> end(),
                     boundary("book", cancel("undone"))));
  EXPECT_EQ(element(*process, "book").type, ElementType::SubProcess);
  EXPECT_TRUE(element(*process, "book").transaction);
  EXPECT_FALSE(element(*process, "plain").transaction);
  EXPECT_EQ(element(*process, "book").parts().inputs.size(), 1u);
  EXPECT_EQ(element(*process, "stop").event_type, EventType::Cancel);
  EXPECT_EQ(element(*process, "undone").event_type, EventType::Cancel);
  EXPECT_EQ(element(*process, "undone").attached_to, element(*process, "book").index);
}

TEST(Parse, CompensationLeadsToItsHandler) {
  const auto process = parse_one(build::process(
      "p",
      start() >> service_task("book", job("book")) >> throw_event(compensation("undo", "book")) >>
          end(compensation("undo-all")),
      boundary("book", compensation("on-undo")),
      service_task("cancel", job("cancel"), for_compensation()), association("on-undo", "cancel")));
  EXPECT_EQ(process->element(element(*process, "on-undo").parts().compensation->handler).id,
            "cancel");
  EXPECT_EQ(process->element(element(*process, "undo").parts().compensation->activity).id, "book");
  EXPECT_FALSE(element(*process, "undo-all").parts().compensation->activity.is_set());
  EXPECT_TRUE(element(*process, "cancel").for_compensation);
  EXPECT_EQ(element(*process, "cancel").event_type, EventType::Compensation);
  EXPECT_TRUE(element(*process, "book").events.empty());
  EXPECT_EQ(ids(*process, element(*process, "book").boundary_events), "on-undo");
}

TEST(Parse, CallActivitiesAreRankedOverTheWholeFile) {
  const auto processes = parse_all(
      file({build::process("a", start("s1") >> call_activity("z", "x") >> call_activity("b", "x")),
            build::process("c", start("s2") >> call_activity("m", "=id"))})
          .to_xml());
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(element(*processes[0], "b").parts().called_element->rank, 0);
  EXPECT_EQ(element(*processes[1], "m").parts().called_element->rank, 1);
  EXPECT_EQ(element(*processes[0], "z").parts().called_element->rank, 2);
}

TEST(Parse, NamesWhatMustBeInTheSameDeployment) {
  const auto process = parse_one(build::process(
      "p", start() >>
               call_activity("a", CallOptions{.process_id = "child", .binding = "deployment"}) >>
               call_activity("b", CallOptions{.process_id = "=x", .binding = "deployment"}) >>
               call_activity("c", "latest-one") >>
               user_task("u", extension("zeebe:formDefinition",
                                        {{"formId", "f"}, {"bindingType", "deployment"}}))));
  const auto references = deployment_references(*process);
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(references[0].kind, ReferenceKind::Process);
  EXPECT_EQ(references[0].id, "child");
  EXPECT_EQ(references[1].kind, ReferenceKind::Form);
  EXPECT_EQ(references[1].id, "f");
}

}  // namespace
}  // namespace beeline::bpmn
