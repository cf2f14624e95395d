#include "journal/memory_log.h"

#include <gtest/gtest.h>

#include "journal/journal_test_support.h"

namespace beeline::journal {
namespace {

class PositionListener final : public LogListener {
 public:
  void on_commit(Position committed) override { committed_ = committed; }
  void on_failure(std::string_view) override {}
  Position committed_{0};
};

TEST(MemoryLog, shows_frames_once_they_are_committed) {
  MemoryLog log;
  append_frames(log, 3);
  EXPECT_EQ(read_all(log), Position{0});
  log.commit_now();
  EXPECT_EQ(read_all(log), log.last_position());
}

TEST(MemoryLog, commits_at_once_when_it_was_started) {
  MemoryLog log;
  PositionListener listener;
  append_frames(log, 1);
  log.start(listener);
  EXPECT_EQ(listener.committed_, log.last_position());
  append_frames(log, 1);
  EXPECT_EQ(listener.committed_, log.last_position());
  EXPECT_EQ(log.committed_position(), log.last_position());
}

TEST(MemoryLog, a_reader_keeps_its_place_when_frames_are_released) {
  MemoryLog log;
  append_frames(log, 5);
  log.commit_now();
  const auto reader = log.read_from(Position{1});
  ASSERT_TRUE(reader->next());
  log.release_before(log.last_position());
  EXPECT_EQ(log.first_position(), reader->next()->first);
}

}  // namespace
}  // namespace beeline::journal
