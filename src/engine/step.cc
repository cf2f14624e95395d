#include "engine/step.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::engine {

Step::Step(EngineState& state, BatchOutput& output, PendingCommands& pending, Scratch& scratch)
    : state_(state),
      output_(output),
      pending_(pending),
      scratch_(scratch.value),
      elements_(scratch.elements) {
  elements_.forget();
}

void Step::activating_event(Key key, const record::ProcessInstanceView& value,
                            const record::ActivationPart& part) {
  value_ = elements_.encode(value, part);
  write_event(record::ProcessInstanceIntent::ElementActivating, key, value);
}

Key Step::next_key() {
  return make_key(state_.partition(), ++key_counter_);
}

void Step::begin(Timestamp now, Position first, std::int64_t key_counter, Limits limits) {
  now_ = now;
  common_.timestamp = now;
  common_.partition = state_.partition();
  next_position_ = first;
  key_counter_ = key_counter;
  limits_ = limits;
  frame_.begin(output_.frame);
  batch_begin_ = frame_.size();
}

void Step::set_command(const PendingCommand& command) {
  if (command.metadata.operation_reference != common_.operation_reference) {
    common_.operation_reference = command.metadata.operation_reference;
    frame_.set_common(common_);
  }
  pending_command_ = &command;
  command_begin_ = frame_.size();
  command_end_ = command_begin_ + limits_.command_bytes;
  if (feel_budget_.used() > 0) {
    batch_feel_steps_ += feel_budget_.used();
    feel_budget_ = feel::Budget{};
    condition_steps_ = kConditionStepsMax;
  }
  was_rejected_ = false;
  is_acknowledged_later_ = false;
  result_ = 0;
}

void Step::set_source(Position source) {
  if (common_.source_position == source) return;
  common_.source_position = source;
  frame_.set_common(common_);
}

void Step::append(const record::Metadata& metadata) {
  frame_.append(metadata, value_);
  next_position_ = Position{next_position_.value() + 1};
  check_size();
}

void Step::check_size() const {
  if (frame_.size() > command_end_) throw BatchTooLarge{limits_.command_bytes, bytes_written()};
}

void Step::write_command(const record::Metadata& metadata, std::string_view value) {
  frame_.append_any(metadata, value);
  next_position_ = Position{next_position_.value() + 1};
  batch_begin_ = frame_.size();
}

void Step::reject(record::RejectionType type, std::string reason) {
  BEELINE_ENSURE(!was_rejected_, "a command can be rejected once");
  was_rejected_ = true;
  record::Metadata metadata =
      describe(record::RecordType::CommandRejection, command_metadata().value_type,
               command_metadata().intent, command_metadata().key);
  metadata.rejection_type = type;
  metadata.rejection_reason = reason;
  const std::string_view value = pending_command_->bytes(scratch_);
  frame_.append_any(metadata, value);
  next_position_ = Position{next_position_.value() + 1};
  check_size();
  ++output_.rejections;
  if (command_metadata().request_id == 0) return;
  metadata.rejection_reason = {};
  output_.responses.push_back(
      {command_metadata().request_id, {metadata, std::move(reason), std::string{value}}});
}

void Step::add_response(record::RequestId request, record::ValueType value_type,
                        record::IntentNumber intent, Key key) {
  record::Metadata metadata = describe(record::RecordType::Event, value_type, intent, key);
  metadata.position = command_metadata().position;
  output_.responses.push_back({request, {metadata, {}, std::string{value_}}});
}

void Step::respond_with_event(Key key) {
  if (command_metadata().request_id == 0) return;
  add_response(command_metadata().request_id, last_event_.value_type, last_event_.intent, key);
}

bool Step::has_pending_instance(Key definition) const {
  return pending_.any_of([&](const PendingCommand& command) {
    if (command.metadata.value_type != record::ValueType::ProcessInstance ||
        command.metadata.intent !=
            static_cast<record::IntentNumber>(record::ProcessInstanceIntent::ActivateElement)) {
      return false;
    }
    const auto value = command.element
                           ? command.element
                           : record::try_decode<record::ProcessInstanceView>(command.value);
    return value && value->element_type == record::ElementType::Process &&
           value->process_definition_key == definition;
  });
}

std::vector<MessageKey> Step::pending_correlations() const {
  std::vector<MessageKey> messages;
  (void)pending_.any_of([&](const PendingCommand& command) {
    if (command.metadata.value_type == record::ValueType::MessageBatch &&
        command.metadata.intent ==
            static_cast<record::IntentNumber>(record::MessageBatchIntent::Correlate)) {
      messages.emplace_back(command.metadata.key);
    }
    return false;
  });
  return messages;
}

}  // namespace beeline::engine
