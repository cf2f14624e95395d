#include "tests/scenarios/message_models.h"
#include "tests/support/scenario.h"

// How long messages are buffered, in which order they are taken, and how ids make them unique
// (spec: messages 1.7, 1.8).
namespace beeline::testing {
namespace {

using record::MessageIntent;
using record::MessageRecord;
using record::RejectionType;

SCENARIO(Z20_MS8_without_time_to_live_a_message_is_gone_at_once) {
  for (const Milliseconds ttl : {Milliseconds{0}, Milliseconds{-5}}) {
    when.publishes("paid", "o-1", {"", ttl});
    then.answered();
    then.records(R"(
      C MESSAGE PUBLISH paid
      E MESSAGE PUBLISHED paid
      E MESSAGE EXPIRED paid
    )");
  }
  then.no_messages_left();
}

SCENARIO(Z21_an_overdue_message_is_swept_within_a_minute) {
  const Key key = given.publishes("paid", "o-1", {R"({"a":1})", 10s, "id-1"});
  when.time_passes(10s);
  when.time_passes(1min);
  then.records(R"(
    C MESSAGE_BATCH EXPIRE
    E MESSAGE EXPIRED paid messageId="id-1"
  )");
  EXPECT_EQ(then.keys<MessageRecord>(MessageIntent::Expired).front(), key);
  EXPECT_TRUE(then.values<MessageRecord>(MessageIntent::Expired).front().variables.empty());
  then.no_messages_left();
  when.time_passes(1h);
  then.records("");
}

class SweptEverySecond : public ScenarioTest {
 protected:
  SweptEverySecond() : ScenarioTest(options()) {}

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.message_sweep_interval = 1s;
    return options;
  }
};

TEST_F(SweptEverySecond, an_overdue_message_is_swept_as_often_as_is_set) {
  given.publishes("paid", "o-1", {"", 9500ms});
  when.time_passes(9500ms);
  then.records("");
  when.time_passes(500ms);
  then.records(R"(
    C MESSAGE_BATCH EXPIRE
    E MESSAGE EXPIRED paid
  )");
}

SCENARIO(Z22_an_overdue_message_is_not_taken_even_before_it_is_swept) {
  given.model("order.bpmn", one_catch());
  given.publishes("paid", "o-1", {"", 10s});
  given.time_passes(10s);
  when.instance("order", R"({"order":"o-1"})");
  then.records_of({"E MESSAGE_SUBSCRIPTION"}, "E MESSAGE_SUBSCRIPTION CREATED paid");
}

SCENARIO(the_deadline_counts_from_the_command_and_never_wraps) {
  when.publishes("paid", "o-1", {"", 10s});
  EXPECT_EQ(then.values<MessageRecord>(MessageIntent::Published).front().deadline,
            world.now() + Milliseconds{10s});
  when.publishes("paid", "o-1", {"", Milliseconds::max()});
  EXPECT_EQ(then.values<MessageRecord>(MessageIntent::Published).front().deadline.millis(),
            std::numeric_limits<std::int64_t>::max());
  given.time_passes(1000h);
  EXPECT_EQ(world.state().messages().count(), 1U);
}

SCENARIO(M5_MS4_the_first_published_is_taken_first) {
  for (const char* n : {"1", "2", "3"}) {
    given.publishes("paid", "o-1", {fmt::format(R"({{"n":{}}})", n), 1h});
  }
  given.process("order", start() >> catch_event(message("wait", "paid", "=order")) >>
                             service_task("ship", job("courier")) >> end());
  for (const char* n : {"1", "2", "3"}) {
    const Key instance = given.instance("order", R"({"order":"o-1"})");
    EXPECT_EQ(then.variable(instance, "n"), n);
  }
}

SCENARIO(M11_a_message_that_was_taken_stays_for_other_processes) {
  given.model("a.bpmn", one_catch("a"));
  given.model("b.bpmn", one_catch("b"));
  given.publishes("paid", "o-1", {"", 1h});
  given.instance("a", R"({"order":"o-1"})");
  then.all_done();
  given.instance("b", R"({"order":"o-1"})");
  then.all_done();
  given.instance("a", R"({"order":"o-1"})");
  EXPECT_EQ(world.state().message_subscriptions().count(), 1U);
}

SCENARIO(M25_M26_MS9_an_id_is_taken_once_while_the_message_is_there) {
  given.publishes("paid", "o-1", {"", 1h, "id-1"});
  then.refused({{"same name, key and id",
                 [&] {
                   given.submits(MessageIntent::Publish, Key{}, [] {
                     MessageRecord message;
                     message.name = "paid";
                     message.correlation_key = "o-1";
                     message.message_id = "id-1";
                     return message;
                   }());
                 },
                 RejectionType::AlreadyExists,
                 "Expected to publish a new message with id 'id-1', but a message with that id was "
                 "already published"}});
  for (const auto& [name, key, id] :
       {std::tuple{"sent", "o-1", "id-1"}, std::tuple{"paid", "o-2", "id-1"},
        std::tuple{"paid", "o-1", "id-2"}, std::tuple{"paid", "o-1", ""},
        std::tuple{"paid", "o-1", ""}}) {
    when.publishes(name, key, {"", 1h, id});
    then.answered();
  }
}

SCENARIO(M27_an_id_is_free_again_when_its_message_is_overdue) {
  given.publishes("paid", "o-1", {"", 10s, "id-1"});
  given.time_passes(10s);
  when.publishes("paid", "o-1", {"", 10s, "id-1"});
  then.records(R"(
    C MESSAGE PUBLISH paid
    E MESSAGE EXPIRED paid
    E MESSAGE PUBLISHED paid
  )");
}

SCENARIO(M28_without_time_to_live_an_id_protects_nothing) {
  given.publishes("paid", "o-1", {"", 0ms, "id-1"});
  when.publishes("paid", "o-1", {"", 0ms, "id-1"});
  then.answered();
}

SCENARIO(M39_overdue_messages_are_swept_a_hundred_at_a_time) {
  for (int i = 0; i < 1000; ++i) given.publishes("paid", std::to_string(i), {"", 10s});
  // One sweep is due, and goes on by itself: the clock is asked only once.
  when.appends([&] { given.time_passes(2min); });
  EXPECT_EQ(then.values<MessageRecord>(MessageIntent::Expired).size(), 1000U);
  then.records_of({"C"}, R"(
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
    C MESSAGE_BATCH EXPIRE
  )");
  then.no_messages_left();
}

SCENARIO(what_is_refused_of_messages) {
  then.refused({{"no name", [&] { given.submits(MessageIntent::Publish, Key{}, MessageRecord{}); },
                 RejectionType::InvalidArgument, "no name was provided"},
                {"expire one that is not there",
                 [&] { given.submits(MessageIntent::Expire, Key{77}, MessageRecord{}); },
                 RejectionType::NotFound, "no such message was found"}});
  const Key key = given.publishes("paid", "o-1", {"", 1h});
  when.submits(MessageIntent::Expire, key, MessageRecord{});
  then.records(R"(
    C MESSAGE EXPIRE
    E MESSAGE EXPIRED paid
  )");
}

// The cost of a message must not grow with the number of subscriptions to its name.
SCENARIO(a_message_looks_at_one_subscription_of_each_process) {
  given.process("many", start() >> catch_event(message("wait", "paid")) >> end());
  given.process("more", start() >> catch_event(message("wait", "paid")) >> end());
  for (int i = 0; i < 50; ++i) {
    given.instance("many");
    given.instance("more");
  }
  const auto& subscriptions = world.state().message_subscriptions();
  EXPECT_EQ(subscriptions.longest_waiting(record::kDefaultTenant, "paid", "").size(), 2U);
  when.publishes("paid");
  then.records_of({"E MESSAGE_SUBSCRIPTION CORRELATING"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="many"
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="more"
  )");
  EXPECT_EQ(subscriptions.count(), 98U);
}

// The variables are on the log with PUBLISHED and may have megabytes.
SCENARIO(what_expires_does_not_repeat_its_variables) {
  given.publishes("paid", "o-1", {R"({"sum":1})", 10s, "id-1"});
  when.time_passes(2min);
  const auto expired = then.values<MessageRecord>(MessageIntent::Expired);
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_TRUE(expired.front().variables.entries.empty());
  EXPECT_EQ(expired.front().name, "paid");
  EXPECT_EQ(expired.front().correlation_key, "o-1");
  EXPECT_EQ(expired.front().message_id, "id-1");
  when.publishes("paid", "o-1", {R"({"sum":2})"});
  const auto at_once = then.values<MessageRecord>(MessageIntent::Expired);
  ASSERT_EQ(at_once.size(), 1U);
  EXPECT_TRUE(at_once.front().variables.entries.empty());
}

}  // namespace
}  // namespace beeline::testing
