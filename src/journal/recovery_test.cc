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

// Makes the directory look like one of an older beeline, without a note.
void remove_note(Disk& disk) {
  const std::string note = kDirectory + "/commit-note";
  if (disk.exists(note)) disk.remove(note);
}

// Returns the size up to the last byte that is not zero.
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
    remove_note(disk);
    try {
      const auto log = open_journal(disk, 4096);
      const Position last = read_all(*log);
      // Padding and bytes after the end are not checked.
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
    // The rest was never written.
    std::string torn = whole.substr(0, length);
    torn.resize(whole.size());
    disk.set_bytes(segment_path(1), torn);
    remove_note(disk);
    const auto log = open_journal(disk, 4096);
    const Position last = log->last_position();
    EXPECT_LE(last, ends.back());
    EXPECT_EQ(read_all(*log), last);
    append_frames(*log, 3);
    log->commit_now();
    EXPECT_EQ(read_all(*open_journal(disk, 4096)), log->last_position());
  }
}

// Returns the message when the log is opened; empty if it opens.
std::string corruption_of(Disk& disk, std::uint64_t segment = kSmallSegment) {
  try {
    (void)open_journal(disk, segment);
    return {};
  } catch (const CorruptionError& error) {
    return error.what();
  }
}

TEST(Recovery, a_last_segment_that_was_cut_short_is_no_end_of_the_log) {
  FaultyDisk disk;
  write_groups(disk, 2, 4096);
  remove_note(disk);
  const std::string whole = disk.bytes(segment_path(1));
  for (const std::size_t length : {kSegmentHeaderBytes, std::size_t{300}, whole.size() - 1}) {
    disk.set_bytes(segment_path(1), whole.substr(0, length));
    EXPECT_EQ(corruption_of(disk, 4096),
              fmt::format(
                  "{}, offset {}: the file has {} bytes, but 4096 according to its header: it was "
                  "truncated, and committed records are missing; restore the file from a copy",
                  segment_path(1), length, length));
    // A second recovery has the same result, because the first one has changed nothing.
    EXPECT_EQ(disk.bytes(segment_path(1)), whole.substr(0, length));
  }
}

TEST(Recovery, the_note_tells_a_damaged_last_write_from_one_that_was_cut_short) {
  FaultyDisk disk;
  write_groups(disk, 4, 4096);
  const std::string whole = disk.bytes(segment_path(1));
  std::size_t noticed = 0;
  for (std::size_t at = 0; at < used_bytes(whole); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    disk.set_bytes(segment_path(1), damaged);
    try {
      // Only padding may be flipped unnoticed.
      EXPECT_EQ(read_all(*open_journal(disk, 4096)), open_journal(disk, 4096)->last_position());
      EXPECT_EQ(open_journal(disk, 4096)->cut_bytes(), 0u) << "offset " << at;
    } catch (const CorruptionError& error) {
      ++noticed;
      EXPECT_EQ(error.segment(), segment_path(1));
      EXPECT_EQ(disk.bytes(segment_path(1)), damaged) << "nothing is changed before it is believed";
    }
  }
  EXPECT_GT(noticed, used_bytes(whole) - 4 * 3 * kFrameAlignment);
}

TEST(Recovery, names_a_last_segment_that_is_missing) {
  FaultyDisk disk;
  const std::vector<Position> ends = write_groups(disk, 8);
  const std::uint32_t last = last_sequence(disk);
  ASSERT_GE(last, 3u);
  disk.remove(segment_path(last));
  const std::string reason = corruption_of(disk);
  EXPECT_TRUE(reason.starts_with(segment_path(last) +
                                 ", offset 0: the segment is missing, though position "))
      << reason;
  EXPECT_NE(
      reason.find(fmt::format("position {} was committed according to {}/commit-note; restore",
                              ends.back().value(), kDirectory)),
      std::string::npos)
      << reason;
  for (std::uint32_t sequence = 1; sequence < last; ++sequence) disk.remove(segment_path(sequence));
  EXPECT_TRUE(corruption_of(disk).starts_with(segment_path(last) + ", offset 0: the segment is"))
      << corruption_of(disk);
  // An operator accepts the loss by removing the note.
  remove_note(disk);
  EXPECT_EQ(corruption_of(disk), "");
}

// A process that died before it noted its last segment leaves that to the next one.
TEST(Recovery, a_segment_that_was_recovered_is_missed_whatever_failed_before) {
  FaultyDisk counting;
  (void)write_groups(counting, 8);
  for (std::uint64_t n = 1; n <= counting.calls(); ++n) {
    SCOPED_TRACE(fmt::format("call {} fails", n));
    FaultyDisk disk;
    disk.fail_call(n, EIO);
    try {
      (void)write_groups(disk, 8);
    } catch (const IoError&) {
      // This is expected.
    }
    disk.fail_call(0, 0);
    (void)open_journal(disk);
    const std::uint32_t last = last_sequence(disk);
    if (last == 0) continue;
    disk.remove(segment_path(last));
    EXPECT_TRUE(corruption_of(disk).starts_with(segment_path(last) + ", offset 0: the segment is"));
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
  remove_note(disk);
  const auto log = open_journal(disk, 4096);
  EXPECT_EQ(log->last_position(), before);
  EXPECT_EQ(log->cut_bytes(),
            frame_size(bytes_of(Position{4}).size()) + frame_size(bytes_of(Position{6}).size()));
  // The remains are removed for good.
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

// A log in use: it commits, changes segments and recycles, until something fails. After a crash
// only frames that it reported as committed must exist; released ones may be gone.
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
      // A directory that cannot be synced fails with EIO.
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

// Like the test above, with random sectors: many lives of one log, each of which opens it and
// continues. A life ends with a power failure, or only with the process: then names and bytes that
// were never synced are still visible, and what the next life relies on must survive the next power
// failure.
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
        committed = log->committed_position();
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
      disk.fail_call(0, 0);  // no call fails while the next life opens the log
      if (random() % 2 == 0) disk.crash(FaultyDisk::Crash::Random);
    }
  }
}

// Positions alone are not enough: a copy of the directory that was used separately has the same
// ones.
TEST(Recovery, names_the_joint_to_a_segment_of_another_log_with_the_same_positions) {
  FaultyDisk disk;
  FaultyDisk other;
  write_groups(disk, 8);
  {
    const auto log = open_journal(other);
    while (last_sequence(other) < last_sequence(disk)) {
      const Position first{log->last_position().value() + 1};
      std::string bytes = bytes_of(first);
      bytes.back() = 'y';
      ASSERT_EQ(log->append(first, last_of(first), bytes), AppendResult::Accepted);
      log->commit_now();
    }
  }
  const std::uint32_t last = last_sequence(disk);
  ASSERT_GE(last, 2U);
  disk.set_bytes(segment_path(last), other.bytes(segment_path(last)));
  try {
    (void)open_journal(disk);
    FAIL() << "a log with a foreign segment was opened";
  } catch (const CorruptionError& error) {
    EXPECT_EQ(error.segment(), segment_path(last - 1));
  }
}

}  // namespace
}  // namespace beeline::journal
