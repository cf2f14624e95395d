#include "state/digest.h"

#include <bit>
#include <cstring>

namespace beeline::state {

static_assert(std::endian::native == std::endian::little, "words are read as they are");

void Digest::mix(std::uint64_t word) {
  // Both factors are odd, so each step is a bijection of the state and of the word.
  state_ = std::rotl(state_ ^ (word * 0xBF58476D1CE4E5B9), 29) * 0x94D049BB133111EB;
}

void Digest::add(std::string_view piece) {
  mix(piece.size());
  while (piece.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, piece.data(), 8);
    mix(word);
    piece.remove_prefix(8);
  }
  if (piece.empty()) return;
  std::uint64_t word = 0;
  std::memcpy(&word, piece.data(), piece.size());
  mix(word);
}

std::uint64_t Digest::value() const {
  std::uint64_t value = state_;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

}  // namespace beeline::state
