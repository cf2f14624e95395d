#pragma once

#include <absl/functional/any_invocable.h>

#include <string>
#include <vector>

#include "base/ids.h"
#include "record/values/jobs.h"
#include "service/error.h"

namespace beeline::service {

// A job in the form of the transport that will carry it.
struct EncodedJob {
  Key key;
  std::string bytes;
};

// The receiver of the jobs of a poll or a stream: one call of a client, over any transport. The
// transport defines how a job is written; this folder decides when jobs are sent, how many
// together, and what happens to jobs that do not arrive.
//
// A sink ends once: with the first finish(), or because the client went away. After that all
// functions below do nothing, so late jobs need no special care.
//
// Threading: every function may be called from any thread. Sinks are held by shared_ptr, since both
// the transport and the code that waits for jobs need them.
class JobSink {
 public:
  using Written = absl::AnyInvocable<void(bool)>;

  virtual ~JobSink() = default;

  [[nodiscard]] virtual std::string encode(Key key, const record::JobRecord& job) const = 0;

  // Notifies the client that its call is accepted, before there are any jobs.
  virtual void accept() = 0;

  // Queues jobs, which are sent together. `written` is called exactly once, on any thread: with
  // true when the transport's flow control has accepted the jobs, with false when it never will.
  virtual void send(std::vector<EncodedJob> jobs, Written written) = 0;

  // Ends the call after all queued jobs are sent.
  virtual void finish(Outcome<void> outcome) = 0;

  // True if the client still listens and finish() was not called.
  [[nodiscard]] virtual bool is_open() const = 0;

  // `closed` is called when the client goes away before finish(), immediately if it has gone
  // already, and never otherwise. A sink has one such function; it is destroyed when the call ends.
  virtual void on_closed(absl::AnyInvocable<void()> closed) = 0;
};

}  // namespace beeline::service
