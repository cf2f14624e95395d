#include "tests/scenarios/signal_models.h"

// Signals that meet other triggers of the same host, in either order (spec: signals 5;
// scenarios/messages 10).
namespace beeline::testing {
namespace {

Model host_with_all() {
  return process("order", start() >> service_task("ship", job("ship")) >> end("shipped"),
                 boundary("ship", signal("a", "go")) >> end("ended_a"),
                 boundary("ship", signal("b", "stay")) >> end("ended_b"),
                 boundary("ship", timer("late", 1h)) >> end("ended_late"),
                 boundary("ship", message("paid", "paid", "=1")) >> end("ended_paid"));
}

// One way to end the task, and the end event of its path.
struct Way {
  std::string_view name;
  std::function<void(Actions&)> act;
  std::string_view end;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> kWays = {
      {"signal a", [](Actions& given) { given.broadcasts("go"); }, "ended_a"},
      {"signal b", [](Actions& given) { given.broadcasts("stay"); }, "ended_b"},
      {"timer", [](Actions& given) { given.time_passes(1h); }, "ended_late"},
      {"message", [](Actions& given) { given.publishes("paid", "1"); }, "ended_paid"},
  };
  return kWays;
}

std::vector<std::string> completed_ends(const World& world) {
  std::vector<std::string> ends;
  for (const record::OwnedRecord& each : world.records()) {
    if (record::text_name(each.metadata) != "ELEMENT COMPLETED") continue;
    const std::string subject = record::subject_of(each.view());
    if (subject.starts_with("ended") || subject == "shipped") ends.push_back(subject);
  }
  return ends;
}

engine::EngineOptions one_by_one() {
  engine::EngineOptions options;
  options.batch_commands_max = 1;
  return options;
}

// SC11: two triggers on the log one behind the other, or the second after the first was carried
// out, in every order. A message passes through its own subscription, so it may come second.
TEST(SignalRace, SC11_the_first_trigger_of_a_host_wins) {
  for (const Way& first : ways()) {
    for (const Way& second : ways()) {
      if (&first == &second) continue;
      for (const bool is_late : {false, true}) {
        SCOPED_TRACE(
            fmt::format("{} before {}, {}", first.name, second.name, is_late ? "late" : "at once"));
        World world{one_by_one()};
        Actions given{world, false};
        given.model("order.bpmn", host_with_all());
        given.instance("order");
        world.hold();
        first.act(given);
        if (is_late) world.release();
        second.act(given);
        world.release();
        const std::vector<std::string> ends = completed_ends(world);
        ASSERT_EQ(ends.size(), 1U) << "one path is taken";
        if (is_late || first.name != "message") {
          EXPECT_EQ(ends.front(), first.end);
        }
        const Expectations then{world};
        then.all_done();
        then.no_signals_left();
        then.no_messages_left();
        EXPECT_FALSE(world.state().timers().next_due());
        EXPECT_EQ(world.compare_with_replay(), "");
      }
    }
  }
}

SCENARIO_STEP_BY_STEP(a_job_that_is_completed_before_the_signal_wins) {
  given.model("order.bpmn", signal_boundary());
  given.instance("order");
  when.appends_behind_others([&] {
    given.completes_job("ship");
    given.broadcasts("go");
  });
  then.records_of({"E SIGNAL BROADCASTED", "E ELEMENT COMPLETED s", "R"}, R"(
    E SIGNAL BROADCASTED go
    E ELEMENT COMPLETED ship
    E ELEMENT COMPLETED shipped
  )");
  then.no_signals_left();
}

SCENARIO_STEP_BY_STEP(a_job_that_is_completed_after_the_signal_is_refused) {
  given.model("order.bpmn", signal_boundary());
  given.instance("order");
  when.appends_behind_others([&] {
    given.broadcasts("go");
    given.completes_job("ship");
  });
  then.records_of({"E SIGNAL BROADCASTED", "E ELEMENT COMPLETED s", "R"}, R"(
    E SIGNAL BROADCASTED go
    R JOB COMPLETE rejection=NOT_FOUND
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED stopped
  )");
  then.no_signals_left();
}

SCENARIO_STEP_BY_STEP(two_signals_in_a_row_trigger_a_catch_once) {
  given.model("order.bpmn", one_signal_catch());
  given.instance("order");
  when.appends_behind_others([&] {
    given.broadcasts("go");
    given.broadcasts("go");
  });
  then.records_of({"E SIGNAL BROADCASTED", "E PROCESS_EVENT TRIGGERING", "R"}, R"(
    E SIGNAL BROADCASTED go
    E PROCESS_EVENT TRIGGERING wait
    E SIGNAL BROADCASTED go
  )");
  then.no_signals_left();
}

SCENARIO_STEP_BY_STEP(a_canceled_instance_receives_nothing) {
  given.model("order.bpmn", one_signal_catch());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.submits(record::ProcessInstanceIntent::TerminateElement, instance,
                  record::ProcessInstanceRecord{});
    given.broadcasts("go");
  });
  then.delivered(0);
  then.all_done();
  then.no_signals_left();
}

SCENARIO_STEP_BY_STEP(a_signal_before_the_cancellation_is_received) {
  given.model("order.bpmn", one_signal_catch());
  const Key instance = given.instance("order");
  when.appends([&] {
    given.broadcasts("go");
    given.cancels(instance);
  });
  then.all_done();
  then.no_signals_left();
}

}  // namespace
}  // namespace beeline::testing
