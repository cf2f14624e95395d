#include <gtest/gtest.h>

#include "bpmn/test_support.h"

// Rules of what events wait for, and of events that would compete.
namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;
using Errors = std::vector<std::string>;

// Boundary events at a service task "t".
template <typename... Events>
Model at_task(Events... events) {
  return process("p", start() >> service_task("t", job("j")), boundary("t", std::move(events))...);
}

// A client cannot make the server evaluate long expressions by deploying them. A file on the log
// was accepted under the limit of its version, and stays readable.
TEST(CheckEvents, ConstantExpressionsHaveALimitWhenAClientDeploysThem) {
  const std::string xml =
      process("p", start(message("m", "=\"placed\" + string(count(for i in 1..10000 return i))")))
          .to_xml();
  const auto of_client = parse_bpmn("p.bpmn", xml, Origin::Client);
  ASSERT_FALSE(of_client.has_value());
  EXPECT_NE(of_client.error().text().find("must have a simpler expression as message name"),
            std::string::npos)
      << of_client.error().text();
  const auto of_log = parse_bpmn("p.bpmn", xml, Origin::Log);
  ASSERT_TRUE(of_log.has_value()) << of_log.error().text();
}

TEST(CheckEvents, Messages) {
  expect_refusals({
      {process("p", start() >> catch_event(message("m", ""))),
       {"m: must reference a message with a name, but 'm-message' has none"}},
      {process("p", start(message("m", "placed"))), {}},
      {process("p", start(message("m", "=\"placed\""))), {}},
      {process("p", start(message("m", "=name"))),
       {"m: must have a constant expression as message name, one that gives a string without "
        "variables, but has '=name'"}},
      {process("p", start(message("a", "placed")), start(message("b", "placed"))),
       {"b: must have another message name than 'placed': 'a' has the same one, a start event of "
        "the process"}},
      {at_task(message("a", "m", "=k"), message("b", "m", "=k")),
       {"b: must have another message name than 'm': 'a' has the same one, at the activity 't'"}},
      {at_task(message("a", "m", "=k"), message("b", "=m", "=k")), {}},
      {process("p", start() >> receive_task(message("r", "m", "=k")),
               boundary("r", message("b", "m", "=k"))),
       {"b: must have another message name than 'm': 'r' has the same one, at the activity 'r'"}},
      {process("p", start(), event_subprocess("e1", start(message("a", "m", "=k"))),
               event_subprocess("e2", start(message("b", "m", "=k")))),
       {"b: must have another message name than 'm': 'a' has the same one, in an event subprocess "
        "of 'p'"}},
      {process("p", start() >> event_based_gateway("g") >> catch_event(message("a", "m", "=k")),
               from("g") >> catch_event(message("b", "m", "=k"))),
       {"b: must have another message name than 'm': 'a' has the same one, after the event-based "
        "gateway 'g'"}},
      {process("p", start() >> throw_event(message("m", "x"))),
       {"m: must have either a 'zeebe:publishMessage' or a 'zeebe:taskDefinition' extension "
        "element, but has none"}},
      {process("p", start() >> throw_event(message("m", "x"), job("send")) >>
                        end(message("n", "x"), extension("zeebe:publishMessage", {}))),
       {}},
  });
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:receiveTask id="a"/>
                                      <bpmn:receiveTask id="b" messageRef="start"/>)")),
            (Errors{"a: must reference a message",
                    "b: must reference a message, but 'start' is not a message"}));
}

TEST(CheckEvents, AMessageStartsAProcessByOneEvent) {
  EXPECT_EQ(errors_of(file_with(R"(<bpmn:message id="m" name="n"/>
      <bpmn:process id="p" isExecutable="true">
        <bpmn:startEvent id="a"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>
        <bpmn:startEvent id="b"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>
      </bpmn:process>)")),
            (Errors{"b: must not use the message 'm': the start event 'a' uses it"}));
}

TEST(CheckEvents, TheNameOfAStartEventIsStaticAfterwards) {
  const auto message_start = parse_one(process("p", start(message("m", "=\"placed\""))));
  const Message& found = *message_start->find("m")->parts().message;
  EXPECT_TRUE(found.name.is_static);
  EXPECT_EQ(found.name.text, "placed");
  EXPECT_FALSE(found.correlation_key.has_value());
  const auto signal_start = parse_one(process("p", start(signal("s", "=\"stop\""))));
  EXPECT_EQ(signal_start->find("s")->parts().signal->name.text, "stop");
}

TEST(CheckEvents, CorrelationKeysComeFromTheMessage) {
  const auto key = [](std::string_view extensions) {
    const auto processes = parse_all(file_with(
        R"(<bpmn:message id="m" name="n">)" + std::string(extensions) +
        R"(</bpmn:message><bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="s"/>
           <bpmn:receiveTask id="r" messageRef="m"/></bpmn:process>)"));
    const auto& correlation_key = processes.at(0)->find("r")->parts().message->correlation_key;
    return correlation_key
               ? (correlation_key->is_static ? "static " : "feel ") + correlation_key->text
               : "none";
  };
  const auto wrapped = [](std::string_view inner) {
    return "<bpmn:extensionElements>" + std::string(inner) + "</bpmn:extensionElements>";
  };
  EXPECT_EQ(key(""), "none");
  EXPECT_EQ(key(wrapped(R"(<zeebe:subscription correlationKey=" = id"/>)")), "feel id");
  EXPECT_EQ(key(wrapped(R"(<zeebe:subscription correlationKey="id"/>)")), "static id");
  EXPECT_EQ(key(wrapped(R"(<f:subscription xmlns:f="https://fleans.io/schema/bpmn/1.0"
                             correlationKey="id"/>)")),
            "feel id");
}

TEST(CheckEvents, ASubscriptionInTheWrongPlaceIsAWarning) {
  const auto process = parse_one(build::process(
      "p", start() >> catch_event(message("m", "n"),
                                  extension("zeebe:subscription", {{"correlationKey", "=k"}}))));
  EXPECT_EQ(process->warnings,
            (std::vector<std::string>{
                "Element 'm': 'zeebe:subscription' is ignored here, move it to the message"}));
}

TEST(CheckEvents, Signals) {
  expect_refusals({
      {process("p", start() >> catch_event(signal("s", ""))), {"s: must reference a signal"}},
      {process("p", start(signal("a", "x")), start(signal("b", "x"))),
       {"b: must have another signal name than 'x': 'a' has the same one, a start event of the "
        "process"}},
      {process("p", start(signal("a", "=x"))),
       {"a: must have a constant expression as signal name, one that gives a string without "
        "variables, but has '=x'"}},
      {at_task(signal("a", "x"), signal("b", "x")),
       {"b: must have another signal name than 'x': 'a' has the same one, at the activity 't'"}},
      {process("p", start(signal("a", "x")) >> service_task("t", job("j")),
               boundary("t", signal("b", "x"))),
       {}},
  });
  EXPECT_EQ(errors_of(file_with(R"(<bpmn:signal id="s"/><bpmn:process id="p" isExecutable="true">
      <bpmn:startEvent id="a"><bpmn:signalEventDefinition signalRef="s"/></bpmn:startEvent>
      </bpmn:process>)")),
            (Errors{"a: must reference a signal with a name, but 's' has none"}));
}

TEST(CheckEvents, ErrorsAndEscalations) {
  expect_refusals({
      {process("p", start() >> end(error("e"))), {"e: must reference an error"}},
      {process("p", start() >> end(error("e", "=code"))), {}},
      {process("p", start() >> end(escalation("e"))), {"e: must reference an escalation"}},
      {at_task(error("b", "=code")),
       {"b: must have a static errorCode, since it catches, but has the expression '=code'"}},
      {at_task(error("a", "E"), error("b", "E")),
       {"b: must have another error code than 'E': 'a' has the same one, at the activity 't'"}},
      {at_task(error("a"), error("b")),
       {"b: must catch a certain error: 'a' catches every error already, at the activity 't'"}},
      {at_task(error("a"), error("b", "E")), {}},
      {process("p", start(), event_subprocess("e1", start(escalation("a", "E"))),
               event_subprocess("e2", start(escalation("b", "E")))),
       {"b: must have another escalation code than 'E': 'a' has the same one, in an event "
        "subprocess of 'p'"}},
      {process("p", start(), event_subprocess("e1", start(error("a"), non_interrupting()))),
       {"a: must be interrupting, since it catches an error"}},
      {process("p", start() >> throw_event(error("e", "E"))),
       {"e: must not have a 'errorEventDefinition': it must be a none, message, signal, link, "
        "escalation or compensation throw event"}},
  });
  EXPECT_EQ(errors_of(file_with(R"(<bpmn:error id="x"/><bpmn:process id="p" isExecutable="true">
      <bpmn:startEvent id="s"/>
      <bpmn:endEvent id="a"><bpmn:errorEventDefinition errorRef="x"/></bpmn:endEvent>
      <bpmn:endEvent id="b"><bpmn:errorEventDefinition errorRef="y"/></bpmn:endEvent>
      </bpmn:process>)")),
            (Errors{"a: must reference an error with a code, but 'x' has none",
                    "b: must reference an error, but 'y' is not one"}));
}

TEST(CheckEvents, Timers) {
  expect_refusals({
      {process("p", start(timer_date("x", "2026-01-01T00:00:00Z"))), {}},
      {process("p", start(timer("x", 1h))), {}},
      {process("p", start(timer_cycle("x", "0 0 9 * * MON"))), {}},
      {process("p", start(timer("x", "=duration(\"PT1H\")"))), {}},
      {process("p", start(timer("x", "=\"PT1H\""))), {}},
      {process("p", start() >> catch_event(timer_cycle("x", "R/PT1H"))),
       {"x: must have a duration or a date as timer, since it is an intermediate catch event, but "
        "has a cycle"}},
      {at_task(timer_cycle("x", "R/PT1H")),
       {"x: must not have a cycle as timer, since it is interrupting"}},
      {process("p", start() >> service_task("t", job("j")),
               boundary("t", timer_cycle("x", "R/PT1H"), non_interrupting())),
       {}},
      {process("p", start(), event_subprocess("e", start(timer_cycle("x", "R/PT1H")))),
       {"x: must not have a cycle as timer, since it is interrupting"}},
      {process("p", start(),
               event_subprocess("e", start(timer_cycle("x", "R/PT1H"), non_interrupting()))),
       {}},
      {process("p", start() >> catch_event(timer("x", "1h"))),
       {"x: must have a valid timer: '1h' is not a valid ISO 8601 duration, such as PT15S or "
        "P1DT2H"}},
      {process("p", start() >> catch_event(timer_date("x", "tomorrow"))),
       {"x: must have a valid timer: 'tomorrow' is not a valid ISO 8601 date-time with an offset, "
        "such as 2026-10-01T12:00:00Z"}},
      {process("p", start(timer_cycle("x", "0 0 0 31 6 *"))),
       {"x: must have a valid timer: '0 0 0 31 6 *' is not a valid cycle: it never matches"}},
      {process("p", start() >> catch_event(timer("x", ""))),
       {"x: must have a text in 'timeDuration'"}},
      {process("p", start() >> throw_event(timer("x", 1h))),
       {"x: must not have a 'timerEventDefinition': it must be a none, message, signal, link, "
        "escalation or compensation throw event"}},
  });
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:intermediateCatchEvent id="a">
      <bpmn:timerEventDefinition><bpmn:timeDate>x</bpmn:timeDate><bpmn:timeDuration>y
      </bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
      <bpmn:intermediateCatchEvent id="b"><bpmn:timerEventDefinition/>
      </bpmn:intermediateCatchEvent>)")),
            (Errors{"a: must have exactly one of 'timeDate', 'timeDuration' and 'timeCycle', but "
                    "has 2",
                    "b: must have exactly one of 'timeDate', 'timeDuration' and 'timeCycle', but "
                    "has 0"}));
}

TEST(CheckEvents, StartTimersNeedNoVariables) {
  const Errors errors = errors_of(process("p", start(timer("x", "=wait"))));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "x: must have a timer expression that can be evaluated without variables, but for "
            "'=wait' it gives null");
  EXPECT_EQ(
      errors_of(process("p", start(timer("x", "=\"soon\"")))),
      (Errors{"x: must have a timer expression that can be evaluated without variables, but for "
              "'=\"soon\"' 'soon' is not a valid ISO 8601 duration, such as PT15S or P1DT2H"}));
}

TEST(CheckEvents, Conditions) {
  const auto process_of = [](auto... items) { return process("p", std::move(items)...); };
  expect_refusals({
      {process_of(start(conditional("a", "x > 1")), start(conditional("b", "x > 1"))),
       {"b: must have another condition than '=x > 1': 'a' has the same one, a start event of the "
        "process"}},
      {process_of(
           start(), event_subprocess("e", start(conditional("a", "x"))),
           subprocess("sub", start("s"), event_subprocess("f", start(conditional("b", "x"))))),
       {"b: must have another condition than '=x': 'a' has the same one, in an event subprocess of "
        "the process"}},
      {process_of(start() >> catch_event(conditional("a", ""))),
       {"a: must have an expression as condition"}},
      {process_of(start() >> catch_event(conditional("a", "x", "create, delete"))),
       {"a: must have 'create' and 'update' as variableEvents, but has 'delete'"}},
      {at_task(conditional("a", "x"), conditional("b", "x")), {}},
  });
  const auto process =
      parse_one(process_of(start() >> catch_event(conditional("a", "x", "update"))));
  EXPECT_FALSE(process->find("a")->parts().conditional->on_create);
  EXPECT_TRUE(process->find("a")->parts().conditional->on_update);
}

}  // namespace
}  // namespace beeline::bpmn
