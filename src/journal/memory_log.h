#pragma once

#include <deque>
#include <string>

#include "base/mutex.h"
#include "journal/log_storage.h"

namespace beeline::journal {

// A log that lives as long as the process: for tests, and as the baseline of the benchmarks. Once
// started, append commits at once and calls the listener before it returns; there is no thread.
class MemoryLog final : public LogStorage {
 public:
  [[nodiscard]] AppendResult append(Position first, Position last, std::string_view bytes) override;
  [[nodiscard]] bool has_room(std::size_t bytes) override;
  void start(LogListener& listener) override;
  void stop() override;
  void commit_now() override;
  [[nodiscard]] Position first_position() const override;
  [[nodiscard]] Position last_position() const override;
  [[nodiscard]] Position committed_position() const override;
  [[nodiscard]] std::unique_ptr<FrameReader> read_from(Position from) override;
  void release_before(Position position) override;

 private:
  class Reader;
  struct Entry {
    Position first;
    Position last;
    std::string bytes;
  };

  void commit_all(LogListener* listener);

  mutable Mutex mutex_;
  std::deque<Entry> entries_ BEELINE_GUARDED_BY(mutex_);
  Position last_ BEELINE_GUARDED_BY(mutex_){0};
  Position committed_ BEELINE_GUARDED_BY(mutex_){0};
  LogListener* listener_ BEELINE_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace beeline::journal
