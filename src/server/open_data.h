#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "journal/data_directory.h"
#include "journal/disk.h"
#include "journal/journal.h"
#include "state/key_value_store.h"

namespace beeline::server {

// A data directory that no other process uses now, and its contents. All functions throw
// std::exception with a sentence.
class OpenData {
 public:
  explicit OpenData(const std::string& path);

  [[nodiscard]] const journal::DataDirectory& directory() const { return *directory_; }
  [[nodiscard]] std::int32_t partitions() const { return count_; }
  [[nodiscard]] std::string log_folder(std::int32_t partition) const;
  [[nodiscard]] std::unique_ptr<journal::Journal> open_log(std::int32_t partition);
  [[nodiscard]] std::unique_ptr<state::KeyValueStore> open_checkpoint(std::int32_t partition);
  // Throws if an exporter is ahead of the log.
  void check_exported(std::int32_t partition, Position committed);

 private:
  [[nodiscard]] std::string folder_of(std::int32_t partition) const;

  journal::PosixDisk disk_;
  std::unique_ptr<journal::DataDirectory> directory_;
  std::int32_t count_ = 0;
};

}  // namespace beeline::server
