#pragma once

#include <string>
#include <utility>

#include "stream/port.h"

namespace beeline::service {

enum class PrincipalKind {
  Internal,   // beeline itself; never that of a call from outside
  Anonymous,  // nobody said who they are
  User,
  Client,  // a program, such as a worker
  Node,    // another server of the cluster
};

// Who asks for something. It comes with every call; an edge that cannot tell leaves it anonymous.
struct Principal {
  PrincipalKind kind = PrincipalKind::Anonymous;
  std::string id = {};  // the name of a user, or the id of a client; empty if it is anonymous

  bool operator==(const Principal&) const = default;
};

// A command on behalf of a principal. All commands of clients are made here; the record of a
// command has no field for its principal, so that the command is as it was.
[[nodiscard]] inline stream::Command on_behalf_of(const Principal&, stream::Command command) {
  return command;
}

}  // namespace beeline::service
