#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <future>
#include <optional>

#include "base/io_error.h"
#include "bpmn/builder.h"
#include "journal/journal.h"
#include "record/codec.h"
#include "record/values.h"
#include "stream/partition.h"
#include "tests/support/faulty_disk.h"

namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words

class DiskFullClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return Timestamp{now_.load()}; }
  void pass(Milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

// The outcome of a command.
struct Fate {
  SubmitResult submitted = SubmitResult::Stopped;
  std::optional<record::RecordType> answer;
  bool is_dropped = false;     // the handler was destroyed without an answer
  bool was_full_then = false;  // the result of condition() at that moment
  Key key;                     // of the record that answered
};

// A partition on a disk that fills and empties, on the test's thread.
class DiskFullTest : public ::testing::Test {
 protected:
  DiskFullTest() {
    open();
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> service_task("work", job("work")) >> bpmn::build::end())
                       .to_xml()});
    EXPECT_EQ(run(record::DeploymentIntent::Create, deployment)->answer, record::RecordType::Event);
  }

  void open() {
    partition_.reset();
    log_ = std::make_unique<journal::Journal>(disk_, "journal",
                                              journal::JournalSettings{.segment_bytes = 32 * 1024});
    PartitionOptions options;
    options.checkpoint_interval = Milliseconds{1'000};
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    partition_ = std::make_unique<Partition>(options, *log_, store_, clock_);
    partition_->recover();
  }

  template <typename T>
  std::shared_ptr<Fate> send(typename T::Intent intent, const T& value, Key key = Key{}) {
    auto fate = std::make_shared<Fate>();
    struct Notice {
      Notice(std::shared_ptr<Fate> f, const Partition& p) : fate(std::move(f)), partition(p) {}
      Notice(Notice&& other) = default;
      Notice& operator=(Notice&&) = delete;
      ~Notice() {
        if (fate == nullptr || fate->answer) return;
        fate->is_dropped = true;
        fate->was_full_then = partition.condition().is_disk_full;
      }
      std::shared_ptr<Fate> fate;
      const Partition& partition;
    };
    fate->submitted =
        partition_->submit({}, make_command(intent, key, value),
                           [notice = Notice(fate, *partition_)](const record::RecordView& record) {
                             notice.fate->answer = record.metadata.record_type;
                             notice.fate->key = record.metadata.key;
                           });
    return fate;
  }
  void turn() {
    partition_->run_once();
    log_->commit_now();
    partition_->let_out();
  }
  template <typename T>
  std::shared_ptr<Fate> run(typename T::Intent intent, const T& value) {
    auto fate = send(intent, value);
    turn();
    return fate;
  }
  std::shared_ptr<Fate> send_creation() {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "p";
    creation.variables.entries = {{"text", "\"" + std::string(2'000, 'x') + "\""}};
    return send(record::ProcessInstanceCreationIntent::Create, creation);
  }
  // Creates instances until the disk is full, and returns the fate of the last one.
  std::shared_ptr<Fate> fill() {
    disk_.set_room(0);
    for (int i = 0; i < 1'000; ++i) {
      auto fate = send_creation();
      turn();
      if (!fate->answer) return fate;
      ++created_;
    }
    ADD_FAILURE() << "the disk was never full";
    return nullptr;
  }

  DiskFullClock clock_;
  testing::FaultyDisk disk_;
  state::MemoryStore store_;
  std::unique_ptr<journal::Journal> log_;
  std::unique_ptr<Partition> partition_;
  int created_ = 0;
};

TEST_F(DiskFullTest, the_call_that_finds_the_disk_full_is_told_at_once_and_not_kept) {
  const auto last = fill();
  EXPECT_EQ(last->submitted, SubmitResult::Accepted);
  EXPECT_TRUE(last->is_dropped);
  EXPECT_TRUE(last->was_full_then);
  EXPECT_EQ(partition_->condition().health, Health::Unhealthy);
  EXPECT_NE(partition_->condition().reason.find("The disk is full: the log finds no room"),
            std::string::npos);
  EXPECT_EQ(partition_->stats().disk_full.load(), 1);
  EXPECT_EQ(send_creation()->submitted, SubmitResult::DiskFull);

  disk_.set_room(std::nullopt);
  turn();
  EXPECT_EQ(partition_->condition().health, Health::Healthy);
  EXPECT_EQ(partition_->stats().instances_active.load(), created_) << "nothing was kept";
  const auto next = send_creation();
  turn();
  EXPECT_EQ(next->answer, record::RecordType::Event);
  open();
  EXPECT_EQ(partition_->stats().instances_active.load(), created_ + 1);
}

TEST_F(DiskFullTest, those_who_wait_behind_it_are_told_too_and_what_nobody_waits_for_stays) {
  disk_.set_room(0);
  // One turn takes them all; somewhere among them the log is full.
  std::vector<std::shared_ptr<Fate>> fates;
  for (int i = 0; i < 200; ++i) fates.push_back(send_creation());
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "p";
  ASSERT_EQ(
      partition_->submit(
          {}, make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation), {}),
      SubmitResult::Accepted);
  turn();
  int answered = 0;
  for (const auto& fate : fates) {
    EXPECT_NE(fate->answer.has_value(), fate->is_dropped);
    if (fate->answer) ++answered;
    EXPECT_EQ(fate->was_full_then, fate->is_dropped);
  }
  EXPECT_GT(answered, 0);
  EXPECT_LT(answered, 200);
  disk_.set_room(std::nullopt);
  turn();
  EXPECT_EQ(partition_->stats().instances_active.load(), answered + 1);
}

TEST_F(DiskFullTest, a_checkpoint_without_room_is_no_failure_and_is_tried_again_every_second) {
  const auto checkpoint = [&] { return partition_->stats().checkpoint_position.load(); };
  const std::int64_t before = checkpoint();
  store_.set_full(true);
  ASSERT_TRUE(send_creation());
  turn();
  clock_.pass(Milliseconds{2'000});
  for (int i = 0; i < 3; ++i) turn();
  EXPECT_EQ(checkpoint(), before);
  EXPECT_TRUE(partition_->condition().is_disk_full);
  EXPECT_EQ(partition_->stats().disk_full.load(), 1);
  EXPECT_NE(partition_->condition().reason.find("the checkpoint finds no room"), std::string::npos);
  EXPECT_EQ(send_creation()->submitted, SubmitResult::DiskFull);

  store_.set_full(false);
  for (int i = 0; i < 3; ++i) turn();
  EXPECT_EQ(checkpoint(), before) << "it is not tried at every turn";
  clock_.pass(Milliseconds{1'000});
  for (int i = 0; i < 3; ++i) turn();
  EXPECT_GT(checkpoint(), before);
  EXPECT_EQ(partition_->condition().health, Health::Healthy);
  EXPECT_EQ(partition_->stats().disk_full.load(), 0);
  // The checkpoint contains the rows that were given back to it.
  open();
  EXPECT_EQ(partition_->stats().instances_active.load(), 1);
  EXPECT_EQ(partition_->stats().replayed_records.load(), 0);
}

TEST_F(DiskFullTest, stopping_without_room_for_the_last_checkpoint_is_no_failure) {
  bool has_failed = false;
  partition_->set_failure_callback([&](const std::string&) { has_failed = true; });
  store_.set_full(true);
  partition_->start();
  partition_->stop();
  EXPECT_FALSE(has_failed);
}

// Whoever waits for a read may ask again as soon as the read is dropped.
TEST_F(DiskFullTest, a_failure_drops_a_read_that_waits_for_its_commit_and_takes_no_other) {
  (void)send_creation();
  partition_->run_once();
  std::optional<SubmitResult> again;
  bool is_answered = false;
  {
    const std::shared_ptr<void> asks_again{
        nullptr, [&](void*) {
          again =
              partition_->read([](const engine::EngineState&) { return true; }, [](Position) {});
        }};
    ASSERT_EQ(partition_->read([](const engine::EngineState&) { return true; },
                               [asks_again, &is_answered](Position) { is_answered = true; }),
              SubmitResult::Accepted);
  }
  partition_->run_once();
  ASSERT_FALSE(again) << "the read waits for the instance that it has seen";
  disk_.fail_next_sync(EIO);
  EXPECT_THROW(log_->commit_now(), IoError);
  std::promise<void> failure;
  partition_->set_failure_callback([&](const std::string&) { failure.set_value(); });
  (void)send_creation();  // its append finds that the log has failed
  partition_->start();
  failure.get_future().wait();
  EXPECT_FALSE(is_answered);
  EXPECT_EQ(again, SubmitResult::Stopped);
  partition_->stop();
}

// Waiting callers learn the reason from condition(), which must still work then.
TEST_F(DiskFullTest, a_failure_tells_those_who_wait_and_they_may_ask_why) {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "p";
  const auto waiting =
      run(record::ProcessInstanceCreationIntent::CreateWithAwaitingResult, creation);
  ASSERT_FALSE(waiting->answer);
  std::promise<std::string> failure;
  partition_->set_failure_callback([&](const std::string& reason) { failure.set_value(reason); });
  store_.fail_next_write();
  clock_.pass(Milliseconds{2'000});
  partition_->start();
  EXPECT_NE(failure.get_future().get().find("cannot write the checkpoint"), std::string::npos);
  EXPECT_TRUE(waiting->is_dropped);
  EXPECT_EQ(partition_->condition().health, Health::Dead);
  EXPECT_NE(partition_->condition().reason.find("cannot write the checkpoint"), std::string::npos);
  partition_->stop();
}

}  // namespace
}  // namespace beeline::stream
