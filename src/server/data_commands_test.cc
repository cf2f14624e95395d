#include "server/data_commands.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "record/record.h"
#include "server/server_test_support.h"

namespace beeline::server {
namespace {

class DataCommandsTest : public ServerFixture {
 protected:
  std::string inspect_text(InspectOptions options = {}) {
    options.data = settings_.data;
    out_.str("");
    EXPECT_EQ(inspect(options, out_, errors_), 0) << errors_.str();
    return out_.str();
  }

  std::ostringstream out_;
  std::ostringstream errors_;
};

TEST_F(DataCommandsTest, inspect_prints_the_log_and_the_state) {
  start();
  deploy_one_task();
  create_instance();
  stop();
  const auto text = inspect_text();
  EXPECT_TRUE(text.starts_with("# partition 1\n1 C DEPLOYMENT CREATE")) << text;
  EXPECT_NE(text.find("JOB CREATED"), std::string::npos) << text;
  EXPECT_NE(text.find("\n# state of partition 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\njobs "), std::string::npos) << text;
  EXPECT_NE(text.find("\"bench-work\""), std::string::npos) << text;
}

TEST_F(DataCommandsTest, inspect_names_elements_and_shortens_long_values_unless_told) {
  start();
  deploy_one_task();
  create_instance();
  stop();
  const auto text = inspect_text();
  EXPECT_NE(text.find(R"({"elementId":"bench-one-task",)"), std::string::npos) << text;
  EXPECT_NE(text.find("...\" ("), std::string::npos) << text;
  for (std::istringstream lines(text); !lines.eof();) {
    std::string line;
    std::getline(lines, line);
    EXPECT_LT(line.size(), 2'100U) << line;
  }
  out_.str("");
  const auto full = inspect_text({.data = {}, .full = true});
  EXPECT_EQ(full.find("...\" ("), std::string::npos);
  EXPECT_GT(full.size(), text.size());
}

TEST_F(DataCommandsTest, inspect_and_verify_show_all_partitions) {
  settings_.partitions.count = 2;
  start();
  deploy_one_task();
  stop();
  const auto text = inspect_text();
  EXPECT_NE(text.find("\n# partition 2\n1 C DEPLOYMENT CREATE"), std::string::npos) << text;
  EXPECT_NE(text.find("\nreceivedDistributions "), std::string::npos) << text;
  EXPECT_NE(text.find("\ndistributionFloors 1 "), std::string::npos) << text;
  EXPECT_EQ(verify(settings_.data, out_, errors_), 0) << errors_.str();
}

TEST_F(DataCommandsTest, inspect_prints_json_lines_from_a_position) {
  start();
  deploy_one_task();
  stop();
  std::istringstream all(inspect_text({.data = {}, .json = true}));
  int lines = 0;
  for (std::string line; std::getline(all, line); ++lines) {
    EXPECT_TRUE(line.starts_with('{') && line.ends_with('}')) << line;
  }
  EXPECT_GT(lines, 3);
  const auto rest = inspect_text({.data = {}, .json = true, .state = false, .from = 3});
  EXPECT_EQ(rest.find("\"position\":2,"), std::string::npos);
  EXPECT_NE(rest.find("\"position\":3,"), std::string::npos);
}

TEST_F(DataCommandsTest, verify_finds_the_log_and_the_checkpoint_in_agreement) {
  start();
  deploy_one_task();
  create_instance();
  stop();
  EXPECT_EQ(verify(settings_.data, out_, errors_), 0) << errors_.str();
  EXPECT_NE(out_.str().find("partition 1: "), std::string::npos);
  EXPECT_NE(out_.str().find("replay from the beginning leads to the same state"),
            std::string::npos);
}

TEST_F(DataCommandsTest, a_directory_that_is_not_ours_or_in_use_is_refused) {
  EXPECT_EQ(verify(directory_.string(), out_, errors_), 1);
  EXPECT_EQ(errors_.str(), "beeline: " + directory_.string() +
                               " is not a data directory of beeline; give one with --data.\n");
  start();
  errors_.str("");
  EXPECT_EQ(inspect({.data = settings_.data}, out_, errors_), 1);
  EXPECT_NE(errors_.str().find("is in use by another process"), std::string::npos);
}

}  // namespace
}  // namespace beeline::server
