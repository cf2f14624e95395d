#pragma once

#include <compare>
#include <cstdint>
#include <utility>

namespace beeline {

// A number that cannot be mistaken for another kind of number: keys, positions and partition ids
// are all 64 bits wide, and mixing them up does not compile.
template <typename Tag, typename Rep = std::int64_t>
class StrongId {
 public:
  using rep = Rep;

  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep value) : value_(value) {}

  [[nodiscard]] constexpr Rep value() const { return value_; }
  // True if this id names something; -1 means "no id" throughout the protocol.
  [[nodiscard]] constexpr bool is_set() const { return value_ != Rep{-1}; }

  friend constexpr auto operator<=>(StrongId, StrongId) = default;

  template <typename H>
  friend H AbslHashValue(H hash, StrongId id) {
    return H::combine(std::move(hash), id.value_);
  }

 private:
  Rep value_ = Rep{-1};
};

}  // namespace beeline
