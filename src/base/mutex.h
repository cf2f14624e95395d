#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// Mutexes that clang checks. An annotation names the mutex that guards a member, or that a function
// needs; `./dev lint` then refuses code that forgets to lock:
//
//     Mutex mutex_;
//     CondVar changed_;
//     std::deque<Command> queue_ BEELINE_GUARDED_BY(mutex_);
//     void take_first() BEELINE_REQUIRES(mutex_);
//
//     MutexLock lock{mutex_};
//     while (queue_.empty()) changed_.wait(lock);
//
// The analysis does not follow lambdas, so a wait is a loop and has no predicate. g++ ignores the
// annotations.
namespace beeline {

#if defined(__clang__)
#define BEELINE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define BEELINE_THREAD_ANNOTATION(x)
#endif

// The member is read and written only with the mutex held.
#define BEELINE_GUARDED_BY(mutex) BEELINE_THREAD_ANNOTATION(guarded_by(mutex))
// The function is called with the mutex held.
#define BEELINE_REQUIRES(mutex) BEELINE_THREAD_ANNOTATION(requires_capability(mutex))
// The function is called without the mutex, because it locks the mutex itself.
#define BEELINE_EXCLUDES(mutex) BEELINE_THREAD_ANNOTATION(locks_excluded(mutex))

class BEELINE_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex while it lives, except between unlock() and lock().
class BEELINE_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) BEELINE_THREAD_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() BEELINE_THREAD_ANNOTATION(release_capability()) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() BEELINE_THREAD_ANNOTATION(acquire_capability()) { lock_.lock(); }
  void unlock() BEELINE_THREAD_ANNOTATION(release_capability()) { lock_.unlock(); }

 private:
  friend class CondVar;
  std::unique_lock<std::mutex> lock_;
};

// Lets threads that hold a mutex wait for one another. A wait may end without reason.
class CondVar {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  // False when the time has passed.
  template <typename Clock, typename Duration>
  bool wait_until(MutexLock& lock, const std::chrono::time_point<Clock, Duration>& time) {
    return condition_.wait_until(lock.lock_, time) == std::cv_status::no_timeout;
  }
  template <typename Rep, typename Period>
  bool wait_for(MutexLock& lock, const std::chrono::duration<Rep, Period>& duration) {
    return condition_.wait_for(lock.lock_, duration) == std::cv_status::no_timeout;
  }

 private:
  std::condition_variable condition_;
};

}  // namespace beeline
