#pragma once

#include <string>
#include <string_view>

#include "engine/step.h"
#include "record/codec.h"

// Bringing a command to all other partitions, so that it is carried out once on each although what
// carries it may lose, repeat and reorder:
//
//     origin                                        target
//     the command, from a client
//     STARTED, per target [ENQUEUED] DISTRIBUTING ──▶ the command: its own events, RECEIVED
//     ACKNOWLEDGED ◀──────────────────────────────── ACKNOWLEDGE
//     all have acknowledged: FINISHED
//
// The origin sends again until it is acknowledged (resends.h). The target knows by the key of the
// distribution what it has carried out; what it knows of it may be forgotten once the origin says,
// with a later command, which is the lowest key it still waits for. Both travel with the command:
// the first as its key, which a command to all partitions has no other use for, the second as
// metadata, so that every kind of command can be distributed without knowing of it.
namespace beeline::engine {

// Commands of this queue reach each partition one after the other.
inline constexpr std::string_view kDeploymentQueue = "DEPLOYMENT";
// How long the client of a distributed command waits for the other partitions at most.
inline constexpr Milliseconds kDistributionAnswerTimeout{5'000};

// Whether this command came from the partition that distributes it.
[[nodiscard]] inline bool is_distributed(const record::Metadata& command) {
  return command.min_pending_key.is_set();
}

struct DistributedCommand {
  record::ValueType value_type = record::ValueType::Job;
  record::IntentNumber intent = 0;
  std::string value;
};

// Distributes a command to all other partitions. `queue` may be empty: then it does not wait for
// others. True when the client is answered later, by answer_distribution; false when there is no
// other partition: then nothing was written.
[[nodiscard]] bool distribute(Step& step, DistributedCommand command, std::string_view queue);

// Brings a command to one other partition by the same way. No client waits for it.
void distribute_to(Step& step, PartitionId target, DistributedCommand command);

template <typename T>
[[nodiscard]] DistributedCommand distributed(typename T::Intent intent, const T& value) {
  DistributedCommand command{T::kType, static_cast<record::IntentNumber>(intent), {}};
  record::encode(value, command.value);
  return command;
}

// Sends a command that is started to a partition whose turn has come.
void send_distributed(Step& step, Key key, PartitionId target);

// Answers the client that waits, if one does.
void answer_distribution(Step& step, const DistributionRow& row);

// On the target: notes that the command was carried out, or refused, and tells the origin. What is
// refused is acknowledged too, since it would be refused again.
void acknowledge_distributed(Step& step, const record::Metadata& command);
// Refuses a command that was carried out before; the acknowledgement must have been lost.
void refuse_repeated(Step& step, const record::Metadata& command);

// Returns the command of a distribution as it is sent to `target`, at first and again.
[[nodiscard]] OutgoingCommand build_distributed(const EngineState& state, Key key,
                                                PartitionId target);

}  // namespace beeline::engine
