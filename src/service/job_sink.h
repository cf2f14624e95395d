#pragma once

#include <absl/functional/any_invocable.h>

#include <string>
#include <vector>

#include "base/ids.h"
#include "record/values.h"
#include "service/error.h"

namespace beeline::service {

// A job in the form of the transport that will carry it.
struct EncodedJob {
  Key key;
  std::string bytes;
};

// Where the jobs of a poll or a stream go: one call of a client, over any transport. The transport
// says how a job is written; when, how many together and what becomes of jobs that do not arrive is
// decided here.
//
// A sink ends once: with the first finish(), or because the client went away. After that everything
// below does nothing, so that jobs which come late need no care.
//
// Threading: every function may be called from any thread. Sinks are held by shared_ptr, since the
// transport and whoever waits for jobs both need them.
class JobSink {
 public:
  using Written = absl::AnyInvocable<void(bool)>;

  virtual ~JobSink() = default;

  [[nodiscard]] virtual std::string encode(Key key, const record::JobRecord& job) const = 0;

  // Tells the client that it will be given jobs, before there are any.
  virtual void accept() = 0;

  // Queues jobs, which go out together. `written` is called exactly once, on any thread: with true
  // when the transport has taken the jobs within its flow control, with false when it never will.
  virtual void send(std::vector<EncodedJob> jobs, Written written) = 0;

  // Ends the call once all queued jobs are out.
  virtual void finish(Outcome<void> outcome) = 0;

  // Whether the client still listens and finish() was not called.
  [[nodiscard]] virtual bool is_open() const = 0;

  // `closed` is called when the client goes away before finish(), at once if it has already; never
  // otherwise. There is one; it is destroyed when the call ends.
  virtual void on_closed(absl::AnyInvocable<void()> closed) = 0;
};

}  // namespace beeline::service
