#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <future>
#include <vector>

#include "bpmn/builder.h"
#include "journal/journal.h"
#include "record/codec.h"
#include "record/values.h"
#include "stream/partition.h"
#include "tests/support/faulty_disk.h"

// A write or a sync of the log fails: the partition stops, and starts again with everything that
// was acknowledged.
namespace beeline::stream {
namespace {

using namespace bpmn::build;  // NOLINT: the builder's words
using testing::FaultyDisk;

// A partition on a disk that fails, over several restarts.
class LogFailureTest : public ::testing::TestWithParam<FaultyDisk::Crash> {
 protected:
  void open() {
    log_ = std::make_unique<journal::Journal>(*disk_, "journal",
                                              journal::JournalSettings{.segment_bytes = 8 * 1024});
    PartitionOptions options;
    options.checkpoint_writes = state::Checkpointer::Writes::InStep;
    options.checkpoint_records = 40;
    partition_ = std::make_unique<Partition>(options, *log_, store_, clock_);
    partition_->recover();
  }
  void end() {
    partition_->stop();
    partition_.reset();
    log_.reset();
  }

  // Returns the value of the answer; empty if the partition stopped before there was one.
  template <typename T>
  std::string call(typename T::Intent intent, const T& value) {
    auto promise = std::make_shared<std::promise<std::string>>();
    std::future<std::string> future = promise->get_future();
    const SubmitResult result = partition_->submit({}, make_command(intent, Key{}, value),
                                                   [promise](const record::RecordView& record) {
                                                     promise->set_value(std::string{record.value});
                                                   });
    promise.reset();
    if (result != SubmitResult::Accepted) return {};
    if (future.wait_for(std::chrono::seconds{60}) != std::future_status::ready) {
      ADD_FAILURE() << "neither an answer nor an end";
      return {};
    }
    try {
      return future.get();
    } catch (const std::future_error&) {
      return {};
    }
  }
  void deploy() {
    record::DeploymentRecord deployment;
    deployment.resources.push_back(
        {"p.bpmn", process("p", start() >> service_task("work", job("work")) >> bpmn::build::end())
                       .to_xml()});
    ASSERT_FALSE(call(record::DeploymentIntent::Create, deployment).empty());
  }
  // Returns the acknowledged instances.
  std::vector<Key> create(int count) {
    std::vector<Key> keys;
    for (int i = 0; i < count; ++i) {
      record::ProcessInstanceCreationRecord creation;
      creation.bpmn_process_id = "p";
      const std::string answer = call(record::ProcessInstanceCreationIntent::Create, creation);
      if (answer.empty()) break;
      keys.push_back(
          record::decode<record::ProcessInstanceCreationRecord>(answer).process_instance_key);
    }
    return keys;
  }

  SystemClock clock_;
  std::unique_ptr<FaultyDisk> disk_;
  state::MemoryStore store_;
  std::unique_ptr<journal::Journal> log_;
  std::unique_ptr<Partition> partition_;
};

constexpr int kInstances = 12;

TEST_P(LogFailureTest, the_directory_can_be_opened_whichever_call_fails) {
  bool has_failed = true;
  int failures = 0;
  for (std::uint64_t nth = 1; has_failed; ++nth) {
    SCOPED_TRACE(nth);
    disk_ = std::make_unique<FaultyDisk>();
    store_ = state::MemoryStore{};
    open();
    std::atomic<bool> is_stopped = false;
    partition_->set_failure_callback([&](const std::string&) { is_stopped = true; });
    partition_->start();
    deploy();
    disk_->fail_call(nth, EIO);
    const std::vector<Key> acknowledged = create(kInstances);
    end();
    has_failed = is_stopped;
    if (has_failed) ++failures;
    if (!has_failed) {
      EXPECT_EQ(acknowledged.size(), static_cast<std::size_t>(kInstances));
    }

    disk_->fail_call(0, 0);
    disk_->crash(GetParam());
    ASSERT_NO_THROW(open());
    for (const Key instance : acknowledged) {
      EXPECT_NE(partition_->engine().state().element_instances().find(instance), nullptr);
    }
    partition_->start();
    EXPECT_EQ(create(1).size(), 1U);
    end();
    ASSERT_LT(nth, 300U);
  }
  EXPECT_GT(failures, kInstances) << "each instance took a write and a sync";
}

INSTANTIATE_TEST_SUITE_P(Crashes, LogFailureTest,
                         ::testing::Values(FaultyDisk::Crash::LosesUnsynced,
                                           FaultyDisk::Crash::KeepsUnsynced));

}  // namespace
}  // namespace beeline::stream
