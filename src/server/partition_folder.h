#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace beeline::server {

// The folder of a partition in the data directory has this name and its number.
inline constexpr std::string_view kPartitionFolder = "partition-";

// Reads the number of partitions that the first start writes into the data directory; 0 if it
// cannot be read.
[[nodiscard]] inline std::int32_t recorded_partitions(std::string_view text) {
  std::int32_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

// Returns the folder in which the exporters of a partition store their positions.
[[nodiscard]] inline std::string exporter_folder(std::string_view data, std::int32_t partition) {
  return fmt::format("{}/{}{}/exporters", data, kPartitionFolder, partition);
}

}  // namespace beeline::server
