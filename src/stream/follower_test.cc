#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bpmn/builder.h"
#include "record/codec.h"
#include "record/values.h"
#include "state/key_value_store.h"
#include "stream/partition.h"
#include "tests/support/led_log.h"

// A partition with two copies on one log: one leads, the other follows, and they change places.
// Except for the last test there are no threads, and frames reach the log when a test delivers
// them.
namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words
using testing::LedLog;

class FollowerClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return Timestamp{1'700'000'000'000}; }
};

// One copy of the partition.
struct CopyOfPartition {
  std::unique_ptr<LedLog::Copy> log;
  state::MemoryStore store;
  std::unique_ptr<Partition> partition;

  [[nodiscard]] std::uint64_t digest() const {
    return partition->engine().state().database().digest();
  }
  [[nodiscard]] Position position() const { return partition->engine().last_position(); }
  // Makes turns until nothing is left to do. Everything that is appended is committed.
  void settle() {
    int idle_turns = 0;  // in the first of them it may have received something
    for (int i = 0; i < 1'000; ++i) {
      const bool worked = partition->run_once();
      log->commit_now();
      partition->let_out();
      // Another thread may be writing a checkpoint.
      if (!worked && partition->is_checkpointing()) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
      }
      idle_turns = worked || partition->is_checkpointing() ? 0 : idle_turns + 1;
      if (idle_turns == 2) return;
    }
    ADD_FAILURE() << "it does not come to rest";
  }
};

enum class Outcome { Waiting, Answered, Dropped };

// How a command ended, for its caller.
struct Call {
  Outcome outcome = Outcome::Waiting;
  std::string value;
};

class FollowerTest : public ::testing::Test {
 protected:
  FollowerTest() {
    options_.checkpoint_writes = state::Checkpointer::Writes::InStep;
    options_.checkpoint_records = 1'000'000;
  }
  void open() {
    for (std::size_t i = 0; i < copies_.size(); ++i) open(i);
    log_.elect(*first().log);
    first().settle();
    ASSERT_TRUE(first().partition->is_leading());
  }
  void open(std::size_t index) {
    CopyOfPartition& copy = copies_[index];
    copy.log = log_.open(index);
    copy.partition = std::make_unique<Partition>(options_, *copy.log, copy.store, clock_);
    copy.partition->recover();
  }
  // After a crash, only the checkpoint of a copy is left.
  void reopen(std::size_t index) {
    copies_[index].partition.reset();
    copies_[index].log.reset();
    open(index);
  }

  template <typename T>
  std::shared_ptr<Call> submit(CopyOfPartition& to, typename T::Intent intent, Key key,
                               const T& value) {
    auto call = std::make_shared<Call>();
    // The handler owns this object, so its destruction shows that the handler was destroyed.
    const std::shared_ptr<void> end{nullptr, [call](void*) {
                                      if (call->outcome == Outcome::Waiting) {
                                        call->outcome = Outcome::Dropped;
                                      }
                                    }};
    EXPECT_EQ(to.partition->submit({}, make_command(intent, key, value),
                                   [call, end](const record::RecordView& answer) {
                                     call->outcome = Outcome::Answered;
                                     call->value = answer.value;
                                   }),
              SubmitResult::Accepted);
    return call;
  }
  std::shared_ptr<Call> deploy(CopyOfPartition& to) {
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> service_task("work", job("work")) >> bpmn::build::end())
                       .to_xml()});
    return submit(to, record::DeploymentIntent::Create, Key{}, deployment);
  }
  std::shared_ptr<Call> create(CopyOfPartition& to) {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "p";
    return submit(to, record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  }
  static Key instance_of(const Call& call) {
    return record::decode<record::ProcessInstanceCreationRecord>(call.value).process_instance_key;
  }
  static bool has(const CopyOfPartition& copy, Key instance) {
    return copy.partition->engine().state().element_instances().find(instance) != nullptr;
  }
  void expect_same_state() {
    EXPECT_EQ(first().position(), second().position());
    EXPECT_EQ(first().digest(), second().digest());
  }

  [[nodiscard]] CopyOfPartition& first() { return copies_[0]; }
  [[nodiscard]] CopyOfPartition& second() { return copies_[1]; }

  FollowerClock clock_;
  PartitionOptions options_;
  LedLog log_{2};
  std::array<CopyOfPartition, 2> copies_;
};

TEST_F(FollowerTest, follows_a_growing_log) {
  open();
  deploy(first());
  for (int i = 0; i < 5; ++i) {
    first().settle();
    EXPECT_GT(first().position(), second().position());
    EXPECT_TRUE(second().partition->run_once());
    expect_same_state();
    EXPECT_FALSE(second().partition->run_once());
    create(first());
  }
  EXPECT_EQ(second().partition->stats().replayed_records.load(), second().position().value());
}

TEST_F(FollowerTest, takes_no_commands_and_says_why) {
  open();
  EXPECT_FALSE(second().partition->is_leading());
  EXPECT_EQ(second().partition->condition().health, Health::Unhealthy);
  EXPECT_NE(second().partition->condition().reason.find("follows"), std::string::npos);
  EXPECT_EQ(second().partition->next_wake(), std::nullopt);
  EXPECT_EQ(second().partition->read([](const engine::EngineState&) { return true; }, nullptr),
            SubmitResult::Stopped);
  EXPECT_EQ(second().partition->submit({}, {}, nullptr), SubmitResult::Stopped);
}

TEST_F(FollowerTest, takes_checkpoints_of_its_own) {
  options_.checkpoint_records = 20;
  open();
  deploy(first());
  for (int i = 0; i < 20; ++i) {
    create(first());
    first().settle();
    second().settle();
  }
  const std::int64_t checkpoint = second().partition->stats().checkpoint_position.load();
  EXPECT_GT(checkpoint, 0);
  EXPECT_EQ(state::Database::stored_position(second().store).value(), checkpoint);
  EXPECT_GT(second().log->first_position().value(), 1) << "both copies have released the log";
  const std::int64_t replayed = second().partition->stats().replayed_records.load();

  reopen(1);
  expect_same_state();
  EXPECT_LT(second().partition->stats().replayed_records.load(), replayed);
}

TEST_F(FollowerTest, becomes_leader_when_it_has_read_everything) {
  options_.engine.batch_commands_max = 1;
  open();
  deploy(first());
  first().settle();
  const auto call = create(first());
  first().partition->run_once();  // only the command and its answer: the rest is pending
  first().log->deliver();
  ASSERT_TRUE(first().partition->engine().has_pending());

  log_.elect(*second().log);
  EXPECT_FALSE(second().partition->is_leading());
  second().settle();
  EXPECT_TRUE(second().partition->is_leading());
  EXPECT_EQ(second().partition->condition().health, Health::Healthy);
  EXPECT_FALSE(second().partition->engine().has_pending()) << "it goes on where the other was";
  const auto next = create(second());
  second().settle();
  EXPECT_EQ(next->outcome, Outcome::Answered);

  EXPECT_EQ(call->outcome, Outcome::Waiting);
  first().settle();
  EXPECT_EQ(call->outcome, Outcome::Dropped) << "though it was carried out";
  expect_same_state();
}

TEST_F(FollowerTest, deposed_with_commands_in_its_queue) {
  open();
  deploy(first());
  first().settle();
  const auto call = create(first());
  std::atomic<bool> is_read = false;
  EXPECT_EQ(first().partition->read([](const engine::EngineState&) { return true; },
                                    [&](Position) { is_read = true; }),
            SubmitResult::Accepted);
  const Position end = log_.last_position();

  log_.elect(*second().log);
  first().log->commit_now();  // it learns of the election
  first().settle();
  EXPECT_EQ(call->outcome, Outcome::Dropped);
  EXPECT_FALSE(is_read);
  EXPECT_FALSE(first().partition->is_leading());
  EXPECT_EQ(first().partition->stats().queue_depth.load(), 0);
  EXPECT_EQ(log_.last_position(), end);
  second().settle();
  expect_same_state();
}

TEST_F(FollowerTest, deposed_when_it_appends) {
  open();
  deploy(first());
  first().settle();
  log_.elect(*second().log);
  const auto call = create(first());
  EXPECT_TRUE(first().partition->run_once());  // the log answers NotLeader
  EXPECT_EQ(call->outcome, Outcome::Dropped);
  first().settle();
  second().settle();
  expect_same_state();
}

TEST_F(FollowerTest, deposed_with_batches_in_flight_that_are_lost) {
  open();
  deploy(first());
  first().settle();
  const auto lost = create(first());
  first().partition->run_once();
  EXPECT_EQ(first().log->under_way(), 1U);

  // Both write the same positions, and only one of them counts.
  log_.elect(*second().log);
  second().settle();
  const auto call = create(second());
  create(second());
  second().settle();
  ASSERT_EQ(call->outcome, Outcome::Answered);
  EXPECT_GE(second().position(), first().position());

  first().partition->let_out();
  EXPECT_EQ(lost->outcome, Outcome::Waiting) << "answered with what another leader committed";
  first().settle();
  EXPECT_EQ(lost->outcome, Outcome::Dropped);
  EXPECT_TRUE(has(first(), instance_of(*call)));
  expect_same_state();
}

TEST_F(FollowerTest, deposed_with_batches_in_flight_that_arrived) {
  open();
  deploy(first());
  first().settle();
  const auto call = create(first());
  first().partition->run_once();
  first().log->deliver();  // but it does not learn of it
  const Position end = first().position();

  log_.elect(*second().log);
  second().settle();
  first().settle();
  EXPECT_EQ(call->outcome, Outcome::Dropped);
  EXPECT_GE(first().position(), end);
  EXPECT_EQ(first().partition->engine().state().element_instances().process_instance_count(), 1);
  expect_same_state();
}

TEST_F(FollowerTest, a_checkpoint_of_what_was_lost_is_not_stored) {
  options_.checkpoint_rows = 1;
  open();
  deploy(first());
  first().settle();
  create(first());
  first().partition->run_once();
  first().partition->begin_checkpoint();  // of a state that no other copy will ever have
  first().partition->run_once();

  log_.elect(*second().log);
  second().settle();
  for (int i = 0; i < 3; ++i) create(second());
  second().settle();
  EXPECT_GT(second().position(), first().position());
  first().settle();
  expect_same_state();
  EXPECT_EQ(state::Database::stored_position(first().store), Position{0});

  first().partition->begin_checkpoint();
  first().settle();
  EXPECT_EQ(state::Database::stored_position(first().store), first().position());
  reopen(0);
  expect_same_state();
}

TEST_F(FollowerTest, drops_to_its_checkpoint_and_leads_again) {
  options_.checkpoint_records = 20;
  open();
  deploy(first());
  first().settle();
  std::vector<Key> instances;
  for (int round = 0; round < 6; ++round) {
    CopyOfPartition& leader = round % 2 == 0 ? first() : second();
    CopyOfPartition& follower = round % 2 == 0 ? second() : first();
    const auto call = create(leader);
    leader.settle();
    ASSERT_EQ(call->outcome, Outcome::Answered);
    instances.push_back(instance_of(*call));
    const auto lost = create(leader);
    leader.partition->run_once();
    follower.settle();
    log_.elect(*follower.log);
    follower.settle();
    ASSERT_TRUE(follower.partition->is_leading());
    leader.settle();
    EXPECT_EQ(lost->outcome, Outcome::Dropped);
    expect_same_state();
  }
  for (const Key instance : instances) {
    EXPECT_TRUE(has(first(), instance));
    EXPECT_TRUE(has(second(), instance));
  }
  EXPECT_GT(first().partition->stats().checkpoint_position.load(), 0);
}

TEST_F(FollowerTest, elected_and_deposed_between_two_turns) {
  open();
  deploy(first());
  first().settle();
  log_.elect(*second().log);
  log_.depose();
  second().log->commit_now();
  second().settle();
  EXPECT_FALSE(second().partition->is_leading());
  EXPECT_EQ(second().log->role(), journal::LogRole::Following);
  first().settle();
  expect_same_state();
}

TEST_F(FollowerTest, waits_while_the_log_is_busy) {
  open();
  deploy(first());
  first().settle();
  first().log->set_window(2);
  std::vector<std::shared_ptr<Call>> calls;
  for (int i = 0; i < 5; ++i) calls.push_back(create(first()));
  EXPECT_TRUE(first().partition->run_once());
  EXPECT_EQ(first().log->under_way(), 2U);
  EXPECT_FALSE(first().partition->run_once());
  EXPECT_EQ(first().log->under_way(), 2U);
  EXPECT_EQ(first().partition->condition().health, Health::Healthy) << "a busy disk is not full";
  first().settle();
  for (const auto& call : calls) EXPECT_EQ(call->outcome, Outcome::Answered);
  second().settle();
  expect_same_state();
}

TEST_F(FollowerTest, a_process_that_never_waits_leaves_room_on_a_busy_log) {
  options_.engine.batch_commands_max = 1;
  open();
  record::DeploymentRecord deployment;
  deployment.resources.push_back(
      {"p.bpmn", process("p",
                         start() >> exclusive_gateway("in") >> exclusive_gateway("out") >>
                             default_flow() >> to("in"),
                         from("out") >> condition("false") >> bpmn::build::end())
                     .to_xml()});
  submit(first(), record::DeploymentIntent::Create, Key{}, deployment);
  first().settle();
  first().log->set_window(1);
  const auto spinner = create(first());
  const auto turns = [&](int count) {
    for (int i = 0; i < count; ++i) {
      first().partition->run_once();
      first().log->commit_now();
      first().partition->let_out();
    }
  };
  turns(20);
  ASSERT_EQ(spinner->outcome, Outcome::Answered);
  EXPECT_TRUE(first().partition->engine().has_pending());
  const auto cancel = submit(first(), record::ProcessInstanceIntent::Cancel, instance_of(*spinner),
                             record::ProcessInstanceRecord{});
  turns(50);
  EXPECT_EQ(cancel->outcome, Outcome::Answered);
}

// With threads: callers ask the present leader while leaders change, and each answer must be true.
TEST_F(FollowerTest, leaders_change_under_load) {
  options_.checkpoint_records = 50;
  options_.checkpoint_writes = state::Checkpointer::Writes::InBackground;
  open();
  deploy(first());
  first().settle();
  for (CopyOfPartition& copy : copies_) copy.partition->start();

  std::atomic<bool> is_over = false;
  std::vector<Key> acknowledged;
  std::thread caller{[&] {
    while (!is_over) {
      for (CopyOfPartition& copy : copies_) {
        auto promise = std::make_shared<std::promise<Key>>();
        std::future<Key> answer = promise->get_future();
        record::ProcessInstanceCreationRecord creation;
        creation.bpmn_process_id = "p";
        (void)copy.partition->submit(
            {}, make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation),
            [promise](const record::RecordView& record) {
              promise->set_value(record::decode<record::ProcessInstanceCreationRecord>(record.value)
                                     .process_instance_key);
            });
        promise.reset();
        try {
          acknowledged.push_back(answer.get());
        } catch (const std::future_error&) {  // refused or dropped
        }
      }
    }
  }};
  const auto wait_until = [](const auto& holds) {
    for (int i = 0; i < 60'000 && !holds(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    EXPECT_TRUE(holds());
  };
  for (std::size_t round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    const CopyOfPartition& next = copies_[(round + 1) % 2];
    wait_until([&] { return next.log->role() == journal::LogRole::Following; });
    log_.elect(*next.log);
    wait_until([&] { return next.partition->is_leading(); });
  }
  is_over = true;
  caller.join();
  for (CopyOfPartition& copy : copies_) copy.partition->stop();
  for (CopyOfPartition& copy : copies_)
    copy.settle();  // a follower may have stopped before the end
  expect_same_state();
  EXPECT_FALSE(acknowledged.empty());
  for (const Key instance : acknowledged) EXPECT_TRUE(has(first(), instance));
}

}  // namespace
}  // namespace beeline::stream
