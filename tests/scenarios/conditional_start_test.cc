#include "record/json.h"
#include "tests/scenarios/conditional_models.h"
#include "tests/support/cluster.h"

// Conditional start events, and triggers that meet other commands (spec: conditions 2, 4;
// scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::ConditionalEvaluationIntent;
using record::ConditionalEvaluationRecord;
using record::ConditionalSubscriptionIntent;
using record::ConditionalSubscriptionRecord;

void evaluate(Actions when, std::string_view variables, Key definition = Key{},
              const std::string& tenant = "<default>") {
  ConditionalEvaluationRecord value;
  value.variables = *record::parse_document(variables);
  value.process_definition_key = definition;
  value.tenant_id = tenant;
  when.submits(ConditionalEvaluationIntent::Evaluate, Key{}, value);
}

// Returns the process ids of the instances that the last evaluation has started, in order.
std::vector<std::string> started(const World& world, const Expectations& then) {
  std::vector<std::string> ids;
  for (const auto& each : then.answer<ConditionalEvaluationRecord>().started_process_instances) {
    ids.push_back(world.state().definitions().get(each.process_definition_key).bpmn_process_id);
  }
  return ids;
}

using Ids = std::vector<std::string>;

Model conditional_start(const std::string& id, const std::string& condition) {
  return process(id, start(conditional(id + "_start", condition)) >>
                         service_task(id + "_task", job(id)) >> end(id + "_end"));
}

SCENARIO(CN7_an_evaluation_starts_every_definition_whose_condition_holds) {
  given.model("low.bpmn", conditional_start("low", "=x > 1"));
  given.model("high.bpmn", conditional_start("high", "=x > 10"));
  given.model("other.bpmn", conditional_start("other", "=y > 1"));
  evaluate(when, R"({"x":5})");
  then.records(R"(
    C CONDITIONAL_EVALUATION EVALUATE
    E PROCESS_EVENT TRIGGERING low_start
    C ELEMENT ACTIVATE low
    E PROCESS_INSTANCE_CREATION CREATED low
    E CONDITIONAL_EVALUATION EVALUATED
    E ELEMENT ACTIVATING low
    E ELEMENT ACTIVATED low
    E PROCESS_EVENT TRIGGERED low_start
    E ELEMENT ACTIVATING low_start
    E ELEMENT ACTIVATED low_start
    E VARIABLE CREATED x
    C ELEMENT COMPLETE low_start
    E ELEMENT COMPLETING low_start
    E VARIABLE CREATED x value="5"
    E ELEMENT COMPLETED low_start
    ...
    E ELEMENT ACTIVATED low_task
  )");
  EXPECT_EQ(started(world, then), Ids{"low"});
  const auto answer = then.answer<ConditionalEvaluationRecord>();
  EXPECT_EQ(answer.started_process_instances.front().process_instance_key, given.element("low"));
  EXPECT_EQ(then.variable(given.element("low"), "x"), "5");
  evaluate(when, R"({"x":11,"y":2,"z":3})");
  EXPECT_EQ(started(world, then), (Ids{"low", "high", "other"}));
}

SCENARIO(CN7_several_start_events_of_one_process_start_an_instance_each) {
  given.process("p", start(conditional("a", "=x > 1")) >> end("ended_a"),
                start(conditional("b", "=x > 2")) >> end("ended_b"));
  evaluate(when, R"({"x":3})");
  EXPECT_EQ(started(world, then), (Ids{"p", "p"}));
  then.records_of({"E ELEMENT COMPLETED e"}, R"(
    E ELEMENT COMPLETED ended_a
    E ELEMENT COMPLETED ended_b
  )");
  then.all_done();
}

SCENARIO(CN7_a_key_limits_the_evaluation_to_one_definition) {
  given.model("a.bpmn", conditional_start("a", "=x > 1"));
  given.model("b.bpmn", conditional_start("b", "=x > 1"));
  given.process("c", start() >> end());
  evaluate(when, R"({"x":3})", given.definition("b"));
  EXPECT_EQ(started(world, then), Ids{"b"});
  evaluate(when, R"({"x":3})", given.definition("c"));
  EXPECT_EQ(started(world, then), Ids{}) << "it has no conditional start event";
  evaluate(when, R"({"x":3})", Key{777});
  then.rejected(RejectionType::NotFound,
                "Expected to evaluate conditional for process definition key '777', but no such "
                "process was found.");
  evaluate(when, R"({"x":3})", given.definition("b"), "acme");
  then.rejected(RejectionType::NotFound, "no such process was found");
}

SCENARIO(CN7_an_evaluation_without_a_match_is_answered_with_no_instances) {
  evaluate(when, R"({"x":1})");
  then.records(R"(
    C CONDITIONAL_EVALUATION EVALUATE
    E CONDITIONAL_EVALUATION EVALUATED
  )");
  EXPECT_EQ(started(world, then), Ids{});
  given.model("a.bpmn", conditional_start("a", "=x > 1"));
  given.model("not.bpmn", conditional_start("not", "=x = null"));
  given.model("broken.bpmn", conditional_start("broken", "=assert(x, x > 100)"));
  given.model("text.bpmn", conditional_start("text", "=\"true\" + string(x)"));
  for (const char* variables : {R"({"x":1})", "{}", R"({"y":2})", R"({"x":"text"})"}) {
    evaluate(when, variables);
    EXPECT_EQ(started(world, then), Ids{}) << variables;
  }
  evaluate(when, R"({"x":3})", Key{}, "acme");
  EXPECT_EQ(started(world, then), Ids{}) << "another tenant has no start events";
}

SCENARIO(CN7_a_condition_that_reads_nothing_is_tried_with_any_variables) {
  given.model("always.bpmn", conditional_start("always", "=1 < 2"));
  evaluate(when, "{}");
  EXPECT_EQ(started(world, then), Ids{"always"});
}

SCENARIO(CN7_the_newest_version_has_the_start_event_and_the_former_one_takes_over_again) {
  given.model("p.bpmn", conditional_start("p", "=x > 1"));
  const Key first = given.definition("p");
  given.model("p.bpmn", conditional_start("p", "=x > 10"));
  const Key second = given.definition("p");
  EXPECT_EQ(world.state().conditional_subscriptions().count(), 1U);
  evaluate(when, R"({"x":5})");
  EXPECT_EQ(started(world, then), Ids{});
  record::ResourceDeletionRecord deletion;
  deletion.resource_key = second;
  when.submits(record::ResourceDeletionIntent::Delete, Key{}, deletion);
  then.records_of({"E CONDITIONAL"}, R"(
    E CONDITIONAL_SUBSCRIPTION DELETED p_start
    E CONDITIONAL_SUBSCRIPTION CREATED p_start
  )");
  evaluate(when, R"({"x":5})", second);
  then.rejected(RejectionType::NotFound, "no such process was found");
  evaluate(when, R"({"x":5})", first);
  EXPECT_EQ(started(world, then), Ids{"p"});
}

SCENARIO(variables_that_no_instance_may_have_are_rejected) {
  given.model("a.bpmn", conditional_start("a", "=x > 1"));
  ConditionalEvaluationRecord value;
  value.variables.entries = {{"x", "2"},
                             {"y", "\"" + std::string(std::size_t{33} << 20, 'y') + "\""}};
  when.submits(ConditionalEvaluationIntent::Evaluate, Key{}, value);
  then.rejected(RejectionType::InvalidArgument, "(instance-variables-max)");
}

SCENARIO(an_expensive_start_condition_costs_the_others_nothing) {
  given.model("a.bpmn",
              conditional_start("a", "=x > 1 and (every i in 1..9000000 satisfies true)"));
  given.model("b.bpmn", conditional_start("b", "=x > 1"));
  evaluate(when, R"({"x":3})");
  EXPECT_EQ(started(world, then), Ids{"b"});
}

// The first instance of an evaluation meets a bug.
class ConditionalBugTest : public ScenarioTest {
 protected:
  ConditionalBugTest() : ScenarioTest(options(*this)) {}

  bool is_armed = false;

 private:
  static engine::EngineOptions options(ConditionalBugTest& test) {
    engine::EngineOptions options;
    options.before_command = [&test](const record::Metadata& metadata) {
      if (!test.is_armed || record::text_name(metadata) != "ELEMENT ACTIVATE") return;
      if (!test.failing_.is_set()) test.failing_ = metadata.key;
      if (test.failing_ == metadata.key) throw InvariantError("a bug");
    };
    return options;
  }

  Key failing_;
};

TEST_F(ConditionalBugTest, one_instance_that_fails_keeps_no_other_from_starting) {
  given.model("a.bpmn", conditional_start("a", "=x > 1"));
  given.model("b.bpmn", conditional_start("b", "=x > 1"));
  is_armed = true;
  evaluate(when, R"({"x":3})");
  EXPECT_EQ(started(world, then), (Ids{"a", "b"}));
  EXPECT_EQ(given.activates_jobs("a").size(), 0U);
  EXPECT_EQ(given.activates_jobs("b").size(), 1U);
}

TEST(ConditionalPartitions, CN7_every_partition_has_the_start_events_and_starts_its_own_instances) {
  Cluster cluster{3};
  cluster.when(1).model("a.bpmn", conditional_start("a", "=x > 1"));
  evaluate(cluster.when(2), R"({"x":3})");
  EXPECT_TRUE(started(cluster.at(2), cluster.then(2)).empty()) << "it is not deployed there yet";
  evaluate(cluster.when(2), R"({"x":3})", cluster.given(1).definition("a"));
  cluster.then(2).rejected(RejectionType::NotFound, "no such process was found");
  cluster.deliver();
  for (std::int32_t number = 1; number <= 3; ++number) {
    SCOPED_TRACE(number);
    EXPECT_EQ(cluster.at(number).state().conditional_subscriptions().count(), 1U);
    evaluate(cluster.when(number), R"({"x":3})");
    EXPECT_EQ(started(cluster.at(number), cluster.then(number)), Ids{"a"});
    EXPECT_EQ(cluster.given(number).activates_jobs("a").size(), 1U);
  }
  record::ResourceDeletionRecord deletion;
  deletion.resource_key = cluster.given(1).definition("a");
  cluster.when(1).submits(record::ResourceDeletionIntent::Delete, Key{}, deletion);
  cluster.deliver();
  for (std::int32_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(cluster.at(number).state().conditional_subscriptions().count(), 0U);
  }
}

// --- triggers that meet other commands ----------------------------------------------------------

SCENARIO_STEP_BY_STEP(CN6_a_trigger_behind_the_completion_of_the_host_is_rejected) {
  given.model("order.bpmn", conditional_boundary());
  const Key instance = given.instance("order");
  when.appends_behind_others([&] {
    given.sets_variables(instance, R"({"x":6})");
    given.completes_job("ship");
  });
  then.records_of({"C CONDITIONAL", "R", "E CONDITIONAL", "E ELEMENT COMPLETED s"}, R"(
    C CONDITIONAL_SUBSCRIPTION TRIGGER stop
    R CONDITIONAL_SUBSCRIPTION TRIGGER stop rejection=INVALID_STATE
    E CONDITIONAL_SUBSCRIPTION DELETED stop
    E ELEMENT COMPLETED ship
    E ELEMENT COMPLETED shipped
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(CN6_a_change_behind_the_completion_of_the_host_triggers_nothing) {
  given.model("order.bpmn", conditional_boundary());
  const Key instance = given.instance("order");
  when.appends_behind_others([&] {
    given.completes_job("ship");
    given.sets_variables(instance, R"({"x":6})");
  });
  then.records_of({"C CONDITIONAL", "R", "E CONDITIONAL"},
                  "E CONDITIONAL_SUBSCRIPTION DELETED stop");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(CN6_a_trigger_before_the_completion_of_the_host_wins) {
  given.model("order.bpmn", conditional_boundary());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.sets_variables(instance, R"({"x":6})");
    given.completes_job("ship");
  });
  then.records_of({"R", "E CONDITIONAL", "E ELEMENT TERMINATED"}, R"(
    E CONDITIONAL_SUBSCRIPTION TRIGGERED stop
    R JOB COMPLETE rejection=NOT_FOUND
    E ELEMENT TERMINATED ship
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(CN6_of_two_triggers_of_one_subscription_the_second_is_rejected) {
  given.model("order.bpmn", conditional_boundary());
  const Key instance = given.instance("order");
  when.appends_behind_others([&] {
    given.sets_variables(instance, R"({"x":6})");
    given.sets_variables(instance, R"({"x":7})");
  });
  then.records_of({"R", "E CONDITIONAL", "C CONDITIONAL"}, R"(
    C CONDITIONAL_SUBSCRIPTION TRIGGER stop
    C CONDITIONAL_SUBSCRIPTION TRIGGER stop
    E CONDITIONAL_SUBSCRIPTION TRIGGERED stop
    R CONDITIONAL_SUBSCRIPTION TRIGGER stop rejection=NOT_FOUND
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(CN6_a_cancellation_behind_a_change_ends_the_instance_in_any_case) {
  given.model("order.bpmn", conditional_in_subprocess());
  for (const bool cancels_first : {false, true}) {
    const Key instance = given.instance("order");
    when.appends_behind_others([&] {
      if (cancels_first) given.cancels(instance);
      given.sets_variables(instance, R"({"x":6})");
      if (!cancels_first) given.cancels(instance);
    });
    then.all_done();
    expect_no_conditions(world);
  }
}

SCENARIO_STEP_BY_STEP(CN6_a_condition_and_a_message_of_one_host_fire_once_together) {
  for (const bool message_first : {false, true}) {
    given.process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                  boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"),
                  boundary("ship", message("paid", "paid", "=1")) >> end("ended_paid"));
    const Key instance = given.instance("order");
    when.appends([&] {
      if (message_first) given.publishes("paid", "1");
      given.sets_variables(instance, R"({"x":6})");
      if (!message_first) given.publishes("paid", "1");
    });
    then.records_of({"E ELEMENT COMPLETED stop", "E ELEMENT COMPLETED ended"},
                    message_first ? "E ELEMENT COMPLETED ended_paid" : R"(
      E ELEMENT COMPLETED stop
      E ELEMENT COMPLETED stopped
    )");
    then.all_done();
    expect_no_conditions(world);
  }
}

SCENARIO(a_trigger_of_a_subscription_that_never_was_is_rejected) {
  given.model("a.bpmn", conditional_start("a", "=x > 1"));
  const Key start =
      world.state().conditional_subscriptions().of_definition(given.definition("a"))[0];
  for (const Key key : {Key{777}, start}) {
    when.submits(ConditionalSubscriptionIntent::Trigger, key, ConditionalSubscriptionRecord{});
    then.rejected(RejectionType::NotFound, "no such subscription was found");
  }
}

}  // namespace
}  // namespace beeline::testing
