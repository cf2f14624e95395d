#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "journal/journal.h"
#include "tests/support/faulty_disk.h"

namespace beeline::journal {

// The frame that begins with a position is always the same, so a test knows from the positions
// alone what must have been written.
inline Position last_of(Position first) {
  return Position{first.value() + first.value() % 3};
}
inline std::string bytes_of(Position first) {
  std::string bytes = fmt::format("frame {} ", first.value());
  while (bytes.size() < static_cast<std::size_t>(20 + first.value() * 7 % 150)) bytes += 'x';
  return bytes;
}

// Small enough that a few frames fill it.
inline constexpr std::uint64_t kSmallSegment = 1024;

// Appends the next frame, and returns the result of append.
inline AppendResult append_next(LogStorage& log) {
  const Position first{log.last_position().value() + 1};
  return log.append(first, last_of(first), bytes_of(first));
}

inline void append_frames(LogStorage& log, int frames) {
  for (int i = 0; i < frames; ++i) ASSERT_EQ(append_next(log), AppendResult::Accepted);
}

// Reads everything from `first` on, expects every frame to have its written bytes, and returns the
// last position (the one before `first` if there is no frame).
inline Position read_all(LogStorage& log, Position first = Position{1}) {
  const auto reader = log.read_from(first);
  Position next = first;
  while (const auto frame = reader->next()) {
    EXPECT_EQ(frame->first, next);
    EXPECT_EQ(frame->last, last_of(frame->first));
    EXPECT_EQ(frame->bytes, bytes_of(frame->first));
    next = Position{frame->last.value() + 1};
  }
  return Position{next.value() - 1};
}

inline const std::string kDirectory = "data/journal";

inline std::unique_ptr<Journal> open_journal(Disk& disk, std::uint64_t segment = kSmallSegment) {
  return std::make_unique<Journal>(disk, kDirectory, JournalSettings{.segment_bytes = segment});
}

inline std::string segment_path(std::uint32_t sequence) {
  return kDirectory + "/" + segment_name(sequence);
}

}  // namespace beeline::journal
