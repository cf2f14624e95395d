#include "stream/partition.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "bpmn/builder.h"
#include "journal/memory_log.h"
#include "record/codec.h"
#include "record/frame.h"
#include "record/values.h"

namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words

class ManualClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return Timestamp{now_.load()}; }
  void pass(Milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

// A copy of an answer.
struct Answer {
  record::RecordType type;
  record::RejectionType rejection;
  std::string value;
};

class PartitionTest : public ::testing::Test {
 protected:
  void open(PartitionOptions options = {}) {
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    partition_ = std::make_unique<Partition>(options, *log_, store_, clock_);
    partition_->recover();
  }
  void restart() {
    partition_->stop();
    open();
    partition_->start();
  }

  template <typename T>
  std::future<Answer> send(typename T::Intent intent, Key key, const T& value) {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    const SubmitResult result = partition_->submit(
        {}, make_command(intent, key, value), [promise](const record::RecordView& record) {
          promise->set_value({record.metadata.record_type, record.metadata.rejection_type,
                              std::string{record.value}});
        });
    EXPECT_EQ(result, SubmitResult::Accepted);
    return future;
  }
  template <typename T>
  Answer call(typename T::Intent intent, Key key, const T& value) {
    auto future = send(intent, key, value);
    if (future.wait_for(std::chrono::seconds{60}) != std::future_status::ready) {
      ADD_FAILURE() << "no answer came";
      return {};
    }
    return future.get();
  }

  void deploy() {
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> service_task("work", job("work")) >> bpmn::build::end())
                       .to_xml()});
    EXPECT_EQ(call(record::DeploymentIntent::Create, Key{}, deployment).type,
              record::RecordType::Event);
  }
  Key create() {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "p";
    const Answer answer = call(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
    EXPECT_EQ(answer.type, record::RecordType::Event);
    return record::decode<record::ProcessInstanceCreationRecord>(answer.value).process_instance_key;
  }
  std::vector<Key> activate(Milliseconds timeout) {
    record::JobBatchRecord batch;
    batch.type = "work";
    batch.timeout = timeout;
    batch.max_jobs_to_activate = 10;
    const Answer answer = call(record::JobBatchIntent::Activate, Key{}, batch);
    return record::decode<record::JobBatchRecord>(answer.value).job_keys;
  }

  ManualClock clock_;
  std::unique_ptr<journal::LogStorage> log_ = std::make_unique<journal::MemoryLog>();
  state::MemoryStore store_;
  std::unique_ptr<Partition> partition_;
};

TEST_F(PartitionTest, what_was_acknowledged_is_there_after_a_restart) {
  open();
  partition_->start();
  deploy();
  create();
  restart();
  const std::vector<Key> jobs = activate(Milliseconds{60'000});
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(call(record::JobIntent::Complete, jobs.front(), record::JobRecord{}).type,
            record::RecordType::Event);
  restart();
  EXPECT_TRUE(activate(Milliseconds{60'000}).empty());
  EXPECT_EQ(partition_->stats().instances_active.load(), 0);
  partition_->stop();
}

TEST_F(PartitionTest, answers_to_an_earlier_life_reach_nobody_though_the_clock_stands_still) {
  open();
  partition_->start();
  deploy();
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "p";
  (void)send(record::ProcessInstanceCreationIntent::CreateWithAwaitingResult, Key{}, creation);
  const std::vector<Key> jobs = activate(Milliseconds{60'000});
  ASSERT_EQ(jobs.size(), 1U);
  restart();
  activate(Milliseconds{60'000});
  // This is the second request of this run, as the one above was of the other.
  const auto second =
      send(record::ProcessInstanceCreationIntent::CreateWithAwaitingResult, Key{}, creation);
  call(record::JobIntent::Complete, jobs.front(), record::JobRecord{});
  activate(Milliseconds{60'000});
  EXPECT_EQ(second.wait_for(std::chrono::seconds{0}), std::future_status::timeout);
  partition_->stop();
}

TEST_F(PartitionTest, a_queue_that_is_full_refuses_and_keeps_what_it_has) {
  PartitionOptions options;
  options.queue_max = 2;
  open(options);
  // The partition is not started, so nothing is taken from the queue.
  const auto submit = [&] {
    return partition_->submit(
        {}, make_command(record::JobIntent::UpdateRetries, Key{1}, record::JobRecord{}), {});
  };
  EXPECT_EQ(submit(), SubmitResult::Accepted);
  EXPECT_EQ(submit(), SubmitResult::Accepted);
  EXPECT_EQ(submit(), SubmitResult::QueueFull);
  EXPECT_EQ(partition_->stats().commands_refused.load(), 1);
  EXPECT_TRUE(partition_->run_once());
  EXPECT_EQ(partition_->stats().commands_processed.load(), 2);
  EXPECT_EQ(submit(), SubmitResult::Accepted);
}

TEST_F(PartitionTest, a_queue_refuses_more_than_64_MiB_though_the_commands_are_few) {
  open();
  record::JobRecord job;
  job.error_message = std::string(std::size_t{4} << 20, 'x');
  const auto submit = [&](record::JobIntent intent, const record::JobRecord& value) {
    return partition_->submit({}, make_command(intent, Key{1}, value), {});
  };
  // The partition is not started, so nothing is taken from the queue.
  int accepted = 0;
  while (submit(record::JobIntent::UpdateRetries, job) == SubmitResult::Accepted) ++accepted;
  EXPECT_EQ(accepted, 15);
  EXPECT_EQ(submit(record::JobIntent::UpdateRetries, job), SubmitResult::QueueBytesFull);
  // A command that ends work is accepted beyond the limit, up to twice the limit.
  EXPECT_EQ(submit(record::JobIntent::Complete, job), SubmitResult::Accepted);
  while (submit(record::JobIntent::Complete, job) == SubmitResult::Accepted) ++accepted;
  EXPECT_EQ(accepted, 30);
  EXPECT_TRUE(partition_->run_once());
  EXPECT_EQ(submit(record::JobIntent::UpdateRetries, job), SubmitResult::Accepted);
}

TEST_F(PartitionTest, jobs_time_out_when_the_clock_says_so) {
  open();
  partition_->start();
  deploy();
  create();
  EXPECT_EQ(activate(Milliseconds{1000}).size(), 1U);
  EXPECT_TRUE(activate(Milliseconds{1000}).empty());
  clock_.pass(Milliseconds{1001});
  // The partition reads the clock by itself, at most a second later.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  std::vector<Key> jobs;
  while (jobs.empty() && std::chrono::steady_clock::now() < deadline) {
    jobs = activate(Milliseconds{60'000});
  }
  EXPECT_EQ(jobs.size(), 1U);
  partition_->stop();
}

TEST_F(PartitionTest, sleeps_until_something_is_due_and_looks_at_the_clock_ten_times_a_second) {
  open();
  EXPECT_EQ(partition_->sleep_time(), Milliseconds{1000}) << "nothing will be due";
  partition_->start();
  deploy();
  create();
  activate(Milliseconds{150});
  partition_->stop();
  EXPECT_EQ(partition_->sleep_time(), Milliseconds{100});
  clock_.pass(Milliseconds{120});
  EXPECT_EQ(partition_->sleep_time(), Milliseconds{30});
  clock_.pass(Milliseconds{120});
  EXPECT_EQ(partition_->sleep_time(), Milliseconds{1});
}

TEST_F(PartitionTest, due_commands_that_take_long_leave_others_their_turn) {
  open();
  partition_->start();
  deploy();
  for (int i = 0; i < 3; ++i) create();
  EXPECT_EQ(activate(Milliseconds{1000}).size(), 3U);
  partition_->stop();
  clock_.pass(Milliseconds{1001});
  PartitionOptions options;
  options.after_frame = [this](const engine::Engine&) { clock_.pass(Milliseconds{250}); };
  open(options);
  // Three timeouts are due. Each turn has time for one, and the others do not wait longer for it.
  for (int turn = 1; turn <= 3; ++turn) {
    partition_->run_once();
    EXPECT_EQ(partition_->stats().commands_processed.load(), turn);
  }
}

// Holds up the partition's thread behind its first frame.
class Hold {
 public:
  void wait() {
    std::unique_lock lock{mutex_};
    is_reached_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_over_; });
  }
  void await() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return is_reached_; });
  }
  void end() {
    const std::lock_guard lock{mutex_};
    is_over_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_reached_ = false;
  bool is_over_ = false;
};

TEST_F(PartitionTest, a_partition_that_stops_drops_what_clients_wait_for_and_does_the_rest) {
  Hold hold;
  PartitionOptions options;
  options.after_frame = [&](const engine::Engine&) { hold.wait(); };
  open(options);
  const record::JobRecord job;
  auto first = send(record::JobIntent::UpdateRetries, Key{1}, job);
  auto second = send(record::JobIntent::UpdateRetries, Key{1}, job);
  EXPECT_EQ(partition_->submit_internal(make_command(record::JobIntent::Yield, Key{1}, job)),
            SubmitResult::Accepted);
  partition_->start();
  hold.await();  // the first is processed, the others were taken from the queue
  std::thread stopping{[this] { partition_->stop(); }};
  while (partition_->submit_internal(make_command(record::JobIntent::Yield, Key{1}, job)) !=
         SubmitResult::Stopped) {
    std::this_thread::yield();
  }
  hold.end();
  stopping.join();
  EXPECT_EQ(first.get().type, record::RecordType::CommandRejection);
  EXPECT_THROW(second.get(), std::future_error);  // its handler is gone
}

TEST_F(PartitionTest, a_stopped_partition_refuses) {
  open();
  partition_->start();
  partition_->stop();
  EXPECT_EQ(partition_->submit(
                {}, make_command(record::JobIntent::Complete, Key{1}, record::JobRecord{}), {}),
            SubmitResult::Stopped);
}

TEST_F(PartitionTest, a_process_that_runs_in_circles_lets_others_have_their_turn) {
  open();
  partition_->start();
  deploy();
  record::DeploymentRecord deployment;
  deployment.resources.push_back(
      {"loop.bpmn",
       process("loop", start() >> exclusive_gateway("again") >> to("again")).to_xml()});
  ASSERT_EQ(call(record::DeploymentIntent::Create, Key{}, deployment).type,
            record::RecordType::Event);
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "loop";
  const Answer answer = call(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  ASSERT_EQ(answer.type, record::RecordType::Event);
  const Key loop =
      record::decode<record::ProcessInstanceCreationRecord>(answer.value).process_instance_key;
  create();
  EXPECT_EQ(activate(Milliseconds{60'000}).size(), 1U);
  EXPECT_EQ(call(record::ProcessInstanceIntent::Cancel, loop, record::ProcessInstanceRecord{}).type,
            record::RecordType::Event);
  partition_->stop();
}

TEST_F(PartitionTest, a_partition_that_stops_leaves_a_checkpoint_with_all_of_its_log) {
  open();
  partition_->start();
  deploy();
  create();
  partition_->stop();  // takes a checkpoint
  const std::uint64_t digest = partition_->engine().state().database().digest();
  open();
  EXPECT_EQ(partition_->stats().replayed_records.load(), 0);
  EXPECT_EQ(partition_->engine().state().database().digest(), digest);
}

TEST_F(PartitionTest, a_partition_that_stops_as_it_started_writes_no_checkpoint) {
  open();
  partition_->start();
  deploy();
  partition_->stop();
  open();
  bool has_failed = false;
  partition_->set_failure_callback([&](const std::string&) { has_failed = true; });
  store_.fail_next_write();
  partition_->start();
  partition_->stop();
  EXPECT_FALSE(has_failed);
}

// Records commands to other partitions; those for which `acknowledges` is true are acknowledged at
// once, as if the other partition had carried them out.
class RecordingTransport final : public Transport {
 public:
  explicit RecordingTransport(const std::unique_ptr<Partition>& origin) : origin_(origin) {}

  void send(PartitionId to, Command command) override {
    const Key key = command.head.key;
    int count = 0;
    {
      const std::lock_guard lock{mutex_};
      sent_.emplace_back(to, std::move(command));
      count = static_cast<int>(sent_.size());
    }
    arrived_.notify_all();
    if (count <= acknowledges_after.load()) return;
    record::CommandDistributionRecord acknowledge;
    acknowledge.partition_id = to;
    origin_->receive(
        make_command(record::CommandDistributionIntent::Acknowledge, key, acknowledge));
    ++acknowledged;
  }
  [[nodiscard]] std::size_t count() {
    const std::lock_guard lock{mutex_};
    return sent_.size();
  }
  // Waits for the n-th command.
  Command sent(std::size_t n) {
    std::unique_lock lock{mutex_};
    if (!arrived_.wait_for(lock, std::chrono::seconds{60}, [&] { return sent_.size() >= n; })) {
      ADD_FAILURE() << "command " << n << " was not sent";
      return {};
    }
    return sent_[n - 1].second;
  }

  std::atomic<int> acknowledges_after{0};  // this many are lost first
  std::atomic<int> acknowledged{0};

 private:
  const std::unique_ptr<Partition>& origin_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::pair<PartitionId, Command>> sent_;
};

class OriginTest : public PartitionTest {
 protected:
  void open_origin() {
    PartitionOptions options;
    options.engine.partition_count = 2;
    options.received_max = 2;
    open(options);
    partition_->set_transport(&transport_);
  }
  std::future<Answer> send_deployment() {
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> bpmn::build::end()).to_xml()});
    return send(record::DeploymentIntent::Create, Key{}, deployment);
  }
  void expect_answer(std::future<Answer>& answer) {
    ASSERT_EQ(answer.wait_for(std::chrono::seconds{60}), std::future_status::ready);
    EXPECT_EQ(answer.get().type, record::RecordType::Event);
  }

  RecordingTransport transport_{partition_};
};

TEST_F(PartitionTest, the_principal_of_a_client_is_on_the_log) {
  open();
  record::Principal alice;
  alice.kind = record::PrincipalKind::User;
  alice.id = "alice";
  const auto command = [] {
    return make_command(record::JobIntent::Complete, Key{1}, record::JobRecord{});
  };
  EXPECT_EQ(partition_->submit(alice, command(), nullptr), SubmitResult::Accepted);
  EXPECT_EQ(partition_->submit({}, command(), nullptr), SubmitResult::Accepted);
  EXPECT_EQ(partition_->submit_internal(command()), SubmitResult::Accepted);
  partition_->start();
  partition_->stop();
  std::vector<std::string> principals;
  const auto frames = log_->read_from(Position{1});
  while (const auto frame = frames->next()) {
    record::RecordReader reader{record::parse_frame(frame->bytes)->records};
    while (const auto each = reader.next()) {
      if (each->metadata.record_type != record::RecordType::Command) continue;
      principals.emplace_back(each->metadata.principal.bytes);
    }
  }
  EXPECT_EQ(principals, (std::vector<std::string>{record::encoded(alice).bytes, "", ""}));
}

TEST_F(OriginTest, a_deployment_is_answered_when_the_other_partition_has_acknowledged) {
  open_origin();
  partition_->start();
  std::future<Answer> answer = send_deployment();
  expect_answer(answer);
  const Command sent = transport_.sent(1);
  EXPECT_EQ(sent.head.value_type, record::ValueType::Deployment);
  EXPECT_EQ(partition_of(sent.head.key), PartitionId{1});
  EXPECT_EQ(sent.head.min_pending_key, sent.head.key);
  partition_->stop();
}

TEST_F(OriginTest, a_command_that_was_lost_is_sent_again_also_after_a_restart) {
  transport_.acknowledges_after = 2;
  open_origin();
  partition_->start();
  std::future<Answer> answer = send_deployment();
  const Command first = transport_.sent(1);
  clock_.pass(Milliseconds{6'000});
  expect_answer(answer);  // it need not wait any longer
  partition_->stop();
  open_origin();
  partition_->start();
  for (std::size_t n : {2U, 3U}) {
    // The partition reads the clock by itself, and lets some seconds pass in between.
    for (int i = 0; i < 600 && transport_.count() < n; ++i) {
      clock_.pass(Milliseconds{1'000});
      (void)call(record::JobIntent::Complete, Key{1}, record::JobRecord{});
    }
    const Command again = transport_.sent(n);
    EXPECT_EQ(again.head.key, first.head.key);
    EXPECT_EQ(again.value, first.value);
  }
  // A stop would drop an acknowledgement that was not processed. One that has arrived is processed
  // in the turn of the first call at the latest, and the second call has a later turn.
  while (transport_.acknowledged.load() == 0) std::this_thread::yield();
  for (int i = 0; i < 2; ++i) (void)call(record::JobIntent::Complete, Key{1}, record::JobRecord{});
  partition_->stop();
  EXPECT_EQ(partition_->engine().state().distributions().count(), 0U);
}

TEST_F(OriginTest, what_others_send_has_a_limit_of_its_own) {
  open_origin();
  const auto receive = [&] {
    partition_->receive(make_command(record::CommandDistributionIntent::Acknowledge, Key{1},
                                     record::CommandDistributionRecord{}));
  };
  for (int i = 0; i < 3; ++i) receive();
  EXPECT_EQ(partition_->stats().commands_dropped.load(), 1);
  EXPECT_EQ(partition_->submit(
                {}, make_command(record::JobIntent::Complete, Key{1}, record::JobRecord{}), {}),
            SubmitResult::Accepted);
  EXPECT_TRUE(partition_->run_once());
  EXPECT_EQ(partition_->stats().commands_processed.load(), 3);
}

TEST_F(PartitionTest, other_partitions_may_send_64_MiB_and_the_rest_is_dropped) {
  open();
  record::MessageSubscriptionRecord subscription;
  subscription.message_name = std::string(std::size_t{4} << 20, 'x');
  for (int i = 0; i < 20; ++i) {
    partition_->receive(
        make_command(record::MessageSubscriptionIntent::Create, Key{}, subscription));
  }
  EXPECT_EQ(partition_->stats().commands_dropped.load(), 5);
}

// A loop of gateways only is legal, and a token in it never waits.
Key start_spinning(const std::function<Answer(record::DeploymentRecord)>& deploy,
                   const std::function<Answer(record::ProcessInstanceCreationRecord)>& create) {
  record::DeploymentRecord deployment;
  deployment.resources.push_back(
      {"spin.bpmn", process("spin",
                            start() >> exclusive_gateway("in") >> exclusive_gateway("out") >>
                                default_flow() >> to("in"),
                            from("out") >> condition("done") >> bpmn::build::end())
                        .to_xml()});
  EXPECT_EQ(deploy(deployment).type, record::RecordType::Event);
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "spin";
  creation.variables.entries = {{"done", "false"}};
  return record::decode<record::ProcessInstanceCreationRecord>(create(creation).value)
      .process_instance_key;
}

TEST_F(PartitionTest, an_instance_that_never_waits_does_not_keep_checkpoints_away) {
  PartitionOptions options;
  options.checkpoint_records = 2'000;
  open(options);
  partition_->start();
  deploy();
  const Key spinner = start_spinning(
      [&](const auto& value) { return call(record::DeploymentIntent::Create, Key{}, value); },
      [&](const auto& value) {
        return call(record::ProcessInstanceCreationIntent::Create, Key{}, value);
      });
  std::int64_t checkpoint = 0;
  for (int seen = 0; seen < 3; ++seen) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (partition_->stats().checkpoint_position.load() == checkpoint) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "no checkpoint after " << checkpoint;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    checkpoint = partition_->stats().checkpoint_position.load();
    create();  // other instances run beside it
  }
  partition_->stop();
  EXPECT_GT(log_->first_position(), Position{2'000}) << "what the checkpoints have is let go";
  EXPECT_EQ(partition_->stats().replayed_records.load(), 0);
  const std::uint64_t digest = partition_->engine().state().database().digest();
  EXPECT_TRUE(partition_->engine().has_pending());
  const Position last = partition_->engine().last_position();

  open(options);
  EXPECT_EQ(partition_->stats().checkpoint_position.load(), last.value())
      << "the last one was taken at the end";
  EXPECT_EQ(partition_->stats().replayed_records.load(), 0);
  EXPECT_EQ(partition_->engine().state().database().digest(), digest);
  EXPECT_TRUE(partition_->engine().has_pending());
  partition_->start();
  create();
  EXPECT_EQ(
      call(record::ProcessInstanceIntent::Cancel, spinner, record::ProcessInstanceRecord{}).type,
      record::RecordType::Event);
  constexpr std::int64_t kOthers = 4;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (partition_->stats().instances_active.load() != kOthers) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "it was not canceled";
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  partition_->stop();
}

}  // namespace
}  // namespace beeline::stream
