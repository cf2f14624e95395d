#include "tests/sim/audit.h"

#include <fmt/format.h>

#include "record/codec.h"
#include "record/values.h"

namespace beeline::sim {
namespace {

using record::ValueType;

template <typename Intent>
bool is(const record::RecordView& record, ValueType type, Intent intent) {
  return record.metadata.value_type == type &&
         record.metadata.intent == static_cast<record::IntentNumber>(intent);
}

}  // namespace

void Audit::read(PartitionId partition, const record::RecordView& record) {
  ++records_;
  Position& last = last_.try_emplace(partition, Position{0}).first->second;
  if (record.metadata.position.value() != last.value() + 1) {
    throw Broken(fmt::format("partition {}: position {} follows {}", partition.value(),
                             record.metadata.position.value(), last.value()));
  }
  last = record.metadata.position;
  if (record.metadata.rejection_type == record::RejectionType::ProcessingError ||
      record.metadata.value_type == ValueType::Error) {
    throw Broken(
        fmt::format("a bug: {} {}", record::to_text(record), record.metadata.rejection_reason));
  }
  // Nobody would repeat the command, so its effects would never happen.
  if (record.metadata.rejection_type == record::RejectionType::ExceededBatchRecordSize) {
    throw Broken(fmt::format("stranded by its size: {} {}", record::to_text(record),
                             record.metadata.rejection_reason));
  }
  if (record.metadata.record_type == record::RecordType::Command) ++commands_;
  read_principal(partition, record);
  if (record.metadata.record_type == record::RecordType::Event) read_event(record);
}

void Audit::read_principal(PartitionId partition, const record::RecordView& record) {
  const record::Metadata& metadata = record.metadata;
  if (!metadata.principal.empty()) {
    if (metadata.record_type != record::RecordType::Command || metadata.source_position.is_set()) {
      throw Broken(
          fmt::format("it is no client's and has a principal: {}", record::to_text(record)));
    }
    principals_.emplace(std::pair{partition, metadata.position}, metadata.principal.bytes);
  }
  if (metadata.min_pending_key.is_set()) {
    expect_principal(metadata.key, metadata.principal.bytes, record);
  }
  if (metadata.record_type != record::RecordType::Event ||
      !is(record, ValueType::CommandDistribution, record::CommandDistributionIntent::Started)) {
    return;
  }
  const auto value = record::decode<record::CommandDistributionRecord>(record.value);
  expect_principal(metadata.key, value.principal.bytes, record);
  // The source of a signal may be the command of a client that led to a throw event, or a command
  // that continues the broadcast; neither has the principal of the signal.
  if (value.value_type == ValueType::Signal) return;
  // Clients deploy and delete; other distributed commands follow from these.
  const bool is_clients =
      value.value_type == ValueType::Deployment || value.value_type == ValueType::ResourceDeletion;
  const auto client = principals_.find({partition, metadata.source_position});
  const std::string_view expected =
      is_clients && client != principals_.end() ? std::string_view{client->second} : "";
  if (value.principal.bytes != expected) {
    throw Broken(fmt::format("the command at its source is of another principal: {}",
                             record::to_text(record)));
  }
}

void Audit::expect_principal(Key distribution, std::string_view principal,
                             const record::RecordView& record) {
  const auto [known, is_new] = distributed_.emplace(distribution, principal);
  if (known->second == principal) return;
  throw Broken(fmt::format("distribution {} was of another principal: {}", distribution.value(),
                           record::to_text(record)));
}

void Audit::give(Key key, const record::RecordView& record) {
  const auto [known, is_new] = given_.emplace(key, record::text_name(record.metadata));
  if (!is_new) {
    throw Broken(fmt::format("key {} of {} was given to: {}", key.value(), known->second,
                             record::to_text(record)));
  }
}

void Audit::begin_element(Key key, const record::RecordView& record) {
  give(key, record);
  const auto value = record::decode<record::ProcessInstanceRecord>(record.value);
  if (value.element_type == record::ElementType::Process) instances_.insert(key);
  if (value.flow_scope_key.is_set()) {
    const auto scope = active_.find(value.flow_scope_key);
    if (scope == active_.end()) {
      throw Broken(fmt::format("its scope is not active: {}", record::to_text(record)));
    }
    ++scope->second.children;
  }
  active_[key] = {fmt::format("{} '{}' of instance {}", record::name_of(value.element_type),
                              value.element_id, value.process_instance_key.value()),
                  value.flow_scope_key};
  if (value.element_type == record::ElementType::Process) {
    active_[key].process_id = value.bpmn_process_id;
  }
}

std::vector<Key> Audit::instances_of(const std::string& bpmn_process_id) const {
  std::vector<Key> keys;
  for (const auto& [key, element] : active_) {
    if (element.process_id == bpmn_process_id) keys.push_back(key);
  }
  return keys;
}

void Audit::end_element(Key key, const record::RecordView& record) {
  const auto ended = active_.find(key);
  if (ended == active_.end()) {
    throw Broken(fmt::format("it is not active: {}", record::to_text(record)));
  }
  if (ended->second.children != 0) {
    throw Broken(fmt::format("it ends while {} elements in it are active: {}",
                             ended->second.children, record::to_text(record)));
  }
  if (ended->second.scope.is_set()) --active_.at(ended->second.scope).children;
  active_.erase(ended);
}

void Audit::end_job(Key key, const record::RecordView& record) {
  if (ended_jobs_.insert(key).second) return;
  throw Broken(fmt::format("a job ends twice: {}", record::to_text(record)));
}

void Audit::deliver(Key message, const std::string& bpmn_process_id,
                    const record::RecordView& record) {
  if (delivered_.emplace(message, bpmn_process_id).second) return;
  throw Broken(fmt::format("message {} reaches process '{}' twice: {}", message.value(),
                           bpmn_process_id, record::to_text(record)));
}

void Audit::read_event(const record::RecordView& record) {
  using record::JobIntent;
  const Key key = record.metadata.key;
  if (is(record, ValueType::ProcessInstance, record::ProcessInstanceIntent::ElementActivating)) {
    begin_element(key, record);
  } else if (is(record, ValueType::ProcessInstance,
                record::ProcessInstanceIntent::ElementCompleted) ||
             is(record, ValueType::ProcessInstance,
                record::ProcessInstanceIntent::ElementTerminated)) {
    end_element(key, record);
  } else if (is(record, ValueType::Job, JobIntent::Created) ||
             is(record, ValueType::Timer, record::TimerIntent::Created) ||
             is(record, ValueType::Message, record::MessageIntent::Published)) {
    give(key, record);
    if (record.metadata.value_type == ValueType::Message) messages_.insert(key);
  } else if (is(record, ValueType::Incident, record::IncidentIntent::Created)) {
    give(key, record);
    const auto value = record::decode<record::IncidentRecord>(record.value);
    open_incidents_[key] = {value.job_key,
                            value.root_process_instance_key,
                            value.process_instance_key,
                            value.element_instance_key,
                            value.error_type,
                            value.error_message};
  } else if (is(record, ValueType::Incident, record::IncidentIntent::Resolved)) {
    open_incidents_.erase(key);
  } else if (is(record, ValueType::Job, JobIntent::Completed)) {
    end_job(key, record);
    completed_jobs_.insert(key);
  } else if (is(record, ValueType::Job, JobIntent::Canceled)) {
    end_job(key, record);
  } else if (is(record, ValueType::ProcessMessageSubscription,
                record::ProcessMessageSubscriptionIntent::Correlated)) {
    const auto value = record::decode<record::ProcessMessageSubscriptionRecord>(record.value);
    deliver(value.message_key, value.bpmn_process_id, record);
  } else if (is(record, ValueType::MessageStartEventSubscription,
                record::MessageStartEventSubscriptionIntent::Correlated)) {
    const auto value = record::decode<record::MessageStartEventSubscriptionRecord>(record.value);
    deliver(value.message_key, value.bpmn_process_id, record);
  }
}

}  // namespace beeline::sim
