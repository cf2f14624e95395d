#pragma once

#include <absl/container/btree_map.h>
#include <absl/functional/any_invocable.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"

namespace beeline::service {

// One thread for everything that waits: the code that runs here needs no locks of its own, and a
// thousand waiting calls cost a thousand entries in an ordered map instead of a thousand threads.
//
// Lifecycle: start() runs it on a thread until stop(). A test leaves it without a thread and calls
// run_ready() after moving its clock.
//
// Threading: post(), schedule() and cancel() from any thread. Tasks run one at a time, in the order
// in which they were posted or became due.
class Loop {
 public:
  using Task = absl::AnyInvocable<void()>;
  // The time, and a number that distinguishes timers of the same time.
  using TimerId = std::pair<Timestamp, std::uint64_t>;

  explicit Loop(const Clock& clock) : clock_(clock) {}
  ~Loop() { stop(); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();
  // Runs the tasks that were posted before, drops all timers and ends. Later tasks are destroyed
  // without being run.
  void stop();

  void post(Task task);
  // Runs the task at the time `at`. The id is for cancel().
  TimerId schedule(Timestamp at, Task task);
  // Does nothing if the task has run already or is about to run.
  void cancel(TimerId id);

  // Runs all tasks that are posted and due, and those that they post in turn; returns how many
  // tasks it ran.
  std::size_t run_ready();

  [[nodiscard]] Timestamp now() const { return clock_.now(); }

 private:
  void run();
  // Moves the tasks that are ready out of the queues.
  std::vector<Task> take_ready_locked() BEELINE_REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  CondVar wake_;
  std::vector<Task> inbox_ BEELINE_GUARDED_BY(mutex_);
  absl::btree_map<TimerId, Task> timers_ BEELINE_GUARDED_BY(mutex_);
  std::uint64_t sequence_ BEELINE_GUARDED_BY(mutex_) = 0;
  bool stopped_ BEELINE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace beeline::service
