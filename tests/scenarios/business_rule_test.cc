#include "tests/support/decision_files.h"
#include "tests/support/scenario.h"

// Business rule tasks that call a decision (spec: elements/tasks 3; dmn 4).
namespace beeline::testing {
namespace {

using record::DecisionEvaluationIntent;
using record::DecisionEvaluationRecord;
using record::IncidentIntent;
using record::IncidentRecord;

class BusinessRuleTest : public ScenarioTest {
 protected:
  void decision(const std::string& text, const std::string& tag = "") {
    given.deploys(
        {{"d.dmn", decisions_file("drg", literal_decision("d", text, {.version_tag = tag}))}});
  }
  std::string incident_message() {
    const auto incidents = then.values<IncidentRecord>(IncidentIntent::Created);
    EXPECT_EQ(incidents.size(), 1U);
    return incidents.empty() ? "" : incidents.front().error_message;
  }
};

Part bound_decision(const std::string& binding, const std::string& tag = "") {
  std::vector<std::pair<std::string, std::string>> attributes{
      {"decisionId", "d"}, {"resultVariable", "y"}, {"bindingType", binding}};
  if (!tag.empty()) attributes.emplace_back("versionTag", tag);
  return extension("zeebe:calledDecision", std::move(attributes));
}

TEST_F(BusinessRuleTest, the_decision_is_evaluated_at_activation_and_its_result_written) {
  decision("x * 2");
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >>
                         service_task("after", job("after")) >> end());
  const Key instance = when.instance("p", R"({"x": 21})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE rule
    E ELEMENT ACTIVATING rule
    E DECISION_EVALUATION EVALUATED d decisionOutput="42" elementId="rule"
    E PROCESS_EVENT TRIGGERING rule
    E ELEMENT ACTIVATED rule
    C ELEMENT COMPLETE rule
    E ELEMENT COMPLETING rule
    E PROCESS_EVENT TRIGGERED rule
    E VARIABLE CREATED y value="42"
    E ELEMENT COMPLETED rule
    ...
  )");
  EXPECT_EQ(then.variable(instance, "y"), "42");
  const auto value =
      then.values<DecisionEvaluationRecord>(DecisionEvaluationIntent::Evaluated).at(0);
  EXPECT_EQ(value.bpmn_process_id, "p");
  EXPECT_EQ(value.process_instance_key, instance);
  EXPECT_EQ(value.root_process_instance_key, instance);
  EXPECT_TRUE(value.process_definition_key.is_set());
  EXPECT_EQ(value.element_id, "rule");
  EXPECT_EQ(value.element_instance_key, when.element("rule"));
}

TEST_F(BusinessRuleTest, mappings_go_in_and_out) {
  decision("n + 1");
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "r"),
                                                   input("=x", "n"), output("=r * 10", "y")) >>
                         service_task("after", job("after")) >> end());
  const Key instance = given.instance("p", R"({"x": 1})");
  EXPECT_EQ(then.variable(instance, "y"), "20");
  EXPECT_EQ(then.variable(instance, "r"), "absent");
  EXPECT_EQ(then.variable(instance, "n"), "absent");
}

TEST_F(BusinessRuleTest, the_id_may_be_an_expression) {
  decision("\"it is d\"");
  given.process("p", start() >> business_rule_task("rule", called_decision("=which", "y")) >>
                         service_task("after", job("after")) >> end());
  EXPECT_EQ(then.variable(given.instance("p", R"({"which": "d"})"), "y"), "\"it is d\"");
  when.instance("p", R"({"which": 5})");
  then.records_of({"E INCIDENT", "E DECISION"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR");
}

TEST_F(BusinessRuleTest, without_binding_it_is_the_latest_version_at_that_time) {
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >>
                         service_task("after", job("after")) >> end());
  decision("1");
  EXPECT_EQ(then.variable(given.instance("p"), "y"), "1");
  decision("2");
  EXPECT_EQ(then.variable(given.instance("p"), "y"), "2");
}

TEST_F(BusinessRuleTest, binding_deployment_is_the_version_deployed_together) {
  const std::string xml =
      process("p", start() >> business_rule_task("rule", bound_decision("deployment")) >>
                       service_task("after", job("after")) >> end())
          .to_xml();
  const std::string file = decisions_file("drg", literal_decision("d", "1"));
  given.deploys({{"p.bpmn", xml}, {"d.dmn", file}});
  decision("2");
  EXPECT_EQ(then.variable(given.instance("p"), "y"), "1");
  then.refused({{"the decision is deployed, but not with it",
                 [&] {
                   when.deploys({{"p.bpmn", xml}});
                 },
                 RejectionType::InvalidArgument,
                 "- Element: rule\n    - ERROR: Expected to find decision 'd' in the same "
                 "deployment, but it is not part of it"}});
}

TEST_F(BusinessRuleTest, binding_by_tag_is_the_latest_version_with_it) {
  given.process("p", start() >>
                         business_rule_task("rule", bound_decision("versionTag", "stable")) >>
                         service_task("after", job("after")) >> end());
  decision("0");
  when.instance("p");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED CALLED_DECISION_ERROR");
  EXPECT_EQ(incident_message(),
            "Expected to evaluate decision 'd', but no decision found for id 'd' and version tag "
            "'stable'");
  decision("1", "stable");
  decision("2", "stable");
  decision("3", "edge");
  EXPECT_EQ(then.variable(given.instance("p"), "y"), "2");
}

TEST_F(BusinessRuleTest, an_unknown_decision_is_an_incident_until_it_is_deployed) {
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >>
                         service_task("after", job("after")) >> end());
  const Key instance = when.instance("p");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING rule
    E INCIDENT CREATED CALLED_DECISION_ERROR
  )");
  EXPECT_EQ(incident_message(),
            "Expected to evaluate decision 'd', but no decision found for id 'd'");
  when.resolves_incident();
  then.records_of({"E"}, R"(
    E INCIDENT RESOLVED CALLED_DECISION_ERROR
    E INCIDENT CREATED CALLED_DECISION_ERROR
  )");
  decision("7");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED CALLED_DECISION_ERROR
    E DECISION_EVALUATION EVALUATED d decisionOutput="7"
    E PROCESS_EVENT TRIGGERING rule
    E ELEMENT ACTIVATED rule
    ...
  )");
  EXPECT_EQ(then.variable(instance, "y"), "7");
}

TEST_F(BusinessRuleTest, a_failed_evaluation_is_an_incident_and_resolving_evaluates_again) {
  decision("assert(x, x > 5, \"x is too small\")");
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >>
                         service_task("after", job("after")) >> end());
  const Key instance = when.instance("p", R"({"x": 1})");
  then.records(R"(
    ...
    E ELEMENT ACTIVATING rule
    E DECISION_EVALUATION FAILED d failedDecisionId="d" elementId="rule"
    E INCIDENT CREATED DECISION_EVALUATION_ERROR
  )");
  EXPECT_EQ(incident_message(),
            "Expected to evaluate decision 'd', but x is too small in 'assert(x, x > 5, \"x is too "
            "small\")'");
  when.resolves_incident();
  then.records_of({"E"}, R"(
    E INCIDENT RESOLVED DECISION_EVALUATION_ERROR
    E DECISION_EVALUATION FAILED d
    E INCIDENT CREATED DECISION_EVALUATION_ERROR
  )");
  given.sets_variables(instance, R"({"x": 6})");
  when.resolves_incident();
  then.records_of({"E DECISION", "E INCIDENT"}, R"(
    E INCIDENT RESOLVED DECISION_EVALUATION_ERROR
    E DECISION_EVALUATION EVALUATED d
  )");
  EXPECT_EQ(then.variable(instance, "y"), "6");
}

TEST_F(BusinessRuleTest, a_failed_output_mapping_does_not_evaluate_again) {
  decision("1");
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "r"),
                                                   output("=assert(ok, ok = true)", "y")) >>
                         service_task("after", job("after")) >> end());
  const Key instance = when.instance("p");
  then.records_of({"E DECISION", "E INCIDENT"}, R"(
    E DECISION_EVALUATION EVALUATED d
    E INCIDENT CREATED IO_MAPPING_ERROR
  )");
  given.sets_variables(instance, R"({"ok": true})");
  when.resolves_incident();
  then.records_of({"E DECISION", "E INCIDENT"}, "E INCIDENT RESOLVED IO_MAPPING_ERROR");
  EXPECT_EQ(then.variable(instance, "y"), "true");
}

TEST_F(BusinessRuleTest, it_can_be_cancelled_while_it_has_an_incident) {
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "y")) >> end());
  const Key instance = given.instance("p");
  when.cancels(instance);
  then.records_of({"E INCIDENT"}, "E INCIDENT RESOLVED CALLED_DECISION_ERROR");
  then.all_done();
}

TEST_F(BusinessRuleTest, with_a_task_definition_it_is_a_job) {
  given.process("p", start() >> business_rule_task("rule", job("rules")) >> end());
  given.instance("p");
  when.completes_job("rules");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
