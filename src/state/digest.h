#pragma once

#include <cstdint>
#include <string_view>

namespace beeline::state {

// A hash of 64 bits, fed piece by piece; the pieces' boundaries count. For comparing states, not
// for hash tables and not against anybody who wants two states to collide. Golden files hold its
// results, so it never changes.
class Digest {
 public:
  void add(std::string_view piece);
  [[nodiscard]] std::uint64_t value() const;

 private:
  void mix(std::uint64_t word);
  std::uint64_t state_ = 0x9E3779B97F4A7C15;
};

}  // namespace beeline::state
