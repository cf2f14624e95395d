#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exporter/runner.h"

namespace beeline::exporter {

// All exporters of one partition. Each has its own thread and its own position; together they say
// how much of the log is still needed.
//
// Threading: notify_commit, acknowledged and status may be called from any thread once start() has
// returned; the rest from one.
class ExporterDirector {
 public:
  // `disk` and `log` must outlive this; the positions are kept in `position_directory`.
  ExporterDirector(journal::Disk& disk, std::string position_directory, journal::LogStorage& log,
                   RunnerOptions options = {});

  // The name is that of the position file: it stays the same over restarts. Before start().
  void add(const std::string& name, std::unique_ptr<Exporter> exporter);
  // Hears, on a thread of an exporter, how far all of them have come by now. Before start().
  void on_acknowledged(std::function<void(Position)> callback);
  void start();
  // Exports what is committed, then ends the threads.
  void stop();

  void notify_commit();
  // The position up to which every exporter has acknowledged; all of the log when there are none.
  [[nodiscard]] Position acknowledged() const;
  [[nodiscard]] std::vector<RunnerStatus> status() const;

 private:
  journal::Disk& disk_;
  const std::string position_directory_;
  journal::LogStorage& log_;
  const RunnerOptions options_;
  std::vector<std::unique_ptr<ExporterRunner>> runners_;
};

}  // namespace beeline::exporter
