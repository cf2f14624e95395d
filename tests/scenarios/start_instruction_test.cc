#include "tests/support/scenario.h"

// Start and run-time instructions of a creation (spec: instances 1; scenarios/execution 12).
namespace beeline::testing {
namespace {

using record::ProcessInstanceCreationRecord;
using record::RejectionType;
using record::RuntimeInstructionType;

ProcessInstanceCreationRecord creation_of(const std::string& process,
                                          const std::vector<std::string>& start_before,
                                          const std::vector<std::string>& terminate_after = {}) {
  ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = process;
  creation.version = -1;
  for (const std::string& element : start_before) creation.start_instructions.push_back({element});
  for (const std::string& element : terminate_after) {
    creation.runtime_instructions.push_back(
        {RuntimeInstructionType::TerminateProcessInstance, element});
  }
  return creation;
}

record::Document document_of(std::string name, std::string value) {
  record::Document document;
  document.entries.push_back({std::move(name), std::move(value)});
  return document;
}

SCENARIO(SA1_an_instance_begins_at_an_element) {
  given.process("order", start() >> service_task("pack", job("p")) >>
                             service_task("ship", job("courier")) >> end("shipped"));
  ProcessInstanceCreationRecord creation = creation_of("order", {"ship"});
  creation.variables = document_of("a", "1");
  when.creates(creation);
  then.records(R"(
    C PROCESS_INSTANCE_CREATION CREATE
    E VARIABLE CREATED a value="1"
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    C ELEMENT ACTIVATE ship
    E PROCESS_INSTANCE_CREATION CREATED order
    E ELEMENT ACTIVATING ship
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
  )");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(SA1_an_instance_begins_at_several_elements_and_ends_after_the_last) {
  given.process("order", start() >> service_task("pack", job("p")) >> end("packed"),
                from("pack") >> service_task("ship", job("courier")) >> end("shipped"));
  when.creates(creation_of("order", {"ship", "pack", "ship"}));
  then.records_of({"E ELEMENT ACTIVATED", "E JOB CREATED"}, R"(
    E ELEMENT ACTIVATED order
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
    E JOB CREATED p
    E ELEMENT ACTIVATED pack
    E JOB CREATED courier
    E ELEMENT ACTIVATED ship
  )");
  when.completes_job("courier");
  when.completes_job("courier");
  when.completes_job("p");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(SA1_an_element_without_a_wait_does_not_end_the_instance_before_the_others_began) {
  given.process("order", start() >> parallel_gateway("fork") >> task("pack") >> end("packed"),
                from("fork") >> service_task("ship", job("courier")) >> end("shipped"),
                from("fork") >> exclusive_gateway("dead"));
  when.creates(creation_of("order", {"dead", "pack", "ship"}));
  then.records_of({"R", "C ELEMENT COMPLETE order"}, "");
  when.completes_job("courier");
  then.all_done();
}

SCENARIO(SA1_the_scopes_around_nested_elements_are_opened_once_with_their_events) {
  given.process(
      "order",
      start() >>
          subprocess("outer",
                     start("o") >>
                         subprocess("inner", start("i") >> service_task("ship", job("s")) >>
                                                 service_task("bill", job("b")) >> end("ie")) >>
                         end("oe")) >>
          end("done"),
      boundary("outer", timer("late", 1h)) >> end("stopped"),
      event_subprocess("news",
                       start(message("m", "news", "=key"), non_interrupting()) >> end("n")));
  ProcessInstanceCreationRecord creation = creation_of("order", {"ship", "bill"});
  creation.variables = document_of("key", "\"k\"");
  when.creates(creation);
  then.records(R"(
    C PROCESS_INSTANCE_CREATION CREATE
    E VARIABLE CREATED key
    E ELEMENT ACTIVATING order
    E ELEMENT ACTIVATED order
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING news
    C MESSAGE_SUBSCRIPTION CREATE news
    E ELEMENT ACTIVATING outer
    E ELEMENT ACTIVATED outer
    E TIMER CREATED late
    E ELEMENT ACTIVATING inner
    E ELEMENT ACTIVATED inner
    C ELEMENT ACTIVATE ship
    C ELEMENT ACTIVATE bill
    E PROCESS_INSTANCE_CREATION CREATED order
    ...
  )");
  given.publishes("news", "k");
  when.completes_job("s");
  when.completes_job("b");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  when.completes_job("b");
  then.records_of({"E TIMER", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED bill
    E ELEMENT COMPLETED ie
    E ELEMENT COMPLETED inner
    E ELEMENT COMPLETED oe
    E TIMER CANCELED late
    E ELEMENT COMPLETED outer
    E ELEMENT COMPLETED done
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(SA1_an_interrupting_event_of_an_opened_scope_fires) {
  given.process(
      "order",
      start() >> subprocess("outer", start("o") >> service_task("ship", job("s")) >> end("oe")) >>
          end("done"),
      boundary("outer", timer("late", 1h)) >> end("stopped"));
  given.creates(creation_of("order", {"ship"}));
  when.time_passes(1h);
  then.records_of({"E ELEMENT TERMINATED", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT TERMINATED ship
    E ELEMENT TERMINATED outer
    E ELEMENT COMPLETED late
    E ELEMENT COMPLETED stopped
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(SA1_joins_are_activated_without_their_flows) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                    parallel_gateway("join") >> service_task("c", job("c")) >> end(),
                from("fork") >> service_task("b", job("b")) >> to("join"));
  when.creates(creation_of("order", {"join"}));
  then.records_of({"R", "E ELEMENT COMPLETED", "E JOB CREATED"}, R"(
    E ELEMENT COMPLETED join
    E JOB CREATED c
  )");
  when.completes_job("c");
  then.all_done();
  given.creates(creation_of("order", {"join", "a", "b"}));
  given.completes_job("a");
  given.completes_job("b");
  given.completes_job("c");
  EXPECT_EQ(world.state().element_instances().process_instance_count(), 1);
  given.completes_job("c");
  then.all_done();
}

SCENARIO(SA1_an_inclusive_join_is_activated_without_its_flows) {
  given.process("order",
                start() >> inclusive_gateway("fork") >> condition("true") >>
                    service_task("a", job("a")) >> inclusive_gateway("join") >>
                    service_task("c", job("c")) >> end(),
                from("fork") >> condition("true") >> service_task("b", job("b")) >> to("join"));
  given.creates(creation_of("order", {"join"}));
  given.completes_job("c");
  then.all_done();
}

SCENARIO(SA1_an_event_subprocess_a_multi_instance_body_and_a_call_activity_can_be_begun) {
  given.process("called", start() >> service_task("work", job("w")) >> end());
  given.process(
      "order",
      start() >> service_task("each", job("e"), multi_instance({.input_collection = "=[1, 2]"})) >>
          call_activity("call", "called") >> end("done"),
      event_subprocess("news", start(message("m", "news", "=\"k\"")) >>
                                   service_task("read", job("r")) >> end("n")));
  given.creates(creation_of("order", {"each", "news", "call"}));
  given.completes_job("r");
  given.completes_job("e");
  given.completes_job("e");
  given.completes_job("w");
  given.completes_job("w");
  then.all_done();
}

SCENARIO(SA1_a_process_without_a_none_start_event_can_begin_elsewhere_and_its_result_be_awaited) {
  given.process("order", start(message("m", "begin")) >> service_task("ship", job("s")) >> end());
  when.creates(creation_of("order", {}));
  then.rejected(RejectionType::InvalidState, "with none start event, but there is no such event");
  ProcessInstanceCreationRecord creation = creation_of("order", {"ship"});
  creation.tags = {"vip"};
  when.creates(creation, true);
  when.completes_job("s", R"({"paid": true})");
  const auto result = then.answer<record::JobRecord>();
  then.all_done();
}

SCENARIO(SA2_instructions_that_cannot_be_followed_are_refused) {
  given.process("order",
                start("s") >> event_based_gateway("first") >> catch_event(timer("later", 1h)) >>
                    subprocess("each", multi_instance({.input_collection = "=[1]"}),
                               start("i") >> task("inside") >> end("ie")) >>
                    service_task("ship", job("j")) >> end("e"),
                from("first") >> catch_event(message("got", "m", "=\"k\"")) >> end("e2"),
                boundary("ship", timer("late", 1h)) >> end("e3"),
                event_subprocess("news", start(message("heard", "news", "=key")) >> end("n")));
  then.answered();
  const auto creates = [&](std::vector<std::string> start_before,
                           std::vector<std::string> terminate_after = {}) {
    return [&, start_before, terminate_after] {
      when.creates(creation_of("order", start_before, terminate_after));
    };
  };
  then.refused({
      {"unknown", creates({"ship", "nobody"}), RejectionType::InvalidArgument,
       "start instructions but no element found with id 'nobody'."},
      {"inside", creates({"inside"}), RejectionType::InvalidArgument,
       "the element with id 'inside' is inside a multi-instance subprocess."},
      {"start event", creates({"s"}), RejectionType::InvalidArgument,
       "the element with id 's' targets unsupported element type 'START_EVENT'"},
      {"boundary event", creates({"late"}), RejectionType::InvalidArgument,
       "the element with id 'late' targets unsupported element type 'BOUNDARY_EVENT'"},
      {"flow", creates({"ship_e"}), RejectionType::InvalidArgument,
       "the element with id 'ship_e' targets unsupported element type 'SEQUENCE_FLOW'"},
      {"process", creates({"order"}), RejectionType::InvalidArgument,
       "the element with id 'order' targets unsupported element type 'PROCESS'"},
      {"catch event behind a gateway", creates({"later"}), RejectionType::InvalidArgument,
       "the element with id 'later' belongs to an event-based gateway."},
      {"message event behind a gateway", creates({"got"}), RejectionType::InvalidArgument,
       "the element with id 'got' belongs to an event-based gateway."},
      {"a scope whose events cannot be subscribed to", creates({"ship"}),
       RejectionType::InvalidArgument, "the events of 'order' cannot be subscribed to: "},
      {"run-time: unknown", creates({}, {"ship", "nobody"}), RejectionType::InvalidArgument,
       "runtime instructions but no element found with id 'nobody' in process definition 'order'."},
      {"run-time: flow", creates({}, {"ship_e"}), RejectionType::InvalidArgument,
       "runtime instructions but the element with id 'ship_e' is of type SEQUENCE_FLOW"},
      {"run-time: process", creates({}, {"order"}), RejectionType::InvalidArgument,
       "runtime instructions but the element with id 'order' is of type PROCESS"},
  });
  then.all_done();
}

SCENARIO(SA2_a_run_time_instruction_ends_the_instance_after_an_element_is_completed) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("pack", job("p")) >>
                    service_task("ship", job("s")) >> end(),
                from("fork") >> service_task("bill", job("b")) >> end("billed"));
  given.creates(creation_of("order", {}, {"pack"}));
  when.completes_job("p");
  then.records(R"(
    C JOB COMPLETE
    E JOB COMPLETED p
    E PROCESS_EVENT TRIGGERING pack
    C ELEMENT COMPLETE pack
    E ELEMENT COMPLETING pack
    E PROCESS_EVENT TRIGGERED pack
    E ELEMENT COMPLETED pack
    E RUNTIME_INSTRUCTION INTERRUPTED pack
    C ELEMENT TERMINATE order
    E ELEMENT TERMINATING order
    C PROCESS_INSTANCE_BATCH TERMINATE
    C ELEMENT TERMINATE bill
    E PROCESS_INSTANCE_BATCH TERMINATED
    E ELEMENT TERMINATING bill
    E JOB CANCELED b
    E ELEMENT TERMINATED bill
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO(SA2_a_run_time_instruction_ends_the_instance_after_an_element_is_terminated) {
  given.process("order",
                start() >>
                    subprocess("sub", start("i") >> service_task("pack", job("p")) >> end("ie")) >>
                    end("done"),
                boundary("sub", timer("late", 1h)) >> end("stopped"));
  for (const char* element : {"pack", "sub"}) {
    given.creates(creation_of("order", {}, {element}));
    when.time_passes(1h);
    then.records_of({"E RUNTIME_INSTRUCTION", "E ELEMENT ACTIVATED", "E ELEMENT TERMINATED"},
                    element == std::string_view{"pack"} ? R"(
      E ELEMENT TERMINATED pack
      E RUNTIME_INSTRUCTION INTERRUPTED pack
      E ELEMENT TERMINATED sub
      E ELEMENT TERMINATED order
    )"
                                                        : R"(
      E ELEMENT TERMINATED pack
      E ELEMENT TERMINATED sub
      E RUNTIME_INSTRUCTION INTERRUPTED sub
      E ELEMENT TERMINATED order
    )");
    then.all_done();
  }
}

SCENARIO(SA2_a_run_time_instruction_for_a_multi_instance_activity_means_its_body) {
  given.process("order", start() >> service_task("each", job("e"),
                                                 multi_instance({.input_collection = "=[1, 2]"})) >>
                             service_task("ship", job("s")) >> end());
  given.creates(creation_of("order", {}, {"each"}));
  when.completes_job("e");
  then.records_of({"E RUNTIME_INSTRUCTION"}, "");
  when.completes_job("e");
  then.records_of({"E RUNTIME_INSTRUCTION", "E ELEMENT TERMINATED"}, R"(
    E RUNTIME_INSTRUCTION INTERRUPTED each
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO(SA2_a_run_time_instruction_works_after_every_kind_of_element) {
  given.process("order",
                start("s") >> exclusive_gateway("x") >> condition("true") >>
                    inclusive_gateway("i") >> condition("true") >> throw_event("note") >>
                    parallel_gateway("p") >> event_based_gateway("g") >>
                    catch_event(timer("later", 1h)) >> task("t") >>
                    throw_event(link_event("out", "l")),
                from("g") >> catch_event(timer("never", 100h)) >> end("e2"),
                from("x") >> default_flow() >> end("e3"), from("i") >> default_flow() >> end("e4"),
                catch_event(link_event("in", "l")) >> end(terminate("stop")));
  for (const char* element : {"s", "x", "i", "note", "p", "g", "later", "t", "out", "in", "stop"}) {
    when.creates(creation_of("order", {}, {element}));
    given.time_passes(1h);
    then.records_of(
        {"E RUNTIME_INSTRUCTION", "E ELEMENT TERMINATED order"},
        fmt::format("E RUNTIME_INSTRUCTION INTERRUPTED {}\nE ELEMENT TERMINATED order", element));
    then.all_done();
  }
}

SCENARIO(SA2_a_run_time_instruction_does_not_concern_called_processes_and_canceled_instances) {
  given.process("called", start() >> service_task("pack", job("p")) >> end());
  given.process("order", start() >> call_activity("call", "called") >>
                             service_task("pack", job("q")) >> end());
  const auto create = [&] {
    given.creates(creation_of("order", {}, {"pack"}));
    return then.answer<ProcessInstanceCreationRecord>().process_instance_key;
  };
  const Key instance = create();
  when.completes_job("p");
  then.records_of({"E RUNTIME_INSTRUCTION"}, "");
  when.cancels(instance);
  then.records_of({"E RUNTIME_INSTRUCTION", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT TERMINATED pack
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO_STEP_BY_STEP(SA2_queued_commands_of_an_instance_that_ends_are_rejected) {
  given.process("order",
                start() >> parallel_gateway("fork") >> service_task("pack", job("p")) >>
                    service_task("ship", job("s")) >> end(),
                from("fork") >> service_task("bill", job("b")) >> end("billed"));
  given.creates(creation_of("order", {}, {"pack"}));
  when.appends([&] {
    given.completes_job("p");
    given.completes_job("b");
  });
  then.records_of({"E RUNTIME_INSTRUCTION", "R", "E ELEMENT COMPLETED", "E ELEMENT TERMINATED"}, R"(
    E ELEMENT COMPLETED pack
    E RUNTIME_INSTRUCTION INTERRUPTED pack
    R ELEMENT COMPLETE bill rejection=INVALID_STATE
    E ELEMENT TERMINATED bill
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

SCENARIO(SA2_start_and_run_time_instructions_go_together) {
  given.process("order", start() >> service_task("pack", job("p")) >>
                             service_task("ship", job("s")) >> service_task("bill", job("b")) >>
                             end());
  given.creates(creation_of("order", {"ship"}, {"ship", "pack"}));
  when.completes_job("s");
  then.records_of({"E RUNTIME_INSTRUCTION", "E ELEMENT TERMINATED"}, R"(
    E RUNTIME_INSTRUCTION INTERRUPTED ship
    E ELEMENT TERMINATED order
  )");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
