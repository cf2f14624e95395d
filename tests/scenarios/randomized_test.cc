#include <fmt/format.h>

#include <set>

#include "state/checkpointer.h"
#include "tests/support/chance.h"
#include "tests/support/random_process.h"
#include "tests/support/scenario.h"

// EN2: random processes under random commands. After any run, a replay gives the same state, with
// and without a checkpoint; no key or position is used twice; no command runs into a bug; and when
// all instances are gone, nothing of them is left.
namespace beeline::testing {
namespace {

// The keys of everything that a world has created so far.
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

// Returns the table and the key of each row of a dump, with the key as hexadecimal digits.
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

engine::EngineOptions random_options(Chance& chance) {
  engine::EngineOptions options;
  options.batch_commands_max = chance.one_of<std::size_t>({1, 2, 5, 100});
  options.signal_receivers_max = chance.one_of<std::size_t>({1, 2, 500});
  return options;
}

class RandomizedTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  RandomizedTest() : chance_(GetParam()), world_(random_options(chance_)), given_(world_, false) {}

  // Returns one of the keys, usually one of the latest. The entity with that key may be gone.
  Key some(const std::vector<Key>& keys) {
    if (keys.empty()) return Key{1};
    const std::size_t reach = std::min<std::size_t>(keys.size(), chance_.one_in(5) ? 1000 : 6);
    return keys[keys.size() - 1 - chance_.below(reach)];
  }

  record::JobRecord job_value() {
    record::JobRecord value;
    value.retries = static_cast<std::int32_t>(chance_.below(3));
    value.error_code = chance_.one_in(2) ? "404" : "500";
    if (chance_.one_in(3)) value.retry_backoff = Milliseconds{60'000};
    if (chance_.one_in(2)) value.variables.entries = {{"result", "7"}, {"a", number()}};
    if (chance_.one_in(3)) value.variables.entries.push_back({"again", "true"});
    if (chance_.one_in(4)) value.variables.entries.push_back({"again", "false"});
    value.timeout = Milliseconds{60'000};
    return value;
  }
  std::string number() { return std::to_string(chance_.below(4)); }
  std::string variables() { return R"({"a":)" + number() + R"(,"b":)" + number() + "}"; }

  void create() {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = kProcessIds[chance_.below(std::size(kProcessIds))];
    creation.variables.entries = {
        {"a", number()}, {"b", number()}, {"key", fmt::format("\"{}\"", correlation_key())}};
    add_random_instructions(chance_, creation);
    given_.creates(creation, chance_.one_in(3));
  }

  std::string correlation_key() {
    return kCorrelationKeys[chance_.below(std::size(kCorrelationKeys))];
  }

  void publish() {
    record::MessageRecord message;
    message.name =
        chance_.one_in(4) ? kNewsName : kMessageNames[chance_.below(std::size(kMessageNames))];
    message.correlation_key = correlation_key();
    message.time_to_live = Milliseconds{chance_.below(3) * 20 * 60'000};
    message.variables.entries = {{"key", fmt::format("\"{}\"", message.correlation_key)}};
    given_.submits(record::MessageIntent::Publish, Key{}, message);
  }

  void broadcast() {
    record::SignalRecord value;
    value.signal_name =
        chance_.one_in(4) ? kAlarmName : kSignalNames[chance_.below(std::size(kSignalNames))];
    value.awaits_count = chance_.one_in(2);
    if (chance_.one_in(2)) value.variables.entries = {{"a", number()}};
    given_.submits(record::SignalIntent::Broadcast, Key{}, value);
  }

  void evaluate_conditions() {
    record::ConditionalEvaluationRecord value;
    value.variables.entries = {{"a", number()}, {"b", number()}};
    given_.submits(record::ConditionalEvaluationIntent::Evaluate, Key{}, value);
  }

  void do_something() {
    using record::JobIntent;
    known_.read_on(world_);
    switch (chance_.below(25)) {
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
        return given_.sets_variables(some(known_.elements), variables(), chance_.one_in(2));
      case 16:
        if (chance_.one_in(3)) given_.cancels(some(known_.instances));
        return;
      case 17:
      case 18:
      case 19:
        return publish();
      case 20:
      case 21:
        return broadcast();
      case 22:
        if (chance_.one_in(2)) return evaluate_conditions();
        [[fallthrough]];
      default:
        return given_.time_passes(std::chrono::minutes{chance_.below(30)});
    }
  }

  // Puts several commands on the log before the first is processed to its end.
  void do_something_at_once() {
    world_.hold();
    for (std::size_t i = chance_.below(4); i < 4; ++i) do_something();
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
        // Each of these events introduces a new key.
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

  // Returns the state without the next key, which depends on how much has happened.
  static std::string dump_of(const World& world) {
    return world.state().database().dump(engine::table_id(engine::TableNumber::Counters));
  }
  // Returns the state in which only the resources are deployed.
  static std::string empty_state(const Resources& resources) {
    World fresh;
    Actions{fresh, false}.deploys(resources);
    return dump_of(fresh);
  }

  Chance chance_;
  World world_;
  Actions given_;
  Known known_;
};

TEST_P(RandomizedTest, EN2_replay_gives_the_same_state) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const Resources resources = random_resources(chance_);
  given_.deploys(resources);
  create();
  constexpr int kSteps = 60;
  const int checkpoint_step = static_cast<int>(chance_.below(kSteps));
  state::MemoryStore store;
  state::Checkpointer checkpointer{world_.engine().checkpoint_source(), store, Position{0},
                                   state::Checkpointer::Writes::InStep,
                                   [this] { return world_.engine().last_position(); }};
  std::size_t frames_before = 0;
  for (int i = 0; i < kSteps; ++i) {
    if (i == checkpoint_step) {
      ASSERT_FALSE(world_.engine().has_pending());
      frames_before = world_.frames().size();
      checkpointer.start(world_.engine().last_position());
    }
    if (chance_.one_in(3)) {
      do_something_at_once();
    } else {
      do_something();
    }
    checkpointer.step(2);
  }
  checkpointer.finish();
  EXPECT_EQ(world_.compare_with_replay(), "");

  engine::Engine restored{engine::EngineOptions{}};
  (void)restored.load(store);
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
  // Messages that nobody took expire.
  given_.time_passes(std::chrono::hours{1});
  const std::string left = dump_of(world_);
  const std::string empty = empty_state(resources);
  EXPECT_EQ(rows_of(left), rows_of(empty)) << "something is left of instances that are gone";
  EXPECT_TRUE(left == empty);
  expect_keys_and_positions_are_used_once();
  expect_no_bug();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomizedTest, ::testing::Range(1U, 201U));

}  // namespace
}  // namespace beeline::testing
