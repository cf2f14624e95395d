#include "tests/golden/journeys.h"

#include <vector>

#include "base/check.h"
#include "tests/support/decision_files.h"

namespace beeline::testing {
namespace {

using record::ProcessInstanceCreationRecord;

ProcessInstanceCreationRecord creation_of(std::string id, std::string name, std::string json) {
  ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = std::move(id);
  creation.variables.entries.push_back({std::move(name), std::move(json)});
  return creation;
}

void jobs(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("order", start() >> service_task("ship", job("courier", 3), header("by", "air"),
                                              input("=order", "id"), output("=parcel", "parcel")) >>
                          end("shipped"));
  const Key instance = on.instance("order", R"({"order":1})");
  on.activates_jobs("courier");
  on.updates_timeout("courier", 30s);
  on.yields("courier");
  on.updates_retries("courier", 5);
  on.activates_jobs("courier", 1, 1s);
  cluster.pass(1s);
  on.fails_job("courier", 2, "the road is closed", 10s, R"({"detour":true})");
  cluster.pass(10s);
  on.sets_variables(instance, R"({"order":2,"urgent":true})");
  on.completes_job("courier", R"({"parcel":"p-1"})");

  ProcessInstanceCreationRecord creation = creation_of("order", "order", "7");
  creation.tags = {"gold"};
  on.creates(creation, true);
  on.completes_job("courier", R"({"parcel":"p-2"})");
  on.instance("order", R"({"order":8})");
  on.activates_jobs("courier", 1, 5min);
  creation.tags = {"silver", "slow"};
  on.creates(creation, true);
}

void timers(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process(
      "late",
      start() >> service_task("ship", job("courier")) >> catch_event(timer("rest", 1h)) >>
          end("shipped"),
      boundary("ship", timer("expired", 10min)) >> end("given_up"),
      boundary("ship", timer_cycle("remind", "R3/PT1M"), non_interrupting()) >> end("reminded"));
  on.process("nightly", start(timer_cycle("tick", "R2/PT30S")) >> task("sweep") >> end());
  on.process("once", start(timer_date("then", "2023-11-14T22:15:00Z")) >> end());
  on.process(
      "first",
      start() >> event_based_gateway("which") >> catch_event(timer("soon", 2min)) >> end("a"),
      from("which") >> catch_event(timer("later", 20min)) >> end("b"));
  on.instance("late");
  on.instance("first");
  on.instance("late");
  cluster.pass(90s);
  on.completes_job("courier");
  cluster.pass(10min);
  on.instance("late");
  // A new version removes the timer of the version before.
  on.process("nightly", start(timer_cycle("tick", "R5/PT1H")) >> end());
}

void scopes(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("child", start("c_start") >> service_task("work", job("work")) >> end("c_end"));
  on.process("parent",
             start() >> parallel_gateway("fork") >> call_activity("call", "child") >>
                 inclusive_gateway("join") >> end("done"),
             from("fork") >> service_task("each", job("each"),
                                          multi_instance({.input_collection = "items",
                                                          .input_element = "item",
                                                          .output_collection = "results",
                                                          .output_element = "result"})) >>
                 to("join"),
             boundary("call", error("failed", "42")) >> end("sorry"));
  on.process("serial",
             start() >> script_task("one", script("1 + 1", "two"),
                                    multi_instance({.input_collection = "[1,2,3]",
                                                    .input_element = "item",
                                                    .sequential = true})) >>
                 exclusive_gateway("big") >> condition("two > 1") >> task("yes") >>
                 end(terminate("over")),
             from("big") >> default_flow() >> task("no") >> end("not_over"));
  on.process(
      "guarded",
      start() >>
          subprocess("pack", start("p_start") >> service_task("wrap", job("wrap")) >> end("p_end"),
                     event_subprocess("hurry", start(timer("soon", 1min), non_interrupting()) >>
                                                   service_task("call_them", job("call")) >>
                                                   end("called")),
                     event_subprocess("stop", start(timer("late", 5min)) >>
                                                  service_task("clean", job("clean")) >>
                                                  end("stopped"))) >>
          end("packed"),
      event_subprocess("broken",
                       start(error("any")) >> service_task("fix", job("fix")) >> end("fixed")));
  const Key first = on.instance("parent", R"({"items":[10,20]})");
  on.completes_job("each", R"({"result":"a"})");
  on.completes_job("each", R"({"result":"b"})");
  on.completes_job("work", R"({"x":1})");
  on.instance("parent", R"({"items":[]})");
  on.throws_error("work", "42", "it broke", R"({"why":"no"})");
  on.instance("serial");
  on.instance("guarded");
  cluster.pass(1min);
  on.completes_job("call");
  cluster.pass(4min);
  on.instance("guarded");
  on.throws_error("wrap", "7");
  // The instance is terminated with children in several states.
  const Key ended = on.instance("parent", R"({"items":[1,2,3]})");
  on.cancels(ended);
  on.instance("parent", R"({"items":[5,6]})");
  on.instance("guarded");
  EXPECT_NE(first, ended);
}

void incidents(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("risky", start() >> service_task("ship", job("courier", 1),
                                              input("=assert(order, order != null)", "id")) >>
                          exclusive_gateway("big") >> condition("total > 10") >> end("big_end"));
  const Key instance = on.instance("risky");
  on.sets_variables(instance, R"({"order":{"id":1}})");
  on.resolves_incident();
  on.fails_job("courier", 0, "no fuel");
  on.updates_retries("courier", 1);
  on.resolves_incident();
  on.completes_job("courier");
  on.sets_variables(instance, R"({"total":11})");
  on.resolves_incident();
  on.instance("risky", R"({"order":{"id":2}})");
  on.fails_job("courier", 0, "no driver");
  on.instance("risky", R"({"order":{"id":3}})");
  on.throws_error("courier", "unknown");
  on.instance("risky");
}

void decisions(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.deploys(
      {{"price.dmn",
        decisions_file("pricing", table_decision("discount", "UNIQUE", "total",
                                                 {{"< 10", "0"}, {"[10..100]", "5"}}) +
                                      literal_decision("checked", "assert(total, total < 1000)") +
                                      literal_decision("price", "total - discount",
                                                       {.requires_decisions = {"discount"}}))}});
  on.process("sale", start() >> business_rule_task("rule", called_decision("price", "price")) >>
                         service_task("pay", job("pay")) >> end());
  on.instance("sale", R"({"total":50})");
  on.instance("sale", R"({"total":"many"})");
  record::DecisionEvaluationRecord evaluation;
  evaluation.decision_id = "discount";
  evaluation.variables.entries.push_back({"total", "5"});
  on.submits(record::DecisionEvaluationIntent::Evaluate, Key{}, evaluation);
  evaluation.decision_id = "checked";
  evaluation.variables.entries.front().value = "5000";
  on.submits(record::DecisionEvaluationIntent::Evaluate, Key{}, evaluation);
}

Model waiting_for(const std::string& id, const std::string& name) {
  return process(id, start() >> catch_event(message("wait", name, "=order")) >>
                         service_task("after", job("after")) >> end());
}

// With two partitions, "a" belongs to the second and "123" to the first.
void messages(Cluster& cluster) {
  Actions one = cluster.given(1);
  Actions two = cluster.given(2);
  // The deployment is answered when all partitions have it.
  Actions deploying = cluster.when(1);
  deploying.model("order.bpmn", waiting_for("order", "paid"));
  deploying.process("begun",
                    start(message("begin", "begun")) >> service_task("work", job("work")) >> end());
  deploying.process(
      "asked", start() >> service_task("ship", job("courier")) >> end(),
      boundary("ship", message("ask", "asked", "=order"), non_interrupting()) >> end("answered"),
      boundary("ship", message("stop", "stopped", "=order")) >> end("given_up"));
  cluster.settle();
  // Subscriptions before and after the publication, on the same and on another partition.
  one.instance("order", R"({"order":"a"})");
  one.instance("order", R"({"order":"123"})");
  cluster.deliver();
  two.publishes("paid", "a", {R"({"sum":1})", 1h, "id-1"});
  one.publishes("paid", "123", {R"({"sum":2})"});
  cluster.deliver();
  two.publishes("paid", "a", {R"({"sum":3})", 2h});
  one.instance("order", R"({"order":"a"})");
  cluster.deliver();
  // Start events, and the lock of a correlation key.
  two.publishes("begun", "a", {R"({"n":1})", 1h});
  two.publishes("begun", "a", {R"({"n":2})", 1h});
  cluster.given(2).completes_job("work");
  // Reusable and interrupting subscriptions.
  one.instance("asked", R"({"order":"a"})");
  cluster.deliver();
  two.publishes("asked", "a", {R"({"q":1})", 1h});
  two.publishes("asked", "a", {R"({"q":2})", 1h});
  cluster.deliver();
  two.correlates("stopped", "a", R"({"why":"late"})");
  cluster.deliver();
  // The instance is gone before its message arrives: the sender gets the answer that nobody
  // received it.
  const Key gone = one.instance("order", R"({"order":"a"})");
  cluster.deliver();
  two.correlates("paid", "a", R"({"sum":4})");
  one.cancels(gone);
  cluster.settle();
  // Again the instance is gone before its message arrives; here the instance's side reports it.
  bool is_lost = false;
  cluster.lose([&](const Parcel& parcel) {
    if (is_lost || !parcel.is("MESSAGE_SUBSCRIPTION DELETE")) return false;
    return is_lost = true;
  });
  const Key too_late = one.instance("order", R"({"order":"a"})");
  cluster.deliver();
  two.correlates("paid", "a", R"({"sum":5})");
  one.cancels(too_late);
  cluster.settle();
  // The command is lost on the way and sent again.
  is_lost = false;
  cluster.lose([&](const Parcel& parcel) {
    if (is_lost || !parcel.is("PROCESS_MESSAGE_SUBSCRIPTION CORRELATE")) return false;
    return is_lost = true;
  });
  one.instance("order", R"({"order":"a"})");
  cluster.deliver();
  two.publishes("paid", "a", {"", 1h});
  cluster.settle();
  cluster.lose({});
  // Expired messages are removed.
  two.publishes("nobody", "a", {R"({"left":1})", 10s});
  cluster.pass(2min);
  // This remains at the end: waiting instances on both sides, and messages for later.
  one.instance("order", R"({"order":"a"})");
  one.instance("asked", R"({"order":"123"})");
  cluster.deliver();
  two.publishes("later", "a", {R"({"kept":true})", 24h, "id-2"});
  // A version without the start event removes its subscription.
  deploying.process("begun", start() >> end());
  cluster.settle();
  // One correlation is not finished.
  two.publishes("paid", "a", {R"({"sum":5})", 1h});
}

void distribution(Cluster& cluster) {
  bool is_lost = true;
  cluster.lose([&](const Parcel& parcel) {
    return is_lost && parcel.is("DEPLOYMENT CREATE") && parcel.command.to == PartitionId{3};
  });
  Actions one = cluster.when(1);  // answered when all partitions have it, or after five seconds
  one.process("first", start() >> service_task("work", job("work")) >> end());
  one.deploys({{"second.bpmn", process("second", start() >> end()).to_xml()},
               {"rule.dmn", decisions_file("rules", literal_decision("rule", "1 + 1"))}});
  cluster.pass(6s);
  is_lost = false;
  cluster.settle();
  for (std::int32_t partition = 1; partition <= 3; ++partition) {
    cluster.given(partition).instance("first");
  }
  // This deployment is not acknowledged by all partitions when the journey ends.
  is_lost = true;
  one.process("third", start() >> end());
  cluster.pass(6s);
}

// The consequences of a bug: a command that fails is undone, and its instance is banned.
void bans(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("order", start() >> service_task("ship", job("courier")) >> end());
  on.instance("order");
  const Key banned = on.instance("order");
  on.submits(record::ProcessInstanceIntent::TerminateElement, on.element("ship"),
             record::ProcessInstanceRecord{});
  on.sets_variables(banned, R"({"x":1})");
}

engine::EngineOptions failing_once() {
  engine::EngineOptions options;
  options.before_command = [done = false](const record::Metadata& command) mutable {
    constexpr auto kBroken = record::ProcessInstanceIntent::TerminateElement;
    if (done || command.value_type != record::ValueType::ProcessInstance ||
        command.intent != static_cast<record::IntentNumber>(kBroken)) {
      return;
    }
    done = true;
    throw InvariantError("a bug that a journey plays");
  };
  return options;
}

// Versions that are deleted at once, and one that waits for an instance on the other partition.
void deletions(Cluster& cluster) {
  Actions on = cluster.when(1);
  const auto version = [&](const std::string& name) {
    on.deploys({{"order.bpmn", process("order",
                                       start(message("placed", name)) >>
                                           service_task("ship", job("courier")) >> end("shipped"),
                                       start(timer_cycle("daily", "R/P1D")) >> end("counted"))
                                   .to_xml()}});
    cluster.deliver();
  };
  version("one");
  version("two");
  const Key second = on.definition("order");
  version("three");
  on.deletes(on.definition("order"));
  cluster.deliver();
  cluster.when(2).publishes("two", "a");
  on.deletes(second);
  cluster.deliver();
  cluster.when(2).completes_job("courier");
  cluster.deliver();
  version("four");
  on.deploys({{"rule.dmn", decisions_file("rules", literal_decision("rule", "1 + 1"))}});
  cluster.deliver();
  on.deletes(cluster.then(1).answer<record::DeploymentRecord>().requirements.front().key);
  cluster.settle();
  // One that waits until the end.
  cluster.when(2).publishes("four", "a");
  on.deletes(on.definition("order"));
  cluster.settle();
}

void escalations(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("child", start("c_start") >> throw_event(escalation("late", "slow")) >>
                          service_task("work", job("work")) >> end(escalation("lost", "gone")));
  on.process("parent", start() >> call_activity("call", "child") >> end("done"),
             boundary("call", escalation("told", "slow"), non_interrupting()) >> end("hurry"));
  on.process("strict", start() >> call_activity("call", "child") >> end("done"),
             event_subprocess("stop", start(escalation("any")) >> service_task("ask", job("ask")) >>
                                          end("stopped")));
  on.instance("parent");
  on.completes_job("work");
  on.instance("strict");
  on.instance("parent");
}

// Complex gateways and standard loops.
void rounds(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("meet",
             start() >> parallel_gateway("fork") >> service_task("a", job("a")) >>
                 complex_gateway("join", activation_condition("activationCount >= least")) >>
                 service_task("work", job("work")) >> end(),
             from("fork") >> service_task("b", job("b")) >> to("join"),
             from("fork") >> service_task("c", job("c")) >> exclusive_gateway("way") >>
                 default_flow() >> to("join"),
             from("way") >> condition("lost = true") >> end("lost_end"));
  on.instance("meet", R"({"least":2})");
  on.completes_job("a");
  on.completes_job("b");
  on.completes_job("c");
  on.completes_job("work");
  // The third token is lost, before and after the gateway fires.
  on.instance("meet", R"({"least":2})");
  on.completes_job("c", R"({"lost":true})");
  on.completes_job("b");
  on.completes_job("a");
  on.instance("meet", R"({"least":1})");
  on.completes_job("b");
  on.completes_job("a");
  on.completes_job("c", R"({"lost":true})");
  // The condition fails; then its tokens wait again.
  const Key failed = on.instance("meet");
  on.completes_job("c");
  on.sets_variables(failed, R"({"least":3})");
  on.resolves_incident();
  on.completes_job("b");
  on.completes_job("a");
  // A gateway that is spent at the end.
  on.instance("meet", R"({"least":1})");
  on.completes_job("b");

  on.process("loop",
             start() >> service_task("each", job("each"),
                                     standard_loop({.condition = "again", .maximum = "=most"})) >>
                 task("two", standard_loop({.condition = "loopCounter < 2"})) >> end(),
             boundary("each", timer("late", 1h)) >> end("expired"));
  on.instance("loop", R"({"most":3})");
  on.completes_job("each", R"({"again":true})");
  on.completes_job("each", R"({"again":false})");
  on.instance("loop", R"({"most":0})");
  on.instance("loop", R"({"most":5})");
  on.completes_job("each", R"({"again":true})");
  cluster.pass(1h);
  on.instance("loop", R"({"most":5})");
  on.completes_job("each", R"({"again":true})");
}

void instructions(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("order",
             start() >> service_task("pack", job("pack")) >>
                 subprocess("send",
                            start("s_start") >> parallel_gateway("fork") >>
                                service_task("ship", job("courier")) >> parallel_gateway("join") >>
                                end("s_end"),
                            from("fork") >> task("bill") >> to("join")) >>
                 end("done"),
             boundary("send", timer("late", 1h)) >> end("lost"));
  ProcessInstanceCreationRecord creation = creation_of("order", "order", "1");
  creation.start_instructions = {{"ship"}, {"join"}, {"bill"}};
  creation.runtime_instructions = {
      {record::RuntimeInstructionType::TerminateProcessInstance, "lost"}};
  on.creates(creation);
  on.completes_job("courier");
  creation.start_instructions = {{"pack"}};
  creation.runtime_instructions = {
      {record::RuntimeInstructionType::TerminateProcessInstance, "ship"},
      {record::RuntimeInstructionType::TerminateProcessInstance, "pack"}};
  on.creates(creation);
  on.completes_job("pack");
  creation.start_instructions = {{"ship"}};
  on.creates(creation);
}

void compensations(Cluster& cluster) {
  Actions on = cluster.given(1);
  const auto undone = [](const std::string& activity) {
    return std::vector<Item>{boundary(activity, compensation(activity + "_undone")),
                             service_task("undo_" + activity, job("undo"), for_compensation()),
                             association(activity + "_undone", "undo_" + activity)};
  };
  std::vector<Item> inner = undone("flight");
  inner.emplace_back(start("s_start") >> task("flight") >> end("s_end"));
  std::vector<Item> items = undone("hotel");
  items.emplace_back(start() >> task("hotel") >> node("bpmn:subProcess", "travel", inner) >>
                     service_task("pay", job("pay")) >> end("paid"));
  items.emplace_back(boundary("pay", error("poor", "402")) >> throw_event(compensation("undo")) >>
                     end("undone"));
  on.deploys({{"trip.bpmn", Model({Node{"bpmn:process", "trip", std::move(items)}}).to_xml()}});
  on.instance("trip");
  on.completes_job("pay");
  on.instance("trip");
  on.throws_error("pay", "402");
  on.completes_job("undo");
  on.completes_job("undo");
  on.instance("trip");
  on.throws_error("pay", "402");
  on.completes_job("undo");
  on.instance("trip");
}

// A transaction with an active subprocess is canceled; handlers run, and one of them is left.
void transactions(Cluster& cluster) {
  Actions on = cluster.given(1);
  const auto undone = [](const std::string& activity) {
    return std::vector<Item>{boundary(activity, compensation(activity + "_undone")),
                             service_task("undo_" + activity, job("undo"), for_compensation()),
                             association(activity + "_undone", "undo_" + activity)};
  };
  std::vector<Item> sub = undone("hotel");
  sub.emplace_back(start("s_start") >> task("hotel") >> service_task("wait", job("wait")) >>
                   end("s_end"));
  std::vector<Item> items = undone("flight");
  items.emplace_back(start("wanted") >> task("flight") >> parallel_gateway("fork") >>
                     node("bpmn:subProcess", "stay", std::move(sub)) >> end("booked"));
  items.emplace_back(from("fork") >> service_task("pay", job("pay")) >> end(cancel("poor")));
  on.process("trip", start() >> node("bpmn:transaction", "travel", std::move(items)) >> end(),
             boundary("travel", cancel("refused")) >> end("undone"));
  on.instance("trip");
  on.completes_job("pay");
  on.completes_job("undo");
  on.completes_job("undo");
  on.instance("trip");
  on.completes_job("pay");
  on.completes_job("undo");
  on.instance("trip");
}

// Small batches: commands that are on the log before they are processed, some of them to the end.
void batches(Cluster& cluster) {
  Actions on = cluster.given(1);
  on.process("order", start() >> task("a") >> task("b") >> service_task("ship", job("courier")) >>
                          task("c") >> end());
  const Key instance = on.instance("order");
  on.appends([&] {
    on.completes_job("courier");
    on.submits(record::ProcessInstanceIntent::Cancel, instance, record::ProcessInstanceRecord{});
  });
  on.instance("order");
}

engine::EngineOptions small_batches() {
  engine::EngineOptions options;
  options.batch_commands_max = 1;
  return options;
}

// A message with more receivers than one step serves, and one that starts an instance by a command
// of its own once its key is free.
void receivers(Cluster& cluster) {
  Actions on = cluster.given(1);
  const std::string payload = R"({"payload":")" + std::string(700, 'x') + "\"}";
  for (const std::string id : {"a", "b", "c"}) {
    on.process(id, start() >> catch_event(message("wait", "paid", "=order")) >> end());
    on.instance(id, R"({"order":"o-1"})");
  }
  on.correlates("paid", "o-1", payload);
  on.process("begun",
             start(message("begin", "begin")) >> service_task("ship", job("courier")) >> end());
  on.publishes("begin", "o-1", {payload, 1h});
  on.publishes("begin", "o-1", {payload, 1h});
  on.completes_job("courier");
}

// Signals for all kinds of receivers on two partitions, more of them than one step serves.
void signals(Cluster& cluster) {
  Actions one = cluster.when(1);
  one.deploys(
      {{"waits.bpmn",
        process("waits", start() >> catch_event(signal("wait", "go")) >> end()).to_xml()},
       {"begins.bpmn", process("begins", start(signal("begun", "go")) >>
                                             service_task("ship", job("courier")) >> end())
                           .to_xml()},
       {"guarded.bpmn",
        process("guarded", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", signal("note", "go"), non_interrupting()) >> end("noted"),
                boundary("ship", signal("stop", "halt")) >> end("stopped"),
                event_subprocess("over", start(signal("alarm", "alarm")) >> end("left")))
            .to_xml()},
       {"throws.bpmn",
        process("throws", start() >> throw_event(signal("shout", "go"), input("=1", "x")) >>
                              end(signal("last", "halt")))
            .to_xml()}});
  cluster.settle();
  for (const std::int32_t partition : {1, 2}) {
    for (int i = 0; i < 3; ++i) cluster.given(partition).instance("waits");
    cluster.given(partition).instance("guarded");
  }
  cluster.when(2).broadcasts("go", R"({"sum":5})");
  cluster.settle();
  cluster.given(1).instance("waits");
  cluster.given(2).instance("throws");
  cluster.settle();
  cluster.given(1).instance("guarded");
  cluster.when(1).signals("alarm");
  cluster.settle();
  // A new version closes the start event of the version before.
  one.deploys(
      {{"begins.bpmn", process("begins", start(signal("begun", "other")) >> end()).to_xml()}});
  cluster.settle();
  for (const std::int32_t partition : {1, 2}) {
    for (int i = 0; i < 4; ++i) cluster.given(partition).instance("waits");
  }
  // The other partition does not hear of this signal until the journey ends.
  cluster.lose([](const Parcel& parcel) { return parcel.is("SIGNAL BROADCAST"); });
  one.broadcasts("go", R"({"sum":6})");
  cluster.pass(6s);
}

// A signal whose broadcast takes several steps, and nothing else that could make another moment of
// the journey the one of its checkpoint.
void broadcast(Cluster& cluster) {
  Actions one = cluster.when(1);
  one.deploys({{"waits.bpmn",
                process("waits", start() >> catch_event(signal("wait", "go")) >> end()).to_xml()}});
  for (int i = 0; i < 5; ++i) cluster.given(1).instance("waits");
  one.broadcasts("go", R"({"sum":5})");
}

// Conditions in all positions on two partitions, one of which takes a command of its own.
void conditions(Cluster& cluster) {
  Actions one = cluster.when(1);
  one.deploys(
      {{"begins.bpmn", process("begins", start(conditional("begun", "=x > 5")) >>
                                             service_task("ship", job("courier")) >> end())
                           .to_xml()},
       {"guarded.bpmn",
        process("guarded", start() >> service_task("ship", job("courier")) >> end("shipped"),
                boundary("ship", conditional("note", "=x > 1", "update"), non_interrupting()) >>
                    end("noted"),
                boundary("ship", conditional("stop", "=x > 5")) >> end("stopped"),
                event_subprocess("over", start(conditional("alarm", "=alarm")) >> end("left")))
            .to_xml()},
       {"waits.bpmn",
        process("waits",
                start() >> event_based_gateway("gate") >>
                    catch_event(
                        conditional("slow", "=x > 5 and every i in 1..2000000 satisfies true")) >>
                    end(),
                from("gate") >> catch_event(conditional("never", "=y > 5")) >> end("e"))
            .to_xml()}});
  cluster.settle();
  for (const std::int32_t partition : {1, 2}) {
    Actions on = cluster.when(partition);
    record::ConditionalEvaluationRecord evaluation;
    evaluation.variables.entries = {{"x", std::to_string(5 * partition)}};
    on.submits(record::ConditionalEvaluationIntent::Evaluate, Key{}, evaluation);
    for (const char* variables : {R"({"x":2})", R"({"x":3})", R"({"x":6})"}) {
      const Key instance = on.instance("guarded");
      on.sets_variables(instance, R"({"x":1})");
      on.sets_variables(instance, variables);
    }
    on.sets_variables(on.instance("guarded"), R"({"alarm":true})");
    on.sets_variables(on.instance("waits"), R"({"x":6})");
    on.instance("waits");
  }
  // A new version closes the start event of the version before.
  one.deploys({{"begins.bpmn",
                process("begins", start(conditional("begun", "=x > 50")) >> end()).to_xml()}});
  cluster.settle();
}

// Events with several definitions: the first one, all of them, and several that are thrown. One
// event has collected a part when the journey ends.
void several(Cluster& cluster) {
  Actions one = cluster.when(1);
  one.deploys(
      {{"first.bpmn",
        process("first", start(multiple("begin", {message("m", "paid"), signal("s", "begin"),
                                                  timer_date("t", "2023-11-14T23:15:00Z")})) >>
                             catch_event(multiple("wait", {message("n", "sent", "=order"),
                                                           timer("u", 1h), signal("v", "go")})) >>
                             end())
            .to_xml()},
       {"all.bpmn",
        process(
            "all",
            start() >>
                catch_event(parallel_multiple("wait", {message("n", "sent", "=order"),
                                                       timer("u", 1min), signal("v", "go")})) >>
                service_task("ship", job("courier")) >> end(),
            boundary("ship", parallel_multiple("both", {signal("w", "go"), signal("x", "halt")}),
                     non_interrupting()) >>
                end("told"))
            .to_xml()},
       {"throws.bpmn",
        process("throws",
                start() >> service_task("ship", job("courier")) >>
                    end(multiple("last", {signal("shout", "go"), message("m2", "x"),
                                          escalation("late", "late"), compensation("undo")}),
                        job("tell")),
                boundary("ship", compensation("undone")),
                service_task("handler", job("handler"), for_compensation()),
                association("undone", "handler"))
            .to_xml()}});
  cluster.settle();
  for (const std::int32_t partition : {1, 2}) {
    for (int i = 0; i < 2; ++i) cluster.given(partition).instance("all", R"({"order":"o-1"})");
  }
  cluster.settle();
  one.publishes("paid", "o-1", {.variables = R"({"order":"o-2"})"});
  one.signals("begin", R"({"order":"o-3"})");
  cluster.pass(1min);
  cluster.settle();
  cluster.given(2).publishes("sent", "o-1", {.variables = R"({"x":1})", .time_to_live = 1h});
  cluster.settle();
  one.instance("throws");
  one.completes_job("courier");
  cluster.settle();
  one.completes_job("handler");
  one.completes_job("tell");
  one.signals("halt", R"({"x":2})");
  one.signals("halt", R"({"x":3})");
  cluster.settle();
  one.signals("go");
  cluster.settle();
}

engine::EngineOptions small_signals() {
  engine::EngineOptions options = small_batches();
  options.signal_receivers_max = 2;
  return options;
}

engine::EngineOptions small_steps() {
  engine::EngineOptions options = small_batches();
  options.batch_bytes_max = 1024;
  return options;
}

}  // namespace

std::span<const Journey> all_journeys() {
  static const std::vector<Journey> journeys{
      {"jobs", 1, jobs},
      {"timers", 1, timers},
      {"scopes", 1, scopes},
      {"incidents", 1, incidents},
      {"decisions", 1, decisions},
      {"messages", 2, messages},
      {"distribution", 3, distribution},
      {"deletions", 2, deletions},
      {"bans", 1, bans, failing_once()},
      {"escalations", 1, escalations},
      {"instructions", 1, instructions},
      {"compensations", 1, compensations, small_steps()},
      {"transactions", 1, transactions},
      {"batches", 1, batches, small_batches()},
      {"receivers", 1, receivers, small_steps()},
      {"signals", 2, signals, small_signals()},
      {"broadcast", 1, broadcast, small_signals()},
      {"conditions", 2, conditions},
      {"rounds", 1, rounds},
      {"several", 2, several},
  };
  return journeys;
}

}  // namespace beeline::testing
