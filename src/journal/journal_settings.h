#pragma once

#include <cstddef>
#include <cstdint>

namespace beeline::journal {

struct JournalSettings {
  // The size of one file of the log. A frame that does not fit gets a file of its own size.
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;
  // The number of files kept for reuse after the log no longer needs them.
  std::size_t spares_max = 8;
  // append() waits for the commit thread while this many bytes are pending.
  std::size_t pending_bytes_max = std::size_t{64} << 20;
};

}  // namespace beeline::journal
