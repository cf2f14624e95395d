#include "tests/support/scenario.h"

// Messages that start instances, and the rule that a correlation key has at most one of them (spec:
// messages 1.6, 1.11).
namespace beeline::testing {
namespace {

using record::MessageStartEventSubscriptionIntent;
using record::MessageStartEventSubscriptionRecord;

Model started_by(const std::string& name, const std::string& id = "order") {
  return process(id, start(message("begin", name)) >> service_task("ship", job("courier")) >>
                         bpmn::build::end("done"));
}

SCENARIO(Z25_MS16_a_message_starts_an_instance) {
  when.model("order.bpmn", started_by("placed"));
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED order
    E DEPLOYMENT CREATED
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED placed startEventId="begin"
  )");
  when.publishes("placed", "o-1", {R"({"a":1})"});
  then.records(R"(
    C MESSAGE PUBLISH placed
    E MESSAGE PUBLISHED placed
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED placed correlationKey="o-1"
    E PROCESS_EVENT TRIGGERING begin
    C ELEMENT ACTIVATE order
    E PROCESS_INSTANCE_CREATION CREATED order
    E MESSAGE EXPIRED placed
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    E PROCESS_EVENT TRIGGERED begin
    E ELEMENT ACTIVATING begin
    E ELEMENT ACTIVATED begin
    E VARIABLE CREATED a
    C ELEMENT COMPLETE begin
    E ELEMENT COMPLETING begin
    E VARIABLE CREATED a
    E ELEMENT COMPLETED begin
    ...
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
  )");
  const Key instance = given.element("order");
  EXPECT_EQ(then.values<record::ProcessEventRecord>(record::ProcessEventIntent::Triggering)
                .front()
                .process_instance_key,
            instance);
  EXPECT_EQ(then.values<MessageStartEventSubscriptionRecord>(
                    MessageStartEventSubscriptionIntent::Correlated)
                .front()
                .process_instance_key,
            instance);
  EXPECT_EQ(then.variable(instance, "a"), "1");
  given.completes_job("courier");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M4_the_name_may_be_a_constant_expression) {
  given.process("order", start(message("begin", "=\"pla\" + \"ced\"")) >> end());
  when.publishes("placed", "o-1");
  then.records_of({"E ELEMENT COMPLETED order"}, "E ELEMENT COMPLETED order");
}

SCENARIO(MS16_output_mappings_of_the_start_event) {
  given.process("order", start(message("begin", "placed"), output("=a + 1", "b")) >>
                             service_task("ship", job("courier")) >> bpmn::build::end("done"));
  given.publishes("placed", "o-1", {R"({"a":1})"});
  EXPECT_EQ(then.variable(given.element("order"), "a"), "absent");
  EXPECT_EQ(then.variable(given.element("order"), "b"), "2");
}

SCENARIO(M12_an_open_subscription_of_the_process_is_preferred) {
  given.process("order", start(message("begin", "placed")) >>
                             catch_event(message("wait", "placed", "=1")) >> end());
  given.publishes("placed", "other");
  when.publishes("placed", "1");
  then.records_of({"E MESSAGE_START", "E MESSAGE_SUBSCRIPTION CORRELATED"},
                  "E MESSAGE_SUBSCRIPTION CORRELATED placed");
  then.all_done();
}

SCENARIO(M13_R20_a_key_starts_one_instance_at_a_time) {
  given.model("order.bpmn", started_by("placed"));
  given.publishes("placed", "o-1");
  when.publishes("placed", "o-1");
  then.records(R"(
    C MESSAGE PUBLISH placed
    E MESSAGE PUBLISHED placed
    E MESSAGE EXPIRED placed
  )");
  // A message with another key starts an instance, and so does one with the same key after the
  // instance has ended.
  when.publishes("placed", "o-2");
  then.records_of({"E MESSAGE_START"}, "E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED placed");
  given.completes_job("courier");
  when.publishes("placed", "o-1");
  then.records_of({"E MESSAGE_START"}, "E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED placed");
}

SCENARIO(M14_R21_what_was_buffered_starts_the_next_instance_in_the_step_that_ends_the_first) {
  given.model("order.bpmn", started_by("placed"));
  given.publishes("placed", "o-1", {R"({"n":1})", 1h});
  given.publishes("placed", "o-1", {R"({"n":2})", 1h});
  given.publishes("placed", "o-1", {R"({"n":3})", 1h});
  when.completes_job("courier");
  then.records_of({"E ELEMENT COMPLETED order", "E MESSAGE_START", "E PROCESS_INSTANCE_CREATION"},
                  R"(
    E ELEMENT COMPLETED order
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED placed
    E PROCESS_INSTANCE_CREATION CREATED order
  )");
  EXPECT_EQ(then.variable(given.element("order"), "n"), "2");
  when.cancels(given.element("order"));
  then.records_of({"E ELEMENT TERMINATED order", "E MESSAGE_START", "E PROCESS_INSTANCE_CREATION"},
                  R"(
    E ELEMENT TERMINATED order
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED placed
    E PROCESS_INSTANCE_CREATION CREATED order
  )");
  EXPECT_EQ(then.variable(given.element("order"), "n"), "3");
  when.completes_job("courier");
  then.records_of({"E MESSAGE_START"}, "");
  then.all_done();
}

SCENARIO(M15_the_start_events_of_a_process_share_the_lock_and_the_queue) {
  given.process(
      "order",
      start(message("x", "x")) >> service_task("ship", job("courier")) >> bpmn::build::end("done"),
      start(message("y", "y")) >> to("ship"));
  for (const char* name : {"x", "y", "x", "y"}) given.publishes(name, "k", {"", 1h});
  for (const char* next : {"y", "x", "y"}) {
    when.completes_job("courier");
    then.records_of({"E MESSAGE_START"},
                    fmt::format("E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED {}", next));
  }
  given.completes_job("courier");
  then.all_done();
}

SCENARIO(M16_without_a_key_every_message_starts_an_instance) {
  given.model("order.bpmn", started_by("placed"));
  for (int i = 0; i < 3; ++i) given.publishes("placed");
  EXPECT_EQ(given.activates_jobs("courier").size(), 3U);
}

SCENARIO(M17_the_next_instance_is_of_the_latest_version) {
  given.model("order.bpmn", started_by("placed"));
  given.publishes("placed", "o-1", {"", 1h});
  given.publishes("placed", "o-1", {"", 1h});
  when.process("order", start(message("begin2", "placed")) >> service_task("ship", job("other")) >>
                            bpmn::build::end("done"));
  then.records_of({"E MESSAGE_START"}, R"(
    E MESSAGE_START_EVENT_SUBSCRIPTION DELETED placed startEventId="begin"
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED placed startEventId="begin2"
  )");
  when.completes_job("courier");
  then.records_of({"E JOB CREATED"}, "E JOB CREATED other");
}

SCENARIO(M18_what_is_overdue_starts_nothing) {
  given.model("order.bpmn", started_by("placed"));
  given.publishes("placed", "o-1", {"", 1h});
  given.publishes("placed", "o-1", {"", 1min});
  given.time_passes(10min);
  when.completes_job("courier");
  then.records_of({"E MESSAGE_START"}, "");
  then.all_done();
}

SCENARIO(M19_what_was_published_before_the_deployment_starts_nothing) {
  const Key early = given.publishes("placed", "o-1", {R"({"n":1})", 1h});
  const Key other = given.publishes("placed", "o-2", {R"({"n":2})", 1h});
  when.model("order.bpmn", started_by("placed"));
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED order
    E DEPLOYMENT CREATED
    E MESSAGE_START_EVENT_SUBSCRIPTION CREATED placed startEventId="begin"
  )");
  when.time_passes(30min);
  then.records("");
  ASSERT_NE(world.state().messages().find(early), nullptr);
  ASSERT_NE(world.state().messages().find(other), nullptr);

  // The next message with a key starts an instance with its own variables.
  when.publishes("placed", "o-1", {R"({"n":3})"});
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "E PROCESS_INSTANCE_CREATION CREATED order");
  EXPECT_EQ(then.variable(given.element("order"), "n"), "3");
  // The early message is taken when the lock of its key is released.
  when.completes_job("courier");
  const auto picked = then.values<MessageStartEventSubscriptionRecord>(
      MessageStartEventSubscriptionIntent::Correlated);
  ASSERT_EQ(picked.size(), 1U);
  EXPECT_EQ(picked.front().message_key, early);
  EXPECT_EQ(then.variable(given.element("order"), "n"), "1");
  // The key of the other message never had a lock, so nothing releases the message.
  when.completes_job("courier");
  then.records_of({"E PROCESS_INSTANCE_CREATION", "E MESSAGE_START"}, "");
  then.all_done();
  when.time_passes(31min);
  then.records_of({"E"}, R"(
    E MESSAGE EXPIRED placed correlationKey="o-1"
    E MESSAGE EXPIRED placed correlationKey="o-2"
  )");
  then.no_messages_left();
}

SCENARIO(M20_a_version_without_the_start_event_is_not_started) {
  given.model("order.bpmn", started_by("placed"));
  when.process("order",
               start() >> service_task("ship", job("courier")) >> bpmn::build::end("done"));
  then.records_of({"E MESSAGE_START"}, "E MESSAGE_START_EVENT_SUBSCRIPTION DELETED placed");
  when.publishes("placed", "o-1");
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "");
}

SCENARIO(M21_a_duplicate_deployment_changes_nothing) {
  given.model("order.bpmn", started_by("placed"));
  when.model("order.bpmn", started_by("placed"));
  then.records_of({"E MESSAGE_START"}, "");
  given.publishes("placed", "o-1");
  EXPECT_EQ(given.activates_jobs("courier").size(), 1U);
}

SCENARIO(M22_the_message_that_started_an_instance_is_not_taken_by_it_again) {
  given.process("order", start(message("begin", "placed")) >>
                             catch_event(message("wait", "placed", "=k")) >> end());
  when.publishes("placed", "1", {R"({"k":"1"})", 1h});
  then.records_of({"E MESSAGE_SUBSCRIPTION"}, "E MESSAGE_SUBSCRIPTION CREATED placed");
  given.publishes("placed", "1", {"", 1h});
  then.all_done();
}

SCENARIO(M23_an_aggregator_of_three_takes_five_messages_in_order) {
  for (const char* n : {"1", "2", "3", "4", "5"}) {
    given.publishes("item", "k", {fmt::format(R"({{"n":{}}})", n), 1h});
  }
  given.process("collect",
                start(message("first", "item"), output("=[n]", "all"), output("=\"k\"", "k")) >>
                    catch_event(message("next", "item", "=k"), output("=append(all, n)", "all")) >>
                    exclusive_gateway("enough") >> condition("count(all) >= 3") >>
                    service_task("use", job("user")) >> bpmn::build::end("done"),
                from("enough") >> default_flow() >> to("next"));
  // Messages from before the deployment start no instance, so one more message is needed.
  given.publishes("item", "k", {R"({"n":6})", 1h});
  const Key first = given.element("collect");
  EXPECT_EQ(then.variable(first, "all"), "[6,1,2]");
  given.completes_job("user");
  EXPECT_EQ(then.variable(given.element("collect"), "all"), "[3,4,5]");
  given.completes_job("user");
  then.all_done();
}

SCENARIO(M24_an_instance_that_no_message_started_holds_no_lock) {
  given.process("order",
                start() >> service_task("ship", job("courier")) >> bpmn::build::end("done"),
                start(message("begin", "placed")) >> to("ship"));
  given.instance("order", R"({"key":"o-1"})");
  when.publishes("placed", "o-1");
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "E PROCESS_INSTANCE_CREATION CREATED order");
}

SCENARIO(several_processes_are_started_by_one_message) {
  given.model("a.bpmn", started_by("placed", "a"));
  given.model("b.bpmn", started_by("placed", "b"));
  given.publishes("placed", "o-1");
  when.publishes("placed", "o-1");
  then.records_of({"E PROCESS_INSTANCE_CREATION"}, "");
  EXPECT_EQ(given.activates_jobs("courier").size(), 2U);
}

}  // namespace
}  // namespace beeline::testing
