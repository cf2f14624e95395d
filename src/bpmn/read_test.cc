#include <gtest/gtest.h>

#include "bpmn/test_support.h"

// Reading single elements: each is read correctly, or refused with a reason.
namespace beeline::bpmn {
namespace {

using namespace build;
using namespace std::chrono_literals;

// The parts of element "x" in a process that consists of this path.
struct Read {
  std::shared_ptr<const Process> process;
  const Parts* parts;
  const Parts* operator->() const { return parts; }
};
template <typename... Items>
Read read(Items... items) {
  auto process = parse_one(build::process("p", std::move(items)...));
  const Element* x = process->find("x");
  static const Parts kNone;
  if (x == nullptr) ADD_FAILURE() << "no element x";
  return {process, x == nullptr ? &kNone : &x->parts()};
}

// Returns all errors of a process with a start event and this path.
template <typename... Items>
std::vector<std::string> refused(Items... items) {
  return errors_of(build::process("p", start() >> end(), std::move(items)...));
}
using Errors = std::vector<std::string>;

TEST(Read, JobsHaveDefaults) {
  const Read x = read(start() >> service_task("x", job("work")));
  EXPECT_EQ(x->job->type.text, "work");
  EXPECT_TRUE(x->job->type.is_static);
  EXPECT_EQ(x->job->retries.text, "3");
  EXPECT_EQ(x->job->priority.text, "0");
  EXPECT_TRUE(x->job->headers.empty());
}

TEST(Read, JobsMayBeComputed) {
  const Read x = read(priority("7"), start() >> service_task("x", job(" = \"work-\" + kind", "=n"),
                                                             header("a", "1"), header("b", ""),
                                                             header("c", "=text")));
  EXPECT_TRUE(x->job->type.is_feel());
  EXPECT_EQ(x->job->type.text, "\"work-\" + kind");
  EXPECT_TRUE(x->job->retries.is_feel());
  EXPECT_EQ(x->job->priority.text, "7");
  EXPECT_EQ(x->job->headers, (std::vector<Header>{{"a", "1"}, {"c", "=text"}}));
}

TEST(Read, AnElementsPriorityBeatsTheProcesses) {
  EXPECT_EQ(read(priority("7"), start() >> service_task("x", job("a"), priority("0")))
                ->job->priority.text,
            "0");
  EXPECT_EQ(read(priority("7"), start() >> user_task("x"))->job->priority.text, "0");
}

TEST(Read, RefusesBadJobs) {
  EXPECT_EQ(refused(service_task("x")),
            (Errors{"x: must have a 'zeebe:taskDefinition' extension element"}));
  EXPECT_EQ(refused(service_task("x", job(""))),
            (Errors{"x: must have a type in 'zeebe:taskDefinition'"}));
  EXPECT_EQ(refused(service_task("x", job("a"), job("b"))),
            (Errors{"x: must have at most one 'zeebe:taskDefinition' extension element"}));
  EXPECT_EQ(refused(service_task("x", job("a"), priority("1.5"))),
            (Errors{"x: must have a whole number of 32 bits as job priority, but has '1.5'"}));
  EXPECT_EQ(refused(service_task("x", job("a"), header("k", "1"), header("k", "2"))),
            (Errors{"x: must not have the header key 'k' twice"}));
  EXPECT_EQ(refused(service_task("x", job("a"), header("io.camunda.zeebe:k", "1"))),
            (Errors{"x: must not have the header key 'io.camunda.zeebe:k': keys that start with "
                    "'io.camunda.zeebe:' are reserved"}));
  const Errors errors = refused(service_task("x", job("=1 +")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].starts_with("x: has an invalid expression '1 +' as type: ")) << errors[0];
}

TEST(Read, MappingsHavePaths) {
  const Read x =
      read(start() >> service_task("x", job("a"), input("=order.id", "a"), input("text", "b.c"),
                                   input("", "d"), output("=a", "e.f.g")));
  ASSERT_EQ(x->inputs.size(), 3u);
  EXPECT_EQ(x->inputs[0].path, (std::vector<std::string>{"a"}));
  EXPECT_EQ(x->inputs[0].source.text, "order.id");
  EXPECT_TRUE(x->inputs[1].source.is_static);
  EXPECT_EQ(x->inputs[1].source.text, "text");
  EXPECT_EQ(x->inputs[1].path, (std::vector<std::string>{"b", "c"}));
  EXPECT_TRUE(x->inputs[2].source.is_feel());
  EXPECT_EQ(x->inputs[2].source.text, "null");
  ASSERT_EQ(x->outputs.size(), 1u);
  EXPECT_EQ(x->outputs[0].target, "e.f.g");
  EXPECT_EQ(x->outputs[0].path, (std::vector<std::string>{"e", "f", "g"}));
}

TEST(Read, RefusesBadMappings) {
  for (const std::string target : {"", "a.", ".a", "a..b", "."}) {
    EXPECT_EQ(refused(service_task("x", job("a"), input("=a", target))),
              (Errors{"x: must have a variable name as target of its input mapping, or names with "
                      "dots between them, but has '" +
                      target + "'"}));
  }
  EXPECT_EQ(
      refused(service_task("x", job("a"), output("text", "t"))),
      (Errors{"x: must have an expression (starting with '=') as source of its output mapping "
              "to 't', but has the static value 'text'"}));
  EXPECT_EQ(refused(service_task("x", job("a"), output("", "t"))),
            (Errors{"x: must have an expression as source of its output mapping to 't'"}));
}

TEST(Read, MappingsStayOnlyWhereTheyApply) {
  const auto counts = [](const Read& x) { return std::pair(x->inputs.size(), x->outputs.size()); };
  const Part in = input("=a", "b");
  const Part out = output("=b", "c");
  using P = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(counts(read(start() >> task("x", in, out))), P(0, 0));
  EXPECT_EQ(counts(read(start() >> parallel_gateway("x", in, out))), P(0, 0));
  EXPECT_EQ(counts(read(start("x", in, out))), P(0, 1));
  EXPECT_EQ(counts(read(start() >> end("x", in, out))), P(0, 1));
  EXPECT_EQ(counts(read(start() >> end(terminate("x"), in, out))), P(0, 0));
  EXPECT_EQ(counts(read(start() >> end(error("x", "E"), in, out))), P(0, 0));
  EXPECT_EQ(counts(read(start() >> end(signal("x", "s"), in, out))), P(1, 1));
  EXPECT_EQ(counts(read(start() >> catch_event(timer("x", 1s), in, out))), P(1, 1));
  EXPECT_EQ(counts(read(start() >> throw_event("x", in, out))), P(0, 1));
  EXPECT_EQ(counts(read(start() >> call_activity("x", "c", in, out))), P(1, 1));
  EXPECT_EQ(counts(read(start() >> subprocess("x", in, out, start("s")))), P(1, 1));
}

TEST(Read, ListenersInheritHeaders) {
  const Read x =
      read(start() >> service_task("x", job("a"), header("k", "v"), listener("start", "l1"),
                                   listener("end", "=l2", "5")));
  ASSERT_EQ(x->listeners.size(), 2u);
  EXPECT_EQ(x->listeners[0].event, ListenerEvent::Start);
  EXPECT_EQ(x->listeners[0].job.type.text, "l1");
  EXPECT_EQ(x->listeners[0].job.retries.text, "3");
  EXPECT_EQ(x->listeners[0].job.headers, (std::vector<Header>{{"k", "v"}}));
  EXPECT_EQ(x->listeners[1].event, ListenerEvent::End);
  EXPECT_TRUE(x->listeners[1].job.type.is_feel());
  EXPECT_EQ(x->listeners[1].job.retries.text, "5");
}

TEST(Read, RefusesBadListeners) {
  const std::string no = ": must not have this execution listener: ";
  EXPECT_EQ(refused(service_task("x", job("a"), listener("start", "l"), listener("start", "l"))),
            (Errors{"x: must not have two execution listeners for 'start' with the type 'l'"}));
  EXPECT_EQ(refused(task("x", listener("now", "l"))),
            (Errors{"x: must not have a listener with the event type 'now'"}));
  EXPECT_EQ(refused(task("x", listener("start", ""))),
            (Errors{"x: must have a type in 'zeebe:executionListener'"}));
  EXPECT_EQ(refused(start(timer("x", 1s), listener("start", "l"))),
            (Errors{"x" + no + "'start' is not supported on start and boundary events"}));
  EXPECT_EQ(refused(parallel_gateway("x", listener("end", "l"))),
            (Errors{"x" + no + "'end' is not supported on gateways"}));
  EXPECT_EQ(refused(end(error("x", "E"), listener("end", "l"))),
            (Errors{"x" + no + "'end' is not supported on error end events"}));
  EXPECT_EQ(refused(task("x", listener("cancel", "l"))),
            (Errors{"x" + no + "'cancel' is supported on processes only"}));
  EXPECT_EQ(refused(task("x", listener("beforeAll", "l"))),
            (Errors{"x" + no + "'beforeAll' is for multi-instance activities only"}));
  EXPECT_EQ(refused(listener("cancel", "l"), listener("start", "l")), Errors{});
  EXPECT_TRUE(read(start() >> user_task("x", task_listener("creating", "l")))
                  ->user_task->listeners.empty());
}

TEST(Read, ScriptsAndDecisionsReplaceJobs) {
  const Read script = read(start() >> script_task("x", build::script("a + 1", "b")));
  EXPECT_EQ(script->script->expression.text, "a + 1");
  EXPECT_EQ(script->script->result_variable, "b");
  EXPECT_FALSE(script->job.has_value());
  const Read decision = read(start() >> business_rule_task("x", called_decision("d", "r")));
  EXPECT_EQ(decision->called_decision->decision_id.text, "d");
  EXPECT_EQ(decision->called_decision->binding, Binding::Latest);
  EXPECT_TRUE(read(start() >> script_task("x", job("j")))->job.has_value());
  EXPECT_TRUE(read(start() >> send_task("x", job("j")))->job.has_value());
  EXPECT_EQ(refused(script_task("x")),
            (Errors{"x: must have either a 'zeebe:script' or a 'zeebe:taskDefinition' extension "
                    "element, but has none"}));
  EXPECT_EQ(refused(business_rule_task("x", job("j"), called_decision("d", "r"))),
            (Errors{"x: must have either a 'zeebe:calledDecision' or a 'zeebe:taskDefinition' "
                    "extension element, but has both"}));
  EXPECT_EQ(refused(script_task(
                "x", extension("zeebe:script", {{"expression", "1"}, {"resultVariable", "r"}}))),
            (Errors{"x: must have an expression (starting with '=') as script expression, but has "
                    "the static value '1'"}));
  EXPECT_EQ(refused(script_task("x", build::script("1", ""))),
            (Errors{"x: must have a variable name as resultVariable in 'zeebe:script'"}));
  EXPECT_EQ(refused(business_rule_task("x", called_decision("", "r"))),
            (Errors{"x: must have a decisionId in 'zeebe:calledDecision'"}));
  EXPECT_EQ(refused(send_task("x", extension("zeebe:publishMessage", {}))),
            (Errors{"x: must reference a message to publish"}));
}

TEST(Read, CallsHaveABinding) {
  const Read x =
      read(start() >> call_activity("x", CallOptions{.process_id = "=id",
                                                     .binding = "versionTag",
                                                     .version_tag = "v2",
                                                     .propagate_all_child_variables = false}));
  EXPECT_TRUE(x->called_element->process_id.is_feel());
  EXPECT_EQ(x->called_element->binding, Binding::VersionTag);
  EXPECT_EQ(x->called_element->version_tag, "v2");
  EXPECT_FALSE(x->called_element->propagate_all_child_variables);
  EXPECT_TRUE(x->called_element->propagate_all_parent_variables);
  EXPECT_EQ(refused(call_activity("x", "")),
            (Errors{"x: must have a processId in 'zeebe:calledElement'"}));
  EXPECT_EQ(refused(call_activity("x", CallOptions{.process_id = "c", .binding = "newest"})),
            (Errors{"x: must have 'latest', 'deployment' or 'versionTag' as bindingType in "
                    "'zeebe:calledElement', but has 'newest'"}));
  EXPECT_EQ(refused(call_activity("x", CallOptions{.process_id = "c", .binding = "versionTag"})),
            (Errors{"x: must have a versionTag in 'zeebe:calledElement', since its bindingType is "
                    "'versionTag'"}));
  EXPECT_EQ(
      refused(call_activity("x", CallOptions{.process_id = "c", .version_tag = "v"})),
      (Errors{"x: must not have a versionTag in 'zeebe:calledElement', unless its bindingType "
              "is 'versionTag'"}));
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:callActivity id="x"/>)")),
            (Errors{"x: must have a 'zeebe:calledElement' extension element"}));
}

TEST(Read, UserTasksAreJobsUnlessNative) {
  const Read by_job = read(start() >> user_task("x", header("k", "v")));
  EXPECT_EQ(by_job->job->type.text, "io.camunda.zeebe:userTask");
  EXPECT_EQ(by_job->job->retries.text, "1");
  EXPECT_FALSE(by_job->user_task->native);
  const Read native = read(
      start() >> user_task("x", native_user_task(), task_listener("create", "l"),
                           extension("zeebe:assignmentDefinition",
                                     {{"assignee", "=who"}, {"candidateGroups", "a, b"}}),
                           extension("zeebe:taskSchedule", {{"dueDate", "2026-01-01T00:00:00Z"}}),
                           extension("zeebe:priorityDefinition", {{"priority", "80"}}),
                           extension("zeebe:formDefinition", {{"externalReference", "ref"}})));
  EXPECT_FALSE(native->job.has_value());
  EXPECT_TRUE(native->user_task->native);
  EXPECT_TRUE(native->user_task->assignee->is_feel());
  EXPECT_EQ(native->user_task->candidate_groups->text, "a, b");
  EXPECT_FALSE(native->user_task->candidate_users.has_value());
  EXPECT_EQ(native->user_task->due_date->text, "2026-01-01T00:00:00Z");
  EXPECT_EQ(native->user_task->priority.text, "80");
  EXPECT_EQ(native->user_task->form->external_reference->text, "ref");
  ASSERT_EQ(native->user_task->listeners.size(), 1u);
  EXPECT_EQ(native->user_task->listeners[0].event, ListenerEvent::Creating);
}

TEST(Read, RefusesBadUserTasks) {
  EXPECT_EQ(refused(user_task("x", native_user_task(),
                              extension("zeebe:priorityDefinition", {{"priority", "101"}}))),
            (Errors{"x: must have a number from 0 to 100 as priority, but has '101'"}));
  EXPECT_EQ(refused(user_task("x", extension("zeebe:taskSchedule", {{"followUpDate", "soon"}}))),
            (Errors{"x: must have an ISO 8601 date-time as followUpDate, but has 'soon'"}));
  EXPECT_EQ(refused(user_task(
                "x", extension("zeebe:assignmentDefinition", {{"candidateUsers", "a,,b"}}))),
            (Errors{"x: must have a comma-separated list as candidateUsers, but has 'a,,b'"}));
  EXPECT_EQ(refused(user_task("x", native_user_task(),
                              extension("zeebe:formDefinition", {{"formKey", "k"}}))),
            (Errors{"x: must have exactly one of 'formId' and 'externalReference' in "
                    "'zeebe:formDefinition'"}));
  EXPECT_EQ(refused(user_task(
                "x", extension("zeebe:formDefinition", {{"formKey", "k"}, {"formId", "f"}}))),
            (Errors{"x: must have exactly one of 'formId' and 'formKey' in "
                    "'zeebe:formDefinition'"}));
}

TEST(Read, RefusesBadLoops) {
  EXPECT_EQ(refused(task("x", multi_instance({.input_collection = ""}))),
            (Errors{"x: must have an expression as inputCollection"}));
  EXPECT_EQ(refused(task("x", multi_instance({.input_collection = "a", .output_collection = "r"}))),
            (Errors{"x: must have both outputCollection and outputElement in "
                    "'zeebe:loopCharacteristics', or neither"}));
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:task id="x"><bpmn:multiInstanceLoopCharacteristics/>
                                      </bpmn:task>)")),
            (Errors{"x: must have a 'zeebe:loopCharacteristics' extension element in its "
                    "multi-instance loop"}));
}

TEST(Read, RefusesBadStandardLoops) {
  EXPECT_EQ(refused(task("x", standard_loop({.test_before = true}))),
            (Errors{"x: must have a loopCondition or a loopMaximum in its "
                    "'bpmn:standardLoopCharacteristics', since nothing else ends the loop"}));
  for (const char* bad : {"many", "1.5", "4294967296"}) {
    EXPECT_EQ(refused(task("x", standard_loop({.maximum = bad}))),
              (Errors{"x: must have a whole number of 32 bits as loopMaximum, or an expression "
                      "that begins with '=', but has '" +
                      std::string{bad} + "'"}));
  }
  EXPECT_EQ(refused(task("x", standard_loop({.maximum = "1"}),
                         multi_instance({.input_collection = "a"}))),
            (Errors{"x: must not have both 'bpmn:standardLoopCharacteristics' and "
                    "'bpmn:multiInstanceLoopCharacteristics'; put one of them on a subprocess "
                    "around the activity"}));
  const Errors errors = refused(task("x", standard_loop({.condition = "1 +"})));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].starts_with("x: ")) << errors[0];
  EXPECT_NE(errors[0].find("loopCondition"), std::string::npos) << errors[0];
}

TEST(Read, RefusesBadActivationConditions) {
  const auto join = [](const std::string& text) {
    return errors_of(process("p",
                             start() >> parallel_gateway("fork") >>
                                 complex_gateway("x", activation_condition(text)) >> end(),
                             from("fork") >> to("x")));
  };
  EXPECT_EQ(join("activationCount > 1"), Errors{});
  const Errors errors = join("activationCount >");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].starts_with("x: ")) << errors[0];
  EXPECT_NE(errors[0].find("activationCondition"), std::string::npos) << errors[0];
  EXPECT_EQ(errors_of(process_with(R"(<bpmn:complexGateway id="x">
                                      <bpmn:activationCondition>true</bpmn:activationCondition>
                                      </bpmn:complexGateway>)"))
                .front(),
            "x: must have an expression (starting with '=') as activationCondition, but has the "
            "static value 'true'");
}

TEST(Read, PropertiesAreKept) {
  EXPECT_EQ(read(start() >> task("x", property("a", "1"), property("b", "2")))->properties,
            (std::vector<Property>{{"a", "1"}, {"b", "2"}}));
}

}  // namespace
}  // namespace beeline::bpmn
