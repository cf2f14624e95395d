#include <algorithm>
#include <array>

#include "engine/processors/processors.h"
#include "record/codec.h"

namespace beeline::engine {
namespace {

using record::Owner;

Key instance_of_element(const EngineState& state, Key element_instance) {
  const ElementInstanceRow* row = state.element_instances().find(element_instance);
  return row != nullptr ? row->process_instance_key : Key{};
}

Key instance_by_key(const EngineState& state, Owner owner, Key key) {
  switch (owner) {
    case Owner::Element:
      return instance_of_element(state, key);
    case Owner::Job: {
      const JobRow* job = state.jobs().find(key);
      return job != nullptr ? instance_of_element(state, job->element_instance_key) : Key{};
    }
    case Owner::Incident: {
      const IncidentRow* incident = state.incidents().find(key);
      return incident != nullptr ? incident->record.process_instance_key : Key{};
    }
    case Owner::Timer: {
      const TimerRow* timer = state.timers().find(key);
      return timer != nullptr && timer->record.element_instance_key.is_set()
                 ? timer->record.process_instance_key
                 : Key{};
    }
    case Owner::Nobody:
    case Owner::Instance:
    case Owner::Scope:
      return Key{};
  }
  return Key{};
}

// Returns true if some command of this value type finds its instance through this kind of owner.
template <typename T>
constexpr bool has_command_of(Owner owner) {
  return std::ranges::any_of(intents_of(typename T::Intent{}), [&](const auto& intent) {
    return intent.written_as == record::RecordType::Command &&
           record::owner_of<T>(static_cast<typename T::Intent>(intent.number)) == owner;
  });
}

template <typename T>
Key find_instance(const EngineState& state, const record::Metadata& metadata,
                  std::string_view bytes) {
  const Owner owner = record::owner_of<T>(static_cast<typename T::Intent>(metadata.intent));
  if (owner == Owner::Nobody) return Key{};
  if constexpr (has_command_of<T>(Owner::Instance) || has_command_of<T>(Owner::Element)) {
    const auto value = record::try_decode<record::ViewOf<T>>(bytes);
    if (value && value->process_instance_key.is_set()) return value->process_instance_key;
  }
  if constexpr (has_command_of<T>(Owner::Scope)) {
    const auto value = record::try_decode<record::ViewOf<T>>(bytes);
    return value ? instance_of_element(state, value->scope_key) : Key{};
  }
  return instance_by_key(state, owner, metadata.key);
}

using FindInstance = Key (*)(const EngineState&, const record::Metadata&, std::string_view);

template <typename... Ts>
constexpr auto make_instance_finders(record::TypeList<Ts...>) {
  std::array<FindInstance, 256> table{};
  ((table[static_cast<std::size_t>(Ts::kType)] = &find_instance<Ts>), ...);
  return table;
}

}  // namespace

Key process_instance_of(const EngineState& state, const PendingCommand& command) {
  static constexpr auto kTable = make_instance_finders(record::AllValues{});
  if (command.element && command.element->process_instance_key.is_set()) {
    return command.element->process_instance_key;
  }
  const FindInstance find = kTable[static_cast<std::size_t>(command.metadata.value_type)];
  if (find == nullptr) return Key{};
  std::string buffer;
  return find(state, command.metadata, command.bytes(buffer));
}

}  // namespace beeline::engine
