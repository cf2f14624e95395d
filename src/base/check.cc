#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace beeline {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  // Writes directly to the terminal, because the logger itself may be broken.
  fmt::print(stderr, "{}:{}: check failed: {}: {}\n", file, line, condition, message);
  std::fflush(stderr);
  std::abort();
}

void ensure_failed(const char* file, int line, const char* condition, std::string_view message) {
  throw InvariantError(fmt::format("{}:{}: {}: {}", file, line, condition, message));
}

}  // namespace beeline
