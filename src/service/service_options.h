#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"
#include "base/time.h"

namespace beeline::service {

struct ServiceOptions {
  // No incoming or outgoing message is larger, over any transport.
  std::size_t message_bytes_max = kMessageBytesMax;
  // The longest time that a command may take to be answered.
  Milliseconds request_timeout{15'000};
  // How long a poll waits for a first job if the client sets no timeout, and how often waiting
  // polls look for jobs even if no partition announced any.
  Milliseconds long_poll_timeout{10'000};
  Milliseconds long_poll_probe_interval{10'000};
  // The number of jobs that may be activated for a job stream before its client reads them, and the
  // time after which a stream whose client reads nothing loses them to others.
  std::int32_t stream_jobs_max = 32;
  Milliseconds stream_stall_timeout{1'000};
};

}  // namespace beeline::service
