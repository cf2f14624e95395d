#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "base/partition_hash.h"
#include "bench/workload.h"
#include "bpmn/builder.h"
#include "journal/memory_log.h"
#include "record/values.h"
#include "stream/partition.h"

// The costs of messages, signals, timers, conditions and multi-instance. Modes print a line each,
// "name: value unit", or are run by `./dev bench` under callgrind, which counts between the marks
// only.
namespace beeline::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace bpmn::build;  // NOLINT: the builder's words

double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

std::string json_text(const std::string& text) {
  return "\"" + text + "\"";
}

record::MessageRecord message_to(const std::string& correlation_key) {
  record::MessageRecord value;
  value.name = "paid";
  value.correlation_key = correlation_key;
  return value;
}

// Messages to waiting instances, compared with instances with one task, both in the engine alone.
void messages(std::int64_t count) {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    CoreDriver tasks;
    tasks.deploy();
    const record::Document document = payload("small");
    auto begin = SteadyClock::now();
    for (std::int64_t done = 0; done < count; done += 32) {
      for (int j = 0; j < 32; ++j) tasks.create(document);
      tasks.work_off(32);
    }
    const double instances_per_second = static_cast<double>(count) / seconds_since(begin);

    CoreDriver waiting;
    waiting.deploy(process("waiting", start() >> catch_event(message("wait", "paid", "=orderId")) >>
                                          bpmn::build::end())
                       .to_xml());
    for (std::int64_t n = 0; n < count; ++n) {
      record::Document variables;
      variables.entries.push_back({"orderId", json_text(std::to_string(n))});
      waiting.create(variables, "waiting");
    }
    begin = SteadyClock::now();
    for (std::int64_t n = 0; n < count; ++n) {
      waiting.submit(record::MessageIntent::Publish, Key{}, message_to(std::to_string(n)));
    }
    const double messages_per_second = static_cast<double>(count) / seconds_since(begin);
    BEELINE_CHECK(waiting.engine().state().element_instances().count() == 0,
                  "a message reached nobody");
    best = std::max(best, messages_per_second / instances_per_second);
    fmt::print("messages: {:.0f} correlated/s, {:.0f} one-task instances/s, ratio {:.2f}\n",
               messages_per_second, instances_per_second,
               messages_per_second / instances_per_second);
  }
  fmt::print("messages/instances: {:.2f} (at least 0.7 wanted)\n", best);
}

// For callgrind: 1,000 messages to a name for which `open` subscriptions of another partition are
// open, each with a key of its own.
void subscriptions(std::size_t open) {
  engine::EngineOptions options;
  options.partition_count = 2;
  CoreDriver driver{options};
  std::vector<std::string> keys;
  for (int n = 0; keys.size() < open; ++n) {
    std::string key = std::to_string(n);
    if (partition_of_correlation_key(key, 2) == PartitionId{1}) keys.push_back(std::move(key));
  }
  for (std::size_t n = 0; n < open; ++n) {
    record::MessageSubscriptionRecord value;
    const auto counter = static_cast<std::int64_t>(2 * n);
    value.process_instance_key = make_key(PartitionId{2}, counter + 1);
    value.element_instance_key = make_key(PartitionId{2}, counter + 2);
    value.bpmn_process_id = "waiting";
    value.message_name = "paid";
    value.correlation_key = keys[n];
    value.element_id = "wait";
    driver.submit(record::MessageSubscriptionIntent::Create, Key{}, value);
  }
  CALLGRIND_START_INSTRUMENTATION;
  for (std::size_t n = 0; n < open; n += open / 1'000) {
    driver.submit(record::MessageIntent::Publish, Key{}, message_to(keys[n]));
  }
  CALLGRIND_STOP_INSTRUMENTATION;
}

// For callgrind: one signal for which `receivers` instances wait, until all of them have ended.
void broadcast(std::int64_t receivers) {
  CoreDriver driver;
  driver.deploy(process("waiting", start() >> catch_event(bpmn::build::signal("wait", "go")) >>
                                       bpmn::build::end())
                    .to_xml());
  for (std::int64_t n = 0; n < receivers; ++n) driver.create({}, "waiting");
  record::SignalRecord value;
  value.signal_name = "go";
  CALLGRIND_START_INSTRUMENTATION;
  driver.submit(record::SignalIntent::Broadcast, Key{}, value);
  CALLGRIND_STOP_INSTRUMENTATION;
  BEELINE_CHECK(driver.engine().state().element_instances().count() == 0,
                "the signal did not reach everybody");
}

// For callgrind: 1,000 updates of a variable of an instance in which `open` conditions wait, none
// of which reads the variable.
void conditions(std::size_t open) {
  CoreDriver driver;
  std::vector<bpmn::build::Item> items;
  items.emplace_back(start() >> service_task("work", job("work")) >> bpmn::build::end());
  for (std::size_t n = 0; n < open; ++n) {
    items.emplace_back(boundary("work",
                                bpmn::build::conditional(fmt::format("event{}", n),
                                                         fmt::format("=other{} > 5", n)),
                                bpmn::build::non_interrupting()) >>
                       bpmn::build::end(fmt::format("end{}", n)));
  }
  driver.deploy(bpmn::build::Model({bpmn::build::Node{"bpmn:process", "watched", std::move(items)}})
                    .to_xml());
  driver.create({}, "watched");
  const engine::EngineState& state = driver.engine().state();
  BEELINE_CHECK(state.conditional_subscriptions().count() == open, "not all conditions wait");
  record::VariableDocumentRecord update;
  state.element_instances().for_each([&](Key key, const engine::ElementInstanceRow& row) {
    if (!row.flow_scope_key.is_set()) update.scope_key = key;
  });
  const auto set = [&](int value) {
    update.variables.entries = {{"x", std::to_string(value)}};
    driver.submit(record::VariableDocumentIntent::Update, Key{}, update);
  };
  set(0);
  CALLGRIND_START_INSTRUMENTATION;
  for (int value = 1; value <= 1'000; ++value) set(value);
  CALLGRIND_STOP_INSTRUMENTATION;
}

// For callgrind: one instance with a task for each of `items`, from its creation to its end. The
// items run either all at once, or one after the other with a result of each.
void multiple(std::int64_t items, bool collects) {
  CoreDriver driver;
  bpmn::build::LoopOptions loop{.input_collection = "=items", .input_element = "item"};
  if (collects) {
    loop.output_collection = "results";
    loop.output_element = "=item";
    loop.sequential = true;
  }
  driver.deploy(process("many", start() >>
                                    service_task("work", job("work"), multi_instance(loop)) >>
                                    bpmn::build::end())
                    .to_xml());
  record::Document variables;
  std::string list = "[";
  for (std::int64_t n = 0; n < items; ++n) list += fmt::format("{}{}", n == 0 ? "" : ",", n);
  variables.entries.push_back({"items", list + "]"});
  CALLGRIND_START_INSTRUMENTATION;
  driver.create(variables, "many");
  while (driver.work_off(100, "item") > 0) {
  }
  CALLGRIND_STOP_INSTRUMENTATION;
  BEELINE_CHECK(driver.engine().state().element_instances().count() == 0, "it has not ended");
}

class ManualClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return Timestamp{now_.load()}; }
  void pass(Milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

// Measures how long create-instance takes at 1,000 a second while `goes_on` returns true; the
// result is the 99th percentile.
class Creator {
 public:
  explicit Creator(stream::Partition& partition) : partition_(partition) {}

  template <typename GoesOn>
  double p99_milliseconds(const GoesOn& goes_on) {
    std::vector<double> times;
    std::mutex mutex;
    std::condition_variable answered;
    const std::int64_t created_before = created_;
    auto next = SteadyClock::now();
    while (goes_on()) {
      ++created_;
      submit([&, begin = next](const record::RecordView&) {
        const std::lock_guard lock{mutex};
        times.push_back(seconds_since(begin) * 1e3);
        answered.notify_all();
      });
      next += std::chrono::milliseconds{1};
      std::this_thread::sleep_until(next);
    }
    std::unique_lock lock{mutex};
    answered.wait(
        lock, [&] { return static_cast<std::int64_t>(times.size()) == created_ - created_before; });
    std::ranges::sort(times);
    return times[times.size() * 99 / 100];
  }
  // Returns how many instances were created; all of them still exist.
  [[nodiscard]] std::int64_t created() const { return created_; }

 private:
  void submit(stream::ResponseHandler handler) {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "one_task";
    creation.variables = payload("small");
    const auto result = partition_.submit(
        {}, stream::make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation),
        std::move(handler));
    BEELINE_CHECK(result == stream::SubmitResult::Accepted, "a command was refused");
  }

  stream::Partition& partition_;
  std::int64_t created_ = 0;
};

// Makes `count` timers that are due at once, and measures the effect on a client that creates
// instances.
void timers(std::int64_t count) {
  ManualClock clock;
  journal::MemoryLog log;
  state::MemoryStore store;
  stream::PartitionOptions options;
  options.queue_max = 1'000'000;
  options.checkpoint_interval = Milliseconds{1'000'000'000'000};
  options.checkpoint_records = 1'000'000'000'000;
  stream::Partition partition{options, log, store, clock};
  partition.recover();
  const auto submit = [&](const auto& command) {
    (void)partition.submit({}, command, {});
    while (partition.run_once()) {
    }
    log.commit_now();
    partition.let_out();
  };
  record::DeploymentRecord deployment;
  deployment.resources.push_back({"one_task.bpmn", one_task_xml()});
  deployment.resources.push_back(
      {"sleeps.bpmn",
       process("sleeps",
               start() >> catch_event(timer("nap", std::chrono::minutes{60})) >> bpmn::build::end())
           .to_xml()});
  submit(stream::make_command(record::DeploymentIntent::Create, Key{}, deployment));
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "sleeps";
  const auto create =
      stream::make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  for (std::int64_t n = 0; n < count; ++n) submit(create);
  log.release_before(log.last_position());

  partition.start();
  Creator creator{partition};
  int idle_turns = 5'000;
  const double idle = creator.p99_milliseconds([&] { return --idle_turns > 0; });
  const auto begin = SteadyClock::now();
  clock.pass(std::chrono::hours{1});
  const double busy = creator.p99_milliseconds(
      [&] { return partition.stats().instances_active.load() > creator.created(); });
  const double seconds = seconds_since(begin);
  partition.stop();
  fmt::print(
      "timers: {} due at once are worked off in {:.1f} s; p99 of create-instance {:.1f} ms "
      "meanwhile, {:.1f} ms before, {:.1f} ms more (at most 50 wanted)\n",
      count, seconds, busy, idle, busy - idle);
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const auto number = [&](std::int64_t otherwise) {
    return argc > 2 ? std::stoll(argv[2]) : otherwise;
  };
  if (mode == "messages") {
    messages(number(32'000));
  } else if (mode == "subscriptions") {
    subscriptions(static_cast<std::size_t>(number(1'000)));
  } else if (mode == "multiple") {
    multiple(number(100), false);
  } else if (mode == "collected") {
    multiple(number(100), true);
  } else if (mode == "broadcast") {
    broadcast(number(100));
  } else if (mode == "conditions") {
    conditions(static_cast<std::size_t>(number(1'000)));
  } else if (mode == "timers") {
    timers(number(1'000'000));
  } else {
    fmt::print(stderr,
               "usage: events_bench messages [N] | subscriptions [open] | multiple [items] | "
               "collected [items] | broadcast [receivers] | conditions [open] | timers [N]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace beeline::bench

int main(int argc, char** argv) {
  return beeline::bench::main(argc, argv);
}
