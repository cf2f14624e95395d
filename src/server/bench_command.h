#pragma once

#include <string>

#include "load/generator.h"

namespace beeline::server {

struct BenchOptions {
  std::string workload;  // a file
  load::LoadOptions load;
  std::string json_file;  // empty for none; "-" for standard output instead of the text
};

// `beeline bench`: returns the exit code.
[[nodiscard]] int bench(const BenchOptions& options);

}  // namespace beeline::server
