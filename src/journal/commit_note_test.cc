#include "journal/commit_note.h"

#include <gtest/gtest.h>

#include "base/io_error.h"
#include "journal/corruption_error.h"
#include "tests/support/faulty_disk.h"

namespace beeline::journal {
namespace {

using testing::FaultyDisk;

const std::string kFolder = "data";
const std::string kPath = "data/commit-note";

void write(Disk& disk, std::int64_t committed) {
  CommitNote(disk, kFolder).write({.committed = Position{committed}, .sequence = 7, .end = 800});
}

std::int64_t read(Disk& disk) {
  const CommitNote note(disk, kFolder);
  return note.found() ? note.found()->committed.value() : 0;
}

TEST(CommitNote, says_what_was_written_last) {
  FaultyDisk disk;
  EXPECT_EQ(read(disk), 0);
  for (const std::int64_t committed : {3, 5, 8}) {
    write(disk, committed);
    const CommitNote note(disk, kFolder);
    ASSERT_TRUE(note.found());
    EXPECT_EQ(note.found()->committed, Position{committed});
    EXPECT_EQ(note.found()->sequence, 7u);
    EXPECT_EQ(note.found()->end, 800u);
  }
}

TEST(CommitNote, is_the_old_one_or_the_new_one_whatever_call_fails) {
  for (const int error : {EIO, ENOSPC}) {
    for (std::uint64_t n = 1; n <= 20; ++n) {
      FaultyDisk disk(n);
      std::int64_t written = 0;
      try {
        for (const std::int64_t committed : {3, 5}) {
          disk.fail_call(n, error);
          write(disk, committed);
          written = committed;
        }
      } catch (const IoError&) {
      }
      disk.crash(FaultyDisk::Crash::Random);
      EXPECT_GE(read(disk), written);
      write(disk, 8);
      EXPECT_EQ(read(disk), 8);
    }
  }
}

TEST(CommitNote, falls_back_to_its_other_half_and_says_when_both_are_damaged) {
  FaultyDisk disk;
  write(disk, 3);
  write(disk, 5);
  std::string bytes = disk.bytes(kPath);
  bytes[20] = static_cast<char>(bytes[20] ^ 1);  // the second note is in the first half
  disk.set_bytes(kPath, bytes);
  EXPECT_EQ(read(disk), 3);
  bytes[4096 + 20] = static_cast<char>(bytes[4096 + 20] ^ 1);
  disk.set_bytes(kPath, bytes);
  try {
    (void)read(disk);
    FAIL() << "a note without a whole half was believed";
  } catch (const CorruptionError& error) {
    EXPECT_EQ(error.segment(), kPath);
  }
}

}  // namespace
}  // namespace beeline::journal
