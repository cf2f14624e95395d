#include <gtest/gtest.h>

#include "bpmn/test_support.h"

// Events with several event definitions: what the model keeps of them, and what is refused (B7).
namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;
using Errors = std::vector<std::string>;

Model caught(Event event) {
  return process("p", start() >> catch_event(std::move(event)) >> end());
}
template <typename... Items>
Model beside_task(Event event, Items... items) {
  return process("p", start() >> service_task("t", job("j")),
                 boundary("t", std::move(event), std::move(items)...));
}
Model thrown(Event event) {
  return process("p", start() >> throw_event(std::move(event)) >> end());
}

TEST(MultipleEvents, each_definition_looks_like_the_event_and_has_an_id) {
  const auto model = parse_one(
      caught(multiple("e", {message("m", "paid", "=key"), timer("t", 1h), signal("s", "go")})));
  const Element& event = *model->find("e");
  EXPECT_EQ(event.event_type, EventType::Multiple);
  EXPECT_TRUE(event.is_multiple());
  ASSERT_EQ(event.definitions().size(), 3U);
  int number = 0;
  for (const Element& definition : event.definitions()) {
    EXPECT_EQ(definition.id, "e");
    EXPECT_EQ(definition.index, event.index);
    EXPECT_EQ(definition.flow_scope, event.flow_scope);
    EXPECT_EQ(definition.type, ElementType::IntermediateCatchEvent);
    EXPECT_EQ(definition.parts().definition_id, "e#" + std::to_string(++number));
    EXPECT_EQ(event.find_definition(definition.parts().definition_id), &definition);
    EXPECT_FALSE(definition.is_multiple());
  }
  EXPECT_EQ(event.definitions()[0].parts().message->name.text, "paid");
  EXPECT_EQ(event.definitions()[1].event_type, EventType::Timer);
  EXPECT_EQ(event.definitions()[2].parts().signal->name.text, "go");
  EXPECT_FALSE(event.parts().message.has_value());
  EXPECT_TRUE(event.has_definition(EventType::Signal));
  EXPECT_FALSE(event.has_definition(EventType::Error));
  EXPECT_EQ(event.find_definition(""), &event);
  EXPECT_EQ(event.find_definition("e#4"), nullptr);
}

TEST(MultipleEvents, a_single_event_is_its_own_only_definition) {
  const auto model = parse_one(caught(signal("e", "go")));
  const Element& event = *model->find("e");
  EXPECT_FALSE(event.is_multiple());
  ASSERT_EQ(event.definitions().size(), 1U);
  EXPECT_EQ(event.definitions().data(), &event);
  EXPECT_TRUE(event.parts().definition_id.empty());
  EXPECT_EQ(event.find_definition(""), &event);
}

TEST(MultipleEvents, parallel_multiple_needs_several_definitions) {
  const auto both =
      parse_one(caught(parallel_multiple("e", {signal("a", "one"), signal("b", "two")})));
  EXPECT_EQ(both->find("e")->event_type, EventType::ParallelMultiple);
  const auto one = parse_one(caught(parallel_multiple("e", {signal("a", "one")})));
  EXPECT_EQ(one->find("e")->event_type, EventType::Signal);
}

TEST(MultipleEvents, the_ids_of_the_file_are_kept) {
  const auto processes = parse_all(process_with(R"(
      <bpmn:sequenceFlow id="f" sourceRef="start" targetRef="e"/>
      <bpmn:intermediateCatchEvent id="e">
        <bpmn:timerEventDefinition id="soon"><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>
        <bpmn:timerEventDefinition><bpmn:timeDuration>PT2H</bpmn:timeDuration></bpmn:timerEventDefinition>
      </bpmn:intermediateCatchEvent>)"));
  ASSERT_EQ(processes.size(), 1U);
  const auto definitions = processes.front()->find("e")->definitions();
  ASSERT_EQ(definitions.size(), 2U);
  EXPECT_EQ(definitions[0].parts().definition_id, "soon");
  EXPECT_EQ(definitions[1].parts().definition_id, "e#2");
}

TEST(MultipleEvents, job_and_compensation_are_parts_of_the_event_that_throws) {
  const auto model = parse_one(
      process("p",
              start() >> service_task("t", job("j")) >>
                  end(multiple("e", {message("m", "x"), compensation("c", "t"), signal("s", "go"),
                                     escalation("x", "slow"), signal("z", "stop")}),
                      job("tell"), input("=1", "one"), output("=one", "two")),
              boundary("t", compensation("undone")), task("handler", for_compensation()),
              association("undone", "handler")));
  const Element& event = *model->find("e");
  EXPECT_EQ(event.parts().job->type.text, "tell");
  EXPECT_EQ(event.parts().compensation->activity, model->find("t")->index);
  EXPECT_EQ(event.parts().inputs.size(), 1U);
  EXPECT_EQ(event.parts().outputs.size(), 1U);
  ASSERT_EQ(event.definitions().size(), 5U);
  EXPECT_FALSE(event.definitions()[1].parts().compensation.has_value());
  EXPECT_EQ(event.definitions()[3].parts().escalation->code->text, "slow");
}

TEST(MultipleEvents, B7_only_some_definitions_can_be_combined) {
  const std::string to_catch = "message, timer, signal and conditional definitions";
  const std::string to_catch_throws =
      "message, timer, signal, conditional, error and escalation definitions";
  const std::string to_throw = "message, signal, escalation and compensation definitions";
  const auto refusal = [](std::string_view name, const std::string& allowed) {
    return fmt::format(
        "e: must not combine a '{}' with other event definitions: it can only "
        "combine {}",
        name, allowed);
  };
  expect_refusals({
      {caught(multiple("e", {signal("a", "s"), link_event("b", "l")})),
       {refusal("linkEventDefinition", to_catch)}},
      {caught(multiple("e", {signal("a", "s"), error("b", "404")})),
       {refusal("errorEventDefinition", to_catch)}},
      {caught(multiple("e", {signal("a", "s"), terminate("b")})),
       {refusal("terminateEventDefinition", to_catch)}},
      {beside_task(multiple("e", {signal("a", "s"), compensation("b")})),
       {refusal("compensateEventDefinition", to_catch_throws)}},
      {beside_task(parallel_multiple("e", {signal("a", "s"), error("b", "404")})),
       {refusal("errorEventDefinition", to_catch)}},
      {process("p", start(),
               event_subprocess("x", start(parallel_multiple(
                                         "e", {signal("a", "s"), escalation("b", "slow")})))),
       {refusal("escalationEventDefinition", to_catch)}},
      {process("p", start(multiple("e", {signal("a", "s"), error("b", "404")}))),
       {refusal("errorEventDefinition", to_catch)}},
      {thrown(multiple("e", {signal("a", "s"), timer("b", 1h)})),
       {refusal("timerEventDefinition", to_throw)}},
      {thrown(multiple("e", {signal("a", "s"), link_event("b", "l")})),
       {refusal("linkEventDefinition", to_throw)}},
      {process("p", start() >> end(multiple("e", {signal("a", "s"), error("b", "404")}))),
       {refusal("errorEventDefinition", to_throw)}},
      {process("p", start() >> end(multiple("e", {signal("a", "s"), terminate("b")}))),
       {refusal("terminateEventDefinition", to_throw)}},
  });
}

TEST(MultipleEvents, B7_positions_that_have_no_multiple_events) {
  expect_refusals({
      {process("p", start() >> subprocess("sub", start(multiple(
                                                     "e", {signal("a", "s"), signal("b", "u")})))),
       {"e: must not have event definitions, since it is in an embedded subprocess"}},
      {process("p", start(parallel_multiple("e", {signal("a", "s"), signal("b", "u")}))),
       {"e: must not have 'true' as parallelMultiple, since it starts a process: which events "
        "belong to one instance is not defined"}},
      {process("p",
               start() >> event_based_gateway("g") >>
                   catch_event(parallel_multiple("e", {signal("a", "s"), signal("b", "u")})),
               from("g") >> catch_event(timer("later", 1h))),
       {"e: must not have 'true' as parallelMultiple, since it follows the event-based gateway "
        "'g', which waits for the first event"}},
      {process("p",
               start() >> event_based_gateway("g") >>
                   catch_event(multiple("e", {signal("a", "s"), timer("b", 1h)})),
               from("g") >> catch_event(timer("later", 1h))),
       {}},
  });
}

TEST(MultipleEvents, B7_two_definitions_must_be_told_apart) {
  expect_refusals({
      {caught(multiple("e", {message("a", "m", "=k"), message("b", "m", "=l")})),
       {"e: must not have two event definitions with the message name 'm'"}},
      {caught(parallel_multiple("e", {signal("a", "s"), signal("b", "s")})),
       {"e: must not have two event definitions with the signal name 's'"}},
      {caught(multiple("e", {conditional("a", "x"), conditional("b", "x")})),
       {"e: must not have two event definitions with the condition '=x'"}},
      {beside_task(multiple("e", {conditional("a", "x"), conditional("b", "x")})),
       {"e: must not have two event definitions with the condition '=x'"}},
      {caught(multiple("e", {timer("a", 1h), timer("b", 1h)})), {}},
      {beside_task(multiple("e", {error("a", "404"), error("b", "404")})),
       {"e: must not have two event definitions with the error code '404'"}},
      {beside_task(multiple("e", {error("a"), error("b"), error("c", "404")})),
       {"e: must not have two event definitions that catch every error"}},
      {beside_task(multiple("e", {signal("a", "s"), signal("b", "u")})), {}},
      {process("p", start() >> service_task("t", job("j")),
               boundary("t", multiple("e", {signal("a", "s"), timer("b", 1h)})),
               boundary("t", multiple("f", {signal("c", "u"), signal("d", "s")}))),
       {"f: must have another signal name than 's': 'e' has the same one, at the activity 't'"}},
      {process("p", start(multiple("e", {message("a", "m"), message("b", "m")}))),
       {"e: must not have two event definitions with the message name 'm'"}},
      {process("p", start(multiple("e", {message("a", "m"), signal("b", "s")})),
               start(signal("f", "s"))),
       {"f: must have another signal name than 's': 'e' has the same one, a start event of the "
        "process"}},
      {process("p",
               start() >> event_based_gateway("g") >>
                   catch_event(multiple("e", {signal("a", "s"), signal("b", "s")})),
               from("g") >> catch_event(timer("later", 1h))),
       {"e: must not have two event definitions with the signal name 's'"}},
  });
  EXPECT_EQ(errors_of(process_with(R"(
      <bpmn:sequenceFlow id="f" sourceRef="start" targetRef="e"/>
      <bpmn:intermediateCatchEvent id="e">
        <bpmn:timerEventDefinition id="e#2"><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>
        <bpmn:timerEventDefinition><bpmn:timeDuration>PT2H</bpmn:timeDuration></bpmn:timerEventDefinition>
      </bpmn:intermediateCatchEvent>)")),
            (Errors{"e: must have event definitions with different ids, but two have 'e#2'"}));
}

TEST(MultipleEvents, the_number_of_definitions_has_a_limit) {
  const auto with = [](int count) {
    std::vector<Event> events;
    for (int i = 0; i < count; ++i) events.push_back(timer("t", 1h));
    return caught(multiple("e", events));
  };
  EXPECT_EQ(errors_of(with(100)), Errors{});
  EXPECT_EQ(errors_of(with(101)),
            (Errors{"e: must have at most 100 event definitions, but has 101"}));
}

TEST(MultipleEvents, B7_errors_escalations_and_cycles_keep_their_rules) {
  expect_refusals({
      {beside_task(multiple("e", {signal("a", "s"), error("b", "404")}), non_interrupting()),
       {"e: must be interrupting, since it catches an error"}},
      {beside_task(multiple("e", {signal("a", "s"), escalation("b", "slow")})),
       {"e: must be attached to a subprocess or call activity, since it catches an escalation, "
        "but 't' is neither"}},
      {process("p", start() >> call_activity("c", "q"),
               boundary("c", multiple("e", {error("a", "404"), escalation("b", "slow")}))),
       {}},
      {beside_task(multiple("e", {signal("a", "s"), timer_cycle("b", "R/PT1H")})),
       {"e: must not have a cycle as timer, since it is interrupting"}},
      {beside_task(parallel_multiple("e", {signal("a", "s"), timer_cycle("b", "R/PT1H")}),
                   non_interrupting()),
       {}},
      {caught(multiple("e", {signal("a", "s"), timer_cycle("b", "R/PT1H")})),
       {"e: must have a duration or a date as timer, since it is an intermediate catch event, but "
        "has a cycle"}},
  });
}

TEST(MultipleEvents, B7_an_event_throws_at_most_one_message_and_one_compensation) {
  expect_refusals({
      {process("p", start() >> throw_event(multiple("e", {message("a", "m"), message("b", "n")}),
                                           job("j"))),
       {"e: must have at most one 'messageEventDefinition'"}},
      {thrown(multiple("e", {compensation("a"), signal("c", "s"), compensation("b")})),
       {"e: must have at most one 'compensateEventDefinition'"}},
      {thrown(multiple("e", {message("a", "m"), signal("b", "s")})),
       {"e: must have either a 'zeebe:publishMessage' or a 'zeebe:taskDefinition' extension "
        "element, but has none"}},
      {thrown(multiple("e", {signal("a", "s"), signal("b", "s")})), {}},
  });
}

TEST(MultipleEvents, a_loop_through_an_event_that_throws_is_refused_unless_it_has_a_job) {
  const auto loop = [](Event event, auto... items) {
    return process("p", start() >> exclusive_gateway("again") >>
                            throw_event(std::move(event), std::move(items)...) >> to("again"));
  };
  EXPECT_EQ(reasons_of(loop(multiple("e", {signal("a", "s"), escalation("b", "slow")}))).size(),
            1U);
  EXPECT_EQ(reasons_of(loop(multiple("e", {signal("a", "s"), message("b", "m")}), job("j"))),
            Errors{});
}

}  // namespace
}  // namespace beeline::bpmn
