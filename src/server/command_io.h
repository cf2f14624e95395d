#pragma once

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/result.h"

// Code that the commands of the command line share.
namespace beeline::server {

// Prints why a command failed; returns its exit status.
inline int fail(std::string_view sentence) {
  fmt::print(stderr, "beeline: {}\n", sentence);
  return 1;
}

// For commands that write into a data directory: the files of this process, including those that
// libraries create, are accessible to their owner only.
inline void keep_files_private() {
  ::umask(S_IRWXG | S_IRWXO);
}

// Returns the contents, or a sentence that the file cannot be read.
[[nodiscard]] inline Result<std::string, std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return failure(fmt::format("The file {} cannot be read.", path));
  return content.str();
}

}  // namespace beeline::server
