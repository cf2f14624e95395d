// Does not compile with -Wthread-safety -Werror: the lint stage checks that clang refuses it, so
// that the annotations of base/mutex.h are known to be read.
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
