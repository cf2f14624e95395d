#include "tests/sim/processes.h"

#include <fmt/format.h>

#include "bpmn/builder.h"

namespace beeline::sim {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words

// Writes a process: a chain of blocks, some of which hold chains themselves.
class Maker {
 public:
  explicit Maker(Chance& chance) : chance_(chance) {}

  Model make(const std::string& id) {
    std::vector<Item> items;
    Path path = start() >> chain(items, 2) >> end(fresh("end"));
    items.emplace_back(std::move(path));
    add_event_subprocess(items);
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
    switch (chance_.below(depth > 0 ? 11 : 6)) {
      case 0:
        return catch_event(some_timer());
      case 1:
        return catch_event(some_message());
      case 2:
        return receive_task(some_message());
      case 3:
        return call_activity(fresh("call"), "called");
      case 4:
      case 5:
        return job_task(items);
      case 6:
        return parallel(items, depth - 1);
      case 7:
        return exclusive(items, depth - 1);
      case 8:
        return event_gateway(items, depth - 1);
      case 9:
        return multiple();
      default:
        return nested(items, depth - 1);
    }
  }

  Event some_timer() { return timer(fresh("timer"), std::chrono::minutes{chance_.below(60)}); }
  Event some_message() {
    return message(fresh("message"), kMessageNames[chance_.below(std::size(kMessageNames))],
                   "=key");
  }
  std::string some_type() { return kJobTypes[chance_.below(std::size(kJobTypes))]; }

  // One that reads and goes on: it may be told any number of times, so it has names of its own;
  // else it would take every message of its process from those who wait for one.
  Event some_news() { return message(fresh("news"), kNewsName, "=key"); }

  Path job_task(std::vector<Item>& items) {
    const std::string id = fresh("task");
    return guarded(items, id, service_task(id, job(some_type())));
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
    items.emplace_back(from(split) >> default_flow() >> chain(items, depth) >> to(merge));
    return exclusive_gateway(split) >> condition("n < 2") >> chain(items, depth) >>
           exclusive_gateway(merge);
  }

  Path event_gateway(std::vector<Item>& items, int depth) {
    const std::string gateway = fresh("first");
    const std::string merge = fresh("merge");
    items.emplace_back(from(gateway) >> catch_event(some_timer()) >> to(merge));
    return event_based_gateway(gateway) >> catch_event(some_message()) >> chain(items, depth) >>
           exclusive_gateway(merge);
  }

  Path multiple() {
    return service_task(fresh("each"), job(some_type()),
                        multi_instance({.input_collection = "=[1, 2, 3]",
                                        .input_element = "item",
                                        .sequential = chance_.one_in(2)}));
  }

  Path nested(std::vector<Item>& items, int depth) {
    std::vector<Item> inner;
    Path path = start(fresh("start")) >> chain(inner, depth) >> end(fresh("end"));
    inner.emplace_back(std::move(path));
    add_event_subprocess(inner);
    const std::string id = fresh("sub");
    return guarded(items, id, node("bpmn:subProcess", id, std::move(inner)));
  }

  // The host with its boundary events. Those that interrupt lead on to what follows the host: a
  // join behind it must not wait for a token that went elsewhere.
  Path guarded(std::vector<Item>& items, const std::string& host, Path path) {
    if (chance_.one_in(4)) {
      items.emplace_back(boundary(host, some_news(), non_interrupting()) >>
                         service_task(fresh("task"), job(some_type())) >> end(fresh("end")));
    }
    std::vector<Event> interrupting;
    if (chance_.one_in(4)) interrupting.push_back(some_timer());
    if (chance_.one_in(4)) interrupting.push_back(some_message());
    if (chance_.one_in(4)) interrupting.push_back(error(fresh("catch")));
    if (interrupting.empty()) return path;
    const std::string merge = fresh("merge");
    for (Event& event : interrupting) {
      items.emplace_back(boundary(host, std::move(event)) >> to(merge));
    }
    return std::move(path) >> exclusive_gateway(merge);
  }

  void add_event_subprocess(std::vector<Item>& items) {
    if (!chance_.one_in(3)) return;
    const bool interrupts = chance_.one_in(2);
    Event event = chance_.one_in(2) ? some_timer() : interrupts ? some_message() : some_news();
    Path begin = interrupts ? start(std::move(event)) : start(std::move(event), non_interrupting());
    items.emplace_back(event_subprocess(
        fresh("event"),
        std::move(begin) >> service_task(fresh("task"), job(some_type())) >> end(fresh("end"))));
  }

  Chance& chance_;
  int count_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> random_resources(Chance& chance) {
  std::vector<std::pair<std::string, std::string>> resources;
  for (const char* id : kProcessIds) {
    resources.emplace_back(fmt::format("{}.bpmn", id), Maker{chance}.make(id).to_xml());
  }
  resources.emplace_back(
      "called.bpmn",
      process("called", start() >> service_task("inner", job(kJobTypes[0])) >> end()).to_xml());
  // The aggregator: the first message of a key starts, the next ones are collected.
  resources.emplace_back(
      "started.bpmn",
      process("started", start(message("begin", kMessageNames[0])) >>
                             catch_event(message("more", kMessageNames[0], "=key")) >> end())
          .to_xml());
  return resources;
}

}  // namespace beeline::sim
