// Does not compile with -Wthread-safety -Werror. The lint stage checks that clang refuses it, which
// shows that clang reads the annotations of base/mutex.h.
#include "base/mutex.h"

namespace beeline {

class Counter {
 public:
  void add() {
#ifdef BEELINE_LOCKED
    const MutexLock lock{mutex_};
#endif
    ++count_;
  }

 private:
  Mutex mutex_;
  int count_ BEELINE_GUARDED_BY(mutex_) = 0;
};

}  // namespace beeline
