#include "tests/support/scenario.h"

// Errors and terminate end events (spec: elements/events 5, 6; scenarios/execution 4).
namespace beeline::testing {
namespace {

using record::JobIntent;
using record::RejectionType;

SCENARIO(ER1_an_error_of_a_job_is_caught_by_the_boundary_of_its_task) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("lost", "404")) >> end("searching"));
  given.instance("order");
  when.throws_error("courier", "404", "it is gone");
  then.records(R"(
    C JOB THROW_ERROR
    E JOB ERROR_THROWN courier errorCode="404" elementId="ship"
    E PROCESS_EVENT TRIGGERING lost
    C ELEMENT TERMINATE ship
    E ELEMENT TERMINATING ship
    E ELEMENT TERMINATED ship
    E PROCESS_EVENT TRIGGERED lost
    E ELEMENT ACTIVATING lost
    E ELEMENT ACTIVATED lost
    C ELEMENT COMPLETE lost
    E ELEMENT COMPLETING lost
    E ELEMENT COMPLETED lost
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN lost_searching
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ER1_an_error_of_a_job_is_caught_by_the_boundary_of_the_subprocess) {
  given.process("order",
                start() >>
                    subprocess("pack", start("inner") >> service_task("wrap", job("wrapper")) >>
                                           end("wrapped")) >>
                    end("packed"),
                boundary("pack", error("torn", "rip")) >> end("thrown_away"));
  given.instance("order");
  when.throws_error("wrapper", "rip");
  then.records(R"(
    C JOB THROW_ERROR
    E JOB ERROR_THROWN wrapper errorCode="rip"
    E PROCESS_EVENT TRIGGERING torn
    C ELEMENT TERMINATE pack
    E ELEMENT TERMINATING pack
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE wrap
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING wrap
    E ELEMENT TERMINATED wrap
    E ELEMENT TERMINATED pack
    E PROCESS_EVENT TRIGGERED torn
    E ELEMENT ACTIVATING torn
    E ELEMENT ACTIVATED torn
    C ELEMENT COMPLETE torn
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ER1_an_error_of_a_job_is_caught_by_an_event_subprocess) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                event_subprocess("rescue", start(error("lost", "404")) >> end("searching")));
  given.instance("order");
  when.throws_error("courier", "404");
  then.records(R"(
    C JOB THROW_ERROR
    E JOB ERROR_THROWN courier
    E PROCESS_EVENT TRIGGERING lost
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ship
    E ELEMENT TERMINATED ship
    C ELEMENT ACTIVATE rescue
    E ELEMENT ACTIVATING rescue
    E ELEMENT ACTIVATED rescue
    C ELEMENT ACTIVATE lost
    E ELEMENT ACTIVATING lost
    E ELEMENT ACTIVATED lost
    C ELEMENT COMPLETE lost
    E ELEMENT COMPLETING lost
    E PROCESS_EVENT TRIGGERED lost
    E ELEMENT COMPLETED lost
    ...
    E ELEMENT COMPLETED rescue
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ER2_the_exact_code_beats_a_catch_all_of_the_same_scope) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("any")) >> end("any_end"),
                boundary("ship", error("lost", "404")) >> end("lost_end"));
  given.instance("order");
  when.throws_error("courier", "404");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED lost
    E ELEMENT COMPLETED lost_end
    E ELEMENT COMPLETED order
  )");
  given.instance("order");
  when.throws_error("courier", "500");
  then.records_of({"E ELEMENT COMPLETED any"}, R"(
    E ELEMENT COMPLETED any
    E ELEMENT COMPLETED any_end
  )");
}

SCENARIO(ER2_an_inner_catch_all_beats_an_exact_code_further_out) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("any")) >> end("any_end"),
                event_subprocess("rescue", start(error("lost", "404")) >> end("searching")));
  given.instance("order");
  when.throws_error("courier", "404");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED any
    E ELEMENT COMPLETED any_end
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(ER2_a_scope_that_does_not_catch_the_code_passes_it_on) {
  given.process(
      "order",
      start() >>
          subprocess("pack",
                     start("inner") >> service_task("wrap", job("wrapper")) >> end("wrapped"),
                     boundary("wrap", error("other", "other")) >> end("othered")) >>
          end("packed"),
      boundary("pack", error("torn", "rip")) >> end("thrown_away"));
  given.instance("order");
  when.throws_error("wrapper", "rip");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED torn
    E ELEMENT COMPLETED thrown_away
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(ER3_an_element_may_be_named_like_the_marker_of_errors_that_nobody_catches) {
  given.process("order",
                start() >> service_task("NO_CATCH_EVENT_FOUND", job("courier")) >> end("shipped"),
                boundary("NO_CATCH_EVENT_FOUND", error("lost", "404")) >> end("searching"));
  given.instance("order");
  when.throws_error("courier", "404");
  then.records_of({"E JOB", "E INCIDENT", "E ELEMENT COMPLETED"}, R"(
    E JOB ERROR_THROWN courier elementId="NO_CATCH_EVENT_FOUND" errorCaught=true
    E ELEMENT COMPLETED lost
    E ELEMENT COMPLETED searching
    E ELEMENT COMPLETED order
  )");
  EXPECT_TRUE(world.state().jobs().counts().empty());
  then.all_done();
}

SCENARIO(ER3_an_error_nobody_catches_is_an_incident_and_the_job_can_be_tried_again) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("lost", "404")) >> end("searching"));
  given.instance("order");
  when.throws_error("courier", "500", "bad day");
  then.records(R"(
    C JOB THROW_ERROR
    E JOB ERROR_THROWN courier errorCode="500" elementId="NO_CATCH_EVENT_FOUND"
    E INCIDENT CREATED UNHANDLED_ERROR_EVENT elementId="ship"
  )");
  EXPECT_EQ(
      then.values<record::IncidentRecord>(record::IncidentIntent::Created).front().error_message,
      "Expected to throw an error event with the code '500' with message 'bad day', but it "
      "was not caught. Available error events are [404]");
  const Key key = given.job_key("courier");
  EXPECT_TRUE(when.activates_jobs("courier").empty());
  then.refused({
      {"ER6 throw again", [&] { when.throws_error("courier", "404"); }, RejectionType::InvalidState,
       "ERROR_THROWN"},
      {"complete", [&] { when.completes_job("courier"); }, RejectionType::InvalidState,
       "ERROR_THROWN"},
  });
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED UNHANDLED_ERROR_EVENT
  )");
  EXPECT_EQ(when.activates_jobs("courier"), std::vector<Key>{key});
  EXPECT_EQ(then.answer<record::JobBatchRecord>().jobs.front().element_id, "ship");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(ER3_the_incident_names_the_error_events_of_all_scopes_from_the_inside_out) {
  given.process("parent", start() >> call_activity("call", "order") >> end(),
                boundary("call", error("outer", "504")) >> end("o"));
  given.process(
      "order",
      start() >>
          subprocess("pack", start("s") >> service_task("ship", job("courier")) >> end("e"),
                     boundary("ship", error("lost", "501")) >> end("l"),
                     event_subprocess("rescue", start(error("caught", "502")) >> end("rescued"))) >>
          end("shipped"),
      boundary("pack", error("torn", "503")) >> end("t"));
  given.instance("parent");
  when.throws_error("courier", "500");
  EXPECT_EQ(
      then.values<record::IncidentRecord>(record::IncidentIntent::Created).front().error_message,
      "Expected to throw an error event with the code '500', but it was not caught. "
      "Available error events are [501, 502, 503, 504]");
}

SCENARIO(ER4_the_incident_of_an_end_event_names_the_error_events) {
  given.process("order",
                start() >> subprocess("pack", start("s") >> end(error("rip", "torn"))) >> end(),
                boundary("pack", error("lost", "404")) >> end("l"));
  when.instance("order");
  EXPECT_EQ(
      then.values<record::IncidentRecord>(record::IncidentIntent::Created).front().error_message,
      "Expected to throw an error event with the code 'torn', but it was not caught. "
      "Available error events are [404]");
}

SCENARIO(ER4_an_error_end_event_is_caught_around_its_scope) {
  given.process(
      "order",
      start() >> subprocess("pack", start("inner") >> end(error("rip", "torn"))) >> end("packed"),
      boundary("pack", error("torn", "torn")) >> end("thrown_away"));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE rip
    E ELEMENT ACTIVATING rip
    E ELEMENT ACTIVATED rip
    E PROCESS_EVENT TRIGGERING torn
    C ELEMENT TERMINATE pack
    E ELEMENT TERMINATING pack
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE rip
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING rip
    E ELEMENT TERMINATED rip
    E ELEMENT TERMINATED pack
    E PROCESS_EVENT TRIGGERED torn
    E ELEMENT ACTIVATING torn
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(ER4_an_error_end_event_nobody_catches_is_an_incident_that_comes_back) {
  given.process("order", start() >> end(error("rip", "torn")));
  when.instance("order");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE rip
    E ELEMENT ACTIVATING rip
    E INCIDENT CREATED UNHANDLED_ERROR_EVENT elementId="rip"
  )");
  when.resolves_incident();
  then.records(R"(
    C INCIDENT RESOLVE
    E INCIDENT RESOLVED UNHANDLED_ERROR_EVENT
    E INCIDENT CREATED UNHANDLED_ERROR_EVENT elementId="rip"
  )");
}

SCENARIO(ER4_the_code_of_an_end_event_may_be_an_expression) {
  given.process("order", start() >> end(error("rip", "=code")),
                event_subprocess("rescue", start(error("caught", "torn")) >> end("rescued")));
  when.instance("order", R"({"code":"torn"})");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    ...
    E ELEMENT COMPLETED rescue
    E ELEMENT COMPLETED order
  )");
  const Key instance = when.instance("order");
  then.records_of({"E INCIDENT"}, "E INCIDENT CREATED EXTRACT_VALUE_ERROR elementId=\"rip\"");
  given.sets_variables(instance, R"({"code":"torn"})");
  when.resolves_incident();
  then.all_done();
}

SCENARIO(ER5_the_variables_of_an_error_are_local_to_its_boundary_event_and_lost) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("lost", "404")) >> service_task("seek", job("seeker")));
  const Key instance = given.instance("order");
  when.throws_error("courier", "404", "", R"({"where":"sea"})");
  then.records_of({"E VARIABLE"}, "E VARIABLE CREATED where");
  EXPECT_EQ(then.values<record::VariableRecord>(record::VariableIntent::Created).front().scope_key,
            given.element("lost"));
  EXPECT_EQ(then.variable(instance, "where"), "absent");
}

SCENARIO(ER5_an_output_mapping_takes_the_variables_of_an_error_out) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("lost", "404"), output("=where", "place")) >>
                    service_task("seek", job("seeker")));
  const Key instance = given.instance("order");
  when.throws_error("courier", "404", "", R"({"where":"sea"})");
  EXPECT_EQ(then.variable(instance, "place"), R"("sea")");
  EXPECT_EQ(then.variable(instance, "where"), "absent");
}

SCENARIO(ER5_an_event_subprocess_passes_the_variables_of_an_error_on) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                event_subprocess(
                    "rescue", start(error("lost", "404")) >> service_task("seek", job("seeker"))));
  const Key instance = given.instance("order");
  when.throws_error("courier", "404", "", R"({"where":"sea"})");
  then.records_of({"E PROCESS_EVENT TRIGGERED", "E VARIABLE", "E ELEMENT COMPLETED"}, R"(
    E PROCESS_EVENT TRIGGERED lost
    E VARIABLE CREATED where
    E ELEMENT COMPLETED lost
  )");
  EXPECT_EQ(then.variable(instance, "where"), R"("sea")");
}

SCENARIO(ER6_an_error_of_a_job_that_is_not_workable_is_refused) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"));
  given.instance("order");
  given.fails_job("courier", 0);
  then.refused({
      {"failed", [&] { when.throws_error("courier", "404"); }, RejectionType::InvalidState,
       "FAILED"},
      {"unknown", [&] { when.job_command(JobIntent::ThrowError, Key{7}); }, RejectionType::NotFound,
       "no such job"},
  });
}

SCENARIO(ER7_a_job_whose_error_was_caught_is_not_canceled) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", error("any")) >> end());
  given.instance("order");
  when.throws_error("courier", "404");
  then.records_of({"E JOB"}, "E JOB ERROR_THROWN courier");
}

SCENARIO(ER8_catch_events_that_make_no_sense_are_refused_at_deployment) {
  const auto refuses = [&](std::string_view situation, auto... items) {
    const Model model =
        process("order", start() >> service_task("ship", job("courier")) >> end(), items...);
    return Refusal{situation, [this, model] { when.model("order.bpmn", model); },
                   RejectionType::InvalidArgument, ""};
  };
  then.refused({
      refuses("same code twice", boundary("ship", error("a", "404")) >> end(),
              boundary("ship", error("b", "404")) >> end()),
      refuses("two catch-alls", boundary("ship", error("a")) >> end(),
              boundary("ship", error("b")) >> end()),
      refuses("code is an expression", boundary("ship", error("a", "=code")) >> end()),
      refuses("non-interrupting boundary",
              boundary("ship", error("a", "404"), non_interrupting()) >> end()),
      refuses("non-interrupting event subprocess",
              event_subprocess("e", start(error("a", "404"), non_interrupting()) >> end())),
      refuses("end event without a code", from("ship") >> end(error("a"))),
  });
}

SCENARIO(TE1_a_terminate_end_event_ends_its_siblings_and_completes_the_process) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                from("start") >> service_task("watch", job("watcher")) >> end(terminate("stop")));
  given.instance("order");
  when.completes_job("watcher");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE stop
    E ELEMENT ACTIVATING stop
    E ELEMENT ACTIVATED stop
    C ELEMENT COMPLETE stop
    E ELEMENT COMPLETING stop
    E ELEMENT COMPLETED stop
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(TE1_in_a_subprocess_it_completes_the_subprocess_only) {
  given.process(
      "order",
      start() >> subprocess("pack", start("inner") >> service_task("wrap", job("wrapper")) >> end(),
                            from("inner") >> end(terminate("stop"))) >>
          service_task("ship", job("courier")) >> end());
  when.instance("order");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED", "E JOB"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED inner
    E JOB CREATED wrapper
    E ELEMENT COMPLETED stop
    E JOB CANCELED wrapper
    E ELEMENT TERMINATED wrap
    E ELEMENT COMPLETED pack
    E JOB CREATED courier
  )");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(TE1_in_a_multi_instance_subprocess_it_completes_its_own_instance_only) {
  given.process(
      "order",
      start() >>
          subprocess("pack", multi_instance({.input_collection = "=[1, 2]", .input_element = "n"}),
                     start("inner") >> parallel_gateway("fork") >>
                         service_task("wrap", job("wrapper")) >> end(),
                     from("fork") >> exclusive_gateway("first") >> condition("n = 1") >>
                         end(terminate("stop")),
                     from("first") >> default_flow() >> end("go_on")) >>
          end("packed"));
  when.instance("order");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED pack", "E JOB"}, R"(
    E JOB CREATED wrapper
    E JOB CREATED wrapper
    E JOB CANCELED wrapper
    E ELEMENT TERMINATED wrap
    E ELEMENT COMPLETED pack
  )");
  when.completes_job("wrapper");
  then.records_of({"E ELEMENT COMPLETED order"}, "E ELEMENT COMPLETED order");
  then.all_done();
}

SCENARIO(TE1_in_a_called_process_the_call_activity_completes) {
  given.process("child", start() >> service_task("wrap", job("wrapper")) >> end(),
                from("start") >> end(terminate("stop")));
  given.process("order", start() >> call_activity("call", "child") >>
                             service_task("ship", job("courier")) >> end());
  when.instance("order");
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED", "E JOB"}, R"(
    E ELEMENT COMPLETED start
    E ELEMENT COMPLETED start
    E JOB CREATED wrapper
    E ELEMENT COMPLETED stop
    E JOB CANCELED wrapper
    E ELEMENT TERMINATED wrap
    E ELEMENT COMPLETED child
    E ELEMENT COMPLETED call
    E JOB CREATED courier
  )");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(TE1_in_an_event_subprocess_it_leaves_the_scope_around_alone) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                event_subprocess("remind",
                                 start(timer("late", 1h), non_interrupting()) >>
                                     service_task("call", job("caller")) >> end(),
                                 from("late") >> end(terminate("stop"))));
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED stop
    E ELEMENT TERMINATED call
    E ELEMENT COMPLETED remind
  )");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(TE1_alone_in_its_scope_it_completes_it_at_once) {
  given.process("order", start() >> end(terminate("stop")));
  when.instance("order");
  then.records(R"(
    ...
    E ELEMENT COMPLETING stop
    E ELEMENT COMPLETED stop
    C ELEMENT COMPLETE order
    E ELEMENT COMPLETING order
    E ELEMENT COMPLETED order
  )");
}

SCENARIO(TE2_a_token_that_waits_at_a_join_is_dropped) {
  given.process(
      "order",
      start() >> parallel_gateway("split") >> task("quick") >> parallel_gateway("join") >> end(),
      from("split") >> service_task("slow", job("slow")) >> to("join"),
      from("split") >> service_task("watch", job("watcher")) >> end(terminate("stop")));
  given.instance("order");
  given.activates_jobs("slow");
  when.completes_job("watcher");
  then.records_of({"E ELEMENT COMPLETED", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT COMPLETED watch
    E ELEMENT COMPLETED stop
    E ELEMENT TERMINATED slow
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
