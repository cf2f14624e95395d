#include "dmn/dmn.h"

#include <map>
#include <set>

#include "dmn/dmn_testing.h"

namespace beeline::dmn {
namespace {

using testing::decision;
using testing::definitions;
using testing::evaluate;
using testing::evaluate_standard;
using testing::literal;
using testing::outcome;
using testing::parsed;
using testing::problems_of;
using testing::requires_decision;
using testing::requires_input;
using testing::requires_knowledge;

// ---- files --------------------------------------------------------------------------------------

TEST(Definitions, name_the_file_and_its_decisions) {
  const Definitions file =
      parsed(definitions("<decision id='a' name='First'><extensionElements>"
                         "<z:versionTag xmlns:z='http://camunda.org/schema/zeebe/1.0' value='v7'/>"
                         "</extensionElements></decision>" +
                         decision("b", literal("1"))));
  EXPECT_EQ(file.id(), "drg");
  EXPECT_EQ(file.name(), "DRG");
  EXPECT_EQ(file.model_namespace(), "test");
  ASSERT_EQ(file.decisions().size(), 2U);
  EXPECT_EQ(file.decisions()[0].name, "First");
  EXPECT_EQ(file.decisions()[0].version_tag, "v7");
  EXPECT_TRUE(file.has_decision("b"));
  EXPECT_FALSE(file.has_decision("c"));
}

TEST(Definitions, every_version_of_the_standard_is_read_whatever_the_prefix) {
  for (const char* space : {"http://www.omg.org/spec/DMN/20151101/dmn.xsd",
                            "http://www.omg.org/spec/DMN/20180521/MODEL/",
                            "https://www.omg.org/spec/DMN/20191111/MODEL/",
                            "https://www.omg.org/spec/DMN/20211108/MODEL/",
                            "https://www.omg.org/spec/DMN/20230324/MODEL/",
                            "https://www.omg.org/spec/DMN/20240513/MODEL/"}) {
    const std::string xml =
        std::string("<d:definitions xmlns:d='") + space +
        "' id='x' name='x' namespace='n'><d:decision id='a' name='a'>"
        "<other xmlns='urn:foreign'/><d:literalExpression><d:text>1 + 1</d:text>"
        "</d:literalExpression></d:decision></d:definitions>";
    EXPECT_EQ(outcome(evaluate(xml, "a")), "2") << space;
  }
}

TEST(Definitions, what_is_no_dmn_file_is_refused) {
  EXPECT_NE(problems_of(""), "");
  EXPECT_NE(problems_of("<definitions"), "");
  EXPECT_NE(problems_of("<definitions id='x'/>"), "");
  EXPECT_EQ(problems_of("<process xmlns='urn:x'/>"),
            "Expected DMN definitions, but the file has 'process' of namespace 'urn:x'.");
  EXPECT_EQ(problems_of("<!DOCTYPE x [<!ENTITY e 'boom'>]>" + definitions("")),
            "A document type is not allowed.");
  EXPECT_NE(problems_of(std::string(kFileBytesMax + 1, ' ')), "");
}

TEST(Definitions, nesting_is_limited) {
  std::string open;
  std::string close;
  for (int i = 0; i < 60; ++i) {
    open += "<list>";
    close += "</list>";
  }
  EXPECT_EQ(problems_of(definitions(decision("a", open + close))), "");
  std::string deep_open = open + open;
  EXPECT_EQ(problems_of(definitions(decision("a", deep_open + close + close))),
            "Elements are nested deeper than 100.");
}

TEST(Definitions, all_problems_are_reported_with_their_element) {
  EXPECT_EQ(problems_of(definitions(decision("a", literal("1")) + decision("a", literal("2")))),
            "a: The id 'a' is used more than once.");
  EXPECT_EQ(problems_of(definitions("<decision name='a'/>")),
            "Element 'decision' must have an id.");
  const std::string both =
      problems_of(definitions(decision("a", literal("1 +")) + decision("b", literal("("))));
  EXPECT_NE(both.find("a: Failed to parse expression '1 +'"), std::string::npos) << both;
  EXPECT_NE(both.find("b: Failed to parse expression '('"), std::string::npos) << both;
  EXPECT_EQ(problems_of(definitions(decision("a", requires_decision("b") + literal("1")))),
            "a: It refers to '#b', but there is no such element.");
  EXPECT_EQ(problems_of(definitions(decision("a",
                                             "<literalExpression expressionLanguage='juel'>"
                                             "<text>1</text></literalExpression>"))),
            "a: The expression language must be FEEL, but it is 'juel'.");
}

TEST(Definitions, tables_must_be_rectangular) {
  const auto table = [](const std::string& attributes, const std::string& content) {
    return problems_of(definitions(
        decision("a", "<decisionTable id='t' " + attributes + ">" + content + "</decisionTable>")));
  };
  EXPECT_EQ(table("", "<output/><rule id='r'><inputEntry/><outputEntry/></rule>"),
            "r: Rule 1 has 1 input and 1 output entries for 0 inputs and 1 outputs.");
  EXPECT_EQ(table("", ""), "t: A decision table must have an output.");
  EXPECT_EQ(table("", "<output name='a'/><output name='a'/>"), "t: Two outputs have the name 'a'.");
  EXPECT_EQ(table("", "<output name='a'/><output/>"),
            "t: Each of several outputs must have a name.");
  EXPECT_EQ(table("hitPolicy='COLLECT' aggregation='SUM'", "<output name='a'/><output name='b'/>"),
            "t: A decision table with an aggregation must have one output.");
  EXPECT_EQ(table("hitPolicy='LAST'", "<output/>"), "t: There is no hit policy 'LAST'.");
  EXPECT_EQ(table("", "<input id='i'/><output/>"), "i: An input must have an expression.");
  EXPECT_EQ(problems_of(
                definitions(decision("a", "<relation id='q'><column name='c'/><row/></relation>"))),
            "q: Row 1 of a relation has 0 cells for 1 columns.");
}

TEST(Definitions, their_number_is_limited) {
  std::string many;
  for (std::size_t i = 0; i <= kDecisionsMax; ++i) {
    many += "<decision id='d" + std::to_string(i) + "' name='d" + std::to_string(i) + "'/>";
  }
  EXPECT_NE(problems_of(definitions(many)), "");
}

TEST(Definitions, cycles_and_long_chains_are_refused) {
  EXPECT_NE(problems_of(definitions(decision("a", requires_decision("b") + literal("b")) +
                                    decision("b", requires_decision("a") + literal("a"))))
                .find("It requires itself"),
            std::string::npos);
  std::string chain = decision("d0", literal("0"));
  for (int i = 1; i <= kRequirementDepthMax + 1; ++i) {
    const std::string below = "d" + std::to_string(i - 1);
    chain += decision("d" + std::to_string(i), requires_decision(below) + literal(below + " + 1"));
    if (i == kRequirementDepthMax) {
      EXPECT_EQ(outcome(evaluate(definitions(chain), "d200")), "200");
    }
  }
  EXPECT_EQ(problems_of(definitions(chain)), "d201: Its chain of requirements is longer than 200.");
}

TEST(Definitions, unknown_types_are_a_problem_of_the_standard_only) {
  const std::string xml =
      definitions("<decision id='a' name='a'><variable name='a' typeRef='integer32'/>" +
                  literal("1") + "</decision>");
  EXPECT_EQ(problems_of(xml), "");
  EXPECT_EQ(problems_of(xml, Reading::Standard), "a: There is no type 'integer32'.");
}

TEST(Definitions, types_must_not_contain_themselves) {
  EXPECT_EQ(problems_of(definitions("<itemDefinition name='t'><itemComponent name='c'><typeRef>t"
                                    "</typeRef></itemComponent></itemDefinition>")),
            "Type 't' is defined by itself.");
}

// ---- the graph ----------------------------------------------------------------------------------

TEST(Decision, sees_process_variables_and_required_results) {
  const std::string xml =
      definitions(decision("base", literal("price * 2")) +
                  decision("total", requires_decision("base") + literal("base + shipping")));
  const DecisionResult result =
      evaluate(xml, "total", {{"price", "10"}, {"shipping", "1.5"}, {"base", "1000"}});
  EXPECT_EQ(outcome(result), "21.5");
  ASSERT_EQ(result.evaluated_decisions.size(), 2U);
  EXPECT_EQ(result.evaluated_decisions[0].id, "base");
  EXPECT_EQ(result.evaluated_decisions[0].output_json, "20");
  EXPECT_EQ(result.evaluated_decisions[1].id, "total");
  EXPECT_EQ(decision_type_name(result.evaluated_decisions[1].type), "LITERAL_EXPRESSION");
}

TEST(Decision, without_variable_is_known_by_id_and_name) {
  const std::string xml =
      definitions("<decision id='the_id' name='The Name'>" + literal("1") + "</decision>" +
                  decision("a", requires_decision("the_id") + literal("the_id + `The Name`")));
  EXPECT_EQ(outcome(evaluate(xml, "a")), "2");
}

TEST(Decision, that_two_others_require_is_evaluated_once) {
  const std::string xml =
      definitions(decision("base", literal("1")) +
                  decision("left", requires_decision("base") + literal("base")) +
                  decision("right", requires_decision("base") + literal("base")) +
                  decision("top", requires_decision("left") + requires_decision("right") +
                                      literal("left + right")));
  const DecisionResult result = evaluate(xml, "top");
  EXPECT_EQ(outcome(result), "2");
  EXPECT_EQ(result.evaluated_decisions.size(), 4U);
}

TEST(Decision, that_does_not_exist_is_a_failure) {
  EXPECT_EQ(outcome(evaluate(definitions(""), "nope")),
            "! Expected to find decision 'nope', but there is none");
}

TEST(Decision, of_the_wrong_type_fails_in_a_workflow_and_is_null_in_the_standard) {
  const std::string xml =
      definitions("<decision id='a' name='a'><variable name='a' typeRef='number'/>" +
                  literal("\"text\"") + "</decision>");
  EXPECT_EQ(outcome(evaluate(xml, "a")),
            "! Expected the result of decision 'a' to be of type 'number', but it is \"text\"");
  EXPECT_EQ(outcome(evaluate_standard(xml, "a")), "null");
}

TEST(Decision, that_fails_names_itself_and_leaves_those_before_it_in_the_record) {
  const std::string xml =
      definitions(decision("base", literal("1")) +
                  decision("bad", requires_decision("base") +
                                      literal("assert(base, base > 5, \"too small\")")) +
                  decision("top", requires_decision("bad") + literal("bad")));
  const DecisionResult result = evaluate(xml, "top");
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->decision_id, "bad");
  ASSERT_EQ(result.evaluated_decisions.size(), 2U);
  EXPECT_EQ(result.evaluated_decisions[1].id, "bad");
  EXPECT_EQ(result.evaluated_decisions[1].output_json, "null");
}

TEST(Decision, without_logic_is_null) {
  EXPECT_EQ(outcome(evaluate(definitions(decision("a", "")), "a")), "null");
}

TEST(Decision, under_the_standard_sees_only_what_it_requires) {
  const std::string xml = definitions("<inputData id='x' name='x'/><inputData id='y' name='y'/>" +
                                      decision("a", requires_input("x") + literal("[x, y]")));
  EXPECT_EQ(outcome(evaluate_standard(xml, "a", R"({"x": 1, "y": 2})")), "[1,null]");
}

TEST(Decision, under_the_standard_may_be_given_instead_of_evaluated) {
  const std::string xml = definitions(decision("base", literal("1")) +
                                      decision("a", requires_decision("base") + literal("base")));
  EXPECT_EQ(outcome(evaluate_standard(xml, "a", R"({"base": 7})")), "7");
}

TEST(Decision, names_may_hold_spaces_and_operators_under_the_standard) {
  const std::string xml =
      definitions("<inputData id='i1' name='Loan - to Value'/><inputData id='i2' name='Loan'/>" +
                  decision("a", requires_input("i1") + requires_input("i2") +
                                    literal("Loan - to Value - Loan")));
  EXPECT_EQ(outcome(evaluate_standard(xml, "a", R"({"Loan-to Value": 10, "Loan": 3})")), "7");
}

// ---- types --------------------------------------------------------------------------------------

TEST(Types, constraints_of_types_make_values_null) {
  const std::string xml = definitions(
      "<itemDefinition name='tColor'><typeRef>string</typeRef><allowedValues><text>\"red\",\"blue\""
      "</text></allowedValues></itemDefinition>"
      "<itemDefinition name='tColors' isCollection='true'><typeRef>tColor</typeRef>"
      "<typeConstraint><text>count(?) > 1</text></typeConstraint></itemDefinition>"
      "<itemDefinition name='tCar'><itemComponent name='color'><typeRef>tColor</typeRef>"
      "</itemComponent></itemDefinition>"
      "<inputData id='c' name='c'><variable name='c' typeRef='tColor'/></inputData>"
      "<inputData id='cs' name='cs'><variable name='cs' typeRef='tColors'/></inputData>"
      "<inputData id='car' name='car'><variable name='car' typeRef='tCar'/></inputData>" +
      decision("a", requires_input("c") + requires_input("cs") + requires_input("car") +
                        literal("[c, cs, car]")));
  EXPECT_EQ(outcome(evaluate_standard(
                xml, "a", R"({"c": "red", "cs": ["red", "blue"], "car": {"color": "blue"}})")),
            R"(["red",["red","blue"],{"color":"blue"}])");
  EXPECT_EQ(outcome(evaluate_standard(
                xml, "a", R"({"c": "pink", "cs": ["red", "pink"], "car": {"color": "pink"}})")),
            "[null,null,null]");
  EXPECT_EQ(outcome(evaluate_standard(xml, "a", R"({"cs": ["red"]})")), "[null,null,null]");
}

TEST(Types, a_single_value_and_a_list_of_one_stand_for_each_other) {
  const std::string xml = definitions(
      "<itemDefinition name='tList' isCollection='true'><typeRef>number</typeRef></itemDefinition>"
      "<inputData id='l' name='l'><variable name='l' typeRef='tList'/></inputData>"
      "<inputData id='n' name='n'><variable name='n' typeRef='number'/></inputData>" +
      decision("a", requires_input("l") + requires_input("n") + literal("[l, n]")));
  EXPECT_EQ(outcome(evaluate_standard(xml, "a", R"({"l": 1, "n": [2]})")), "[[1],2]");
}

// ---- knowledge models and services --------------------------------------------------------------

std::string knowledge(const std::string& id, const std::string& parameters,
                      const std::string& requirements, const std::string& body) {
  return "<businessKnowledgeModel id='" + id + "' name='" + id + "'><variable name='" + id +
         "'/><encapsulatedLogic>" + parameters + body + "</encapsulatedLogic>" + requirements +
         "</businessKnowledgeModel>";
}

TEST(KnowledgeModel, is_a_function_that_sees_its_own_requirements) {
  const std::string xml = definitions(
      knowledge("twice", "<formalParameter name='n' typeRef='number'/>", "", literal("n * 2")) +
      knowledge("thrice", "<formalParameter name='n'/>", requires_knowledge("twice"),
                literal("twice(n) + n")) +
      decision("a", requires_knowledge("thrice") + literal("thrice(n: 5)")));
  EXPECT_EQ(outcome(evaluate(xml, "a")), "15");
  EXPECT_EQ(outcome(evaluate_standard(xml, "a")), "15");
}

TEST(KnowledgeModel, may_call_itself_within_limits) {
  const auto recursive = [](const char* body) {
    return definitions(knowledge("f", "<formalParameter name='n'/>", "", literal(body)) +
                       decision("a", requires_knowledge("f") + literal("f(20)")));
  };
  EXPECT_EQ(outcome(evaluate(recursive("if n <= 1 then 1 else n * f(n - 1)"), "a")),
            "2432902008176640000");
  EXPECT_TRUE(evaluate(recursive("f(n + 1)"), "a").failure);
  EXPECT_TRUE(evaluate_standard(recursive("f(n + 1)"), "a").failure);
}

TEST(KnowledgeModel, is_invoked_by_parameter_name) {
  const std::string invocation = "<invocation>" + literal("f") + "<binding><parameter name='b'/>" +
                                 literal("1") + "</binding><binding><parameter name='a'/>" +
                                 literal("10") + "</binding></invocation>";
  const std::string xml =
      definitions(knowledge("f", "<formalParameter name='a'/><formalParameter name='b'/>", "",
                            literal("a - b")) +
                  decision("d", requires_knowledge("f") + invocation));
  EXPECT_EQ(outcome(evaluate(xml, "d")), "9");
  EXPECT_EQ(decision_type_name(evaluate(xml, "d").evaluated_decisions[0].type), "INVOCATION");
}

TEST(Service, evaluates_its_decisions_with_arguments_for_the_inputs) {
  const std::string xml = definitions(
      "<inputData id='x' name='x'/>" + decision("given", literal("0")) +
      decision("out", requires_decision("given") + requires_input("x") + literal("[x, given]")) +
      "<decisionService id='s' name='s'><outputDecision href='#out'/>"
      "<inputDecision href='#given'/><inputData href='#x'/></decisionService>" +
      decision("caller", requires_knowledge("s") + literal("s(1, 2)")) +
      decision("named", requires_knowledge("s") + literal("s(given: 1, x: 2)")));
  EXPECT_EQ(outcome(evaluate_standard(xml, "caller")), "[1,2]");
  EXPECT_EQ(outcome(evaluate_standard(xml, "named")), "[2,1]");
  EXPECT_EQ(outcome(evaluate_service(parsed(xml, Reading::Standard), "s",
                                     feel::parse_json(R"({"x": 3, "given": 4})")->context(), {})),
            "[3,4]");
  EXPECT_TRUE(evaluate_service(parsed(xml), "t", {}, {}).failure);
}

TEST(Imports, are_reached_through_their_prefix) {
  const std::string library =
      "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' id='l' name='l' "
      "namespace='urn:lib'><inputData id='x' name='x'><variable name='x' typeRef='tN'/></inputData>"
      "<itemDefinition name='tN'><typeRef>number</typeRef></itemDefinition>" +
      decision("double it", requires_input("x") + literal("x * 2")) + "</definitions>";
  const std::string main = definitions(
      "<import name='my lib' namespace='urn:lib' importType='x'/>"
      "<decision id='a' name='a'><variable name='a' typeRef='my lib.tN'/>"
      "<informationRequirement><requiredDecision href='urn:lib#double it'/>"
      "</informationRequirement>" +
      literal("my lib.double it + 1") + "</decision>");
  EXPECT_NE(problems_of(main, Reading::Standard), "");
  const std::string_view imports[] = {library};
  const auto file = parse_definitions(main, Reading::Standard, imports);
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(outcome(evaluate_decision(*file, "a", feel::parse_json(R"({"x": 4})")->context(), {})),
            "9");
  EXPECT_EQ(outcome(evaluate_decision(
                *file, "a", feel::parse_json(R"({"urn:lib#x": 5, "x": 4})")->context(), {})),
            "11");
}

std::string file_of(const std::string& model_namespace, const std::string& content) {
  return "<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/' id='f' name='" +
         model_namespace + " file' namespace='" + model_namespace + "'>" + content +
         "</definitions>";
}

std::string import_of(const std::string& model_namespace) {
  return "<import name='i' namespace='" + model_namespace + "' importType='dmn'/>";
}

TEST(Imports, that_do_not_work_are_named) {
  const auto problems = [](const std::string& xml, std::vector<std::string_view> imports) {
    const auto parsed = parse_definitions(xml, Reading::Workflow, imports);
    return parsed ? "" : parsed.error().to_string();
  };
  const std::string main = file_of("main", import_of("lib"));
  EXPECT_EQ(problems(main, {}), "Import 'i' needs a file with namespace 'lib', but there is none.");
  EXPECT_TRUE(problems(main, {file_of("lib", decision("a", literal("1 +")))})
                  .starts_with("a: In the imported file 'lib file': Failed to parse"));
  EXPECT_TRUE(problems(main, {"<x/>"}).starts_with("In the imported file ''"));
  EXPECT_TRUE(problems(main, {file_of("lib", import_of("main"))})
                  .starts_with("File 'main file' with namespace 'main' imports itself"));
}

TEST(Imports, are_collected_through_others_and_once) {
  const std::map<std::string, std::string> files{
      {"a", file_of("a", import_of("b") + import_of("c") + import_of("none"))},
      {"b", file_of("b", import_of("c") + import_of("a"))},
      {"c", file_of("c", "")}};
  const auto texts = collect_imports(
      files.at("a"), [&](const std::string& name) -> std::optional<std::string_view> {
        const auto it = files.find(name);
        if (it == files.end()) return std::nullopt;
        return it->second;
      });
  EXPECT_EQ(std::set<std::string_view>(texts.begin(), texts.end()),
            (std::set<std::string_view>{files.at("b"), files.at("c")}));
  EXPECT_EQ(texts.size(), 2U);
  EXPECT_FALSE(look_into("<x/>"));
}

// ---- boxed expressions --------------------------------------------------------------------------

std::string boxed(const std::string& expression) {
  const std::string xml = definitions(decision("a", expression));
  const std::string workflow = outcome(evaluate(xml, "a"));
  EXPECT_EQ(outcome(evaluate_standard(xml, "a")), workflow);
  return workflow;
}

TEST(Boxed, context_entries_see_those_before_them) {
  const std::string entries = "<contextEntry><variable name='x'/>" + literal("2") +
                              "</contextEntry><contextEntry><variable name='y'/>" +
                              literal("x * 3") + "</contextEntry>";
  EXPECT_EQ(boxed("<context>" + entries + "</context>"), R"({"x":2,"y":6})");
  EXPECT_EQ(boxed("<context>" + entries + "<contextEntry>" + literal("x + y") +
                  "</contextEntry></context>"),
            "8");
}

TEST(Boxed, functions_keep_what_they_see) {
  EXPECT_EQ(boxed("<context><contextEntry><variable name='k'/>" + literal("10") +
                  "</contextEntry><contextEntry><variable name='f'/><functionDefinition>"
                  "<formalParameter name='n' typeRef='number'/>" +
                  literal("n + k") + "</functionDefinition></contextEntry><contextEntry>" +
                  literal("f(5)") + "</contextEntry></context>"),
            "15");
}

TEST(Boxed, java_functions_that_calculate_are_done_natively) {
  const auto call = [](const std::string& signature) {
    return boxed(
        "<context><contextEntry><variable name='f'/><functionDefinition kind='Java'>"
        "<formalParameter name='a'/><formalParameter name='b'/><context><contextEntry>"
        "<variable name='class'/>" +
        literal("\"java.lang.Math\"") +
        "</contextEntry><contextEntry><variable name='method signature'/>" +
        literal("\"" + signature + "\"") +
        "</contextEntry></context></functionDefinition></contextEntry><contextEntry>" +
        literal("f(2, 3)") + "</contextEntry></context>");
  };
  EXPECT_EQ(call("max(int, int)"), "3");
  EXPECT_EQ(call("exec(int, int)"), "null");
  const std::string external = R"feel((function(a, b) external {java: {class: "java.lang.Math",
      method signature: "min(int,int)"}})(2, 3))feel";
  EXPECT_EQ(boxed(literal(external)), "2");
}

TEST(Boxed, relations_and_lists) {
  EXPECT_EQ(boxed("<relation><column name='a'/><column name='b'/><row>" + literal("1") +
                  literal("2") + "</row><row>" + literal("3") + literal("4") + "</row></relation>"),
            R"([{"a":1,"b":2},{"a":3,"b":4}])");
  EXPECT_EQ(boxed("<list>" + literal("1") + "<list>" + literal("2") + "</list></list>"), "[1,[2]]");
}

TEST(Boxed, conditionals_want_a_boolean) {
  const auto conditional = [](const char* condition) {
    return boxed(std::string("<conditional><if>") + literal(condition) + "</if><then>" +
                 literal("1") + "</then><else>" + literal("2") + "</else></conditional>");
  };
  EXPECT_EQ(conditional("true"), "1");
  EXPECT_EQ(conditional("false"), "2");
  EXPECT_EQ(conditional("null"), "2");
  EXPECT_EQ(conditional("\"yes\""), "null");
}

TEST(Boxed, filters_see_the_item_and_its_entries) {
  const auto filter = [](const char* list, const char* match) {
    return boxed(std::string("<filter><in>") + literal(list) + "</in><match>" + literal(match) +
                 "</match></filter>");
  };
  EXPECT_EQ(filter("[1, 2, 3]", "item > 1"), "[2,3]");
  EXPECT_EQ(filter("[{a: 1}, {a: 2}]", "a = 2"), R"([{"a":2}])");
  EXPECT_EQ(filter("[1, 2]", "\"no\""), "null");
  EXPECT_EQ(filter("null", "true"), "null");
}

TEST(Boxed, iterations) {
  const auto iteration = [](const std::string& form, const char* list, const char* body) {
    const std::string part = form == "for" ? "return" : "satisfies";
    return boxed("<" + form + " iteratorVariable='i'><in>" + literal(list) + "</in><" + part + ">" +
                 literal(body) + "</" + part + "></" + form + ">");
  };
  EXPECT_EQ(iteration("for", "[1, 2, 3]", "i * i"), "[1,4,9]");
  EXPECT_EQ(iteration("for", "[1..3]", "i + sum(partial)"), "[null,null,null]");
  EXPECT_EQ(
      iteration("for", "[1..4]", "if count(partial) < 2 then 1 else partial[-1] + partial[-2]"),
      "[1,1,2,3]");
  EXPECT_EQ(iteration("some", "[1, 2]", "i = 2"), "true");
  EXPECT_EQ(iteration("some", "[]", "i = 2"), "false");
  EXPECT_EQ(iteration("every", "[1, 2]", "i = 2"), "false");
  EXPECT_EQ(iteration("every", "[]", "i = 2"), "true");
  EXPECT_EQ(iteration("every", "[1]", "\"no\""), "null");
  EXPECT_EQ(iteration("for", "null", "i"), "null");
}

TEST(Boxed, recursion_cannot_nest_values_without_end) {
  std::string open;
  std::string close;
  for (int i = 0; i < 40; ++i) {
    open += "<list>";
    close += "</list>";
  }
  const std::string xml =
      definitions(knowledge("f", "<formalParameter name='n'/>", "",
                            open + literal("if n = 0 then 0 else f(n - 1)") + close) +
                  decision("a", requires_knowledge("f") + literal("f(30)")));
  EXPECT_TRUE(evaluate(xml, "a").failure);
}

TEST(Boxed, work_is_limited) {
  const std::string xml =
      definitions(decision("a", "<for iteratorVariable='i'><in>" + literal("[1..100000000]") +
                                    "</in><return>" + literal("i") + "</return></for>"));
  EXPECT_TRUE(evaluate(xml, "a").failure);
}

}  // namespace
}  // namespace beeline::dmn
