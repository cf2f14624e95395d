#include "server/watchdog.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "record/values.h"

namespace beeline::server {
namespace {

using std::chrono::milliseconds;

// A partition whose thread can be blocked in a command.
class WatchdogTest : public ::testing::Test {
 protected:
  WatchdogTest() {
    std::string name = (std::filesystem::temp_directory_path() / "beeline-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    stream::PartitionSetOptions options;
    options.directory = directory_.string();
    options.journal.segment_bytes = 1 << 20;
    options.partition.engine.before_command = [this](const record::Metadata&) {
      is_in_command_ = true;
      while (is_held_) std::this_thread::sleep_for(milliseconds{1});
    };
    partitions_ = std::make_unique<stream::PartitionSet>(options, disk_, clock_);
    EXPECT_TRUE(partitions_->open());
    partitions_->start();
  }
  ~WatchdogTest() override {
    is_held_ = false;
    partitions_.reset();
    std::filesystem::remove_all(directory_);
  }
  [[nodiscard]] stream::Condition condition() {
    return partitions_->partition(PartitionId{1}).condition();
  }

  std::atomic<bool> is_held_{true};
  std::atomic<bool> is_in_command_{false};
  std::filesystem::path directory_;
  journal::PosixDisk disk_;
  SystemClock clock_;
  std::unique_ptr<stream::PartitionSet> partitions_;
};

TEST_F(WatchdogTest, a_partition_that_does_not_come_to_its_next_command_is_reported_until_it_does) {
  int looks = 0;
  Watchdog watchdog(*partitions_, Milliseconds{5'000}, [&] { ++looks; });
  const auto begin = Watchdog::SteadyClock::now();
  ASSERT_EQ(
      partitions_->partition(PartitionId{1})
          .submit({},
                  stream::make_command(record::JobIntent::Complete, Key{4711}, record::JobRecord{}),
                  {}),
      stream::SubmitResult::Accepted);
  while (!is_in_command_) std::this_thread::yield();
  watchdog.look(begin);
  watchdog.look(begin + milliseconds{4'999});
  EXPECT_EQ(condition().health, stream::Health::Healthy);
  watchdog.look(begin + milliseconds{6'000});
  EXPECT_EQ(condition().health, stream::Health::Unhealthy);
  EXPECT_EQ(condition().reason,
            "It has been busy for 6000 ms with command JOB COMPLETE with key 4711 at position 1.");
  EXPECT_EQ(partitions_->stats(PartitionId{1}).stalled.load(), 1);
  EXPECT_EQ(partitions_->stats(PartitionId{1}).stalls.load(), 1);
  EXPECT_EQ(looks, 3);

  is_held_ = false;
  const std::int64_t held_at = partitions_->activity(PartitionId{1}).count();
  while (partitions_->activity(PartitionId{1}).count() == held_at) std::this_thread::yield();
  watchdog.look(begin + milliseconds{7'000});
  EXPECT_EQ(condition().health, stream::Health::Healthy);
  EXPECT_EQ(partitions_->stats(PartitionId{1}).stalled.load(), 0);
  EXPECT_EQ(partitions_->stats(PartitionId{1}).stalls.load(), 1);
}

}  // namespace
}  // namespace beeline::server
