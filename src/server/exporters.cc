#include "server/exporters.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "exporter/json_lines.h"
#include "server/partition_folder.h"

namespace beeline::server {
namespace {

using exporter::ExporterPlan;
using exporter::Placement;

ExporterPlan json_lines(const exporter::JsonLinesOptions& options, journal::Disk& disk) {
  return {"jsonl", Placement::BesideLeader, [options, &disk](PartitionId id) {
            exporter::JsonLinesOptions own = options;
            own.name = fmt::format("{}{}", kPartitionFolder, id.value());
            return std::make_unique<exporter::JsonLinesExporter>(disk, std::move(own));
          }};
}

}  // namespace

std::vector<ExporterPlan> exporters_of(const Settings& settings, journal::Disk& disk) {
  std::vector<ExporterPlan> plans;
  if (!settings.json_lines.directory.empty())
    plans.push_back(json_lines(settings.json_lines, disk));
  return plans;
}

}  // namespace beeline::server
