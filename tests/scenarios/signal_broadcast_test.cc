#include "base/check.h"
#include "tests/scenarios/signal_models.h"

// The delivery of a signal: start events, many receivers, receivers that fail (spec: signals 2, 4;
// scenarios/messages 9, 10).
namespace beeline::testing {
namespace {

using record::SignalIntent;
using record::SignalRecord;

Model signal_start(const std::string& id, const std::string& name = "go") {
  return process(id, start(signal("begin", name)) >> service_task("t", job("t")) >> end());
}

SCENARIO(S4_S10_SG2_a_signal_starts_an_instance_of_each_process) {
  for (const char* id : {"a", "b", "c"}) given.model(fmt::format("{}.bpmn", id), signal_start(id));
  when.broadcasts("go", R"({"x":1})");
  then.delivered(3);
  EXPECT_EQ(then.answer<SignalRecord>().started_instances.size(), 3U);
  then.records_of({"C SIGNAL", "E SIGNAL", "E PROCESS_EVENT TRIGGERING",
                   "E PROCESS_INSTANCE_CREATION", "C ELEMENT ACTIVATE a"},
                  R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING begin
    C ELEMENT ACTIVATE a
    E PROCESS_INSTANCE_CREATION CREATED a
    E PROCESS_EVENT TRIGGERING begin
    E PROCESS_INSTANCE_CREATION CREATED b
    E PROCESS_EVENT TRIGGERING begin
    E PROCESS_INSTANCE_CREATION CREATED c
  )");
  EXPECT_EQ(then.variable(given.element("a"), "x"), "1");
  EXPECT_EQ(then.answer<SignalRecord>().started_instances.front(), given.element("a"));
}

SCENARIO(SG2_a_start_event_maps_its_payload) {
  given.process("a", start(signal("begin", "go"), output("=x + 1", "y")) >>
                         service_task("t", job("t")) >> end());
  when.broadcasts("go", R"({"x":1})");
  then.delivered(1);
  EXPECT_EQ(then.variable(given.element("a"), "y"), "2");
  EXPECT_EQ(then.variable(given.element("a"), "x"), "absent");
}

SCENARIO(SG2_several_start_events_of_a_process_each_have_their_signal) {
  given.process("a", start(signal("begin", "go")) >> exclusive_gateway("both") >> end(),
                start(signal("other", "stay")) >> to("both"), start("none") >> to("both"));
  EXPECT_EQ(world.state().signals().count(), 2U);
  for (const char* name : {"go", "stay"}) {
    when.broadcasts(name);
    then.delivered(1);
  }
  given.instance("a");
  then.all_done();
}

SCENARIO(S4_S17_SG2_only_the_latest_version_starts) {
  given.model("a.bpmn", signal_start("a"));
  when.model("a.bpmn", process("a", start(signal("begin", "go")) >> end()));
  then.records_of({"E SIGNAL"}, R"(
    E SIGNAL_SUBSCRIPTION DELETED go
    E SIGNAL_SUBSCRIPTION CREATED go catchEventId="begin"
  )");
  when.broadcasts("go");
  then.delivered(1);
  then.all_done();
  given.process("a", start() >> end());
  then.no_signals_left();
  when.broadcasts("go");
  then.delivered(0);
}

SCENARIO(SC15_the_start_events_of_a_former_version_come_back) {
  given.model("a.bpmn", signal_start("a"));
  const Key first = given.definition("a");
  given.model("a.bpmn", process("a", start(signal("begin", "stay")) >> end()));
  when.deletes(given.definition("a"));
  then.records_of({"E SIGNAL"}, R"(
    E SIGNAL_SUBSCRIPTION DELETED stay
    E SIGNAL_SUBSCRIPTION CREATED go
  )");
  when.broadcasts("stay");
  then.delivered(0);
  when.broadcasts("go");
  then.delivered(1);
  // With an instance the definition drains, and starts no more.
  given.deletes(first);
  then.no_signals_left();
  when.broadcasts("go");
  then.delivered(0);
  given.completes_job("t");
  then.all_done();
}

SCENARIO(S14_S15_duplicates_and_names_that_are_no_constants_are_refused_at_deployment) {
  const auto refuses = [&](std::string_view situation, const Model& model,
                           std::string_view reason) {
    return Refusal{situation, [&, model] { when.model("a.bpmn", model); },
                   RejectionType::InvalidArgument, reason};
  };
  then.refused({
      refuses("start event with a variable", process("a", start(signal("s", "=x")) >> end()),
              "constant expression as signal name"),
      refuses("two start events",
              process("a", start(signal("s", "go")) >> exclusive_gateway("g") >> end(),
                      start(signal("t", "go")) >> to("g")),
              "'go'"),
      refuses("two boundary events",
              process("a", start() >> service_task("t", job("t")) >> end(),
                      boundary("t", signal("b", "go")) >> end("e1"),
                      boundary("t", signal("c", "go")) >> end("e2")),
              "'go'"),
      refuses("two events behind a gateway",
              process("a",
                      start() >> event_based_gateway("g") >> catch_event(signal("b", "go")) >>
                          end("e1"),
                      from("g") >> catch_event(signal("c", "go")) >> end("e2")),
              "'go'"),
  });
  when.process("a", start(signal("s", "go")) >> service_task("t", job("t")) >> end(),
               boundary("t", signal("b", "go")) >> end("e1"));
  then.answered();
}

SCENARIO(SG1_one_signal_reaches_every_kind_of_receiver) {
  given.model("start.bpmn", signal_start("start"));
  given.model("catch.bpmn", one_signal_catch("catch"));
  given.model("boundary.bpmn", signal_boundary("boundary"));
  given.process("gate",
                start() >> event_based_gateway("g") >> catch_event(signal("b", "go")) >> end("e1"),
                from("g") >> catch_event(timer("late", 1h)) >> end("e2"));
  given.process("scope", start() >> service_task("s", job("s")) >> end(),
                event_subprocess("esp", start(signal("stop", "go")) >> end("stopped")));
  for (const char* id : {"catch", "boundary", "gate", "scope"}) given.instance(id);
  when.broadcasts("go");
  then.delivered(5);
  given.completes_job("t");
  then.all_done();
}

// ----- many receivers -----

class SignalBatchTest : public ScenarioTest {
 protected:
  SignalBatchTest() : ScenarioTest(options()) {}

  void wait(int count) {
    given.model("order.bpmn", one_signal_catch());
    for (int i = 0; i < count; ++i) given.instance("order");
  }
  std::int64_t count_of_the_last_signal() {
    std::int64_t count = -1;
    for (const engine::Response& each : world.answers()) {
      if (each.record.metadata.value_type != record::ValueType::Signal) continue;
      count = record::decode<SignalRecord>(each.record.value).delivered_count;
    }
    return count;
  }
  std::size_t steps() {
    return then.values<SignalRecord>(SignalIntent::Paused).size() +
           then.values<SignalRecord>(SignalIntent::Completed).size();
  }

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.signal_receivers_max = 5;
    options.batch_commands_max = 1;
    return options;
  }
};

TEST_F(SignalBatchTest, S13_many_receivers_take_several_steps) {
  wait(12);
  when.broadcasts("go");
  then.delivered(12);
  EXPECT_EQ(steps(), 3U);
  then.records_of({"E SIGNAL BROADCASTED", "E SIGNAL PAUSED", "C SIGNAL", "E SIGNAL COMPLETED"}, R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E SIGNAL PAUSED go deliveredCount=5
    C SIGNAL CONTINUE go
    E SIGNAL PAUSED go deliveredCount=5
    C SIGNAL CONTINUE go
    E SIGNAL COMPLETED go deliveredCount=12
  )");
  then.all_done();
  then.no_signals_left();
}

TEST_F(SignalBatchTest, as_many_receivers_as_one_step_serves_take_one) {
  wait(5);
  when.broadcasts("go");
  then.delivered(5);
  EXPECT_EQ(steps(), 0U);
  then.all_done();
}

TEST_F(SignalBatchTest, S13_late_subscribers_are_left_out) {
  wait(12);
  world.hold();
  given.broadcasts("go");
  given.instance("order");
  world.release();
  EXPECT_EQ(count_of_the_last_signal(), 12);
  EXPECT_EQ(world.state().signals().count(), 1U);
  when.broadcasts("go");
  then.delivered(1);
}

TEST_F(SignalBatchTest, SC12_a_broadcast_goes_on_after_a_restart) {
  wait(12);
  world.hold();
  given.broadcasts("go", R"({"x":1})");
  ASSERT_EQ(world.state().signals().broadcast_count(), 1U);
  EXPECT_EQ(world.compare_with_replay(), "");
  world.restart();
  world.release();
  then.all_done();
  then.no_signals_left();
}

TEST_F(SignalBatchTest, a_receiver_that_leaves_between_two_steps_is_not_counted) {
  given.model("order.bpmn", one_signal_catch());
  std::vector<Key> instances;
  for (int i = 0; i < 12; ++i) instances.push_back(given.instance("order"));
  world.hold();
  given.broadcasts("go");
  given.cancels(instances.back());
  world.release();
  const std::int64_t count = count_of_the_last_signal();
  EXPECT_TRUE(count == 11 || count == 12) << count;
  then.all_done();
  then.no_signals_left();
}

TEST_F(SignalBatchTest, a_client_that_does_not_wait_for_the_count_hears_after_the_last_step) {
  wait(12);
  world.hold();
  const std::size_t before = world.answers().size();
  given.signals("go");
  EXPECT_EQ(world.answers().size(), before);
  world.release();
  ASSERT_EQ(world.answers().size(), before + 1);
  EXPECT_TRUE(world.answers().back().record.metadata.key.is_set());
}

TEST_F(SignalBatchTest, start_events_and_elements_share_the_steps) {
  wait(4);
  for (int i = 0; i < 7; ++i) {
    given.model("x.bpmn", signal_start(fmt::format("p{}", i)));
  }
  when.broadcasts("go");
  then.delivered(11);
  EXPECT_EQ(steps(), 3U);
  EXPECT_EQ(then.answer<SignalRecord>().started_instances.size(), 7U);
}

SCENARIO(S13_one_thousand_two_hundred_receivers_take_three_steps) {
  given.model("order.bpmn", one_signal_catch());
  for (int i = 0; i < 1'200; ++i) given.instance("order");
  world.hold();
  when.broadcasts("go");
  given.instance("order");
  world.release();
  const auto paused = then.values<SignalRecord>(SignalIntent::Paused);
  ASSERT_EQ(paused.size(), 2U);
  EXPECT_EQ(paused[0].delivered_count, 500);
  EXPECT_EQ(paused[1].delivered_count, 500);
  const auto completed = then.values<SignalRecord>(SignalIntent::Completed);
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_EQ(completed.front().delivered_count, 1'200);
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  given.cancels(given.element("order"));
  then.all_done();
  then.no_signals_left();
}

SCENARIO(a_payload_larger_than_a_batch_reaches_one_receiver_in_each_step) {
  given.model("order.bpmn", one_signal_catch());
  for (int i = 0; i < 3; ++i) given.instance("order");
  const std::string payload = fmt::format(R"({{"x":"{}"}})", std::string(2 << 20, 'x'));
  when.broadcasts("go", payload);
  then.delivered(3);
  EXPECT_EQ(then.values<SignalRecord>(SignalIntent::Paused).size(), 2U);
  then.all_done();
  then.no_signals_left();
}

// ----- receivers that fail -----

// An engine in which a receiver or a command fails, when it is armed, as if by a bug.
class SignalBugTest : public ScenarioTest {
 protected:
  SignalBugTest() : ScenarioTest(options(*this)) {}

  Key failing_receiver;
  std::function<bool(const record::Metadata&)> has_bug = [](const record::Metadata&) {
    return false;
  };

 private:
  static engine::EngineOptions options(SignalBugTest& test) {
    engine::EngineOptions options;
    options.before_receiver = [&test](Key element_instance) {
      if (element_instance == test.failing_receiver) throw InvariantError("a bug");
    };
    options.before_command = [&test](const record::Metadata& metadata) {
      if (test.has_bug(metadata)) throw InvariantError("a bug");
    };
    return options;
  }
};

TEST_F(SignalBugTest, FS10_SC8_one_receiver_that_fails_keeps_nobody_from_the_signal) {
  given.model("order.bpmn", one_signal_catch());
  std::vector<Key> instances;
  for (int i = 0; i < 5; ++i) {
    instances.push_back(given.instance("order"));
    if (i == 2) failing_receiver = given.element("wait");
  }
  when.broadcasts("go");
  then.delivered(4);
  then.records(R"(
    C SIGNAL BROADCAST go
    E ERROR CREATED
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING wait
    ...
  )");
  const auto errors = then.values<record::ErrorRecord>(record::ErrorIntent::Created);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors.front().process_instance_key, instances[2]);
  for (const std::string& part :
       {std::string{"'go'"}, std::string{"'wait'"}, fmt::format("{}", instances[2].value())}) {
    EXPECT_NE(errors.front().exception_message.find(part), std::string::npos)
        << errors.front().exception_message;
  }
  EXPECT_TRUE(world.state().is_banned(instances[2]));
  // SC9: its subscription stays until it is canceled, and receives nothing.
  EXPECT_EQ(world.state().signals().count(), 1U);
  failing_receiver = Key{};
  when.broadcasts("go");
  then.delivered(0);
  given.cancels(instances[2]);
  then.all_done();
  then.no_signals_left();
}

TEST_F(SignalBugTest, SC8_a_receiver_of_a_thrown_signal_that_fails_does_not_fail_the_thrower) {
  given.model("order.bpmn", one_signal_catch());
  const Key bad = given.instance("order");
  failing_receiver = given.element("wait");
  given.instance("order");
  given.process("thrower", start() >> throw_event(signal("shout", "go")) >> end());
  given.instance("thrower");
  EXPECT_TRUE(world.state().is_banned(bad));
  given.cancels(bad);
  then.all_done();
  then.no_signals_left();
}

TEST_F(SignalBugTest, SC8_a_command_that_follows_from_a_signal_fails_alone) {
  given.model("order.bpmn", one_signal_catch());
  given.model("begun.bpmn", signal_start("begun"));
  given.instance("order");
  const Key bad = given.instance("order");
  const Key wait = given.element("wait");
  given.instance("order");
  has_bug = [&](const record::Metadata& m) {
    return m.value_type == record::ValueType::ProcessInstance && m.key == wait &&
           m.intent ==
               static_cast<record::IntentNumber>(record::ProcessInstanceIntent::CompleteElement);
  };
  when.broadcasts("go");
  then.delivered(4);
  then.records_of({"R", "E ERROR"}, R"(
    R ELEMENT COMPLETE rejection=PROCESSING_ERROR
    E ERROR CREATED
  )");
  EXPECT_TRUE(world.state().is_banned(bad));
  has_bug = [](const record::Metadata&) { return false; };
  given.cancels(bad);
  given.completes_job("t");
  then.all_done();
}

TEST_F(SignalBugTest, SC8_an_instance_that_a_signal_starts_fails_alone) {
  given.model("order.bpmn", one_signal_catch());
  given.model("begun.bpmn", signal_start("begun"));
  given.instance("order");
  bool is_armed = true;
  has_bug = [&](const record::Metadata& m) {
    return is_armed && m.value_type == record::ValueType::ProcessInstance &&
           m.intent ==
               static_cast<record::IntentNumber>(record::ProcessInstanceIntent::ActivateElement);
  };
  when.broadcasts("go");
  then.delivered(2);
  is_armed = false;
}

// Sixty receivers fail one after the other; each round bans one, so it ends.
TEST_F(SignalBugTest, SC8_all_receivers_may_fail) {
  given.model("order.bpmn", one_signal_catch());
  std::vector<Key> instances;
  for (int i = 0; i < 60; ++i) instances.push_back(given.instance("order"));
  int failures = 0;
  has_bug = [&](const record::Metadata&) { return false; };
  failing_receiver = Key{};
  engine::EngineOptions options;
  options.before_receiver = [&](Key) {
    ++failures;
    throw InvariantError("a bug");
  };
  World other{options};
  Actions actions{other, false};
  actions.model("order.bpmn", one_signal_catch());
  for (int i = 0; i < 60; ++i) actions.instance("order");
  actions.broadcasts("go");
  Expectations{other}.delivered(0);
  EXPECT_EQ(failures, 60);
  EXPECT_EQ(other.compare_with_replay(), "");
}

}  // namespace
}  // namespace beeline::testing
