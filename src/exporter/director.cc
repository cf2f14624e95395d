#include "exporter/director.h"

#include <algorithm>
#include <utility>

namespace beeline::exporter {

ExporterDirector::ExporterDirector(journal::Disk& disk, std::string position_directory,
                                   journal::LogStorage& log, RunnerOptions options)
    : disk_(disk),
      position_directory_(std::move(position_directory)),
      log_(log),
      options_(options) {}

void ExporterDirector::add(const ExporterPlan& plan, PartitionId partition) {
  runners_.push_back(std::make_unique<ExporterRunner>(
      plan.name, plan.placement, plan.make(partition),
      PositionFile(disk_, position_directory_, plan.name), log_, options_));
}

void ExporterDirector::on_acknowledged(std::function<void(Position)> callback) {
  for (const auto& runner : runners_) {
    runner->on_acknowledged([this, callback] { callback(acknowledged()); });
  }
}

void ExporterDirector::start() {
  for (const auto& runner : runners_) runner->start();
}

void ExporterDirector::begin_stop() {
  for (const auto& runner : runners_) runner->begin_stop();
}

void ExporterDirector::stop() {
  begin_stop();
  for (const auto& runner : runners_) runner->stop();
}

void ExporterDirector::notify_commit() {
  for (const auto& runner : runners_) runner->notify_commit();
}

Position ExporterDirector::acknowledged() const {
  Position result = log_.committed_position();
  for (const auto& runner : runners_) result = std::min(result, runner->acknowledged());
  return result;
}

std::vector<RunnerStatus> ExporterDirector::status() const {
  std::vector<RunnerStatus> result;
  result.reserve(runners_.size());
  for (const auto& runner : runners_) result.push_back(runner->status());
  return result;
}

}  // namespace beeline::exporter
