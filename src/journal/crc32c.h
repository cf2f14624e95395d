#pragma once

#include <cstdint>
#include <string_view>

namespace beeline::journal {

// Returns the CRC-32C (Castagnoli) of `bytes`, continuing from `checksum`, the CRC of the preceding
// bytes: crc32c(b, crc32c(a)) is the CRC of a followed by b. Uses the processor's instruction if it
// has one.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t checksum = 0);

// Computes the same by table, on every machine; the instruction is tested against it.
[[nodiscard]] std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t checksum = 0);

}  // namespace beeline::journal
