#include "tests/support/random_process.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "bpmn/builder.h"
#include "tests/support/decision_files.h"

namespace beeline::testing {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words

// Writes a process: a chain of blocks, some of which contain chains themselves.
class Maker {
 public:
  explicit Maker(Chance& chance) : chance_(chance) {}

  Model make(const std::string& id) {
    std::vector<Item> items;
    Path path = start() >> chain(items, 2) >> end(fresh("end"));
    items.emplace_back(std::move(path));
    add_event_subprocesses(items);
    return Model({Node{"bpmn:process", id, std::move(items)}});
  }

 private:
  std::string fresh(std::string_view word) { return fmt::format("{}{}", word, ++count_); }

  Path chain(std::vector<Item>& items, int depth) {
    Path path = block(items, depth);
    for (std::size_t i = chance_.below(3); i > 0; --i) {
      path = std::move(path) >> block(items, depth);
    }
    return path;
  }

  Path block(std::vector<Item>& items, int depth) {
    switch (chance_.below(depth > 0 ? 18 : 9)) {
      case 0:
        return chance_.one_in(2)   ? catch_event(some_timer())
               : chance_.one_in(2) ? throw_event(some_signal(), input("=a", "a"))
                                   : throw_event(some_throws(), job(some_type()));
      case 1:
        return chance_.one_in(3) ? catch_event(some_message())
               : chance_.one_in(3)
                   ? catch_event(conditional(fresh("met"), "=b >= 0 or key != null"))
               : chance_.one_in(2) ? catch_event(some_signal())
                                   : catch_event(some_of_several());
      case 2:
        return receive_task(some_message());
      case 3:
        return call_activity(fresh("call"), "called");
      case 4:
        return chance_.one_in(2)
                   ? business_rule_task(fresh("rule"), called_decision("risk", fresh("risk")))
                   : script_task(fresh("script"), script("a", fresh("copy")));
      case 5:
        return thrown_or_script();
      case 6:
      case 7:
      case 8:
        return job_task(items);
      case 9:
      case 10:
        return parallel(items, depth - 1);
      case 11:
        return exclusive(items, depth - 1);
      case 12:
        return loop(items);
      case 13:
        return event_gateway(items, depth - 1);
      case 14:
        return multi_instance_task();
      case 15:
        return complex(items, depth - 1);
      case 16:
        return repeated(items, depth - 1);
      default:
        return chance_.one_in(3) ? cancelable(items, depth - 1) : nested(items, depth - 1);
    }
  }

  Path thrown_or_script() {
    switch (chance_.below(5)) {
      case 0:
      case 1:
        return throw_event(fresh("note"), output("=a", fresh("seen")));
      case 2:
        return throw_event(escalation(fresh("escalate"), "slow"));
      case 3:
        return throw_event(compensation(fresh("undo")));
      default:
        return script_task(fresh("script"), script("payload", "payload"));
    }
  }

  Event some_timer() { return timer(fresh("timer"), std::chrono::minutes{chance_.below(60)}); }
  Event some_message() {
    return message(fresh("message"), kMessageNames[chance_.below(std::size(kMessageNames))],
                   "=key");
  }
  // A message for events that do not interrupt, which may fire any number of times. With one of the
  // other names, such an event would take every message of its process from the instances that wait
  // for one.
  Event some_news() { return message(fresh("news"), kNewsName, "=key"); }
  Event some_signal() {
    return signal(fresh("signal"), kSignalNames[chance_.below(std::size(kSignalNames))]);
  }
  Event some_alarm() { return signal(fresh("alarm"), kAlarmName); }
  // A condition that may never hold. The number makes it differ from all others of the process.
  Event some_condition(const char* variable_events = "") {
    const std::string id = fresh("condition");
    // Only `again = true` leads back in a loop. An event that fires at once must not be in its way,
    // or the loop never waits.
    return conditional(
        id, fmt::format("=again != true and (a = {} or a = {})", chance_.below(4), 100 + count_),
        variable_events);
  }
  std::string some_type() { return kJobTypes[chance_.below(std::size(kJobTypes))]; }
  std::string some_code() { return chance_.one_in(2) ? "404" : ""; }
  Event some_escalation() {
    return escalation(fresh("escalated"), chance_.one_in(2) ? "slow" : "");
  }

  // The first, or all, of several events. All of them happen some day: an instance that waits for
  // all must not wait for ever.
  Event some_of_several(bool with_error = false) {
    std::vector<Event> events = {some_signal(), some_timer(), some_message()};
    if (chance_.one_in(2)) events.push_back(some_timer());
    const std::string id = fresh("several");
    if (chance_.one_in(2)) return parallel_multiple(id, events);
    if (with_error) events.push_back(error(fresh("catch"), some_code()));
    return multiple(id, events);
  }
  // Several events that may fire any number of times.
  Event some_news_of_several() {
    std::vector<Event> events = {some_alarm(), some_news()};
    if (chance_.one_in(2)) events.push_back(timer_cycle(fresh("remind"), "R2/PT20M"));
    const std::string id = fresh("several");
    return chance_.one_in(2) ? multiple(id, events) : parallel_multiple(id, events);
  }
  // Everything that an event can throw; it has a job.
  Event some_throws() {
    std::vector<Event> events = {some_signal(), message(fresh("told"), "told"),
                                 compensation(fresh("undo"))};
    if (chance_.one_in(2)) events.push_back(escalation(fresh("escalate"), "slow"));
    if (chance_.one_in(2)) std::swap(events.front(), events.back());
    return multiple(fresh("throws"), events);
  }

  // Lets a handler compensate the activity.
  void add_handler(std::vector<Item>& items, const std::string& activity) {
    const std::string event = fresh("undone");
    const std::string handler = fresh("handler");
    items.emplace_back(boundary(activity, compensation(event)));
    items.emplace_back(chance_.one_in(2)
                           ? service_task(handler, job(some_type()), for_compensation())
                           : call_activity(handler, "called", for_compensation()));
    items.emplace_back(association(event, handler));
  }

  Path job_task(std::vector<Item>& items) {
    const std::string id = fresh("task");
    const std::string type = some_type();
    switch (chance_.below(4)) {
      case 0:
        return guarded(items, id,
                       service_task(id, job(type), input("=a", "local"), input("=payload", "copy"),
                                    output("=local", "a")));
      case 1:
        return guarded(items, id,
                       service_task(id, job("=if b > 2 then null else \"" + type + "\"")));
      case 2:
        return guarded(items, id,
                       service_task(id, job(type), priority(std::to_string(chance_.below(3)))));
      default:
        return guarded(items, id, service_task(id, job(type)));
    }
  }

  Path parallel(std::vector<Item>& items, int depth) {
    const std::string fork = fresh("fork");
    const std::string join = fresh("join");
    items.emplace_back(from(fork) >> chain(items, depth) >> to(join));
    return parallel_gateway(fork) >> chain(items, depth) >> parallel_gateway(join);
  }

  Path exclusive(std::vector<Item>& items, int depth) {
    const std::string split = fresh("split");
    const std::string merge = fresh("merge");
    Path other = chance_.one_in(3) ? condition("b >= 1") : default_flow();
    items.emplace_back(from(split) >> other >> chain(items, depth) >> to(merge));
    return exclusive_gateway(split) >> condition("b < 1") >> chain(items, depth) >>
           exclusive_gateway(merge);
  }

  Path loop(std::vector<Item>& items) {
    const std::string merge = fresh("merge");
    const std::string split = fresh("split");
    items.emplace_back(from(split) >> condition("again = true") >> to(merge));
    return exclusive_gateway(merge) >> job_task(items) >> exclusive_gateway(split) >>
           default_flow();
  }

  Path event_gateway(std::vector<Item>& items, int depth) {
    const std::string gateway = fresh("first");
    const std::string merge = fresh("merge");
    items.emplace_back(from(gateway) >> catch_event(some_timer()) >> to(merge));
    if (chance_.one_in(2)) {
      items.emplace_back(from(gateway) >> catch_event(some_signal()) >> to(merge));
    }
    if (chance_.one_in(2)) {
      items.emplace_back(from(gateway) >> catch_event(some_condition()) >> to(merge));
    }
    return event_based_gateway(gateway) >> catch_event(some_message()) >> chain(items, depth) >>
           exclusive_gateway(merge);
  }

  Path multi_instance_task() {
    LoopOptions options{
        .input_collection = "=[1, 2, 3]", .input_element = "item", .sequential = chance_.one_in(2)};
    if (chance_.one_in(2)) {
      options.output_collection = "sizes";
      options.output_element = "=string length(string(payload))";
    }
    return service_task(fresh("each"), job(some_type()), multi_instance(options));
  }

  // Three branches lead to a complex gateway, which is in a loop half of the time. Each branch
  // delivers one token in each turn, so each token is taken or swallowed in the end.
  Path complex(std::vector<Item>& items, int depth) {
    const std::string fork = fresh("fork");
    const std::string join = fresh("join");
    const std::string merge = fresh("merge");
    const std::string split = fresh("split");
    static constexpr const char* kConditions[] = {
        "activationCount >= 2", "activationCount >= 1", "count(arrivedFlows) = 3",
        "if b > 2 then null else activationCount >= 2", "activationCount = 3 or b < 1"};
    items.emplace_back(from(fork) >> chain(items, depth) >> to(join));
    items.emplace_back(from(fork) >> job_task(items) >> to(join));
    Path gateway =
        chance_.one_in(4)
            ? complex_gateway(join)
            : complex_gateway(
                  join, activation_condition(kConditions[chance_.below(std::size(kConditions))]));
    if (chance_.one_in(2)) {
      items.emplace_back(from(split) >> condition("again = true") >> to(merge));
    }
    return exclusive_gateway(merge) >> parallel_gateway(fork) >> job_task(items) >>
           std::move(gateway) >> job_task(items) >> exclusive_gateway(split) >> default_flow();
  }

  // An activity with a standard loop. A job may ask for another run; activities that may not wait
  // run a limited number of times.
  Path repeated(std::vector<Item>& items, int depth) {
    StandardLoopOptions options{.test_before = chance_.one_in(2)};
    if (chance_.one_in(2)) options.maximum = chance_.one_in(2) ? "2" : "=a";
    const std::size_t kind = chance_.below(3);
    if (options.maximum.empty() || chance_.one_in(2)) {
      options.condition = kind == 1 && chance_.one_in(2)
                              ? "again = true"
                              : "if b > 2 then null else loopCounter < 3";
    }
    const std::string id = fresh("again");
    switch (kind) {
      case 0:
        return guarded(items, id, script_task(id, script("a", "a"), standard_loop(options)));
      case 1:
        return guarded(
            items, id,
            service_task(id, job(some_type()), output("=a", "a"), standard_loop(options)));
      default: {
        std::vector<Item> inner = {Item(standard_loop(options))};
        Path path = start(fresh("start")) >> chain(inner, depth) >> end(fresh("end"));
        inner.emplace_back(std::move(path));
        return guarded(items, id, node("bpmn:subProcess", id, std::move(inner)), Host::Subprocess);
      }
    }
  }

  Path nested(std::vector<Item>& items, int depth) {
    std::vector<Item> inner;
    if (chance_.one_in(2)) inner.emplace_back(input("=a", "a"));
    if (chance_.one_in(2)) inner.emplace_back(output("=a", "a"));
    const Event ending = chance_.one_in(4)   ? terminate(fresh("stop"))
                         : chance_.one_in(4) ? error(fresh("fail"), "404")
                         : chance_.one_in(4) ? some_signal()
                         : chance_.one_in(4) ? escalation(fresh("escalate"), "slow")
                         : chance_.one_in(4) ? compensation(fresh("undo"))
                                             : none(fresh("end"));
    Path last = chance_.one_in(6) ? end(some_throws(), job(some_type())) : end(ending);
    Path path = start(fresh("start")) >> chain(inner, depth) >> std::move(last);
    inner.emplace_back(std::move(path));
    add_event_subprocesses(inner);
    const std::string id = fresh("sub");
    return guarded(items, id, node("bpmn:subProcess", id, std::move(inner)), Host::Subprocess);
  }

  // A transaction that one of its paths may cancel while the other one is active.
  Path cancelable(std::vector<Item>& items, int depth) {
    std::vector<Item> inner;
    const std::string fork = fresh("fork");
    const std::string split = fresh("split");
    inner.emplace_back(start(fresh("start")) >> job_task(inner) >> parallel_gateway(fork) >>
                       chain(inner, depth) >> end(fresh("end")));
    inner.emplace_back(from(fork) >> chain(inner, depth) >> exclusive_gateway(split) >>
                       condition("b < 2") >> end(cancel(fresh("cancel"))));
    inner.emplace_back(from(split) >> default_flow() >> end(fresh("end")));
    add_event_subprocesses(inner);
    const std::string id = fresh("transaction");
    return guarded(items, id, node("bpmn:transaction", id, std::move(inner)), Host::Subprocess,
                   {cancel(fresh("canceled"))});
  }

  enum class Host { Task, Subprocess };

  // Returns the host with its boundary events. Interrupting ones lead to the element after the
  // host: a join after it must not wait for a token that went elsewhere.
  Path guarded(std::vector<Item>& items, const std::string& host, Path path, Host kind = Host::Task,
               std::vector<Event> interrupting = {}) {
    const auto add_reminder = [&](Event event) {
      items.emplace_back(boundary(host, std::move(event), non_interrupting()) >>
                         service_task(fresh("task"), job(some_type())) >> end(fresh("end")));
    };
    if (chance_.one_in(5)) {
      add_reminder(some_news_of_several());
    } else {
      if (chance_.one_in(5)) add_reminder(some_news());
      if (chance_.one_in(5)) add_reminder(some_alarm());
    }
    if (chance_.one_in(8)) add_reminder(some_condition("update"));
    if (chance_.one_in(5)) add_reminder(timer_cycle(fresh("remind"), "R2/PT20M"));
    if (chance_.one_in(4)) add_handler(items, host);
    if (kind == Host::Subprocess && chance_.one_in(2)) {
      if (chance_.one_in(2)) {
        add_reminder(some_escalation());
      } else {
        interrupting.push_back(some_escalation());
      }
    }
    if (chance_.one_in(5)) interrupting.push_back(some_timer());
    if (chance_.one_in(5)) interrupting.push_back(some_message());
    if (chance_.one_in(5)) interrupting.push_back(some_signal());
    if (chance_.one_in(5)) interrupting.push_back(some_condition());
    if (chance_.one_in(5)) interrupting.push_back(error(fresh("catch"), some_code()));
    if (interrupting.empty() && chance_.one_in(4)) interrupting.push_back(some_of_several(true));
    if (interrupting.empty()) return path;
    const std::string merge = fresh("merge");
    for (Event& event : interrupting) {
      items.emplace_back(boundary(host, std::move(event)) >> to(merge));
    }
    return std::move(path) >> exclusive_gateway(merge);
  }

  void add_event_subprocesses(std::vector<Item>& items) {
    const auto add = [&](Path begin) {
      items.emplace_back(event_subprocess(
          fresh("event"),
          std::move(begin) >> service_task(fresh("task"), job(some_type())) >> end(fresh("end"))));
    };
    if (chance_.one_in(6)) add(start(some_timer()));
    if (chance_.one_in(6)) add(start(some_timer(), non_interrupting()));
    if (chance_.one_in(8)) {
      add(start(some_of_several(true)));
    } else {
      if (chance_.one_in(6)) add(start(some_message()));
      if (chance_.one_in(6)) add(start(some_signal()));
      if (chance_.one_in(6)) add(start(error(fresh("caught"), some_code())));
    }
    if (chance_.one_in(8)) {
      add(start(some_news_of_several(), non_interrupting()));
    } else {
      if (chance_.one_in(6)) add(start(some_news(), non_interrupting()));
      if (chance_.one_in(6)) add(start(some_alarm(), non_interrupting()));
    }
    if (chance_.one_in(6)) add(start(some_condition()));
    if (chance_.one_in(8)) add(start(some_condition("update"), non_interrupting()));
    if (chance_.one_in(6)) {
      add(chance_.one_in(2) ? start(some_escalation())
                            : start(some_escalation(), non_interrupting()));
    }
  }

  Chance& chance_;
  int count_ = 0;
};

// An instance ends wherever in it it begins: no join waits for a flow that is never taken.
Model anywhere() {
  return process(
      "anywhere",
      start() >> service_task("any1", job(kJobTypes[0])) >>
          subprocess("any2", start("any_start") >> service_task("any3", job(kJobTypes[1])) >>
                                 throw_event(escalation("any_late", "slow")) >> end("any_end")) >>
          service_task("any4", job(kJobTypes[2])) >> end(compensation("any_undo")),
      boundary("any1", compensation("any_undone")),
      service_task("any_handler", job(kJobTypes[0]), for_compensation()),
      association("any_undone", "any_handler"),
      boundary("any2", escalation("any_slow"), non_interrupting()) >> end("any_told"),
      boundary("any2", timer("any_timer", std::chrono::minutes{40})) >> end("any_out"));
}

// The decision fails for some values of b.
std::string decisions() {
  return decisions_file(
      "rules", table_decision("risk", "UNIQUE", "b", {{"< 2", "base"}, {">= 2", "1"}, {"3", "2"}},
                              {.requires_decisions = {"base"}}) +
                   literal_decision("base", "a + 1"));
}

}  // namespace

Resources random_resources(Chance& chance) {
  Resources resources;
  for (const char* id : kProcessIds) {
    resources.push_back({fmt::format("{}.bpmn", id), Maker{chance}.make(id).to_xml()});
  }
  resources.push_back(
      {"called.bpmn",
       process("called", start() >> service_task("inner", job(kJobTypes[0])) >> end()).to_xml()});
  // The aggregator: the first message of a key starts, the next ones are collected.
  resources.push_back(
      {"started.bpmn",
       process("started", start(message("begin", kMessageNames[0])) >>
                              catch_event(message("more", kMessageNames[0], "=key")) >> end())
           .to_xml()});
  resources.push_back(
      {"woken.bpmn", process("woken", start(multiple("wake", {signal("alarm", kAlarmName),
                                                              signal("halt", kSignalNames[1])})) >>
                                          service_task("rise", job(kJobTypes[1])) >> end())
                         .to_xml()});
  resources.push_back(
      {"stirred.bpmn", process("stirred", start(conditional("stir", "=a > 1 and b > 1")) >>
                                              service_task("act", job(kJobTypes[2])) >> end())
                           .to_xml()});
  resources.push_back({"anywhere.bpmn", anywhere().to_xml()});
  resources.push_back({"rules.dmn", decisions()});
  return resources;
}

void add_random_instructions(Chance& chance, record::ProcessInstanceCreationRecord& creation) {
  if (!chance.one_in(6)) return;
  const auto some_element = [&] { return fmt::format("any{}", 1 + chance.below(4)); };
  creation.bpmn_process_id = "anywhere";
  for (std::size_t i = chance.below(4); i > 0; --i) {
    creation.start_instructions.push_back({some_element()});
  }
  if (!chance.one_in(3)) return;
  creation.runtime_instructions.push_back(
      {record::RuntimeInstructionType::TerminateProcessInstance, some_element()});
}

}  // namespace beeline::testing
