#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "exporter/runner.h"
#include "http/metrics_text.h"
#include "stream/stats.h"

namespace beeline::server {

// The metrics of one partition.
struct PartitionMetrics {
  PartitionId id;
  const stream::PartitionStats* stats = nullptr;
  stream::JobCountsByType jobs;
  std::vector<exporter::RunnerStatus> exporters;
};

struct MetricsInput {
  Timestamp now;
  Timestamp started_at;
  std::vector<PartitionMetrics> partitions;  // empty while the server starts
};

// Returns all metrics in Prometheus' text format.
[[nodiscard]] std::string metrics_text(const MetricsInput& input);

}  // namespace beeline::server
