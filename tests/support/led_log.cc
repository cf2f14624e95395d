#include "tests/support/led_log.h"

#include <algorithm>

#include "base/check.h"

namespace beeline::testing {

using journal::AppendResult;
using journal::Epoch;
using journal::LogListener;
using journal::LogRole;

// Stores a position rather than a place in the queue, so removing frames does not disturb it.
class LedLog::Reader final : public journal::FrameReader {
 public:
  Reader(const LedLog& log, const Copy& copy, Position from)
      : log_(log), copy_(copy), next_(from) {}

  [[nodiscard]] std::optional<journal::Frame> next() override {
    const std::lock_guard lock(log_.mutex_);
    const auto entry = std::ranges::lower_bound(log_.entries_, next_, {}, &Entry::last);
    if (entry == log_.entries_.end() || entry->last > copy_.committed()) return std::nullopt;
    bytes_ = entry->bytes;
    next_ = Position{entry->last.value() + 1};
    return journal::Frame{entry->first, entry->last, bytes_};
  }

 private:
  const LedLog& log_;
  const Copy& copy_;
  Position next_;
  std::string bytes_;
};

// --- LedLog ---

std::unique_ptr<LedLog::Copy> LedLog::open(std::size_t index) {
  const std::lock_guard lock(mutex_);
  BEELINE_CHECK(open_.at(index) == nullptr, "copy {} is open already", index);
  std::unique_ptr<Copy> copy{new Copy(*this, index)};
  open_[index] = copy.get();
  return copy;
}

void LedLog::elect(Copy& copy) {
  begin_epoch(&copy);
}

void LedLog::depose() {
  begin_epoch(nullptr);
}

void LedLog::begin_epoch(Copy* leader) {
  LogListener* elected = nullptr;
  std::vector<LogListener*> deposed;
  Epoch epoch;
  {
    const std::lock_guard lock(mutex_);
    epoch = Epoch{++epoch_};
    for (Copy* copy : open_) {
      if (copy == nullptr || copy == leader || copy->listener_ == nullptr) continue;
      if (copy->role_ == LogRole::Leading && copy->notice_election()) {
        deposed.push_back(copy->listener_);
      }
    }
    if (leader != nullptr) {
      BEELINE_CHECK(leader->role_ == LogRole::Following, "only a copy that follows is elected");
      leader->role_ = LogRole::Leading;
      leader->epoch_ = epoch_;
      leader->heard_ = end();
      leader->appended_ = end();
      elected = leader->listener_;
    }
  }
  for (LogListener* listener : deposed) listener->on_deposed(epoch);
  if (elected != nullptr) elected->on_elected(epoch);
}

void LedLog::tell_followers(Position committed) {
  std::vector<LogListener*> followers;
  {
    const std::lock_guard lock(mutex_);
    for (const Copy* copy : open_) {
      if (copy == nullptr || copy->listener_ == nullptr) continue;
      if (copy->role_ == LogRole::Following) followers.push_back(copy->listener_);
    }
  }
  for (LogListener* listener : followers) listener->on_commit(committed);
}

Position LedLog::end() const {
  return entries_.empty() ? trimmed_ : entries_.back().last;
}

Position LedLog::last_position() const {
  const std::lock_guard lock(mutex_);
  return end();
}

// --- Copy ---

LedLog::Copy::~Copy() {
  const std::lock_guard lock(log_.mutex_);
  log_.open_[index_] = nullptr;
}

bool LedLog::Copy::notice_election() {
  if (role_ != LogRole::Leading || epoch_ == log_.epoch_) return role_ == LogRole::Deposed;
  under_way_.clear();
  role_ = LogRole::Deposed;
  return true;
}

AppendResult LedLog::Copy::append(Position first, Position last, std::string_view bytes) {
  if (bytes.size() > journal::kFrameBytesMax) return AppendResult::TooLarge;
  LogListener* listener = nullptr;
  {
    const std::lock_guard lock(log_.mutex_);
    if (notice_election() || role_ != LogRole::Leading) return AppendResult::NotLeader;
    if (under_way_.size() >= window_max_) return AppendResult::Busy;
    BEELINE_CHECK(first.value() == appended_.value() + 1, "first={} last_position={}",
                  first.value(), appended_.value());
    BEELINE_CHECK(last >= first, "first={} last={}", first.value(), last.value());
    under_way_.push_back({first, last, std::string(bytes)});
    appended_ = last;
    listener = listener_;
  }
  if (listener == nullptr) return AppendResult::Accepted;
  deliver();
  hear();
  const Position committed = committed_position();
  listener->on_commit(committed);
  log_.tell_followers(committed);
  return AppendResult::Accepted;
}

bool LedLog::Copy::has_room(std::size_t bytes) {
  const std::lock_guard lock(log_.mutex_);
  return bytes <= journal::kFrameBytesMax && under_way_.size() < window_max_;
}

void LedLog::Copy::deliver() {
  const std::lock_guard lock(log_.mutex_);
  if (notice_election()) return;
  for (Entry& entry : under_way_) log_.entries_.push_back(std::move(entry));
  under_way_.clear();
}

void LedLog::Copy::hear() {
  const std::lock_guard lock(log_.mutex_);
  if (notice_election() || role_ != LogRole::Leading) return;
  heard_ = log_.end();
}

std::size_t LedLog::Copy::under_way() const {
  const std::lock_guard lock(log_.mutex_);
  return under_way_.size();
}

void LedLog::Copy::start(LogListener& listener) {
  const std::lock_guard lock(log_.mutex_);
  BEELINE_CHECK(listener_ == nullptr, "the log was started already");
  listener_ = &listener;
}

void LedLog::Copy::stop() {
  const std::lock_guard lock(log_.mutex_);
  listener_ = nullptr;
}

void LedLog::Copy::commit_now() {
  deliver();
  hear();
}

LogRole LedLog::Copy::role() const {
  const std::lock_guard lock(log_.mutex_);
  return role_;
}

Epoch LedLog::Copy::epoch() const {
  const std::lock_guard lock(log_.mutex_);
  return Epoch{epoch_};
}

void LedLog::Copy::follow() {
  const std::lock_guard lock(log_.mutex_);
  BEELINE_CHECK(role_ == LogRole::Deposed, "only a deposed copy begins to follow");
  role_ = LogRole::Following;
}

Position LedLog::Copy::first_position() const {
  const std::lock_guard lock(log_.mutex_);
  return Position{log_.trimmed_.value() + 1};
}

Position LedLog::Copy::last_position() const {
  const std::lock_guard lock(log_.mutex_);
  return role_ == LogRole::Following ? log_.end() : appended_;
}

Position LedLog::Copy::committed_position() const {
  const std::lock_guard lock(log_.mutex_);
  return committed();
}

Position LedLog::Copy::committed() const {
  return role_ == LogRole::Following ? log_.end() : heard_;
}

std::unique_ptr<journal::FrameReader> LedLog::Copy::read_from(Position from) {
  return std::make_unique<Reader>(log_, *this, from);
}

void LedLog::Copy::release_before(Position position) {
  const std::lock_guard lock(log_.mutex_);
  log_.released_[index_] = std::max(log_.released_[index_], std::min(position, committed()));
  const Position needed = *std::ranges::min_element(log_.released_);
  while (!log_.entries_.empty() && log_.entries_.front().last < needed) {
    log_.trimmed_ = log_.entries_.front().last;
    log_.entries_.pop_front();
  }
}

}  // namespace beeline::testing
