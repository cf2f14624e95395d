#include <fmt/format.h>

#include <random>
#include <set>

#include "state/checkpointer.h"
#include "tests/support/decision_files.h"
#include "tests/support/scenario.h"

// EN2: random processes under random commands. Whatever happens, a replay gives the same state,
// also one from a checkpoint; keys and positions are never used twice; no command meets a bug; and
// when all instances are gone, nothing of them is left.
namespace beeline::testing {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  // From 0 to `limit` - 1; the same on every platform.
  std::uint32_t below(std::size_t limit) {
    return static_cast<std::uint32_t>(engine_() % static_cast<std::uint32_t>(limit));
  }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937 engine_;
};

// What the processes call: it fails for some values of b.
std::string decisions() {
  return decisions_file(
      "rules", table_decision("risk", "UNIQUE", "b", {{"< 2", "base"}, {">= 2", "1"}, {"3", "2"}},
                              {.requires_decisions = {"base"}}) +
                   literal_decision("base", "a + 1"));
}

// Writes a process: a chain of blocks, some of which hold chains themselves.
class ProcessMaker {
 public:
  explicit ProcessMaker(Random& random) : random_(random) {}

  Model make(const std::string& id) {
    std::vector<Item> items;
    Path path = start() >> chain(items, 3) >> end(fresh("end"));
    items.emplace_back(std::move(path));
    add_event_subprocesses(items);
    return Model({Node{"bpmn:process", id, std::move(items)}});
  }

 private:
  std::string fresh(const std::string& word) { return word + std::to_string(++count_); }

  Path chain(std::vector<Item>& items, int depth) {
    Path path = block(items, depth);
    for (std::uint32_t i = random_.below(3); i > 0; --i)
      path = std::move(path) >> block(items, depth);
    return path;
  }

  Path block(std::vector<Item>& items, int depth) {
    switch (random_.below(depth > 0 ? 10 : 5)) {
      case 0:
        if (random_.one_in(2)) {
          return business_rule_task(fresh("rule"), called_decision("risk", fresh("risk")));
        }
        return script_task(fresh("script"), script("a", fresh("copy")));
      case 1:
        return catch_event(timer_of(fresh("nap")));
      case 2:
        return throw_event(fresh("note"), output("=a", fresh("seen")));
      case 3:
      case 4:
        return job_task(items);
      case 5:
      case 6:
        return parallel(items, depth - 1);
      case 7:
        return exclusive(items, depth - 1);
      case 8:
        return loop(items);
      default:
        return nested(items, depth - 1);
    }
  }

  Event timer_of(const std::string& id) {
    return timer(id, std::chrono::minutes{random_.below(60)});
  }

  Path job_task(std::vector<Item>& items) {
    const std::string id = fresh("task");
    const std::string type = "work" + std::to_string(random_.below(3));
    add_boundary_events(items, id);
    switch (random_.below(4)) {
      case 0:
        return service_task(id, job(type), input("=a", "local"), output("=result", "a"));
      case 1:
        return service_task(id, job("=if b > 2 then null else \"" + type + "\""));
      case 2:
        return service_task(id, job(type), priority(std::to_string(random_.below(3))));
      default:
        return service_task(id, job(type));
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
    Path other = random_.one_in(3) ? condition("b >= 1") : default_flow();
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

  Path nested(std::vector<Item>& items, int depth) {
    std::vector<Item> inner;
    if (random_.one_in(2)) inner.emplace_back(input("=a", "a"));
    if (random_.one_in(2)) inner.emplace_back(output("=a", "a"));
    const Event ending = random_.one_in(4)   ? terminate(fresh("stop"))
                         : random_.one_in(4) ? error(fresh("fail"), "404")
                                             : none(fresh("end"));
    Path path = start(fresh("start")) >> chain(inner, depth) >> end(ending);
    inner.emplace_back(std::move(path));
    add_event_subprocesses(inner);
    const std::string id = fresh("sub");
    add_boundary_events(items, id);
    return node("bpmn:subProcess", id, std::move(inner));
  }

  void add_boundary_events(std::vector<Item>& items, const std::string& host) {
    if (random_.one_in(4)) {
      items.emplace_back(boundary(host, timer_of(fresh("late"))) >> end(fresh("end")));
    }
    if (random_.one_in(4)) {
      items.emplace_back(
          boundary(host, timer_cycle(fresh("remind"), "R2/PT20M"), non_interrupting()) >>
          service_task(fresh("task"), job("work0")) >> end(fresh("end")));
    }
    if (random_.one_in(4)) {
      items.emplace_back(boundary(host, error(fresh("catch"), random_.one_in(2) ? "404" : "")) >>
                         end(fresh("end")));
    }
  }

  void add_event_subprocesses(std::vector<Item>& items) {
    const auto add = [&](Path begin) {
      items.emplace_back(event_subprocess(
          fresh("event"),
          std::move(begin) >> service_task(fresh("task"), job("work1")) >> end(fresh("end"))));
    };
    if (random_.one_in(4)) add(start(timer_of(fresh("soon"))));
    if (random_.one_in(4)) add(start(timer_of(fresh("soon")), non_interrupting()));
    if (random_.one_in(4)) add(start(error(fresh("caught"), random_.one_in(2) ? "500" : "")));
  }

  Random& random_;
  int count_ = 0;
};

// What a world has done so far, by key.
struct Known {
  std::vector<Key> instances;
  std::vector<Key> elements;
  std::vector<Key> jobs;
  std::vector<Key> incidents;
  std::size_t read = 0;

  void read_on(const World& world) {
    for (; read < world.records().size(); ++read) {
      const record::OwnedRecord& record = world.records()[read];
      const record::Metadata& m = record.metadata;
      if (m.record_type != record::RecordType::Event) continue;
      const auto is = [&](record::ValueType type, auto intent) {
        return m.value_type == type && m.intent == static_cast<record::IntentNumber>(intent);
      };
      if (is(record::ValueType::ProcessInstance,
             record::ProcessInstanceIntent::ElementActivating)) {
        elements.push_back(m.key);
        const auto value = record::decode<record::ProcessInstanceRecord>(record.value);
        if (value.element_type == record::ElementType::Process) instances.push_back(m.key);
      } else if (is(record::ValueType::Job, record::JobIntent::Created)) {
        jobs.push_back(m.key);
      } else if (is(record::ValueType::Incident, record::IncidentIntent::Created)) {
        incidents.push_back(m.key);
      }
    }
  }
};

// The table and key of each row of a dump, as hexadecimal digits.
std::set<std::string> rows_of(std::string_view dump) {
  const auto number = [](std::string_view bytes) {
    std::size_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  };
  std::set<std::string> rows;
  while (!dump.empty()) {
    const std::size_t key_size = number(dump.substr(2, 4));
    const std::size_t row_size = number(dump.substr(6 + key_size, 4));
    std::string text = "table " + std::to_string(number(dump.substr(0, 2))) + ", key";
    for (const char c : dump.substr(6, key_size)) {
      text += fmt::format(" {:02x}", static_cast<unsigned char>(c));
    }
    rows.insert(std::move(text));
    dump.remove_prefix(10 + key_size + row_size);
  }
  return rows;
}

engine::EngineOptions random_options(Random& random) {
  engine::EngineOptions options;
  options.batch_commands_max = random.one_of<std::size_t>({1, 2, 5, 100});
  return options;
}

class RandomizedTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  RandomizedTest() : random_(GetParam()), world_(random_options(random_)), given_(world_, false) {}

  // A job that may be gone; the latest are asked for most.
  Key some(const std::vector<Key>& keys) {
    if (keys.empty()) return Key{1};
    const std::size_t reach = std::min<std::size_t>(keys.size(), random_.one_in(5) ? 1000 : 6);
    return keys[keys.size() - 1 - random_.below(reach)];
  }

  record::JobRecord job_value() {
    record::JobRecord value;
    value.retries = static_cast<std::int32_t>(random_.below(3));
    value.error_code = random_.one_in(2) ? "404" : "500";
    if (random_.one_in(3)) value.retry_backoff = Milliseconds{60'000};
    if (random_.one_in(2)) value.variables.entries = {{"result", "7"}, {"a", number()}};
    if (random_.one_in(3)) value.variables.entries.push_back({"again", "true"});
    if (random_.one_in(4)) value.variables.entries.push_back({"again", "false"});
    value.timeout = Milliseconds{60'000};
    return value;
  }
  std::string number() { return std::to_string(random_.below(4)); }
  std::string variables() { return R"({"a":)" + number() + R"(,"b":)" + number() + "}"; }

  void create() {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "order";
    creation.variables.entries = {{"a", number()}, {"b", number()}};
    given_.creates(creation, random_.one_in(3));
  }

  void do_something() {
    using record::JobIntent;
    known_.read_on(world_);
    switch (random_.below(20)) {
      case 0:
      case 1:
        return create();
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        return given_.submits(JobIntent::Complete, some(known_.jobs), job_value());
      case 7:
        return given_.submits(JobIntent::Fail, some(known_.jobs), job_value());
      case 8:
      case 9:
        return given_.submits(JobIntent::ThrowError, some(known_.jobs), job_value());
      case 10:
        return given_.submits(JobIntent::UpdateRetries, some(known_.jobs), job_value());
      case 11:
        return given_.submits(JobIntent::UpdateTimeout, some(known_.jobs), job_value());
      case 12: {
        record::JobBatchRecord batch;
        batch.type = "work" + number();
        batch.worker = "worker";
        batch.max_jobs_to_activate = 3;
        batch.timeout = Milliseconds{120'000};
        return given_.submits(record::JobBatchIntent::Activate, Key{}, batch);
      }
      case 13:
        return given_.submits(JobIntent::Yield, some(known_.jobs), job_value());
      case 14:
        return given_.resolves_incident(some(known_.incidents));
      case 15:
        return given_.sets_variables(some(known_.elements), variables(), random_.one_in(2));
      case 16:
        if (random_.one_in(3)) given_.cancels(some(known_.instances));
        return;
      default:
        return given_.time_passes(std::chrono::minutes{random_.below(30)});
    }
  }

  // Some commands one after the other on the log, before the first has come to its end.
  void do_something_at_once() {
    world_.hold();
    for (std::uint32_t i = random_.below(4); i < 4; ++i) do_something();
    world_.release();
  }

  void expect_keys_and_positions_are_used_once() {
    std::set<Key> created;
    Position last{0};
    for (const record::OwnedRecord& record : world_.records()) {
      const record::Metadata& m = record.metadata;
      EXPECT_EQ(m.position.value(), last.value() + 1);
      last = m.position;
      if (m.record_type != record::RecordType::Event) continue;
      const std::string name = record::text_name(m);
      if (name.ends_with(" CREATED") || name.ends_with(" ACTIVATING") ||
          name.ends_with(" TRIGGERING") || name.ends_with(" SEQUENCE_FLOW_TAKEN")) {
        // A deployment and a process instance name themselves once more.
        EXPECT_TRUE(created.insert(m.key).second) << describe(record);
      }
    }
  }

  void expect_no_bug() {
    for (const record::OwnedRecord& record : world_.records()) {
      EXPECT_NE(record.metadata.value_type, record::ValueType::Error) << describe(record);
      EXPECT_NE(record.metadata.rejection_type, RejectionType::ProcessingError) << describe(record);
    }
    std::set<record::RequestId> answered;
    for (const engine::Response& answer : world_.answers()) {
      EXPECT_TRUE(answered.insert(answer.request).second) << "answered twice: " << answer.request;
    }
  }

  // The state with nothing but the process in it.
  std::string empty_state(const Model& model) {
    World fresh;
    Actions{fresh, false}.deploys({{"order.bpmn", model.to_xml()}, {"rules.dmn", decisions()}});
    engine::EngineState& state = fresh.engine().state();
    state.database().begin_batch();
    state.set_key_counter(world_.state().key_counter());
    state.database().commit_batch();
    return state.database().dump();
  }

  Random random_;
  World world_;
  Actions given_;
  Known known_;
};

TEST_P(RandomizedTest, EN2_replay_gives_the_same_state) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const Model model = ProcessMaker{random_}.make("order");
  given_.deploys({{"order.bpmn", model.to_xml()}, {"rules.dmn", decisions()}});
  create();
  constexpr int kSteps = 60;
  const int checkpoint_step = static_cast<int>(random_.below(kSteps));
  state::MemoryStore store;
  state::Checkpointer checkpointer{world_.engine().state().database(), store, Position{0},
                                   state::Checkpointer::Writes::InStep};
  std::size_t frames_before = 0;
  for (int i = 0; i < kSteps; ++i) {
    if (i == checkpoint_step) {
      ASSERT_FALSE(world_.engine().has_pending());
      frames_before = world_.frames().size();
      checkpointer.start(world_.engine().last_position());
    }
    if (random_.one_in(3)) {
      do_something_at_once();
    } else {
      do_something();
    }
    checkpointer.step(2);
  }
  checkpointer.finish();
  EXPECT_EQ(world_.compare_with_replay(), "");

  engine::Engine restored{engine::EngineOptions{}};
  restored.recover_at(restored.state().database().load(store));
  for (std::size_t i = frames_before; i < world_.frames().size(); ++i) {
    restored.replay(world_.frames()[i]);
  }
  EXPECT_TRUE(restored.state().database().dump() == world_.state().database().dump())
      << "replay from a checkpoint gives another state";
  EXPECT_EQ(restored.last_position(), world_.engine().last_position());

  known_.read_on(world_);
  for (const Key instance : known_.instances) {
    if (world_.state().element_instances().find(instance) != nullptr) given_.cancels(instance);
  }
  const std::string left = world_.state().database().dump();
  const std::string empty = empty_state(model);
  EXPECT_EQ(rows_of(left), rows_of(empty)) << "something is left of instances that are gone";
  EXPECT_TRUE(left == empty);
  expect_keys_and_positions_are_used_once();
  expect_no_bug();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomizedTest, ::testing::Range(1U, 201U));

}  // namespace
}  // namespace beeline::testing
