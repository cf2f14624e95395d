#pragma once

#include <expected>
#include <type_traits>
#include <utility>

namespace beeline {

// The result of a function that may refuse. Refusals are part of the product, so they are in the
// signature; a broken environment (disk, sockets) is an exception, and a bug is a check.
template <typename T, typename E>
using Result = std::expected<T, E>;

template <typename E>
[[nodiscard]] constexpr auto failure(E&& error) {
  return std::unexpected<std::decay_t<E>>(std::forward<E>(error));
}

}  // namespace beeline

#define BEELINE_CONCAT_INNER(a, b) a##b
#define BEELINE_CONCAT(a, b) BEELINE_CONCAT_INNER(a, b)

// BEELINE_TRY(const Job& job, find_job(key)): declares `job` with the value, or returns the error.
#define BEELINE_TRY(declaration, ...) \
  BEELINE_TRY_INNER(BEELINE_CONCAT(beeline_try_, __LINE__), declaration, __VA_ARGS__)
#define BEELINE_TRY_INNER(temporary, declaration, ...)                              \
  auto&& temporary = (__VA_ARGS__);                                                 \
  if (!temporary.has_value()) return std::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)

// Like BEELINE_TRY for a result without a value.
#define BEELINE_TRY_VOID(...)                                        \
  do {                                                               \
    auto&& beeline_try_result = (__VA_ARGS__);                       \
    if (!beeline_try_result.has_value())                             \
      return std::unexpected(std::move(beeline_try_result).error()); \
  } while (false)
