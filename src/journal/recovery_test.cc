#include "journal/recovery.h"

#include <gtest/gtest.h>

#include "base/io_error.h"
#include "journal/corruption_error.h"
#include "journal/journal_test_support.h"

namespace beeline::journal {
namespace {

using testing::FaultyDisk;

// Writes `groups` commits of three frames each, and returns the position that each ended with.
std::vector<Position> write_groups(Disk& disk, int groups, std::uint64_t segment = kSmallSegment) {
  std::vector<Position> ends;
  const auto log = open_journal(disk, segment);
  for (int i = 0; i < groups; ++i) {
    append_frames(*log, 3);
    log->commit_now();
    ends.push_back(log->last_position());
  }
  return ends;
}

std::uint32_t last_sequence(Disk& disk) {
  std::uint32_t last = 0;
  for (const std::string& name : disk.list(kDirectory)) {
    last = std::max(last, parse_segment_name(name).value_or(0));
  }
  return last;
}

// Up to the last byte that is not zero.
std::size_t used_bytes(const std::string& segment) {
  return segment.find_last_not_of('\0') + 1;
}

TEST(Recovery, finds_every_flipped_byte_that_is_not_in_the_last_write) {
  FaultyDisk disk;
  const std::vector<Position> ends = write_groups(disk, 4, 4096);
  const std::string whole = disk.bytes(segment_path(1));
  // The last write begins where a log of three groups ends.
  FaultyDisk shorter;
  write_groups(shorter, 3, 4096);
  const std::size_t last_write = used_bytes(shorter.bytes(segment_path(1)));
  const std::size_t used = used_bytes(whole);
  std::size_t corrupt = 0;
  std::size_t cut = 0;
  std::size_t unnoticed = 0;
  for (std::size_t at = 0; at < used + 64; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    disk.set_bytes(segment_path(1), damaged);
    try {
      const auto log = open_journal(disk, 4096);
      const Position last = read_all(*log);
      // Padding and what lies behind the end mean nothing.
      if (last == ends.back()) {
        ++unnoticed;
        continue;
      }
      ++cut;
      EXPECT_GE(at, last_write) << "only the last write may be cut";
      EXPECT_GE(last, ends[2]);
    } catch (const CorruptionError& error) {
      ++corrupt;
      EXPECT_LT(at, last_write);
      EXPECT_EQ(error.segment(), segment_path(1));
      EXPECT_LE(error.offset(), at);
      EXPECT_NE(std::string(error.what()).find(segment_path(1) + ", offset "), std::string::npos);
    }
  }
  EXPECT_GT(corrupt, 500u);
  EXPECT_GT(cut, 200u);
  EXPECT_GT(unnoticed, 0u);
}

TEST(Recovery, finds_every_flipped_byte_of_an_earlier_segment) {
  FaultyDisk disk;
  write_groups(disk, 8);
  ASSERT_GE(last_sequence(disk), 3u);
  const std::string whole = disk.bytes(segment_path(2));
  const Position last = open_journal(disk)->last_position();
  std::size_t corrupt = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x01);
    disk.set_bytes(segment_path(2), damaged);
    try {
      EXPECT_EQ(read_all(*open_journal(disk)), last);
    } catch (const CorruptionError& error) {
      ++corrupt;
      EXPECT_EQ(error.segment(), segment_path(2));
      EXPECT_LE(error.offset(), at);
    }
  }
  EXPECT_GT(corrupt, kSmallSegment / 2);
}

TEST(Recovery, cuts_a_tail_that_was_torn_at_any_length) {
  FaultyDisk disk;
  const std::vector<Position> ends = write_groups(disk, 2, 4096);
  const std::string whole = disk.bytes(segment_path(1));
  const std::size_t used = used_bytes(whole);
  for (std::size_t length = kSegmentHeaderBytes; length <= used; ++length) {
    // The rest is missing, or was never written.
    for (const std::size_t size : {length, whole.size()}) {
      std::string torn = whole.substr(0, length);
      torn.resize(size);
      disk.set_bytes(segment_path(1), torn);
      const auto log = open_journal(disk, 4096);
      const Position last = log->last_position();
      EXPECT_LE(last, ends.back());
      EXPECT_EQ(read_all(*log), last);
      append_frames(*log, 3);
      log->commit_now();
      EXPECT_EQ(read_all(*open_journal(disk, 4096)), log->last_position());
    }
  }
}

TEST(Recovery, says_how_much_it_cut) {
  FaultyDisk disk;
  Position before;
  {
    const auto log = open_journal(disk, 4096);
    append_frames(*log, 2);
    log->commit_now();
    before = log->last_position();
    append_frames(*log, 2);
    log->commit_now();
  }
  const std::size_t start = kSegmentHeaderBytes + frame_size(bytes_of(Position{1}).size()) +
                            frame_size(bytes_of(Position{3}).size());
  std::string damaged = disk.bytes(segment_path(1));
  damaged[start + kFrameHeaderBytes] ^= 1;
  disk.set_bytes(segment_path(1), damaged);
  const auto log = open_journal(disk, 4096);
  EXPECT_EQ(log->last_position(), before);
  EXPECT_EQ(log->cut_bytes(),
            frame_size(bytes_of(Position{4}).size()) + frame_size(bytes_of(Position{6}).size()));
  // It is gone for good.
  EXPECT_EQ(open_journal(disk, 4096)->cut_bytes(), 0u);
}

TEST(Recovery, names_a_segment_that_is_missing) {
  FaultyDisk disk;
  write_groups(disk, 8);
  ASSERT_GE(last_sequence(disk), 3u);
  disk.remove(segment_path(2));
  try {
    (void)open_journal(disk);
    FAIL() << "a log with a hole was opened";
  } catch (const CorruptionError& error) {
    EXPECT_EQ(std::string(error.what()),
              segment_path(2) + ", offset 0: the segment is missing, though there are later ones");
  }
}

TEST(Recovery, names_a_segment_that_belongs_to_another_log) {
  FaultyDisk disk;
  FaultyDisk other;
  write_groups(disk, 8);
  {
    const auto log = open_journal(other);
    for (Position first{1}; first.value() < 60; first = Position{first.value() + 1}) {
      ASSERT_EQ(log->append(first, first, "another log"), AppendResult::Accepted);
      log->commit_now();
    }
  }
  disk.set_bytes(segment_path(2), other.bytes(segment_path(2)));
  try {
    (void)open_journal(disk);
    FAIL() << "a log with a foreign segment was opened";
  } catch (const CorruptionError& error) {
    EXPECT_EQ(error.segment(), segment_path(1));
  }
}

// A log in use: commits, rolls over and recycles, until something fails. What it says it committed
// is all that a crash may be held to; what it released may be gone.
struct Usage {
  Position committed{0};
  Position appended{0};
  Position released{0};
  bool is_done = false;
};

void use_log(Disk& disk, Usage& run) {
  const auto log = open_journal(disk);
  for (int group = 0; group < 12; ++group) {
    for (int i = 0; i < 1 + group % 3; ++i) {
      if (append_next(*log) == AppendResult::Accepted) run.appended = log->last_position();
    }
    log->commit_now();
    run.committed = log->committed_position();
    if (group % 5 == 4) {
      run.released = run.committed;
      log->release_before(run.released);
    }
  }
  run.is_done = true;
}

class AnyCallFails : public ::testing::TestWithParam<std::tuple<int, FaultyDisk::Crash>> {};

TEST_P(AnyCallFails, and_every_committed_frame_is_there_whole_and_in_order) {
  const auto [error, crash] = GetParam();
  FaultyDisk counting;
  Usage whole;
  use_log(counting, whole);
  ASSERT_TRUE(whole.is_done);
  for (std::uint64_t n = 1; n <= counting.calls(); ++n) {
    SCOPED_TRACE(fmt::format("call {} fails", n));
    FaultyDisk disk(n);
    disk.fail_call(n, error);
    Usage run;
    try {
      use_log(disk, run);
    } catch (const IoError& failure) {
      // A directory that cannot be synced is a failure of its own.
      EXPECT_TRUE(failure.code().value() == error || failure.code().value() == EIO);
    }
    disk.crash(crash);

    const auto log = open_journal(disk);
    EXPECT_GE(log->last_position(), run.committed);
    EXPECT_LE(log->last_position(), run.appended);
    EXPECT_LE(log->first_position(), std::max(run.released, Position{1}));
    EXPECT_EQ(read_all(*log, log->first_position()), log->last_position());
    append_frames(*log, 10);
    log->commit_now();
    EXPECT_EQ(read_all(*log, log->first_position()), log->last_position());
  }
}

INSTANTIATE_TEST_SUITE_P(Journal, AnyCallFails,
                         ::testing::Combine(::testing::Values(EIO, ENOSPC),
                                            ::testing::Values(FaultyDisk::Crash::LosesUnsynced,
                                                              FaultyDisk::Crash::KeepsUnsynced,
                                                              FaultyDisk::Crash::Random)));

// The same with chance choosing the sectors: many crashes of one log, each opened and used on.
TEST(Recovery, survives_one_crash_after_another) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    FaultyDisk disk(seed);
    Position committed{0};
    for (int life = 0; life < 8; ++life) {
      {
        const auto log = open_journal(disk);
        ASSERT_GE(log->last_position(), committed);
        ASSERT_EQ(read_all(*log, log->first_position()), log->last_position());
        disk.fail_call(1 + random() % 60, EIO);
        try {
          for (int i = 0; i < 10; ++i) {
            append_frames(*log, static_cast<int>(random() % 4));
            log->commit_now();
            committed = log->committed_position();
            if (random() % 4 == 0) log->release_before(committed);
          }
        } catch (const IoError&) {
          committed = log->committed_position();
        }
      }
      disk.crash(FaultyDisk::Crash::Random);
    }
  }
}

}  // namespace
}  // namespace beeline::journal
