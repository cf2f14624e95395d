#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace beeline {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  // Straight to the terminal: the logger may be what is broken.
  fmt::print(stderr, "{}:{}: check failed: {}: {}\n", file, line, condition, message);
  std::fflush(stderr);
  std::abort();
}

void ensure_failed(const char* file, int line, const char* condition, std::string_view message) {
  throw InvariantError(fmt::format("{}:{}: {}: {}", file, line, condition, message));
}

}  // namespace beeline
