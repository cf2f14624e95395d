#include "tests/support/scenario.h"

// Tokens, and the guards of element commands (spec: lifecycle 3, 4; scenarios/execution 2).
namespace beeline::testing {
namespace {

using record::ElementType;
using record::ProcessInstanceIntent;
using record::ProcessInstanceRecord;

// Returns a command value for an element in a scope, as the engine would write it.
ProcessInstanceRecord element_in(const World& world, Key scope, std::string id, ElementType type) {
  ProcessInstanceRecord value;
  for (const record::OwnedRecord& record : world.records()) {
    if (record.metadata.value_type != record::ValueType::ProcessInstance) continue;
    if (record.metadata.key == scope) value = record::decode<ProcessInstanceRecord>(record.value);
  }
  value.element_id = std::move(id);
  value.element_type = type;
  value.event_type = record::EventType::Unspecified;
  value.flow_scope_key = scope;
  return value;
}

// Returns a process with a subprocess whose mappings fail unless their variables are set.
Model process_with_mappings() {
  return process("order", start() >>
                              subprocess("pack", input("=assert(ready, ready = true)", "ready"),
                                         output("=assert(packed, packed = true)", "packed"),
                                         start("inner") >> service_task("wrap", job("wrapper")) >>
                                             end("wrapped")) >>
                              end());
}

class TokenTest : public ScenarioTest {
 protected:
  Refusal refuses_activation(std::string_view situation, Key scope, std::string_view reason) {
    return {situation,
            [this, scope] {
              when.submits(ProcessInstanceIntent::ActivateElement, Key{},
                           element_in(world, scope, "wrap", ElementType::ServiceTask));
            },
            RejectionType::InvalidState, reason};
  }
  Refusal refuses(std::string_view situation, ProcessInstanceIntent intent, Key key,
                  std::string_view reason) {
    return {situation, [this, intent, key] { when.submits(intent, key, ProcessInstanceRecord{}); },
            RejectionType::InvalidState, reason};
  }
};

TEST_F(TokenTest, TK1_a_scope_that_is_not_active_takes_no_child) {
  given.model("order.bpmn", process_with_mappings());
  given.instance("order", R"({"ready":false})");
  const Key activating = given.element("pack");
  given.instance("order", R"({"ready":true,"packed":false})");
  const Key completing = given.element("pack");
  given.completes_job("wrapper");
  given.instance("order", R"({"ready":true,"packed":true})");
  const Key completed = given.element("pack");
  given.completes_job("wrapper");
  const Key canceled = given.instance("order", R"({"ready":true})");
  const Key terminated = given.element("pack");
  given.cancels(canceled);
  ASSERT_EQ(then.open_incidents(), 2U);
  then.refused({
      refuses_activation("activating", activating, "in state 'ELEMENT_ACTIVATING'"),
      refuses_activation("completing", completing, "in state 'ELEMENT_COMPLETING'"),
      refuses_activation("completed", completed, "was not found"),
      refuses_activation("terminated", terminated, "was not found"),
  });
}

SCENARIO_STEP_BY_STEP(TK1_a_terminating_scope_takes_no_child) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.cancels(instance);
    given.submits(ProcessInstanceIntent::ActivateElement, Key{},
                  element_in(world, instance, "ship", ElementType::ServiceTask));
  });
  then.records_of({"R", "E ELEMENT"}, R"(
    E ELEMENT TERMINATING order
    R ELEMENT ACTIVATE ship rejection=INVALID_STATE
    E ELEMENT TERMINATING ship
    E ELEMENT TERMINATED ship
    E ELEMENT TERMINATED order
  )");
  then.rejected(RejectionType::InvalidState, "in state 'ELEMENT_TERMINATING'");
}

SCENARIO_STEP_BY_STEP(TK1_an_interrupted_scope_takes_only_what_interrupted_it) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                event_subprocess("hurry", start(timer("late", 1h)) >> end("hurried")));
  const Key instance = given.instance("order");
  when.appends([&] {
    given.time_passes(1h);
    given.submits(ProcessInstanceIntent::ActivateElement, Key{},
                  element_in(world, instance, "ship", ElementType::ServiceTask));
  });
  then.records_of({"R", "E ELEMENT ACTIVATING", "E ELEMENT TERMINATED"}, R"(
    R ELEMENT ACTIVATE ship rejection=INVALID_STATE
    E ELEMENT TERMINATED ship
    E ELEMENT ACTIVATING hurry
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATING hurried
  )");
  then.rejected(RejectionType::InvalidState, "interrupted by 'hurry'");
  then.all_done();
}

TEST_F(TokenTest, TK2_TK3_what_is_not_active_is_neither_completed_nor_terminated) {
  given.model("order.bpmn", process_with_mappings());
  given.instance("order", R"({"ready":false})");
  const Key activating = given.element("pack");
  given.instance("order", R"({"ready":true,"packed":true})");
  const Key completed = given.element("wrap");
  given.completes_job("wrapper");
  const Key canceled = given.instance("order", R"({"ready":true})");
  const Key terminated = given.element("wrap");
  given.cancels(canceled);
  constexpr auto kComplete = ProcessInstanceIntent::CompleteElement;
  constexpr auto kTerminate = ProcessInstanceIntent::TerminateElement;
  then.refused({
      refuses("TK2 activating", kComplete, activating, "in state 'ELEMENT_ACTIVATING'"),
      refuses("TK2 completed", kComplete, completed, "no such element instance"),
      refuses("TK2 terminated", kComplete, terminated, "no such element instance"),
      refuses("TK3 completed", kTerminate, completed, "no such element instance"),
      refuses("TK3 terminated", kTerminate, terminated, "no such element instance"),
      refuses("TK3 a key that was never given", kTerminate, Key{1}, "no such element instance"),
  });
}

SCENARIO_STEP_BY_STEP(TK2_nothing_completes_in_an_interrupted_scope) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                event_subprocess("hurry", start(timer("late", 1h)) >> end("hurried")));
  given.instance("order");
  when.appends([&] {
    given.time_passes(1h);
    given.submits(ProcessInstanceIntent::CompleteElement, given.element("ship"),
                  ProcessInstanceRecord{});
  });
  then.rejected(RejectionType::InvalidState, "its flow scope instance was interrupted");
  then.all_done();
}

SCENARIO(TK4_the_instance_stays_open_while_a_token_has_an_incident) {
  given.process("event", start() >> service_task("other", job("other")) >> end(),
                from("start") >> throw_event("note", output("=assert(a, a = 1)", "b")) >> end());
  given.process("activity", start() >> service_task("other", job("other")) >> end(),
                from("start") >> service_task("ship", job("=unknown")) >> end());
  given.process("gateway", start() >> service_task("other", job("other")) >> end(),
                from("start") >> exclusive_gateway("which") >> condition("unknown = 1") >> end());
  for (const char* id : {"event", "activity", "gateway"}) {
    SCOPED_TRACE(id);
    given.instance(id);
    ASSERT_EQ(then.open_incidents(), 1U);
    when.completes_job("other");
    then.records_of({"E ELEMENT COMPLETED"}, R"(
      E ELEMENT COMPLETED other
      ...
    )");
    const Key instance = given.element(id);
    ASSERT_NE(world.state().element_instances().find(instance), nullptr);
    EXPECT_EQ(world.state().element_instances().find(instance)->child_count, 1);
    when.cancels(instance);
    then.all_done();
  }
}

// A process with at most one job. The scenario runs an instance of it and lets an hour pass.
struct Ending {
  std::string_view name;
  Model model;
};

SCENARIO(TK5_an_instance_completes_after_its_last_token_whatever_it_was) {
  const std::vector<Ending> endings = {
      {"end event", process("p", start() >> end())},
      {"dangling event", process("p", start() >> throw_event("last"))},
      {"dangling activity", process("p", start() >> service_task("last", job("work")))},
      {"dangling undefined task", process("p", start() >> task("last"))},
      {"dangling script", process("p", start() >> script_task("last", script("1", "r")))},
      {"dangling start", process("p", start())},
      {"parallel split", process("p", start() >> parallel_gateway("split") >> end("one"),
                                 from("split") >> end("two"))},
      {"parallel join",
       process("p", start() >> parallel_gateway("split") >> task("a") >> parallel_gateway("join"),
               from("split") >> task("b") >> to("join"))},
      {"dangling exclusive gateway", process("p", start() >> exclusive_gateway("last"))},
      {"timer catch", process("p", start() >> catch_event(timer("last", 1h)))},
      {"subprocess", process("p", start() >> subprocess("last", start("inner") >> end("done")))},
      {"terminate end", process("p", start() >> end(terminate("last")))},
      {"interrupting boundary", process("p", start() >> service_task("a", job("never")) >> end(),
                                        boundary("a", timer("last", 1h)))},
      {"non-interrupting boundary after its host",
       process(
           "p", start() >> service_task("a", job("work")) >> end(),
           boundary("a", timer("soon", 1h), non_interrupting()) >> catch_event(timer("last", 1h)))},
      {"interrupting event subprocess",
       process("p", start() >> service_task("a", job("never")) >> end(),
               event_subprocess("e", start(timer("last", 1h))))},
  };
  for (const Ending& ending : endings) {
    SCOPED_TRACE(ending.name);
    given.model("p.bpmn", ending.model);
    when.instance("p");
    given.time_passes(1h);
    for (const Key job : given.activates_jobs("work")) {
      given.job_command(record::JobIntent::Complete, job);
    }
    given.time_passes(1h);
    then.all_done();
    then.records_of({"E ELEMENT COMPLETED p"}, "E ELEMENT COMPLETED p");
  }
}

}  // namespace
}  // namespace beeline::testing
