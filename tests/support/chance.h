#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace beeline::testing {

// The source of all randomness in a random test. A seed must give the same numbers on every
// platform, so no distribution of the standard library is used.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  // Returns a number from 0 to `limit` - 1.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace beeline::testing
