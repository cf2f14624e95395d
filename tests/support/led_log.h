#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/log_storage.h"

namespace beeline::testing {

// A log in memory with several copies, one of which leads: for tests and the simulator. The test
// makes elections. A frame is committed for all copies at once, when it is delivered:
//
//     append ──▶ under way ──deliver()──▶ on the log: followers read it ──hear()──▶ committed for
//                                                                                   the leader
//
// A frame that is under way when another copy is elected is lost: the log does not accept frames of
// an old epoch. A leader that was not started learns of the election when it appends or delivers,
// as a leader on a network would.
//
// Lifecycle: the log outlives its copies. A copy may be destroyed, as by a crash, and opened again.
//
// Threading: all functions may be called from any thread, except those that LogStorage restricts to
// the appending thread. Listeners are called on the thread that appends or elects. A listener must
// live until no copy appends any more and nobody elects.
class LedLog {
 public:
  class Copy;

  explicit LedLog(std::size_t copies) : released_(copies, Position{0}), open_(copies, nullptr) {}

  // Opens copy `index`, which must not be open. It is a follower.
  [[nodiscard]] std::unique_ptr<Copy> open(std::size_t index);
  // Makes a following copy the leader of a new epoch.
  void elect(Copy& copy);
  // Begins a new epoch that no copy leads.
  void depose();
  // The end of the log.
  [[nodiscard]] Position last_position() const;

 private:
  class Reader;
  struct Entry {
    Position first;
    Position last;
    std::string bytes;
  };
  [[nodiscard]] Position end() const;  // with the mutex held
  void begin_epoch(Copy* leader);
  void tell_followers(Position committed);

  mutable std::mutex mutex_;
  // mutex_ guards these members and all members of the copies:
  std::deque<Entry> entries_;
  Position trimmed_{0};  // the last position that was removed
  std::int64_t epoch_ = 0;
  std::vector<Position> released_;  // by copy; stays when a copy is destroyed
  std::vector<Copy*> open_;
};

class LedLog::Copy final : public journal::LogStorage {
 public:
  ~Copy() override;

  // Puts the frames that are under way on the log, or drops them if another copy was elected.
  void deliver();
  // Learns how far the log is committed; only a leading copy needs this.
  void hear();
  // Sets how many frames may be under way before append answers Busy.
  void set_window(std::size_t frames) { window_max_ = frames; }
  [[nodiscard]] std::size_t under_way() const;

  // Without start() frames must be delivered explicitly. After it, each frame is delivered and
  // committed at once.
  [[nodiscard]] journal::AppendResult append(Position first, Position last,
                                             std::string_view bytes) override;
  [[nodiscard]] bool has_room(std::size_t bytes) override;
  void start(journal::LogListener& listener) override;
  void stop() override;
  void commit_now() override;
  [[nodiscard]] journal::LogRole role() const override;
  [[nodiscard]] journal::Epoch epoch() const override;
  void follow() override;
  [[nodiscard]] Position first_position() const override;
  [[nodiscard]] Position last_position() const override;
  [[nodiscard]] Position committed_position() const override;
  [[nodiscard]] std::unique_ptr<journal::FrameReader> read_from(Position from) override;
  void release_before(Position position) override;

 private:
  friend class LedLog;
  Copy(LedLog& log, std::size_t index) : log_(log), index_(index) {}

  // Called with the mutex of the log held:
  [[nodiscard]] Position committed() const;
  [[nodiscard]] bool notice_election();

  LedLog& log_;
  const std::size_t index_;
  std::size_t window_max_ = std::numeric_limits<std::size_t>::max();
  journal::LogRole role_ = journal::LogRole::Following;
  std::int64_t epoch_ = 0;  // epoch in which it leads or led
  Position heard_{0};       // the committed position that it knows, unless it follows
  Position appended_{0};    // its last frame, unless it follows
  std::deque<Entry> under_way_;
  journal::LogListener* listener_ = nullptr;
};

}  // namespace beeline::testing
