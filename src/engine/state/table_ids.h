#pragma once

#include "state/database.h"

namespace beeline::engine {

// The numbers of the tables in checkpoints. One that was ever released is never used for another.
enum class TableNumber : std::uint16_t {
  ElementInstances = 1,
  Variables = 2,
  Jobs = 3,
  Incidents = 4,
  Processes = 5,
  Triggers = 6,
  AwaitedResults = 7,
  Banned = 8,
  Timers = 9,
  Counters = 10,
  Tags = 11,
  InputCollections = 12,
  RetiredProcesses = 13,
  ProcessDeletions = 14,
  OutputItems = 15,
  OutputBytes = 16,
  Messages = 20,
  MessageMarks = 21,
  MessageSubscriptions = 22,
  ProcessMessageSubscriptions = 23,
  MessageStartSubscriptions = 24,
  MessageStartLocks = 25,
  MessageCorrelations = 26,
  DecisionRequirements = 40,
  Decisions = 41,
  RetiredRequirements = 42,
  RetiredDecisions = 43,
  PendingCommands = 50,
  Distributions = 30,
  DistributionTargets = 31,
  ReceivedDistributions = 32,
  DistributionFloors = 33,
};

[[nodiscard]] constexpr state::TableId table_id(TableNumber number) {
  return static_cast<state::TableId>(number);
}

}  // namespace beeline::engine
