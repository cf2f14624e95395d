#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.h"

namespace beeline::engine {

// A key of one kind of entity. If two keys occur in one signature, their kinds prevent swapping
// them. A key of a kind is made from a Key explicitly. It can be used as a Key, but not as a key of
// another kind.
template <typename Tag>
class KeyOf {
 public:
  constexpr KeyOf() = default;
  constexpr explicit KeyOf(Key key) : key_(key) {}

  constexpr operator Key() const { return key_; }  // NOLINT: a key of a kind is a key
  [[nodiscard]] constexpr std::int64_t value() const { return key_.value(); }
  [[nodiscard]] constexpr bool is_set() const { return key_.is_set(); }

  friend constexpr auto operator<=>(KeyOf, KeyOf) = default;

 private:
  Key key_;
};

using ProcessInstanceKey = KeyOf<struct ProcessInstanceKeyTag>;
using MessageKey = KeyOf<struct MessageKeyTag>;
using SubscriptionKey = KeyOf<struct SubscriptionKeyTag>;            // the message's side
using StartSubscriptionKey = KeyOf<struct StartSubscriptionKeyTag>;  // of a message start event
using TriggerKey = KeyOf<struct TriggerKeyTag>;
using VariableKey = KeyOf<struct VariableKeyTag>;
using ParentScopeKey = KeyOf<struct ParentScopeKeyTag>;
using ChildKey = KeyOf<struct ChildKeyTag>;            // of an element instance in a scope
using MinPendingKey = KeyOf<struct MinPendingKeyTag>;  // of distributions, see Distributions

}  // namespace beeline::engine
