#pragma once

#include <absl/functional/any_invocable.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/ids.h"
#include "record/codec.h"
#include "record/command_head.h"
#include "record/job_group.h"
#include "record/record.h"

// The interface of the partitions for the edges (gRPC, HTTP, CLI): commands go in, answers come out
// after commit; and reads of the state. Edges know records and this header, never the engine.
namespace beeline::engine {
class EngineState;
}

namespace beeline::stream {

// A command on its way in. The partition that accepts a client's command puts the principal into
// its head. `value` is in wire form: the edge's thread encodes it, so the partition's thread only
// has to read it.
struct Command {
  record::CommandHead head;
  std::string value;
};

template <typename T>
[[nodiscard]] Command make_command(typename T::Intent intent, Key key, const T& value) {
  Command command{record::make_head<T>(intent, key), {}};
  record::encode(value, command.value);
  return command;
}

// Receives the answer to a command: the event that answers it, or its rejection. It is called at
// most once, after the record is committed, on a thread of the partition, so it must not block. It
// is destroyed uncalled if the partition stops or is deposed before it could answer, and if the
// disk was found full before the command was processed: then the command is not kept, and
// condition() has `is_disk_full`.
using ResponseHandler = absl::AnyInvocable<void(const record::RecordView&)>;

enum class SubmitResult {
  Accepted,
  QueueFull,       // too many commands wait: RESOURCE_EXHAUSTED, nothing was kept
  QueueBytesFull,  // the waiting commands are too large together: likewise
  DiskFull,        // the log has no room: RESOURCE_EXHAUSTED, nothing was kept
  Stopped,         // shutting down, still starting, following a leader, or failed: UNAVAILABLE
};

// A read of a partition's state, in turns between batches. `step` is called once a turn, with the
// state after the last batch, until it returns true: then it has seen everything it needs. All
// other work waits during a turn, so it must not visit more than kReadRowsMax rows. Pointers into
// the state are invalid after each turn. A step that uses only the rows of its last turn is a
// consistent read of one position.
using ReadStep = absl::AnyInvocable<bool(const engine::EngineState&)>;
inline constexpr std::size_t kReadRowsMax = 2'000;

// Called when a read is complete, at most once: with the position of the last turn, after that
// position is committed, so nothing is shown that a crash could undo. It is called on a thread of
// the partition, so it must not block. It is destroyed uncalled if the partition stops before.
using ReadHandler = absl::AnyInvocable<void(Position)>;

// The condition of a partition, in the words of the protocol's Topology.
enum class Health {
  Healthy,
  Unhealthy,  // it accepts no commands now, or makes no progress with them; that may pass
  Dead,       // it has failed; a restart recovers it
};

struct Condition {
  Health health = Health::Healthy;
  bool is_disk_full = false;  // commands are refused until there is room
  std::string reason;         // a sentence, if it is not healthy
};

// The limit for the total size of the values of the commands that wait at a partition: those of
// clients and, separately, those of other partitions. An empty queue accepts any command.
inline constexpr std::size_t kQueueBytesMax = std::size_t{64} << 20;

// Called when a partition has a job to hand out, new or given back, after that is committed. It is
// called on a thread of the partition, so it must not block.
class JobListener {
 public:
  virtual ~JobListener() = default;
  virtual void on_job_available(PartitionId partition, const record::JobGroup& group, Key job) = 0;
};

// Threading: every function may be called from any thread.
class PartitionPort {
 public:
  virtual ~PartitionPort() = default;
  [[nodiscard]] virtual PartitionId id() const = 0;
  // Takes a command of a client, on behalf of `principal`, which goes to the log with it. `handler`
  // may be empty where nobody waits for the answer.
  [[nodiscard]] virtual SubmitResult submit(const record::Principal& principal, Command command,
                                            ResponseHandler handler) = 0;
  // Accepts a command of beeline itself, which no client sent. It is not answered.
  [[nodiscard]] virtual SubmitResult submit_internal(Command command) = 0;
  // Returns QueueFull if too many reads wait already.
  [[nodiscard]] virtual SubmitResult read(ReadStep step, ReadHandler handler) = 0;
  // Returns whether commands are processed now, and if not, why.
  [[nodiscard]] virtual Condition condition() const = 0;
};

// All partitions of this server.
class Partitions {
 public:
  virtual ~Partitions() = default;
  [[nodiscard]] virtual std::int32_t count() const = 0;
  // `id` is one of 1..count().
  [[nodiscard]] virtual PartitionPort& partition(PartitionId id) = 0;
  // There is one listener; it must outlive the partitions' threads. Null removes it.
  virtual void set_job_listener(JobListener* listener) = 0;
};

}  // namespace beeline::stream
