#pragma once

#include <absl/functional/any_invocable.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "record/codec.h"
#include "record/record.h"
#include "record/value_type.h"

// What the edges (gRPC, HTTP, CLI) see of the partitions: commands go in, answers come out after
// commit; and reads of the state. Edges know records and this header, never the engine.
namespace beeline::engine {
class EngineState;
}

namespace beeline::stream {

// A command on its way in. `value` is in wire form: it is encoded on the edge's thread, so that the
// partition's thread has only to look at it.
struct Command {
  record::ValueType value_type = record::ValueType::Job;
  record::IntentNumber intent = 0;
  Key key;
  std::string value;
  std::int64_t operation_reference = -1;
  Key min_pending_key{};  // only between partitions: see record::Metadata
};

template <typename T>
[[nodiscard]] Command make_command(typename T::Intent intent, Key key, const T& value) {
  Command command{.value_type = T::kType,
                  .intent = static_cast<record::IntentNumber>(intent),
                  .key = key,
                  .value = {}};
  record::encode(value, command.value);
  return command;
}

// Hears the answer to a command: the event that answers it, or its rejection. Called at most once,
// after the record is committed, on a thread of the partition: it must not block. It is destroyed
// uncalled when the partition stops or is deposed before it could answer, and when the disk was
// found full before the command was processed: the command is not kept then, and condition() says
// `is_disk_full`.
using ResponseHandler = absl::AnyInvocable<void(const record::RecordView&)>;

enum class SubmitResult {
  Accepted,
  QueueFull,       // too many commands wait: RESOURCE_EXHAUSTED, nothing was kept
  QueueBytesFull,  // the commands that wait are too large together: likewise
  DiskFull,        // the log has no room: RESOURCE_EXHAUSTED, nothing was kept
  Stopped,         // shutting down, still starting, following a leader, or failed: UNAVAILABLE
};

// A read of a partition's state, in turns between batches. `step` is called once a turn, with the
// state as the last batch left it, until it says true: then it has seen what it was after. A turn
// keeps everybody else waiting, so it must not visit more than kReadRowsMax rows. Pointers into the
// state are void after each turn. A step that only the last turn's rows matter to is a consistent
// read of one position.
using ReadStep = absl::AnyInvocable<bool(const engine::EngineState&)>;
inline constexpr std::size_t kReadRowsMax = 2'000;

// Hears that a read is done, at most once: with the position of the last turn, after that position
// is committed, so that nothing is shown that a crash could take back. Called on a thread of the
// partition: it must not block. It is destroyed uncalled when the partition stops before.
using ReadHandler = absl::AnyInvocable<void(Position)>;

// How a partition is, in the words of the protocol's Topology.
enum class Health {
  Healthy,
  Unhealthy,  // it takes no commands now, or does not get on with them; that may pass
  Dead,       // it has failed; a new start recovers it
};

struct Condition {
  Health health = Health::Healthy;
  bool is_disk_full = false;  // commands are refused until there is room
  std::string reason;         // a sentence, when it is not healthy
};

// How many bytes the values of the commands may have that wait at a partition: those of clients,
// and apart from them those of other partitions. An empty queue takes any command.
inline constexpr std::size_t kQueueBytesMax = std::size_t{64} << 20;

// Hears that a partition has a job to hand out, new or given back, after that is committed. Called
// on a thread of the partition: it must not block.
class JobListener {
 public:
  virtual ~JobListener() = default;
  virtual void on_job_available(PartitionId partition, std::string_view job_type, Key job) = 0;
};

// Threading: every function may be called from any thread.
class PartitionPort {
 public:
  virtual ~PartitionPort() = default;
  [[nodiscard]] virtual PartitionId id() const = 0;
  // `handler` may be empty where nobody waits for the answer.
  [[nodiscard]] virtual SubmitResult submit(Command command, ResponseHandler handler) = 0;
  // QueueFull when too many reads wait already.
  [[nodiscard]] virtual SubmitResult read(ReadStep step, ReadHandler handler) = 0;
  // Whether commands are processed now, and if not, why.
  [[nodiscard]] virtual Condition condition() const = 0;
};

// All partitions of this server.
class Partitions {
 public:
  virtual ~Partitions() = default;
  [[nodiscard]] virtual std::int32_t count() const = 0;
  // `id` is one of 1..count().
  [[nodiscard]] virtual PartitionPort& partition(PartitionId id) = 0;
  // There is one listener; it must outlive the partitions' threads. Null takes it away.
  virtual void set_job_listener(JobListener* listener) = 0;
};

}  // namespace beeline::stream
