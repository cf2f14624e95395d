#include "tests/scenarios/message_models.h"
#include "tests/support/scenario.h"

// Subscriptions to messages, and the effects of a message on them (spec: messages 1.1 to 1.5, 1.9,
// 1.10; scenarios/messages 1 to 3).
namespace beeline::testing {
namespace {

using record::MessageSubscriptionIntent;
using record::MessageSubscriptionRecord;
using record::ProcessMessageSubscriptionIntent;
using record::ProcessMessageSubscriptionRecord;

SCENARIO(Z18_subscribe_then_publish) {
  given.model("order.bpmn", one_catch());
  when.instance("order", R"({"order":"o-1"})");
  then.records(R"(
    ...
    C ELEMENT ACTIVATE wait
    ...
    E ELEMENT ACTIVATING wait
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING paid correlationKey="o-1" elementId="wait"
    C MESSAGE_SUBSCRIPTION CREATE paid correlationKey="o-1"
    E ELEMENT ACTIVATED wait
    E MESSAGE_SUBSCRIPTION CREATED paid correlationKey="o-1" bpmnProcessId="order"
    C PROCESS_MESSAGE_SUBSCRIPTION CREATE paid
    E PROCESS_MESSAGE_SUBSCRIPTION CREATED paid
  )");
  when.publishes("paid", "o-1", {R"({"amount":150})"});
  then.answered();
  then.records(R"(
    C MESSAGE PUBLISH paid
    E MESSAGE PUBLISHED paid correlationKey="o-1"
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid
    E MESSAGE EXPIRED paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    E PROCESS_EVENT TRIGGERING wait
    C ELEMENT COMPLETE wait
    C MESSAGE_SUBSCRIPTION CORRELATE paid
    E ELEMENT COMPLETING wait
    E PROCESS_EVENT TRIGGERED wait
    E VARIABLE CREATED amount value="150"
    E ELEMENT COMPLETED wait
    E PROCESS_INSTANCE SEQUENCE_FLOW_TAKEN wait_end
    C ELEMENT ACTIVATE end
    E MESSAGE_SUBSCRIPTION CORRELATED paid
    ...
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(Z19_publish_then_subscribe) {
  given.model("order.bpmn", one_catch());
  given.publishes("paid", "o-1", {R"({"amount":150})", 1h});
  when.instance("order", R"({"order":"o-1"})");
  then.records_of(kMessages, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING paid
    C MESSAGE_SUBSCRIPTION CREATE paid
    E MESSAGE_SUBSCRIPTION CREATED paid
    C PROCESS_MESSAGE_SUBSCRIPTION CREATE paid
    E MESSAGE_SUBSCRIPTION CORRELATING paid
    C PROCESS_MESSAGE_SUBSCRIPTION CORRELATE paid
    E PROCESS_MESSAGE_SUBSCRIPTION CREATED paid
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    C MESSAGE_SUBSCRIPTION CORRELATE paid
    E MESSAGE_SUBSCRIPTION CORRELATED paid
  )");
  then.all_done();
}

SCENARIO(M1_a_number_is_correlated_by_its_digits) {
  given.model("order.bpmn", one_catch());
  struct Row {
    std::string_view variable;
    const char* key;
  };
  for (const Row& row :
       {Row{"42", "42"}, Row{"12.5", "12.5"}, Row{"12.50", "12.5"}, Row{"5.0", "5"}, Row{"-0", "0"},
        Row{"1e3", "1000"}, Row{"1e25", "10000000000000000000000000"},
        Row{"0.0000001", "0.0000001"}, Row{"\"\"", ""}, Row{"\"a b\"", "a b"}}) {
    SCOPED_TRACE(row.variable);
    given.instance("order", fmt::format(R"({{"order":{}}})", row.variable));
    given.publishes("paid", row.key);
    then.all_done();
    then.no_messages_left();
  }
}

SCENARIO(M2_a_key_that_is_no_text_is_an_incident_until_it_is_one) {
  given.model("order.bpmn", one_catch());
  struct Row {
    std::string_view variables;
    std::string_view found;
  };
  for (const Row& row :
       {Row{R"({"order":null})", "null"}, Row{"{}", "null"}, Row{R"({"order":true})", "boolean"},
        Row{R"({"order":[1]})", "list"}, Row{R"({"order":{}})", "context"}}) {
    SCOPED_TRACE(row.variables);
    when.instance("order", row.variables);
    then.records_of(kMessages, "");
    const auto incidents = then.values<record::IncidentRecord>(record::IncidentIntent::Created);
    ASSERT_EQ(incidents.size(), 1U);
    EXPECT_EQ(incidents.front().error_type, record::ErrorType::ExtractValueError);
    EXPECT_NE(incidents.front().error_message.find(fmt::format("'{}'", row.found)),
              std::string::npos)
        << incidents.front().error_message;
    EXPECT_NE(incidents.front().error_message.find("'order'"), std::string::npos);
    given.sets_variables(given.element("order"), R"({"order":"o-1"})");
    when.resolves_incident();
    then.records_of({"E PROCESS_MESSAGE", "E ELEMENT"}, R"(
      E PROCESS_MESSAGE_SUBSCRIPTION CREATING paid
      E ELEMENT ACTIVATED wait
      E PROCESS_MESSAGE_SUBSCRIPTION CREATED paid
    )");
    given.publishes("paid", "o-1");
    then.all_done();
  }
}

SCENARIO(M3_a_name_may_be_an_expression) {
  given.process("order",
                start() >> catch_event(message("wait", "=\"order-\" + kind", "=1")) >> end());
  given.instance("order", R"({"kind":"paid"})");
  given.publishes("order-paid", "1");
  then.all_done();
  when.instance("order", R"({"kind":7})");
  EXPECT_EQ(then.open_incidents(), 1U);
}

SCENARIO(M3_names_and_keys_have_a_limit) {
  given.process("order", start() >> catch_event(message("wait", "=name", "=order")) >> end());
  const std::string most(32'768, 'x');
  const auto instance = [&](const std::string& name, const std::string& key) {
    given.instance("order", fmt::format(R"({{"name":"{}","order":"{}"}})", name, key));
  };
  instance(most, most);
  EXPECT_EQ(then.open_incidents(), 0U);
  instance(most + "x", "k");
  EXPECT_EQ(then.open_incidents(), 1U);
  instance("n", most + "x");
  EXPECT_EQ(then.open_incidents(), 2U);
  instance("", "k");
  EXPECT_EQ(then.open_incidents(), 3U);
}

SCENARIO(M3_two_events_of_one_host_must_not_come_to_the_same_name) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", message("a", "=one", "=1")) >> end("first"),
                boundary("ship", message("b", "=two", "=1")) >> end("second"));
  when.instance("order", R"({"one":"same","two":"same"})");
  then.records_of(kMessages, "");
  EXPECT_EQ(then.open_incidents(), 1U);
  given.sets_variables(given.element("order"), R"({"two":"other"})");
  when.resolves_incident();
  then.records_of({"E PROCESS_MESSAGE_SUBSCRIPTION CREATING"}, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING same elementId="a"
    E PROCESS_MESSAGE_SUBSCRIPTION CREATING other elementId="b"
  )");
}

SCENARIO(M6_M38_names_and_keys_match_byte_by_byte) {
  given.model("order.bpmn", one_catch());
  given.instance("order", R"({"order":"o-1"})");
  for (const auto& [name, key] : {std::pair{"Paid", "o-1"}, std::pair{"paid", "O-1"},
                                  std::pair{"paid", "o-1 "}, std::pair{"paid", ""}}) {
    when.publishes(name, key);
    then.records_of({"E"}, fmt::format("E MESSAGE PUBLISHED {0}\nE MESSAGE EXPIRED {0}", name));
  }
  given.publishes("paid", "o-1");
  then.all_done();
}

SCENARIO(M7_M10_R19_of_two_instances_the_one_that_waits_longest_takes_it) {
  given.model("order.bpmn", one_catch());
  const Key first = given.instance("order", R"({"order":"o-1"})");
  // Both versions count as the same process.
  given.process("order", start() >> catch_event(message("wait", "paid", "=order")) >> end("done"));
  const Key second = given.instance("order", R"({"order":"o-1"})");
  when.publishes("paid", "o-1");
  then.records_of({"E ELEMENT COMPLETED order"}, "E ELEMENT COMPLETED order");
  EXPECT_EQ(world.state().element_instances().find(first), nullptr);
  EXPECT_NE(world.state().element_instances().find(second), nullptr);
  given.publishes("paid", "o-1");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M8_every_process_takes_it) {
  given.model("a.bpmn", one_catch("a"));
  given.model("b.bpmn", one_catch("b"));
  given.instance("b", R"({"order":"o-1"})");
  given.instance("a", R"({"order":"o-1"})");
  when.publishes("paid", "o-1");
  then.records_of({"E MESSAGE_SUBSCRIPTION CORRELATING"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="a"
    E MESSAGE_SUBSCRIPTION CORRELATING paid bpmnProcessId="b"
  )");
  then.all_done();
}

SCENARIO(M9_two_branches_of_one_instance_take_one_message_each) {
  given.process("order",
                start() >> parallel_gateway("fork") >> catch_event(message("one", "paid", "=1")) >>
                    end("first"),
                from("fork") >> catch_event(message("two", "paid", "=1")) >> end("second"));
  given.instance("order");
  when.publishes("paid", "1");
  then.records_of({"E ELEMENT COMPLETED one", "E ELEMENT COMPLETED two"},
                  "E ELEMENT COMPLETED one");
  when.publishes("paid", "1");
  then.records_of({"E ELEMENT COMPLETED one", "E ELEMENT COMPLETED two"},
                  "E ELEMENT COMPLETED two");
  then.all_done();
}

SCENARIO(M10_M22_one_message_is_not_taken_twice_by_a_process) {
  given.process("order", start() >> catch_event(message("one", "paid", "=1")) >>
                             catch_event(message("two", "paid", "=1")) >> end());
  given.instance("order");
  when.publishes("paid", "1", {"", 1h});
  then.records_of({"E MESSAGE_SUBSCRIPTION"}, R"(
    E MESSAGE_SUBSCRIPTION CORRELATING paid elementId="one"
    E MESSAGE_SUBSCRIPTION CORRELATED paid elementId="one"
    E MESSAGE_SUBSCRIPTION CREATED paid elementId="two"
  )");
  given.publishes("paid", "1", {"", 1h});
  then.all_done();
}

SCENARIO(FM3_an_interrupting_boundary_event_ends_its_task) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", message("stop", "stopped", "=order")) >> end("expired"));
  given.instance("order", R"({"order":"o-1"})");
  when.publishes("stopped", "o-1", {R"({"why":"late"})"});
  then.records_of({"E PROCESS_MESSAGE", "E MESSAGE_SUBSCRIPTION", "E JOB", "E ELEMENT TERMINATED",
                   "E ELEMENT COMPLETED", "E VARIABLE", "R"},
                  R"(
    E MESSAGE_SUBSCRIPTION CORRELATING stopped
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED stopped
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    E VARIABLE CREATED why
    E MESSAGE_SUBSCRIPTION CORRELATED stopped
    E VARIABLE CREATED why
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(FM4_the_subscription_is_closed_with_its_host) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", message("stop", "stopped", "=order")) >> end("expired"));
  given.instance("order", R"({"order":"o-1"})");
  when.completes_job("courier");
  then.records_of(kMessages, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING stopped
    C MESSAGE_SUBSCRIPTION DELETE stopped
    E MESSAGE_SUBSCRIPTION DELETED stopped
    C PROCESS_MESSAGE_SUBSCRIPTION DELETE stopped
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED stopped
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M29_a_non_interrupting_boundary_event_takes_every_message) {
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                boundary("ship", message("ask", "asked", "=order"), non_interrupting()) >>
                    service_task("answer", job("clerk")) >> end("answered"));
  given.instance("order", R"({"order":"o-1"})");
  for (const char* question : {"1", "2", "3"}) {
    when.publishes("asked", "o-1", {fmt::format(R"({{"q":{}}})", question)});
    then.records_of({"E ELEMENT ACTIVATED", "E MESSAGE_SUBSCRIPTION"}, R"(
      E MESSAGE_SUBSCRIPTION CORRELATING asked interrupting=false
      E ELEMENT ACTIVATED ask
      E MESSAGE_SUBSCRIPTION CORRELATED asked
      E ELEMENT ACTIVATED answer
    )");
    EXPECT_EQ(then.variable(given.element("order"), "q"), question);
  }
  given.completes_job("courier");
  then.no_messages_left();
  for (int i = 0; i < 3; ++i) given.completes_job("clerk");
  then.all_done();
}

SCENARIO(M30_a_non_interrupting_event_subprocess_takes_what_is_buffered_in_order) {
  for (const char* n : {"1", "2", "3"}) {
    given.publishes("asked", "o-1", {fmt::format(R"({{"q":{}}})", n), 1h});
  }
  given.process("order", start() >> service_task("ship", job("courier")) >> end(),
                event_subprocess("questions", start(message("ask", "asked", "=order"),
                                                    non_interrupting(), output("=q", "last")) >>
                                                  end("answered")));
  when.instance("order", R"({"order":"o-1"})");
  then.records_of({"E VARIABLE"}, R"(
    E VARIABLE CREATED order
    E VARIABLE CREATED q value="1"
    E VARIABLE CREATED last value="1"
    E VARIABLE CREATED q value="2"
    E VARIABLE UPDATED last value="2"
    E VARIABLE CREATED q value="3"
    E VARIABLE UPDATED last value="3"
  )");
  then.records_of({"E ELEMENT COMPLETED questions"}, R"(
    E ELEMENT COMPLETED questions
    E ELEMENT COMPLETED questions
    E ELEMENT COMPLETED questions
  )");
  given.completes_job("courier");
  then.all_done();
}

SCENARIO(EV1_an_interrupting_message_event_subprocess_of_the_process) {
  given.process(
      "order", start() >> service_task("ship", job("courier")) >> end(),
      event_subprocess("stop", start(message("on_stop", "stopped", "=order")) >>
                                   service_task("clean", job("cleaner")) >> end("cleaned")));
  const Key instance = given.instance("order", R"({"order":"o-1"})");
  when.publishes("stopped", "o-1", {R"({"why":"late"})"});
  then.records(R"(
    C MESSAGE PUBLISH stopped
    E MESSAGE PUBLISHED stopped
    E MESSAGE_SUBSCRIPTION CORRELATING stopped
    C PROCESS_MESSAGE_SUBSCRIPTION CORRELATE stopped
    E MESSAGE EXPIRED stopped
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED stopped
    E PROCESS_EVENT TRIGGERING on_stop
    C PROCESS_INSTANCE_BATCH TERMINATE
    C MESSAGE_SUBSCRIPTION CORRELATE stopped
    C ELEMENT TERMINATE ship
    E PROCESS_INSTANCE_BATCH TERMINATED
    E MESSAGE_SUBSCRIPTION CORRELATED stopped
    E ELEMENT TERMINATING ship
    E JOB CANCELED courier
    E ELEMENT TERMINATED ship
    C ELEMENT ACTIVATE stop
    E ELEMENT ACTIVATING stop
    E ELEMENT ACTIVATED stop
    C ELEMENT ACTIVATE on_stop
    E ELEMENT ACTIVATING on_stop
    E ELEMENT ACTIVATED on_stop
    C ELEMENT COMPLETE on_stop
    E ELEMENT COMPLETING on_stop
    E PROCESS_EVENT TRIGGERED on_stop
    ...
    E ELEMENT ACTIVATED clean
  )");
  EXPECT_EQ(then.variable(instance, "why"), "\"late\"");
  given.completes_job("cleaner");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M31_an_interrupting_event_subprocess_closes_the_others_and_not_the_boundary_event) {
  given.process(
      "order",
      start() >>
          subprocess(
              "work", start("begin") >> service_task("ship", job("courier")) >> end("shipped"),
              event_subprocess("stop", start(message("on_stop", "stopped", "=1")) >>
                                           service_task("clean", job("cleaner")) >> end("cleaned")),
              event_subprocess("ask", start(message("on_ask", "asked", "=1"), non_interrupting()) >>
                                          end("answered"))) >>
          end(),
      boundary("work", message("on_kill", "killed", "=1")) >> end("dead"));
  given.instance("order");
  when.publishes("stopped", "1");
  then.records_of({"E PROCESS_MESSAGE", "E ELEMENT TERMINATED", "E ELEMENT ACTIVATED"}, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED stopped
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING asked
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED asked
    E ELEMENT TERMINATED ship
    E ELEMENT ACTIVATED stop
    E ELEMENT ACTIVATED on_stop
    E ELEMENT ACTIVATED clean
  )");
  EXPECT_EQ(world.state().message_subscriptions().count(), 1U);
  when.publishes("killed", "1");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED on_kill
    E ELEMENT COMPLETED dead
    E ELEMENT COMPLETED order
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M32_a_receive_task_and_its_boundary_events) {
  given.process("order",
                start() >> receive_task(message("wait", "paid", "=1"), input("=5", "local"),
                                        output("=amount", "got")) >>
                    end("done"),
                boundary("wait", message("a", "msg1", "=1")) >> end("first"),
                boundary("wait", message("b", "msg2", "=1")) >> end("second"));
  struct Row {
    const char* name;
    const char* end;
  };
  for (const Row& row : {Row{"paid", "done"}, Row{"msg1", "first"}, Row{"msg2", "second"}}) {
    given.instance("order");
    when.publishes(row.name, "1", {R"({"amount":3})"});
    then.records_of({"E ELEMENT ACTIVATED"},
                    row.end == std::string{"done"}
                        ? fmt::format("E ELEMENT ACTIVATED {}", row.end)
                        : fmt::format("...\nE ELEMENT ACTIVATED {}", row.end));
    then.all_done();
    then.no_messages_left();
  }
}

SCENARIO(M32_of_the_task_and_its_boundary_event_the_first_message_wins) {
  given.process("order", start() >> receive_task(message("wait", "paid", "=1")) >> end("done"),
                boundary("wait", message("stop", "stopped", "=1")) >> end("expired"));
  given.publishes("paid", "1", {"", 1h});
  given.publishes("stopped", "1", {"", 1h});
  when.instance("order");
  then.records_of(
      {"E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED", "R", "E MESSAGE_SUBSCRIPTION REJECTED",
       "E ELEMENT COMPLETED done", "E ELEMENT COMPLETED expired"},
      R"(
    E PROCESS_MESSAGE_SUBSCRIPTION CORRELATED paid
    R PROCESS_MESSAGE_SUBSCRIPTION CORRELATE stopped rejection=INVALID_STATE
    E MESSAGE_SUBSCRIPTION REJECTED stopped
    R MESSAGE_SUBSCRIPTION DELETE stopped rejection=NOT_FOUND
    E ELEMENT COMPLETED done
  )");
  then.all_done();
  // The rejected message is free for the next subscription.
  given.process("other", start() >> catch_event(message("wait2", "stopped", "=1")) >> end());
  given.instance("other");
  then.all_done();
}

SCENARIO(M33_an_event_based_gateway_with_a_message_and_a_timer) {
  const auto gateway = [&] {
    given.process("order",
                  start() >> event_based_gateway("wait") >>
                      catch_event(message("paid", "paid", "=1"), output("=amount", "got")) >>
                      service_task("ship", job("courier")) >> end("first"),
                  from("wait") >> catch_event(timer("late", 1h)) >> end("second"));
  };
  gateway();
  given.instance("order");
  when.publishes("paid", "1", {R"({"amount":3})"});
  then.records_of({"E TIMER", "E ELEMENT COMPLETED", "E VARIABLE"}, R"(
    E TIMER CANCELED late
    E ELEMENT COMPLETED wait
    E VARIABLE CREATED amount
    E VARIABLE CREATED got
    E ELEMENT COMPLETED paid
  )");
  EXPECT_EQ(then.variable(given.element("order"), "amount"), "absent");
  EXPECT_EQ(then.variable(given.element("order"), "got"), "3");
  given.completes_job("courier");
  then.all_done();
  given.instance("order");
  when.time_passes(1h);
  then.records_of({"E PROCESS_MESSAGE", "E MESSAGE"}, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING paid
    E MESSAGE_SUBSCRIPTION DELETED paid
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED paid
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(M34_variables_are_merged_unless_they_are_mapped) {
  given.process("merged", start() >> catch_event(message("wait", "paid", "=1")) >>
                              service_task("ship", job("courier")) >> end());
  given.process("mapped", start() >>
                              catch_event(message("wait", "sent", "=1"), output("=a + 1", "b")) >>
                              service_task("ship", job("courier")) >> end());
  const Key merged = given.instance("merged", R"({"a":0})");
  const Key mapped = given.instance("mapped", R"({"a":0})");
  given.publishes("paid", "1", {R"({"a":1,"c":null})"});
  given.publishes("sent", "1", {R"({"a":1,"c":null})"});
  EXPECT_EQ(then.variable(merged, "a"), "1");
  EXPECT_EQ(then.variable(merged, "c"), "null");
  EXPECT_EQ(then.variable(mapped, "a"), "0");
  EXPECT_EQ(then.variable(mapped, "b"), "2");
  EXPECT_EQ(then.variable(mapped, "c"), "absent");
}

SCENARIO(M35_what_is_local_to_the_host_is_no_part_of_the_key) {
  given.process(
      "order", start() >> service_task("ship", job("courier"), input("=\"x\"", "local")) >> end(),
      boundary("ship", message("stop", "=\"stop-\" + local", "=order")) >> end("expired"));
  given.process("other",
                start() >> service_task("ship", job("courier"), input("=\"x\"", "local")) >> end(),
                boundary("ship", message("stop", "stopped", "=local")) >> end("expired"));
  when.instance("order", R"({"order":"o-1"})");
  then.records_of({"E PROCESS_MESSAGE_SUBSCRIPTION CREATING"},
                  R"(E PROCESS_MESSAGE_SUBSCRIPTION CREATING stop-x correlationKey="o-1")");
  when.instance("other");
  EXPECT_EQ(then.open_incidents(), 1U);
}

SCENARIO(FM12_a_variable_that_changes_does_not_move_a_subscription) {
  given.model("order.bpmn", one_catch());
  const Key instance = given.instance("order", R"({"order":"o-1"})");
  given.sets_variables(instance, R"({"order":"o-2"})");
  when.publishes("paid", "o-2");
  then.records_of({"E MESSAGE_SUBSCRIPTION"}, "");
  when.cancels(instance);
  then.records_of(kMessages, R"(
    E PROCESS_MESSAGE_SUBSCRIPTION DELETING paid correlationKey="o-1"
    C MESSAGE_SUBSCRIPTION DELETE paid
    E MESSAGE_SUBSCRIPTION DELETED paid correlationKey="o-1"
    C PROCESS_MESSAGE_SUBSCRIPTION DELETE paid
    E PROCESS_MESSAGE_SUBSCRIPTION DELETED paid
  )");
  then.all_done();
  then.no_messages_left();
}

SCENARIO(Z13_a_failing_output_mapping_does_not_take_the_message_again) {
  given.process("order", start() >> catch_event(message("wait", "paid", "=1"),
                                                output("=assert(x, x != null)", "y")) >>
                             end());
  given.instance("order");
  given.publishes("paid", "1", {R"({"a":1})"});
  EXPECT_EQ(then.open_incidents(), 1U);
  given.sets_variables(given.element("order"), R"({"x":1})");
  when.resolves_incident();
  then.records_of({"E MESSAGE", "E PROCESS_MESSAGE", "E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED wait
    E ELEMENT COMPLETED end
    E ELEMENT COMPLETED order
  )");
  then.all_done();
}

SCENARIO(M40_without_a_key_the_longest_waiting_takes_messages_without_key) {
  given.process("order", start() >> catch_event(message("wait", "paid")) >> end());
  const Key first = given.instance("order");
  given.instance("order");
  when.publishes("paid", "o-1");
  then.records_of({"E MESSAGE_SUBSCRIPTION"}, "");
  given.publishes("paid");
  EXPECT_EQ(world.state().element_instances().find(first), nullptr);
  given.publishes("paid");
  then.all_done();
}

SCENARIO(a_multi_instance_receive_task_waits_in_each_of_its_instances) {
  given.process("order",
                start() >> receive_task(message("wait", "paid", "=item"),
                                        multi_instance({.input_collection = "=[1, 2, 3]",
                                                        .input_element = "item"})) >>
                    end(),
                boundary("wait", message("stop", "stopped", "=1")) >> end("expired"));
  given.instance("order");
  for (const char* item : {"2", "1"}) {
    when.publishes("paid", item);
    then.records_of({"E ELEMENT COMPLETED"}, "E ELEMENT COMPLETED wait");
  }
  given.publishes("paid", "3");
  then.all_done();
  then.no_messages_left();
  given.instance("order");
  when.publishes("stopped", "1");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED stop
    E ELEMENT COMPLETED expired
    E ELEMENT COMPLETED order
  )");
  then.no_messages_left();
}

SCENARIO(MS21_throw_and_end_events_are_jobs) {
  given.process("order", start() >> throw_event(message("send", "sent"), job("mail")) >>
                             end(message("last", "sent"), job("mail")));
  when.instance("order");
  then.records_of({"E JOB"}, R"(E JOB CREATED mail elementType=INTERMEDIATE_THROW_EVENT)");
  when.completes_job("mail");
  then.records_of({"E JOB"}, R"(
    E JOB COMPLETED mail
    E JOB CREATED mail elementType=END_EVENT
  )");
  given.completes_job("mail");
  then.all_done();
}

SCENARIO(deployment_errors_of_messages) {
  const auto refused = [&](const char* situation, const Model& model, std::string_view reason) {
    return Refusal{situation,
                   [&given = given, model] {
                     given.submits(record::DeploymentIntent::Create, Key{}, [&] {
                       record::DeploymentRecord deployment;
                       deployment.resources.push_back({"order.bpmn", model.to_xml()});
                       return deployment;
                     }());
                   },
                   RejectionType::InvalidArgument, reason};
  };
  then.refused({
      refused("no name", process("order", start() >> catch_event(message("wait", "", "=1"))),
              "must reference a message with a name"),
      refused("start name uses a variable", process("order", start(message("begin", "=name"))),
              "must have a constant expression as message name"),
      refused("two boundary events",
              process("order", start() >> task("ship"),
                      boundary("ship", message("a", "m", "=1")) >> end(),
                      boundary("ship", message("b", "m", "=1")) >> end()),
              "must have another message name"),
      refused(
          "two start events",
          process("order", start(message("a", "m")) >> end(), start(message("b", "m")) >> end()),
          "must have another message name"),
  });
}

}  // namespace
}  // namespace beeline::testing
