#include "tests/scenarios/compensation_models.h"

// Compensation (spec: elements/compensation; scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::CompensationSubscriptionIntent;
using record::CompensationSubscriptionRecord;
using record::RejectionType;

template <typename... Items>
Model trip_of(std::vector<Item> handlers, Items... items) {
  (handlers.emplace_back(std::move(items)), ...);
  return Model({Node{"bpmn:process", "trip", std::move(handlers)}});
}

SCENARIO(CP1_a_throw_event_runs_the_handler_of_a_completed_activity) {
  given.model("trip.bpmn", trip_of(undone("book", "cancel", "cancel"),
                                   start() >> service_task("book", job("book")) >>
                                       throw_event(compensation("undo")) >> end("done")));
  const Key instance = given.instance("trip");
  when.completes_job("book");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED book
    E PROCESS_EVENT TRIGGERING book
    C ELEMENT COMPLETE book
    E ELEMENT COMPLETING book
    E PROCESS_EVENT TRIGGERED book
    E COMPENSATION_SUBSCRIPTION CREATED book compensationHandlerId="cancel"
    E ELEMENT COMPLETED book
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN book_undo
    C ELEMENT ACTIVATE undo
    E ELEMENT ACTIVATING undo
    E ELEMENT ACTIVATED undo
    E ELEMENT ACTIVATING book_undone
    E ELEMENT ACTIVATED book_undone
    E ELEMENT COMPLETING book_undone
    E ELEMENT COMPLETED book_undone
    C ELEMENT ACTIVATE cancel
    E COMPENSATION_SUBSCRIPTION TRIGGERED book throwEventId="undo"
    E ELEMENT ACTIVATING cancel bpmnEventType=COMPENSATION
    E JOB CREATED cancel
    E ELEMENT ACTIVATED cancel
  )");
  const auto triggered =
      then.values<CompensationSubscriptionRecord>(CompensationSubscriptionIntent::Triggered)
          .front();
  EXPECT_EQ(triggered.process_instance_key, instance);
  EXPECT_EQ(triggered.compensable_activity_instance_key, given.element("book"));
  EXPECT_EQ(triggered.compensable_activity_scope_key, instance);
  EXPECT_EQ(triggered.compensation_handler_instance_key, given.element("cancel"));
  EXPECT_EQ(triggered.throw_event_instance_key, given.element("undo"));
  when.completes_job("cancel");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED cancel
    E PROCESS_EVENT TRIGGERING cancel
    C ELEMENT COMPLETE cancel
    E ELEMENT COMPLETING cancel
    E PROCESS_EVENT TRIGGERED cancel
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book compensationHandlerId="cancel" throwEventId="undo"
    C ELEMENT COMPLETE undo
    E ELEMENT COMPLETING undo
    E ELEMENT COMPLETED undo
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN undo_done
    ...
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP1_an_end_event_runs_the_handler_and_each_activity_is_compensated_once) {
  given.model("trip.bpmn",
              trip_of(undone("book", "cancel", "cancel"),
                      start() >> task("book") >> throw_event(compensation("first")) >>
                          throw_event(compensation("second")) >> end(compensation("last"))));
  given.instance("trip");
  when.completes_job("cancel");
  then.records_of({"E JOB", "E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E JOB COMPLETED cancel
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E ELEMENT COMPLETED first
    E ELEMENT COMPLETED second
    E ELEMENT COMPLETED last
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
  given.model("trip.bpmn", trip_of(undone("book", "cancel", "cancel"),
                                   start() >> task("book") >> end(compensation("last"))));
  given.instance("trip");
  when.completes_job("cancel");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E ELEMENT COMPLETED last
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP1_handlers_are_started_in_the_reverse_order_of_completion) {
  auto handlers = undone("flight", "cancel_flight", "cf");
  for (Item& item : undone("hotel", "cancel_hotel", "ch")) handlers.push_back(std::move(item));
  given.model("trip.bpmn",
              trip_of(std::move(handlers),
                      start() >> task("flight") >> task("hotel") >> end(compensation("undo"))));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED flight
    E COMPENSATION_SUBSCRIPTION CREATED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
    E JOB CREATED ch
    E JOB CREATED cf
  )");
  when.completes_job("cf");
  then.records_of({"C ELEMENT COMPLETE"}, "C ELEMENT COMPLETE cancel_flight");
  when.completes_job("ch");
  then.all_done();
}

SCENARIO(CP2_activities_that_are_active_or_terminated_are_not_compensated) {
  auto handlers = undone("active", "undo_active", "ua");
  for (Item& item : undone("stopped", "undo_stopped", "us")) handlers.push_back(std::move(item));
  given.model(
      "trip.bpmn",
      trip_of(std::move(handlers),
              start() >> parallel_gateway("fork") >> service_task("active", job("a")) >> end("e1"),
              from("fork") >> service_task("stopped", job("s")) >> end("e2"),
              boundary("stopped", timer("late", 1h)) >> end(compensation("undo"))));
  given.instance("trip");
  when.time_passes(1h);
  then.records_of({"E COMPENSATION", "E JOB", "E ELEMENT COMPLETED"}, R"(
    E JOB CANCELED s
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED undo
  )");
  when.completes_job("a");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED active
    E COMPENSATION_SUBSCRIPTION DELETED active
  )");
  then.all_done();
}

SCENARIO(CP2_a_throw_event_in_a_subprocess_does_not_reach_the_scope_around_it) {
  given.model("trip.bpmn",
              trip_of(undone("book", "cancel", "cancel"),
                      start() >> task("book") >>
                          subprocess("sub", start("i") >> end(compensation("undo"))) >> end()));
  when.instance("trip");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED book
    E COMPENSATION_SUBSCRIPTION DELETED book
  )");
  then.all_done();
}

SCENARIO(CP2_a_called_process_is_not_compensated_but_its_call_activity_is) {
  given.process("child", start() >> task("inner") >> end(),
                boundary("inner", compensation("inner_undone")),
                service_task("undo_inner", job("ui"), for_compensation()),
                association("inner_undone", "undo_inner"));
  given.model("trip.bpmn",
              trip_of(undone("call", "cancel", "cancel"),
                      start() >> call_activity("call", "child") >> end(compensation("undo"))));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED inner
    E COMPENSATION_SUBSCRIPTION DELETED inner
    E COMPENSATION_SUBSCRIPTION CREATED call
    E COMPENSATION_SUBSCRIPTION TRIGGERED call
    E JOB CREATED cancel
  )");
  when.completes_job("cancel");
  then.all_done();
}

SCENARIO(CP3_an_activity_in_a_loop_is_compensated_as_often_as_it_was_completed) {
  given.model("trip.bpmn",
              trip_of(undone("book", "cancel", "cancel"),
                      start() >> exclusive_gateway("again") >> service_task("book", job("book")) >>
                          exclusive_gateway("more") >> default_flow() >> end(compensation("undo")),
                      from("more") >> condition("n < 3") >> to("again")));
  given.instance("trip");
  for (const char* n : {R"({"n": 1})", R"({"n": 2})", R"({"n": 3})"}) {
    when.completes_job("book", n);
  }
  EXPECT_EQ(
      then.values<CompensationSubscriptionRecord>(CompensationSubscriptionIntent::Triggered).size(),
      3U);
  for (int i = 0; i < 3; ++i) when.completes_job("cancel");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E ELEMENT COMPLETED undo
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP3_a_multi_instance_activity_is_compensated_once) {
  given.model("trip.bpmn",
              trip_of(undone("book", "cancel", "cancel"),
                      start() >> task("book", multi_instance({.input_collection = "=[1, 2, 3]"})) >>
                          end(compensation("undo", "book"))));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED book
    E COMPENSATION_SUBSCRIPTION TRIGGERED book
    E JOB CREATED cancel
  )");
  when.completes_job("cancel");
  then.all_done();
}

SCENARIO(CP3_the_activities_in_a_multi_instance_subprocess_are_compensated_each) {
  std::vector<Item> inner = undone("book", "cancel", "cancel");
  inner.emplace_back(multi_instance({.input_collection = "=[1, 2]"}));
  inner.emplace_back(start("i") >> task("book") >> end("ie"));
  given.process("trip", start() >> node("bpmn:subProcess", "sub", std::move(inner)) >>
                            end(compensation("undo")));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED book
    E COMPENSATION_SUBSCRIPTION CREATED book
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED book
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED book
    E JOB CREATED cancel
    E JOB CREATED cancel
  )");
  when.completes_job("cancel");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E COMPENSATION_SUBSCRIPTION COMPLETED sub
  )");
  when.completes_job("cancel");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E COMPENSATION_SUBSCRIPTION COMPLETED sub
    E COMPENSATION_SUBSCRIPTION COMPLETED sub
  )");
  then.all_done();
}

// A subprocess `sub` with the activity `book` in it, which `cancel` compensates.
Path booking_subprocess(Path after_book) {
  std::vector<Item> inner = undone("book", "cancel", "cancel");
  inner.emplace_back(start("i") >> task("book") >> std::move(after_book) >> end("ie"));
  return node("bpmn:subProcess", "sub", std::move(inner));
}

SCENARIO(CP4_the_activities_in_a_completed_subprocess_are_compensated) {
  given.process("trip", start() >> booking_subprocess(task("more")) >> end(compensation("undo")));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E JOB CREATED", "E ELEMENT ACTIVATED cancel"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED book compensationHandlerId="cancel"
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub throwEventId="undo"
    E COMPENSATION_SUBSCRIPTION TRIGGERED book throwEventId="undo"
    E JOB CREATED cancel
    E ELEMENT ACTIVATED cancel
  )");
  when.completes_job("cancel");
  then.records_of({"E ELEMENT COMPLETED", "E COMPENSATION"}, R"(
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E COMPENSATION_SUBSCRIPTION COMPLETED sub
    E ELEMENT COMPLETED undo
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP4_a_subprocess_that_is_active_is_not_compensated) {
  given.process("trip",
                start() >> parallel_gateway("fork") >>
                    booking_subprocess(service_task("wait", job("w"))) >> end("e1"),
                from("fork") >> end(compensation("undo")));
  when.instance("trip");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED undo"}, R"(
    E ELEMENT COMPLETED undo
    E COMPENSATION_SUBSCRIPTION CREATED book
  )");
  when.completes_job("w");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION DELETED book
    E COMPENSATION_SUBSCRIPTION DELETED sub
  )");
  then.all_done();
}

SCENARIO(CP4_the_handler_of_a_subprocess_runs_beside_those_inside) {
  given.model("trip.bpmn", trip_of(undone("sub", "cancel_all", "all"),
                                   start() >> booking_subprocess(task("more")) >>
                                       end(compensation("undo", "sub"))));
  when.instance("trip");
  then.records_of({"E COMPENSATION_SUBSCRIPTION TRIGGERED", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub compensationHandlerId="cancel_all"
    E COMPENSATION_SUBSCRIPTION TRIGGERED book compensationHandlerId="cancel"
    E JOB CREATED all
    E JOB CREATED cancel
  )");
  when.completes_job("cancel");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel
    E COMPENSATION_SUBSCRIPTION COMPLETED book
  )");
  when.completes_job("all");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel_all
    E COMPENSATION_SUBSCRIPTION COMPLETED sub
    E ELEMENT COMPLETED undo
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP5_a_reference_limits_compensation_to_one_activity) {
  auto handlers = undone("flight", "cancel_flight", "cf");
  for (Item& item : undone("hotel", "cancel_hotel", "ch")) handlers.push_back(std::move(item));
  given.model("trip.bpmn",
              trip_of(std::move(handlers), start() >> task("flight") >> task("hotel") >>
                                               throw_event(compensation("one", "flight")) >>
                                               end(compensation("rest"))));
  when.instance("trip");
  then.records_of({"E COMPENSATION_SUBSCRIPTION TRIGGERED"}, R"(
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight throwEventId="one"
  )");
  when.completes_job("cf");
  then.records_of({"E COMPENSATION_SUBSCRIPTION TRIGGERED"}, R"(
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel throwEventId="rest"
  )");
  when.completes_job("ch");
  then.all_done();
}

SCENARIO(CP5_an_event_subprocess_compensates_the_scope_around_it) {
  given.model(
      "trip.bpmn",
      trip_of(undone("book", "cancel", "cancel"),
              start() >> task("book") >> service_task("wait", job("w")) >> end("done"),
              event_subprocess("esp", start(timer("late", 1h)) >>
                                          throw_event(compensation("undo")) >> end("undone_all"))));
  given.instance("trip");
  when.time_passes(1h);
  then.records_of({"E COMPENSATION", "E JOB"}, R"(
    E JOB CANCELED w
    E COMPENSATION_SUBSCRIPTION TRIGGERED book
    E JOB CREATED cancel
  )");
  EXPECT_EQ(world.state().element_instances().get(given.element("cancel")).flow_scope_key,
            given.element("esp"));
  when.completes_job("cancel");
  then.all_done();
}

SCENARIO(CP5_what_an_event_subprocess_did_is_forgotten_when_it_ends) {
  std::vector<Item> inner = undone("note", "erase", "erase");
  inner.emplace_back(attribute("triggeredByEvent", "true"));
  inner.emplace_back(start(message("m", "news", "=\"k\""), non_interrupting()) >> task("note") >>
                     end("noted"));
  given.process("trip", start() >> service_task("wait", job("w")) >> end(compensation("undo")),
                node("bpmn:subProcess", "esp", std::move(inner)));
  given.instance("trip");
  when.publishes("news", "k");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED note
    E COMPENSATION_SUBSCRIPTION DELETED note
  )");
  when.completes_job("w");
  then.all_done();
}

SCENARIO(CP6_a_handler_may_be_a_subprocess_a_call_activity_or_multi_instance) {
  given.process("child", start() >> service_task("work", job("w")) >> end());
  const Path handlers[] = {
      subprocess("undo_it", for_compensation(),
                 start("us") >> service_task("inner", job("w")) >> end("ue")),
      call_activity("undo_it", "child", for_compensation()),
      service_task("undo_it", job("w"), for_compensation(),
                   multi_instance({.input_collection = "=[1]"})),
  };
  for (const Path& handler : handlers) {
    given.process("trip", start() >> task("book") >> end(compensation("undo")),
                  boundary("book", compensation("undone")), Path{handler},
                  association("undone", "undo_it"));
    when.instance("trip");
    then.records_of({"E COMPENSATION_SUBSCRIPTION TRIGGERED", "E JOB CREATED"}, R"(
      E COMPENSATION_SUBSCRIPTION TRIGGERED book compensationHandlerId="undo_it"
      E JOB CREATED w
    )");
    when.completes_job("w");
    then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED undo", "E ELEMENT COMPLETED trip"}, R"(
      ...
      E COMPENSATION_SUBSCRIPTION COMPLETED book
      E ELEMENT COMPLETED undo
      E ELEMENT COMPLETED trip
    )");
    then.all_done();
  }
}

SCENARIO(CP6_the_work_of_a_handler_is_not_compensated_itself) {
  std::vector<Item> inner = undone("step", "unstep", "unstep");
  inner.emplace_back(for_compensation());
  inner.emplace_back(start("hs") >> task("step") >> end("he"));
  given.process(
      "trip",
      start() >> task("book") >> throw_event(compensation("undo")) >> end(compensation("again")),
      boundary("book", compensation("undone")),
      node("bpmn:subProcess", "handler", std::move(inner)), association("undone", "handler"));
  when.instance("trip");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED book
    E COMPENSATION_SUBSCRIPTION TRIGGERED book
    E COMPENSATION_SUBSCRIPTION CREATED step
    E COMPENSATION_SUBSCRIPTION DELETED step
    E COMPENSATION_SUBSCRIPTION COMPLETED book
  )");
  then.all_done();
}

SCENARIO(CP7_an_incident_of_a_handler_can_be_resolved) {
  given.process("trip", start() >> task("book") >> end(compensation("undo")),
                boundary("book", compensation("undone")),
                service_task("cancel", job("=type"), for_compensation(), input("=1", "x")),
                association("undone", "cancel"));
  const Key instance = when.instance("trip");
  then.records_of({"E INCIDENT"}, R"(
    E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId="cancel"
  )");
  given.sets_variables(instance, R"({"type": "cancel"})");
  given.resolves_incident();
  when.completes_job("cancel");
  then.all_done();
}

SCENARIO(CP7_canceling_an_instance_runs_no_handler_and_leaves_nothing) {
  given.process("trip", start() >> booking_subprocess(task("more")) >>
                            service_task("wait", job("w")) >> end(compensation("undo")));
  const Key waiting = given.instance("trip");
  when.cancels(waiting);
  then.records_of({"E COMPENSATION", "E JOB"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED book
    E COMPENSATION_SUBSCRIPTION DELETED sub
    E JOB CANCELED w
  )");
  then.all_done();
  const Key undoing = given.instance("trip");
  given.completes_job("w");
  when.cancels(undoing);
  then.records_of({"E COMPENSATION", "E JOB", "E ELEMENT TERMINATED"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED book
    E COMPENSATION_SUBSCRIPTION DELETED sub
    E ELEMENT TERMINATED undo
    E JOB CANCELED cancel
    E ELEMENT TERMINATED cancel
    E ELEMENT TERMINATED trip
  )");
  then.all_done();
}

SCENARIO(CP7_a_subprocess_that_is_terminated_forgets_what_was_done_in_it) {
  given.process("trip", start() >> booking_subprocess(service_task("wait", job("w"))) >> end("e1"),
                boundary("sub", timer("late", 1h)) >> end(compensation("undo")));
  given.instance("trip");
  when.time_passes(1h);
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED book
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED undo
    E ELEMENT COMPLETED trip
  )");
  then.all_done();
}

SCENARIO(CP7_a_terminate_end_event_deletes_what_was_triggered_and_the_rest_can_be_compensated) {
  std::vector<Item> inner = undone("book", "cancel", "cancel");
  for (Item& item : undone("pay", "refund", "refund")) inner.push_back(std::move(item));
  inner.emplace_back(start("i") >> task("book") >> task("pay") >> parallel_gateway("fork") >>
                     throw_event(compensation("undo_book", "book")) >> end("ie"));
  inner.emplace_back(from("fork") >> service_task("wait", job("w")) >> end(terminate("stop")));
  given.process("trip", start() >> node("bpmn:subProcess", "sub", std::move(inner)) >>
                            end(compensation("undo")));
  given.instance("trip");
  when.completes_job("w");
  then.records_of({"E COMPENSATION", "E JOB"}, R"(
    E JOB COMPLETED w
    E COMPENSATION_SUBSCRIPTION DELETED book
    E JOB CANCELED cancel
    E COMPENSATION_SUBSCRIPTION CREATED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED pay
    E JOB CREATED refund
  )");
  when.completes_job("refund");
  then.all_done();
}

// The handler is completed and the throw event interrupted at the same time, in both orders.
const Model& raced_compensation() {
  static const Model model = [] {
    std::vector<Item> inner = undone("book", "cancel", "cancel");
    inner.emplace_back(start("i") >> task("book") >> end(compensation("undo")));
    return process("trip", start() >> node("bpmn:subProcess", "sub", std::move(inner)) >> end("e"),
                   boundary("sub", timer("late", 1h)) >> end("stopped"));
  }();
  return model;
}

SCENARIO_STEP_BY_STEP(CP_race_the_handler_completes_before_its_scope_is_interrupted) {
  given.model("trip.bpmn", raced_compensation());
  given.instance("trip");
  when.appends([&] {
    given.completes_job("cancel");
    world.step();
    given.time_passes(1h);
  });
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED undo", "E TIMER"}, R"(
    E COMPENSATION_SUBSCRIPTION COMPLETED book
    E ELEMENT COMPLETED undo
    E TIMER CANCELED late
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(CP_race_the_scope_is_interrupted_before_the_handler_completes) {
  given.model("trip.bpmn", raced_compensation());
  given.instance("trip");
  when.appends([&] {
    given.time_passes(1h);
    given.completes_job("cancel");
  });
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED late", "E ELEMENT COMPLETED stopped"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED book
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED stopped
  )");
  then.all_done();
}

// A batch of 4 KiB is full after a few subscriptions, so the throw event, the end of the process
// and its cancellation each need many.
class ManyCompensations : public ScenarioTest {
 protected:
  static constexpr int kCount = 60;
  ManyCompensations() : ScenarioTest(options()) {
    std::vector<Item> inner = undone("book", "cancel", "cancel");
    inner.emplace_back(multi_instance({.input_collection = "=for i in 1..60 return i"}));
    inner.emplace_back(start("i") >> task("book") >> end("ie"));
    given.process("trip", start() >> node("bpmn:subProcess", "sub", std::move(inner)) >>
                              service_task("wait", job("w")) >> end(compensation("undo")));
    given.process("plain", start() >> node("bpmn:subProcess", "sub", plain()) >>
                               service_task("wait", job("w")) >> end());
  }

 private:
  static std::vector<Item> plain() {
    std::vector<Item> inner = undone("book", "cancel", "cancel");
    inner.emplace_back(multi_instance({.input_collection = "=for i in 1..60 return i"}));
    inner.emplace_back(start("i") >> task("book") >> end("ie"));
    return inner;
  }
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.batch_bytes_max = 4096;
    return options;
  }
};

TEST_F(ManyCompensations, a_throw_event_goes_on_in_the_next_batch) {
  given.instance("trip");
  when.completes_job("w");
  EXPECT_EQ(
      then.values<CompensationSubscriptionRecord>(CompensationSubscriptionIntent::Triggered).size(),
      static_cast<std::size_t>(2 * kCount + 1));
  then.records_of({"R", "E ELEMENT COMPLETED undo"}, "");
  for (int i = 0; i < kCount - 1; ++i) given.completes_job("cancel");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  given.completes_job("cancel");
  then.all_done();
}

TEST_F(ManyCompensations, the_end_of_a_process_deletes_them_in_several_batches) {
  given.instance("plain");
  const std::size_t frames = world.frames().size();
  when.completes_job("w");
  EXPECT_EQ(
      then.values<CompensationSubscriptionRecord>(CompensationSubscriptionIntent::Deleted).size(),
      static_cast<std::size_t>(2 * kCount + 1));
  EXPECT_GE(world.frames().size(), frames + 3);
  then.all_done();
}

TEST_F(ManyCompensations, a_cancellation_deletes_them_in_several_batches) {
  const Key waiting = given.instance("plain");
  when.cancels(waiting);
  then.records_of({"R"}, "");
  then.all_done();
  const Key undoing = given.instance("trip");
  given.completes_job("w");
  when.cancels(undoing);
  then.all_done();
}

SCENARIO(CP8_models_with_mistakes_are_refused) {
  const auto refused = [&](const Model& model, std::string_view reason) {
    when.deploys({{"p.bpmn", model.to_xml()}});
    then.rejected(RejectionType::InvalidArgument, reason);
  };
  refused(
      process("p", start() >> task("book") >> end(), boundary("book", compensation("b"))),
      "- Element: b\n    - ERROR: must have exactly one association with a compensation handler");
  refused(process("p", start() >> task("book") >> end(compensation("undo", "book"))),
          "- Element: undo\n    - ERROR: must compensate an activity that has a compensation "
          "boundary event or is an embedded subprocess");
  refused(process("p", start() >> task("book") >> end(), boundary("book", compensation("b1")),
                  boundary("book", compensation("b2")), task("h1", for_compensation()),
                  task("h2", for_compensation()), association("b1", "h1"), association("b2", "h2")),
          "- Element: b2\n    - ERROR: must be the only compensation boundary event of 'book', but "
          "'b1' is one too");
  refused(
      process("p", start() >> end(), event_subprocess("esp", start(compensation("c")) >> end())),
      "- Element: c\n    - ERROR: must not have a 'compensateEventDefinition'");
}

}  // namespace
}  // namespace beeline::testing
