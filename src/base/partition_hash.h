#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace beeline {

// Returns the partition that keeps the messages with this correlation key and the subscriptions to
// them. Gateways and partitions must agree on it, so it is part of the protocol: the function never
// changes, and the number of partitions is fixed for the life of the data.
[[nodiscard]] constexpr PartitionId partition_of_correlation_key(std::string_view key,
                                                                 std::int32_t partition_count) {
  std::uint32_t hash = 0;
  for (const char c : key) {
    hash = 31 * hash + static_cast<std::uint32_t>(static_cast<signed char>(c));
  }
  // The remainder is truncated towards zero and has the sign of the hash.
  const std::int32_t remainder = static_cast<std::int32_t>(hash) % partition_count;
  return PartitionId{(remainder < 0 ? -remainder : remainder) + 1};
}

}  // namespace beeline
