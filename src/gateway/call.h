#pragma once

#include <absl/functional/any_invocable.h>
#include <google/protobuf/message_lite.h>

#include <string>

#include "gateway/status.h"

namespace beeline::gateway {

// One call of a client from the view of its handler, which sends messages and then a status. The
// transport carries it; in tests a fake records what was sent.
//
// A call ends once: with the first finish(), or because the client went away (cancelled, past its
// deadline, disconnected). After that all functions below do nothing, so a late answer needs no
// special care.
//
// Threading: every function may be called from any thread. Calls are held by shared_ptr, since both
// the transport and the code that still has to answer need them.
class Call {
 public:
  using Written = absl::AnyInvocable<void(bool)>;

  virtual ~Call() = default;

  // Sends the headers now, so the client and proxies see that the call is accepted before its first
  // message.
  virtual void send_headers() = 0;

  // Queues one serialized message. `written`, if given, is called exactly once, on any thread: with
  // true when the transport's flow control has accepted the message, with false when it never will.
  virtual void send_bytes(std::string message, Written written) = 0;
  void send(const google::protobuf::MessageLite& message) {
    send_bytes(message.SerializeAsString(), {});
  }

  // Ends the call after all queued messages are sent.
  virtual void finish(Status status) = 0;

  // True if the client still listens and finish() was not called.
  [[nodiscard]] virtual bool is_open() const = 0;

  // `closed` is called when the client goes away before finish(), immediately if it has gone
  // already, and never otherwise. A call has one such function; it is destroyed when the call ends.
  virtual void on_closed(absl::AnyInvocable<void()> closed) = 0;

  // Sends one message, then OK: the answer to a unary call.
  void respond(const google::protobuf::MessageLite& message) {
    send(message);
    finish(ok());
  }
};

}  // namespace beeline::gateway
