#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/ids.h"
#include "exporter/exporter.h"

namespace beeline::exporter {

// Where an exporter runs when a partition has several copies.
enum class Placement {
  BesideLeader,  // on the copy that leads: each record goes out once, as to a file or a broker
  OnEveryCopy,   // on each copy, for something that each copy keeps for itself, as its history
};

// An exporter that a server is to have, for each of its partitions.
struct ExporterPlan {
  std::string name;  // of its position file: it stays the same over restarts
  Placement placement = Placement::BesideLeader;
  std::function<std::unique_ptr<Exporter>(PartitionId)> make;
};

}  // namespace beeline::exporter
