#include "server/repair_command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/data_commands.h"
#include "server/server_test_support.h"

namespace beeline::server {
namespace {

namespace fs = std::filesystem;

class RepairTest : public ServerFixture {
 protected:
  // A directory whose checkpoint is ahead of its log: the log is that of an earlier time.
  void let_the_checkpoint_be_ahead() {
    settings_.json_lines.directory = (directory_ / "export").string();
    start();
    deploy_one_task();
    create_instance();
    stop();
    const fs::path data = settings_.data;
    const fs::path earlier = directory_ / "earlier";
    fs::copy(data, earlier, fs::copy_options::recursive);
    fs::copy(directory_ / "export", directory_ / "earlier-export", fs::copy_options::recursive);
    start();
    create_instance();
    stop();
    fs::remove_all(earlier / "partition-1" / "checkpoint");
    fs::rename(data / "partition-1" / "checkpoint", earlier / "partition-1" / "checkpoint");
    fs::remove_all(data);
    fs::rename(earlier, data);
    fs::remove_all(directory_ / "export");
    fs::rename(directory_ / "earlier-export", directory_ / "export");
  }
  int run(bool accept_checkpoint = true) {
    out_.str("");
    errors_.str("");
    return repair({.data = settings_.data, .accept_checkpoint = accept_checkpoint}, out_, errors_);
  }
  [[nodiscard]] std::string exported() const {
    std::stringstream content;
    content << std::ifstream(directory_ / "export" / "partition-1.jsonl").rdbuf();
    return content.str();
  }
  static void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  }

  std::ostringstream out_;
  std::ostringstream errors_;
};

TEST_F(RepairTest, the_log_goes_on_behind_the_checkpoint_and_says_what_it_lacks) {
  let_the_checkpoint_be_ahead();
  expect_in("beeline repair", start_error());
  EXPECT_EQ(verify(settings_.data, out_, errors_), 1);
  expect_in("--accept-checkpoint", errors_.str());
  EXPECT_EQ(run(false), 1) << "it must be asked for";
  expect_in("--accept-checkpoint", errors_.str());
  expect_in("beeline repair", start_error());

  ASSERT_EQ(run(), 0) << errors_.str();
  std::int64_t first = 0;
  std::int64_t last = 0;
  ASSERT_EQ(std::sscanf(out_.str().substr(out_.str().find("Positions")).c_str(),
                        "Positions %ld to %ld", &first, &last),
            2)
      << out_.str();
  EXPECT_GT(first, 1);
  EXPECT_GT(last, first);
  const std::string positions = fmt::format("positions {} to {} are not on the log", first, last);

  start();
  create_instance();
  stop();
  out_.str("");
  EXPECT_EQ(verify(settings_.data, out_, errors_), 0) << errors_.str();
  expect_in(positions, out_.str());
  out_.str("");
  EXPECT_EQ(inspect({.data = settings_.data}, out_, errors_), 0) << errors_.str();
  expect_in(positions, out_.str());
  expect_in(fmt::format(R"({{"recordType":"GAP","partitionId":1,"firstPosition":{},)"
                        R"("lastPosition":{}}})",
                        first, last),
            exported());
  expect_in(fmt::format(R"("position":{},)", first - 1), exported());
  expect_in(fmt::format(R"("position":{},)", last + 1), exported());
  std::stringstream noted;
  noted << std::ifstream(fs::path(settings_.data) / "beeline.gaps").rdbuf();
  expect_in(fmt::format("1 {} {} ", first, last), noted.str());
}

TEST_F(RepairTest, a_log_that_begins_behind_the_gap_still_shows_it) {
  let_the_checkpoint_be_ahead();
  ASSERT_EQ(run(), 0) << errors_.str();
  // The segment is removed as if it was no longer needed.
  fs::remove(fs::path(settings_.data) / "partition-1" / "journal" / "segment-000000000001.log");
  start();
  create_instance();
  stop();
  out_.str("");
  EXPECT_EQ(inspect({.data = settings_.data}, out_, errors_), 0) << errors_.str();
  expect_in("are not on the log, which was repaired", out_.str());
}

TEST_F(RepairTest, a_directory_that_is_sound_is_left_alone) {
  start();
  deploy_one_task();
  stop();
  EXPECT_EQ(run(), 1);
  expect_in("needs repair", errors_.str());
  EXPECT_FALSE(fs::exists(fs::path(settings_.data) / "beeline.gaps"));
}

TEST_F(RepairTest, a_second_repair_finds_nothing_to_do) {
  let_the_checkpoint_be_ahead();
  ASSERT_EQ(run(), 0) << errors_.str();
  EXPECT_EQ(run(), 1);
  expect_in("needs repair", errors_.str());
}

TEST_F(RepairTest, a_directory_in_use_is_refused) {
  start();
  EXPECT_EQ(run(), 1);
  expect_in("is in use by another process", errors_.str());
}

}  // namespace
}  // namespace beeline::server
