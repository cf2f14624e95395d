#include "exporter/position_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "exporter/export_test_support.h"

namespace beeline::exporter {
namespace {

TEST(PositionFile, has_no_position_at_first_and_then_the_last_one_written) {
  const TemporaryDirectory directory;
  journal::PosixDisk disk;
  PositionFile file(disk, directory.path("positions"), "jsonl");
  EXPECT_EQ(file.read(), std::nullopt);
  file.write(Position{7});
  file.write(Position{4711});
  EXPECT_EQ(file.read(), Position{4711});
  EXPECT_EQ(PositionFile(disk, directory.path("positions"), "jsonl").read(), Position{4711});
}

TEST(PositionFile, refuses_content_that_is_no_position_and_names_the_file) {
  const TemporaryDirectory directory;
  journal::PosixDisk disk;
  const PositionFile file(disk, directory.path(), "jsonl");
  for (const std::string content : {"", "12", "x\n", "-3\n", "12x\n", "99999999999999999999\n"}) {
    std::ofstream(file.path()) << content;
    try {
      (void)file.read();
      FAIL() << content;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(file.path()), std::string::npos);
    }
  }
}

TEST(PositionFile, has_the_old_position_or_the_new_one_whichever_call_fails) {
  const TemporaryDirectory directory;
  FailingDisk disk;
  PositionFile file(disk, directory.path("positions"), "jsonl");
  file.write(Position{1});
  for (std::int64_t position = 2, failing = 1;; ++position, ++failing) {
    const Position before = *file.read();
    disk.calls = 0;
    disk.failing_call = failing;
    try {
      file.write(Position{position});
      EXPECT_GT(failing, 4);
      break;
    } catch (const IoError&) {
      disk.failing_call = -1;
      const auto after = file.read();
      EXPECT_TRUE(after == before || after == Position{position});
    }
  }
}

TEST(PositionFile, a_position_beyond_the_log_says_that_the_log_has_lost_something) {
  const TemporaryDirectory directory;
  journal::PosixDisk disk;
  check_exported_positions(disk, directory.path("nothing"), Position{0});
  PositionFile(disk, directory.path(), "jsonl").write(Position{7});
  check_exported_positions(disk, directory.path(), Position{7});
  try {
    check_exported_positions(disk, directory.path(), Position{6});
    FAIL() << "a log that ends before what was exported was believed";
  } catch (const std::runtime_error& error) {
    const std::string reason = error.what();
    EXPECT_TRUE(reason.starts_with(directory.path("jsonl.position") +
                                   " records that position 7 was exported, but the log ends at 6"))
        << reason;
  }
}

}  // namespace
}  // namespace beeline::exporter
