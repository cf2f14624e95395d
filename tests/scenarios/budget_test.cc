#include <fmt/format.h>

#include "engine/engine.h"
#include "tests/support/decision_files.h"
#include "tests/support/scenario.h"

// Budgets for the expressions of one command and of one batch.
namespace beeline::testing {
namespace {

// Returns an expression that uses about this percentage of the budget and evaluates to true.
std::string busy(int percent) {
  constexpr std::int64_t kStepsPerTurn = 2;
  return fmt::format("every i in 1..{} satisfies true",
                     feel::Budget::kSteps / 100 * percent / kStepsPerTurn);
}

class BudgetTest : public ScenarioTest {
 protected:
  std::string incident_message() {
    return world.state().incidents().find(given.incident_key())->record.error_message;
  }
  static constexpr const char* kUsedUp =
      "The expressions of one command took more than 6000000 steps";
};

TEST_F(BudgetTest, the_expressions_of_one_command_share_a_budget) {
  given.process("p", start() >>
                         service_task("busy", job("work"), input("=" + busy(40), "a"),
                                      input("=" + busy(40), "b"), input("=" + busy(40), "c")) >>
                         bpmn::build::end());
  when.instance("p");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED");
  EXPECT_NE(incident_message().find(kUsedUp), std::string::npos) << incident_message();
}

TEST_F(BudgetTest, each_command_has_its_own) {
  given.process("p", start() >> script_task("one", script(busy(80), "a")) >>
                         script_task("two", script(busy(80), "b")) >>
                         service_task("work", job("work")) >> bpmn::build::end());
  const std::size_t frames = world.frames().size();
  const Key instance = given.instance("p");
  EXPECT_EQ(then.variable(instance, "b"), "true");
  EXPECT_EQ(world.state().incidents().count(), 0U);
  // A batch ends with the command that exceeds the budget of the batch.
  EXPECT_EQ(world.frames().size(), frames + 3);
}

TEST_F(BudgetTest, a_regular_expression_that_never_ends_is_an_incident_and_can_be_canceled) {
  given.process("p", start() >> script_task("busy", script("matches(text, \"(a+)+$\")", "found")) >>
                         bpmn::build::end());
  const Key instance = given.instance("p", R"({"text":")" + std::string(100'000, 'a') + R"(!"})");
  EXPECT_NE(incident_message().find(kUsedUp), std::string::npos) << incident_message();
  given.cancels(instance);
  then.all_done();
}

TEST_F(BudgetTest, a_decision_has_the_budget_of_its_command) {
  given.deploys({{"d.dmn", decisions_file("drg", literal_decision("d", busy(70)))}});
  given.process("p", start() >> business_rule_task("rule", called_decision("d", "a"),
                                                   input("=" + busy(40), "x")) >>
                         bpmn::build::end());
  when.instance("p");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED");
  EXPECT_NE(incident_message().find("xpressions of one command took more than"), std::string::npos)
      << incident_message();
}

}  // namespace
}  // namespace beeline::testing
