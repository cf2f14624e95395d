#include "server/metrics.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace beeline::server {
namespace {

TEST(Metrics, say_everything_of_every_partition) {
  stream::PartitionStats first;
  first.commands_processed = 7;
  first.incidents_open = 2;
  first.checkpoint_millis = 9'000;
  first.commit_latency.add(std::chrono::microseconds{300});
  stream::PartitionStats second;
  second.queue_depth = 5;

  MetricsInput input{.now = Timestamp{10'500}, .started_at = Timestamp{1'000}, .partitions = {}};
  input.partitions.push_back({.id = PartitionId{1}, .stats = &first, .jobs = {}, .exporters = {}});
  input.partitions.push_back({.id = PartitionId{2}, .stats = &second, .jobs = {}, .exporters = {}});
  input.partitions[0].jobs["b"] = {.activatable = 3, .activated = 2, .failed = 1};
  input.partitions[0].jobs["a"] = {.activatable = 1};
  exporter::RunnerStatus status{.name = "jsonl", .last_error = {}};
  status.acknowledged = Position{40};
  status.committed = Position{50};
  input.partitions[0].exporters.push_back(status);

  const std::string text = metrics_text(input);
  for (const std::string line : {
           "beeline_commands_processed_total{partition=\"1\"} 7\n",
           "beeline_commands_processed_total{partition=\"2\"} 0\n",
           "beeline_incidents_open{partition=\"1\"} 2\n",
           "beeline_queue_depth{partition=\"2\"} 5\n",
           "beeline_checkpoint_age_seconds{partition=\"1\"} 1.5\n",
           "beeline_checkpoint_age_seconds{partition=\"2\"} 9.5\n",
           "beeline_commit_latency_seconds_bucket{partition=\"1\",le=\"0.00025\"} 0\n",
           "beeline_commit_latency_seconds_bucket{partition=\"1\",le=\"0.0005\"} 1\n",
           "beeline_commit_latency_seconds_count{partition=\"1\"} 1\n",
           "beeline_jobs{partition=\"1\",type=\"b\",state=\"activatable\"} 3\n",
           "beeline_jobs{partition=\"1\",type=\"b\",state=\"failed\"} 1\n",
           "beeline_exporter_lag_records{partition=\"1\",exporter=\"jsonl\"} 10\n",
           "# TYPE beeline_commands_refused_total counter\n",
       }) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_LT(text.find("type=\"a\""), text.find("type=\"b\""));
}

TEST(Metrics, each_family_is_written_once_and_before_its_samples) {
  const std::string text = metrics_text({});
  EXPECT_EQ(text.find("# TYPE beeline_jobs gauge"), text.rfind("# TYPE beeline_jobs gauge"));
  EXPECT_NE(text.find("beeline_info{version=\""), std::string::npos);
}

}  // namespace
}  // namespace beeline::server
