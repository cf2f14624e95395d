#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "record/enums.h"

namespace beeline::record {

// The intent of a record as its metadata has it; each value type has its own enumeration.
using IntentNumber = std::uint8_t;

// The protocol's description of an intent.
struct IntentName {
  IntentNumber number;
  std::string_view name;
  RecordType written_as;  // Command or Event
};

namespace detail {

[[nodiscard]] constexpr bool are_ascending(std::span<const IntentName> intents) {
  for (std::size_t i = 1; i < intents.size(); ++i) {
    if (intents[i - 1].number >= intents[i].number) return false;
  }
  return true;
}

}  // namespace detail
}  // namespace beeline::record

// BEELINE_INTENTS(SignalIntent, BEELINE_SIGNAL_INTENTS) defines an enumeration of intents, and
// intents_of(SignalIntent), which describes all of them. Both are made from one list, so neither
// can lack an intent. The list is a macro with a line for each intent: its enumerator, its number
// and its name, as a command or as an event:
//
//     BEELINE_SIGNAL_INTENTS(COMMAND, EVENT):
//       COMMAND(Broadcast, 0, "BROADCAST")
//       EVENT(Broadcasted, 1, "BROADCASTED")
//
// The numbers are the protocol's. New ones may be added, and existing ones never change.
#define BEELINE_INTENTS(Enumeration, LIST)                                                         \
  enum class Enumeration : ::beeline::record::IntentNumber {                                       \
    LIST(BEELINE_INTENT_ENUMERATOR, BEELINE_INTENT_ENUMERATOR)                                     \
  };                                                                                               \
  inline constexpr ::beeline::record::IntentName k##Enumeration##Names[] = {                       \
      LIST(BEELINE_COMMAND_NAME, BEELINE_EVENT_NAME)};                                             \
  [[nodiscard]] constexpr std::span<const ::beeline::record::IntentName> intents_of(Enumeration) { \
    return k##Enumeration##Names;                                                                  \
  }                                                                                                \
  static_assert(::beeline::record::detail::are_ascending(k##Enumeration##Names))

#define BEELINE_INTENT_ENUMERATOR(enumerator, number, name) enumerator = number,
#define BEELINE_COMMAND_NAME(enumerator, number, name) \
  {number, name, ::beeline::record::RecordType::Command},
#define BEELINE_EVENT_NAME(enumerator, number, name) \
  {number, name, ::beeline::record::RecordType::Event},
