#include "journal/journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/io_error.h"
#include "journal/corruption_error.h"
#include "journal/journal_test_support.h"

namespace beeline::journal {
namespace {

using testing::FaultyDisk;

// Lets a test wait for notifications of the commit thread.
class Listener final : public LogListener {
 public:
  void on_commit(Position committed) override {
    const std::lock_guard lock(mutex_);
    EXPECT_GT(committed, committed_);
    committed_ = committed;
    changed_.notify_all();
  }
  void on_failure(std::string_view reason) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(failure_.empty());
    failure_ = reason;
    changed_.notify_all();
  }
  void wait_for(Position position) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return committed_ >= position; });
  }
  std::string wait_for_failure() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !failure_.empty(); });
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Position committed_{0};
  std::string failure_;
};

TEST(Journal, is_empty_at_first) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  EXPECT_EQ(log->first_position(), Position{1});
  EXPECT_EQ(log->last_position(), Position{0});
  EXPECT_EQ(log->committed_position(), Position{0});
  EXPECT_EQ(log->read_from(Position{1})->next(), std::nullopt);
}

TEST(Journal, shows_frames_once_they_are_committed) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  const auto early = log->read_from(Position{1});
  append_frames(*log, 3);
  EXPECT_FALSE(early->next());
  EXPECT_EQ(read_all(*log), Position{0});
  log->commit_now();
  EXPECT_EQ(early->next()->bytes, bytes_of(Position{1}));
  EXPECT_EQ(read_all(*log), log->last_position());
}

TEST(Journal, keeps_what_was_committed_over_many_segments) {
  FaultyDisk disk;
  Position last;
  {
    const auto log = open_journal(disk);
    for (int i = 0; i < 20; ++i) {
      append_frames(*log, 5);
      log->commit_now();
    }
    last = log->last_position();
    append_frames(*log, 1);
  }
  disk.crash(FaultyDisk::Crash::LosesUnsynced);
  const auto log = open_journal(disk);
  EXPECT_EQ(log->last_position(), last);
  EXPECT_EQ(log->cut_bytes(), 0u);
  EXPECT_EQ(read_all(*log), last);
  append_frames(*log, 5);
  log->commit_now();
  EXPECT_EQ(read_all(*log), log->last_position());
}

TEST(Journal, reads_from_the_frame_that_holds_a_position) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 50);
  log->commit_now();
  for (Position from{1}; from <= log->last_position(); from = Position{from.value() + 1}) {
    const auto frame = log->read_from(from)->next();
    ASSERT_TRUE(frame);
    EXPECT_LE(frame->first, from);
    EXPECT_GE(frame->last, from);
  }
  EXPECT_FALSE(log->read_from(Position{log->last_position().value() + 1})->next());
}

TEST(Journal, gives_a_frame_that_no_segment_holds_a_segment_of_its_own) {
  FaultyDisk disk;
  const std::string large(5 * kSmallSegment, 'L');
  const auto log = open_journal(disk);
  append_frames(*log, 1);
  // Calling has_room must not leave a segment behind in which nothing is ever written.
  EXPECT_TRUE(log->has_room(900));
  const Position first{log->last_position().value() + 1};
  EXPECT_EQ(log->append(first, first, large), AppendResult::Accepted);
  append_frames(*log, 1);
  log->commit_now();
  const auto again = open_journal(disk);
  const auto reader = again->read_from(first);
  EXPECT_EQ(reader->next()->bytes, large);
  EXPECT_TRUE(reader->next());
  EXPECT_FALSE(reader->next());
}

TEST(Journal, says_that_a_frame_is_too_large) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  const std::string huge(kFrameBytesMax + 1, 'x');
  EXPECT_FALSE(log->has_room(huge.size()));
  EXPECT_EQ(log->append(Position{1}, Position{1}, huge), AppendResult::TooLarge);
  EXPECT_EQ(log->last_position(), Position{0});
}

TEST(Journal, uses_released_segments_again) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 40);
  log->commit_now();
  const std::size_t files = disk.list(kDirectory).size();
  for (int round = 0; round < 10; ++round) {
    log->release_before(log->committed_position());
    append_frames(*log, 40);
    log->commit_now();
  }
  EXPECT_LE(disk.list(kDirectory).size(), files + 10);
  EXPECT_GT(log->first_position(), Position{1});
  EXPECT_THROW((void)log->read_from(Position{1}), CorruptionError);
  EXPECT_EQ(read_all(*log, log->first_position()), log->last_position());

  // Old frames in reused segments are not taken for new ones.
  const Position last = log->last_position();
  const auto again = open_journal(disk);
  EXPECT_EQ(again->last_position(), last);
  EXPECT_EQ(again->cut_bytes(), 0u);
}

TEST(Journal, keeps_a_segment_while_a_reader_stands_in_it) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 40);
  log->commit_now();
  auto reader = log->read_from(Position{1});
  ASSERT_TRUE(reader->next());
  log->release_before(log->committed_position());
  EXPECT_EQ(log->first_position(), Position{1});
  Position last{0};
  while (const auto frame = reader->next()) last = frame->last;
  EXPECT_EQ(last, log->last_position());
  log->release_before(log->committed_position());
  EXPECT_GT(log->first_position(), Position{1});
}

TEST(Journal, lets_a_segment_go_with_the_reader_that_stood_in_it) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 40);
  log->commit_now();
  auto reader = log->read_from(Position{1});
  ASSERT_TRUE(reader->next());
  reader.reset();
  log->release_before(log->committed_position());
  EXPECT_GT(log->first_position(), Position{1});
}

TEST(Journal, refuses_frames_while_the_disk_is_full_and_goes_on_when_it_is_not) {
  FaultyDisk disk;
  disk.set_room(3 * kSmallSegment);
  const auto log = open_journal(disk);
  AppendResult result = AppendResult::Accepted;
  while (result == AppendResult::Accepted) {
    result = append_next(*log);
    log->commit_now();
  }
  EXPECT_EQ(result, AppendResult::Full);
  EXPECT_FALSE(log->has_room(500));
  EXPECT_EQ(log->committed_position(), log->last_position());
  EXPECT_EQ(read_all(*log), log->last_position());

  disk.set_room(std::nullopt);
  EXPECT_TRUE(log->has_room(500));
  append_frames(*log, 20);
  log->commit_now();
  const Position last = log->last_position();
  EXPECT_EQ(read_all(*open_journal(disk)), last);
}

TEST(Journal, tries_a_write_again_that_found_no_room) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 1);
  log->commit_now();
  const Position committed = log->committed_position();
  append_frames(*log, 1);
  disk.fail_call(1, ENOSPC);
  log->commit_now();
  EXPECT_EQ(log->committed_position(), committed);
  EXPECT_FALSE(log->has_room(1));
  EXPECT_EQ(append_next(*log), AppendResult::Full);
  log->commit_now();
  EXPECT_EQ(log->committed_position(), log->last_position());
  EXPECT_TRUE(log->has_room(1));
  EXPECT_EQ(read_all(*log), log->last_position());
}

TEST(Journal, stops_for_good_when_a_sync_fails) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 2);
  log->commit_now();
  const Position committed = log->committed_position();
  append_frames(*log, 1);
  disk.fail_next_sync(EIO);
  EXPECT_THROW(log->commit_now(), IoError);
  EXPECT_THROW(log->commit_now(), IoError);
  EXPECT_THROW((void)append_next(*log), IoError);
  EXPECT_THROW((void)log->has_room(1), IoError);
  EXPECT_EQ(log->committed_position(), committed);
  EXPECT_EQ(read_all(*log), committed);
}

// The process is started again after the sync failed, and reads the bytes that the kernel still
// shows.
TEST(Journal, makes_durable_what_it_finds_before_it_believes_it) {
  FaultyDisk disk;
  {
    const auto log = open_journal(disk);
    append_frames(*log, 1);
    log->commit_now();
    append_frames(*log, 2);
    disk.fail_next_sync(EIO);
    EXPECT_THROW(log->commit_now(), IoError);
  }
  const Position believed = open_journal(disk)->committed_position();
  disk.crash(FaultyDisk::Crash::LosesUnsynced);
  EXPECT_EQ(read_all(*open_journal(disk)), believed);
}

TEST(Journal, commits_on_a_thread_of_its_own) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  Listener listener;
  log->start(listener);
  append_frames(*log, 100);
  listener.wait_for(log->last_position());
  append_frames(*log, 100);
  log->stop();
  EXPECT_EQ(log->committed_position(), log->last_position());
  EXPECT_EQ(read_all(*log), log->last_position());
}

TEST(Journal, tells_its_listener_that_it_failed) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 1);
  log->commit_now();
  Listener listener;
  disk.fail_next_sync(EIO);
  log->start(listener);
  // Either the sync of this frame or that of the spare fails, whichever comes first.
  try {
    (void)append_next(*log);
  } catch (const IoError&) {
  }
  EXPECT_NE(listener.wait_for_failure().find("sync"), std::string::npos);
  EXPECT_THROW((void)append_next(*log), IoError);
  log->stop();
}

// A file system that copies on write refuses also writes to room that was allocated before.
TEST(Journal, stops_though_the_disk_has_no_room_for_what_is_pending) {
  FaultyDisk disk;
  const auto log = open_journal(disk);
  append_frames(*log, 1);
  log->commit_now();
  const Position committed = log->committed_position();
  Listener listener;
  log->start(listener);
  disk.fail_writes(ENOSPC);
  append_frames(*log, 1);
  log->stop();
  EXPECT_EQ(log->committed_position(), committed);
  disk.fail_writes(0);
  log->commit_now();
  EXPECT_EQ(read_all(*log), log->last_position());
}

TEST(Journal, waits_for_the_commit_thread_rather_than_hold_more_than_its_limit) {
  FaultyDisk disk;
  Journal log(disk, kDirectory, {.segment_bytes = kSmallSegment, .pending_bytes_max = 1});
  Listener listener;
  log.start(listener);
  append_frames(log, 50);
  log.stop();
  EXPECT_EQ(read_all(log), log.last_position());
}

TEST(Journal, is_read_and_recycled_while_it_grows) {
  constexpr int kFrames = 3000;
  FaultyDisk disk;
  const auto log = open_journal(disk);
  Listener listener;
  log->start(listener);
  std::atomic<std::int64_t> end = 0;
  const auto reader = log->read_from(Position{1});
  std::thread exporter([&] {
    Position next{1};
    while (end == 0 || next.value() <= end) {
      const auto frame = reader->next();
      if (!frame) {
        std::this_thread::yield();
        continue;
      }
      EXPECT_EQ(frame->first, next);
      EXPECT_EQ(frame->bytes, bytes_of(frame->first));
      next = Position{frame->last.value() + 1};
      log->release_before(next);
    }
  });
  append_frames(*log, kFrames);
  end = log->last_position().value();
  exporter.join();
  log->stop();
  EXPECT_GT(log->first_position(), Position{1});
}

TEST(Journal, works_on_a_real_disk) {
  std::string name = std::filesystem::temp_directory_path() / "beeline_journal_XXXXXX";
  const std::filesystem::path directory = ::mkdtemp(name.data());
  PosixDisk disk;
  Position last;
  for (int life = 0; life < 3; ++life) {
    Journal log(disk, directory / "log", {.segment_bytes = 4096, .spares_max = 2});
    EXPECT_EQ(log.last_position(), life == 0 ? Position{0} : last);
    Listener listener;
    log.start(listener);
    append_frames(log, 200);
    last = log.last_position();
    listener.wait_for(last);
    EXPECT_EQ(read_all(log, log.first_position()), last);
    log.release_before(last);
  }
  std::filesystem::remove_all(directory);
}

// Its blocks were not allocated, so frames that are accepted for it might not be written.
TEST(Journal, does_not_use_a_spare_that_was_not_finished) {
  FaultyDisk disk;
  disk.create_directory(kDirectory);
  const std::string spare = kDirectory + "/" + spare_name(1);
  disk.open(spare, OpenMode::Create)->write_at(0, "half");
  const auto log = open_journal(disk);
  EXPECT_FALSE(disk.exists(spare));
  disk.set_room(0);
  EXPECT_EQ(append_next(*log), AppendResult::Full);
}

TEST(Journal, uses_a_spare_of_an_earlier_life) {
  FaultyDisk disk;
  disk.create_directory(kDirectory);
  disk.open(kDirectory + "/" + spare_name(1), OpenMode::Create)->allocate(kSmallSegment);
  const auto log = open_journal(disk);
  disk.set_room(0);
  EXPECT_EQ(append_next(*log), AppendResult::Accepted);
}

}  // namespace
}  // namespace beeline::journal
