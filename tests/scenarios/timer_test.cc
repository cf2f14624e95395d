#include "tests/support/scenario.h"

// Timers (spec: timers; elements/events 4, 8; scenarios/messages 6).
namespace beeline::testing {
namespace {

using record::RejectionType;
using record::TimerIntent;
using record::TimerRecord;

SCENARIO(TM1_a_timer_catch_event_waits_for_its_time) {
  given.process("order", start() >> catch_event(timer("nap", 1h)) >> end());
  when.instance("order");
  then.records_of(
      {"C ELEMENT ACTIVATE nap", "E ELEMENT ACTIVATING nap", "E TIMER", "E ELEMENT ACTIVATED nap"},
      R"(
    C ELEMENT ACTIVATE nap
    E ELEMENT ACTIVATING nap
    E TIMER CREATED nap
    E ELEMENT ACTIVATED nap
  )");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Created).front().due_date,
            world.now() + Milliseconds{1h});
  when.time_passes(1h - 1ms);
  then.records("");
  when.time_passes(1ms);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED nap
    E PROCESS_EVENT TRIGGERING nap
    C ELEMENT COMPLETE nap
    E ELEMENT COMPLETING nap
    E PROCESS_EVENT TRIGGERED nap
    E ELEMENT COMPLETED nap
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN nap_end
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(TM1_a_duration_or_date_may_be_an_expression) {
  given.process("text", start() >> catch_event(timer("nap", "=nap")) >> end());
  given.process("duration", start() >> catch_event(timer("nap", "=duration(\"PT90M\")")) >> end());
  // 1700000000000 is 2023-11-14T22:13:20Z.
  given.process("date",
                start() >> catch_event(timer_date("nap", "=day + \"T00:00:00Z\"")) >> end());
  given.process("feel_date", start() >> catch_event(timer_date(
                                            "nap", "=date and time(\"2023-11-15T00:00:00Z\")")) >>
                                 end());
  const Timestamp midnight{1'700'006'400'000};
  const auto due = [&](const std::string& id, std::string_view variables) {
    when.instance(id, variables);
    const auto created = then.values<TimerRecord>(TimerIntent::Created);
    return created.empty() ? Timestamp{0} : created.front().due_date;
  };
  EXPECT_EQ(due("text", R"({"nap":"PT10S"})"), world.now() + Milliseconds{10s});
  EXPECT_EQ(due("duration", ""), world.now() + Milliseconds{90min});
  EXPECT_EQ(due("date", R"({"day":"2023-11-15"})"), midnight);
  EXPECT_EQ(due("feel_date", ""), midnight);
  given.time_passes(2h);
  then.all_done();
}

SCENARIO(TM1_a_time_that_is_over_fires_at_once) {
  given.process("zero", start() >> catch_event(timer("nap", "PT0S")) >> end());
  given.process("negative", start() >> catch_event(timer("nap", "=\"-PT1H\"")) >> end());
  given.process("past", start() >> catch_event(timer_date("nap", "2001-01-01T00:00:00Z")) >> end());
  for (const char* id : {"zero", "negative", "past"}) {
    SCOPED_TRACE(id);
    given.instance(id);
    when.time_passes(0ms);
    then.records_of({"E TIMER"}, "E TIMER TRIGGERED nap");
    then.all_done();
  }
}

SCENARIO(TM2_a_boundary_cycle_fires_as_often_as_it_says_without_drift) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("remind", "R3/PT1H"), non_interrupting()) >> end("reminded"));
  given.instance("order");
  const Timestamp began = world.now();
  when.time_passes(1h + 20min);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED remind repetitions=3
    E PROCESS_EVENT TRIGGERING remind
    E PROCESS_EVENT TRIGGERED remind
    E ELEMENT ACTIVATING remind
    E ELEMENT ACTIVATED remind
    C ELEMENT COMPLETE remind
    E TIMER CREATED remind repetitions=2
    E ELEMENT COMPLETING remind
    E ELEMENT COMPLETED remind
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN remind_reminded
    ...
    E ELEMENT COMPLETED reminded
  )");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Created).front().due_date,
            began + Milliseconds{2h});
  when.time_passes(40min);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED remind repetitions=2
    E TIMER CREATED remind
  )");
  when.time_passes(10h);
  then.records_of({"E TIMER"}, "E TIMER TRIGGERED remind");
  when.completes_job("courier");
  then.records_of({"E TIMER"}, "");
  then.all_done();
}

SCENARIO(TM2_an_endless_cycle_ends_with_its_host) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("remind", "R/PT1H"), non_interrupting()) >> end("reminded"));
  given.instance("order");
  for (int hour = 1; hour <= 3; ++hour) {
    when.time_passes(1h);
    then.records_of({"E TIMER"}, R"(
      E TIMER TRIGGERED remind repetitions=-1
      E TIMER CREATED remind repetitions=-1
    )");
  }
  when.completes_job("courier");
  then.records_of({"E TIMER"}, "E TIMER CANCELED remind");
  then.all_done();
}

SCENARIO(TM3_a_cycle_that_began_in_the_past_fires_at_once_and_then_every_interval) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("remind", "R2/2001-01-01T00:00:00Z/PT1H"), non_interrupting()) >>
          end("reminded"));
  given.instance("order");
  const Timestamp began = world.now();
  when.time_passes(0ms);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED remind repetitions=2
    E TIMER CREATED remind
  )");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Created).front().due_date,
            began + Milliseconds{1h});
}

SCENARIO(TM3_a_cycle_that_begins_in_the_future_does_not_fire_before) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("remind", "R2/2023-11-15T00:00:00Z/PT1H"), non_interrupting()) >>
          end("reminded"));
  when.instance("order");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Created).front().due_date,
            Timestamp{1'700'006'400'000});
  when.time_passes(1h);
  then.records("");
}

SCENARIO(TM3_a_start_date_in_the_past_fires_once_deployed) {
  given.process("order", start(timer_date("then", "2001-01-01T00:00:00Z")) >> end());
  when.time_passes(0ms);
  then.records_of({"E TIMER", "E PROCESS_INSTANCE_CREATION"}, R"(
    E TIMER TRIGGERED then
    E PROCESS_INSTANCE_CREATION CREATED order
  )");
  when.time_passes(1000h);
  then.records("");
}

SCENARIO(TM4_a_cron_start_waits_for_the_next_match) {
  given.process("order", start(timer_cycle("midnight", "0 0 0 * * *")) >> end());
  const Timestamp midnight{1'700'006'400'000};
  when.time_passes(midnight - world.now() - Milliseconds{1});
  then.records("");
  when.time_passes(1ms);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED midnight
    E TIMER CREATED midnight repetitions=-1
  )");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Created).front().due_date,
            midnight + Milliseconds{24h});
}

SCENARIO(TM5_a_start_timer_makes_an_instance_each_time) {
  when.process("order", start(timer_cycle("hourly", "R2/PT1H")) >> end());
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED order
    E TIMER CREATED hourly repetitions=2
    E DEPLOYMENT CREATED
  )");
  EXPECT_FALSE(
      then.values<TimerRecord>(TimerIntent::Created).front().element_instance_key.is_set());
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED hourly repetitions=2
    E PROCESS_EVENT TRIGGERING hourly
    C ELEMENT ACTIVATE order
    E PROCESS_INSTANCE_CREATION CREATED order
    E TIMER CREATED hourly
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    E PROCESS_EVENT TRIGGERED hourly
    E ELEMENT ACTIVATING hourly
    E ELEMENT ACTIVATED hourly
    C ELEMENT COMPLETE hourly
    E ELEMENT COMPLETING hourly
    E ELEMENT COMPLETED hourly
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN hourly_end
    ...
    E ELEMENT COMPLETED order
  )");
  EXPECT_EQ(then.values<TimerRecord>(TimerIntent::Triggered).front().process_instance_key,
            given.element("order"));
  when.time_passes(1h);
  then.records_of({"E TIMER"}, "E TIMER TRIGGERED hourly");
  when.time_passes(10h);
  then.records("");
}

SCENARIO(TM5_a_new_version_replaces_the_start_timer_and_a_duplicate_leaves_it) {
  const auto first = process("order", start(timer_cycle("hourly", "R/PT1H")) >> end());
  given.model("order.bpmn", first);
  when.model("order.bpmn", first);
  then.records(R"(
    C DEPLOYMENT CREATE
    E DEPLOYMENT CREATED
  )");
  when.process("order", start(timer_cycle("daily", "R/P1D")) >> end());
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED order
    E TIMER CANCELED hourly
    E TIMER CREATED daily
    E DEPLOYMENT CREATED
  )");
  when.time_passes(24h);
  then.records_of({"E TIMER TRIGGERED"}, "E TIMER TRIGGERED daily");
}

SCENARIO(TM6_a_none_start_ends_the_timers_of_this_process_only) {
  given.process("order", start(timer_cycle("hourly", "R/PT1H")) >> end());
  given.process("other", start(timer_cycle("other_hourly", "R/PT1H")) >> end());
  when.process("order", start() >> end());
  then.records_of({"E TIMER"}, "E TIMER CANCELED hourly");
  when.time_passes(1h);
  then.records_of({"E TIMER TRIGGERED"}, "E TIMER TRIGGERED other_hourly");
}

SCENARIO(TM4_TM7_timers_that_make_no_sense_are_refused_at_deployment) {
  const auto refuses = [&](std::string_view situation, Model model) {
    return Refusal{situation, [this, model] { when.model("order.bpmn", model); },
                   RejectionType::InvalidArgument, ""};
  };
  const auto with_boundary = [](Event event, auto... parts) {
    return process("order", start() >> service_task("ship", job("courier")) >> end(),
                   boundary("ship", std::move(event), std::move(parts)...) >> end("late"));
  };
  Event two = timer("nap", 1h);
  two.part.children.front().children.push_back(
      timer_date("x", "2030-01-01T00:00:00Z").part.children.front().children.front());
  Event neither = timer("nap", 1h);
  neither.part.children.front().children.clear();
  then.refused({
      refuses("TM4 bad cron", process("order", start(timer_cycle("x", "0 0 25 * * *")) >> end())),
      refuses("TM4 no cron", process("order", start(timer_cycle("x", "hourly")) >> end())),
      refuses("TM7 interrupting cycle", with_boundary(timer_cycle("x", "R2/PT1H"))),
      refuses("TM7 a duration and a date", with_boundary(two)),
      refuses("TM7 no definition", with_boundary(neither)),
      refuses("TM7 cycle on a catch event",
              process("order", start() >> catch_event(timer_cycle("x", "R/PT1H")) >> end())),
      refuses("static text that is no duration", with_boundary(timer("x", "soon"))),
      refuses("static text that is no date",
              process("order", start() >> catch_event(timer_date("x", "tomorrow")) >> end())),
  });
}

SCENARIO(TM8_an_expression_that_gives_no_time_is_an_incident_until_fixed) {
  given.process("order", start() >> catch_event(timer("nap", "=nap")) >> end());
  for (const char* bad : {R"({})", R"({"nap":5})", R"({"nap":"soon"})"}) {
    SCOPED_TRACE(bad);
    const Key instance = when.instance("order", bad);
    then.records_of({"E TIMER", "E INCIDENT", "E ELEMENT ACTIVATED nap"}, R"(
      E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="nap"
    )");
    given.sets_variables(instance, R"({"nap":"PT1H"})");
    when.resolves_incident();
    then.records(R"(
      C INCIDENT RESOLVE
      E INCIDENT RESOLVED EXTRACT_VALUE_ERROR
      E TIMER CREATED nap
      E ELEMENT ACTIVATED nap
    )");
    given.time_passes(1h);
    then.all_done();
  }
}

SCENARIO(TM8_one_bad_timer_of_a_task_opens_none) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", timer("good", 1h)) >> end(),
                boundary("ship", timer("bad", "=nap")) >> end());
  const Key instance = when.instance("order");
  then.records_of({"E TIMER", "E JOB", "E INCIDENT"},
                  "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"ship\"");
  given.sets_variables(instance, R"({"nap":"PT2H"})");
  when.resolves_incident();
  then.records_of({"E TIMER", "E JOB"}, R"(
    E TIMER CREATED good
    E TIMER CREATED bad
    E JOB CREATED courier
  )");
}

SCENARIO(TM9_a_timer_that_is_gone_or_not_due_is_not_triggered) {
  given.process("order", start() >> catch_event(timer("nap", 1h)) >> end());
  when.instance("order");
  const Key first = then.keys<TimerRecord>(TimerIntent::Created).front();
  const auto command = [&](TimerIntent intent, Key key) {
    return [this, intent, key] { when.submits(intent, key, TimerRecord{}); };
  };
  then.refused(
      {{"not due", command(TimerIntent::Trigger, first), RejectionType::InvalidState, "not due"}});
  given.time_passes(1h);
  when.instance("order");
  const Key second = then.keys<TimerRecord>(TimerIntent::Created).front();
  when.submits(TimerIntent::Cancel, second, TimerRecord{});
  then.records(R"(
    C TIMER CANCEL
    E TIMER CANCELED nap
  )");
  then.refused({
      {"trigger, triggered", command(TimerIntent::Trigger, first), RejectionType::NotFound,
       "no such timer"},
      {"trigger, canceled", command(TimerIntent::Trigger, second), RejectionType::NotFound,
       "no such timer"},
      {"cancel, triggered", command(TimerIntent::Cancel, first), RejectionType::NotFound,
       "no such timer"},
      {"cancel, canceled", command(TimerIntent::Cancel, second), RejectionType::NotFound,
       "no such timer"},
  });
}

SCENARIO(interrupting_timer_cancels_the_job_and_takes_the_timer_path) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", timer("late", 1h), output("=1", "lateness")) >> end("expired"));
  given.instance("order");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED late
    E PROCESS_EVENT TRIGGERING late
    C ELEMENT TERMINATE ship
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier retries=3
    E ELEMENT TERMINATED ship
    E PROCESS_EVENT TRIGGERED late
    E ELEMENT ACTIVATING late
    E ELEMENT ACTIVATED late
    C ELEMENT COMPLETE late
    E ELEMENT COMPLETING late
    E VARIABLE CREATED lateness value="1"
    E ELEMENT COMPLETED late
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN late_expired
    C ELEMENT ACTIVATE expired
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(T13_T14_after_downtime_a_cycle_fires_once_and_keeps_its_rhythm) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("endless", "R/PT10M"), non_interrupting()) >> end("reminded"),
      boundary("ship", timer_cycle("thrice", "R3/PT10M"), non_interrupting()) >> end("noted"));
  given.instance("order");
  const Timestamp began = world.now();
  world.restart();
  when.time_passes(35min);
  then.records_of({"E TIMER TRIGGERED", "E TIMER CREATED"}, R"(
    E TIMER TRIGGERED endless
    E TIMER CREATED endless repetitions=-1
    E TIMER TRIGGERED thrice repetitions=3
    E TIMER CREATED thrice repetitions=2
  )");
  const auto next_dues = [this] {
    std::vector<Timestamp> dues;
    for (const TimerRecord& next : then.values<TimerRecord>(TimerIntent::Created)) {
      dues.push_back(next.due_date);
    }
    return dues;
  };
  using Dues = std::vector<Timestamp>;
  EXPECT_EQ(next_dues(), Dues(2, began + Milliseconds{40min}));
  when.time_passes(5min + 5s);
  EXPECT_EQ(next_dues(), Dues(2, began + Milliseconds{50min})) << "late by 5 s, and no drift";
  world.restart();
  when.time_passes(10h);
  then.records_of({"E TIMER"}, R"(
    E TIMER TRIGGERED endless
    E TIMER CREATED endless repetitions=-1
    E TIMER TRIGGERED thrice
  )");
  EXPECT_EQ(next_dues(), Dues(1, began + Milliseconds{10h + 50min}));
}

SCENARIO(T24_overdue_timers_fire_in_the_order_of_their_due_dates_after_a_restart) {
  given.process("order", start() >> catch_event(timer("nap", "=nap")) >> end());
  std::vector<Timestamp> expected;
  for (int i = 0; i < 100; ++i) {
    const int seconds = 1 + (i * 37) % 100;  // each value once, not in order
    given.instance("order", fmt::format(R"({{"nap":"PT{}S"}})", seconds));
    expected.push_back(world.now() + Milliseconds{seconds * 1000});
  }
  std::ranges::sort(expected);
  world.restart();
  when.time_passes(1h);
  std::vector<Timestamp> fired;
  for (const TimerRecord& timer : then.values<TimerRecord>(TimerIntent::Triggered)) {
    fired.push_back(timer.due_date);
  }
  EXPECT_EQ(fired, expected);
  then.all_done();
  EXPECT_EQ(world.state().timers().next_due(), std::nullopt);
}

SCENARIO_STEP_BY_STEP(T23_a_storm_of_timers_lets_commands_through) {
  given.process("order", start() >> catch_event(timer("nap", 1h)) >> end());
  given.process("other", start() >> service_task("ship", job("courier")) >> end());
  for (int i = 0; i < 300; ++i) given.instance("order");
  world.hold();
  given.time_passes(1h);  // a hundred commands are on the log, and few are processed
  when.instance("other");
  world.release();
  then.records_of({"E JOB CREATED"}, "E JOB CREATED courier");
  given.completes_job("courier");
  given.time_passes(0ms);
  then.all_done();
}

SCENARIO(T25_T26_a_timer_is_fixed_when_it_is_made_and_goes_with_its_instance) {
  given.process("order", start() >> catch_event(timer("nap", "=nap")) >> end(),
                event_subprocess("hurry", start(timer("soon", "=nap")) >> end("hurried")));
  const Key instance = given.instance("order", R"({"nap":"PT1H"})");
  given.sets_variables(instance, R"({"nap":"PT1S"})");
  when.time_passes(1min);
  then.records("");
  when.cancels(instance);
  then.records_of({"E TIMER"}, R"(
    E TIMER CANCELED soon
    E TIMER CANCELED nap
  )");
  EXPECT_EQ(world.state().timers().next_due(), std::nullopt);
}

SCENARIO_STEP_BY_STEP(a_start_timer_of_a_version_that_was_replaced_does_not_fire) {
  given.process("order", start(timer_cycle("hourly", "R/PT1H")) >> end());
  when.appends_behind_others([&] {
    given.process("order", start() >> end());
    given.time_passes(1h);  // the command of the timer is on the log behind the deployment
  });
  then.records_of({"E TIMER", "R", "E PROCESS_INSTANCE_CREATION"}, R"(
    E TIMER CANCELED hourly
    R TIMER TRIGGER rejection=NOT_FOUND
  )");
}

// A timer that cannot be triggered now is not tried over and over, because each try would write a
// record.
SCENARIO(a_timer_whose_host_cannot_take_it_waits_in_peace) {
  given.process(
      "order",
      start() >> service_task("ship", job("courier"), output("=assert(ok, ok = true)", "done")) >>
          end("shipped"),
      boundary("ship", timer("late", 1h)) >> end("expired"));
  const Key instance = given.instance("order");
  given.completes_job("courier");
  ASSERT_EQ(then.open_incidents(), 1U);
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    R TIMER TRIGGER rejection=INVALID_STATE
  )");
  when.time_passes(1s);
  then.records("");
  // Other timers are not held up, and the blocked timer is tried again after a while.
  given.process("other", start() >> catch_event(timer("nap", 1s)) >> end());
  given.instance("other");
  when.time_passes(30s);
  then.records_of({"E TIMER", "R"}, R"(
    R TIMER TRIGGER rejection=INVALID_STATE
    E TIMER TRIGGERED nap
  )");
  EXPECT_GT(world.engine().next_due(), world.now());
  given.sets_variables(instance, R"({"ok":true})");
  when.resolves_incident();
  then.records_of({"E TIMER", "E ELEMENT COMPLETED"}, R"(
    E TIMER CANCELED late
    E ELEMENT COMPLETED ship
    E ELEMENT COMPLETED shipped
    E ELEMENT COMPLETED order
  )");
  EXPECT_EQ(world.engine().next_due(), std::nullopt);
}

// A cycle stays as it was when its timer was set, even if its variables change.
SCENARIO(a_cycle_is_evaluated_once) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", timer_cycle("remind", "=rhythm"), non_interrupting()) >> end("reminded"));
  const Key instance = given.instance("order", R"({"rhythm":"R3/PT1M"})");
  given.sets_variables(instance, R"({"rhythm":"nonsense"})");
  when.time_passes(1min);
  then.records_of({"E TIMER", "E INCIDENT"}, R"(
    E TIMER TRIGGERED remind
    E TIMER CREATED remind interval="R3/PT1M" repetitions=2
  )");
}

class TimeZoneTest : public ScenarioTest {
 protected:
  TimeZoneTest() : ScenarioTest(in_berlin()) {}

  static engine::EngineOptions in_berlin() {
    engine::EngineOptions options;
    options.time_zone = "Europe/Berlin";
    return options;
  }
};

TEST_F(TimeZoneTest, T7_days_follow_the_clocks_of_the_zone_and_hours_do_not) {
  given.process("order",
                start() >> parallel_gateway("fork") >> catch_event(timer("days", "P180D")) >> end(),
                from("fork") >> catch_event(timer("hours", "PT4320H")) >> end("after_hours"),
                from("fork") >> catch_event(timer("again", "=\"P180D\"")) >> end("after_again"));
  const Timestamp begun = world.now();
  when.instance("order");
  const auto timers = then.values<record::TimerRecord>(record::TimerIntent::Created);
  ASSERT_EQ(timers.size(), 3U);
  // November is winter in Berlin, and half a year later it is summer.
  EXPECT_EQ(timers[0].due_date, begun + (180 * 24h - 1h));
  EXPECT_EQ(timers[1].due_date, begun + 180 * 24h);
  EXPECT_EQ(timers[2].due_date, begun + (180 * 24h - 1h));
}

TEST_F(TimeZoneTest, T7_a_cron_start_fires_by_the_clocks_of_the_zone) {
  when.process("order", start(timer_cycle("morning", "0 0 9 * * *")) >> end());
  const auto timers = then.values<record::TimerRecord>(record::TimerIntent::Created);
  ASSERT_EQ(timers.size(), 1U);
  EXPECT_EQ(timers.front().due_date.millis() % 86'400'000, 8 * 3'600'000);
}

SCENARIO(an_activated_task_opens_its_interrupting_timer_and_its_job) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", timer("late", 1h)) >> end("expired"));
  const Key instance = when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE ship
    E ELEMENT ACTIVATING ship
    E TIMER CREATED late
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
  )");
  const auto timers = then.values<TimerRecord>(TimerIntent::Created);
  ASSERT_EQ(timers.size(), 1U);
  EXPECT_EQ(timers.front().element_instance_key, given.element("ship"));
  EXPECT_EQ(timers.front().process_instance_key, instance);
  EXPECT_EQ(timers.front().due_date, world.now() + Milliseconds{1h});
  // Both are active: the job can be activated, and the timer fires when it is due and not before.
  EXPECT_EQ(given.activates_jobs("courier").size(), 1U);
  when.time_passes(1h - 1ms);
  then.records_of({"E TIMER"}, "");
  when.time_passes(1ms);
  then.records_of({"E TIMER"}, "E TIMER TRIGGERED late");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
