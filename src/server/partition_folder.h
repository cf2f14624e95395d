#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace beeline::server {

// The folder of a partition in the data directory has this name and its number.
inline constexpr std::string_view kPartitionFolder = "partition-";

// Returns the folder in which the exporters of a partition store their positions.
[[nodiscard]] inline std::string exporter_folder(std::string_view data, std::int32_t partition) {
  return fmt::format("{}/{}{}/exporters", data, kPartitionFolder, partition);
}

}  // namespace beeline::server
