#include "tests/scenarios/message_models.h"
#include "tests/support/scenario.h"

// Messages whose sender waits for the answer who took them (spec: messages 2; scenarios/messages
// 5).
namespace beeline::testing {
namespace {

using record::MessageCorrelationIntent;
using record::MessageCorrelationRecord;
using record::RejectionType;

SCENARIO(C3_the_answer_names_the_instance_that_took_it) {
  given.model("order.bpmn", one_catch());
  const Key instance = given.instance("order", R"({"order":"o-1"})");
  when.correlates("paid", "o-1", R"({"a":1})");
  then.answered();
  const auto answer = then.answer<MessageCorrelationRecord>();
  EXPECT_EQ(answer.process_instance_key, instance);
  EXPECT_TRUE(answer.message_key.is_set());
  then.records_of({"C MESSAGE", "E MESSAGE", "E PROCESS_MESSAGE", "C PROCESS_MESSAGE"}, R"(
    C MESSAGE_CORRELATION CORRELATE paid
    E MESSAGE PUBLISHED paid timeToLive=-1
    E MESSAGE_CORRELATION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid
    E MESSAGE EXPIRED paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    C MESSAGE_SUBSCRIPTION CORRELATE paid
    E MESSAGE_SUBSCRIPTION CORRELATED paid
    E MESSAGE_CORRELATION CORRELATED paid
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(C4_an_instance_that_was_started_is_preferred_in_the_answer) {
  given.model("a.bpmn", one_catch("a"));
  given.process("b",
                start(message("begin", "paid")) >> service_task("ship", job("courier")) >> end());
  given.instance("a", R"({"order":"o-1"})");
  when.correlates("paid", "o-1");
  then.answered();
  EXPECT_EQ(then.answer<MessageCorrelationRecord>().process_instance_key, given.element("b"));
  then.records_of({"E MESSAGE", "E ELEMENT COMPLETED a"}, R"(
    E MESSAGE PUBLISHED paid
    E MESSAGE_CORRELATION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_START_EVENT_SUBSCRIPTION CORRELATED paid
    E MESSAGE_CORRELATION CORRELATED paid
    E MESSAGE EXPIRED paid
    E MESSAGE_SUBSCRIPTION CORRELATED paid
    E ELEMENT COMPLETED a
  )");
  then.no_messages_left();
}

SCENARIO(C5_C6_nobody_is_there) {
  given.process("order",
                start(message("begin", "placed")) >> service_task("ship", job("courier")) >> end());
  given.publishes("placed", "o-1");
  const auto correlate = [&](std::string name, std::string key) {
    return [&, name, key] { given.correlates(name, key); };
  };
  then.refused({
      {"no name", correlate("", "o-1"), RejectionType::InvalidArgument, "no name was provided"},
      {"no subscription", correlate("paid", "o-1"), RejectionType::NotFound,
       "Expected to find subscription or start event for message with name 'paid' and correlation "
       "key 'o-1', but none was found"},
      {"the start event is locked", correlate("placed", "o-1"), RejectionType::NotFound,
       "of process 'order'"},
  });
  when.correlates("paid", "o-1");
  then.records(R"(
    C MESSAGE_CORRELATION CORRELATE paid
    R MESSAGE_CORRELATION CORRELATE paid rejection=NOT_FOUND
  )");
}

SCENARIO(M40_the_sender_may_pick_the_instance) {
  given.process(
      "order", start() >> catch_event(message("wait", "paid")) >> end(),
      start(message("begin", "paid")) >> service_task("ship", job("courier")) >> end("x"));
  const Key first = given.instance("order");
  const Key second = given.instance("order");
  when.correlates("paid", "", "", second);
  EXPECT_EQ(then.answer<MessageCorrelationRecord>().process_instance_key, second);
  when.correlates("paid", "", "", second);
  then.rejected(RejectionType::NotFound, "none was found");
  when.correlates("paid", "o-1", "", first);
  then.rejected(RejectionType::NotFound, "none was found");
  when.correlates("paid");
  EXPECT_EQ(then.answer<MessageCorrelationRecord>().process_instance_key, first);
}

SCENARIO_STEP_BY_STEP(C8_P15_R16_the_only_candidate_is_gone) {
  given.model("order.bpmn", one_catch());
  const Key instance = given.instance("order", R"({"order":"o-1"})");
  when.appends_behind_others([&] {
    given.cancels(instance);
    given.correlates("paid", "o-1");
  });
  then.rejected(RejectionType::NotFound, "the subscriptions that waited for it were closed");
  then.records_of({"E MESSAGE_CORRELATION", "E MESSAGE_SUBSCRIPTION"}, R"(
    E MESSAGE_CORRELATION CORRELATING paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    E MESSAGE_SUBSCRIPTION REJECTED paid
    E MESSAGE_CORRELATION NOT_CORRELATED paid
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO_STEP_BY_STEP(C7_R26_of_two_candidates_the_one_that_is_left_counts) {
  given.model("a.bpmn", one_catch("a"));
  given.model("b.bpmn", one_catch("b"));
  const Key gone = given.instance("a", R"({"order":"o-1"})");
  const Key there = given.instance("b", R"({"order":"o-1"})");
  when.appends_behind_others([&] {
    given.cancels(gone);
    given.correlates("paid", "o-1");
  });
  then.answered();
  EXPECT_EQ(then.answer<MessageCorrelationRecord>().process_instance_key, there);
  then.all_done();
  then.no_messages_left();
}

}  // namespace
}  // namespace beeline::testing
