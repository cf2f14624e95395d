#include "record/json.h"
#include "tests/support/scenario.h"

// Variables and mappings (spec: variables; scenarios/execution 9).
namespace beeline::testing {
namespace {

using record::VariableIntent;
using record::VariableRecord;

// Returns a process with a task in a subprocess, and so three scopes.
template <typename... Parts>
Model nested(Parts... parts) {
  return process(
      "order", start() >> subprocess("pack", input("=\"inner\"", "owned"),
                                     start("inner") >> service_task("wrap", job("wrapper"),
                                                                    std::move(parts)...) >>
                                         service_task("check", job("checker")) >> end("wrapped")) >>
                   end());
}

// Returns a process with a task that has mappings, and a second task behind it that waits.
template <typename... Parts>
Model mapped(Parts... parts) {
  return process("order", start() >> service_task("ship", job("courier"), std::move(parts)...) >>
                              service_task("wait", job("waiter")) >> end());
}

SCENARIO(VA1_a_merge_stops_at_the_nearest_owner_and_creates_at_the_root) {
  given.model("order.bpmn", nested());
  const Key instance = given.instance("order", R"({"owned":"outer","rooted":1})");
  const Key pack = given.element("pack");
  when.completes_job("wrapper", R"({"new":0,"rooted":2,"owned":"changed"})");
  then.records_of({"E VARIABLE"}, R"(
    E VARIABLE UPDATED owned value="\"changed\""
    E VARIABLE CREATED new value="0"
    E VARIABLE UPDATED rooted value="2"
  )");
  EXPECT_EQ(then.values<VariableRecord>(VariableIntent::Created).front().scope_key, instance);
  EXPECT_EQ(then.values<VariableRecord>(VariableIntent::Updated).front().scope_key, pack);
  EXPECT_EQ(then.variable(instance, "owned"), R"("outer")");
}

SCENARIO(VA1_an_equal_value_writes_nothing_and_stops_there) {
  given.model("order.bpmn", nested());
  const Key instance = given.instance("order", R"({"owned":"outer"})");
  when.completes_job("wrapper", R"({"owned":"inner"})");
  then.records_of({"E VARIABLE"}, "");
  EXPECT_EQ(then.variable(instance, "owned"), R"("outer")");
}

SCENARIO(VA2_a_result_updates_what_an_input_mapping_made_local) {
  given.model("order.bpmn", mapped(input("=a", "a")));
  const Key instance = given.instance("order", R"({"a":1})");
  when.completes_job("courier", R"({"a":2})");
  then.records_of({"E VARIABLE"}, R"(E VARIABLE UPDATED a value="2")");
  EXPECT_EQ(then.values<VariableRecord>(VariableIntent::Updated).front().scope_key,
            given.element("ship"));
  EXPECT_EQ(then.variable(instance, "a"), "1");
}

SCENARIO(VA3_with_an_output_mapping_the_rest_does_not_leave_the_task) {
  given.model("order.bpmn", mapped(output("=x * 2", "y")));
  const Key instance = given.instance("order");
  when.completes_job("courier", R"({"x":2,"z":3})");
  then.records_of({"E PROCESS_EVENT", "E VARIABLE", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERING ship
    E PROCESS_EVENT TRIGGERED ship
    E VARIABLE CREATED x value="2"
    E VARIABLE CREATED z value="3"
    E VARIABLE CREATED y value="4"
    E ELEMENT COMPLETED ship
  )");
  EXPECT_EQ(then.variable(instance, "y"), "4");
  EXPECT_EQ(then.variable(instance, "x"), "absent");
  EXPECT_EQ(then.variable(instance, "z"), "absent");
}

SCENARIO(VA4_null_is_a_value_that_shadows) {
  given.model("order.bpmn", mapped(input("=missing", "a"), input("=a = null", "b")));
  const Key instance = when.instance("order", R"({"a":1})");
  then.records_of({"E VARIABLE"}, R"(
    E VARIABLE CREATED a value="1"
    E VARIABLE CREATED a value="null"
    E VARIABLE CREATED b value="true"
  )");
  EXPECT_EQ(then.variable(given.element("ship"), "a"), "null");
  EXPECT_EQ(then.variable(instance, "a"), "1");
  when.completes_job("courier", R"({"c":null})");
  then.records_of({"E VARIABLE"}, R"(E VARIABLE CREATED c value="null")");
}

SCENARIO(VA4_an_input_without_source_is_null) {
  given.model("order.bpmn", mapped(input("", "a")));
  when.instance("order");
  then.records_of({"E VARIABLE"}, R"(E VARIABLE CREATED a value="null")");
}

SCENARIO(VA5_a_nested_input_target_builds_a_new_object) {
  given.model("order.bpmn", mapped(input("=1", "a.b"), input("=2", "a.c.d"), input("=a", "seen")));
  const Key instance = given.instance("order", R"({"a":{"old":0,"b":0}})");
  const Key ship = given.element("ship");
  EXPECT_EQ(then.variable(ship, "a"), R"({"b":1,"c":{"d":2}})");
  // A later source sees the new keys merged into the object of the outer scope.
  EXPECT_EQ(then.variable(ship, "seen"), R"({"old":0,"b":1,"c":{"d":2}})");
  EXPECT_EQ(then.variable(instance, "a"), R"({"old":0,"b":0})");
}

SCENARIO(VA5_a_nested_output_target_merges_into_the_object_there) {
  given.model("order.bpmn", mapped(output("=x", "a.b"), output("=x", "n.b"), output("=x", "m.b")));
  const Key instance = given.instance("order", R"({"a":{"old":0,"b":0},"n":5})");
  when.completes_job("courier", R"({"x":1})");
  EXPECT_EQ(then.variable(instance, "a"), R"({"old":0,"b":1})");
  EXPECT_EQ(then.variable(instance, "n"), "null") << "5 is no object";
  EXPECT_EQ(then.variable(instance, "m"), R"({"b":1})");
}

SCENARIO(VA5_the_last_of_two_equal_targets_wins) {
  given.model("order.bpmn", mapped(input("=1", "a"), input("=a + 1", "a")));
  when.instance("order");
  then.records_of({"E VARIABLE"}, R"(E VARIABLE CREATED a value="2")");
}

SCENARIO(VA6_one_mapping_that_fails_applies_none) {
  given.model("order.bpmn", mapped(input("=1", "fine"), input("=assert(ok, ok = true)", "a"),
                                   output("=1", "out"), output("=assert(done, done = true)", "b")));
  const Key instance = when.instance("order", R"({"ok":false,"done":false})");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING ship
    E INCIDENT CREATED IO_MAPPING_ERROR elementId="ship"
  )");
  given.sets_variables(instance, R"({"ok":true})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED IO_MAPPING_ERROR
    E VARIABLE CREATED fine
    E VARIABLE CREATED a
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
  )");
  when.completes_job("courier", R"({"r":1})");
  then.records(R"(
    ...
    E ELEMENT COMPLETING ship
    E PROCESS_EVENT TRIGGERED ship
    E VARIABLE CREATED r
    E INCIDENT CREATED IO_MAPPING_ERROR elementId="ship"
  )");
  given.sets_variables(instance, R"({"done":true})");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED IO_MAPPING_ERROR
    E VARIABLE CREATED out
    E VARIABLE CREATED b
    E ELEMENT COMPLETED ship
    ...
    E ELEMENT ACTIVATED wait
  )");
}

SCENARIO(VA7_a_static_input_is_a_string_whatever_it_looks_like) {
  given.model("order.bpmn", mapped(input("5", "number"), input("true", "flag"),
                                   input("say \"hi\" \\ there", "quoted")));
  given.instance("order");
  const Key ship = given.element("ship");
  EXPECT_EQ(then.variable(ship, "number"), R"("5")");
  EXPECT_EQ(then.variable(ship, "flag"), R"("true")");
  EXPECT_EQ(then.variable(ship, "quoted"), R"("say \"hi\" \\ there")");
}

SCENARIO(VA8_a_local_update_stays_and_a_propagated_one_goes_to_the_owner) {
  given.model("order.bpmn", nested());
  const Key instance = given.instance("order", R"({"owned":"outer","a":1})");
  const Key wrap = given.element("wrap");
  when.sets_variables(wrap, R"({"a":2,"b":3})", true);
  then.records(R"(
    C VARIABLE_DOCUMENT UPDATE
    E VARIABLE CREATED a value="2"
    E VARIABLE CREATED b value="3"
    E VARIABLE_DOCUMENT UPDATED
  )");
  EXPECT_EQ(then.variable(instance, "a"), "1");
  when.sets_variables(wrap, R"({"a":4,"owned":"x","c":5})");
  then.records(R"(
    C VARIABLE_DOCUMENT UPDATE
    E VARIABLE UPDATED a value="4"
    E VARIABLE UPDATED owned
    E VARIABLE CREATED c value="5"
    E VARIABLE_DOCUMENT UPDATED
  )");
  EXPECT_EQ(then.variable(instance, "a"), "1");
  EXPECT_EQ(then.variable(instance, "c"), "5");
  EXPECT_EQ(then.variable(instance, "owned"), R"("outer")");
  when.sets_variables(instance, R"({"a":1})");
  then.records(R"(
    C VARIABLE_DOCUMENT UPDATE
    E VARIABLE_DOCUMENT UPDATED
  )");
}

SCENARIO(VA8_R28_an_update_keeps_the_key_of_the_variable) {
  given.model("order.bpmn", mapped());
  const Key instance = given.instance("order");
  when.sets_variables(instance, R"({"a":1})");
  const auto created = then.keys<VariableRecord>(VariableIntent::Created);
  when.sets_variables(instance, R"({"a":2})");
  EXPECT_EQ(then.keys<VariableRecord>(VariableIntent::Updated), created);
}

SCENARIO(VA8_there_must_be_a_scope_to_update) {
  given.model("order.bpmn", mapped());
  const Key instance = given.instance("order");
  const Key ship = given.element("ship");
  given.completes_job("courier");
  then.refused({
      {"never given", [&] { when.sets_variables(Key{7}, R"({"a":1})"); }, RejectionType::NotFound,
       "no such element"},
      {"no key", [&] { when.sets_variables(Key{}, R"({"a":1})"); }, RejectionType::NotFound,
       "no such element"},
      {"completed", [&] { when.sets_variables(ship, R"({"a":1})"); }, RejectionType::NotFound,
       "no such element"},
      {"bytes that are no document",
       [&] {
         world.submit_bytes(record::make_head<record::VariableDocumentRecord>(
                                record::VariableDocumentIntent::Update, Key{}),
                            "\xff\xff", true);
       },
       RejectionType::InvalidArgument, "its bytes cannot be decoded"},
  });
  given.cancels(instance);
  then.refused({{"terminated", [&] { when.sets_variables(instance, R"({"a":1})"); },
                 RejectionType::NotFound, "no such element"}});
}

SCENARIO_STEP_BY_STEP(VA8_a_terminating_scope_is_not_updated) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.cancels(instance);
    given.sets_variables(instance, R"({"a":1})");
  });
  then.rejected(RejectionType::NotFound, "no such element");
  then.records_of({"E VARIABLE"}, "");
}

std::string deep(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']');
}

// The depth of a command's variables is checked when it arrives (record::parse_document), but a
// mapping can nest deeper. Expressions stop at 1000 levels.
SCENARIO(VA9_a_mapping_that_nests_too_deep_is_an_incident) {
  given.model("order.bpmn", mapped(input("={x:{y:{z:a}}}", "b")));
  when.instance("order", R"({"a":)" + deep(990) + "}");
  then.records_of({"E INCIDENT"}, "");
  const Key instance = when.instance("order", R"({"a":)" + deep(999) + "}");
  then.records_of({"E INCIDENT", "E JOB"},
                  "E INCIDENT CREATED IO_MAPPING_ERROR elementId=\"ship\"");
  given.sets_variables(instance, R"({"a":1})");
  when.resolves_incident();
  then.records_of({"E JOB"}, "E JOB CREATED courier");
}

SCENARIO(VA9_a_document_may_nest_a_thousand_levels) {
  EXPECT_TRUE(record::parse_document(R"({"a":)" + deep(999) + "}").has_value());
  EXPECT_FALSE(record::parse_document(R"({"a":)" + deep(1000) + "}").has_value());
}

}  // namespace
}  // namespace beeline::testing
