#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace beeline::server {

// What belongs to a partition stands in the data directory under this name and its number.
inline constexpr std::string_view kPartitionFolder = "partition-";

// Where the exporters of a partition keep their positions.
[[nodiscard]] inline std::string exporter_folder(std::string_view data, std::int32_t partition) {
  return fmt::format("{}/{}{}/exporters", data, kPartitionFolder, partition);
}

}  // namespace beeline::server
