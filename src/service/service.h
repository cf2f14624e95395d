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
#include "service/service_options.h"
#include "stream/port.h"

namespace beeline::service {

// Everything that clients can request of the engine, for any transport: it sends commands and
// returns their answers, and brings jobs to the workers that wait for them. Edges convert their
// requests into those of this folder, and the outcomes into their responses.
//
// Lifecycle: construct, start(), drain(), stop(); the destructor stops a service that still runs.
// The partitions must outlive it. It is the partitions' job listener from start() to drain(), and a
// partition may be about to call it at that moment, so it must be destroyed after the partitions'
// threads have ended. Answers that come after stop() are dropped without harm.
//
// Threading: start(), drain(), stop() and the destructor from one thread; the rest from any.
class Service {
 public:
  // Tests pass a loop that they run themselves, and do not call start().
  Service(const ServiceOptions& options, stream::Partitions& partitions,
          std::shared_ptr<Loop> loop);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Runs the loop and listens for new jobs of the partitions.
  void start();
  // Ends waiting polls and all streams without an error; later polls do not wait.
  void drain();
  // Ends the loop. Timeouts are not reported after that; the commands that still wait end when
  // their partitions stop.
  void stop();

  // Checks a request of service/requests.h and sends its command. `ended` receives the answer or
  // the error.
  template <typename T>
  void send(const Principal& principal, const T& request, Milliseconds timeout, Ended ended) {
    send_mapped(principal, map(request), timeout, std::move(ended));
  }

  // Asks for jobs once. `wait` is the time to wait for a first job; 0 is the server's default, a
  // negative time means not to wait.
  void activate(Principal principal, const ActivateJobs& request, Milliseconds wait,
                std::shared_ptr<JobSink> sink);
  // Sends jobs to `sink` until its client goes away.
  void open_stream(Principal principal, const StreamJobs& request, std::shared_ptr<JobSink> sink);

  [[nodiscard]] const ServiceOptions& options() const { return options_; }
  [[nodiscard]] stream::Partitions& partitions() { return partitions_; }
  // Gives access to polls and streams, for listing them.
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
