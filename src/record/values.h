#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "record/values/common.h"
#include "record/values/compensations.h"
#include "record/values/conditionals.h"
#include "record/values/decisions.h"
#include "record/values/deployments.h"
#include "record/values/escalations.h"
#include "record/values/events.h"
#include "record/values/incidents.h"
#include "record/values/jobs.h"
#include "record/values/messages.h"
#include "record/values/process_instances.h"
#include "record/values/requests.h"
#include "record/values/signals.h"
#include "record/values/variables.h"

// The value of each kind of record; the headers in values/ have them by concern, and common.h
// describes what a value consists of. A field that is missing on the wire has the default written
// there, so a field may be added at any time and is never retyped.
//
// Values that most commands cause have two forms: XRecord owns its texts, XView borrows them, from
// the bytes that it was decoded from or from the objects that it was made from. The engine works
// with views, within one command.
namespace beeline::record {

// The version in which an event is written: 1, unless version_of() of its value returns another
// one. It grows when the meaning of an event changes; every version stays readable.
template <typename T>
[[nodiscard]] constexpr std::uint16_t latest_version(typename T::Intent intent) {
  if constexpr (requires { T::version_of(intent); }) {
    return T::version_of(intent);
  } else {
    return 1;
  }
}

// Returns how a command leads to the process instance that it concerns.
template <typename T>
[[nodiscard]] constexpr Owner owner_of(typename T::Intent intent) {
  if constexpr (requires { T::owner_of(intent); }) {
    return T::owner_of(intent);
  } else {
    return T::kOwner;
  }
}

// The form of a value that the engine uses.
template <typename T>
struct ViewOfValue {
  using Type = T;
};
template <template <typename> typename Value>
struct ViewOfValue<Value<std::string>> {
  using Type = Value<std::string_view>;
};
template <typename T>
using ViewOf = typename ViewOfValue<T>::Type;

// All values, for code that must visit them all: tables of functions, the schema, the round-trip
// tests.
template <typename... Ts>
struct TypeList {};

namespace detail {

template <typename... Ts>
TypeList<Ts...> without_first(TypeList<void, Ts...>);

}  // namespace detail

#define BEELINE_VALUE_RECORD(enumerator, number, name) , enumerator##Record
using AllValues =
    decltype(detail::without_first(TypeList<void BEELINE_VALUE_TYPES(BEELINE_VALUE_RECORD)>{}));
#undef BEELINE_VALUE_RECORD

#define BEELINE_CHECK_VALUE(enumerator, number, name)                 \
  static_assert(enumerator##Record::kType == ValueType::enumerator && \
                std::is_same_v<enumerator##Record::Intent, enumerator##Intent>);
BEELINE_VALUE_TYPES(BEELINE_CHECK_VALUE)
#undef BEELINE_CHECK_VALUE

}  // namespace beeline::record
