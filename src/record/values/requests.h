#pragma once

#include "record/principal.h"
#include "record/values/common.h"

// Requests that take more than one step: commands for all partitions, and asynchronous ones.
namespace beeline::record {

// RECEIVED, TIME_OUT and TIMED_OUT are ours; their numbers leave the protocol room to grow.
#define BEELINE_COMMAND_DISTRIBUTION_INTENTS(COMMAND, EVENT) \
  EVENT(Started, 0, "STARTED")                               \
  EVENT(Distributing, 1, "DISTRIBUTING")                     \
  COMMAND(Acknowledge, 2, "ACKNOWLEDGE")                     \
  EVENT(Acknowledged, 3, "ACKNOWLEDGED")                     \
  EVENT(Finished, 4, "FINISHED")                             \
  EVENT(Enqueued, 5, "ENQUEUED")                             \
  COMMAND(Finish, 8, "FINISH")                               \
  EVENT(Received, 20, "RECEIVED")                            \
  COMMAND(TimeOut, 21, "TIME_OUT")                           \
  EVENT(TimedOut, 22, "TIMED_OUT")
BEELINE_INTENTS(CommandDistributionIntent, BEELINE_COMMAND_DISTRIBUTION_INTENTS);

// A command that one partition distributes to all others, and the progress of that.
struct CommandDistributionRecord {
  static constexpr ValueType kType = ValueType::CommandDistribution;
  using Intent = CommandDistributionIntent;

  // The target; on RECEIVED, the origin.
  PartitionId partition_id;
  std::string
      queue_id;  // commands of one queue reach a partition one after the other; "" for no queue
  // STARTED: the command and, if a client waits, until when it does.
  ValueType value_type = ValueType::Job;
  std::int32_t intent = 0;
  std::string command_value;  // in wire form
  std::uint64_t awaited_by = 0;
  Timestamp answer_by{-1};
  // RECEIVED: the lowest key that the origin still waited for when it sent the command.
  Key min_pending_key;
  // The result on a partition, if it is a number: on STARTED, that of the origin; on FINISHED, the
  // sum.
  std::int64_t result = 0;
  // STARTED: the sender of the command, for the audit on other partitions. The engine decides
  // nothing by it, so the event keeps its version.
  EncodedPrincipal principal;
  bool operator==(const CommandDistributionRecord&) const = default;
  static constexpr auto kSubject = &CommandDistributionRecord::partition_id;
  static constexpr Owner kOwner = Owner::Nobody;
  // Since version 2 the applier of STARTED reads the result.
  static constexpr std::uint16_t version_of(Intent intent) {
    return intent == Intent::Started ? 2 : 1;
  }
  static constexpr auto fields() {
    using T = CommandDistributionRecord;
    return std::tuple{field(1, "partitionId", &T::partition_id),
                      field(2, "queueId", &T::queue_id),
                      field(3, "valueType", &T::value_type),
                      field(4, "intent", &T::intent),
                      field(5, "commandValue", &T::command_value),
                      field(6, "awaitedBy", &T::awaited_by),
                      field(7, "answerBy", &T::answer_by),
                      field(8, "minPendingKey", &T::min_pending_key),
                      field(9, "result", &T::result),
                      field(10, "principal", &T::principal)};
  }
};

#define BEELINE_ASYNC_REQUEST_INTENTS(COMMAND, EVENT) \
  EVENT(Received, 0, "RECEIVED")                      \
  EVENT(Processed, 1, "PROCESSED")
BEELINE_INTENTS(AsyncRequestIntent, BEELINE_ASYNC_REQUEST_INTENTS);

// A request whose effect takes more than one step; it is stored until it is done.
struct AsyncRequestRecord {
  static constexpr ValueType kType = ValueType::AsyncRequest;
  using Intent = AsyncRequestIntent;

  Key scope_key;
  std::int32_t value_type = 0;
  std::int32_t intent = 0;
  std::int64_t request_id = -1;
  bool operator==(const AsyncRequestRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = AsyncRequestRecord;
    return std::tuple{field(1, "scopeKey", &T::scope_key), field(2, "valueType", &T::value_type),
                      field(3, "intent", &T::intent), field(4, "requestId", &T::request_id)};
  }
};

}  // namespace beeline::record
