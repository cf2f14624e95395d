#pragma once

#include <cstdint>

#include "engine/state/decisions.h"
#include "engine/state/definitions.h"
#include "engine/state/distributions.h"
#include "engine/state/element_instances.h"
#include "engine/state/incidents.h"
#include "engine/state/jobs.h"
#include "engine/state/keys.h"
#include "engine/state/message_starts.h"
#include "engine/state/message_subscriptions.h"
#include "engine/state/messages.h"
#include "engine/state/process_message_subscriptions.h"
#include "engine/state/rows.h"
#include "engine/state/timers.h"
#include "engine/state/variables.h"
#include "state/database.h"
#include "state/table.h"

namespace beeline::engine {

// Everything a partition knows. Processors hold it const; only appliers change it.
//
// Threading: belongs to the partition's thread.
class EngineState {
 public:
  EngineState(PartitionId partition, std::int32_t partition_count);
  // Here and in the classes of the tables: written in the .cc, since what destroys a table
  // instantiates all of it, and every file that has an engine would do so for every table.
  ~EngineState();

  [[nodiscard]] PartitionId partition() const { return partition_; }
  [[nodiscard]] std::int32_t partition_count() const { return partition_count_; }
  [[nodiscard]] const state::Database& database() const { return database_; }
  [[nodiscard]] state::Database& database() { return database_; }

  ElementInstances& element_instances() { return element_instances_; }
  [[nodiscard]] const ElementInstances& element_instances() const { return element_instances_; }
  Variables& variables() { return variables_; }
  [[nodiscard]] const Variables& variables() const { return variables_; }
  Jobs& jobs() { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const { return jobs_; }
  Incidents& incidents() { return incidents_; }
  [[nodiscard]] const Incidents& incidents() const { return incidents_; }
  Definitions& definitions() { return definitions_; }
  [[nodiscard]] const Definitions& definitions() const { return definitions_; }
  Decisions& decisions() { return decisions_; }
  [[nodiscard]] const Decisions& decisions() const { return decisions_; }
  Timers& timers() { return timers_; }
  [[nodiscard]] const Timers& timers() const { return timers_; }
  Messages& messages() { return messages_; }
  [[nodiscard]] const Messages& messages() const { return messages_; }
  MessageSubscriptions& message_subscriptions() { return message_subscriptions_; }
  [[nodiscard]] const MessageSubscriptions& message_subscriptions() const {
    return message_subscriptions_;
  }
  ProcessMessageSubscriptions& process_message_subscriptions() {
    return process_message_subscriptions_;
  }
  [[nodiscard]] const ProcessMessageSubscriptions& process_message_subscriptions() const {
    return process_message_subscriptions_;
  }
  MessageStarts& message_starts() { return message_starts_; }
  [[nodiscard]] const MessageStarts& message_starts() const { return message_starts_; }
  Distributions& distributions() { return distributions_; }
  [[nodiscard]] const Distributions& distributions() const { return distributions_; }

  // Triggers waiting on an element instance, or null.
  [[nodiscard]] const TriggersRow* find_triggers(Key scope) const { return triggers_.find(scope); }
  void add_trigger(Key scope, Trigger trigger);
  void remove_trigger(Key scope, TriggerKey trigger);
  void remove_triggers(Key scope);

  [[nodiscard]] const AwaitedResultRow* find_awaited_result(Key process_instance) const {
    return awaited_results_.find(process_instance);
  }
  void await_result(Key process_instance, AwaitedResultRow row);
  void forget_awaited_result(Key process_instance);

  [[nodiscard]] bool is_banned(Key process_instance) const {
    return banned_.find(process_instance) != nullptr;
  }
  [[nodiscard]] bool has_banned() const { return banned_.size() > 0; }
  // How many instances of a definition are running, banned ones not counted.
  [[nodiscard]] std::int64_t active_instances(Key definition) const;
  void ban(Key process_instance, Position error_position);
  void unban(Key process_instance);

  // The tags an instance was created with, or null.
  [[nodiscard]] const TagsRow* find_tags(Key process_instance) const {
    return tags_.find(process_instance);
  }
  void set_tags(Key process_instance, std::vector<std::string> tags);
  void forget_tags(Key process_instance);

  // The items of a multi-instance body, or null before they were evaluated.
  [[nodiscard]] const InputCollectionRow* find_input_collection(Key body) const {
    return input_collections_.find(body);
  }
  void set_input_collection(Key body, std::vector<std::string> items);
  // With what its items have given.
  void forget_input_collection(Key body);

  // The output of an item of a multi-instance body, by its number from 1; null while the item has
  // not ended.
  [[nodiscard]] const OutputItemRow* find_output_item(Key body, std::int32_t index) const {
    return output_items_.find({body, index});
  }
  [[nodiscard]] std::size_t output_item_count() const { return output_items_.size(); }
  // How many bytes the items of this body have given together.
  [[nodiscard]] std::int64_t output_bytes(Key body) const;
  void set_output_item(Key body, std::int32_t index, std::string value);

  // The highest key given out so far, by its counter.
  [[nodiscard]] std::int64_t key_counter() const;
  void set_key_counter(std::int64_t counter);

 private:
  PartitionId partition_;
  std::int32_t partition_count_;
  state::Database database_;
  ElementInstances element_instances_;
  Variables variables_;
  Jobs jobs_;
  Incidents incidents_;
  Definitions definitions_;
  Decisions decisions_;
  Timers timers_;
  Messages messages_;
  MessageSubscriptions message_subscriptions_;
  ProcessMessageSubscriptions process_message_subscriptions_;
  MessageStarts message_starts_;
  Distributions distributions_;
  state::Table<Key, TriggersRow, RowCodec<TriggersRow>> triggers_;
  state::Table<Key, AwaitedResultRow, RowCodec<AwaitedResultRow>> awaited_results_;
  state::Table<Key, BannedRow, RowCodec<BannedRow>> banned_;
  state::Table<Key, TagsRow, RowCodec<TagsRow>> tags_;
  state::Table<Key, InputCollectionRow, RowCodec<InputCollectionRow>> input_collections_;
  state::Table<std::pair<Key, std::int32_t>, OutputItemRow, RowCodec<OutputItemRow>> output_items_;
  state::Table<Key, CounterRow, RowCodec<CounterRow>> output_bytes_;  // by body
  state::Table<std::int32_t, CounterRow, RowCodec<CounterRow>> counters_;
};

}  // namespace beeline::engine
