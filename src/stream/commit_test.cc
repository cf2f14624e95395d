#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "bpmn/builder.h"
#include "journal/memory_log.h"
#include "record/codec.h"
#include "record/record.h"
#include "record/values.h"
#include "stream/partition.h"

// Nothing leaves a partition before the records that it depends on are committed (invariant 1), and
// a checkpoint is never ahead of the log (invariant 9). The partition has no thread here, and its
// log commits only when a test commits. So a test can check what has left at moments that a thread
// would pass too quickly.
namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words
using std::chrono_literals::operator""s;

class CommitClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return Timestamp{now_}; }
  void pass(Milliseconds by) { now_ += by.count(); }

 private:
  std::int64_t now_ = 1'700'000'000'000;
};

// A log on a disk that syncs when the test wants: appended frames wait, one by one.
class HeldLog final : public journal::LogStorage {
 public:
  [[nodiscard]] journal::AppendResult append(Position first, Position last,
                                             std::string_view bytes) override {
    waiting_.push_back({first, last, std::string{bytes}});
    return journal::AppendResult::Accepted;
  }
  [[nodiscard]] bool has_room(std::size_t /*bytes*/) override { return true; }
  void start(journal::LogListener& /*listener*/) override {
    FAIL() << "these tests call run_once() and let_out() themselves";
  }
  void stop() override {}
  void commit_now() override {
    while (!waiting_.empty()) commit_one();
  }
  void commit_one() {
    const Waiting& frame = waiting_.front();
    EXPECT_EQ(log_.append(frame.first, frame.last, frame.bytes), journal::AppendResult::Accepted);
    log_.commit_now();
    waiting_.pop_front();
  }
  // The effect of a power failure.
  void lose_what_waits() { waiting_.clear(); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

  [[nodiscard]] Position first_position() const override { return log_.first_position(); }
  [[nodiscard]] Position last_position() const override {
    return waiting_.empty() ? log_.last_position() : waiting_.back().last;
  }
  [[nodiscard]] Position committed_position() const override { return log_.committed_position(); }
  [[nodiscard]] std::unique_ptr<journal::FrameReader> read_from(Position from) override {
    return log_.read_from(from);
  }
  void release_before(Position position) override { log_.release_before(position); }

 private:
  struct Waiting {
    Position first;
    Position last;
    std::string bytes;
  };
  journal::MemoryLog log_;
  std::deque<Waiting> waiting_;
};

// Everything that can leave a partition, in the order in which it left: "answer 1 JOB COMPLETED",
// "job work", "send 2 DEPLOYMENT CREATE".
class Outbox final : public JobListener, public Transport {
 public:
  void on_job_available(PartitionId /*partition*/, const record::JobGroup& group,
                        Key /*job*/) override {
    left.push_back("job " + group.type);
  }
  void send(PartitionId to, Command command) override {
    record::Metadata metadata{command.head.view()};
    metadata.record_type = record::RecordType::Command;
    left.push_back("send " + std::to_string(to.value()) + " " + record::text_name(metadata));
    last_sent = std::move(command);
  }

  // Returns what left since the last call.
  std::vector<std::string> take() { return std::exchange(left, {}); }

  std::vector<std::string> left;
  Command last_sent;
};

using Left = std::vector<std::string>;

class CommitTest : public ::testing::Test {
 protected:
  void open(PartitionOptions options = {}) {
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    partition_ = std::make_unique<Partition>(options, log_, store_, clock_);
    partition_->set_job_listener(&outbox_);
    partition_->set_transport(&outbox_);
    partition_->on_committed([this](Position position) { told_ = position; });
    partition_->recover();
  }

  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value) {
    const int number = ++requests_;
    const SubmitResult result = partition_->submit(
        {}, make_command(intent, key, value), [this, number](const record::RecordView& record) {
          outbox_.left.push_back("answer " + std::to_string(number) + " " +
                                 record::text_name(record.metadata));
        });
    EXPECT_EQ(result, SubmitResult::Accepted);
  }
  void submit_deployment() {
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> service_task("work", job("work")) >> bpmn::build::end())
                       .to_xml()});
    submit(record::DeploymentIntent::Create, Key{}, deployment);
  }
  void submit_creation() {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "p";
    submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  }
  // One turn of the partition's thread, and one of the thread that commits.
  void turn() {
    partition_->run_once();
    partition_->let_out();
  }
  // Makes turns until nothing is left to do, and commits after each.
  void settle() {
    for (int i = 0; i < 100; ++i) {
      const bool worked = partition_->run_once();
      log_.commit_now();
      partition_->let_out();
      if (!worked && !partition_->is_checkpointing()) return;
    }
    FAIL() << "the partition does not come to rest";
  }
  void deploy() {
    submit_deployment();
    settle();
    outbox_.take();
  }
  [[nodiscard]] std::int64_t activatable_jobs() const {
    const auto counts = partition_->engine().state().jobs().counts();
    const auto it = counts.find("work");
    return it == counts.end() ? 0 : it->second.activatable;
  }
  [[nodiscard]] bool is_store_empty() const {
    bool is_empty = true;
    store_.for_each([&](std::string_view, std::string_view) { is_empty = false; });
    return is_empty;
  }

  CommitClock clock_;
  HeldLog log_;
  state::MemoryStore store_;
  Outbox outbox_;
  Position told_{0};  // the last report of on_committed: exporters read up to here
  int requests_ = 0;
  std::unique_ptr<Partition> partition_;
};

TEST_F(CommitTest, a_command_is_answered_after_it_is_committed) {
  open();
  submit_deployment();
  turn();
  ASSERT_EQ(log_.waiting(), 1U);
  EXPECT_EQ(outbox_.take(), Left{});
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), Left{"answer 1 DEPLOYMENT CREATED"});

  submit_creation();
  turn();
  ASSERT_EQ(log_.waiting(), 1U) << "all records of a command are one frame";
  EXPECT_EQ(activatable_jobs(), 1) << "the job is there, but nobody may know";
  turn();
  EXPECT_EQ(outbox_.take(), Left{});
  EXPECT_LT(told_, log_.last_position());
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), (Left{"answer 2 PROCESS_INSTANCE_CREATION CREATED", "job work"}));
  EXPECT_EQ(told_, log_.last_position());
}

TEST_F(CommitTest, a_refusal_is_answered_after_it_is_committed) {
  open();
  submit(record::JobIntent::Complete, Key{1}, record::JobRecord{});
  turn();
  ASSERT_EQ(log_.waiting(), 1U);
  EXPECT_EQ(outbox_.take(), Left{});
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), Left{"answer 1 JOB COMPLETE"});
}

TEST_F(CommitTest, answers_leave_as_far_as_the_log_is_committed) {
  open();
  deploy();
  submit_creation();
  submit_creation();
  submit_creation();
  turn();
  ASSERT_EQ(log_.waiting(), 3U);
  EXPECT_EQ(outbox_.take(), Left{});
  log_.commit_one();
  turn();
  EXPECT_EQ(outbox_.take(), (Left{"answer 2 PROCESS_INSTANCE_CREATION CREATED", "job work"}));
  log_.commit_one();
  turn();
  EXPECT_EQ(outbox_.take(), (Left{"answer 3 PROCESS_INSTANCE_CREATION CREATED", "job work"}));
  // The power fails before the third is on the disk: it never happened, and nobody was notified.
  log_.lose_what_waits();
  open();
  settle();
  EXPECT_EQ(activatable_jobs(), 2);
  EXPECT_EQ(outbox_.take(), Left{});
}

TEST_F(CommitTest, commands_to_other_partitions_leave_after_commit) {
  PartitionOptions options;
  options.engine.partition_count = 2;
  open(options);
  submit_deployment();
  turn();
  ASSERT_EQ(log_.waiting(), 1U);
  EXPECT_EQ(outbox_.take(), Left{});
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), Left{"send 2 DEPLOYMENT CREATE"});

  record::CommandDistributionRecord acknowledge;
  acknowledge.partition_id = PartitionId{2};
  partition_->receive(make_command(record::CommandDistributionIntent::Acknowledge,
                                   outbox_.last_sent.head.key, acknowledge));
  turn();
  EXPECT_EQ(outbox_.take(), Left{}) << "it was acknowledged, but that is not committed";
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), Left{"answer 1 DEPLOYMENT CREATED"});
}

// Resent commands depend on the state, and the state may be ahead of the log.
TEST_F(CommitTest, what_is_sent_again_leaves_after_what_was_processed_before_it) {
  PartitionOptions options;
  options.engine.partition_count = 2;
  open(options);
  submit_deployment();
  settle();
  EXPECT_EQ(outbox_.take(), Left{"send 2 DEPLOYMENT CREATE"});
  clock_.pass(Milliseconds{6s});  // the partition notices that no acknowledgement has come back
  settle();
  EXPECT_EQ(outbox_.take(), Left{"answer 1 DEPLOYMENT CREATED"}) << "it need not wait longer";
  submit_creation();
  turn();
  ASSERT_EQ(log_.waiting(), 1U);
  clock_.pass(Milliseconds{60s});
  turn();
  EXPECT_EQ(outbox_.take(), Left{});
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take(), (Left{"answer 2 PROCESS_INSTANCE_CREATION CREATED",
                                  "send 2 DEPLOYMENT CREATE", "job work"}));
}

// Such a command writes no record that its batch could wait for: here a second sweep of expired
// messages, which finds that the first has removed them all.
TEST_F(CommitTest, a_command_that_comes_to_nothing_lets_nothing_out_early) {
  PartitionOptions options;
  options.engine.batch_commands_max = 1;
  open(options);
  deploy();
  record::MessageRecord message;
  message.name = "paid";
  message.time_to_live = Milliseconds{1s};
  submit(record::MessageIntent::Publish, Key{}, message);
  settle();
  outbox_.take();
  for (int i = 0; i < 5; ++i)
    submit_creation();  // due commands come after the commands that these leave
  turn();
  clock_.pass(Milliseconds{120s});
  int turns_without_records = 0;
  for (int i = 0; i < 100 && partition_->engine().has_pending(); ++i) {
    const std::size_t before = log_.waiting();
    turn();
    if (log_.waiting() == before) ++turns_without_records;
    EXPECT_EQ(outbox_.take(), Left{});
  }
  EXPECT_GT(turns_without_records, 0);
  log_.commit_now();
  turn();
  EXPECT_EQ(outbox_.take().size(), 10U) << "five answers and five jobs";
}

TEST_F(CommitTest, a_checkpoint_waits_for_the_log) {
  open();
  submit_deployment();
  turn();
  ASSERT_EQ(log_.waiting(), 1U);
  partition_->begin_checkpoint();
  for (int i = 0; i < 10; ++i) turn();
  EXPECT_TRUE(is_store_empty()) << "the state is ahead of the log";
  EXPECT_TRUE(partition_->is_checkpointing());
  log_.commit_now();
  settle();
  EXPECT_FALSE(is_store_empty());
  EXPECT_EQ(partition_->stats().checkpoint_position.load(), log_.committed_position().value());
}

// Recovery needs both here: the log no longer has the deployment, and the checkpoint has neither
// the second instance nor the command that waits to be processed.
TEST_F(CommitTest, the_log_is_released_behind_a_checkpoint_and_recovery_uses_both) {
  PartitionOptions options;
  options.engine.batch_commands_max = 1;
  open(options);
  deploy();
  submit_creation();
  settle();
  EXPECT_EQ(log_.first_position(), Position{1});
  partition_->begin_checkpoint();
  settle();
  const Position checkpoint{partition_->stats().checkpoint_position.load()};
  EXPECT_EQ(checkpoint, log_.last_position());
  submit_creation();
  settle();
  EXPECT_EQ(log_.first_position().value(), checkpoint.value() + 1)
      << "what the checkpoint has is released, and nothing else";
  submit_creation();
  partition_->run_once();
  log_.commit_now();
  ASSERT_TRUE(partition_->engine().has_pending()) << "the creation's first command waits";
  const std::string dump = partition_->engine().state().database().dump();

  open(options);
  EXPECT_EQ(partition_->stats().checkpoint_position.load(), checkpoint.value());
  EXPECT_EQ(partition_->stats().replayed_records.load(),
            log_.last_position().value() - checkpoint.value());
  EXPECT_TRUE(partition_->engine().state().database().dump() == dump);
  EXPECT_TRUE(partition_->engine().has_pending());
  settle();
  EXPECT_EQ(activatable_jobs(), 3) << "one of the checkpoint, one of the log, one that waited";
}

TEST_F(CommitTest, the_log_keeps_what_is_not_exported) {
  open();
  partition_->set_exported(Position{0});
  deploy();
  partition_->begin_checkpoint();
  settle();
  submit_creation();
  settle();
  EXPECT_EQ(log_.first_position(), Position{1});
  partition_->set_exported(log_.last_position());
  settle();
  EXPECT_EQ(log_.first_position().value(), partition_->stats().checkpoint_position.load() + 1);
}

}  // namespace
}  // namespace beeline::stream
