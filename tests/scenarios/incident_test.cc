#include "tests/support/scenario.h"

// Incidents (spec: incidents; scenarios/execution 10).
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;

struct Raised {
  std::string_view error_type;
  Model model;
  std::string_view variables;
};

// The scenarios of jobs have JOB_NO_RETRIES, UNHANDLED_ERROR_EVENT and the MESSAGE_SIZE_EXCEEDED of
// a job.
SCENARIO(IN1_each_kind_of_element_incident_is_raised_and_resolved_once) {
  const std::vector<Raised> kinds = {
      {"IO_MAPPING_ERROR",
       process("p",
               start() >> service_task("t", job("work"), input("=assert(a, a = \"good\")", "b"))),
       ""},
      {"IO_MAPPING_ERROR",
       process("p", start() >> throw_event("t", output("=assert(a, a = \"good\")", "b")) >>
                        service_task("after", job("work"))),
       ""},
      {"EXTRACT_VALUE_ERROR",
       process("p", start() >> service_task("t", job("=if a = \"good\" then \"work\" else null"))),
       ""},
      {"EXTRACT_VALUE_ERROR",
       process("p", start() >> script_task("t", script("assert(a, a = \"good\")", "b")) >>
                        service_task("after", job("work"))),
       ""},
      {"CONDITION_ERROR",
       process("p", start() >> exclusive_gateway("t") >> condition("a = \"good\"") >>
                        service_task("after", job("work"))),
       R"({"a":"bad"})"},
  };
  for (const Raised& kind : kinds) {
    SCOPED_TRACE(kind.error_type);
    given.model("p.bpmn", kind.model);
    const Key instance = when.instance("p", kind.variables);
    then.records_of({"E INCIDENT", "E JOB"},
                    "E INCIDENT CREATED " + std::string{kind.error_type} + " elementId=\"t\"");
    const auto incident = then.values<IncidentRecord>(IncidentIntent::Created).front();
    EXPECT_EQ(incident.process_instance_key, instance);
    EXPECT_EQ(incident.element_instance_key, given.element("t"));
    EXPECT_FALSE(incident.job_key.is_set());
    EXPECT_FALSE(incident.error_message.empty());
    given.sets_variables(instance, R"({"a":"good"})");
    when.resolves_incident();
    then.records_of({"E INCIDENT", "E JOB"}, "E INCIDENT RESOLVED " + std::string{kind.error_type} +
                                                 " elementId=\"t\"\nE JOB CREATED work");
    when.completes_job("work");
    then.all_done();
  }
}

SCENARIO(IN2_what_fails_again_is_a_new_incident) {
  given.process("order", start() >> service_task("ship", job("=kind")) >> end());
  given.instance("order");
  const Key first = given.incident_key();
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="ship"
  )");
  then.answered();
  EXPECT_NE(given.incident_key(), first);
}

SCENARIO(IN3_incidents_of_two_tokens_are_resolved_on_their_own) {
  given.process("order", start() >> service_task("a", job("=kind_a")) >> end(),
                from("start") >> service_task("b", job("=kind_b")) >> end());
  const Key instance = given.instance("order");
  const Key first = given.incident_key();
  ASSERT_EQ(then.open_incidents(), 2U);
  given.sets_variables(instance, R"({"kind_b":"work"})");
  given.resolves_incident(first);
  // The incident of `a` was raised again and is now younger than that of `b`.
  when.resolves_incident();
  then.records_of({"E"}, R"(
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR elementId="b"
    E JOB CREATED work
    E ELEMENT ACTIVATED b
  )");
  EXPECT_EQ(then.open_incidents(), 1U);
  given.completes_job("work");
  EXPECT_EQ(then.open_incidents(), 1U);
  given.sets_variables(instance, R"({"kind_a":"work"})");
  given.resolves_incident();
  when.completes_job("work");
  then.all_done();
}

SCENARIO(IN4_R25_termination_resolves_what_is_open) {
  given.process("order", start() >> service_task("a", job("=kind")) >> end(),
                from("start") >> service_task("b", job("work")) >> end());
  const Key instance = given.instance("order");
  given.fails_job("work", 0);
  const Key incident = given.incident_key();
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINAT", "E INCIDENT", "E JOB"}, R"(
    E ELEMENT TERMINATING order
    E ELEMENT TERMINATING a
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E ELEMENT TERMINATED a
    E ELEMENT TERMINATING b
    E JOB CANCELED work
    E INCIDENT RESOLVED JOB_NO_RETRIES
    E ELEMENT TERMINATED b
    E ELEMENT TERMINATED order
  )");
  then.refused({
      {"R25 resolved by termination", [&] { when.resolves_incident(incident); },
       RejectionType::NotFound, "no such incident"},
      {"never given", [&] { when.resolves_incident(Key{7}); }, RejectionType::NotFound,
       "no such incident"},
  });
}

SCENARIO(R24_an_incident_is_resolved_once) {
  given.process("order", start() >> service_task("ship", job("=kind")) >> end());
  const Key instance = given.instance("order");
  const Key incident = given.incident_key();
  given.sets_variables(instance, R"({"kind":"work"})");
  when.resolves_incident(incident);
  then.answered();
  then.refused({{"again", [&] { when.resolves_incident(incident); }, RejectionType::NotFound,
                 "no such incident"}});
}

SCENARIO(a_boundary_event_ends_a_task_that_has_an_incident) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", timer("late", 1h)) >> end("expired"));
  given.instance("order");
  given.fails_job("courier", 0);
  when.time_passes(1h);
  then.records_of({"E JOB", "E INCIDENT", "E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E JOB CANCELED courier
    E INCIDENT RESOLVED JOB_NO_RETRIES
    E ELEMENT TERMINATED ship
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(script_task_writes_its_result_as_a_variable) {
  given.process("order", start() >> script_task("sum", script("a + b", "c"), input("=1", "b"),
                                                output("=c", "total")) >>
                             service_task("wait", job("waiter")));
  when.instance("order", R"({"a":2})");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING sum
    E VARIABLE CREATED b value="1"
    E PROCESS_EVENT TRIGGERING sum
    E ELEMENT ACTIVATED sum
    C ELEMENT COMPLETE sum
    E ELEMENT COMPLETING sum
    E PROCESS_EVENT TRIGGERED sum
    E VARIABLE CREATED c value="3"
    E VARIABLE CREATED total value="3"
    E ELEMENT COMPLETED sum
    ...
    E ELEMENT ACTIVATED wait
  )");
}

SCENARIO(manual_and_undefined_tasks_apply_no_mappings) {
  given.process("order", start() >> task("t", output("=1", "a")) >>
                             manual_task("m", output("=1", "a")) >> end());
  when.instance("order");
  then.records_of({"E VARIABLE"}, "");
  then.all_done();
}

// The correlation key of a boundary event is evaluated outside its host, so the variable must be
// set there.
SCENARIO(an_incident_names_the_scope_in_which_a_variable_helps) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", message("ask", "asked", "=missing")) >> end());
  const Key instance = when.instance("order");
  then.records_of({"E INCIDENT", "E JOB"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR");
  const record::IncidentRecord& incident =
      world.state().incidents().find(given.incident_key())->record;
  EXPECT_EQ(incident.element_instance_key, given.element("ship"));
  EXPECT_EQ(incident.variable_scope_key, instance);
  given.sets_variables(given.element("ship"), R"({"missing":"o-1"})", true);
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E JOB"}, R"(
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E INCIDENT CREATED EXTRACT_VALUE_ERROR
  )");
  given.sets_variables(instance, R"({"missing":"o-2"})");
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E JOB", "E PROCESS_MESSAGE_SUBSCRIPTION CREATING"}, R"(
    E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING asked correlationKey="o-2"
    E JOB CREATED courier
  )");
}

SCENARIO_STEP_BY_STEP(an_incident_is_resolved_while_its_instance_is_being_canceled) {
  given.process("order", start() >> exclusive_gateway("which") >> condition("a = 1") >> end(),
                from("which") >> condition("a = 2") >> end("two"));
  for (const char* a : {R"({"a":1})", R"({"a":3})"}) {
    SCOPED_TRACE(a);
    const Key instance = given.instance("order", R"({"a":0})");
    given.sets_variables(instance, a);
    const Key incident = given.incident_key();
    when.appends([&] {
      given.cancels(instance);
      given.resolves_incident(incident);
    });
    then.all_done();
    EXPECT_EQ(then.open_incidents(), 0U);
  }
}

}  // namespace
}  // namespace beeline::testing
