#pragma once

#include <absl/functional/any_invocable.h>
#include <google/protobuf/message_lite.h>

#include <string>

#include "gateway/status.h"

namespace beeline::gateway {

// One call of a client as handlers see it: messages go out, then a status. What carries it is the
// transport's business; tests have one that keeps what was sent.
//
// A call ends once: with the first finish(), or because the client went away (cancelled, past its
// deadline, disconnected). After that everything below does nothing, so that an answer which comes
// late needs no care.
//
// Threading: every function may be called from any thread. Calls are held by shared_ptr, since the
// transport and whoever still has to answer both need them.
class Call {
 public:
  using Written = absl::AnyInvocable<void(bool)>;

  virtual ~Call() = default;

  // Sends the headers now, so that the client and proxies see the call is accepted before there is
  // anything to say.
  virtual void send_headers() = 0;

  // Queues one message, serialized. `written`, where given, is called exactly once, on any thread:
  // with true when the transport has taken the message within its flow control, with false when it
  // never will.
  virtual void send_bytes(std::string message, Written written) = 0;
  void send(const google::protobuf::MessageLite& message) {
    send_bytes(message.SerializeAsString(), {});
  }

  // Ends the call once all queued messages are out.
  virtual void finish(Status status) = 0;

  // Whether the client still listens and finish() was not called.
  [[nodiscard]] virtual bool is_open() const = 0;

  // `closed` is called when the client goes away before finish(), at once if it has already; never
  // otherwise. There is one; it is destroyed when the call ends.
  virtual void on_closed(absl::AnyInvocable<void()> closed) = 0;

  // One message, then OK: the answer of a unary call.
  void respond(const google::protobuf::MessageLite& message) {
    send(message);
    finish(ok());
  }
};

}  // namespace beeline::gateway
