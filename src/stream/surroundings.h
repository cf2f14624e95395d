#pragma once

#include "base/time.h"
#include "journal/log_storage.h"
#include "state/key_value_store.h"
#include "stream/activity.h"
#include "stream/disk_room.h"
#include "stream/partition_options.h"
#include "stream/stats.h"

namespace beeline::stream {

// The objects that the parts of one partition, Replica and Leader, work with. All of them must
// outlive the parts.
struct Surroundings {
  const PartitionOptions& options;
  journal::LogStorage& log;
  state::KeyValueStore& store;
  const Clock& clock;
  DiskRoom& room;
  PartitionStats& stats;
  Activity& activity;
};

}  // namespace beeline::stream
