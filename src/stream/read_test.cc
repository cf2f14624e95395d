#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bpmn/builder.h"
#include "engine/state/engine_state.h"
#include "journal/memory_log.h"
#include "record/json.h"
#include "record/values.h"
#include "stream/partition.h"
#include "stream/state_items.h"
#include "stream/state_view.h"

// Reads of a partition's state, and what they show.
namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words

// A partition without a thread: nothing is committed before the test commits it.
class ReadTest : public ::testing::Test {
 protected:
  ReadTest() {
    PartitionOptions options;
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    options.reads_max = 2;
    partition_ = std::make_unique<Partition>(options, log_, store_, clock_);
    partition_->recover();
  }

  template <typename T>
  void process(typename T::Intent intent, Key key, const T& value) {
    EXPECT_EQ(partition_->submit({}, make_command(intent, key, value), {}), SubmitResult::Accepted);
    while (partition_->run_once()) {
    }
  }
  void deploy(const std::string& xml) {
    record::DeploymentRecord deployment;
    deployment.resources.push_back({"p.bpmn", xml});
    process(record::DeploymentIntent::Create, Key{}, deployment);
  }
  void create(const std::string& id, record::Document variables = {}) {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = id;
    creation.variables = std::move(variables);
    process(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  }
  void commit() {
    log_.commit_now();
    partition_->let_out();
  }
  // Reads to the end, and commits everything.
  Position read(ReadStep step) {
    std::optional<Position> at;
    EXPECT_EQ(partition_->read(std::move(step), [&](Position position) { at = position; }),
              SubmitResult::Accepted);
    for (int turns = 0; !at && turns < 1'000; ++turns) {
      partition_->run_once();
      commit();
    }
    return at.value_or(Position{-1});
  }
  std::vector<std::string> list(ListQuery query) {
    std::vector<std::string> items;
    while (true) {
      auto page = std::make_shared<ListPage>();
      read(list_state(query, page));
      EXPECT_LE(page->items.size(), query.limit);
      items.insert(items.end(), page->items.begin(), page->items.end());
      if (!page->next) return items;
      query.from = *page->next;
    }
  }
  std::string show(Key key, bool full = false) {
    auto json = std::make_shared<std::string>();
    read(show_state({.key = key, .full = full}, json));
    return *json;
  }
  static Key key_of(const std::string& item) {
    const auto object = record::parse_document(item);
    const auto text = record::parse_json_string(object->entries.front().value);
    return Key{std::stoll(*text)};
  }

  const SystemClock clock_;
  journal::MemoryLog log_;
  state::MemoryStore store_;
  std::unique_ptr<Partition> partition_;
};

TEST_F(ReadTest, what_is_read_leaves_after_its_position_is_committed) {
  deploy(bpmn::build::process("p", start() >> service_task("work", job("work")) >> end()).to_xml());
  bool seen = false;
  std::optional<Position> at;
  ASSERT_EQ(partition_->read(
                [&](const engine::EngineState& state) {
                  seen = state.definitions().find_latest("<default>", "p") != nullptr;
                  return true;
                },
                [&](Position position) { at = position; }),
            SubmitResult::Accepted);
  EXPECT_TRUE(partition_->run_once());
  EXPECT_TRUE(seen);
  EXPECT_FALSE(at) << "nothing is committed yet";
  // Commands that are processed after the read do not delay it.
  const Position position = partition_->engine().last_position();
  create("p");
  EXPECT_FALSE(at);
  commit();
  EXPECT_EQ(at, position);
}

TEST_F(ReadTest, reads_take_turns_with_commands_and_with_one_another) {
  std::string order;
  const auto reader = [&](char name) {
    return [&order, name, turns = 0](const engine::EngineState&) mutable {
      order += name;
      return ++turns == 3;
    };
  };
  ASSERT_EQ(partition_->read(reader('a'), [](Position) {}), SubmitResult::Accepted);
  ASSERT_EQ(partition_->read(reader('b'), [](Position) {}), SubmitResult::Accepted);
  EXPECT_EQ(partition_->read(reader('c'), [](Position) {}), SubmitResult::QueueFull);
  EXPECT_TRUE(partition_->run_once());
  EXPECT_EQ(order, "a");
  for (int i = 0; i < 10; ++i) partition_->run_once();
  EXPECT_EQ(order, "ababab");
}

TEST_F(ReadTest, reads_that_a_stop_cuts_off_end_uncalled) {
  auto alive = std::make_shared<int>(0);
  partition_->start();
  ASSERT_EQ(partition_->read([alive](const engine::EngineState&) { return false; },
                             [alive](Position) { ++*alive; }),
            SubmitResult::Accepted);
  partition_->stop();
  EXPECT_EQ(*alive, 0);
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_EQ(partition_->read([](const engine::EngineState&) { return true; }, [](Position) {}),
            SubmitResult::Stopped);
}

TEST_F(ReadTest, lists_have_every_item_once_and_each_member_can_be_filtered_by) {
  deploy(bpmn::build::process("p", start() >> service_task("work", job("work")) >> end()).to_xml());
  for (int i = 0; i < 300; ++i) create("p");
  std::set<std::string> keys;
  for (const std::string& item : list({.kind = StateKind::Instances, .limit = 7})) {
    keys.insert(item);
    EXPECT_NE(item.find(R"("bpmnProcessId":"p","version":1)"), std::string::npos) << item;
  }
  EXPECT_EQ(keys.size(), 300U);
  const auto jobs = list({.kind = StateKind::Jobs, .limit = 50});
  ASSERT_EQ(jobs.size(), 300U);
  const auto one = list({.kind = StateKind::Jobs,
                         .filters = {{"key", std::to_string(key_of(jobs.at(7)).value())},
                                     {"elementId", "work"},
                                     {"state", "ACTIVATABLE"}}});
  EXPECT_EQ(one, std::vector{jobs.at(7)});
  EXPECT_TRUE(list({.kind = StateKind::Jobs, .filters = {{"type", "other"}}}).empty());
  const auto processes = list({.kind = StateKind::Processes});
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_NE(processes.front().find(R"("instances":300)"), std::string::npos) << processes.front();
}

// So a filter can name all members.
TEST_F(ReadTest, items_have_the_members_that_are_announced) {
  deploy(bpmn::build::process("p", start() >> service_task("work", job("work")) >> end()).to_xml());
  create("p");
  record::MessageRecord message;
  message.name = "m";
  message.time_to_live = Milliseconds{60'000};
  process(record::MessageIntent::Publish, Key{}, message);
  const auto names = [](const Item& item) {
    std::vector<std::string_view> result;
    for (const Member& member : item) result.push_back(member.name);
    return result;
  };
  const auto expect = [&](StateKind kind, const Item& item) {
    const auto members = members_of(kind);
    EXPECT_EQ(names(item), std::vector(members.begin(), members.end())) << name_of(kind);
  };
  const engine::EngineState& state = partition_->engine().state();
  expect(StateKind::Processes,
         process_item(state, key_of(list({.kind = StateKind::Processes}).at(0))));
  const Key instance = key_of(list({.kind = StateKind::Instances}).at(0));
  expect(StateKind::Instances,
         instance_item(state, instance, *state.element_instances().find(instance)));
  const Key job = key_of(list({.kind = StateKind::Jobs}).at(0));
  expect(StateKind::Jobs, job_item(state, job, *state.jobs().find(job)));
  expect(StateKind::Incidents, incident_item(Key{1}, {}));
  EXPECT_EQ(list({.kind = StateKind::Messages}).size(), 1U);
  expect(StateKind::Messages, message_item(Key{1}, {}));
  expect(StateKind::Timers, timer_item(Key{1}, {}));
  expect(StateKind::Events, event_item(Key{1}, record::SignalSubscriptionRecord{}));
  expect(StateKind::Events, event_item(Key{1}, record::ConditionalSubscriptionRecord{}));
  expect(StateKind::Events, event_item(Key{1}, record::MessageStartEventSubscriptionRecord{}));
  expect(StateKind::Events, event_item(Key{1}, record::ProcessMessageSubscriptionRecord{}, ""));
}

TEST_F(ReadTest, events_are_the_subscriptions_of_all_kinds) {
  using bpmn::build::catch_event;
  using bpmn::build::conditional;
  using bpmn::build::message;
  using bpmn::build::signal;
  deploy(bpmn::build::process("a", start() >> catch_event(message("m", "paid", "=1")) >>
                                       catch_event(signal("s", "go")) >> end())
             .to_xml());
  deploy(bpmn::build::process("b", start(message("ms", "begin")) >> end()).to_xml());
  deploy(bpmn::build::process("c", start(signal("ss", "go")) >> end()).to_xml());
  deploy(bpmn::build::process("d", start() >> catch_event(conditional("w", "=x > 5")) >> end())
             .to_xml());
  create("a");
  create("a");
  create("d");
  for (const std::size_t limit : {std::size_t{1}, std::size_t{100}}) {
    EXPECT_EQ(list({.kind = StateKind::Events, .limit = limit}).size(), 5U);
  }
  EXPECT_EQ(list({.kind = StateKind::Events, .filters = {{"type", "message"}}}).size(), 2U);
  EXPECT_EQ(list({.kind = StateKind::Events, .filters = {{"name", "=x > 5"}}}).size(), 1U);
  const auto starts = list({.kind = StateKind::Events, .filters = {{"name", "go"}}});
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_NE(starts.front().find(R"("type":"signal start")"), std::string::npos) << starts.front();
}

TEST_F(ReadTest, an_instance_is_shown_with_what_it_waits_for) {
  deploy(bpmn::build::process("p", start() >> service_task("work", job("work")) >> end()).to_xml());
  create("p", {{{"short", "1"}, {"long", "\"" + std::string(1'000, 'x') + "\""}}});
  const Key instance = key_of(list({.kind = StateKind::Instances}).at(0));
  const std::string shown = show(instance);
  EXPECT_TRUE(shown.starts_with(R"({"kind":"instance","key":")")) << shown;
  for (const std::string_view part :
       {R"("elementId":"p","elementType":"PROCESS")", R"("short":1)", "... (1002 bytes)\"",
        R"("elementId":"work","elementType":"SERVICE_TASK")", R"("waitsFor":[{"kind":"job")",
        R"("truncated":false)"}) {
    EXPECT_NE(shown.find(part), std::string::npos) << part << " in " << shown;
  }
  EXPECT_NE(show(instance, true).find(std::string(1'000, 'x')), std::string::npos);
}

TEST_F(ReadTest, any_key_is_found) {
  deploy(bpmn::build::process("p", start() >> service_task("work", job("work")) >> end()).to_xml());
  create("p", {{{"a", "1"}}});
  std::set<std::string> kinds;
  const std::int64_t last = partition_->engine().state().key_counter();
  for (std::int64_t n = 1; n <= last; ++n) {
    const std::string shown = show(make_key(PartitionId{1}, n));
    if (!shown.empty()) kinds.insert(shown.substr(9, shown.find('"', 9) - 9));
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"deployment", "element", "instance", "job", "process",
                                          "variable"}));
  EXPECT_EQ(show(make_key(PartitionId{1}, last + 1)), "");
}

}  // namespace
}  // namespace beeline::stream
