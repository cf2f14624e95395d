#pragma once

#include <absl/container/btree_map.h>
#include <absl/functional/any_invocable.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/time.h"

namespace beeline::service {

// One thread for all that waits: what runs here needs no locks of its own, and a thousand waiting
// calls cost a thousand entries in an ordered map instead of a thousand threads.
//
// Lifecycle: start() runs it on a thread until stop(). A test leaves it without a thread and calls
// run_ready() after moving its clock.
//
// Threading: post(), schedule() and cancel() from any thread. Tasks run one at a time, in the order
// they were posted or fell due.
class Loop {
 public:
  using Task = absl::AnyInvocable<void()>;
  // When, and which of those at the same time.
  using TimerId = std::pair<Timestamp, std::uint64_t>;

  explicit Loop(const Clock& clock) : clock_(clock) {}
  ~Loop() { stop(); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();
  // Runs what was posted before, drops all timers and ends. What comes after is destroyed unrun.
  void stop();

  void post(Task task);
  // The task runs once `at` has come. The id names it for cancel().
  TimerId schedule(Timestamp at, Task task);
  // Does nothing when the task ran already or is about to.
  void cancel(TimerId id);

  // Runs all that is posted and due, and what that posts in turn; gives how many tasks that were.
  std::size_t run_ready();

  [[nodiscard]] Timestamp now() const { return clock_.now(); }

 private:
  void run();
  // Moves what is ready out of the queues.
  std::vector<Task> take_ready_locked();

  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Task> inbox_;
  absl::btree_map<TimerId, Task> timers_;
  std::uint64_t sequence_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace beeline::service
