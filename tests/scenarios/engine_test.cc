#include <fmt/format.h>

#include <map>
#include <set>

#include "base/check.h"
#include "tests/support/scenario.h"

// Batches, errors and limits of the engine (spec: processing; scenarios/execution 13).
namespace beeline::testing {
namespace {

using record::Metadata;
using record::ProcessInstanceIntent;
using record::ValueType;

template <typename Intent>
bool is(const Metadata& metadata, ValueType type, Intent intent) {
  return metadata.value_type == type &&
         metadata.intent == static_cast<record::IntentNumber>(intent);
}

// ----- EN1: batching -----

engine::EngineOptions batches_of(std::size_t commands) {
  engine::EngineOptions options;
  options.batch_commands_max = commands;
  return options;
}

// Returns every event without its position. Batching must not change these.
std::vector<std::string> events_of(const World& world) {
  std::vector<std::string> lines;
  for (const record::OwnedRecord& record : world.records()) {
    if (record.metadata.record_type != record::RecordType::Event) continue;
    record::OwnedRecord bare = record;
    bare.metadata.position = Position{0};
    lines.push_back(record::to_text(bare.view()));
  }
  return lines;
}

void run_everything(World& world) {
  Actions given{world, false};
  given.process("order",
                start() >> parallel_gateway("fork") >>
                    service_task("a", job("a"), input("=n + 1", "m"), output("=r", "result")) >>
                    parallel_gateway("join") >> end("done"),
                from("fork") >>
                    subprocess("pack",
                               start("inner") >> script_task("sum", script("1 + 1", "two")) >>
                                   service_task("b", job("b")) >> end("packed"),
                               event_subprocess("remind", start(timer_cycle("hourly", "R2/PT1H"),
                                                                non_interrupting()) >>
                                                              end("reminded"))) >>
                    to("join"),
                boundary("pack", timer("late", 90min)) >> end("expired"),
                boundary("a", error("lost", "404")) >> end("searching"));
  given.instance("order", R"({"n":1})");
  given.instance("order", R"({"n":2})");
  given.time_passes(1h);
  given.throws_error("a", "404", "", R"({"x":1})");
  given.completes_job("a", R"({"r":5})");
  given.completes_job("b");
  given.time_passes(1h);
  const Key canceled = given.instance("order", R"({"n":"x"})");
  given.fails_job("b", 0);
  given.cancels(canceled);
}

TEST(EN1, batches_of_one_and_of_a_hundred_give_the_same_events) {
  World one{batches_of(1)};
  run_everything(one);
  const std::vector<std::string> expected = events_of(one);
  EXPECT_EQ(one.compare_with_replay(), "");
  for (const std::size_t commands : {2, 3, 7, 100}) {
    World many{batches_of(commands)};
    run_everything(many);
    EXPECT_EQ(events_of(many), expected) << commands << " commands a batch";
    EXPECT_EQ(many.compare_with_replay(), "");
  }
}

// ----- EN3, EN4: bugs -----

// An engine in which commands that `has_bug` selects fail as if by a bug.
class BugTest : public ScenarioTest {
 protected:
  BugTest() : ScenarioTest(options(*this)) {}

  std::function<bool(const Metadata&)> has_bug = [](const Metadata&) { return false; };

 private:
  static engine::EngineOptions options(BugTest& test) {
    engine::EngineOptions options;
    options.before_command = [&test](const Metadata& metadata) {
      if (test.has_bug(metadata)) throw InvariantError("a bug");
    };
    return options;
  }
};

TEST_F(BugTest, EN3_an_element_command_that_fails_bans_its_instance_and_no_other) {
  given.process("order",
                start() >> service_task("a", job("a")) >> service_task("b", job("b")) >> end());
  const Key other = given.instance("order");
  const Key instance = given.instance("order");
  const Key a = given.element("a");
  has_bug = [&](const Metadata& m) {
    return is(m, ValueType::ProcessInstance, ProcessInstanceIntent::TerminateElement);
  };
  when.submits(ProcessInstanceIntent::TerminateElement, a, record::ProcessInstanceRecord{});
  then.records_of({"E", "R"}, R"(
    R ELEMENT TERMINATE rejection=PROCESSING_ERROR
    E ERROR CREATED exceptionMessage="a bug"
  )");
  has_bug = [](const Metadata&) { return false; };
  EXPECT_TRUE(world.state().is_banned(instance));
  EXPECT_FALSE(world.state().is_banned(other));

  const Key job = world.state().element_instances().find(a)->job_key;
  then.refused({
      {"complete a job", [&] { when.job_command(record::JobIntent::Complete, job); },
       RejectionType::InvalidState, "banned"},
      {"fail a job", [&] { when.job_command(record::JobIntent::Fail, job); },
       RejectionType::InvalidState, "banned"},
      {"set variables", [&] { when.sets_variables(instance, R"({"x":1})"); },
       RejectionType::InvalidState, "banned"},
      {"set variables of an element", [&] { when.sets_variables(a, R"({"x":1})"); },
       RejectionType::InvalidState, "banned"},
      {"complete an element",
       [&] {
         when.submits(ProcessInstanceIntent::CompleteElement, a, record::ProcessInstanceRecord{});
       },
       RejectionType::InvalidState, "banned"},
  });
  EXPECT_EQ(world.compare_with_replay(), "") << "the ban survives";

  given.completes_job("a");  // the oldest job, which belongs to the other instance
  given.completes_job("b");
  EXPECT_EQ(world.state().element_instances().find(other), nullptr);
  when.cancels(instance);
  then.answered();
  then.all_done();
}

TEST_F(BugTest, EN3_an_incident_of_a_banned_instance_is_not_resolved) {
  given.process("order", start() >> service_task("a", job("=kind")) >> end());
  given.instance("order");
  const Key incident = given.incident_key();
  has_bug = [&](const Metadata& m) {
    return is(m, ValueType::ProcessInstance, ProcessInstanceIntent::CompleteElement);
  };
  when.submits(ProcessInstanceIntent::CompleteElement, given.element("a"),
               record::ProcessInstanceRecord{});
  has_bug = [](const Metadata&) { return false; };
  then.refused({{"resolve", [&] { when.resolves_incident(incident); }, RejectionType::InvalidState,
                 "banned"}});
}

TEST_F(BugTest, EN3_a_start_timer_that_fails_bans_nobody) {
  given.process("order", start(timer("soon", 1h)) >> end());
  has_bug = [&](const Metadata& m) {
    return is(m, ValueType::Timer, record::TimerIntent::Trigger);
  };
  const auto timers = world.state().timers().due(world.now() + Milliseconds{1h}, 10);
  ASSERT_EQ(timers.size(), 1U);
  when.submits(record::TimerIntent::Trigger, timers.front(), record::TimerRecord{});
  then.records(R"(
    C TIMER TRIGGER
    R TIMER TRIGGER rejection=PROCESSING_ERROR
  )");
  EXPECT_FALSE(world.state().has_banned());
}

TEST_F(BugTest, EN4_a_command_of_a_client_that_fails_is_refused_and_bans_nobody) {
  given.process("order", start() >> service_task("a", job("a")) >> end());
  const Key instance = given.instance("order");
  const Key job = given.job_key("a");
  // The follow-up command fails, so the whole batch is rolled back and its first command is
  // rejected.
  has_bug = [&](const Metadata& m) {
    return is(m, ValueType::ProcessInstance, ProcessInstanceIntent::CompleteElement) ||
           is(m, ValueType::ProcessInstance, ProcessInstanceIntent::ActivateElement) ||
           is(m, ValueType::ProcessInstance, ProcessInstanceIntent::TerminateElement) ||
           is(m, ValueType::Job, record::JobIntent::Fail) ||
           is(m, ValueType::Job, record::JobIntent::ThrowError) ||
           is(m, ValueType::Job, record::JobIntent::UpdateRetries);
  };
  constexpr auto kFailed = RejectionType::ProcessingError;
  then.refused({
      {"complete", [&] { when.completes_job("a", R"({"x":1})"); }, kFailed, "a bug"},
      {"fail", [&] { when.fails_job("a", 1); }, kFailed, "a bug"},
      {"throw", [&] { when.throws_error("a", "404"); }, kFailed, "a bug"},
      {"update retries", [&] { when.updates_retries("a", 1); }, kFailed, "a bug"},
      {"cancel", [&] { when.cancels(instance); }, kFailed, "a bug"},
      {"create", [&] { when.instance("order", R"({"x":1})"); }, kFailed, "a bug"},
  });
  has_bug = [](const Metadata&) { return false; };
  EXPECT_FALSE(world.state().has_banned());
  EXPECT_EQ(given.job_key("a"), job);
  when.completes_job("a");
  then.all_done();
}

// ----- EN5: size -----

// The limits are 32 KiB, both for a batch and for a command.
class SizeTest : public ScenarioTest {
 protected:
  SizeTest() : ScenarioTest(options(*this)) {}
  static std::string text_of(std::size_t bytes) { return std::string(bytes, 'x'); }
  static std::string variable_of(std::string_view name, std::size_t bytes) {
    return fmt::format(R"({{"{}":"{}"}})", name, text_of(bytes));
  }
  // Returns many one-character variables, whose events are far larger than the command.
  static std::string many_variables(int count) {
    std::string variables = "{";
    for (int i = 0; i < count; ++i) variables += fmt::format(R"({}"v{}":1)", i > 0 ? "," : "", i);
    return variables + "}";
  }
  const record::IncidentRecord& incident() {
    return world.state().incidents().find(given.incident_key())->record;
  }

  std::size_t commands_begun = 0;

 private:
  static engine::EngineOptions options(SizeTest& test) {
    engine::EngineOptions options;
    options.batch_bytes_max = 32 * 1024;
    options.command_bytes_max = 32 * 1024;
    options.before_command = [&test](const Metadata&) { ++test.commands_begun; };
    return options;
  }
};

TEST_F(SizeTest, EN5_a_batch_ends_with_the_command_that_fills_it_and_nothing_is_done_twice) {
  Path path = start();
  for (int i = 0; i < 40; ++i) {
    path = std::move(path) >>
           script_task("t" + std::to_string(i), script("big", "copy" + std::to_string(i)));
  }
  given.process("order", path);
  const std::size_t frames = world.frames().size();
  const std::size_t records = world.records().size();
  commands_begun = 0;
  when.instance("order", variable_of("big", 2000));
  then.all_done();
  EXPECT_GT(world.frames().size(), frames + 2);
  for (std::size_t i = frames; i < world.frames().size(); ++i) {
    EXPECT_LE(world.frames()[i].size(), 40U * 1024);
    if (i + 1 < world.frames().size()) {
      EXPECT_GT(world.frames()[i].size(), 32U * 1024);
    }
  }
  std::size_t commands = 0;
  for (std::size_t i = records; i < world.records().size(); ++i) {
    if (world.records()[i].metadata.record_type == record::RecordType::Command) ++commands;
  }
  EXPECT_EQ(commands_begun, commands);
}

TEST_F(SizeTest, EN5_a_step_that_is_too_large_alone_is_an_incident) {
  given.process("order", start() >>
                             service_task("a", job("a"), input("=big + big", "b1"),
                                          input("=b1 + b1", "b2"), input("=b2 + b2", "b3")) >>
                             end());
  const Key instance = when.instance("order", variable_of("big", 3000));
  then.records_of({"E INCIDENT", "E JOB", "E ELEMENT ACTIVATING a"}, R"(
    E ELEMENT ACTIVATING a
    E INCIDENT CREATED MESSAGE_SIZE_EXCEEDED elementId="a"
  )");
  EXPECT_EQ(incident().variable_scope_key, given.element("a"));
  const std::string message = incident().error_message;
  for (const char* part : {"larger than the 32768 bytes", "it was stopped at 4", "then resolve"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
  then.refused({{"resolve too early", [&] { when.resolves_incident(); },
                 RejectionType::ExceededBatchRecordSize, "larger than the 32768 bytes"}});
  given.sets_variables(instance, R"({"big":"x"})");
  when.resolves_incident();
  then.records_of({"E INCIDENT", "E JOB"}, R"(
    E INCIDENT RESOLVED MESSAGE_SIZE_EXCEEDED
    E JOB CREATED a
  )");
  when.completes_job("a");
  then.all_done();
}

TEST_F(SizeTest, EN5_a_completion_that_is_too_large_is_an_incident_and_can_be_resolved) {
  given.process("order", start() >>
                             service_task("a", job("a"), output("=big + big", "r1"),
                                          output("=r1 + r1", "r2"), output("=r2 + r2", "r3")) >>
                             end());
  const Key instance = given.instance("order", variable_of("big", 3000));
  when.completes_job("a", R"({"r":1})");
  then.records_of({"E INCIDENT", "E JOB", "E ELEMENT COMPLET"}, R"(
    E JOB COMPLETED a
    E ELEMENT COMPLETING a
    E INCIDENT CREATED MESSAGE_SIZE_EXCEEDED elementId="a"
  )");
  EXPECT_EQ(incident().variable_scope_key, given.element("a"));
  given.sets_variables(instance, R"({"big":"x"})");
  when.resolves_incident();
  then.all_done();
}

// The earlier commands of the batch keep their effects, and the remaining commands continue.
TEST_F(SizeTest, EN5_a_step_that_is_too_large_takes_no_other_with_it) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >> end(),
                from("fork") >> service_task("large", job("large"), input("=big + big", "b1"),
                                             input("=b1 + b1", "b2"), input("=b2 + b2", "b3")) >>
                    end(),
                from("fork") >> service_task("c", job("c")) >> end());
  const Key instance = when.instance("order", variable_of("big", 3000));
  then.records_of({"E INCIDENT", "E JOB"}, R"(
    E JOB CREATED a
    E INCIDENT CREATED MESSAGE_SIZE_EXCEEDED elementId="large"
    E JOB CREATED c
  )");
  EXPECT_EQ(world.compare_with_replay(), "");
  given.completes_job("a");
  when.cancels(instance);
  then.all_done();
}

TEST_F(SizeTest, EN5_a_process_that_cannot_complete_has_an_incident) {
  given.process("child", start() >> service_task("a", job("a")) >> end());
  given.process("order", start() >> call_activity("call", "child") >> end());
  given.instance("order");
  const Key child = given.element("child");
  // The called process returns these variables to its caller in one step.
  for (const char* name : {"w", "x", "y"}) {
    given.sets_variables(child, variable_of(name, 12'000));
    then.answered();
  }
  when.completes_job("a");
  then.records_of({"E INCIDENT", "E ELEMENT COMPLETING child"}, R"(
    E ELEMENT COMPLETING child
    E INCIDENT CREATED MESSAGE_SIZE_EXCEEDED elementId="child"
  )");
  EXPECT_EQ(world.compare_with_replay(), "");
  given.sets_variables(child, R"({"y":null})");
  when.resolves_incident();
  then.all_done();
}

TEST_F(SizeTest, EN5_a_command_whose_own_step_is_too_large_is_refused) {
  given.process("order", start() >> service_task("a", job("a")) >> end());
  const Key instance = given.instance("order");
  then.refused({{"set variables", [&] { when.sets_variables(instance, many_variables(400)); },
                 RejectionType::ExceededBatchRecordSize, "larger than the 32768 bytes"}});
}

TEST_F(SizeTest, EN5_ending_an_instance_writes_none_of_its_variables) {
  given.process("order",
                start() >> subprocess("pack", start("inner") >> service_task("a", job("a")) >>
                                                  end("packed")) >>
                    end(),
                boundary("pack", timer("late", 90min)) >> end("expired"));
  const Key canceled = given.instance("order", many_variables(100));
  const Key timed_out = given.instance("order", many_variables(100));
  for (const Key instance : {canceled, timed_out}) {
    for (char name = 'a'; name < 'f'; ++name) {
      given.sets_variables(instance, variable_of(std::string(1, name), 12'000));
      then.answered();
    }
  }
  given.time_passes(80min);
  when.cancels(canceled);
  then.answered();
  EXPECT_EQ(world.state().element_instances().find(canceled), nullptr);
  when.time_passes(10min);
  then.all_done();
}

// Writes a log with different kinds of records, and leaves pending commands at its end.
void play_something(World& world) {
  Actions given{world, false};
  given.process("order",
                start() >> service_task("a", job("a")) >>
                    catch_event(message("wait", "paid", "=order")) >> end(),
                boundary("a", timer("late", 1h)) >> end("expired"));
  given.instance("order", R"({"order":"o-1"})");
  given.instance("order", R"({"order":"o-2"})");
  given.publishes("paid", "o-1", {"", 10h});
  given.completes_job("a");
  given.time_passes(1h);
  given.instance("order", R"({"order":"o-3"})");
  world.hold();
  given.completes_job("a");
}

// The log has the results of its commands, so replay must not depend on how commands are processed
// today.
TEST(Replay, Z1_replay_processes_nothing) {
  World world{batches_of(1)};
  play_something(world);
  engine::EngineOptions options;
  options.before_command = [](const record::Metadata& command) {
    ADD_FAILURE() << record::text_name(command) << " was processed";
  };
  engine::Engine replayed{options};
  for (const std::string& frame : world.frames()) replayed.replay(frame);
  EXPECT_TRUE(replayed.state().database().dump() == world.state().database().dump());
  EXPECT_EQ(replayed.last_position(), world.engine().last_position());
}

TEST(Replay, Z1_keys_go_on_where_they_were) {
  World world;
  play_something(world);
  world.release();
  Key highest;
  for (const record::OwnedRecord& each : world.records()) {
    if (each.metadata.record_type == record::RecordType::Event) {
      highest = std::max(highest, each.metadata.key);
    }
  }
  const std::size_t before = world.records().size();
  world.restart();
  Actions given{world, false};
  EXPECT_GT(given.instance("order", R"({"order":"o-4"})"), highest);
  for (std::size_t i = before; i < world.records().size(); ++i) {
    const record::Metadata& metadata = world.records()[i].metadata;
    EXPECT_TRUE(!metadata.key.is_set() || metadata.key > highest) << record::text_name(metadata);
  }
}

// Wherever the log ends, processing continues from there and reaches the same final state.
TEST(Replay, Z3_processing_goes_on_at_the_first_command_without_an_answer) {
  World whole{batches_of(1)};
  play_something(whole);
  const std::size_t first = whole.frames().size();
  ASSERT_TRUE(whole.engine().has_pending());
  whole.release();
  ASSERT_GT(whole.frames().size(), first + 3);
  for (std::size_t kept = first; kept <= whole.frames().size(); ++kept) {
    SCOPED_TRACE(kept);
    engine::Engine engine{batches_of(1)};
    for (std::size_t i = 0; i < kept; ++i) engine.replay(whole.frames()[i]);
    engine::BatchOutput output;
    while (engine.has_pending()) {
      engine.process_pending(whole.now(), output);
      engine.commit();
    }
    EXPECT_TRUE(engine.state().database().dump() == whole.state().database().dump());
    EXPECT_EQ(engine.last_position(), whole.engine().last_position());
  }
}

TEST(Engine, the_source_of_a_record_leads_to_the_command_that_caused_it) {
  engine::EngineOptions options;
  options.batch_commands_max = 3;  // so that a batch processes commands of both instances
  World world{options};
  Actions actions{world, false};
  actions.deploys(
      {{"order.bpmn",
        process("order", start() >> service_task("ship", job("courier")) >> end()).to_xml()}});
  world.hold();
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "order";
  for (int i = 0; i < 2; ++i) {
    world.submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  }
  world.release();
  std::map<Position, const record::OwnedRecord*> by_position;
  std::map<Key, std::set<Position>> causes;  // the causes of the records of each instance
  for (const record::OwnedRecord& each : world.records()) {
    by_position[each.metadata.position] = &each;
    if (each.metadata.value_type != record::ValueType::ProcessInstance) continue;
    const record::OwnedRecord* cause = &each;
    while (cause->metadata.source_position.is_set()) {
      cause = by_position.at(cause->metadata.source_position);
    }
    EXPECT_EQ(cause->metadata.value_type, record::ValueType::ProcessInstanceCreation);
    const auto value = record::decode<record::ProcessInstanceRecord>(each.value);
    causes[value.process_instance_key].insert(cause->metadata.position);
  }
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes.begin()->second.size(), 1U);
  EXPECT_EQ(causes.rbegin()->second.size(), 1U);
  EXPECT_NE(causes.begin()->second, causes.rbegin()->second);
}

// Its client was connected to the life before.
SCENARIO_STEP_BY_STEP(a_command_that_is_processed_after_a_restart_answers_nobody) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end());
  when.appends([&] {
    given.instance("order");
    given.instance("order");  // waits behind the ACTIVATE of the first
    const std::size_t answers = world.answers().size();
    world.restart();
    EXPECT_EQ(world.answers().size(), answers);
  });
  EXPECT_EQ(then.keys<record::JobRecord>(record::JobIntent::Created).size(), 2U);
}

}  // namespace
}  // namespace beeline::testing
