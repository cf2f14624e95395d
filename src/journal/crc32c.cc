#include "journal/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace beeline::journal {
namespace {

constexpr std::uint32_t kPolynomialReversed = 0x82F63B78;

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[0] advances the CRC by one byte; tables[k] by one byte followed by k zero bytes, so eight
// independent lookups advance it by eight bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomialReversed : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = (crc >> 8) ^ tables[0][crc & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::string_view bytes,
                                                             std::uint32_t checksum) {
  std::uint64_t crc = static_cast<std::uint32_t>(~checksum);
  while (bytes.size() >= 8) {
    crc = _mm_crc32_u64(crc, load_word(bytes.data()));
    bytes.remove_prefix(8);
  }
  auto tail = static_cast<std::uint32_t>(crc);
  for (const char byte : bytes) tail = _mm_crc32_u8(tail, static_cast<unsigned char>(byte));
  return ~tail;
}
#endif

using Function = std::uint32_t (*)(std::string_view, std::uint32_t);

Function choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_sse42;
#endif
  return crc32c_portable;
}

}  // namespace

std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t checksum) {
  std::uint32_t crc = ~checksum;
  while (bytes.size() >= 8) {
    const std::uint64_t word = load_word(bytes.data()) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTables[7 - i][(word >> (8 * i)) & 0xFF];
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  }
  return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t checksum) {
  static const Function function = choose();
  return function(bytes, checksum);
}

}  // namespace beeline::journal
