#include <gtest/gtest.h>

#include "base/io_error.h"
#include "journal/gap_list.h"
#include "journal/journal_test_support.h"

// Positions that a log will never have.
namespace beeline::journal {
namespace {

using testing::FaultyDisk;
using Gaps = std::vector<Journal::Gap>;

// Returns the first positions of the frames from `from` on.
std::vector<std::int64_t> frames_from(Journal& log, Position from) {
  std::vector<std::int64_t> firsts;
  const auto reader = log.read_from(from);
  while (const auto frame = reader->next()) {
    EXPECT_EQ(frame->bytes, bytes_of(frame->first));
    firsts.push_back(frame->first.value());
  }
  return firsts;
}

TEST(JournalGap, the_log_goes_on_behind_it_also_after_a_restart) {
  FaultyDisk disk;
  {
    const auto log = open_journal(disk);
    append_frames(*log, 2);  // 1 to 2, 3
    log->commit_now();
    log->skip_to(Position{30});
    EXPECT_EQ(log->last_position(), Position{30});
    EXPECT_EQ(log->committed_position(), Position{30});
    EXPECT_EQ(frames_from(*log, Position{1}), (std::vector<std::int64_t>{1, 3}));
  }
  disk.crash(FaultyDisk::Crash::LosesUnsynced);
  for (int life = 0; life < 3; ++life) {
    const auto log = open_journal(disk);
    EXPECT_EQ(log->gaps(), (Gaps{{Position{4}, Position{30}}}));
    append_frames(*log, 10);
    log->commit_now();
    disk.crash(FaultyDisk::Crash::LosesUnsynced);
  }
  const auto log = open_journal(disk);
  const auto all = frames_from(*log, Position{1});
  ASSERT_EQ(all.size(), 32U);
  EXPECT_EQ(all[1], 3);
  EXPECT_EQ(all[2], 31);
  for (const std::int64_t in_the_gap : {4, 17, 30, 31}) {
    EXPECT_EQ(frames_from(*log, Position{in_the_gap}).front(), 31);
  }
}

TEST(JournalGap, leaves_with_the_segments_before_it) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 2);
  log->commit_now();
  log->skip_to(Position{30});
  append_frames(*log, 40);
  log->commit_now();
  log->release_before(log->last_position());
  EXPECT_EQ(log->gaps(), Gaps{});
  EXPECT_GT(log->first_position(), Position{30});
}

TEST(JournalGap, can_be_before_the_first_frame_of_all) {
  FaultyDisk disk;
  {
    const auto log = open_journal(disk);
    log->skip_to(Position{30});
  }
  const auto log = open_journal(disk);
  EXPECT_EQ(log->first_position(), Position{31});
  append_frames(*log, 1);
  log->commit_now();
  EXPECT_EQ(frames_from(*log, Position{31}), (std::vector<std::int64_t>{31}));
}

// Whichever call to the disk fails, the log can be opened, with or without the gap.
TEST(JournalGap, is_there_or_not_there_whatever_fails) {
  bool has_failed = true;
  for (std::uint64_t call = 1; has_failed; ++call) {
    FaultyDisk disk;
    {
      const auto log = open_journal(disk);
      append_frames(*log, 2);
      log->commit_now();
      disk.fail_call(call, 5);
      try {
        log->skip_to(Position{30});
        has_failed = false;
      } catch (const IoError&) {
      }
    }
    disk.crash(FaultyDisk::Crash::Random);
    const auto log = open_journal(disk);
    if (log->last_position() == Position{3}) log->skip_to(Position{30});
    EXPECT_EQ(log->gaps(), (Gaps{{Position{4}, Position{30}}})) << "call " << call;
    ASSERT_LT(call, 100U);
  }
}

TEST(GapList, is_kept_in_the_data_directory) {
  FaultyDisk disk;
  const NotedGap first{PartitionId{1}, Position{904}, Position{921}, "2026-11-18T04:00:00Z"};
  const NotedGap second{PartitionId{2}, Position{7}, Position{7}, "2026-11-18T04:00:01Z"};
  {
    const DataDirectory directory(disk, "data");
    EXPECT_TRUE(read_gaps(directory).empty());
    note_gap(directory, first);
    note_gap(directory, second);
    NotedGap again = first;
    again.when = "2026-11-18T05:00:00Z";
    note_gap(directory, again);
  }
  const DataDirectory directory(disk, "data");
  EXPECT_EQ(read_gaps(directory), (std::vector<NotedGap>{first, second}));
  directory.write("gaps", "nonsense\n");
  EXPECT_THROW((void)read_gaps(directory), DataDirectoryError);
}

}  // namespace
}  // namespace beeline::journal
