#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/time.h"
#include "service/command_sender.h"
#include "service/job_dispatcher.h"
#include "service/loop.h"
#include "service/principal.h"
#include "service/requests.h"
#include "stream/port.h"

namespace beeline::service {

struct ServiceOptions {
  // No message in or out is larger, whatever carries it.
  std::size_t message_bytes_max = std::size_t{4} * 1024 * 1024;
  // How long a command may take to be answered.
  Milliseconds request_timeout{15'000};
  // How long a poll waits for a first job when the client leaves it to the server, and how often
  // waiting polls look for jobs even though no partition announced any.
  Milliseconds long_poll_timeout{10'000};
  Milliseconds long_poll_probe_interval{10'000};
  // How many jobs a job stream may have been given that its client has not taken yet, and after how
  // long without taking any it loses them to others.
  std::int32_t stream_jobs_max = 32;
  Milliseconds stream_stall_timeout{1'000};
};

// All that can be asked of the engine, for any transport: commands are sent and answered, jobs find
// the workers that wait for them. Edges turn their requests into those of this folder, and the
// outcomes into their responses.
//
// Lifecycle: construct, start(), drain(), stop(); the destructor stops what still runs. The
// partitions must outlive it. It is the partitions' job listener from start() to drain(), and a
// partition may be about to call it just then, so it is destroyed after the partitions' threads
// have ended. Answers that come after stop() are dropped without harm.
//
// Threading: start(), drain(), stop() and the destructor from one thread; the rest from any.
class Service {
 public:
  // Tests give a loop that they run themselves, and do not call start().
  Service(const ServiceOptions& options, stream::Partitions& partitions,
          std::shared_ptr<Loop> loop);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Runs the loop, and listens to the partitions for new jobs.
  void start();
  // Ends waiting polls and all streams without an error, and lets no poll wait any more.
  void drain();
  // Ends the loop. Nobody is told of timeouts after that; the partitions' stop ends the commands
  // that still wait.
  void stop();

  // Checks a request of service/requests.h and sends its command. `ended` hears the answer, or the
  // error.
  template <typename T>
  void send(const Principal& principal, const T& request, Milliseconds timeout, Ended ended) {
    send_mapped(principal, map(request), timeout, std::move(ended));
  }

  // Asks for jobs once. `wait` is how long to wait for a first job; 0 leaves it to the server, less
  // is not to wait.
  void activate(Principal principal, const ActivateJobs& request, Milliseconds wait,
                std::shared_ptr<JobSink> sink);
  // Gives `sink` jobs until its client goes away.
  void open_stream(Principal principal, const StreamJobs& request, std::shared_ptr<JobSink> sink);

  [[nodiscard]] const ServiceOptions& options() const { return options_; }
  [[nodiscard]] stream::Partitions& partitions() { return partitions_; }
  // For those who look at polls and streams.
  [[nodiscard]] JobDispatcher& jobs() { return *jobs_; }

 private:
  template <typename T>
  [[nodiscard]] MappedRequest map(const T& request) {
    if constexpr (requires { to_command(request, std::int32_t{}); }) {
      return to_command(request, partitions_.count());
    } else {
      return to_command(request);
    }
  }
  void send_mapped(const Principal& principal, MappedRequest request, Milliseconds timeout,
                   Ended ended);

  const ServiceOptions options_;
  stream::Partitions& partitions_;
  const std::shared_ptr<Loop> loop_;
  CommandSender commands_;
  const std::shared_ptr<JobDispatcher> jobs_;
  bool is_listening_ = false;
};

}  // namespace beeline::service
