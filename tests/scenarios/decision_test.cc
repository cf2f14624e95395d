#include "record/json.h"
#include "tests/support/decision_files.h"
#include "tests/support/scenario.h"

// Deployed decisions and their evaluation (spec: dmn 4 to 6).
namespace beeline::testing {
namespace {

using record::DecisionEvaluationIntent;
using record::DecisionEvaluationRecord;
using record::DecisionMetadata;
using record::DecisionRequirementsMetadata;
using record::DeploymentRecord;

std::string jedi_file(const std::string& answer = "\"Obi-Wan\"") {
  return decisions_file(
      "force", table_decision("jedi", "UNIQUE", "side", {{"\"light\"", answer}, {"\"dark\"", ""}}));
}

std::string task_file(const std::string& id, const std::string& type = "one") {
  return process(id, start() >> service_task("ship", job(type)) >> end()).to_xml();
}

class DecisionTest : public ScenarioTest {
 protected:
  DeploymentRecord deployed(const std::vector<std::pair<std::string, std::string>>& resources) {
    when.deploys(resources);
    then.answered();
    return then.answer<DeploymentRecord>();
  }
  void given_file(const std::string& content) {
    given.deploys({{"file.dmn", decisions_file("drg", content)}});
  }
  void evaluates(const std::string& id, std::string_view variables = "{}") {
    DecisionEvaluationRecord command;
    command.decision_id = id;
    command.variables = *record::parse_document(variables);
    when.submits(DecisionEvaluationIntent::Evaluate, Key{}, command);
  }
  void evaluates(Key key, std::string_view variables = "{}") {
    DecisionEvaluationRecord command;
    command.decision_key = key;
    command.variables = *record::parse_document(variables);
    when.submits(DecisionEvaluationIntent::Evaluate, Key{}, command);
  }
  DecisionEvaluationRecord evaluated(const std::string& id, std::string_view variables = "{}") {
    evaluates(id, variables);
    then.answered();
    return then.answer<DecisionEvaluationRecord>();
  }
  // Returns the whole text of the last rejection.
  std::string refusal() { return world.answers().back().record.rejection_reason; }
};

// ---- deployment and versions --------------------------------------------------------------------

TEST_F(DecisionTest, a_file_is_deployed_with_its_decisions) {
  const DeploymentRecord created = deployed(
      {{"force.dmn", decisions_file("force", literal_decision("a", "1", {.version_tag = "v1"}) +
                                                 literal_decision("b", "2"))}});
  then.records(R"(
    C DEPLOYMENT CREATE
    E DECISION_REQUIREMENTS CREATED force decisionRequirementsVersion=1 namespace="test"
    E DECISION CREATED a version=1 versionTag="v1" decisionRequirementsId="force"
    E DECISION CREATED b version=1 decisionRequirementsId="force"
    E DEPLOYMENT CREATED
  )");
  ASSERT_EQ(created.requirements.size(), 1U);
  const DecisionRequirementsMetadata& file = created.requirements[0];
  EXPECT_EQ(file.requirements_name, "force name");
  EXPECT_EQ(file.resource_name, "force.dmn");
  EXPECT_EQ(file.checksum.size(), 32U);
  EXPECT_EQ(file.deployment_key, created.deployment_key);
  EXPECT_FALSE(file.duplicate);
  ASSERT_EQ(created.decisions.size(), 2U);
  EXPECT_EQ(created.decisions[0].decision_name, "a name");
  EXPECT_EQ(created.decisions[1].requirements_key, file.key);
  EXPECT_NE(created.decisions[0].key, created.decisions[1].key);
  EXPECT_TRUE(created.resources.empty());
}

TEST_F(DecisionTest, the_same_file_again_is_a_duplicate) {
  DeploymentRecord first = deployed({{"force.dmn", jedi_file()}});
  DeploymentRecord again = deployed({{"force.dmn", jedi_file()}});
  then.records(R"(
    C DEPLOYMENT CREATE
    E DEPLOYMENT CREATED
  )");
  EXPECT_TRUE(again.decisions[0].duplicate);
  EXPECT_TRUE(again.requirements[0].duplicate);
  again.decisions[0].duplicate = false;
  again.requirements[0].duplicate = false;
  EXPECT_EQ(again.decisions, first.decisions);
  EXPECT_EQ(again.requirements, first.requirements);
}

TEST_F(DecisionTest, another_name_or_content_is_a_new_version_of_all_its_decisions) {
  const auto file = [](const std::string& b) {
    return decisions_file("drg", literal_decision("a", "1") + literal_decision("b", b));
  };
  given.deploys({{"x.dmn", file("1")}});
  when.deploys({{"y.dmn", file("1")}});
  then.records_of({"E DECISION"}, R"(
    E DECISION_REQUIREMENTS CREATED drg decisionRequirementsVersion=2
    E DECISION CREATED a version=2
    E DECISION CREATED b version=2
  )");
  when.deploys({{"y.dmn", file("2")}});
  then.records_of({"E DECISION"}, R"(
    E DECISION_REQUIREMENTS CREATED drg decisionRequirementsVersion=3
    E DECISION CREATED a version=3
    E DECISION CREATED b version=3
  )");
  EXPECT_EQ(evaluated("b").decision_output, "2");
}

TEST_F(DecisionTest, a_decision_in_two_files_is_one_sequence_of_versions) {
  given.deploys({{"x.dmn", decisions_file("x", literal_decision("d", "\"x\""))}});
  given.deploys({{"y.dmn", decisions_file("y", literal_decision("d", "\"y\""))}});
  EXPECT_EQ(evaluated("d").decision_output, "\"y\"");
  EXPECT_EQ(evaluated("d").decision_version, 2);
  // The decision has a newer version from the second file, so the first file is not a duplicate.
  when.deploys({{"x.dmn", decisions_file("x", literal_decision("d", "\"x\""))}});
  then.records_of({"E DECISION"}, R"(
    E DECISION_REQUIREMENTS CREATED x decisionRequirementsVersion=2
    E DECISION CREATED d version=3
  )");
  EXPECT_EQ(evaluated("d").decision_output, "\"x\"");
}

TEST_F(DecisionTest, processes_and_decisions_are_one_unit) {
  given.deploys({{"p.bpmn", task_file("p")}, {"force.dmn", jedi_file()}});
  const DeploymentRecord changed =
      deployed({{"p.bpmn", task_file("p")}, {"force.dmn", jedi_file("\"Yoda\"")}});
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED p version=2
    E DECISION_REQUIREMENTS CREATED force decisionRequirementsVersion=2
    E DECISION CREATED jedi version=2
    E DEPLOYMENT CREATED
  )");
  EXPECT_EQ(changed.processes[0].deployment_key, changed.deployment_key);
  EXPECT_EQ(changed.decisions[0].deployment_key, changed.deployment_key);
  when.deploys({{"p.bpmn", task_file("p", "two")}, {"force.dmn", jedi_file("\"Yoda\"")}});
  then.records_of({"E PROCESS", "E DECISION"}, R"(
    E PROCESS CREATED p version=3
    E DECISION_REQUIREMENTS CREATED force decisionRequirementsVersion=3
    E DECISION CREATED jedi version=3
  )");
  when.deploys({{"p.bpmn", task_file("p", "two")}, {"force.dmn", jedi_file("\"Yoda\"")}});
  then.records_of({"E PROCESS", "E DECISION"}, "");
}

TEST_F(DecisionTest, what_is_wrong_with_a_file_is_told_with_its_decision_and_cell) {
  const auto refuses = [this](std::string_view situation, std::string content,
                              std::string_view reason) {
    return Refusal{situation,
                   [this, content = std::move(content)] {
                     when.deploys({{"bad.dmn", content}});
                   },
                   RejectionType::InvalidArgument, reason};
  };
  then.refused({
      refuses("no XML", "<oops", "'bad.dmn': The XML is not well-formed"),
      refuses("no DMN", "<a/>", "'bad.dmn': Expected DMN definitions"),
      refuses("no id", decisions_file("", literal_decision("a", "1")),
              "'bad.dmn': The definitions must have an id"),
      refuses("an expression", decisions_file("drg", literal_decision("sum", "1 +")),
              "'bad.dmn': - Element: sum\n    - ERROR: Failed to parse expression '1 +'"),
      refuses("an input entry",
              decisions_file("drg", table_decision("jedi", "UNIQUE", "side",
                                                   {{"1", "1"}, {"2", "1"}, {"] 3", "1"}})),
              "- Element: jedi\n    - ERROR: Rule 3, input 1: Failed to parse expression '] 3'"),
      refuses("an output entry",
              decisions_file("drg",
                             table_decision("jedi", "UNIQUE", "side", {{"1", "1"}, {"2", "(1"}})),
              "- Element: jedi\n    - ERROR: Rule 2, output 1: Failed to parse expression '(1'"),
      refuses("an input", decisions_file("drg", table_decision("jedi", "UNIQUE", "(", {})),
              "- Element: jedi\n    - ERROR: Input 1: Failed to parse"),
      refuses("a requirement that is not there",
              decisions_file("drg", literal_decision("a", "1", {.requires_decisions = {"b"}})),
              "- Element: a\n    - ERROR: "),
      refuses("an id twice",
              decisions_file("drg", literal_decision("a", "1") + literal_decision("a", "2")),
              "The id 'a' is used more than once"),
      refuses("an id of endless length",
              decisions_file("drg", literal_decision(std::string(32'769, 'a'), "1")),
              "The id or the name of a decision is too long"),
  });
  when.deploys({{"bad.dmn", decisions_file("drg", literal_decision("a", "1 +") +
                                                      literal_decision("b", "2 +"))},
                {"bad.bpmn", "<oops"}});
  EXPECT_NE(refusal().find("'1 +'"), std::string::npos) << refusal();
  EXPECT_NE(refusal().find("'2 +'"), std::string::npos) << refusal();
  EXPECT_NE(refusal().find("'bad.bpmn'"), std::string::npos) << refusal();
}

// ---- imports ------------------------------------------------------------------------------------

std::string prices_file(const std::string& price) {
  return in_namespace("prices", decisions_file("prices", literal_decision("price", price)));
}

std::string order_file() {
  return in_namespace(
      "orders",
      decisions_file(
          "orders",
          "<import name='p' namespace='prices' importType='dmn'/>" +
              decision_with("total",
                            "<informationRequirement><requiredDecision href='prices#price'/>"
                            "</informationRequirement><literalExpression><text>p.price * 2</text>"
                            "</literalExpression>")));
}

TEST_F(DecisionTest, a_file_imports_one_of_the_same_deployment) {
  const DeploymentRecord created =
      deployed({{"order.dmn", order_file()}, {"prices.dmn", prices_file("20")}});
  const DecisionEvaluationRecord total = evaluated("total");
  EXPECT_EQ(total.decision_output, "40");
  ASSERT_EQ(total.evaluated_decisions.size(), 2U);
  EXPECT_EQ(total.evaluated_decisions[0].decision_id, "price");
  EXPECT_EQ(total.evaluated_decisions[0].decision_key, created.decisions[1].key);
  EXPECT_EQ(total.evaluated_decisions[0].decision_version, 1);
}

TEST_F(DecisionTest, a_file_imports_what_was_deployed_before_it) {
  deployed({{"prices.dmn", prices_file("20")}});
  deployed({{"order.dmn", order_file()}});
  EXPECT_EQ(evaluated("total").decision_output, "40");
  // The file keeps the import that it was deployed with until it is deployed again.
  deployed({{"prices.dmn", prices_file("30")}});
  EXPECT_EQ(evaluated("total").decision_output, "40");
  EXPECT_FALSE(deployed({{"order.dmn", order_file()}}).decisions[0].duplicate);
  EXPECT_EQ(evaluated("total").decision_output, "60");
  EXPECT_TRUE(deployed({{"order.dmn", order_file()}}).decisions[0].duplicate);
}

TEST_F(DecisionTest, an_import_that_is_not_there_is_named) {
  when.deploys({{"order.dmn", order_file()}});
  EXPECT_NE(
      refusal().find("'order.dmn': Import 'p' needs a file with namespace 'prices', but there "
                     "is none."),
      std::string::npos)
      << refusal();
  when.deploys(
      {{"order.dmn", order_file()},
       {"a.dmn", prices_file("1")},
       {"b.dmn", in_namespace("prices", decisions_file("b", literal_decision("b", "1")))}});
  EXPECT_NE(refusal().find("It imports namespace 'prices', which 'a.dmn' and 'b.dmn' both have"),
            std::string::npos)
      << refusal();
}

TEST_F(DecisionTest, ids_are_unique_in_a_deployment) {
  const std::string a = decisions_file("drg", literal_decision("a", "1"));
  const std::string b = decisions_file("drg", literal_decision("b", "1"));
  const std::string other = decisions_file("other", literal_decision("a", "1"));
  then.refused({
      {"the file's",
       [&] {
         when.deploys({{"a.dmn", a}, {"b.dmn", b}});
       },
       RejectionType::InvalidArgument,
       "Duplicated decision requirements id 'drg' in resources 'a.dmn' and 'b.dmn'"},
      {"the decision's",
       [&] {
         when.deploys({{"a.dmn", a}, {"other.dmn", other}});
       },
       RejectionType::InvalidArgument,
       "Duplicated decision id 'a' in resources 'a.dmn' and 'other.dmn'"},
  });
}

TEST_F(DecisionTest, one_bad_file_refuses_the_process_beside_it) {
  when.deploys({{"p.bpmn", task_file("p")},
                {"bad.dmn", decisions_file("drg", literal_decision("a", "1 +"))}});
  then.rejected(RejectionType::InvalidArgument, "'bad.dmn'");
  then.records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=INVALID_ARGUMENT
  )");
}

// ---- evaluation ---------------------------------------------------------------------------------

TEST_F(DecisionTest, an_evaluation_tells_inputs_rules_and_outputs) {
  const DeploymentRecord created = deployed({{"force.dmn", jedi_file()}});
  const DecisionEvaluationRecord value = evaluated("jedi", R"({"side": "light"})");
  then.records(R"(
    C DECISION_EVALUATION EVALUATE jedi
    E DECISION_EVALUATION EVALUATED jedi decisionOutput="\"Obi-Wan\""
  )");
  const Key key = then.keys<DecisionEvaluationRecord>(DecisionEvaluationIntent::Evaluated)[0];
  EXPECT_TRUE(key.is_set());
  EXPECT_EQ(value, then.values<DecisionEvaluationRecord>(DecisionEvaluationIntent::Evaluated)[0]);
  EXPECT_EQ(value.decision_name, "jedi name");
  EXPECT_EQ(value.decision_version, 1);
  EXPECT_EQ(value.decision_key, created.decisions[0].key);
  EXPECT_EQ(value.requirements_id, "force");
  EXPECT_EQ(value.requirements_key, created.requirements[0].key);
  EXPECT_EQ(value.decision_output, "\"Obi-Wan\"");
  EXPECT_TRUE(value.variables.empty());
  EXPECT_FALSE(value.process_instance_key.is_set());
  ASSERT_EQ(value.evaluated_decisions.size(), 1U);
  const record::EvaluatedDecision& decision = value.evaluated_decisions[0];
  EXPECT_EQ(decision.decision_id, "jedi");
  EXPECT_EQ(decision.decision_key, created.decisions[0].key);
  EXPECT_EQ(decision.decision_version, 1);
  EXPECT_EQ(decision.decision_type, "DECISION_TABLE");
  EXPECT_EQ(decision.decision_output, "\"Obi-Wan\"");
  EXPECT_EQ(decision.evaluation_instance_key, fmt::format("{}-1", key.value()));
  EXPECT_EQ(decision.evaluated_inputs,
            (std::vector<record::EvaluatedInput>{{"in", "The input", "\"light\""}}));
  EXPECT_EQ(
      decision.matched_rules,
      (std::vector<record::MatchedRule>{{"r1", 1, {{"out", "result", "\"Obi-Wan\"", "r1", 1}}}}));
}

TEST_F(DecisionTest, a_rule_without_id_gets_one_that_is_stable) {
  given.deploys({{"force.dmn", jedi_file()}});
  given.deploys({{"force.dmn", jedi_file("\"Yoda\"")}});
  const DecisionEvaluationRecord value = evaluated("jedi", R"({"side": "dark"})");
  EXPECT_EQ(value.decision_output, "null");
  const record::MatchedRule& rule = value.evaluated_decisions[0].matched_rules.at(0);
  EXPECT_EQ(rule.rule_id, "ZB_SYNTH_RULE_ID_jedi_v2_r2");
  EXPECT_EQ(rule.evaluated_outputs.at(0).rule_id, rule.rule_id);
  EXPECT_EQ(rule.evaluated_outputs.at(0).rule_index, 2);
}

TEST_F(DecisionTest, FIRST_tells_the_rule_that_counts_and_COLLECT_all_that_matched) {
  const std::vector<std::pair<std::string, std::string>> rules{
      {"> 5", "\"a\""}, {"> 7", "\"b\""}, {"> 9", "\"c\""}};
  given_file(table_decision("first", "FIRST", "x", rules) +
             table_decision("all", "COLLECT", "x", rules));
  EXPECT_EQ(evaluated("first", R"({"x": 8})").evaluated_decisions[0].matched_rules.size(), 1U);
  const DecisionEvaluationRecord all = evaluated("all", R"({"x": 8})");
  EXPECT_EQ(all.decision_output, R"(["a","b"])");
  EXPECT_EQ(all.evaluated_decisions[0].matched_rules.size(), 2U);
}

TEST_F(DecisionTest, required_decisions_come_first_each_once) {
  given_file(
      literal_decision("sum", "left + right + x", {.requires_decisions = {"left", "right"}}) +
      literal_decision("left", "base + 1", {.requires_decisions = {"base"}}) +
      literal_decision("right", "base + 2", {.requires_decisions = {"base"}}) +
      literal_decision("base", "10") + literal_decision("unrelated", "0"));
  const DecisionEvaluationRecord value = evaluated("sum", R"({"x": 100})");
  EXPECT_EQ(value.decision_output, "123");
  std::string order;
  for (const record::EvaluatedDecision& each : value.evaluated_decisions) {
    order += each.decision_id + "=" + each.decision_output + " ";
    EXPECT_EQ(each.decision_type, "LITERAL_EXPRESSION");
  }
  EXPECT_EQ(order, "base=10 left=11 right=12 sum=123 ");
  const Key key = then.keys<DecisionEvaluationRecord>(DecisionEvaluationIntent::Evaluated)[0];
  EXPECT_EQ(value.evaluated_decisions[3].evaluation_instance_key, fmt::format("{}-4", key.value()));
}

TEST_F(DecisionTest, by_id_it_is_the_latest_version_by_key_that_very_one) {
  const Key first = deployed({{"force.dmn", jedi_file("1")}}).decisions[0].key;
  const Key second = deployed({{"force.dmn", jedi_file("2")}}).decisions[0].key;
  const std::string light = R"({"side": "light"})";
  EXPECT_EQ(evaluated("jedi", light).decision_output, "2");
  evaluates(first, light);
  EXPECT_EQ(then.answer<DecisionEvaluationRecord>().decision_output, "1");
  EXPECT_EQ(then.answer<DecisionEvaluationRecord>().decision_id, "jedi");
  EXPECT_EQ(then.answer<DecisionEvaluationRecord>().decision_version, 1);
  evaluates(second, light);
  EXPECT_EQ(then.answer<DecisionEvaluationRecord>().decision_output, "2");
}

TEST_F(DecisionTest, unknown_decisions_are_refused) {
  const Key file = deployed({{"force.dmn", jedi_file()}}).requirements[0].key;
  then.refused({
      {"unknown id", [&] { evaluates("sith"); }, RejectionType::NotFound,
       "Expected to evaluate decision 'sith', but no decision found for id 'sith'"},
      {"unknown key", [&] { evaluates(Key{99}); }, RejectionType::NotFound,
       "Expected to evaluate decision '99', but no decision found for key '99'"},
      {"the key of the file", [&] { evaluates(file); }, RejectionType::NotFound,
       "but no decision found for key"},
      {"neither", [&] { evaluates(""); }, RejectionType::InvalidArgument,
       "Expected either a decision id or a valid decision key, but none provided"},
  });
}

TEST_F(DecisionTest, a_missing_variable_is_null_and_no_failure) {
  given_file(literal_decision("d", "x + 1"));
  EXPECT_EQ(evaluated("d").decision_output, "null");
  then.records(R"(
    C DECISION_EVALUATION EVALUATE d
    E DECISION_EVALUATION EVALUATED d
  )");
}

TEST_F(DecisionTest, what_fails_is_answered_with_the_reason_and_what_was_done_so_far) {
  given_file(literal_decision("base", "1") +
             literal_decision("broken", "assert(x, x > base, \"x is small\")",
                              {.requires_decisions = {"base"}}) +
             literal_decision("top", "broken", {.requires_decisions = {"broken"}}));
  const DecisionEvaluationRecord value = evaluated("top", R"({"x": 0})");
  then.records(R"(
    C DECISION_EVALUATION EVALUATE top
    E DECISION_EVALUATION FAILED top failedDecisionId="broken"
  )");
  EXPECT_EQ(value.evaluation_failure_message,
            "Expected to evaluate decision 'top', but x is small in 'assert(x, x > base, \"x is "
            "small\")'");
  EXPECT_EQ(value.decision_output, "null");
  ASSERT_EQ(value.evaluated_decisions.size(), 2U);
  EXPECT_EQ(value.evaluated_decisions[0].decision_output, "1");
  EXPECT_EQ(value.evaluated_decisions[1].decision_id, "broken");
  EXPECT_EQ(value.evaluated_decisions[1].decision_output, "null");
}

TEST_F(DecisionTest, violated_rules_are_failures) {
  const std::vector<std::pair<std::string, std::string>> two{{"> 1", "1"}, {"> 2", "2"}};
  given_file(table_decision("unique", "UNIQUE", "x", two) + table_decision("any", "ANY", "x", two) +
             literal_decision("typed", "x", {.type = "string"}));
  const std::pair<std::string, std::string> rows[] = {
      {"unique", "hit policy UNIQUE allows one matching rule, but 2 matched"},
      {"any", "hit policy ANY wants equal outputs, but rules 1 and 2 differ"},
      {"typed", "expected the result of decision 'typed' to be of type 'string', but it is 5"},
  };
  for (const auto& [id, reason] : rows) {
    const DecisionEvaluationRecord value = evaluated(id, R"({"x": 5})");
    EXPECT_EQ(value.failed_decision_id, id);
    EXPECT_EQ(value.evaluation_failure_message,
              fmt::format("Expected to evaluate decision '{}', but {}", id, reason));
  }
}

TEST_F(DecisionTest, a_budget_ends_an_evaluation) {
  given_file(literal_decision("endless", "{f: function(n) f(n + 1)}.f(0)"));
  const DecisionEvaluationRecord value = evaluated("endless");
  EXPECT_EQ(value.failed_decision_id, "endless");
  EXPECT_EQ(value.evaluation_failure_message,
            "Expected to evaluate decision 'endless', but the evaluation is nested too deeply in "
            "'f(n + 1)'");
}

}  // namespace
}  // namespace beeline::testing
