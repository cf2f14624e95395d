#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace beeline {

using Milliseconds = std::chrono::milliseconds;

// A point in time, in milliseconds since 1970 UTC. Adding saturates: a client may ask for a timeout
// of 2^63 ms, which means "never" and must not wrap into the past.
class Timestamp {
 public:
  constexpr Timestamp() = default;
  constexpr explicit Timestamp(std::int64_t millis) : millis_(millis) {}

  [[nodiscard]] constexpr std::int64_t millis() const { return millis_; }
  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

  friend constexpr Timestamp operator+(Timestamp at, Milliseconds by) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(at.millis_, by.count(), &sum)) {
      sum = by.count() > 0 ? std::numeric_limits<std::int64_t>::max()
                           : std::numeric_limits<std::int64_t>::min();
    }
    return Timestamp{sum};
  }
  friend constexpr Milliseconds operator-(Timestamp a, Timestamp b) {
    return Milliseconds{a.millis_ - b.millis_};
  }

 private:
  std::int64_t millis_ = 0;
};

// The source of time. The server uses the system's clock; tests use one that they move themselves.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override {
    return Timestamp{std::chrono::duration_cast<Milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count()};
  }
};

}  // namespace beeline
