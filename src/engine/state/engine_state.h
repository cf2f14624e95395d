#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/state/compensation_subscriptions.h"
#include "engine/state/conditional_subscriptions.h"
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
#include "engine/state/signals.h"
#include "engine/state/tables.h"
#include "engine/state/timers.h"
#include "engine/state/variables.h"
#include "state/database.h"

namespace beeline::engine {

// The whole state of a partition. Processors hold it const; only appliers change it.
//
// Threading: belongs to the partition's thread.
class EngineState {
 public:
  EngineState(PartitionId partition, std::int32_t partition_count);
  // Destructors here and in the classes of the tables are in the .cc files, since destroying a
  // table instantiates all of it, and every file that has an engine would do so for every table.
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
  Signals& signals() { return signals_; }
  [[nodiscard]] const Signals& signals() const { return signals_; }
  Distributions& distributions() { return distributions_; }
  [[nodiscard]] const Distributions& distributions() const { return distributions_; }

  CompensationSubscriptions& compensation_subscriptions() { return compensation_subscriptions_; }
  [[nodiscard]] const CompensationSubscriptions& compensation_subscriptions() const {
    return compensation_subscriptions_;
  }
  ConditionalSubscriptions& conditional_subscriptions() { return conditional_subscriptions_; }
  [[nodiscard]] const ConditionalSubscriptions& conditional_subscriptions() const {
    return conditional_subscriptions_;
  }

  // Returns the triggers that wait on an element instance, or null.
  [[nodiscard]] const TriggersRow* find_triggers(Key scope) const { return triggers_.find(scope); }
  void add_trigger(Key scope, Trigger trigger);
  void remove_trigger(Key scope, TriggerKey trigger);
  // Keeps a trigger of a parallel-multiple event.
  void collect_trigger(Key scope, Trigger trigger);
  void remove_collected(Key scope, const std::vector<TriggerKey>& triggers);
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
  // Returns how many instances of a definition are running, without banned ones.
  [[nodiscard]] std::int64_t active_instances(Key definition) const;
  void ban(Key process_instance, Position error_position);
  void unban(Key process_instance);

  // Returns the tags with which an instance was created, or null.
  [[nodiscard]] const TagsRow* find_tags(Key process_instance) const {
    return tags_.find(process_instance);
  }
  void set_tags(Key process_instance, std::vector<std::string> tags);
  void forget_tags(Key process_instance);

  // Returns after which elements an instance is to end, or null for most instances.
  [[nodiscard]] const RuntimeInstructionsRow* find_runtime_instructions(
      Key process_instance) const {
    if (runtime_instructions_.size() == 0) return nullptr;
    return runtime_instructions_.find(process_instance);
  }
  void set_runtime_instructions(Key process_instance, std::vector<std::string> after_element_ids);
  void interrupt_by_runtime_instruction(Key process_instance);
  void forget_runtime_instructions(Key process_instance);

  // Returns the items of a multi-instance body, or null before they were evaluated.
  [[nodiscard]] const InputCollectionRow* find_input_collection(Key body) const {
    return input_collections_.find(body);
  }
  void set_input_collection(Key body, std::vector<std::string> items);
  // Removes the items and their outputs.
  void forget_input_collection(Key body);

  // Returns the output of an item of a multi-instance body, by its number from 1; null while the
  // item has not ended.
  [[nodiscard]] const OutputItemRow* find_output_item(Key body, std::int32_t index) const {
    return output_items_.find({body, index});
  }
  [[nodiscard]] std::size_t output_item_count() const { return output_items_.size(); }
  // Returns the total size of the outputs of this body.
  [[nodiscard]] std::int64_t output_bytes(Key body) const;
  void set_output_item(Key body, std::int32_t index, std::string value);

  // Returns how often a standard loop may run; nothing for a loop without a maximum.
  [[nodiscard]] std::optional<std::int64_t> loop_maximum(Key body) const;
  void set_loop_maximum(Key body, std::int64_t maximum);
  void forget_loop_maximum(Key body);

  // Returns the flows that have delivered to complex gateways of this scope that have fired; null
  // if there are none.
  [[nodiscard]] const GatewayRoundsRow* find_gateway_rounds(Key scope) const {
    if (gateway_rounds_.size() == 0) return nullptr;
    return gateway_rounds_.find(scope);
  }
  void add_delivered_flow(Key scope, std::int32_t flow);
  // Removes those of `flows` that are there.
  void remove_delivered_flows(Key scope, const std::vector<bpmn::ElementIndex>& flows);
  void forget_gateway_rounds(Key scope);

  // Returns the counter of the highest key used so far.
  [[nodiscard]] std::int64_t key_counter() const;
  void set_key_counter(std::int64_t counter);

 private:
  PartitionId partition_;
  std::int32_t partition_count_;
  state::Database database_;
  ElementInstances element_instances_{database_};
  Variables variables_{database_};
  Jobs jobs_{database_};
  Incidents incidents_{database_};
  Definitions definitions_{database_};
  Decisions decisions_{database_};
  Timers timers_{database_};
  Messages messages_{database_};
  MessageSubscriptions message_subscriptions_{database_, partition_};
  ProcessMessageSubscriptions process_message_subscriptions_{database_, partition_};
  MessageStarts message_starts_{database_};
  Signals signals_{database_};
  Distributions distributions_{database_};
  CompensationSubscriptions compensation_subscriptions_{database_};
  ConditionalSubscriptions conditional_subscriptions_{database_};
  TableOf<TableNumber::Triggers> triggers_{database_};
  TableOf<TableNumber::AwaitedResults> awaited_results_{database_};
  TableOf<TableNumber::Banned> banned_{database_};
  TableOf<TableNumber::Tags> tags_{database_};
  TableOf<TableNumber::RuntimeInstructions> runtime_instructions_{database_};
  TableOf<TableNumber::InputCollections> input_collections_{database_};
  TableOf<TableNumber::OutputItems> output_items_{database_};
  TableOf<TableNumber::OutputBytes> output_bytes_{database_};      // by body
  TableOf<TableNumber::LoopMaximums> loop_maximums_{database_};    // by body
  TableOf<TableNumber::GatewayRounds> gateway_rounds_{database_};  // by scope
  TableOf<TableNumber::Counters> counters_{database_};
};

}  // namespace beeline::engine
