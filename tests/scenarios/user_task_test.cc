#include <fmt/format.h>

#include "record/json.h"
#include "tests/support/scenario.h"

// User tasks that are processed as jobs (spec: elements/tasks 1), UT1.
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;
using record::JobIntent;
using record::JobRecord;

constexpr std::string_view kVariables =
    R"({"who":"ann","groups":["a","b\"c"],"none":null,"empty":"","day":"2026-10-01T12:00:00Z"})";

using Attributes = std::vector<std::pair<std::string, std::string>>;
Part assignment(Attributes attributes) {
  return extension("zeebe:assignmentDefinition", std::move(attributes));
}
Part schedule(Attributes attributes) {
  return extension("zeebe:taskSchedule", std::move(attributes));
}
Part form(Attributes attributes) {
  return extension("zeebe:formDefinition", std::move(attributes));
}

class UserTaskTest : public ScenarioTest {
 protected:
  using ScenarioTest::ScenarioTest;
  // Returns the job's headers as "name=value name=value", without the common prefix of the names.
  // If there is an incident, returns its type and message.
  std::string outcome(const Part& part) {
    given.process("ask", start() >> user_task("form", part) >> end());
    when.instance("ask", kVariables);
    for (const IncidentRecord& incident : then.values<IncidentRecord>(IncidentIntent::Created)) {
      return fmt::format("{}: {}", record::name_of(incident.error_type), incident.error_message);
    }
    const JobRecord job = then.values<JobRecord>(JobIntent::Created).at(0);
    std::string text;
    for (const auto& [key, value] : job.custom_headers.entries) {
      EXPECT_TRUE(key.starts_with("io.camunda.zeebe:"));
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", key.substr(17), value);
    }
    return text;
  }
};

TEST_F(UserTaskTest, UT1_what_the_model_says_is_in_the_headers) {
  const std::pair<Part, std::string_view> rows[] = {
      {assignment({{"assignee", " bob "}}), "assignee= bob "},
      {assignment({{"assignee", "=who"}}), "assignee=ann"},
      {assignment({{"assignee", "a\"b"}}), "assignee=a\"b"},
      {assignment({{"assignee", "5"}}), "assignee=5"},
      {assignment({{"assignee", "=empty"}}), ""},
      {assignment({{"assignee", "=none"}}), ""},
      {assignment({{"candidateGroups", "a, b"}}), R"(candidateGroups=["a","b"])"},
      {assignment({{"candidateGroups", "=groups"}}), R"(candidateGroups=["a","b\"c"])"},
      {assignment({{"candidateGroups", "=[]"}}), "candidateGroups=[]"},
      {assignment({{"candidateUsers", "x"}}), R"(candidateUsers=["x"])"},
      {assignment({{"candidateUsers", "=[who]"}}), R"(candidateUsers=["ann"])"},
      {assignment({{"assignee", "=who"}, {"candidateUsers", "u"}, {"candidateGroups", "g"}}),
       R"(assignee=ann candidateGroups=["g"] candidateUsers=["u"])"},
      {schedule({{"dueDate", "2026-10-01T12:00:00+02:00"}}), "dueDate=2026-10-01T12:00+02:00"},
      {schedule({{"dueDate", "2026-10-01T12:00+02:00"}}), "dueDate=2026-10-01T12:00+02:00"},
      {schedule({{"dueDate", "2026-10-01T12:00:10+00:00"}}), "dueDate=2026-10-01T12:00:10Z"},
      {schedule({{"dueDate", "=day"}}), "dueDate=2026-10-01T12:00Z"},
      {schedule({{"dueDate", "=date and time(day)"}}), "dueDate=2026-10-01T12:00Z"},
      {schedule({{"dueDate", "=date and time(\"2026-10-01T12:00:00@Europe/Berlin\")"}}),
       "dueDate=2026-10-01T12:00+02:00[Europe/Berlin]"},
      {schedule({{"dueDate", "=date and time(\"2026-10-01T12:00:01\")"}}),
       "dueDate=2026-10-01T12:00:01Z"},
      {schedule({{"followUpDate", "=day"}, {"dueDate", "=none"}}),
       "followUpDate=2026-10-01T12:00Z"},
      {schedule({{"followUpDate", "=empty"}, {"dueDate", "=missing"}}), ""},
      {form({{"formKey", "camunda-forms:bpmn:f"}}), "formKey=camunda-forms:bpmn:f"},
      {form({{"formKey", "=who"}}), "formKey==who"},
  };
  for (const auto& [part, headers] : rows) EXPECT_EQ(outcome(part), headers);
}

TEST_F(UserTaskTest, UT1_what_cannot_be_evaluated_is_an_incident) {
  const std::pair<Part, std::string_view> rows[] = {
      {assignment({{"assignee", "=5"}}),
       "Expected result of the expression '5' to be 'string', but was 'number'"},
      {assignment({{"candidateGroups", "=who"}}),
       "Expected result of the expression 'who' to be 'list', but was 'string'"},
      {assignment({{"candidateGroups", "=none"}}),
       "Expected result of the expression 'none' to be 'list', but was 'null'"},
      {assignment({{"candidateUsers", "=[who, 1]"}}),
       "Expected result of the expression '[who, 1]' to be a list of strings, but it contains '1'"},
      {schedule({{"dueDate", "=who"}}),
       "Expected result of the expression 'who' to be a date and time, but 'ann' is not a valid "
       "ISO 8601 date-time with an offset, such as 2026-10-01T12:00:00Z"},
      {schedule({{"dueDate", "=5"}}),
       "Expected result of the expression '5' to be 'date and time', but was 'number'"},
      {schedule({{"followUpDate", "=date(\"2026-10-01\")"}}),
       "Expected result of the expression 'date(\"2026-10-01\")' to be 'date and time', but was "
       "'date'"},
  };
  for (const auto& [part, message] : rows) {
    EXPECT_EQ(outcome(part), fmt::format("EXTRACT_VALUE_ERROR: {}", message));
  }
}

TEST_F(UserTaskTest, UT1_an_incident_is_resolved_by_a_better_variable) {
  given.process("ask", start() >> user_task("form", assignment({{"assignee", "=boss"}})) >> end());
  const Key instance = given.instance("ask", R"({"boss":1})");
  given.sets_variables(instance, R"({"boss":"eve"})");
  when.resolves_incident();
  EXPECT_EQ(then.values<JobRecord>(JobIntent::Created).at(0).custom_headers,
            (record::Headers{{{"io.camunda.zeebe:assignee", "eve"}}}));
}

SCENARIO(UT1_headers_of_the_model_come_first_and_reach_the_worker) {
  given.process("ask", start() >>
                           user_task("form", header("k", "v"), assignment({{"assignee", "bob"}}),
                                     form({{"formKey", "f"}})) >>
                           end());
  given.instance("ask");
  when.activates_jobs("io.camunda.zeebe:userTask");
  EXPECT_EQ(
      then.answer<record::JobBatchRecord>().jobs.front().custom_headers,
      (record::Headers{
          {{"k", "v"}, {"io.camunda.zeebe:assignee", "bob"}, {"io.camunda.zeebe:formKey", "f"}}}));
  when.completes_job("io.camunda.zeebe:userTask");
  then.all_done();
}

class UserTaskInBerlinTest : public UserTaskTest {
 protected:
  UserTaskInBerlinTest() : UserTaskTest(options()) {}

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.time_zone = "Europe/Berlin";
    return options;
  }
};

TEST_F(UserTaskInBerlinTest, UT1_a_date_without_offset_is_of_the_engines_zone) {
  EXPECT_EQ(outcome(schedule({{"dueDate", "=date and time(\"2026-01-01T12:00:00\")"}})),
            "dueDate=2026-01-01T12:00+01:00");
}

}  // namespace
}  // namespace beeline::testing
