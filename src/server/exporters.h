#pragma once

#include <vector>

#include "exporter/plan.h"
#include "journal/disk.h"
#include "server/settings.h"

namespace beeline::server {

// The exporters that the settings ask for. `disk` must outlive them.
[[nodiscard]] std::vector<exporter::ExporterPlan> exporters_of(const Settings& settings,
                                                               journal::Disk& disk);

}  // namespace beeline::server
