#pragma once

#include <cstdint>
#include <string_view>

namespace beeline::state {

// A hash of 64 bits that is computed piece by piece; the pieces' boundaries count. It is for
// comparing states, not for hash tables and not against attackers who want two states to collide.
// Golden files contain its results, so it never changes.
class Digest {
 public:
  void add(std::string_view piece);
  [[nodiscard]] std::uint64_t value() const;

 private:
  void mix(std::uint64_t word);
  std::uint64_t state_ = 0x9E3779B97F4A7C15;
};

}  // namespace beeline::state
