#include "tests/scenarios/transaction_models.h"

// Events, jobs and terminations that meet a transaction while it is canceled (spec:
// elements/transaction 3).
namespace beeline::testing {
namespace {

using record::CompensationSubscriptionIntent;
using record::CompensationSubscriptionRecord;

SCENARIO(B8_the_events_of_a_transaction_are_closed_when_its_cancellation_begins) {
  given.process("travel",
                start() >> trip_transaction(
                               flight_and_hotel(),
                               event_subprocess("esp", start(message("news", "news", "=\"k\"")) >>
                                                           end("told"))) >>
                    end("booked"),
                boundary("trip", cancel("refused")) >> end("undone"),
                boundary("trip", timer("late", 1h)) >> end("too_late"),
                boundary("trip", signal("alarm", "alarm"), non_interrupting()) >> end("warned"));
  given.instance("travel");
  when.completes_job("check");
  then.records_of({"E TIMER", "E SIGNAL", "E PROCESS_MESSAGE_SUBSCRIPTION DELETING"}, R"(
    E SIGNAL_SUBSCRIPTION DELETED alarm
    E TIMER CANCELED late
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING news
  )");
  given.publishes("news", "k");
  given.broadcasts("alarm");
  when.time_passes(2h);
  then.records_of({"E ELEMENT", "E TIMER"}, "");
  given.completes_job("cf");
  when.completes_job("ch");
  then.records_of({"E ELEMENT COMPLETED undone"}, "E ELEMENT COMPLETED undone");
  then.all_done();
}

const Model& timed_travel() {
  static const Model model = travel(trip_transaction(flight_and_hotel()),
                                    boundary("trip", timer("late", 1h)) >> end("too_late"));
  return model;
}

// The timer is due when the cancel end event is activated.
SCENARIO_STEP_BY_STEP(B8_race_the_cancellation_begins_before_the_timer) {
  given.model("travel.bpmn", timed_travel());
  given.instance("travel");
  when.appends_behind_others([&] {
    given.completes_job("check");
    const Key trip = given.element("trip");
    while (!world.state().element_instances().get(trip).is_canceling) world.step();
    given.time_passes(1h);
  });
  then.records_of({"R TIMER", "E TIMER", "E ELEMENT TERMINATED", "E COMPENSATION"}, R"(
    E TIMER CANCELED late
    E ELEMENT TERMINATED pay
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
  )");
  given.completes_job("cf");
  when.completes_job("ch");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(B8_race_the_timer_comes_before_the_cancellation) {
  given.model("travel.bpmn", timed_travel());
  given.instance("travel");
  when.appends([&] {
    given.completes_job("check");
    given.time_passes(1h);
  });
  then.records_of({"E PROCESS_INSTANCE CANCELING", "E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED check
    E COMPENSATION_SUBSCRIPTION DELETED hotel
    E COMPENSATION_SUBSCRIPTION DELETED flight
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED too_late
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
}

// An error is on its way to the boundary event when the cancel end event is activated.
SCENARIO_STEP_BY_STEP(B10_race_an_error_comes_before_the_cancellation) {
  given.model("travel.bpmn", travel(trip_transaction(flight_and_hotel()),
                                    boundary("trip", error("failed", "404")) >> end("lost")));
  given.instance("travel");
  when.appends_behind_others([&] {
    given.completes_job("check");
    world.step();
    given.throws_error("pay", "404");
  });
  then.records_of({"E PROCESS_INSTANCE CANCELING", "E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED check
    E COMPENSATION_SUBSCRIPTION DELETED hotel
    E COMPENSATION_SUBSCRIPTION DELETED flight
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED lost
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
}

SCENARIO(B8_a_second_cancel_end_event_is_ignored) {
  given.model("travel.bpmn",
              travel(trip_transaction(start("wanted") >> task("flight") >>
                                          parallel_gateway("fork") >> end(cancel("second")),
                                      task("hotel"))));
  when.instance("travel");
  then.records_of({"R", "E PROCESS_INSTANCE CANCELING", "E ELEMENT ACTIVATED abort"}, R"(
    E PROCESS_INSTANCE CANCELING trip
    R ELEMENT ACTIVATE check rejection=INVALID_STATE
  )");
  when.completes_job("cf");
  then.all_done();
  given.model("travel.bpmn",
              travel(transaction(
                  "trip", start("wanted") >> parallel_gateway("fork") >> end(cancel("first")),
                  from("fork") >> end(cancel("second")))));
  when.instance("travel");
  then.records_of({"R", "E PROCESS_INSTANCE CANCELING", "E ELEMENT COMPLETED undone"}, R"(
    E PROCESS_INSTANCE CANCELING trip
    R ELEMENT ACTIVATE second rejection=INVALID_STATE
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B8_a_token_that_waits_at_a_join_is_dropped) {
  given.model("travel.bpmn",
              travel(transaction("trip",
                                 start("wanted") >> parallel_gateway("fork") >>
                                     parallel_gateway("join") >> end("paid"),
                                 from("fork") >> service_task("check", job("check")) >>
                                     exclusive_gateway("ok") >> condition("ok") >> to("join"),
                                 from("ok") >> default_flow() >> end(cancel("abort")))));
  given.instance("travel", R"({"ok": false})");
  when.completes_job("check");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED undone"}, R"(
    E ELEMENT TERMINATED trip
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B8_a_transaction_in_a_transaction_is_canceled_alone) {
  std::vector<Item> inner = undone("seat", "free_seat", "fs");
  inner.emplace_back(start("inner_start") >> task("seat") >>
                     service_task("inner_check", job("inner_check")) >> end(cancel("inner_abort")));
  given.model("travel.bpmn",
              travel(trip_transaction(
                  start("wanted") >> task("flight") >> task("hotel") >> parallel_gateway("fork") >>
                      node("bpmn:transaction", "inner", std::move(inner)) >> end("paid"),
                  boundary("inner", cancel("inner_refused")) >>
                      service_task("other", job("other")) >> end("otherwise"))));
  given.instance("travel");
  given.completes_job("inner_check");
  when.completes_job("fs");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT COMPLETED free_seat
    E COMPENSATION_SUBSCRIPTION COMPLETED seat
    E ELEMENT COMPLETED inner_abort
    E ELEMENT TERMINATED inner
    E ELEMENT COMPLETED inner_refused
  )");
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT TERMINATED other
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
  )");
  given.completes_job("cf");
  when.completes_job("ch");
  then.all_done();
  // The outer one is canceled while the handler of the inner one is at work: it begins again.
  given.instance("travel");
  given.completes_job("inner_check");
  const Key first = given.element("free_seat");
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E JOB", "E ELEMENT TERMINATED"}, R"(
    E JOB COMPLETED check
    E COMPENSATION_SUBSCRIPTION MOVED seat
    E ELEMENT TERMINATED inner_abort
    E JOB CANCELED fs
    E ELEMENT TERMINATED free_seat
    E ELEMENT TERMINATED inner
    E COMPENSATION_SUBSCRIPTION TRIGGERED seat throwEventId="abort"
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
    E JOB CREATED fs
    E JOB CREATED ch
    E JOB CREATED cf
  )");
  EXPECT_NE(given.element("free_seat"), first);
  given.completes_job("cf");
  given.completes_job("ch");
  when.completes_job("fs");
  then.records_of({"E ELEMENT COMPLETED undone"}, "E ELEMENT COMPLETED undone");
  then.all_done();
}

SCENARIO(B8_a_throw_event_at_work_gives_its_compensations_to_the_transaction) {
  std::vector<Item> done = undone("seat", "free_seat", "fs");
  for (Item& item : undone("meal", "drop_meal", "dm")) done.push_back(std::move(item));
  done.emplace_back(start("ds") >> task("seat") >> task("meal") >> end("de"));
  given.model(
      "travel.bpmn",
      travel(trip_transaction(
          start("wanted") >> task("flight") >> node("bpmn:subProcess", "done", std::move(done)) >>
              parallel_gateway("fork") >> throw_event(compensation("undo")) >> end("paid"),
          task("hotel"))));
  given.instance("travel");
  given.completes_job("dm");  // the others are still at work
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E JOB"}, R"(
    E JOB COMPLETED check
    E COMPENSATION_SUBSCRIPTION MOVED flight
    E COMPENSATION_SUBSCRIPTION MOVED done
    E COMPENSATION_SUBSCRIPTION MOVED seat
    E JOB CANCELED fs
    E JOB CANCELED cf
    E COMPENSATION_SUBSCRIPTION TRIGGERED done throwEventId="abort"
    E COMPENSATION_SUBSCRIPTION TRIGGERED seat throwEventId="abort"
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight throwEventId="abort"
    E JOB CREATED fs
    E JOB CREATED cf
  )");
  given.completes_job("cf");
  when.completes_job("fs");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED undone"}, R"(
    E COMPENSATION_SUBSCRIPTION COMPLETED seat
    E COMPENSATION_SUBSCRIPTION COMPLETED done
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B8_an_event_subprocess_that_runs_in_the_transaction_is_ended_and_compensated) {
  std::vector<Item> inner = undone("note", "erase", "erase");
  inner.emplace_back(attribute("triggeredByEvent", "true"));
  inner.emplace_back(start(message("news", "news", "=\"k\""), non_interrupting()) >> task("note") >>
                     service_task("wait", job("wait")) >> end("noted"));
  given.model("travel.bpmn",
              travel(trip_transaction(flight_and_hotel(),
                                      node("bpmn:subProcess", "esp", std::move(inner)))));
  given.instance("travel");
  given.publishes("news", "k");
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E JOB"}, R"(
    E JOB COMPLETED check
    E JOB CANCELED pay
    E COMPENSATION_SUBSCRIPTION MOVED note
    E JOB CANCELED wait
    E COMPENSATION_SUBSCRIPTION TRIGGERED note
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
    E JOB CREATED erase
    E JOB CREATED ch
    E JOB CREATED cf
  )");
  given.completes_job("erase");
  given.completes_job("ch");
  when.completes_job("cf");
  then.all_done();
}

SCENARIO(B8_each_instance_of_a_multi_instance_subprocess_has_its_own_transaction) {
  given.process("travel",
                start() >>
                    subprocess("each", multi_instance({.input_collection = "=[1, 2]"}),
                               start("es") >> trip_transaction(flight_and_hotel()) >> end("booked"),
                               boundary("trip", cancel("refused")) >> end("undone")) >>
                    end());
  given.instance("travel");
  given.completes_job("check");
  given.completes_job("ch");
  when.completes_job("cf");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel_flight
    E ELEMENT COMPLETED abort
    E ELEMENT COMPLETED refused
    E ELEMENT COMPLETED undone
    E ELEMENT COMPLETED each
  )");
  given.completes_job("check");
  given.completes_job("ch");
  when.completes_job("cf");
  then.records_of({"E ELEMENT COMPLETED travel"}, "E ELEMENT COMPLETED travel");
  then.all_done();
}

SCENARIO(B8_what_was_done_in_a_multi_instance_body_that_still_runs_is_compensated) {
  std::vector<Item> inner = undone("seat", "free_seat", "fs");
  inner.emplace_back(multi_instance({.input_collection = "=[1, 2, 3]", .sequential = true}));
  inner.emplace_back(start("i") >> task("seat") >> service_task("pay", job("pay")) >> end("ie"));
  given.model("travel.bpmn",
              travel(transaction(
                  "trip",
                  start("wanted") >> parallel_gateway("fork") >>
                      node("bpmn:subProcess", "each", std::move(inner)) >> end("paid"),
                  from("fork") >> service_task("check", job("check")) >> end(cancel("abort")))));
  given.instance("travel");
  given.completes_job("pay");  // the first instance is complete, the second one is active
  when.completes_job("check");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION MOVED each
    E COMPENSATION_SUBSCRIPTION MOVED seat
    E COMPENSATION_SUBSCRIPTION TRIGGERED seat
    E COMPENSATION_SUBSCRIPTION TRIGGERED each
    E COMPENSATION_SUBSCRIPTION TRIGGERED seat
  )");
  given.completes_job("fs");
  when.completes_job("fs");
  then.all_done();
}

SCENARIO(B8_a_call_activity_in_a_transaction_is_compensated_or_ended) {
  given.process("child", start() >> task("note") >> service_task("work", job("work")) >> end(),
                boundary("note", compensation("noted")), task("erase", for_compensation()),
                association("noted", "erase"));
  std::vector<Item> inner = undone("call", "cancel_call", "cc");
  inner.emplace_back(start("wanted") >> call_activity("call", "child") >>
                     parallel_gateway("fork") >> call_activity("again", "child") >> end("paid"));
  inner.emplace_back(from("fork") >> service_task("check", job("check")) >> end(cancel("abort")));
  given.model("travel.bpmn", travel(node("bpmn:transaction", "trip", std::move(inner))));
  given.instance("travel");
  given.completes_job("work");
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E JOB", "E ELEMENT TERMINATED"}, R"(
    E JOB COMPLETED check
    E COMPENSATION_SUBSCRIPTION DELETED note
    E JOB CANCELED work
    E ELEMENT TERMINATED work
    E ELEMENT TERMINATED child
    E ELEMENT TERMINATED again
    E COMPENSATION_SUBSCRIPTION TRIGGERED call
    E JOB CREATED cc
  )");
  when.completes_job("cc");
  then.all_done();
}

// The instance is canceled after each number of batches since the check was completed.
SCENARIO_STEP_BY_STEP(B9_race_the_instance_is_canceled_at_any_moment_of_the_cancellation) {
  std::vector<Item> sub = undone("seat", "free_seat", "fs");
  sub.emplace_back(start("i") >> task("seat") >> service_task("wait", job("wait")) >> end("ie"));
  given.model("travel.bpmn",
              travel(trip_transaction(
                  start("wanted") >> task("flight") >> task("hotel") >> parallel_gateway("fork") >>
                  node("bpmn:subProcess", "sub", std::move(sub)) >> end("paid"))));
  for (int steps = 0; steps < 24; ++steps) {
    const Key instance = given.instance("travel");
    when.appends_behind_others([&] {
      given.completes_job("check");
      for (int i = 0; i < steps; ++i) world.step();
      given.cancels(instance);
    });
    then.records_of({"E ELEMENT TERMINATED travel"}, "E ELEMENT TERMINATED travel");
    then.all_done();
  }
}

// A boundary event around the transaction fires after each number of batches.
SCENARIO_STEP_BY_STEP(B8_race_the_scope_around_is_interrupted_at_any_moment) {
  given.process(
      "travel",
      start() >>
          subprocess("all", start("as") >> trip_transaction(flight_and_hotel()) >> end("booked"),
                     boundary("trip", cancel("refused")) >> end("undone")) >>
          end("e"),
      boundary("all", timer("late", 1h)) >> end("too_late"));
  for (int steps = 0; steps < 24; ++steps) {
    given.instance("travel");
    when.appends_behind_others([&] {
      given.completes_job("check");
      for (int i = 0; i < steps; ++i) world.step();
      given.time_passes(1h);
    });
    then.records_of({"E ELEMENT COMPLETED too_late"}, "E ELEMENT COMPLETED too_late");
    then.all_done();
  }
}

// A boundary event of a child, or of a subprocess, fires after each number of batches since the
// check. The handlers run all the same, and nothing starts in the transaction besides them.
SCENARIO_STEP_BY_STEP(B8_race_a_child_is_interrupted_at_any_moment) {
  std::vector<Item> sub = undone("seat", "free_seat", "fs");
  sub.emplace_back(start("i") >> task("seat") >> service_task("wait", job("wait")) >> end("ie"));
  given.model(
      "travel.bpmn",
      travel(trip_transaction(
          start("wanted") >> task("flight") >> task("hotel") >> parallel_gateway("fork") >>
              node("bpmn:subProcess", "sub", std::move(sub)) >> end("paid"),
          from("fork") >> service_task("pay", job("pay")) >> end("paid2"),
          boundary("pay", timer("pay_late", 1h)) >> service_task("ask", job("ask")) >> end("asked"),
          boundary("pay", timer_cycle("remind", "R1/PT1H"), non_interrupting()) >>
              service_task("mail", job("mail")) >> end("mailed"),
          boundary("sub", timer("sub_late", 1h)) >> service_task("ask2", job("ask")) >>
              end("asked2"))));
  for (int steps = 0; steps < 24; ++steps) {
    given.instance("travel");
    when.appends_behind_others([&] {
      given.completes_job("check");
      for (int i = 0; i < steps; ++i) world.step();
      given.time_passes(1h);
    });
    EXPECT_FALSE(has_job(world, "ask")) << steps;
    EXPECT_FALSE(has_job(world, "mail")) << steps;
    given.completes_job("cf");
    if (has_job(world, "fs")) given.completes_job("fs");
    when.completes_job("ch");
    then.records_of({"E ELEMENT COMPLETED undone"}, "E ELEMENT COMPLETED undone");
    then.all_done();
  }
}

// A batch of 4 KiB is full after a few subscriptions.
class ManyCancellations : public ScenarioTest {
 protected:
  static constexpr int kCount = 60;
  ManyCancellations() : ScenarioTest(options()) {
    std::vector<Item> inner = undone("book", "unbook", "unbook");
    inner.emplace_back(start("i") >> exclusive_gateway("again") >>
                       service_task("count", job("n")) >> task("book") >>
                       exclusive_gateway("more") >> default_flow() >>
                       service_task("wait", job("w")) >> end("ie"));
    inner.emplace_back(from("more") >> condition("n < 60") >> to("again"));
    given.model("travel.bpmn",
                travel(transaction(
                    "trip",
                    start("wanted") >> parallel_gateway("fork") >>
                        node("bpmn:subProcess", "sub", std::move(inner)) >> end("paid"),
                    from("fork") >> service_task("check", job("check")) >> end(cancel("abort")))));
    given.instance("travel");
    for (int n = 1; n <= kCount; ++n) {
      given.completes_job("n", "{\"n\": " + std::to_string(n) + "}");
    }
  }

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.batch_bytes_max = 4096;
    return options;
  }
};

TEST_F(ManyCancellations, a_cancellation_moves_and_triggers_them_in_several_batches) {
  const std::size_t frames = world.frames().size();
  when.completes_job("check");
  EXPECT_GE(world.frames().size(), frames + 6);
  const auto count = [&](CompensationSubscriptionIntent intent) {
    return static_cast<int>(then.values<CompensationSubscriptionRecord>(intent).size());
  };
  EXPECT_EQ(count(CompensationSubscriptionIntent::Moved), kCount);
  EXPECT_EQ(count(CompensationSubscriptionIntent::Triggered), kCount);
  then.records_of({"R"}, "");
  for (int i = 0; i < kCount; ++i) when.completes_job("unbook");
  then.records_of({"E ELEMENT COMPLETED undone"}, "E ELEMENT COMPLETED undone");
  then.all_done();
}

TEST_F(ManyCancellations, the_end_of_the_instance_deletes_what_is_left) {
  given.completes_job("check");
  given.completes_job("unbook");
  when.cancels(given.element("travel"));
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
