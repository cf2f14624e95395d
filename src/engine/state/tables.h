#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "engine/state/rows.h"
#include "state/database.h"
#include "state/table.h"

namespace beeline::engine {

using OutputItemKey = std::pair<Key, std::int32_t>;  // the body and the number of the item
using DistributionTargetKey = std::pair<Key, PartitionId>;
using TenantAndId = std::pair<std::string, std::string>;

}  // namespace beeline::engine

// The list of the tables of the state. A line has the enumerator of the table, its number in
// checkpoints, its name, the type of its keys and the type of its rows; the rows of NUMBERS are
// CounterRows. A number that was ever released is never used for another table. TableNumber,
// TableOf, the codecs of the rows and the output of `inspect` are made from this list.
#define BEELINE_TABLES(TABLE, NUMBERS)                                                     \
  TABLE(ElementInstances, 1, "element_instances", Key, ElementInstanceRow)                 \
  TABLE(Variables, 2, "variables", Key, VariableScopeRow)                                  \
  TABLE(Jobs, 3, "jobs", Key, JobRow)                                                      \
  TABLE(Incidents, 4, "incidents", Key, IncidentRow)                                       \
  TABLE(Processes, 5, "processes", Key, ProcessRow)                                        \
  TABLE(Triggers, 6, "triggers", Key, TriggersRow)                                         \
  TABLE(AwaitedResults, 7, "awaited_results", Key, AwaitedResultRow)                       \
  TABLE(Banned, 8, "banned", Key, BannedRow)                                               \
  TABLE(Timers, 9, "timers", Key, TimerRow)                                                \
  NUMBERS(Counters, 10, "counters", std::int32_t)                                          \
  TABLE(Tags, 11, "tags", Key, TagsRow)                                                    \
  TABLE(InputCollections, 12, "input_collections", Key, InputCollectionRow)                \
  NUMBERS(RetiredProcesses, 13, "retired_processes", TenantAndId)                          \
  TABLE(ProcessDeletions, 14, "process_deletions", Key, ProcessDeletionRow)                \
  TABLE(OutputItems, 15, "output_items", OutputItemKey, OutputItemRow)                     \
  NUMBERS(OutputBytes, 16, "output_bytes", Key)                                            \
  TABLE(RuntimeInstructions, 17, "runtime_instructions", Key, RuntimeInstructionsRow)      \
  TABLE(CompensationSubscriptions, 18, "compensation_subscriptions", Key,                  \
        CompensationSubscriptionRow)                                                       \
  TABLE(Messages, 20, "messages", Key, MessageRow)                                         \
  TABLE(MessageMarks, 21, "message_marks", Key, MessageMarksRow)                           \
  TABLE(MessageSubscriptions, 22, "message_subscriptions", Key, MessageSubscriptionRow)    \
  TABLE(ProcessMessageSubscriptions, 23, "process_message_subscriptions", Key,             \
        ProcessMessageSubscriptionRow)                                                     \
  TABLE(MessageStartSubscriptions, 24, "message_start_subscriptions", Key,                 \
        MessageStartSubscriptionRow)                                                       \
  TABLE(MessageStartLocks, 25, "message_start_locks", Key, MessageStartLockRow)            \
  TABLE(MessageCorrelations, 26, "message_correlations", Key, MessageCorrelationRow)       \
  TABLE(SignalSubscriptions, 27, "signal_subscriptions", Key, SignalSubscriptionRow)       \
  TABLE(SignalBroadcasts, 28, "signal_broadcasts", Key, SignalBroadcastRow)                \
  TABLE(ConditionalSubscriptions, 29, "conditional_subscriptions", Key,                    \
        ConditionalSubscriptionRow)                                                        \
  TABLE(Distributions, 30, "distributions", Key, DistributionRow)                          \
  TABLE(DistributionTargets, 31, "distribution_targets", DistributionTargetKey,            \
        DistributionTargetRow)                                                             \
  TABLE(ReceivedDistributions, 32, "received_distributions", Key, ReceivedDistributionRow) \
  TABLE(DistributionFloors, 33, "distribution_floors", PartitionId, DistributionFloorRow)  \
  TABLE(DecisionRequirements, 40, "decision_requirements", Key, DecisionRequirementsRow)   \
  TABLE(Decisions, 41, "decisions", Key, DecisionRow)                                      \
  NUMBERS(RetiredRequirements, 42, "retired_requirements", TenantAndId)                    \
  NUMBERS(RetiredDecisions, 43, "retired_decisions", TenantAndId)                          \
  TABLE(GatewayRounds, 60, "gateway_rounds", Key, GatewayRoundsRow)                        \
  NUMBERS(LoopMaximums, 61, "loop_maximums", Key)

namespace beeline::engine {

enum class TableNumber : std::uint16_t {
  PendingCommands = 50,  // not a state::Table; see pending_table.h
#define BEELINE_TABLE_ENUMERATOR(enumerator, number, ...) enumerator = number,
  BEELINE_TABLES(BEELINE_TABLE_ENUMERATOR, BEELINE_TABLE_ENUMERATOR)
#undef BEELINE_TABLE_ENUMERATOR
};

[[nodiscard]] constexpr state::TableId table_id(TableNumber number) {
  return static_cast<state::TableId>(number);
}
// Returns the name of a table, such as "jobs".
[[nodiscard]] std::string_view table_name(TableNumber number);

// The description of a table: its line in the list above, and how its rows are stored.
template <TableNumber Number>
struct TableDescription;

#define BEELINE_DESCRIBE_TABLE(enumerator, number, name, KeyType, RowType)   \
  template <>                                                                \
  struct TableDescription<TableNumber::enumerator> : RowCodec<RowType> {     \
    using RowKey = KeyType;                                                  \
    using Row = RowType;                                                     \
    static constexpr state::TableId kId = table_id(TableNumber::enumerator); \
    static constexpr std::string_view kName = name;                          \
  };
#define BEELINE_DESCRIBE_NUMBERS(enumerator, number, name, KeyType) \
  BEELINE_DESCRIBE_TABLE(enumerator, number, name, KeyType, CounterRow)
BEELINE_TABLES(BEELINE_DESCRIBE_TABLE, BEELINE_DESCRIBE_NUMBERS)
#undef BEELINE_DESCRIBE_TABLE
#undef BEELINE_DESCRIBE_NUMBERS

// A table of the list: TableOf<TableNumber::Jobs> jobs{database}. A table cannot be created without
// its TableNumber, so no table can be missing from the list.
template <TableNumber Number, typename Attachment = state::NoAttachment>
using TableOf =
    state::Table<typename TableDescription<Number>::RowKey, typename TableDescription<Number>::Row,
                 TableDescription<Number>, Attachment>;

}  // namespace beeline::engine
