#include "stream/partition_set.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/io_error.h"
#include "journal/memory_log.h"

namespace beeline::stream {
namespace {

// The disk of the machine, which may refuse every new file as full.
class FullDisk final : public journal::Disk {
 public:
  [[nodiscard]] std::unique_ptr<journal::File> open(const std::string& path,
                                                    journal::OpenMode mode) override {
    if (is_full && mode == journal::OpenMode::Create) throw IoError(ENOSPC, "create " + path);
    return disk_.open(path, mode);
  }
  void rename(const std::string& from, const std::string& to) override { disk_.rename(from, to); }
  void remove(const std::string& path) override { disk_.remove(path); }
  [[nodiscard]] std::vector<std::string> list(const std::string& directory) override {
    return disk_.list(directory);
  }
  [[nodiscard]] bool exists(const std::string& path) override { return disk_.exists(path); }
  void create_directory(const std::string& path) override {
    if (is_full && !disk_.exists(path)) throw IoError(ENOSPC, "create " + path);
    disk_.create_directory(path);
  }
  void sync_directory(const std::string& path) override { disk_.sync_directory(path); }
  [[nodiscard]] std::unique_ptr<journal::DirectoryLock> lock(const std::string& path) override {
    return disk_.lock(path);
  }

  bool is_full = false;

 private:
  journal::PosixDisk disk_;
};

class PartitionSetTest : public ::testing::Test {
 protected:
  PartitionSetTest() {
    std::string name = (std::filesystem::temp_directory_path() / "beeline-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    options_.directory = directory_.string();
    options_.count = 2;
    options_.journal.segment_bytes = 1 << 20;
  }
  ~PartitionSetTest() override { std::filesystem::remove_all(directory_); }

  static SubmitResult submit(PartitionPort& port) {
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "p";
    return port.submit(
        {}, make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation), {});
  }

  std::filesystem::path directory_;
  PartitionSetOptions options_;
  FullDisk disk_;
  SystemClock clock_;
};

TEST_F(PartitionSetTest, opens_when_there_is_room_and_its_ports_say_so_until_then) {
  PartitionSet set(options_, disk_, clock_);
  PartitionPort& port = set.partition(PartitionId{2});
  EXPECT_EQ(submit(port), SubmitResult::Stopped);
  EXPECT_EQ(port.condition().reason, "The partition is not open yet.");
  disk_.is_full = true;
  EXPECT_FALSE(set.open());
  EXPECT_FALSE(set.open());
  EXPECT_EQ(submit(set.partition(PartitionId{1})), SubmitResult::DiskFull);
  EXPECT_NE(set.partition(PartitionId{1}).condition().reason.find("The disk is full"),
            std::string::npos);
  disk_.is_full = false;
  ASSERT_TRUE(set.open());
  set.start();
  EXPECT_EQ(submit(port), SubmitResult::Accepted);
  EXPECT_EQ(port.condition().health, Health::Healthy);
  set.stop();
}

TEST_F(PartitionSetTest, takes_its_logs_from_the_factory) {
  std::vector<std::pair<std::int32_t, std::string>> made;
  options_.log_factory = [&](PartitionId id, const std::string& folder) {
    made.emplace_back(id.value(), folder);
    return std::make_unique<journal::MemoryLog>();
  };
  PartitionSet set(options_, disk_, clock_);
  ASSERT_TRUE(set.open());
  set.start();
  EXPECT_EQ(submit(set.partition(PartitionId{2})), SubmitResult::Accepted);
  set.stop();
  EXPECT_GT(set.log(PartitionId{2}).committed_position(), Position{0});
  EXPECT_EQ(made, (std::vector<std::pair<std::int32_t, std::string>>{
                      {1, options_.directory + "/partition-1"},
                      {2, options_.directory + "/partition-2"}}));
  EXPECT_FALSE(disk_.exists(options_.directory + "/partition-1/journal"));
}

}  // namespace
}  // namespace beeline::stream
