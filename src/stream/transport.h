#pragma once

#include "base/ids.h"
#include "stream/port.h"

namespace beeline::stream {

// Carries commands from one partition to another. It may lose, repeat and reorder them: a sender
// sends a command again until it is acknowledged (engine/resends.h), and a receiver recognises a
// repetition. So nothing waits here, and nothing is reported back.
//
// Threading: send() from any thread; it must not block.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void send(PartitionId to, Command command) = 0;
};

}  // namespace beeline::stream
