#include "tests/scenarios/transaction_models.h"

// Transactions (spec: elements/transaction; scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::CompensationSubscriptionIntent;
using record::CompensationSubscriptionRecord;

SCENARIO(B8_a_cancel_end_event_ends_the_rest_and_runs_the_handlers) {
  given.model("travel.bpmn", travel(trip_transaction(flight_and_hotel())));
  given.instance("travel");
  when.completes_job("check");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED check
    E PROCESS_EVENT TRIGGERING check
    C ELEMENT COMPLETE check
    E ELEMENT COMPLETING check
    E PROCESS_EVENT TRIGGERED check
    E ELEMENT COMPLETED check
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN check_abort
    C ELEMENT ACTIVATE abort
    E ELEMENT ACTIVATING abort bpmnElementType=END_EVENT bpmnEventType=CANCEL
    E ELEMENT ACTIVATED abort
    E PROCESS_INSTANCE CANCELING trip bpmnElementType=SUB_PROCESS
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE pay
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING pay
    E JOB CANCELED pay
    E ELEMENT TERMINATED pay
    E ELEMENT ACTIVATING hotel_undone
    E ELEMENT ACTIVATED hotel_undone
    E ELEMENT COMPLETING hotel_undone
    E ELEMENT COMPLETED hotel_undone
    C ELEMENT ACTIVATE cancel_hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel throwEventId="abort"
    E ELEMENT ACTIVATING flight_undone
    E ELEMENT ACTIVATED flight_undone
    E ELEMENT COMPLETING flight_undone
    E ELEMENT COMPLETED flight_undone
    C ELEMENT ACTIVATE cancel_flight
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight throwEventId="abort"
    E ELEMENT ACTIVATING cancel_hotel
    E JOB CREATED ch
    E ELEMENT ACTIVATED cancel_hotel
    E ELEMENT ACTIVATING cancel_flight
    E JOB CREATED cf
    E ELEMENT ACTIVATED cancel_flight
  )");
  when.completes_job("cf");
  then.records_of({"E COMPENSATION", "C ELEMENT"}, R"(
    C ELEMENT COMPLETE cancel_flight
    E COMPENSATION_SUBSCRIPTION COMPLETED flight
  )");
  when.completes_job("ch");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED ch
    E PROCESS_EVENT TRIGGERING cancel_hotel
    C ELEMENT COMPLETE cancel_hotel
    E ELEMENT COMPLETING cancel_hotel
    E PROCESS_EVENT TRIGGERED cancel_hotel
    E ELEMENT COMPLETED cancel_hotel
    E COMPENSATION_SUBSCRIPTION COMPLETED hotel
    C ELEMENT COMPLETE abort
    E ELEMENT COMPLETING abort
    E ELEMENT COMPLETED abort
    E PROCESS_EVENT TRIGGERING refused
    C ELEMENT TERMINATE trip
    E ELEMENT TERMINATING trip
    E ELEMENT TERMINATED trip
    E PROCESS_EVENT TRIGGERED refused
    E ELEMENT ACTIVATING refused bpmnElementType=BOUNDARY_EVENT bpmnEventType=CANCEL
    E ELEMENT ACTIVATED refused
    C ELEMENT COMPLETE refused
    E ELEMENT COMPLETING refused
    E ELEMENT COMPLETED refused
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN refused_undone
    ...
    E ELEMENT COMPLETED undone
    C ELEMENT COMPLETE travel
    E ELEMENT COMPLETING travel
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
}

SCENARIO(B8_an_activity_that_completed_in_a_subprocess_that_still_runs_is_compensated) {
  std::vector<Item> inner = undone("flight", "cancel_flight", "cf");
  inner.emplace_back(
      start("i") >> task("flight") >>
      subprocess("deeper", start("j") >> service_task("pay", job("pay")) >> end("k")) >> end("l"));
  given.model("travel.bpmn",
              travel(transaction(
                  "trip",
                  start("wanted") >> parallel_gateway("fork") >>
                      node("bpmn:subProcess", "sub", std::move(inner)) >> end("paid"),
                  from("fork") >> service_task("check", job("check")) >> end(cancel("abort")))));
  given.instance("travel");
  const Key trip = given.element("trip");
  when.completes_job("check");
  then.records_of({"E COMPENSATION", "E JOB", "E ELEMENT TERMINATED"}, R"(
    E JOB COMPLETED check
    E COMPENSATION_SUBSCRIPTION MOVED flight
    E JOB CANCELED pay
    E ELEMENT TERMINATED pay
    E ELEMENT TERMINATED deeper
    E ELEMENT TERMINATED sub
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight throwEventId="abort"
    E JOB CREATED cf
  )");
  EXPECT_EQ(then.values<CompensationSubscriptionRecord>(CompensationSubscriptionIntent::Moved)
                .front()
                .compensable_activity_scope_key,
            trip);
  EXPECT_EQ(world.state().element_instances().get(given.element("cancel_flight")).flow_scope_key,
            trip);
  when.completes_job("cf");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED cancel_flight
    E ELEMENT COMPLETED abort
    E ELEMENT COMPLETED refused
    E ELEMENT COMPLETED undone
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
}

SCENARIO(B8_subprocesses_that_are_complete_or_deeply_nested_are_compensated) {
  // `done` is complete in `outer`, which is active; `deep` is active in it.
  std::vector<Item> done = undone("seat", "free_seat", "fs");
  done.emplace_back(start("ds") >> task("seat") >> end("de"));
  std::vector<Item> deep = undone("meal", "drop_meal", "dm");
  deep.emplace_back(start("ms") >> task("meal") >> service_task("wait", job("wait")) >> end("me"));
  given.model(
      "travel.bpmn",
      travel(transaction(
          "trip",
          start("wanted") >> parallel_gateway("fork") >>
              subprocess("outer", start("os") >> node("bpmn:subProcess", "done", std::move(done)) >>
                                      node("bpmn:subProcess", "deep", std::move(deep)) >>
                                      end("oe")) >>
              end("paid"),
          from("fork") >> service_task("check", job("check")) >> end(cancel("abort")))));
  given.instance("travel");
  when.completes_job("check");
  then.records_of({"E COMPENSATION"}, R"(
    E COMPENSATION_SUBSCRIPTION MOVED done
    E COMPENSATION_SUBSCRIPTION MOVED meal
    E COMPENSATION_SUBSCRIPTION TRIGGERED meal
    E COMPENSATION_SUBSCRIPTION TRIGGERED done
    E COMPENSATION_SUBSCRIPTION TRIGGERED seat
  )");
  given.completes_job("fs");
  when.completes_job("dm");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED undone"}, R"(
    E COMPENSATION_SUBSCRIPTION COMPLETED meal
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B8_without_a_handler_to_run_everything_happens_in_one_batch) {
  given.model("travel.bpmn", travel(transaction("trip", start("wanted") >> end(cancel("abort")))));
  const std::size_t frames = world.frames().size();
  when.instance("travel");
  EXPECT_EQ(world.frames().size(), frames + 1);
  then.records_of({"E ELEMENT COMPLETED", "E ELEMENT TERMINATED", "E PROCESS_INSTANCE CANCELING"},
                  R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED wanted
    E PROCESS_INSTANCE CANCELING trip
    E ELEMENT COMPLETED abort
    E ELEMENT TERMINATED trip
    E ELEMENT COMPLETED refused
    E ELEMENT COMPLETED undone
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
  // The same with children that have to end first.
  given.process("travel",
                start() >> transaction("trip",
                                       start("wanted") >> parallel_gateway("fork") >>
                                           call_activity("call", "called") >> end("paid"),
                                       from("fork") >> service_task("check", job("check")) >>
                                           end(cancel("abort"))) >>
                    end(),
                boundary("trip", cancel("refused")) >> end("undone"));
  given.process("called", start() >> service_task("inner", job("inner")) >> end());
  given.instance("travel");
  const std::size_t before = world.frames().size();
  when.completes_job("check");
  EXPECT_EQ(world.frames().size(), before + 1);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED undone"}, R"(
    E ELEMENT TERMINATED inner
    E ELEMENT TERMINATED called
    E ELEMENT TERMINATED call
    E ELEMENT TERMINATED trip
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B8_the_scope_around_continues_only_after_the_last_handler) {
  given.process("travel",
                start() >> trip_transaction(flight_and_hotel()) >> exclusive_gateway("merge") >>
                    service_task("report", job("report"), input("=1", "x")) >> end("reported"),
                boundary("trip", cancel("refused"), output("=who", "by")) >> to("merge"));
  const Key instance = given.instance("travel");
  given.completes_job("check", R"({"who": "clerk"})");
  given.completes_job("ch");
  EXPECT_FALSE(has_job(world, "report"));
  given.completes_job("cf");
  EXPECT_EQ(then.variable(instance, "by"), R"("clerk")");
  when.completes_job("report");
  then.all_done();
}

SCENARIO(B9_an_incident_of_a_handler_holds_the_transaction_until_it_is_resolved) {
  given.model("travel.bpmn", travel(trip_transaction(flight_and_hotel())));
  given.instance("travel");
  given.completes_job("check");
  given.completes_job("ch");
  when.fails_job("cf", 0, "no answer");
  then.records_of({"E INCIDENT", "E ELEMENT"}, R"(
    E INCIDENT CREATED JOB_NO_RETRIES elementId="cancel_flight"
  )");
  given.updates_retries("cf", 1);
  given.resolves_incident();
  when.completes_job("cf");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED undone"}, R"(
    E ELEMENT TERMINATED trip
    E ELEMENT COMPLETED undone
  )");
  then.all_done();
}

SCENARIO(B9_canceling_the_instance_ends_the_transaction_without_its_handlers) {
  given.model("travel.bpmn", travel(trip_transaction(flight_and_hotel())));
  const Key instance = given.instance("travel");
  given.completes_job("check");
  given.fails_job("cf", 0, "no answer");
  when.cancels(instance);
  then.records_of({"E ELEMENT TERMINATED", "E COMPENSATION", "E INCIDENT", "E ASYNC", "E JOB"}, R"(
    E ASYNC_REQUEST RECEIVED
    E COMPENSATION_SUBSCRIPTION DELETED hotel
    E COMPENSATION_SUBSCRIPTION DELETED flight
    E ELEMENT TERMINATED abort
    E JOB CANCELED ch
    E ELEMENT TERMINATED cancel_hotel
    E JOB CANCELED cf
    E INCIDENT RESOLVED
    E ELEMENT TERMINATED cancel_flight
    E ELEMENT TERMINATED trip
    E ELEMENT TERMINATED travel
    E ASYNC_REQUEST PROCESSED
  )");
  then.all_done();
  // Before it is canceled from within, nothing has been triggered.
  const Key waiting = given.instance("travel");
  when.cancels(waiting);
  then.records_of({"E COMPENSATION", "E ELEMENT TERMINATED travel"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED hotel
    E COMPENSATION_SUBSCRIPTION DELETED flight
    E ELEMENT TERMINATED travel
  )");
  then.all_done();
}

SCENARIO(B9_an_error_that_a_handler_throws_finds_no_catcher) {
  given.process("travel", start() >> trip_transaction(flight_and_hotel()) >> end("booked"),
                boundary("trip", cancel("refused")) >> end("undone"),
                boundary("trip", error("failed")) >> end("lost"),
                event_subprocess("esp", start(error("any")) >> end("caught")));
  given.process("outer", start() >> call_activity("call", "travel") >> end(),
                boundary("call", error("outer_failed")) >> end("outer_lost"));
  const Key instance = given.instance("outer");
  given.completes_job("check");
  when.throws_error("cf", "404");
  then.records_of({"E JOB", "E INCIDENT", "E PROCESS_EVENT"}, R"(
    E JOB ERROR_THROWN cf
    E INCIDENT CREATED UNHANDLED_ERROR_EVENT
  )");
  given.resolves_incident();
  given.completes_job("cf");
  when.completes_job("ch");
  then.records_of({"E ELEMENT COMPLETED undone", "E ELEMENT COMPLETED outer"}, R"(
    E ELEMENT COMPLETED undone
    E ELEMENT COMPLETED outer
  )");
  then.all_done();
  given.instance("outer");
  given.completes_job("check");
  given.throws_error("cf", "404");
  when.cancels(given.element("outer"));
  then.all_done();
  EXPECT_TRUE(instance.is_set());
}

SCENARIO(B9_a_handler_may_catch_its_own_errors_and_its_escalations_go_nowhere) {
  std::vector<Item> inner = undone("flight", "unused", "unused");
  inner.clear();
  inner.emplace_back(boundary("flight", compensation("flight_undone")));
  inner.emplace_back(association("flight_undone", "undo"));
  inner.emplace_back(subprocess("undo", for_compensation(),
                                start("us") >> service_task("call_airline", job("ca")) >>
                                    throw_event(escalation("slow", "slow")) >> end("ue"),
                                boundary("call_airline", error("nobody", "404")) >>
                                    service_task("write", job("w")) >>
                                    throw_event(escalation("slower", "slow")) >> end("uf")));
  inner.emplace_back(start("wanted") >> task("flight") >> end(cancel("abort")));
  given.process("travel",
                start() >> node("bpmn:transaction", "trip", std::move(inner)) >> end("booked"),
                boundary("trip", cancel("refused")) >> end("undone"),
                boundary("trip", escalation("told"), non_interrupting()) >> end("noted"));
  given.instance("travel");
  when.throws_error("ca", "404");
  then.records_of({"E INCIDENT", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED nobody
  )");
  when.completes_job("w");
  then.records_of({"E ESCALATION", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED write
    E ESCALATION NOT_ESCALATED slow
    E ELEMENT COMPLETED slower
    E ELEMENT COMPLETED uf
    E ELEMENT COMPLETED undo
    E ELEMENT COMPLETED abort
    E ELEMENT COMPLETED refused
    E ELEMENT COMPLETED undone
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
}

SCENARIO(B10_an_error_that_leaves_the_transaction_runs_no_handler) {
  given.process("travel", start() >> trip_transaction(flight_and_hotel()) >> end("booked"),
                boundary("trip", cancel("refused")) >> end("undone"),
                boundary("trip", error("failed", "404")) >> end("lost"));
  given.instance("travel");
  when.throws_error("pay", "404");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION DELETED hotel
    E COMPENSATION_SUBSCRIPTION DELETED flight
    E ELEMENT COMPLETED failed
    E ELEMENT COMPLETED lost
    E ELEMENT COMPLETED travel
  )");
  then.all_done();
  given.instance("travel");
  when.throws_error("pay", "500");
  then.records_of({"E COMPENSATION", "E INCIDENT"}, R"(
    E INCIDENT CREATED UNHANDLED_ERROR_EVENT
  )");
  when.completes_job("check");
  then.records_of({"E INCIDENT", "E COMPENSATION"}, R"(
    E INCIDENT RESOLVED
    E COMPENSATION_SUBSCRIPTION TRIGGERED hotel
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight
  )");
  given.completes_job("cf");
  when.completes_job("ch");
  then.all_done();
}

SCENARIO(B11_a_completed_transaction_can_be_compensated_from_outside) {
  std::vector<Item> inner = undone("flight", "cancel_flight", "cf");
  inner.emplace_back(start("wanted") >> task("flight") >> service_task("pay", job("pay")) >>
                     end("paid"));
  given.process("travel",
                start() >> node("bpmn:transaction", "trip", std::move(inner)) >>
                    service_task("wait", job("wait")) >>
                    throw_event(compensation("undo", "trip")) >> end("booked"),
                boundary("trip", cancel("refused")) >> end("undone"));
  given.instance("travel");
  when.completes_job("pay");
  then.records_of({"E COMPENSATION", "E ELEMENT COMPLETED trip"}, R"(
    E COMPENSATION_SUBSCRIPTION CREATED trip
    E ELEMENT COMPLETED trip
  )");
  when.completes_job("wait");
  then.records_of({"E COMPENSATION", "E JOB CREATED"}, R"(
    E COMPENSATION_SUBSCRIPTION TRIGGERED trip throwEventId="undo"
    E COMPENSATION_SUBSCRIPTION TRIGGERED flight throwEventId="undo"
    E JOB CREATED cf
  )");
  when.completes_job("cf");
  then.all_done();
}

SCENARIO(B11_a_transaction_may_have_a_handler_of_its_own) {
  auto handlers = undone("trip", "refund", "refund");
  std::vector<Item> inner = undone("flight", "cancel_flight", "cf");
  inner.emplace_back(start("wanted") >> task("flight") >> end("paid"));
  handlers.emplace_back(start() >> node("bpmn:transaction", "trip", std::move(inner)) >>
                        end(compensation("undo")));
  given.model("travel.bpmn", Model({Node{"bpmn:process", "travel", std::move(handlers)}}));
  when.instance("travel");
  then.records_of({"E JOB CREATED"}, R"(
    E JOB CREATED refund
    E JOB CREATED cf
  )");
  given.completes_job("refund");
  when.completes_job("cf");
  then.all_done();
}

SCENARIO(B11_a_transaction_that_is_not_canceled_completes_like_a_subprocess) {
  given.process(
      "travel",
      start() >> transaction("trip", attribute("method", "##Compensate"), input("=1", "x"),
                             output("=x + 1", "y"),
                             start("wanted") >> service_task("pay", job("pay")) >> end("paid")) >>
          service_task("wait", job("wait")) >> end("booked"),
      boundary("trip", cancel("refused")) >> end("undone"));
  const Key instance = given.instance("travel");
  when.completes_job("pay");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED pay
    E ELEMENT COMPLETED paid
    E ELEMENT COMPLETED trip
  )");
  EXPECT_EQ(then.variable(instance, "y"), "2");
  when.completes_job("wait");
  then.all_done();
}

SCENARIO(B7_models_with_mistakes_are_refused) {
  when.deploys({{"p.bpmn", process("p", start() >> end(cancel("stop"))).to_xml()}});
  then.rejected(RejectionType::InvalidArgument,
                "- Element: stop\n    - ERROR: must be directly in a transaction, since it is a "
                "cancel end event, but 'p' is not one");
  when.deploys(
      {{"p.bpmn",
        process("p", start() >> transaction("t", start("s") >> end(cancel("stop"))) >> end())
            .to_xml()}});
  then.rejected(RejectionType::InvalidArgument,
                "- Element: t\n    - ERROR: must have a cancel boundary event, since it contains "
                "the cancel end event 'stop'");
}

}  // namespace
}  // namespace beeline::testing
