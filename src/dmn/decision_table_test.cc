#include "dmn/dmn_testing.h"

namespace beeline::dmn {
namespace {

using testing::decision;
using testing::definitions;
using testing::evaluate;
using testing::evaluate_standard;
using testing::outcome;

// A table over the variable x with one output; each rule is {test, output}.
struct TableText {
  std::string policy = "UNIQUE";
  std::string aggregation{};
  std::string output_content{};
  std::vector<std::pair<std::string, std::string>> rules{};

  [[nodiscard]] std::string xml() const {
    std::string text = "<decisionTable id='table' hitPolicy='" + policy + "'";
    if (!aggregation.empty()) text += " aggregation='" + aggregation + "'";
    text += "><input id='in' label='X'><inputExpression><text>x</text></inputExpression></input>";
    text += "<output id='out' name='y'>" + output_content + "</output>";
    int index = 0;
    for (const auto& [test, output] : rules) {
      text += "<rule id='r" + std::to_string(++index) + "'><inputEntry><text><![CDATA[" + test +
              "]]></text></inputEntry><outputEntry><text><![CDATA[" + output +
              "]]></text></outputEntry></rule>";
    }
    return definitions("<inputData id='x' name='x'/>" +
                       decision("d", testing::requires_input("x") + text + "</decisionTable>"));
  }
};

std::string result_of(const TableText& table, const std::string& x) {
  return outcome(evaluate(table.xml(), "d", {{"x", x}}));
}

TEST(DecisionTable, unique_takes_the_one_rule_that_matches) {
  const TableText table{.rules = {{"< 10", "\"low\""}, {">= 10", "\"high\""}}};
  EXPECT_EQ(result_of(table, "3"), "\"low\"");
  EXPECT_EQ(result_of(table, "10"), "\"high\"");
  EXPECT_EQ(result_of(table, "null"), "null");
}

TEST(DecisionTable, unique_with_two_matches_fails_in_a_workflow_and_is_null_in_the_standard) {
  const TableText table{.rules = {{"< 10", "1"}, {"< 20", "2"}}};
  EXPECT_EQ(result_of(table, "3"), "! Hit policy UNIQUE allows one matching rule, but 2 matched");
  const DecisionResult standard = evaluate_standard(table.xml(), "d", R"({"x": 3})");
  EXPECT_EQ(outcome(standard), "null");
  EXPECT_FALSE(standard.warnings.empty());
}

// Cells with constants are looked up in an index; the same cells in a form that has to be evaluated
// must match in the same way.
TEST(DecisionTable, an_index_changes_nothing) {
  const std::vector<std::string> cells = {"1",
                                          "2.50",
                                          "[1..3]",
                                          "(1..3)",
                                          "]1..3]",
                                          "[1..3[",
                                          "< 2",
                                          "<= 2",
                                          "> 2",
                                          ">= 2",
                                          "= 2",
                                          "!= 2",
                                          "-",
                                          "",
                                          "1, 3, > 5",
                                          "not(1, 2)",
                                          "[3..1]",
                                          "(<2)",
                                          "[1, [2..3]]",
                                          "\"a\"",
                                          "\"a\", 2",
                                          "< \"b\"",
                                          "[\"a\"..\"c\")",
                                          "null",
                                          "true",
                                          "? > 1",
                                          "x - 1",
                                          "date(\"2024-01-01\")",
                                          "@\"P1D\", 1",
                                          "< 1, > 3",
                                          "1, not(2)"};
  TableText indexed{.policy = "COLLECT"};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    indexed.rules.emplace_back(cells[i], std::to_string(i));
  }
  for (const char* x : {"0", "1", "1.0", "1.5", "2", "2.5", "3", "3.5", "6", "-7", "\"a\"", "\"b\"",
                        "\"\"", "null", "true", "[1]", "{}"}) {
    std::string each = "[";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // A cell that is not a constant, and one of another kind before it, so no index is used.
      const TableText single{
          .policy = "COLLECT",
          .rules = {{"@\"P9Y\", @\"P9Y\"", "-1"}, {cells[i], std::to_string(i)}}};
      const std::string matched = result_of(single, x);
      if (matched == "null") continue;
      each += (each.size() > 1 ? "," : "") + matched.substr(1, matched.size() - 2);
    }
    EXPECT_EQ(result_of(indexed, x), each + "]") << x;
  }
}

TEST(DecisionTable, any_wants_equal_outputs) {
  EXPECT_EQ(result_of({.policy = "ANY", .rules = {{"-", "1"}, {"> 0", "1.0"}}}, "3"), "1");
  EXPECT_EQ(result_of({.policy = "ANY", .rules = {{"-", "1"}, {"> 0", "2"}}}, "3"),
            "! Hit policy ANY wants equal outputs, but rules 1 and 2 differ");
}

TEST(DecisionTable, priority_and_output_order_follow_the_list_of_output_values) {
  const std::string values =
      "<outputValues><text>\"red\",\"amber\",\"green\"</text></outputValues>";
  const std::vector<std::pair<std::string, std::string>> rules{
      {"-", "\"green\""}, {"> 1", "\"red\""}, {"> 2", "\"amber\""}};
  EXPECT_EQ(result_of({.policy = "PRIORITY", .output_content = values, .rules = rules}, "3"),
            "\"red\"");
  EXPECT_EQ(result_of({.policy = "OUTPUT ORDER", .output_content = values, .rules = rules}, "3"),
            R"(["red","amber","green"])");
}

TEST(DecisionTable, first_rule_order_and_collect) {
  const std::vector<std::pair<std::string, std::string>> rules{
      {"> 1", "2"}, {"-", "1"}, {"> 2", "3"}, {"> 9", "4"}};
  EXPECT_EQ(result_of({.policy = "FIRST", .rules = rules}, "3"), "2");
  EXPECT_EQ(result_of({.policy = "RULE ORDER", .rules = rules}, "3"), "[2,1,3]");
  EXPECT_EQ(result_of({.policy = "COLLECT", .rules = rules}, "3"), "[2,1,3]");
  const auto collect = [&](const char* aggregation) {
    return result_of({.policy = "COLLECT", .aggregation = aggregation, .rules = rules}, "3");
  };
  EXPECT_EQ(collect("SUM"), "6");
  EXPECT_EQ(collect("MIN"), "1");
  EXPECT_EQ(collect("MAX"), "3");
  EXPECT_EQ(collect("COUNT"), "3");
}

TEST(DecisionTable, aggregating_what_is_no_number_fails) {
  const TableText table{.policy = "COLLECT", .aggregation = "SUM", .rules = {{"-", "\"a\""}}};
  EXPECT_EQ(result_of(table, "1"),
            "! The outputs of the matched rules cannot be aggregated, one is \"a\"");
}

TEST(DecisionTable, min_and_max_work_on_dates_too) {
  const TableText table{.policy = "COLLECT",
                        .aggregation = "MAX",
                        .rules = {{"-", "@\"2020-01-01\""}, {"-", "@\"2021-01-01\""}}};
  EXPECT_EQ(result_of(table, "1"), "\"2021-01-01\"");
}

TEST(DecisionTable, without_a_match_the_default_counts_whatever_the_policy) {
  const std::string entry = "<defaultOutputEntry><text>0</text></defaultOutputEntry>";
  for (const char* policy : {"UNIQUE", "FIRST", "COLLECT", "RULE ORDER"}) {
    EXPECT_EQ(result_of({.policy = policy, .output_content = entry, .rules = {{"> 9", "1"}}}, "3"),
              "0");
    EXPECT_EQ(result_of({.policy = policy, .rules = {{"> 9", "1"}}}, "3"), "null");
  }
}

TEST(DecisionTable, several_outputs_make_a_context) {
  const std::string xml = definitions(decision("d", R"(
    <decisionTable id='t'>
      <input id='i1'><inputExpression><text>a</text></inputExpression></input>
      <input id='i2'><inputExpression><text>b</text></inputExpression></input>
      <output id='o1' name='Approved/Declined'/>
      <output id='o2' name='reason' label='Why'/>
      <rule id='r1'>
        <inputEntry><text>true</text></inputEntry><inputEntry><text/></inputEntry>
        <outputEntry><text>"Approved"</text></outputEntry><outputEntry><text></text></outputEntry>
      </rule>
      <rule>
        <inputEntry><text>false</text></inputEntry><inputEntry><text>not("x", "y")</text></inputEntry>
        <outputEntry><text>"Declined"</text></outputEntry><outputEntry><text>b</text></outputEntry>
      </rule>
    </decisionTable>)"));
  EXPECT_EQ(outcome(evaluate(xml, "d", {{"a", "true"}, {"b", "1"}})),
            R"({"Approved/Declined":"Approved","reason":null})");
  EXPECT_EQ(outcome(evaluate(xml, "d", {{"a", "false"}, {"b", "\"z\""}})),
            R"({"Approved/Declined":"Declined","reason":"z"})");
  EXPECT_EQ(outcome(evaluate(xml, "d", {{"a", "false"}, {"b", "\"x\""}})), "null");
}

TEST(DecisionTable, is_recorded_with_inputs_and_matched_rules) {
  const TableText table{.policy = "COLLECT", .rules = {{"> 1", "2"}, {"> 5", "1"}, {"-", "x"}}};
  const DecisionResult result = evaluate(table.xml(), "d", {{"x", "3"}});
  ASSERT_EQ(result.evaluated_decisions.size(), 1U);
  const EvaluatedDecision expected{"d",
                                   "d",
                                   DecisionType::DecisionTable,
                                   "[2,3]",
                                   {{"in", "X", "3"}},
                                   {{"r1", 1, {{"out", "y", "2"}}}, {"r3", 3, {{"out", "y", "3"}}}},
                                   "test"};
  EXPECT_EQ(result.evaluated_decisions.front(), expected);
}

TEST(DecisionTable, first_records_only_the_rule_that_counts) {
  const TableText table{.policy = "FIRST", .rules = {{"> 1", "2"}, {"-", "1"}}};
  const DecisionResult result = evaluate(table.xml(), "d", {{"x", "3"}});
  EXPECT_EQ(result.evaluated_decisions.front().matched_rules.size(), 1U);
}

TEST(DecisionTable, an_input_without_label_is_named_by_the_first_30_characters) {
  const std::string xml = definitions(decision("d", R"(
    <decisionTable><input><inputExpression><text>"äöü, this is a rather long expression"</text>
    </inputExpression></input><output/></decisionTable>)"));
  EXPECT_EQ(evaluate(xml, "d").evaluated_decisions.front().inputs.front().name,
            "\"äöü, this is a rather long ex");
}

TEST(DecisionTable, failure_ends_the_record_with_the_decision_that_failed) {
  const TableText table{.rules = {{"< 10", "1"}, {"< 20", "2"}}};
  const DecisionResult result = evaluate(table.xml(), "d", {{"x", "3"}});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->decision_id, "d");
  EXPECT_EQ(result.output_json, "null");
  ASSERT_EQ(result.evaluated_decisions.size(), 1U);
  EXPECT_EQ(result.evaluated_decisions.front().output_json, "null");
  EXPECT_EQ(result.evaluated_decisions.front().matched_rules.size(), 2U);
}

TEST(DecisionTable, standard_checks_allowed_values_of_inputs_and_outputs) {
  const std::string xml =
      definitions("<inputData id='x' name='x'/>" + decision("d", testing::requires_input("x") + R"(
    <decisionTable>
      <input><inputExpression typeRef='number'><text>x</text></inputExpression>
        <inputValues><text>[1..5]</text></inputValues></input>
      <output typeRef='number'><outputValues><text>[0..1]</text></outputValues></output>
      <rule><inputEntry><text>-</text></inputEntry><outputEntry><text>x - 1</text></outputEntry></rule>
    </decisionTable>)"));
  EXPECT_EQ(outcome(evaluate_standard(xml, "d", R"({"x": 2})")), "1");
  EXPECT_EQ(outcome(evaluate_standard(xml, "d", R"({"x": 9})")), "null");
  EXPECT_EQ(outcome(evaluate_standard(xml, "d", R"({"x": 5})")), "null");
}

TEST(DecisionTable, a_thousand_rules_with_equal_cells_stay_within_budget) {
  TableText table{.policy = "COLLECT", .aggregation = "COUNT"};
  for (int i = 0; i < 1000; ++i) table.rules.emplace_back(i % 2 == 0 ? "> 5" : "<= 5", "1");
  EXPECT_EQ(result_of(table, "3"), "500");
}

}  // namespace
}  // namespace beeline::dmn
