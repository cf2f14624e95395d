#include "service/service.h"

#include <utility>

namespace beeline::service {

Service::Service(const ServiceOptions& options, stream::Partitions& partitions,
                 std::shared_ptr<Loop> loop)
    : options_(options),
      partitions_(partitions),
      loop_(std::move(loop)),
      // The record of a request that an edge accepted is less than twice as large as the request
      // itself, even if the request consists of the shortest members that JSON allows.
      commands_(partitions, loop_, 2 * options.message_bytes_max),
      jobs_(std::make_shared<JobDispatcher>(
          std::make_shared<JobActivator>(partitions, loop_, options.message_bytes_max),
          JobPolls::Timeouts{.long_poll = options.long_poll_timeout,
                             .probe_interval = options.long_poll_probe_interval,
                             .request = options.request_timeout},
          JobStreams::Limits{.jobs_max = options.stream_jobs_max,
                             .stall_timeout = options.stream_stall_timeout})) {}

Service::~Service() {
  if (is_listening_) partitions_.set_job_listener(nullptr);
  stop();
}

void Service::start() {
  loop_->start();
  partitions_.set_job_listener(jobs_.get());
  is_listening_ = true;
}

void Service::drain() {
  if (std::exchange(is_listening_, false)) partitions_.set_job_listener(nullptr);
  jobs_->drain();
}

void Service::stop() {
  loop_->stop();
}

void Service::send_mapped(const Principal& principal, MappedRequest request, Milliseconds timeout,
                          Ended ended) {
  if (auto checked = check_principal(principal); !checked) {
    return ended(failure(std::move(checked.error())));
  }
  if (!request) return ended(failure(std::move(request.error())));
  commands_.send(principal, std::move(*request), timeout, std::move(ended));
}

void Service::activate(Principal principal, const ActivateJobs& request, Milliseconds wait,
                       std::shared_ptr<JobSink> sink) {
  if (auto checked = check_principal(principal); !checked) {
    return sink->finish(failure(std::move(checked.error())));
  }
  auto batch = to_job_batch(request);
  if (!batch) return sink->finish(failure(std::move(batch.error())));
  jobs_->poll({std::move(principal), std::move(*batch)}, wait, std::move(sink));
}

void Service::open_stream(Principal principal, const StreamJobs& request,
                          std::shared_ptr<JobSink> sink) {
  if (auto checked = check_principal(principal); !checked) {
    return sink->finish(failure(std::move(checked.error())));
  }
  auto batch = to_job_batch(request);
  if (!batch) return sink->finish(failure(std::move(batch.error())));
  jobs_->open_stream({std::move(principal), std::move(*batch)}, std::move(sink));
}

}  // namespace beeline::service
