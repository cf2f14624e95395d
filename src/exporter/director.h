#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exporter/plan.h"
#include "exporter/runner.h"

namespace beeline::exporter {

// All exporters of one copy of a partition; there may be none. Each has its own thread and its own
// position; the lowest position decides how much of the log is still needed.
//
// Threading: notify_commit, acknowledged, begin_stop and status may be called from any thread once
// start() has returned; the rest from one.
class ExporterDirector {
 public:
  // `disk` and `log` must outlive this object; the positions are stored in `position_directory`.
  ExporterDirector(journal::Disk& disk, std::string position_directory, journal::LogStorage& log,
                   RunnerOptions options = {});

  // Adds the exporter of a plan for `partition`. Before start().
  void add(const ExporterPlan& plan, PartitionId partition);
  // `callback` is called on the thread of an exporter with the position that all of them have
  // acknowledged. Call it before start().
  void on_acknowledged(std::function<void(Position)> callback);
  void start();
  // See ExporterRunner. All exporters begin to stop at the same time.
  void begin_stop();
  void stop();

  void notify_commit();
  // Returns the position up to which every exporter has acknowledged; the whole log if there are no
  // exporters.
  [[nodiscard]] Position acknowledged() const;
  [[nodiscard]] bool empty() const { return runners_.empty(); }
  [[nodiscard]] std::vector<RunnerStatus> status() const;

 private:
  journal::Disk& disk_;
  const std::string position_directory_;
  journal::LogStorage& log_;
  const RunnerOptions options_;
  std::vector<std::unique_ptr<ExporterRunner>> runners_;
};

}  // namespace beeline::exporter
