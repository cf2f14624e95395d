#pragma once

#include <cstdint>

#include "base/strong_id.h"

namespace beeline {

// Names an entity: an element instance, a job, a process definition, ... It has 13 bits of
// partition and 51 bits of a counter. All kinds of entities share one type, since the key of a
// record may be any of them.
using Key = StrongId<struct KeyTag>;

// The place of a record in the log of its partition. The first record has position 1.
using Position = StrongId<struct PositionTag>;

using PartitionId = StrongId<struct PartitionTag, std::int32_t>;

inline constexpr int kKeyCounterBits = 51;
inline constexpr std::int32_t kPartitionsMax = (1 << 13) - 1;

[[nodiscard]] constexpr Key make_key(PartitionId partition, std::int64_t counter) {
  return Key{(static_cast<std::int64_t>(partition.value()) << kKeyCounterBits) | counter};
}
[[nodiscard]] constexpr PartitionId partition_of(Key key) {
  return PartitionId{static_cast<std::int32_t>(key.value() >> kKeyCounterBits)};
}
[[nodiscard]] constexpr std::int64_t counter_of(Key key) {
  return key.value() & ((std::int64_t{1} << kKeyCounterBits) - 1);
}

}  // namespace beeline
