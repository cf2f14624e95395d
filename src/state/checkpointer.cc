#include "state/checkpointer.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/io_error.h"

namespace beeline::state {

Checkpointer::Checkpointer(Database& database, KeyValueStore& store, Position durable,
                           Writes writes, Committed committed)
    : database_(database),
      store_(store),
      writes_(writes),
      committed_(std::move(committed)),
      durable_(durable) {
  if (writes_ == Writes::InBackground) writer_ = std::thread([this] { run(); });
}

Checkpointer::~Checkpointer() {
  if (!writer_.joinable()) return;
  {
    const MutexLock lock{mutex_};
    is_stopping_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

void Checkpointer::start(Position position) {
  BEELINE_CHECK(is_idle(), "a checkpoint is under way");
  BEELINE_CHECK(position >= durable_, "position={} durable={}", position.value(), durable_.value());
  position_ = position;
  database_.begin_checkpoint(position);
  phase_ = Phase::Capturing;
}

void Checkpointer::step(std::size_t rows) {
  if (phase_ == Phase::Idle) return;
  if (phase_ == Phase::Capturing && database_.capture(rows)) hand_over();
  if (phase_ == Phase::Writing && is_written()) collect();
}

void Checkpointer::finish() {
  while (phase_ == Phase::Capturing) step(std::numeric_limits<std::size_t>::max());
  if (phase_ != Phase::Writing) return;
  {
    MutexLock lock{mutex_};
    while (has_work_) changed_.wait(lock);
  }
  collect();
}

void Checkpointer::hand_over() {
  const Position committed = committed_();
  BEELINE_CHECK(committed >= position_,
                "the checkpoint at position {} would be stored, but the log is committed up to {}",
                position_.value(), committed.value());
  phase_ = Phase::Writing;
  {
    const MutexLock lock{mutex_};
    batch_ = database_.take_captured();
    has_work_ = true;
  }
  if (writes_ == Writes::InStep) {
    write();
  } else {
    changed_.notify_all();
  }
}

bool Checkpointer::is_written() const {
  const MutexLock lock{mutex_};
  return !has_work_;
}

// The writer has finished the batch; only this function learns whether it succeeded.
void Checkpointer::collect() {
  phase_ = Phase::Idle;
  std::exception_ptr error;
  {
    const MutexLock lock{mutex_};
    error = std::exchange(error_, nullptr);
  }
  if (error) {
    database_.give_back(std::exchange(batch_, WriteBatch{}));
    std::rethrow_exception(error);
  }
  durable_ = position_;
}

void Checkpointer::run() {
  MutexLock lock{mutex_};
  while (true) {
    while (!has_work_ && !is_stopping_) changed_.wait(lock);
    if (!has_work_) return;
    lock.unlock();
    write();
    lock.lock();
  }
}

void Checkpointer::write() {
  std::exception_ptr error;
  try {
    store_.write(batch_);
    batch_.clear();  // here, since releasing much memory takes long
  } catch (const IoError&) {
    error = std::current_exception();
  }
  {
    const MutexLock lock{mutex_};
    error_ = error;
    has_work_ = false;
  }
  changed_.notify_all();
}

}  // namespace beeline::state
