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
// commit. Edges know records and this header, never the engine.
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
// uncalled when the partition stops before it could answer.
using ResponseHandler = absl::AnyInvocable<void(const record::RecordView&)>;

enum class SubmitResult {
  Accepted,
  QueueFull,  // too much is waiting: RESOURCE_EXHAUSTED, nothing was kept
  DiskFull,   // the log has no room: RESOURCE_EXHAUSTED, nothing was kept
  Stopped,    // shutting down, still starting, or failed: UNAVAILABLE
};

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
  // Whether commands are processed now.
  [[nodiscard]] virtual bool is_ready() const = 0;
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
