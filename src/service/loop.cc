#include "service/loop.h"

#include <algorithm>

namespace beeline::service {
namespace {

// The clock may be set while we wait for it, so it is read at least this often.
constexpr Milliseconds kWaitMax{1000};

}  // namespace

void Loop::start() {
  thread_ = std::thread([this] { run(); });
}

void Loop::stop() {
  {
    const MutexLock lock{mutex_};
    stopped_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  // The tasks are destroyed outside the lock, because a task may own objects that post when they
  // are destroyed.
  std::vector<Task> tasks;
  absl::btree_map<TimerId, Task> timers;
  const MutexLock lock{mutex_};
  tasks.swap(inbox_);
  timers.swap(timers_);
}

void Loop::post(Task task) {
  {
    const MutexLock lock{mutex_};
    if (stopped_) return;
    inbox_.push_back(std::move(task));
    if (inbox_.size() > 1) return;  // the thread was woken for the first task
  }
  wake_.notify_one();
}

Loop::TimerId Loop::schedule(Timestamp at, Task task) {
  TimerId id;
  bool is_next = false;
  {
    const MutexLock lock{mutex_};
    id = {at, ++sequence_};
    if (stopped_) return id;
    const auto [position, inserted] = timers_.emplace(id, std::move(task));
    is_next = position == timers_.begin();
  }
  if (is_next) wake_.notify_one();
  return id;
}

void Loop::cancel(TimerId id) {
  Task dropped;
  const MutexLock lock{mutex_};
  const auto found = timers_.find(id);
  if (found == timers_.end()) return;
  dropped = std::move(found->second);
  timers_.erase(found);
}

std::size_t Loop::run_ready() {
  std::size_t count = 0;
  while (true) {
    MutexLock lock{mutex_};
    std::vector<Task> ready = take_ready_locked();
    lock.unlock();
    if (ready.empty()) return count;
    for (Task& task : ready) task();
    count += ready.size();
  }
}

std::vector<Loop::Task> Loop::take_ready_locked() {
  std::vector<Task> ready;
  ready.swap(inbox_);
  if (timers_.empty()) return ready;
  const Timestamp now = clock_.now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    ready.push_back(std::move(timers_.begin()->second));
    timers_.erase(timers_.begin());
  }
  return ready;
}

void Loop::run() {
  MutexLock lock{mutex_};
  while (true) {
    std::vector<Task> ready = take_ready_locked();
    if (!ready.empty()) {
      lock.unlock();
      for (Task& task : ready) task();
      ready.clear();
      lock.lock();
      continue;
    }
    if (stopped_) return;
    if (timers_.empty()) {
      wake_.wait(lock);
    } else {
      const Milliseconds left = timers_.begin()->first.first - clock_.now();
      wake_.wait_for(lock, std::clamp(left, Milliseconds{0}, kWaitMax));
    }
  }
}

}  // namespace beeline::service
