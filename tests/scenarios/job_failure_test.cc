#include "tests/support/scenario.h"

// Jobs that fail, time out or are returned (spec: jobs 3; scenarios/execution 3).
namespace beeline::testing {
namespace {

using record::ErrorType;
using record::IncidentIntent;
using record::IncidentRecord;
using record::JobIntent;
using record::JobRecord;

class JobFailureTest : public ScenarioTest {
 protected:
  JobFailureTest() {
    given.process("order", start() >> service_task("ship", job("courier")) >> end());
  }
};

TEST_F(JobFailureTest, JB11_with_retries_left_the_job_is_there_again_at_once) {
  given.instance("order");
  const auto first = given.activates_jobs("courier");
  when.fails_job("courier", 2, "flat tyre");
  then.records(R"(
    C JOB FAIL
    E JOB FAILED courier retries=2 errorMessage="flat tyre"
  )");
  EXPECT_EQ(when.activates_jobs("courier"), first);
}

TEST_F(JobFailureTest, JB11_with_a_back_off_the_job_is_there_again_after_it) {
  given.process("urgent", start() >> service_task("fly", job("courier"), priority("5")) >> end());
  given.instance("urgent");
  given.instance("order");
  when.fails_job("courier", 2, "flat tyre", Milliseconds{1000});
  then.records_of({"E", "R"}, "E JOB FAILED courier retries=2 retryBackoff=1000");
  const auto other = when.activates_jobs("courier");
  ASSERT_EQ(other.size(), 1U);
  given.job_command(JobIntent::Yield, other.front());
  when.time_passes(Milliseconds{999});
  then.records("");
  when.time_passes(Milliseconds{1});
  then.records(R"(
    C JOB RECUR_AFTER_BACKOFF
    E JOB RECURRED_AFTER_BACKOFF courier retries=2 priority=5
  )");
  given.activates_jobs("courier");
  EXPECT_EQ(then.answer<record::JobBatchRecord>().jobs.front().element_id, "fly");
}

TEST_F(JobFailureTest, JB11_a_job_does_not_recur_early_or_without_need) {
  given.instance("order");
  const Key key = given.job_key("courier");
  const auto recurs = [&] { when.job_command(JobIntent::RecurAfterBackoff, key); };
  then.refused({{"not failed", recurs, RejectionType::NotFound, "back-off is not over"}});
  given.fails_job("courier", 1, "", Milliseconds{1000});
  then.refused({{"not over", recurs, RejectionType::NotFound, "back-off is not over"}});
  given.time_passes(Milliseconds{1000});
  then.refused({{"negative", [&] { when.fails_job("courier", 1, "", Milliseconds{-1}); },
                 RejectionType::InvalidArgument, "zero or more"}});
}

TEST_F(JobFailureTest, JB12_without_retries_there_is_an_incident_with_the_message_of_the_job) {
  given.instance("order");
  const Key key = given.job_key("courier");
  when.fails_job("courier", 0, "flat tyre");
  then.records(R"(
    C JOB FAIL
    E JOB FAILED courier
    E INCIDENT CREATED JOB_NO_RETRIES errorMessage="flat tyre" elementId="ship"
  )");
  const auto incident = then.values<IncidentRecord>(IncidentIntent::Created).front();
  EXPECT_EQ(incident.job_key, key);
  EXPECT_EQ(incident.element_instance_key, given.element("ship"));
  EXPECT_EQ(incident.variable_scope_key, given.element("ship"));
  EXPECT_TRUE(when.activates_jobs("courier").empty());
}

TEST_F(JobFailureTest, JB12_the_message_has_a_default_and_a_limit) {
  given.instance("order");
  when.fails_job("courier", -1);
  then.records_of({"E INCIDENT"},
                  R"(E INCIDENT CREATED JOB_NO_RETRIES errorMessage="No more retries left.")");
  given.instance("order");
  given.updates_retries("courier", 1);
  given.resolves_incident();
  when.fails_job("courier", 0, std::string(20'000, 'x'));
  const auto failed = then.values<JobRecord>(JobIntent::Failed).front();
  EXPECT_LE(failed.error_message.size(), 10'000U + 3);
  EXPECT_GE(failed.error_message.size(), 10'000U);
}

TEST_F(JobFailureTest, JB13_variables_of_a_failure_are_local_to_the_task) {
  const Key instance = given.instance("order", R"({"a":1})");
  when.fails_job("courier", 1, "", Milliseconds{0}, R"({"a":2,"b":3})");
  then.records(R"(
    C JOB FAIL
    E JOB FAILED courier
    E VARIABLE CREATED a value="2"
    E VARIABLE CREATED b value="3"
  )");
  for (const auto& variable :
       then.values<record::VariableRecord>(record::VariableIntent::Created)) {
    EXPECT_EQ(variable.scope_key, given.element("ship"));
  }
  EXPECT_EQ(then.variable(instance, "a"), "1");
  EXPECT_EQ(then.variable(instance, "b"), "absent");
}

TEST_F(JobFailureTest, JB14_a_job_that_times_out_is_there_again_with_its_retries) {
  given.instance("order");
  given.activates_jobs("courier", 1, Milliseconds{5000});
  when.time_passes(Milliseconds{4999});
  then.records("");
  when.time_passes(Milliseconds{1});
  then.records(R"(
    C JOB TIME_OUT
    E JOB TIMED_OUT courier retries=3
  )");
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
}

TEST_F(JobFailureTest, JB14_a_job_that_is_yielded_is_there_again) {
  given.instance("order");
  given.activates_jobs("courier");
  when.yields("courier");
  then.records(R"(
    C JOB YIELD
    E JOB YIELDED courier retries=3
  )");
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
}

TEST_F(JobFailureTest, JB14_only_a_job_whose_time_is_over_times_out) {
  given.instance("order");
  const Key activatable = given.job_key("courier");
  const auto command = [&](JobIntent intent, Key key) {
    return [this, intent, key] { when.job_command(intent, key); };
  };
  then.refused({
      {"never given", command(JobIntent::TimeOut, Key{7}), RejectionType::NotFound, "is gone"},
      {"not activated", command(JobIntent::TimeOut, activatable), RejectionType::NotFound,
       "must not be timed out"},
      {"yield, not activated", command(JobIntent::Yield, activatable), RejectionType::InvalidState,
       "ACTIVATABLE"},
      {"yield, never given", command(JobIntent::Yield, Key{7}), RejectionType::NotFound,
       "no such job"},
  });
  given.activates_jobs("courier", 1, Milliseconds{5000});
  then.refused({{"not due", command(JobIntent::TimeOut, activatable), RejectionType::NotFound,
                 "must not be timed out"}});
}

TEST_F(JobFailureTest, JB14_a_deadline_is_still_known_after_a_replay) {
  given.instance("order");
  given.activates_jobs("courier", 1, Milliseconds{5000});
  engine::Engine restarted{engine::EngineOptions{}};
  for (const std::string& frame : world.frames()) restarted.replay(frame);
  EXPECT_TRUE(restarted.due_commands(world.now(), 10).empty());
  EXPECT_EQ(restarted.next_due(), world.now() + Milliseconds{5000});
  const auto due = restarted.due_commands(world.now() + Milliseconds{5000}, 10);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due.front().key, given.job_key("courier"));
}

TEST_F(JobFailureTest, JB15_retries_are_updated_in_every_state) {
  given.instance("order");
  when.updates_retries("courier", 7);
  then.records(R"(
    C JOB UPDATE_RETRIES
    E JOB RETRIES_UPDATED courier retries=7
  )");
  given.activates_jobs("courier");
  when.updates_retries("courier", 8);
  then.records_of({"E"}, "E JOB RETRIES_UPDATED courier retries=8");
  given.fails_job("courier", 0);
  when.updates_retries("courier", 9);
  then.records_of({"E"}, "E JOB RETRIES_UPDATED courier retries=9");
  EXPECT_TRUE(when.activates_jobs("courier").empty()) << "the incident is still there";
  then.refused({
      {"none", [&] { when.updates_retries("courier", 0); }, RejectionType::InvalidArgument,
       "positive amount"},
      {"negative", [&] { when.updates_retries("courier", -1); }, RejectionType::InvalidArgument,
       "positive amount"},
      {"never given", [&] { when.job_command(JobIntent::UpdateRetries, Key{7}); },
       RejectionType::NotFound, "no such job"},
  });
}

TEST_F(JobFailureTest, JB16_a_timeout_is_extended_and_shortened) {
  given.instance("order");
  then.refused({{"not activated", [&] { when.updates_timeout("courier", Milliseconds{100}); },
                 RejectionType::InvalidState, "is not active"}});
  given.activates_jobs("courier", 1, Milliseconds{5000});
  when.updates_timeout("courier", Milliseconds{9000});
  then.records(R"(
    C JOB UPDATE_TIMEOUT
    E JOB TIMEOUT_UPDATED courier timeout=9000
  )");
  EXPECT_EQ(then.values<JobRecord>(JobIntent::TimeoutUpdated).front().deadline,
            world.now() + Milliseconds{9000});
  when.time_passes(Milliseconds{8999});
  then.records("");
  given.updates_timeout("courier", Milliseconds{10'000});
  given.updates_timeout("courier", Milliseconds{10});
  when.time_passes(Milliseconds{10});
  then.records_of({"E"}, "E JOB TIMED_OUT courier");
  then.refused({{"never given", [&] { when.job_command(JobIntent::UpdateTimeout, Key{7}); },
                 RejectionType::NotFound, "no such job"}});
}

TEST_F(JobFailureTest, JB17_the_incident_is_resolved_once_there_are_retries) {
  given.instance("order");
  given.fails_job("courier", 0);
  const Key incident = given.incident_key();
  then.refused({{"no retries", [&] { when.resolves_incident(incident); },
                 RejectionType::InvalidState, "no retries left"}});
  given.updates_retries("courier", 1);
  when.resolves_incident(incident);
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED JOB_NO_RETRIES
  )");
  EXPECT_EQ(when.activates_jobs("courier").size(), 1U);
  when.completes_job("courier");
  then.all_done();
}

TEST_F(JobFailureTest, JB17_a_worker_that_waits_is_told_of_the_job_whose_incident_is_resolved) {
  given.instance("order");
  given.fails_job("courier", 0);
  given.updates_retries("courier", 1);
  engine::Engine engine{engine::EngineOptions{}};
  for (const std::string& frame : world.frames()) engine.replay(frame);
  const auto head =
      record::make_head<IncidentRecord>(IncidentIntent::Resolve, given.incident_key());
  std::string value;
  record::encode(IncidentRecord{}, value);
  engine::BatchOutput output;
  engine.process({head.view(), value}, world.now(), output);
  ASSERT_EQ(output.available_jobs.size(), 1U);
  EXPECT_EQ(output.available_jobs.front().key, given.job_key("courier"));
  EXPECT_EQ(output.available_jobs.front().group.type, "courier");
}

TEST_F(JobFailureTest, JB19_terminating_the_task_cancels_the_job_and_resolves_its_incident) {
  const Key instance = given.instance("order");
  given.fails_job("courier", 0);
  when.cancels(instance);
  then.records(R"(
    C PROCESS_INSTANCE CANCEL
    E ASYNC_REQUEST RECEIVED
    E PROCESS_INSTANCE CANCELING order
    C ELEMENT TERMINATE order
    E ELEMENT TERMINATING order
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier
    E INCIDENT RESOLVED JOB_NO_RETRIES
    E ELEMENT TERMINATED ship
    E ELEMENT TERMINATED order
    ...
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
