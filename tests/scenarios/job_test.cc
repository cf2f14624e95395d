#include "tests/support/scenario.h"

// Jobs that are created, activated and completed (spec: jobs; scenarios/execution 3).
namespace beeline::testing {
namespace {

using record::JobBatchRecord;
using record::JobIntent;
using record::JobRecord;

Model one_job(Part definition) {
  return process("order", start() >> service_task("ship", std::move(definition)) >> end());
}

SCENARIO(JB1_a_job_carries_its_type_retries_headers_and_where_it_belongs) {
  given.model("order.bpmn", one_job(job("courier", "5", {{"speed", "high"}, {"box", "=x"}})));
  const Key instance = when.instance("order");
  then.records_of(
      {"C ELEMENT ACTIVATE ship", "E ELEMENT ACTIVATING ship", "E JOB", "E ELEMENT ACTIVATED ship"},
      R"(
    C ELEMENT ACTIVATE ship
    E ELEMENT ACTIVATING ship
    E JOB CREATED courier retries=5
    E ELEMENT ACTIVATED ship
  )");
  const JobRecord created = then.values<JobRecord>(JobIntent::Created).front();
  EXPECT_EQ(created.custom_headers, (record::Headers{{{"speed", "high"}, {"box", "=x"}}}));
  EXPECT_EQ(created.element_id, "ship");
  EXPECT_EQ(created.element_type, record::ElementType::ServiceTask);
  EXPECT_EQ(created.element_instance_key, given.element("ship"));
  EXPECT_EQ(created.process_instance_key, instance);
  EXPECT_EQ(created.bpmn_process_id, "order");
  EXPECT_EQ(created.process_definition_version, 1);
  EXPECT_EQ(created.priority, 0);
  EXPECT_EQ(created.deadline, Timestamp{-1});
}

SCENARIO(JB1_every_task_with_a_task_definition_makes_a_job) {
  given.process("order", start() >> send_task("send", job("a")) >> script_task("run", job("a")) >>
                             business_rule_task("decide", job("a")) >> user_task("ask") >> end());
  given.instance("order");
  given.completes_job("a");
  given.completes_job("a");
  when.completes_job("a");
  then.records_of({"E JOB CREATED"}, R"(
    E JOB CREATED io.camunda.zeebe:userTask retries=1 elementType=USER_TASK
  )");
  when.completes_job("io.camunda.zeebe:userTask");
  then.all_done();
}

SCENARIO(JB2_type_and_retries_may_be_expressions) {
  given.model("order.bpmn", one_job(job("=kind + \"-express\"", "=3 + 4.9")));
  when.instance("order", R"({"kind":"bike"})");
  then.records_of({"E JOB"}, "E JOB CREATED bike-express retries=7");
}

SCENARIO(JB2_static_retries_that_are_no_number_are_an_incident) {
  given.model("order.bpmn", one_job(job("bike", "many")));
  when.instance("order");
  then.records_of({"E JOB", "E INCIDENT"},
                  "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"ship\"");
}

SCENARIO(JB2_a_type_or_retries_that_do_not_evaluate_are_an_incident_until_fixed) {
  given.model("order.bpmn", one_job(job("=kind", "=tries")));
  const std::string too_long = R"({"tries":1,"kind":")" + std::string(32769, 'x') + R"("})";
  const std::vector<std::pair<std::string_view, std::string>> bad = {
      {"empty type", R"({"kind":"","tries":1})"},
      {"type is a number", R"({"kind":1,"tries":1})"},
      {"no type", R"({"tries":1})"},
      {"type is too long", too_long},
      {"retries are a string", R"({"kind":"bike","tries":"1"})"},
      {"no retries", R"({"kind":"bike"})"},
  };
  for (const auto& [situation, variables] : bad) {
    SCOPED_TRACE(situation);
    const Key instance = when.instance("order", variables);
    then.records_of({"E JOB", "E INCIDENT", "E ELEMENT ACTIVATED ship"}, R"(
      E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="ship"
    )");
    given.sets_variables(instance, R"({"kind":"bike","tries":2})");
    when.resolves_incident();
    then.records(R"(
      C INCIDENT RESOLVE
      E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
      E JOB CREATED bike retries=2
      E ELEMENT ACTIVATED ship
    )");
    when.completes_job("bike");
    then.all_done();
  }
}

SCENARIO(JB3_a_header_without_key_or_value_is_dropped) {
  given.model("order.bpmn", one_job(job("courier", "3", {{"a", ""}, {"", "b"}, {"c", "d"}})));
  when.instance("order");
  EXPECT_EQ(then.values<JobRecord>(JobIntent::Created).front().custom_headers,
            (record::Headers{{{"c", "d"}}}));
}

SCENARIO(JB3_bad_headers_are_refused_at_deployment) {
  const auto deploys = [&](Part definition) {
    return [this, definition] { when.model("order.bpmn", one_job(definition)); };
  };
  then.refused({
      {"reserved prefix", deploys(job("courier", "3", {{"io.camunda.zeebe:x", "y"}})),
       RejectionType::InvalidArgument, "io.camunda.zeebe:"},
      {"duplicate", deploys(job("courier", "3", {{"a", "1"}, {"a", "2"}})),
       RejectionType::InvalidArgument, "'a'"},
  });
}

SCENARIO(JB4_activation_takes_jobs_of_the_type_up_to_the_maximum) {
  given.model("order.bpmn", one_job(job("courier")));
  given.process("other", start() >> service_task("pack", job("packer")) >> end());
  given.instance("order", R"({"a":1,"b":2})");
  given.instance("other");
  given.instance("order", R"({"a":3})");
  given.instance("order", R"({"a":4})");
  const auto keys = when.activates_jobs("courier", 2, Milliseconds{5000}, {"a", "missing"});
  then.records(R"(
    C JOB_BATCH ACTIVATE courier
    E JOB_BATCH ACTIVATED courier
  )");
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_LT(keys[0], keys[1]);
  const auto batch = then.answer<JobBatchRecord>();
  EXPECT_EQ(batch.jobs[0].deadline, world.now() + Milliseconds{5000});
  EXPECT_EQ(batch.jobs[0].worker, "worker");
  EXPECT_EQ(batch.jobs[0].variables, (record::Document{{{"a", "1"}}}));
  EXPECT_EQ(batch.jobs[1].variables, (record::Document{{{"a", "3"}}}));
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
  EXPECT_EQ(when.activates_jobs("courier").size(), 0U);
}

SCENARIO(JB4_a_job_has_all_variables_its_element_sees_the_inner_ones_first) {
  given.process("order", start() >> service_task("ship", job("courier"), input("=a + 1", "a"),
                                                 input("=\"x\"", "local")) >>
                             end());
  given.instance("order", R"({"a":1,"outer":true})");
  given.activates_jobs("courier");
  EXPECT_EQ(then.answer<JobBatchRecord>().jobs.front().variables,
            (record::Document{{{"a", "2"}, {"local", "\"x\""}, {"outer", "true"}}}));
}

SCENARIO(JB5_an_activation_without_sense_is_refused_and_one_without_jobs_is_empty) {
  then.refused({
      {"no jobs wanted", [&] { when.activates_jobs("courier", 0); }, RejectionType::InvalidArgument,
       "max jobs to activate"},
      {"fewer than none", [&] { when.activates_jobs("courier", -1); },
       RejectionType::InvalidArgument, "max jobs to activate"},
      {"no time", [&] { when.activates_jobs("courier", 1, Milliseconds{0}); },
       RejectionType::InvalidArgument, "timeout"},
      {"no type", [&] { when.activates_jobs(""); }, RejectionType::InvalidArgument, "type"},
      {"blank type", [&] { when.activates_jobs("  "); }, RejectionType::InvalidArgument, "type"},
  });
  EXPECT_TRUE(when.activates_jobs("courier").empty());
  then.answered();
  EXPECT_FALSE(then.answer<JobBatchRecord>().truncated);
}

SCENARIO(JB6_jobs_are_handed_out_by_priority_then_age) {
  given.process("order", start() >> service_task("low", job("work")) >> end(), priority("7"),
                from("start") >> service_task("zero", job("work"), priority("0")) >> end(),
                from("start") >> service_task("high", job("work"), priority("=6 + 3")) >> end(),
                from("start") >> service_task("low_too", job("work")) >> end());
  given.process("plain", start() >> service_task("plain_task", job("work")) >> end());
  given.instance("plain");
  given.instance("order");
  given.activates_jobs("work");
  std::vector<std::pair<std::string, int>> order;
  for (const JobRecord& job : then.answer<JobBatchRecord>().jobs) {
    order.emplace_back(job.element_id, job.priority);
  }
  EXPECT_EQ(order, (std::vector<std::pair<std::string, int>>{
                       {"high", 9}, {"low", 7}, {"low_too", 7}, {"plain_task", 0}, {"zero", 0}}));
}

SCENARIO(JB7_a_priority_must_be_a_whole_number_of_32_bits) {
  given.process("order", start() >> service_task("ship", job("courier"), priority("=p")) >> end());
  for (const char* bad :
       {R"({})", R"({"p":1.5})", R"({"p":2147483648})", R"({"p":-2147483649})", R"({"p":"1"})"}) {
    SCOPED_TRACE(bad);
    when.instance("order", bad);
    then.records_of({"E JOB", "E INCIDENT"},
                    "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"ship\"");
  }
  when.instance("order", R"({"p":1.0})");
  then.records_of({"E JOB"}, "E JOB CREATED courier priority=1");
  when.instance("order", R"({"p":-2147483648})");
  then.records_of({"E JOB"}, "E JOB CREATED courier priority=-2147483648");
}

class JB8 : public ScenarioTest {
 protected:
  JB8() : ScenarioTest(options()) {}
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.reply_bytes_max = 64 * 1024;
    return options;
  }
  static std::string variables(std::size_t bytes) {
    return R"({"a":")" + std::string(bytes, 'x') + R"("})";
  }
};

TEST_F(JB8, a_batch_of_jobs_stops_before_it_is_too_large) {
  given.model("order.bpmn", one_job(job("courier")));
  for (int i = 0; i < 3; ++i) given.instance("order", variables(20'000));
  EXPECT_EQ(when.activates_jobs("courier").size(), 2U);
  EXPECT_TRUE(then.answer<JobBatchRecord>().truncated);
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
  EXPECT_FALSE(then.answer<JobBatchRecord>().truncated);
}

TEST_F(JB8, a_job_that_is_too_large_alone_has_an_incident_and_is_skipped_until_resolved) {
  given.model("order.bpmn", one_job(job("courier")));
  // Each of the two documents fits alone, but together they are too large.
  const Key large = given.instance("order", variables(30'000));
  given.sets_variables(large, R"({"b":")" + std::string(30'000, 'y') + R"("})");
  given.instance("order");
  EXPECT_TRUE(when.activates_jobs("courier").empty());
  then.records(R"(
    C JOB_BATCH ACTIVATE courier
    E JOB_BATCH ACTIVATED courier truncated=true
    E INCIDENT CREATED MESSAGE_SIZE_EXCEEDED elementId="ship"
  )");
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U) << "the other job is handed out";
  given.sets_variables(large, R"({"b":null})");
  EXPECT_TRUE(given.activates_jobs("courier").empty()) << "not before it is resolved";
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED MESSAGE_SIZE_EXCEEDED
  )");
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
}

SCENARIO(JB9_a_job_that_was_never_handed_out_can_be_completed) {
  given.model("order.bpmn", one_job(job("courier")));
  given.instance("order");
  when.completes_job("courier");
  then.answered();
  then.all_done();
}

SCENARIO(JB9_a_job_that_is_gone_or_failed_cannot_be_completed) {
  given.model("order.bpmn", one_job(job("courier")));
  given.instance("order");
  const Key gone = given.job_key("courier");
  given.completes_job("courier");
  given.instance("order");
  const Key failed = given.job_key("courier");
  given.fails_job("courier", 0);
  const auto command = [&](JobIntent intent, Key key) {
    return [this, intent, key] { when.job_command(intent, key); };
  };
  then.refused({
      {"complete, completed", command(JobIntent::Complete, gone), RejectionType::NotFound,
       "no such job"},
      {"complete, failed", command(JobIntent::Complete, failed), RejectionType::InvalidState,
       "FAILED"},
      {"fail, completed", command(JobIntent::Fail, gone), RejectionType::NotFound, "no such job"},
      {"fail, failed", command(JobIntent::Fail, failed), RejectionType::InvalidState, "FAILED"},
      {"throw, completed", command(JobIntent::ThrowError, gone), RejectionType::NotFound,
       "no such job"},
      {"throw, failed", command(JobIntent::ThrowError, failed), RejectionType::InvalidState,
       "FAILED"},
      {"cancel, completed", command(JobIntent::Cancel, gone), RejectionType::NotFound,
       "no such job"},
      {"complete, a key that was never given", command(JobIntent::Complete, Key{42}),
       RejectionType::NotFound, "no such job"},
  });
}

SCENARIO(JB10_an_empty_document_sets_nothing) {
  given.model("order.bpmn", one_job(job("courier")));
  given.instance("order");
  when.completes_job("courier", "{}");
  then.records_of({"E VARIABLE"}, "");
  given.instance("order");
  when.completes_job("courier", "");
  then.records_of({"E VARIABLE"}, "");
  then.all_done();
}

SCENARIO(JB10_a_value_that_is_no_record_is_refused) {
  given.model("order.bpmn", one_job(job("courier")));
  given.instance("order");
  const Key key = given.job_key("courier");
  then.refused({{"bytes that are not fields",
                 [&] {
                   world.submit_bytes(
                       record::make_head<record::JobRecord>(JobIntent::Complete, key),
                       "\xff\xff\xff", true);
                 },
                 RejectionType::InvalidArgument, "its bytes cannot be decoded"}});
}

SCENARIO(a_job_type_is_forgotten_with_its_last_job) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  given.instance("order");
  EXPECT_EQ(world.state().jobs().counts().size(), 1U);
  when.completes_job("courier");
  EXPECT_TRUE(world.state().jobs().counts().empty());
}

}  // namespace
}  // namespace beeline::testing
