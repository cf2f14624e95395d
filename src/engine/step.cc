#include "engine/step.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::engine {

Step::Step(EngineState& state, BatchOutput& output, PendingCommands& pending, std::string& scratch)
    : state_(state), output_(output), pending_(pending), scratch_(scratch) {}

Key Step::next_key() {
  return make_key(state_.partition(), ++key_counter_);
}

void Step::begin(Timestamp now, Position first, std::int64_t key_counter, Limits limits) {
  now_ = now;
  next_position_ = first;
  key_counter_ = key_counter;
  limits_ = limits;
}

void Step::set_command(const PendingCommand& command) {
  command_ = command.metadata;
  pending_command_ = &command;
  was_rejected_ = false;
  result_ = 0;
}

record::Metadata Step::describe(record::RecordType type, record::ValueType value_type,
                                record::IntentNumber intent, Key key) {
  record::Metadata metadata;
  metadata.position = next_position_;
  metadata.source_position = source_;
  metadata.key = key;
  metadata.timestamp = now_;
  metadata.record_type = type;
  metadata.value_type = value_type;
  metadata.intent = intent;
  metadata.partition = state_.partition();
  metadata.operation_reference = command_.operation_reference;
  return metadata;
}

void Step::append(const record::Metadata& metadata) {
  record::append_record(metadata, scratch_, output_.frame);
  next_position_ = Position{next_position_.value() + 1};
  if (output_.frame.size() > limits_.bytes) throw BatchTooLarge{};
}

void Step::write_command(const record::Metadata& metadata, std::string_view value) {
  record::append_record(metadata, value, output_.frame);
  next_position_ = Position{next_position_.value() + 1};
}

void Step::reject(record::RejectionType type, std::string reason) {
  BEELINE_ENSURE(!was_rejected_, "a command can be rejected once");
  was_rejected_ = true;
  record::Metadata metadata = describe(record::RecordType::CommandRejection, command_.value_type,
                                       command_.intent, command_.key);
  metadata.rejection_type = type;
  metadata.rejection_reason = reason;
  std::string buffer;
  scratch_.assign(pending_command_->bytes(buffer));
  append(metadata);
  ++output_.rejections;
  if (command_.request_id == 0) return;
  metadata.rejection_reason = {};
  output_.responses.push_back({command_.request_id, {metadata, std::move(reason), scratch_}});
}

void Step::add_response(record::RequestId request, record::ValueType value_type,
                        record::IntentNumber intent, Key key) {
  record::Metadata metadata = describe(record::RecordType::Event, value_type, intent, key);
  metadata.position = command_.position;
  output_.responses.push_back({request, {metadata, {}, scratch_}});
}

void Step::respond_with_event(Key key) {
  if (command_.request_id == 0) return;
  add_response(command_.request_id, last_event_.value_type, last_event_.intent, key);
}

std::size_t Step::bytes_left() const {
  return output_.frame.size() < limits_.bytes ? limits_.bytes - output_.frame.size() : 0;
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
                           : record::try_decode<record::ProcessInstanceRecord>(command.value);
    return value && value->element_type == record::ElementType::Process &&
           value->process_definition_key == definition;
  });
}

}  // namespace beeline::engine
