#include "journal/data_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/io_error.h"
#include "tests/support/faulty_disk.h"

namespace beeline::journal {
namespace {

using testing::FaultyDisk;

std::string error_of(Disk& disk, const std::string& path) {
  try {
    const DataDirectory directory(disk, path);
  } catch (const DataDirectoryError& error) {
    return error.what();
  }
  return "";
}

TEST(DataDirectory, opens_again_what_it_made) {
  FaultyDisk disk;
  { const DataDirectory directory(disk, "data"); }
  disk.crash(FaultyDisk::Crash::LosesUnsynced);
  EXPECT_EQ(disk.bytes("data/beeline.format"), "beeline data, format 1\n");
  EXPECT_EQ(error_of(disk, "data"), "");
}

TEST(DataDirectory, keeps_what_was_decided_first) {
  FaultyDisk disk;
  {
    DataDirectory directory(disk, "data");
    EXPECT_EQ(directory.keep("partitions", "3"), "3");
    EXPECT_EQ(directory.keep("partitions", "4"), "3");
  }
  disk.crash(FaultyDisk::Crash::LosesUnsynced);
  EXPECT_EQ(disk.bytes("data/beeline.partitions"), "3\n");
  DataDirectory directory(disk, "data");
  EXPECT_EQ(directory.keep("partitions", "5"), "3");
}

TEST(DataDirectory, leaves_a_foreign_directory_alone) {
  FaultyDisk disk;
  (void)disk.open("data/holiday.jpg", OpenMode::Create);
  EXPECT_EQ(
      error_of(disk, "data"),
      "data contains files that are not beeline's; choose an empty or new directory with --data");
  EXPECT_EQ(disk.list("data"), std::vector<std::string>{"holiday.jpg"});
}

TEST(DataDirectory, refuses_the_format_of_another_version) {
  FaultyDisk disk;
  { const DataDirectory directory(disk, "data"); }
  disk.set_bytes("data/beeline.format", "beeline data, format 2\n");
  EXPECT_EQ(error_of(disk, "data"),
            "data was written by a version of beeline that this one cannot read ('beeline data, "
            "format 2'); use the version that wrote it or choose another --data");
}

TEST(DataDirectory, can_be_opened_after_any_call_failed_and_the_power_went) {
  for (std::uint64_t n = 1;; ++n) {
    FaultyDisk disk(n);
    disk.fail_call(n, EIO);
    bool has_failed = false;
    try {
      const DataDirectory directory(disk, "data");
    } catch (const IoError&) {
      has_failed = true;
    }
    disk.crash(FaultyDisk::Crash::Random);
    EXPECT_EQ(error_of(disk, "data"), "") << "call " << n;
    if (!has_failed) break;
  }
}

class RealDataDirectory : public ::testing::Test {
 protected:
  RealDataDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "beeline_data_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~RealDataDirectory() override { std::filesystem::remove_all(path_); }

  std::string path_;
  PosixDisk disk_;
};

TEST_F(RealDataDirectory, belongs_to_one_user_at_a_time) {
  const std::string data = path_ + "/some/where/new";
  {
    const DataDirectory first(disk_, data);
    EXPECT_EQ(error_of(disk_, data),
              data + " is in use by another process; stop it or choose another --data");
  }
  EXPECT_EQ(error_of(disk_, data), "");
}

TEST_F(RealDataDirectory, cannot_be_a_file) {
  EXPECT_THROW(DataDirectory(disk_, "/dev/null"), IoError);
}

}  // namespace
}  // namespace beeline::journal
