#pragma once

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

// A command for another partition. What carries it may lose, repeat and reorder it; see resends.h.
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

// A job that can be handed out from now on: a new one, or one that came back.
struct AvailableJob {
  record::JobGroup group;
  Key key;
};

// The output of a batch for the loop, which lets it out once the frame is committed.
struct BatchOutput {
  std::string frame;  // records of the batch, behind their head
  Position first;
  Position last;
  std::vector<Response> responses;
  std::vector<OutgoingCommand> sends;
  std::vector<AvailableJob> available_jobs;
  std::int64_t commands = 0;
  std::int64_t events = 0;
  std::int64_t rejections = 0;
};

// Thrown when the records of one command outgrow their limit, so that an expression that doubles a
// text again and again costs no more than the limit allows. The engine takes the batch back.
struct BatchTooLarge {
  std::size_t limit = 0;
  std::size_t bytes = 0;  // that the command had written when it was stopped
};

// One batch while it is processed: what processors, behaviors and elements see of the world. It
// gives them the state to read, the time and fresh keys, and takes what they decide: events, which
// are applied as they are written; commands that follow; a rejection; an answer.
//
// The whole batch has one time; the order of records is the order of calls.
class Step {
 public:
  // Room that is kept from batch to batch.
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
  // The same with a value whose bytes `encode(std::string&)` appends.
  template <typename T, typename Encode>
  void event(typename T::Intent intent, Key key, const T& value, Encode&& encode) {
    scratch_.clear();
    encode(scratch_);
    value_ = scratch_;
    write_event(intent, key, value);
  }
  // ELEMENT_ACTIVATING, of which `part` is a part.
  void activating_event(Key key, const record::ProcessInstanceView& value,
                        const record::ActivationPart& part);

  // A command that follows from this one; it is processed later in this batch, or in the next.
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

  // A command for the partition `to`: what follows from this one when that is this partition, else
  // it leaves once the batch is committed.
  template <typename T>
  void send(PartitionId to, typename T::Intent intent, Key key, const T& value) {
    if (to == state_.partition()) return command(intent, key, value);
    output_.sends.push_back(make_outgoing(to, intent, key, value));
  }

  void send(OutgoingCommand command) { output_.sends.push_back(std::move(command)); }

  // Refuses the command at hand: nothing else may have been written for it. Answers the client.
  void reject(record::RejectionType type, std::string reason);
  void reject(const Rejection& rejection) { reject(rejection.type, rejection.reason); }

  // Answers the client of the command at hand, if there is one.
  template <typename T>
  void respond(typename T::Intent intent, Key key, const T& value) {
    respond_to(command_metadata().request_id, intent, key, value);
  }
  // Answers with the event that was just written, under this key; its value need not be encoded
  // once more.
  void respond_with_event(Key key);
  template <typename T>
  void respond_to(record::RequestId request, typename T::Intent intent, Key key, const T& value) {
    if (request == 0) return;
    encode_value(value);
    add_response(request, T::kType, static_cast<record::IntentNumber>(intent), key);
  }

  // Tells a client whose command was accepted, and who waits for what comes of it, that nothing
  // does.
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

  // Announces that the job can be handed out.
  void job_available(const record::JobGroupView& group, Key key) {
    output_.available_jobs.push_back({record::JobGroup{group}, key});
  }

  // Whose clocks count where timers step through the calendar.
  [[nodiscard]] bpmn::Zone zone() const { return zone_; }
  // Whether a command waits that makes an instance of this process: its client may have been told.
  [[nodiscard]] bool has_pending_instance(Key definition) const;

  // The messages whose receivers are not all served yet: a command waits that goes on with them.
  [[nodiscard]] std::vector<MessageKey> pending_correlations() const;

  // The result of the command at hand, for the partition that distributes it.
  void set_result(std::int64_t result) { result_ = result; }
  [[nodiscard]] std::int64_t result() const { return result_; }

  // The metadata of the command at hand, except its principal.
  [[nodiscard]] const record::Metadata& command_metadata() const {
    return pending_command_->metadata;
  }
  // The sender of the command at hand; empty if the sender is unknown.
  [[nodiscard]] const record::EncodedPrincipal& principal() const {
    return pending_command_->principal;
  }
  // How many bytes of records the command at hand has written so far.
  [[nodiscard]] std::size_t bytes_written() const { return frame_.size() - command_begin_; }
  // How many bytes the command at hand may still write until the batch ends with it. A command that
  // serves many receivers stops here and goes on with a command of its own.
  [[nodiscard]] std::size_t bytes_left() const {
    return bytes_written() < limits_.batch_bytes ? limits_.batch_bytes - bytes_written() : 0;
  }
  // The budget that is left for the evaluations of the command at hand together. A const Step lends
  // it too: the cost of evaluations is no part of what the command decides.
  [[nodiscard]] feel::Budget& feel_budget() const { return feel_budget_; }
  // How large the reply to a client may be.
  [[nodiscard]] std::size_t reply_bytes_max() const { return limits_.reply_bytes; }
  // How many bytes the variables of one process instance may have together.
  [[nodiscard]] std::size_t instance_variables_max() const { return limits_.instance_variables; }

  // --- for the engine ---
  struct Limits {
    std::size_t batch_bytes = 0;    // after which a batch ends
    std::size_t command_bytes = 0;  // that one command may write
    std::size_t reply_bytes = 0;
    std::size_t instance_variables = 0;
  };
  void begin(Timestamp now, Position first, std::int64_t key_counter, Limits limits);
  // Takes `command`, which must outlive its processing, as the one that is processed from now on.
  void set_command(const PendingCommand& command);
  void set_source(Position source);
  void set_zone(bpmn::Zone zone) { zone_ = zone; }
  // Writes a command from outside to the frame, as the first of its records.
  void write_command(const record::Metadata& metadata, std::string_view value);
  // How many steps the evaluations of the batch have used.
  [[nodiscard]] std::int64_t batch_feel_steps() const {
    return batch_feel_steps_ + feel_budget_.used();
  }
  // How many bytes of records the batch has, without the command from outside.
  [[nodiscard]] std::size_t batch_bytes() const { return frame_.size() - batch_begin_; }
  // Ends the frame.
  void finish(Position processed) { frame_.finish(processed); }
  [[nodiscard]] std::int64_t key_counter() const { return key_counter_; }
  [[nodiscard]] Position next_position() const { return next_position_; }

 private:
  // The metadata of the next record. What all records of the batch have in common is in it already.
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
  // Of the value that was encoded last.
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
  // Of the value that was encoded last.
  void add_response(record::RequestId request, record::ValueType value_type,
                    record::IntentNumber intent, Key key);

  EngineState& state_;
  BatchOutput& output_;
  PendingCommands& pending_;
  Timestamp now_;
  Position next_position_;
  std::int64_t key_counter_ = 0;
  Limits limits_;
  std::size_t batch_begin_ = 0;        // where in the frame the records of the batch begin
  std::size_t command_begin_ = 0;      // and those of the command at hand
  std::size_t command_end_ = 0;        // where the latter must end
  mutable feel::Budget feel_budget_;   // of the command at hand
  std::int64_t batch_feel_steps_ = 0;  // that the commands before it used
  const PendingCommand* pending_command_ = nullptr;
  bool was_rejected_ = false;
  bpmn::Zone zone_ = nullptr;
  std::int64_t result_ = 0;
  struct {
    record::ValueType value_type = record::ValueType::Job;
    record::IntentNumber intent = 0;
  } last_event_;
  std::string_view value_;  // that was encoded last
  std::string& scratch_;
  ElementEncoder& elements_;
  record::FrameWriter frame_;
  record::Metadata common_;
};

}  // namespace beeline::engine
