#pragma once

#include <string_view>

namespace beeline::server {

// What belongs to a partition stands in the data directory under this name and its number.
inline constexpr std::string_view kPartitionFolder = "partition-";

}  // namespace beeline::server
