#include "load/workload.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

namespace beeline::load {
namespace {

TEST(Workload, is_read_with_defaults_for_what_is_missing) {
  const auto workload = parse_workload(
      "name = 'x'\nprocess-id = 'p'\nbpmn = '<a/>'\nvariables = '{\"a\":1}'\n[worker]\n"
      "job-type = 'work'\njobs-per-instance = 2\nsource = 'stream'\ncount = 3\n",
      ".");
  ASSERT_TRUE(workload.has_value()) << workload.error();
  EXPECT_EQ(workload->process_id, "p");
  EXPECT_EQ(workload->bpmn, "<a/>");
  EXPECT_EQ(workload->variables, "{\"a\":1}");
  EXPECT_EQ(workload->job_source, JobSource::Stream);
  EXPECT_EQ(workload->jobs_per_instance, 2);
  EXPECT_EQ(workload->workers, 3);
  EXPECT_EQ(workload->jobs_max, 64);
}

TEST(Workload, mistakes_are_told_in_a_sentence) {
  const std::pair<std::string, std::string> rows[] = {
      {"", "'name' is missing."},
      {"name = 'x'", "'process-id' is missing."},
      {"name = 1", "'name' in line 1 must be a string."},
      {"name = 'x'\nprocess-id = 'p'\nworker.jobs-per-instance = 1",
       "'worker.job-type' is missing."},
      {"name = 'x'\ncall = 'other'", "'call' in line 2 must be \"instance\" or \"topology\"."},
      {"worker.count = 0", "'worker.count' in line 1 must be a whole number of at least 1."},
      {"nmae = 'x'", "'nmae' in line 1 is not a setting of a workload."},
      {"name", "There is a mistake in line 1: Expected '=' behind 'name'."},
      {"bpmn-file = 'none.bpmn'", "The file /nowhere/none.bpmn cannot be read."},
  };
  for (const auto& [text, sentence] : rows) {
    const auto workload = parse_workload(text, "/nowhere");
    ASSERT_FALSE(workload.has_value()) << text;
    EXPECT_EQ(workload.error(), sentence);
  }
  EXPECT_EQ(read_workload("/nowhere/x.toml").error(),
            "The workload /nowhere/x.toml cannot be read.");
}

TEST(Workload, those_we_ship_are_right) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("bench/workloads")) {
    if (entry.path().extension() != ".toml") continue;
    const auto workload = read_workload(entry.path());
    EXPECT_TRUE(workload.has_value()) << workload.error();
    ++count;
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace beeline::load
