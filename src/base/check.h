#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace beeline {

// A broken invariant that only concerns the command at hand. The loop rolls the command back,
// writes an error record and bans the instance, so a bug that one model meets does not stop every
// restart.
class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view message);
[[noreturn]] void ensure_failed(const char* file, int line, const char* condition,
                                std::string_view message);

}  // namespace beeline

// For conditions without which continuing could make wrong state durable: logs and aborts, in every
// build.
#define BEELINE_CHECK(condition, ...)                                                         \
  do {                                                                                        \
    if (!(condition)) [[unlikely]]                                                            \
      ::beeline::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)

// For processors, behaviors and elements: throws InvariantError.
#define BEELINE_ENSURE(condition, ...)                                                         \
  do {                                                                                         \
    if (!(condition)) [[unlikely]]                                                             \
      ::beeline::ensure_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
