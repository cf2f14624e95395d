#include "tests/support/scenario.h"

// Event-based and inclusive gateways, link events (spec: elements/gateways 2, 4; elements/events 7;
// scenarios/execution 4, 5).
namespace beeline::testing {
namespace {

SCENARIO(EG1_the_first_event_wins_and_the_other_subscription_is_closed) {
  given.process("p",
                start() >> event_based_gateway("wait") >> catch_event(timer("soon", 1h)) >>
                    bpmn::build::end("first"),
                from("wait") >> catch_event(timer("later", 2h)) >> bpmn::build::end("second"));
  given.instance("p");
  when.time_passes(1h);
  then.records(R"(
    C TIMER TRIGGER
    E TIMER TRIGGERED soon
    E PROCESS_EVENT TRIGGERING soon
    C ELEMENT COMPLETE wait
    E ELEMENT COMPLETING wait
    E TIMER CANCELED later
    E ELEMENT COMPLETED wait
    E PROCESS_EVENT TRIGGERED soon
    E ELEMENT ACTIVATING soon
    E ELEMENT ACTIVATED soon
    C ELEMENT COMPLETE soon
    E ELEMENT COMPLETING soon
    E ELEMENT COMPLETED soon
    ...
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(EG2_termination_closes_all_subscriptions) {
  given.process("p",
                start() >> event_based_gateway("wait") >> catch_event(timer("soon", 1h)) >>
                    bpmn::build::end("first"),
                from("wait") >> catch_event(timer("later", 2h)) >> bpmn::build::end("second"));
  const Key instance = given.instance("p");
  when.cancels(instance);
  then.records_of({"E TIMER", "E ELEMENT TERMINATED"}, R"(
    E TIMER CANCELED soon
    E TIMER CANCELED later
    E ELEMENT TERMINATED wait
    E ELEMENT TERMINATED p
  )");
}

SCENARIO(IG1_every_flow_whose_condition_holds_is_taken) {
  given.process("p",
                start() >> inclusive_gateway("fork") >> condition("a > 0") >>
                    service_task("one", job("one")) >> inclusive_gateway("join") >>
                    bpmn::build::end("done"),
                from("fork") >> condition("a > 1") >> service_task("two", job("two")) >> to("join"),
                from("fork") >> default_flow() >> service_task("none", job("none")) >> to("join"));
  given.instance("p", R"({"a":2})");
  given.completes_job("one");
  when.completes_job("two");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED two
    E ELEMENT COMPLETED join
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(IG2_a_join_waits_only_for_tokens_that_can_reach_it) {
  given.process("p",
                start() >> inclusive_gateway("fork") >> condition("a > 0") >>
                    service_task("one", job("one")) >> inclusive_gateway("join") >>
                    bpmn::build::end("done"),
                from("fork") >> condition("a > 1") >> service_task("two", job("two")) >> to("join"),
                from("fork") >> default_flow() >> service_task("none", job("none")) >> to("join"));
  given.instance("p", R"({"a":1})");
  when.completes_job("one");
  then.records_of({"E ELEMENT COMPLETED", "R"}, R"(
    E ELEMENT COMPLETED one
    E ELEMENT COMPLETED join
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED p
  )");
}

SCENARIO(LK1_a_link_goes_on_at_the_catch_event_of_its_name) {
  given.process("p", start() >> throw_event(link_event("leave", "a")),
                catch_event(link_event("arrive", "a")) >> bpmn::build::end("done"));
  when.instance("p");
  then.records_of({"E ELEMENT COMPLETED", "E PROCESS_INSTANCE SEQUENCE"}, R"(
    E ELEMENT COMPLETED start
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN start_leave
    E ELEMENT COMPLETED leave
    E ELEMENT COMPLETED arrive
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN arrive_done
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

SCENARIO(LK1_a_scope_waits_for_the_catch_event_while_another_path_ends) {
  given.process("links",
                start() >> parallel_gateway("fork") >> throw_event(link_event("thrown", "there")),
                from("fork") >> bpmn::build::end("ended"),
                catch_event(link_event("caught", "there")) >> service_task("ship", job("ship")) >>
                    bpmn::build::end("shipped"));
  given.process("reverse", start() >> parallel_gateway("fork") >> bpmn::build::end("ended"),
                from("fork") >> throw_event(link_event("thrown", "there")),
                catch_event(link_event("caught", "there")) >> service_task("ship", job("ship")) >>
                    bpmn::build::end("shipped"));
  given.instance("links");
  given.instance("reverse");
  given.completes_job("ship");
  given.completes_job("ship");
  then.all_done();
}

SCENARIO(LK1_several_throw_events_lead_to_one_catch_event_and_links_are_told_apart) {
  given.process("p", start() >> parallel_gateway("fork") >> throw_event(link_event("leave1", "a")),
                from("fork") >> throw_event(link_event("leave2", "a")),
                from("fork") >> throw_event(link_event("leave3", "b")),
                catch_event(link_event("arrive_a", "a")) >> bpmn::build::end("done_a"),
                catch_event(link_event("arrive_b", "b")) >> bpmn::build::end("done_b"));
  when.instance("p");
  then.records_of(
      {"E ELEMENT COMPLETED arrive_a", "E ELEMENT COMPLETED arrive_b", "E ELEMENT COMPLETED p"},
      R"(
    E ELEMENT COMPLETED arrive_a
    E ELEMENT COMPLETED arrive_a
    E ELEMENT COMPLETED arrive_b
    E ELEMENT COMPLETED p
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
