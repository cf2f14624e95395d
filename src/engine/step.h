#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "bpmn/schedule.h"
#include "engine/appliers/appliers.h"
#include "engine/element_encoder.h"
#include "engine/failure.h"
#include "engine/pending_commands.h"
#include "engine/state/engine_state.h"
#include "feel/feel.h"
#include "record/codec.h"
#include "record/frame_writer.h"
#include "record/job_group.h"
#include "record/record.h"
#include "record/values.h"

namespace beeline::engine {

struct Response {
  record::RequestId request = 0;
  record::OwnedRecord record;
};

// A command for another partition. The transport may lose, repeat and reorder it; see resends.h.
struct OutgoingCommand {
  PartitionId to;
  record::CommandHead head;
  std::string value;
};

template <typename T>
[[nodiscard]] OutgoingCommand make_outgoing(PartitionId to, typename T::Intent intent, Key key,
                                            const T& value) {
  OutgoingCommand command{to, record::make_head<T>(intent, key), {}};
  record::encode(value, command.value);
  return command;
}

// A job that workers can take from now on: a new job, or one that became available again.
struct AvailableJob {
  record::JobGroup group;
  Key key;
};

// The output of a batch. The processing loop releases it after the frame is committed.
struct BatchOutput {
  std::string frame;  // the head of the frame and the records of the batch
  Position first;
  Position last;
  std::vector<Response> responses;
  std::vector<OutgoingCommand> sends;
  std::vector<AvailableJob> available_jobs;
  std::int64_t commands = 0;
  std::int64_t events = 0;
  std::int64_t rejections = 0;
};

// Thrown when the records of one command exceed their limit, for example because an expression
// doubles a text again and again. The engine then rolls the batch back.
struct BatchTooLarge {
  std::size_t limit = 0;
  std::size_t bytes = 0;  // written by the command until it was stopped
};

// Thrown when a command that serves many receivers cannot serve one of them because of a bug. The
// engine takes the batch back and bans the instance of the receiver; the command then runs again
// and leaves out that receiver.
struct ReceiverFailed {
  Key process_instance;
  std::string error;
};

// The steps that the conditions of conditional events may use in a command that changes variables.
// They are a part of the command's budget for expressions.
inline constexpr std::int64_t kConditionStepsMax = feel::Budget::kSteps / 8;

// A batch in progress, as processors, behaviors and elements see it. A step provides the state to
// read, the time and fresh keys. It takes their decisions: events, which are applied as they are
// written; follow-up commands; a rejection; an answer to the client.
//
// The time is the same for the whole batch. Records are in the order of the calls.
class Step {
 public:
  // Memory that is reused from batch to batch.
  struct Scratch {
    std::string value;
    ElementEncoder elements;
  };
  Step(EngineState& state, BatchOutput& output, PendingCommands& pending, Scratch& scratch);

  // --- for processors ---
  [[nodiscard]] const EngineState& state() const { return state_; }
  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] Key next_key();

  template <typename T>
  void event(typename T::Intent intent, Key key, const T& value) {
    encode_value(value);
    write_event(intent, key, value);
  }
  // Writes an event whose value is encoded by `encode`, which appends the bytes to its argument.
  template <typename T, typename Encode>
  void event(typename T::Intent intent, Key key, const T& value, Encode&& encode) {
    scratch_.clear();
    encode(scratch_);
    value_ = scratch_;
    write_event(intent, key, value);
  }
  // Writes ELEMENT_ACTIVATING with the additional fields in `part`.
  void activating_event(Key key, const record::ProcessInstanceView& value,
                        const record::ActivationPart& part);

  // Writes a follow-up command, which is processed later in this batch or in the next one.
  template <typename T>
  void command(typename T::Intent intent, Key key, const T& value) {
    const record::Metadata metadata = describe(record::RecordType::Command, T::kType,
                                               static_cast<record::IntentNumber>(intent), key);
    encode_value(value);
    append(metadata);
    if constexpr (std::is_same_v<T, record::ProcessInstanceView>) {
      pending_.push_back(metadata, value);
    } else {
      pending_.push_back(metadata, value_);
    }
  }

  // Sends a command to the partition `to`. If that is this partition, the command becomes a
  // follow-up command; otherwise it is sent after the batch is committed.
  template <typename T>
  void send(PartitionId to, typename T::Intent intent, Key key, const T& value) {
    if (to == state_.partition()) return command(intent, key, value);
    output_.sends.push_back(make_outgoing(to, intent, key, value));
  }

  void send(OutgoingCommand command) { output_.sends.push_back(std::move(command)); }

  // Rejects the current command and answers its client. Nothing else may have been written for it.
  void reject(record::RejectionType type, std::string reason);
  void reject(const Rejection& rejection) { reject(rejection.type, rejection.reason); }

  // Answers the client of the current command, if there is one.
  template <typename T>
  void respond(typename T::Intent intent, Key key, const T& value) {
    respond_to(command_metadata().request_id, intent, key, value);
  }
  // Answers with the event that was just written, under this key, without encoding its value again.
  void respond_with_event(Key key);
  template <typename T>
  void respond_to(record::RequestId request, typename T::Intent intent, Key key, const T& value) {
    if (request == 0) return;
    encode_value(value);
    add_response(request, T::kType, static_cast<record::IntentNumber>(intent), key);
  }

  // Rejects a request whose command was accepted earlier but has failed since.
  template <typename T>
  void refuse_request(record::RequestId request, typename T::Intent intent, const T& value,
                      record::RejectionType type, std::string reason) {
    if (request == 0) return;
    encode_value(value);
    record::Metadata metadata = describe(record::RecordType::CommandRejection, T::kType,
                                         static_cast<record::IntentNumber>(intent), Key{});
    metadata.position = command_metadata().position;
    metadata.rejection_type = type;
    output_.responses.push_back({request, {metadata, std::move(reason), std::string{value_}}});
  }

  // Announces that workers can take the job.
  void job_available(const record::JobGroupView& group, Key key) {
    output_.available_jobs.push_back({record::JobGroup{group}, key});
  }

  // The time zone in which timers step through the calendar.
  [[nodiscard]] bpmn::Zone zone() const { return zone_; }
  // Returns true if a pending command will create an instance of this process. Its client may
  // already have the answer.
  [[nodiscard]] bool has_pending_instance(Key definition) const;

  // Returns the messages that still have receivers, which a pending command will serve.
  [[nodiscard]] std::vector<MessageKey> pending_correlations() const;

  // The result of the current command, for the partition that distributed it.
  void set_result(std::int64_t result) { result_ = result; }
  [[nodiscard]] std::int64_t result() const { return result_; }

  // The current command, which another partition distributes, needs further steps: the last of them
  // acknowledges it.
  void postpone_acknowledgement() { is_acknowledged_later_ = true; }
  [[nodiscard]] bool is_acknowledged_later() const { return is_acknowledged_later_; }

  // The metadata of the current command, without its principal.
  [[nodiscard]] const record::Metadata& command_metadata() const {
    return pending_command_->metadata;
  }
  // The sender of the current command; empty if the sender is unknown.
  [[nodiscard]] const record::EncodedPrincipal& principal() const {
    return pending_command_->principal;
  }
  // The bytes of records that the current command has written so far.
  [[nodiscard]] std::size_t bytes_written() const { return frame_.size() - command_begin_; }
  // The bytes that the current command may still write before the batch is full. A command that
  // serves many receivers stops at 0 and continues in a follow-up command.
  [[nodiscard]] std::size_t bytes_left() const {
    return bytes_written() < limits_.batch_bytes ? limits_.batch_bytes - bytes_written() : 0;
  }
  // The budget that all evaluations of the current command share. A const Step provides it too,
  // because the cost of evaluations is not part of the command's decisions.
  [[nodiscard]] feel::Budget& feel_budget() const { return feel_budget_; }
  // The steps of that budget which the conditions of conditional events may still use.
  [[nodiscard]] std::int64_t condition_steps() const {
    return std::min(condition_steps_, feel_budget_.left());
  }
  void spend_condition_steps(std::int64_t steps) { condition_steps_ -= steps; }
  // The largest size of a reply to a client, in bytes.
  [[nodiscard]] std::size_t reply_bytes_max() const { return limits_.reply_bytes; }
  // The receivers of a signal that one command may serve.
  [[nodiscard]] std::size_t signal_receivers_max() const { return limits_.signal_receivers; }
  // Called before a receiver of a signal is served; a test can make it fail here.
  void before_receiver(Key element_instance) const {
    if (before_receiver_ != nullptr && *before_receiver_) (*before_receiver_)(element_instance);
  }
  // The largest total size of the variables of one process instance, in bytes.
  [[nodiscard]] std::size_t instance_variables_max() const { return limits_.instance_variables; }

  // --- for the engine ---
  struct Limits {
    std::size_t batch_bytes = 0;    // a batch ends when it exceeds this
    std::size_t command_bytes = 0;  // the limit for one command
    std::size_t reply_bytes = 0;
    std::size_t instance_variables = 0;
    std::size_t signal_receivers = 0;
  };
  void begin(Timestamp now, Position first, std::int64_t key_counter, Limits limits);
  // Makes `command` the current command. It must outlive its processing.
  void set_command(const PendingCommand& command);
  void set_source(Position source);
  void set_zone(bpmn::Zone zone) { zone_ = zone; }
  void set_before_receiver(const std::function<void(Key)>& function) {
    before_receiver_ = &function;
  }
  // Writes a command from outside to the frame, before the records of its processing.
  void write_command(const record::Metadata& metadata, std::string_view value);
  // The steps that all evaluations of the batch have used.
  [[nodiscard]] std::int64_t batch_feel_steps() const {
    return batch_feel_steps_ + feel_budget_.used();
  }
  // The bytes of the batch's records, without the command from outside.
  [[nodiscard]] std::size_t batch_bytes() const { return frame_.size() - batch_begin_; }
  void finish(Position processed) { frame_.finish(processed); }
  [[nodiscard]] std::int64_t key_counter() const { return key_counter_; }
  [[nodiscard]] Position next_position() const { return next_position_; }

 private:
  // Returns the metadata of the next record, including the fields that all records of the batch
  // share.
  [[nodiscard]] record::Metadata describe(record::RecordType type, record::ValueType value_type,
                                          record::IntentNumber intent, Key key) const {
    record::Metadata metadata = common_;
    metadata.position = next_position_;
    metadata.key = key;
    metadata.record_type = type;
    metadata.value_type = value_type;
    metadata.intent = intent;
    return metadata;
  }
  template <typename T>
  void encode_value(const T& value) {
    if constexpr (std::is_same_v<T, record::ProcessInstanceView>) {
      value_ = elements_.encode(value);
    } else {
      scratch_.clear();
      record::encode(value, scratch_);
      value_ = scratch_;
    }
  }
  // Writes an event with the value that was encoded last, and applies it.
  template <typename T>
  void write_event(typename T::Intent intent, Key key, const T& value) {
    record::Metadata metadata = describe(record::RecordType::Event, T::kType,
                                         static_cast<record::IntentNumber>(intent), key);
    metadata.version = record::latest_version<T>(intent);
    append(metadata);
    ++output_.events;
    last_event_ = {T::kType, metadata.intent};
    apply(state_, metadata, value);
  }
  void append(const record::Metadata& metadata);
  void check_size() const;
  // Adds a response with the value that was encoded last.
  void add_response(record::RequestId request, record::ValueType value_type,
                    record::IntentNumber intent, Key key);

  EngineState& state_;
  BatchOutput& output_;
  PendingCommands& pending_;
  Timestamp now_;
  Position next_position_;
  std::int64_t key_counter_ = 0;
  Limits limits_;
  std::size_t batch_begin_ = 0;       // where the records of the batch begin in the frame
  std::size_t command_begin_ = 0;     // where those of the current command begin
  std::size_t command_end_ = 0;       // where those of the current command must end
  mutable feel::Budget feel_budget_;  // the budget of the current command
  std::int64_t condition_steps_ = kConditionStepsMax;
  std::int64_t batch_feel_steps_ = 0;  // used by the earlier commands of the batch
  const PendingCommand* pending_command_ = nullptr;
  bool was_rejected_ = false;
  bool is_acknowledged_later_ = false;
  const std::function<void(Key)>* before_receiver_ = nullptr;
  bpmn::Zone zone_ = nullptr;
  std::int64_t result_ = 0;
  struct {
    record::ValueType value_type = record::ValueType::Job;
    record::IntentNumber intent = 0;
  } last_event_;
  std::string_view value_;  // the bytes of the value that was encoded last
  std::string& scratch_;
  ElementEncoder& elements_;
  record::FrameWriter frame_;
  record::Metadata common_;
};

}  // namespace beeline::engine
