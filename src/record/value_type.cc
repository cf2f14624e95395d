#include "record/value_type.h"

#include "record/values.h"

namespace beeline::record {
namespace {

constexpr ValueType kValueTypes[] = {
#define BEELINE_VALUE_TYPE(enumerator, number, name) ValueType::enumerator,
    BEELINE_VALUE_TYPES(BEELINE_VALUE_TYPE)
#undef BEELINE_VALUE_TYPE
};

}  // namespace

std::span<const ValueType> all_value_types() {
  return kValueTypes;
}

bool is_known(ValueType type) {
  return !intents_of(type).empty();
}

std::string_view name_of(ValueType type) {
  switch (type) {
#define BEELINE_VALUE_NAME(enumerator, number, name) \
  case ValueType::enumerator:                        \
    return name;
    BEELINE_VALUE_TYPES(BEELINE_VALUE_NAME)
#undef BEELINE_VALUE_NAME
  }
  return "UNKNOWN";
}

std::span<const IntentName> intents_of(ValueType type) {
  switch (type) {
#define BEELINE_VALUE_INTENTS(enumerator, number, name) \
  case ValueType::enumerator:                           \
    return intents_of(enumerator##Record::Intent{});
    BEELINE_VALUE_TYPES(BEELINE_VALUE_INTENTS)
#undef BEELINE_VALUE_INTENTS
  }
  return {};
}

std::string_view intent_name(ValueType type, IntentNumber intent) {
  for (const IntentName& known : intents_of(type)) {
    if (known.number == intent) return known.name;
  }
  return "UNKNOWN";
}

}  // namespace beeline::record
