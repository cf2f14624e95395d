#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/io_error.h"
#include "journal/corruption_error.h"
#include "journal/frame_format.h"
#include "journal/journal.h"
#include "tests/support/faulty_disk.h"

// A segment of hostile bytes after a good header: opening and reading the log may report
// corruption, and do nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace beeline;           // NOLINT: one small function
  using namespace beeline::journal;  // NOLINT
  constexpr std::uint64_t kSegmentBytes = 4096;
  if (size > kSegmentBytes - kSegmentHeaderBytes) return 0;
  testing::FaultyDisk disk;
  disk.create_directory("log");
  { const Journal fresh{disk, "log", {.segment_bytes = kSegmentBytes}}; }
  for (const std::string& name : disk.list("log")) {
    if (name.find("segment-") == std::string::npos) continue;
    std::string bytes = disk.bytes("log/" + name);
    bytes.replace(kSegmentHeaderBytes, size, reinterpret_cast<const char*>(data), size);
    bytes.resize(kSegmentBytes);
    disk.set_bytes("log/" + name, bytes);
  }
  try {
    Journal journal{disk, "log", {.segment_bytes = kSegmentBytes}};
    const auto reader = journal.read_from(journal.first_position());
    while (reader->next()) {
    }
  } catch (const CorruptionError&) {
  } catch (const IoError&) {
  }
  return 0;
}
