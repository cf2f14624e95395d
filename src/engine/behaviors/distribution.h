#pragma once

#include <string>
#include <string_view>

#include "engine/step.h"
#include "record/codec.h"

// Distributes a command to all other partitions, so it is carried out once on each, although the
// transport may lose, repeat and reorder it:
//
//     origin                                        target
//     the command, from a client
//     STARTED, per target [ENQUEUED] DISTRIBUTING ──▶ the command: its own events, RECEIVED
//     ACKNOWLEDGED ◀──────────────────────────────── ACKNOWLEDGE
//     all have acknowledged: FINISHED
//
// The origin sends the command again until it is acknowledged (resends.h). The target recognises a
// command that it has carried out by the key of the distribution. It may forget a key when the
// origin sends, with a later command, the lowest key that it still waits for. Both travel with the
// command: the first as its key, which a command to all partitions does not use otherwise, the
// second as metadata, so every kind of command can be distributed without knowing about it.
namespace beeline::engine {

// Commands of this queue reach each partition one after the other.
inline constexpr std::string_view kDeploymentQueue = "DEPLOYMENT";
// The longest time that the client of a distributed command waits for the other partitions.
inline constexpr Milliseconds kDistributionAnswerTimeout{5'000};

// True if this command came from the partition that distributes it.
[[nodiscard]] inline bool is_distributed(const record::Metadata& command) {
  return command.min_pending_key.is_set();
}

struct DistributedCommand {
  record::CommandHead head;  // has no key: the distribution assigns one
  std::string value;
};

// Distributes the current command to all other partitions, as `command`, with the principal of the
// current command for the audit. If `queue` is empty, the command does not wait for others. Returns
// true if the client is answered later, by answer_distribution. Returns false if there is no other
// partition; then nothing was written.
[[nodiscard]] bool distribute(Step& step, DistributedCommand command, std::string_view queue);

// How a command is distributed if it is not the current command that a client sent.
struct DistributionPlan {
  std::string_view queue = {};
  record::RequestId awaited_by = 0;  // the client that answer_distribution answers
  std::int64_t result = 0;           // the result of this partition
};
// Distributes `command`, which has its principal, as `plan` describes. Returns false if there is no
// other partition: then nothing was written.
bool distribute(Step& step, DistributedCommand command, const DistributionPlan& plan);

// Sends a command that follows from the current one to one other partition, in the same way. No
// client waits for it, and it has no principal.
void distribute_to(Step& step, PartitionId target, DistributedCommand command);

template <typename T>
[[nodiscard]] DistributedCommand distributed(typename T::Intent intent, const T& value) {
  DistributedCommand command{record::make_head<T>(intent, Key{}), {}};
  record::encode(value, command.value);
  return command;
}

// Sends a command that is started to a partition whose turn has come.
void send_distributed(Step& step, Key key, PartitionId target);

// Answers the waiting client, if there is one.
void answer_distribution(Step& step, Key key, const DistributionRow& row);

// On the target: records that the command was carried out or refused, and acknowledges it. A
// refused command is acknowledged too, since it would be refused again.
void acknowledge_distributed(Step& step, const record::Metadata& command);
// Refuses a command that was carried out before; its acknowledgement must have been lost.
void refuse_repeated(Step& step, const record::Metadata& command);

// Returns the command of a distribution as it is sent to `target`, at first and again.
[[nodiscard]] OutgoingCommand build_distributed(const EngineState& state, Key key,
                                                PartitionId target);

}  // namespace beeline::engine
