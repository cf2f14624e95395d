#include "server/open_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "exporter/position_file.h"
#include "server/partition_folder.h"

namespace beeline::server {

OpenData::OpenData(const std::string& path) {
  if (!disk_.exists(path + "/beeline.format")) {
    throw std::runtime_error(
        fmt::format("{} is not a data directory of beeline; give one with --data.", path));
  }
  directory_ = std::make_unique<journal::DataDirectory>(disk_, path);
  const auto names = disk_.list(path);
  const auto folders = static_cast<std::int32_t>(std::ranges::count_if(
      names, [](const std::string& name) { return name.starts_with(kPartitionFolder); }));
  // The number that the first start wrote down also counts folders that were lost.
  count_ = std::max(folders, recorded_partitions(directory_->read("partitions").value_or("")));
}

std::string OpenData::folder_of(std::int32_t partition) const {
  return directory_->path_of(fmt::format("{}{}", kPartitionFolder, partition));
}

std::string OpenData::log_folder(std::int32_t partition) const {
  return folder_of(partition) + "/journal";
}

std::unique_ptr<journal::Journal> OpenData::open_log(std::int32_t partition) {
  // A journal creates its folder.
  if (!disk_.exists(folder_of(partition))) {
    throw std::runtime_error(
        fmt::format("the folder {} is missing; restore it from a copy", folder_of(partition)));
  }
  return std::make_unique<journal::Journal>(disk_, log_folder(partition));
}

std::unique_ptr<state::KeyValueStore> OpenData::open_checkpoint(std::int32_t partition) {
  return state::open_rocksdb(folder_of(partition) + "/checkpoint");
}

void OpenData::check_exported(std::int32_t partition, Position committed) {
  exporter::check_exported_positions(disk_, exporter_folder(directory_->path(), partition),
                                     committed);
}

}  // namespace beeline::server
