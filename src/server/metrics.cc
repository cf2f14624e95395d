#include "server/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string_view>

#include "server/version.h"

namespace beeline::server {
namespace {

using http::MetricsText;
using http::MetricType;
using stream::DurationHistogram;
using stream::PartitionStats;

struct StatMetric {
  std::string_view name;
  MetricType type;
  std::string_view help;
  std::atomic<std::int64_t> PartitionStats::*member;
};

constexpr std::array kStatMetrics{
    StatMetric{"beeline_commands_processed_total", MetricType::Counter,
               "Commands that were processed.", &PartitionStats::commands_processed},
    StatMetric{"beeline_commands_rejected_total", MetricType::Counter,
               "Commands that were processed and rejected.", &PartitionStats::commands_rejected},
    StatMetric{"beeline_commands_refused_total", MetricType::Counter,
               "Commands that were refused because the queue or the disk was full.",
               &PartitionStats::commands_refused},
    StatMetric{"beeline_commands_dropped_total", MetricType::Counter,
               "Commands of other partitions that were dropped; they are sent again.",
               &PartitionStats::commands_dropped},
    StatMetric{"beeline_processing_errors_total", MetricType::Counter,
               "Commands whose processing failed; each banned its instance.",
               &PartitionStats::processing_errors},
    StatMetric{"beeline_records_written_total", MetricType::Counter,
               "Records written to the log: commands, events and rejections.",
               &PartitionStats::records_written},
    StatMetric{"beeline_events_written_total", MetricType::Counter, "Events written to the log.",
               &PartitionStats::events_written},
    StatMetric{"beeline_replayed_records", MetricType::Gauge,
               "Records that were replayed at the start.", &PartitionStats::replayed_records},
    StatMetric{"beeline_disk_full", MetricType::Gauge,
               "1 while the log or a checkpoint finds no room on the disk, else 0.",
               &PartitionStats::disk_full},
    StatMetric{"beeline_partition_stalled", MetricType::Gauge,
               "1 while the watchdog sees no progress of the partition, else 0.",
               &PartitionStats::stalled},
    StatMetric{"beeline_partition_stalls_total", MetricType::Counter,
               "How often the partition stopped making progress.", &PartitionStats::stalls},
    StatMetric{"beeline_queue_depth", MetricType::Gauge, "Commands that wait to be processed.",
               &PartitionStats::queue_depth},
    StatMetric{"beeline_last_position", MetricType::Gauge, "Position of the last record.",
               &PartitionStats::last_position},
    StatMetric{"beeline_committed_position", MetricType::Gauge,
               "Position up to which the log is committed.", &PartitionStats::committed_position},
    StatMetric{"beeline_checkpoint_position", MetricType::Gauge, "Position of the last checkpoint.",
               &PartitionStats::checkpoint_position},
    StatMetric{"beeline_incidents_open", MetricType::Gauge, "Incidents that are not resolved.",
               &PartitionStats::incidents_open},
    StatMetric{"beeline_instances_active", MetricType::Gauge, "Process instances that are active.",
               &PartitionStats::instances_active},
};

struct ExporterMetric {
  std::string_view name;
  MetricType type;
  std::string_view help;
  std::int64_t (*value)(const exporter::RunnerStatus&);
};

constexpr std::array kExporterMetrics{
    ExporterMetric{"beeline_exporter_lag_records", MetricType::Gauge,
                   "Committed records that the exporter has not acknowledged.",
                   [](const exporter::RunnerStatus& status) { return status.lag(); }},
    ExporterMetric{
        "beeline_exporter_position", MetricType::Gauge,
        "Position up to which the exporter has acknowledged.",
        [](const exporter::RunnerStatus& status) { return status.acknowledged.value(); }},
    ExporterMetric{"beeline_exporter_records_total", MetricType::Counter,
                   "Records that the exporter has acknowledged since the start.",
                   [](const exporter::RunnerStatus& status) { return status.records_exported; }},
    ExporterMetric{"beeline_exporter_failures_total", MetricType::Counter,
                   "How often the exporter failed and began again.",
                   [](const exporter::RunnerStatus& status) { return status.failures; }},
};

std::string label_of(const PartitionMetrics& partition) {
  return fmt::format("{}", partition.id.value());
}

void write_stats(const MetricsInput& input, MetricsText& text) {
  for (const auto& metric : kStatMetrics) {
    text.family(metric.name, metric.type, metric.help);
    for (const auto& partition : input.partitions) {
      text.sample({{"partition", label_of(partition)}},
                  (partition.stats->*metric.member).load(std::memory_order_relaxed));
    }
  }
}

void write_checkpoint_age(const MetricsInput& input, MetricsText& text) {
  text.family("beeline_checkpoint_age_seconds", MetricType::Gauge,
              "Time since the last checkpoint, or since the start when there was none.");
  for (const auto& partition : input.partitions) {
    const std::int64_t taken = partition.stats->checkpoint_millis.load(std::memory_order_relaxed);
    const Timestamp since = taken == 0 ? input.started_at : Timestamp{taken};
    text.sample({{"partition", label_of(partition)}},
                static_cast<double>((input.now - since).count()) / 1000);
  }
}

void write_commit_latency(const MetricsInput& input, MetricsText& text) {
  constexpr std::size_t kBounds = DurationHistogram::kBoundsMicros.size();
  std::array<double, kBounds> bounds{};
  std::ranges::transform(DurationHistogram::kBoundsMicros, bounds.begin(),
                         [](std::int64_t micros) { return static_cast<double>(micros) / 1e6; });
  text.family("beeline_commit_latency_seconds", MetricType::Histogram,
              "Time from the end of processing to the answer.");
  for (const auto& partition : input.partitions) {
    const auto& latency = partition.stats->commit_latency;
    std::array<std::int64_t, kBounds + 1> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = latency.bucket(i);
    text.histogram({{"partition", label_of(partition)}}, bounds, counts,
                   static_cast<double>(latency.sum_micros()) / 1e6);
  }
}

void write_jobs(const MetricsInput& input, MetricsText& text) {
  text.family("beeline_jobs", MetricType::Gauge, "Jobs by type and state.");
  for (const auto& partition : input.partitions) {
    // Sorted, so two answers can be compared line by line.
    std::vector<std::pair<std::string_view, stream::JobCounts>> jobs(partition.jobs.begin(),
                                                                     partition.jobs.end());
    std::ranges::sort(jobs, {}, &std::pair<std::string_view, stream::JobCounts>::first);
    const std::string label = label_of(partition);
    for (const auto& [type, counts] : jobs) {
      const auto sample = [&](std::string_view state, std::int64_t count) {
        text.sample({{"partition", label}, {"type", type}, {"state", state}}, count);
      };
      sample("activatable", counts.activatable);
      sample("activated", counts.activated);
      sample("failed", counts.failed);
    }
  }
}

void write_exporters(const MetricsInput& input, MetricsText& text) {
  for (const auto& metric : kExporterMetrics) {
    text.family(metric.name, metric.type, metric.help);
    for (const auto& partition : input.partitions) {
      const std::string label = label_of(partition);
      for (const auto& status : partition.exporters) {
        text.sample({{"partition", label}, {"exporter", status.name}}, metric.value(status));
      }
    }
  }
}

void write_process(const MetricsInput& input, MetricsText& text) {
  text.family("beeline_info", MetricType::Gauge, "Version of the running server; always 1.");
  text.sample({{"version", kVersion}}, std::int64_t{1});
  text.family("process_start_time_seconds", MetricType::Gauge, "When the process started.");
  text.sample({}, static_cast<double>(input.started_at.millis()) / 1000);
  std::int64_t size_pages = 0;
  std::int64_t resident_pages = 0;
  if (std::ifstream("/proc/self/statm") >> size_pages >> resident_pages) {
    text.family("process_resident_memory_bytes", MetricType::Gauge, "Resident memory.");
    text.sample({}, resident_pages * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE)));
  }
}

}  // namespace

std::string metrics_text(const MetricsInput& input) {
  MetricsText text;
  write_process(input, text);
  write_stats(input, text);
  write_checkpoint_age(input, text);
  write_commit_latency(input, text);
  write_jobs(input, text);
  write_exporters(input, text);
  return text.text();
}

}  // namespace beeline::server
