#include "journal/memory_log.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::journal {

// Stores a position rather than a place in the queue, so releasing frames does not disturb it.
class MemoryLog::Reader final : public FrameReader {
 public:
  Reader(MemoryLog& log, Position from) : log_(log), next_(from) {}

  [[nodiscard]] std::optional<Frame> next() override {
    const MutexLock lock{log_.mutex_};
    const auto entry = std::ranges::lower_bound(log_.entries_, next_, {}, &Entry::last);
    if (entry == log_.entries_.end() || entry->last > log_.committed_) return std::nullopt;
    bytes_ = entry->bytes;
    next_ = Position{entry->last.value() + 1};
    return Frame{entry->first, entry->last, bytes_};
  }

 private:
  MemoryLog& log_;
  Position next_;
  std::string bytes_;
};

AppendResult MemoryLog::append(Position first, Position last, std::string_view bytes) {
  if (bytes.size() > kFrameBytesMax) return AppendResult::TooLarge;
  LogListener* listener = nullptr;
  {
    const MutexLock lock{mutex_};
    BEELINE_CHECK(first.value() == last_.value() + 1, "first={} last_position={}", first.value(),
                  last_.value());
    BEELINE_CHECK(last >= first, "first={} last={}", first.value(), last.value());
    entries_.push_back(Entry{first, last, std::string(bytes)});
    last_ = last;
    listener = listener_;
  }
  if (listener != nullptr) commit_all(listener);
  return AppendResult::Accepted;
}

bool MemoryLog::has_room(std::size_t bytes) {
  return bytes <= kFrameBytesMax;
}

void MemoryLog::start(LogListener& listener) {
  {
    const MutexLock lock{mutex_};
    BEELINE_CHECK(listener_ == nullptr, "the log was started already");
    listener_ = &listener;
    if (committed_ == last_) return;
  }
  commit_all(&listener);
}

void MemoryLog::stop() {
  const MutexLock lock{mutex_};
  listener_ = nullptr;
}

void MemoryLog::commit_now() {
  {
    const MutexLock lock{mutex_};
    BEELINE_CHECK(listener_ == nullptr, "the log was started");
  }
  commit_all(nullptr);
}

void MemoryLog::commit_all(LogListener* listener) {
  Position committed;
  {
    const MutexLock lock{mutex_};
    BEELINE_CHECK(committed_ <= last_, "committed={} last={}", committed_.value(), last_.value());
    committed_ = last_;
    committed = committed_;
  }
  if (listener != nullptr) listener->on_commit(committed);
}

Position MemoryLog::first_position() const {
  const MutexLock lock{mutex_};
  return entries_.empty() ? Position{last_.value() + 1} : entries_.front().first;
}

Position MemoryLog::last_position() const {
  const MutexLock lock{mutex_};
  return last_;
}

Position MemoryLog::committed_position() const {
  const MutexLock lock{mutex_};
  return committed_;
}

std::unique_ptr<FrameReader> MemoryLog::read_from(Position from) {
  return std::make_unique<Reader>(*this, from);
}

void MemoryLog::release_before(Position position) {
  const MutexLock lock{mutex_};
  while (!entries_.empty() && entries_.front().last < std::min(position, committed_)) {
    entries_.pop_front();
  }
}

}  // namespace beeline::journal
