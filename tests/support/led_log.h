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

// A log in memory with several copies, one of which leads: for tests and the simulator. Elections
// are made by hand. A frame is committed for all copies at once, when it is delivered:
//
//     append ──▶ under way ──deliver()──▶ on the log: followers read it ──hear()──▶ committed for
//                                                                                   the leader
//
// A frame that is under way when another copy is elected is lost: the log does not take frames of
// an old epoch. A leader that was not started learns of the election when it appends or delivers,
// as one on a network would.
//
// Lifecycle: the log outlives its copies. A copy may be destroyed, as by a crash, and opened again.
//
// Threading: all functions may be called from any thread, except that LogStorage says which belong
// to the thread that appends. Listeners are called on the thread that appends or elects. A listener
// must live until no copy appends any more and nobody elects.
class LedLog {
 public:
  class Copy;

  explicit LedLog(std::size_t copies) : released_(copies, Position{0}), open_(copies, nullptr) {}

  // Opens copy `index`, which must not be open. It follows.
  [[nodiscard]] std::unique_ptr<Copy> open(std::size_t index);
  // Lets a copy that follows lead in a new epoch.
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
  // Guarded by mutex_, as is all that copies have:
  std::deque<Entry> entries_;
  Position trimmed_{0};  // the last position that was forgotten
  std::int64_t epoch_ = 0;
  std::vector<Position> released_;  // by copy; stays when a copy is destroyed
  std::vector<Copy*> open_;
};

class LedLog::Copy final : public journal::LogStorage {
 public:
  ~Copy() override;

  // Puts the frames that are under way on the log, or loses them when another copy was elected.
  void deliver();
  // Learns how far the log is committed; only a copy that leads needs to.
  void hear();
  // How many frames may be under way before append answers Busy.
  void set_window(std::size_t frames) { window_max_ = frames; }
  [[nodiscard]] std::size_t under_way() const;

  // Without start() nothing is delivered by itself. Once started, each frame is delivered and
  // heard of at once.
  [[nodiscard]] journal::AppendResult append(Position first, Position last,
                                             std::string_view bytes) override;
  [[nodiscard]] bool has_room(std::size_t bytes) override;
  void start(journal::LogListener& listener) override;
  void stop() override;
  void commit_now() override;
  [[nodiscard]] journal::LogRole role() const override;
  void follow() override;
  [[nodiscard]] Position first_position() const override;
  [[nodiscard]] Position last_position() const override;
  [[nodiscard]] Position committed_position() const override;
  [[nodiscard]] std::unique_ptr<journal::FrameReader> read_from(Position from) override;
  void release_before(Position position) override;

 private:
  friend class LedLog;
  Copy(LedLog& log, std::size_t index) : log_(log), index_(index) {}

  // With the mutex of the log held:
  [[nodiscard]] Position committed() const;
  [[nodiscard]] bool notice_election();

  LedLog& log_;
  const std::size_t index_;
  std::size_t window_max_ = std::numeric_limits<std::size_t>::max();
  journal::LogRole role_ = journal::LogRole::Following;
  std::int64_t epoch_ = 0;  // that it leads or led in
  Position heard_{0};       // how far it knows the log committed, unless it follows
  Position appended_{0};    // its last frame, unless it follows
  std::deque<Entry> under_way_;
  journal::LogListener* listener_ = nullptr;
};

}  // namespace beeline::testing
