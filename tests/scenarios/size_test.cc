#include "tests/scenarios/message_models.h"
#include "tests/support/scenario.h"

// Size never strands an instance. A request is carried through, or stops at an incident that can be
// resolved, or is rejected to its client before it has any effect (issue 11, A4).
namespace beeline::testing {
namespace {

using record::IncidentIntent;
using record::IncidentRecord;
using record::MessageBatchIntent;
using record::MessageCorrelationIntent;
using record::MessageCorrelationRecord;
using record::RejectionType;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string variable_of(std::size_t bytes, const std::string& name = "big") {
  return "{\"" + name + "\":\"" + std::string(bytes, 'x') + "\"}";
}

std::size_t count_commands(const World& world, MessageBatchIntent intent) {
  return static_cast<std::size_t>(
      std::ranges::count_if(world.records(), [&](const record::OwnedRecord& record) {
        return record.metadata.record_type == record::RecordType::Command &&
               record.metadata.value_type == record::ValueType::MessageBatch &&
               record.metadata.intent == static_cast<record::IntentNumber>(intent);
      }));
}

// ----- with the default limits -----

SCENARIO(a_job_of_4_MiB_is_completed_and_its_variables_are_kept) {
  given.process("order",
                start() >> service_task("a", job("a")) >> service_task("b", job("b")) >> end());
  const Key instance = given.instance("order");
  when.completes_job("a", variable_of(4 * kMiB - 1024));
  then.answered();
  EXPECT_EQ(then.variable(instance, "big").size(), 4 * kMiB - 1024 + 2);
  when.completes_job("b");
  then.all_done();
}

SCENARIO(thirty_processes_take_a_message_of_80_KB) {
  for (int i = 0; i < 30; ++i) {
    const std::string id = fmt::format("p{}", i);
    given.model(id + ".bpmn", one_catch(id));
    given.instance(id, R"({"order":"o-1"})");
  }
  when.publishes("paid", "o-1", {variable_of(80'000), 0ms});
  then.answered();
  then.all_done();
  then.no_messages_left();
  EXPECT_GE(count_commands(world, MessageBatchIntent::Correlate), 3U);
}

SCENARIO(a_start_message_of_4_MB_that_was_buffered_starts_when_its_key_is_free) {
  given.process("order", start(message("begin", "begin")) >> service_task("a", job("a")) >> end());
  given.publishes("begin", "o-1", {"", 1h});
  given.publishes("begin", "o-1", {variable_of(4'000'000), 1h});
  given.publishes("begin", "o-1", {variable_of(2'110'000), 1h});
  for (const std::size_t bytes : {std::size_t{4'000'000}, std::size_t{2'110'000}}) {
    when.completes_job("a");
    then.answered();
    const Key instance = given.element("order");
    EXPECT_EQ(then.variable(instance, "big").size(), bytes + 2);
  }
  given.publishes("begin", "o-1", {variable_of(4'000'000), 1h});
  when.cancels(given.element("order"));
  then.answered();
  when.completes_job("a");
  then.all_done();
}

SCENARIO(a_message_of_4_MB_that_was_buffered_reaches_the_catch_event_that_opens) {
  given.model("order.bpmn", one_catch());
  given.publishes("paid", "o-1", {variable_of(4'000'000), 1h});
  when.instance("order", R"({"order":"o-1"})");
  then.all_done();
}

SCENARIO(a_called_process_with_9_MB_returns) {
  given.process("called", start() >> service_task("a", job("a")) >> service_task("b", job("b")) >>
                              service_task("c", job("c")) >> end());
  given.process("order", start() >> call_activity("call", "called") >>
                             service_task("after", job("after")) >> end());
  const Key instance = given.instance("order");
  for (const std::string type : {"a", "b", "c"}) {
    when.completes_job(type, variable_of(3'000'000, type));
    then.answered();
  }
  for (const std::string type : {"a", "b", "c"}) {
    EXPECT_EQ(then.variable(instance, type).size(), 3'000'002U);
  }
  when.completes_job("after");
  then.all_done();
}

SCENARIO(ten_thousand_variables_are_taken_by_one_command) {
  given.process("order", start() >> service_task("a", job("a")) >> end());
  std::string variables = "{";
  for (int i = 0; i < 10'000; ++i) {
    variables += fmt::format("{}\"v{}\":{}", i > 0 ? "," : "", i, i);
  }
  variables += "}";
  const Key instance = given.instance("order", variables);
  EXPECT_EQ(then.variable(instance, "v9999"), "9999");
  when.completes_job("a", variables);
  then.all_done();
}

// ----- messages with many receivers -----

class SmallSteps : public ScenarioTest {
 protected:
  SmallSteps() : ScenarioTest(options()) {}
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.batch_commands_max = 1;
    options.batch_bytes_max = 1024;
    return options;
  }
  void wait(int processes) {
    for (int i = 0; i < processes; ++i) {
      const std::string id = fmt::format("p{}", i);
      given.model(id + ".bpmn", one_catch(id));
      given.instance(id, R"({"order":"o-1"})");
    }
  }
};

TEST_F(SmallSteps, a_message_that_is_not_buffered_stays_until_its_last_receiver_is_served) {
  wait(4);
  when.publishes("paid", "o-1", {variable_of(700), 0ms});
  then.answered();
  then.records_of({"E MESSAGE PUBLISHED", "E MESSAGE EXPIRED", "E MESSAGE_SUBSCRIPTION CORRELATING",
                   "C MESSAGE_BATCH"},
                  R"(
    E MESSAGE PUBLISHED paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C MESSAGE_BATCH CORRELATE
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C MESSAGE_BATCH CORRELATE
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C MESSAGE_BATCH CORRELATE
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE EXPIRED paid
  )");
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, a_subscription_that_opens_in_between_takes_a_message_only_from_the_buffer) {
  for (const Milliseconds ttl : {Milliseconds{0}, Milliseconds{1h}}) {
    wait(3);
    given.model("p9.bpmn", one_catch("p9"));
    world.hold();
    given.publishes("paid", "o-1", {variable_of(700), ttl});
    // The subscription of this instance has a higher key than the message.
    given.instance("p9", R"({"order":"o-1"})");
    when.appends([] {});
    world.release();
    EXPECT_EQ(world.state().message_subscriptions().count(), ttl == 0ms ? 1U : 0U);
    if (ttl == 0ms) {
      given.publishes("paid", "o-1", {"", 0ms});
      EXPECT_EQ(world.state().messages().count(), 0U);
    }
    then.all_done();
  }
}

TEST_F(SmallSteps, a_message_in_the_middle_of_its_receivers_survives_the_sweep) {
  wait(5);
  when.appends([&] {
    given.publishes("paid", "o-1", {variable_of(700), 1s});
    given.time_passes(2min);
  });
  then.records_of(
      {"E MESSAGE EXPIRED", "C MESSAGE_BATCH EXPIRE", "E MESSAGE_SUBSCRIPTION CORRELATING"},
      R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C MESSAGE_BATCH EXPIRE
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE EXPIRED paid
  )");
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, a_message_in_the_middle_of_its_receivers_survives_its_twin) {
  wait(5);
  when.appends([&] {
    given.publishes("paid", "o-1", {variable_of(700), 1s, "id-1"});
    given.time_passes(1s);
    given.publishes("paid", "o-1", {variable_of(700), 0ms, "id-1"});
  });
  const auto published = then.keys<record::MessageRecord>(record::MessageIntent::Published);
  ASSERT_EQ(published.size(), 2U);
  std::vector<Key> taken;
  for (const auto& each : then.values<record::MessageSubscriptionRecord>(
           record::MessageSubscriptionIntent::Correlating)) {
    taken.push_back(each.message_key);
  }
  const Key first = published[0];
  const Key twin = published[1];
  EXPECT_EQ(taken, (std::vector<Key>{first, first, twin, first, twin}));
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, the_fan_out_goes_on_after_a_restart) {
  wait(5);
  world.hold();
  given.publishes("paid", "o-1", {variable_of(700), 0ms});
  world.restart();
  world.release();
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, many_start_events_are_served_step_by_step) {
  for (int i = 0; i < 5; ++i) {
    given.process(fmt::format("p{}", i), start(message("begin", "begin")) >> end());
  }
  when.publishes("begin", "o-1", {variable_of(700), 0ms});
  EXPECT_EQ(then.keys<record::ProcessInstanceCreationRecord>(
                    record::ProcessInstanceCreationIntent::Created)
                .size(),
            5U);
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, the_sender_who_waits_is_told_the_first_who_took_it) {
  wait(4);
  given.process("s1", start(message("begin", "paid")) >> end());
  when.correlates("paid", "o-1", variable_of(700));
  then.answered();
  EXPECT_EQ(then.values<MessageCorrelationRecord>(MessageCorrelationIntent::Correlated).size(), 1U);
  then.all_done();
  then.no_messages_left();
}

// The refusal of the first receiver comes between the two steps and the answer of the second.
TEST_F(SmallSteps, the_sender_who_waits_is_told_of_the_receiver_that_a_later_step_serves) {
  wait(2);
  const Key gone = given.element("p0");
  const Key there = given.element("p1");
  when.appends_behind_others([&] {
    given.cancels(gone);
    given.correlates("paid", "o-1", variable_of(700));
  });
  then.records_of({"C MESSAGE_BATCH", "E MESSAGE_SUBSCRIPTION", "E MESSAGE_CORRELATION"}, R"(
    E MESSAGE_CORRELATION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="p0"
    E MESSAGE_CORRELATION CANDIDATES_CHANGED paid candidates=1
    C MESSAGE_BATCH CORRELATE
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="p1"
    E MESSAGE_CORRELATION CANDIDATES_CHANGED paid candidates=-1
    E MESSAGE_SUBSCRIPTION REJECTED paid bpmnProcessId="p0"
    E MESSAGE_SUBSCRIPTION CORRELATED paid bpmnProcessId="p1"
    E MESSAGE_CORRELATION CORRELATED paid
  )");
  then.answered();
  EXPECT_EQ(then.answer<MessageCorrelationRecord>().process_instance_key, there);
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallSteps, the_sender_who_waits_is_told_when_all_who_waited_are_gone) {
  wait(3);
  std::vector<Key> instances;
  for (int i = 0; i < 3; ++i) instances.push_back(given.element(fmt::format("p{}", i)));
  world.hold();
  // The correlation is behind the cancelations on the log, so each subscription is closed before it
  // is served or answers.
  given.appends([&] {
    for (const Key instance : instances) given.cancels(instance);
    given.correlates("paid", "o-1", variable_of(700));
  });
  world.release();
  EXPECT_EQ(world.answers().back().record.metadata.rejection_type, RejectionType::NotFound);
  then.all_done();
  then.no_messages_left();
  EXPECT_EQ(world.state().messages().count(), 0U);
}

// ----- the variables of an instance -----

class SmallInstances : public ScenarioTest {
 protected:
  SmallInstances() : ScenarioTest(options()) {}
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.instance_variables_max = 10'000;
    return options;
  }
  // Returns the process instance to which the job of type "a" belongs.
  [[nodiscard]] Key called_instance() const {
    const engine::JobRow* job = world.state().jobs().find(given.job_key("a"));
    return world.state().element_instances().find(job->element_instance_key)->process_instance_key;
  }
  // Expects one open incident, on this element, that names the limit. Then makes the variable
  // smaller and expects that resolving the incident lets the instance continue.
  void is_resolved_when_smaller(Key instance, std::string_view element,
                                std::string_view variable = "big") {
    ASSERT_EQ(then.open_incidents(), 1U);
    const IncidentRecord& incident = world.state().incidents().find(given.incident_key())->record;
    EXPECT_EQ(incident.error_type, record::ErrorType::MessageSizeExceeded);
    EXPECT_EQ(incident.element_id, element);
    EXPECT_NE(incident.error_message.find("at most 10000 are allowed (instance-variables-max)"),
              std::string::npos)
        << incident.error_message;
    given.resolves_incident();
    ASSERT_EQ(then.open_incidents(), 1U) << "nothing has changed";
    given.sets_variables(instance, fmt::format(R"({{"{}":1}})", variable));
    then.answered();
    when.resolves_incident();
    EXPECT_EQ(then.open_incidents(), 0U);
  }
};

TEST_F(SmallInstances, a_command_of_a_client_beyond_the_limit_is_refused) {
  given.process("order",
                start() >> service_task("a", job("a"), output("=1", "one")) >>
                    service_task("b", job("b")) >> end(),
                boundary("a", error("oops", "E1")) >> end("caught"));
  given.process("plain", start() >> service_task("c", job("c")) >> end());
  const Key instance = given.instance("order", variable_of(6000));
  given.instance("plain", variable_of(6000));
  const std::string more = variable_of(6000, "more");
  constexpr std::string_view kReason =
      "would have 12011 bytes together, and at most 10000 are "
      "allowed (instance-variables-max)";
  then.refused({
      {"create", [&] { when.instance("order", variable_of(10'000)); },
       RejectionType::InvalidArgument,
       "of at most 10000 bytes together (instance-variables-max), but they have 10005"},
      {"complete a job that maps its result", [&] { when.completes_job("a", more); },
       RejectionType::InvalidState, kReason},
      {"complete a job", [&] { when.completes_job("c", more); }, RejectionType::InvalidState,
       kReason},
      {"fail a job", [&] { when.fails_job("a", 1, "", 0ms, more); }, RejectionType::InvalidState,
       kReason},
      {"throw an error", [&] { when.throws_error("a", "E1", "", more); },
       RejectionType::InvalidState, kReason},
      {"set variables", [&] { when.sets_variables(instance, more); }, RejectionType::InvalidState,
       kReason},
      {"set local variables", [&] { when.sets_variables(given.element("a"), more, true); },
       RejectionType::InvalidState, kReason},
  });
  // Updates that do not make the variables larger are accepted, even next to large variables.
  when.sets_variables(instance, variable_of(6000));
  then.answered();
  when.sets_variables(instance, variable_of(5999));
  then.answered();
  when.completes_job("a", variable_of(3000, "more"));
  then.answered();
  when.completes_job("b");
  then.answered();
  when.completes_job("c", variable_of(9000));
  then.answered();
  then.all_done();
}

TEST_F(SmallInstances, an_instance_that_is_too_large_already_can_be_made_smaller) {
  given.process("order", start() >> service_task("a", job("a")) >> end());
  const Key instance = given.instance("order", variable_of(9000));
  given.sets_variables(instance, R"({"other":"1234567890"})");
  // The instance is now as if the limit had been larger before.
  when.sets_variables(instance, variable_of(8000));
  then.answered();
  when.completes_job("a");
  then.all_done();
}

TEST_F(SmallInstances, input_mappings_beyond_the_limit_are_an_incident) {
  given.process("order", start() >> service_task("a", job("a"), input("=big", "copy")) >> end());
  const Key instance = given.instance("order", variable_of(6000));
  is_resolved_when_smaller(instance, "a");
  when.completes_job("a");
  then.all_done();
}

TEST_F(SmallInstances, output_mappings_beyond_the_limit_are_an_incident) {
  given.process("order",
                start() >> service_task("a", job("a"), output("=big + r", "copy")) >> end());
  const Key instance = given.instance("order", variable_of(6000));
  given.completes_job("a", R"({"r":"x"})");
  is_resolved_when_smaller(instance, "a");
  then.all_done();
}

TEST_F(SmallInstances, a_script_and_what_follows_are_an_incident) {
  given.process("order", start() >> script_task("a", script("big + big", "twice")) >> end());
  const Key instance = given.instance("order", variable_of(4000));
  ASSERT_EQ(then.open_incidents(), 1U);
  is_resolved_when_smaller(instance, "a");
  then.all_done();
}

TEST_F(SmallInstances, a_script_with_a_result_that_never_fits_is_computed_again) {
  given.process("order", start() >> script_task("a", script("[big, big, big]", "thrice"),
                                                output("=count(thrice)", "n")) >>
                             end());
  const Key instance = given.instance("order", variable_of(4000));
  is_resolved_when_smaller(instance, "a");
  then.all_done();
}

TEST_F(SmallInstances, a_message_for_a_catch_event_is_an_incident) {
  given.model("order.bpmn", one_catch());
  const Key instance =
      given.instance("order", R"({"order":"o-1","big":")" + std::string(6000, 'x') + "\"}");
  when.publishes("paid", "o-1", {variable_of(6000, "more"), 0ms});
  then.answered();
  is_resolved_when_smaller(instance, "wait");
  then.all_done();
  then.no_messages_left();
}

TEST_F(SmallInstances, a_message_that_was_buffered_is_an_incident) {
  given.model("order.bpmn", one_catch());
  given.publishes("paid", "o-1", {variable_of(6000, "more"), 1h});
  const Key instance =
      given.instance("order", R"({"order":"o-1","big":")" + std::string(6000, 'x') + "\"}");
  is_resolved_when_smaller(instance, "wait");
  then.all_done();
}

TEST_F(SmallInstances, a_message_for_a_boundary_event_is_an_incident_on_the_event) {
  for (const bool interrupting : {true, false}) {
    given.process("order", start() >> service_task("a", job("a")) >> end(),
                  boundary("a", message("note", "note", "=order"),
                           interrupting ? name("") : non_interrupting()) >>
                      service_task("b", job("b")) >> end("noted"));
    const Key instance =
        given.instance("order", R"({"order":"o-1","big":")" + std::string(6000, 'x') + "\"}");
    when.publishes("note", "o-1", {variable_of(6000, "more"), 0ms});
    then.answered();
    is_resolved_when_smaller(instance, "note");
    EXPECT_EQ(then.variable(instance, "more").size(), 6002U);
    when.completes_job("b");
    if (!interrupting) when.completes_job("a");
    then.all_done();
    then.no_messages_left();
  }
}

TEST_F(SmallInstances, a_payload_that_fits_once_is_written_once) {
  given.process("order", start(message("begin", "begin")) >> service_task("a", job("a")) >> end());
  when.publishes("begin", "", {variable_of(9000), 0ms});
  EXPECT_EQ(then.open_incidents(), 0U);
  EXPECT_EQ(then.variable(given.element("order"), "big").size(), 9002U);
  when.completes_job("a");
  then.all_done();
}

TEST_F(SmallInstances, a_start_message_beyond_the_limit_is_an_incident_on_the_start_event) {
  given.process("order", start(message("begin", "begin"), output("=a", "a")) >>
                             service_task("a", job("a")) >> end());
  when.publishes("begin", "o-1", {variable_of(11'000), 0ms});
  then.answered();
  ASSERT_EQ(then.open_incidents(), 1U);
  EXPECT_EQ(world.state().incidents().find(given.incident_key())->record.element_id, "begin");
  // The message alone is larger than an instance may be. The instance can be canceled, which frees
  // its correlation key.
  when.cancels(given.element("order"));
  then.all_done();
  when.publishes("begin", "o-1", {R"({"a":1})", 0ms});
  when.completes_job("a");
  then.all_done();
}

TEST_F(SmallInstances, a_result_for_which_the_caller_has_no_room_is_an_incident_on_the_called) {
  given.process("called", start() >> service_task("a", job("a")) >> end());
  given.process("order",
                start() >> call_activity("call", "called", output("=done", "done")) >> end());
  const Key instance = given.instance("order", variable_of(6000));
  given.completes_job("a", variable_of(9000, "big"));
  then.answered();
  // The payload and the caller's `big` do not fit together.
  is_resolved_when_smaller(instance, "called");
  then.all_done();
}

TEST_F(SmallInstances, a_result_for_which_the_caller_can_never_have_room_can_be_made_smaller) {
  given.process("called", start() >> service_task("a", job("a")) >> end());
  given.process("order", start() >> call_activity("call", "called") >> end());
  const Key instance = given.instance("order");
  // The called process does not get this variable, so it may use all the bytes of the limit.
  given.sets_variables(instance, R"({"late":"12345"})");
  const Key called = called_instance();
  given.completes_job("a", variable_of(9990, "big"));
  then.answered();
  is_resolved_when_smaller(called, "called");
  then.all_done();
}

TEST_F(SmallInstances, a_called_process_that_cannot_return_can_be_canceled_with_its_caller) {
  given.process("called", start() >> service_task("a", job("a")) >> end());
  given.process("order", start() >> call_activity("call", "called") >> end());
  const Key instance = given.instance("order");
  given.sets_variables(instance, R"({"late":"12345"})");
  given.completes_job("a", variable_of(9990, "big"));
  ASSERT_EQ(then.open_incidents(), 1U);
  when.cancels(instance);
  then.all_done();
  EXPECT_EQ(then.open_incidents(), 0U);
}

TEST_F(SmallInstances, called_instances_count_for_themselves) {
  given.process("called", start() >> service_task("a", job("a")) >> end());
  given.process("order", start() >> call_activity("call", "called", output("=1", "one")) >> end());
  const Key instance = given.instance("order", variable_of(6000));
  // The called process has a copy of the 6,000 bytes and gets 3,000 more.
  when.completes_job("a", variable_of(3000, "more"));
  then.answered();
  EXPECT_EQ(then.variable(instance, "one"), "absent") << "the result of 9,000 bytes waits";
  is_resolved_when_smaller(instance, "called");
  then.all_done();
}

TEST_F(SmallInstances, a_multi_instance_beyond_the_limit_is_an_incident) {
  given.process("order", start() >> service_task("a", job("a"),
                                                 multi_instance({.input_collection = "=[1,2]",
                                                                 .input_element = "item",
                                                                 .output_collection = "results",
                                                                 .output_element = "=r"})) >>
                             end());
  const Key instance = given.instance("order", variable_of(6000));
  given.completes_job("a", variable_of(1000, "r"));
  given.completes_job("a", variable_of(2500, "r"));
  then.answered();
  is_resolved_when_smaller(instance, "a");
  then.all_done();
}

TEST_F(SmallInstances, an_item_beyond_the_limit_is_an_incident_on_its_instance) {
  given.process("order", start() >> service_task("a", job("a"),
                                                 multi_instance({.input_collection = "=[big]",
                                                                 .input_element = "item"})) >>
                             end());
  const Key instance = given.instance("order", variable_of(6000));
  is_resolved_when_smaller(instance, "a");
  when.completes_job("a");
  then.all_done();
}

TEST_F(SmallInstances, an_instance_with_such_an_incident_can_be_canceled) {
  given.model("order.bpmn", one_catch());
  const Key instance =
      given.instance("order", R"({"order":"o-1","big":")" + std::string(6000, 'x') + "\"}");
  given.publishes("paid", "o-1", {variable_of(6000, "more"), 0ms});
  ASSERT_EQ(then.open_incidents(), 1U);
  when.cancels(instance);
  then.all_done();
  EXPECT_EQ(then.open_incidents(), 0U);
}

}  // namespace
}  // namespace beeline::testing
