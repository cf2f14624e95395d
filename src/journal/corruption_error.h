#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace beeline::journal {

// The log differs from what was written. Nothing is skipped and nothing is repaired: the message
// names the segment and the offset, so a person can look at it and restore a copy.
class CorruptionError : public std::runtime_error {
 public:
  CorruptionError(const std::string& segment, std::uint64_t offset, const std::string& what);

  [[nodiscard]] const std::string& segment() const { return segment_; }
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::string segment_;
  std::uint64_t offset_;
};

}  // namespace beeline::journal
