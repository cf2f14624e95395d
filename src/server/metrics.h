#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "exporter/runner.h"
#include "http/metrics_text.h"
#include "stream/stats.h"

namespace beeline::server {

// What /metrics says of one partition.
struct PartitionMetrics {
  PartitionId id;
  const stream::PartitionStats* stats = nullptr;
  stream::JobCountsByType jobs;
  std::vector<exporter::RunnerStatus> exporters;
};

struct MetricsInput {
  Timestamp now;
  Timestamp started_at;
  std::vector<PartitionMetrics> partitions;  // none while the server starts
};

// All metrics, in the form that Prometheus reads.
[[nodiscard]] std::string metrics_text(const MetricsInput& input);

}  // namespace beeline::server
