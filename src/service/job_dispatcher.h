#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/job_polls.h"
#include "service/job_streams.h"

namespace beeline::service {

// Brings jobs and workers together: takes the calls that want jobs and the partitions' word that
// there are some. Streams come first; what no stream has room for is for the polls.
//
// Partitions announce every job, many thousands a second. Types that nobody waits for cost a look
// into a table; of the others the same announcement is kept once until the loop has seen it.
//
// Threading: every function may be called from any thread; the work is done on the loop.
class JobDispatcher final : public stream::JobListener,
                            public std::enable_shared_from_this<JobDispatcher> {
 public:
  JobDispatcher(std::shared_ptr<JobActivator> activator, JobPolls::Timeouts timeouts,
                JobStreams::Limits limits);

  void poll(JobRequest request, Milliseconds request_timeout, std::shared_ptr<JobSink> sink);
  void open_stream(JobRequest request, std::shared_ptr<JobSink> sink);

  void on_job_available(PartitionId partition, std::string_view job_type, Key job) override;

  // `listed` gets all open streams, on the loop; it is destroyed uncalled when the loop has
  // stopped.
  void list_streams(absl::AnyInvocable<void(const std::vector<JobStreams::Info>&)> listed);

  // Ends waiting polls and all streams with OK.
  void drain();

  // How many calls wait, for tests and metrics. On the loop only.
  [[nodiscard]] std::size_t parked_count() const { return polls_->parked_count(); }
  [[nodiscard]] std::size_t stream_count() const { return streams_->open_count(); }

 private:
  struct Waiting {
    std::size_t count = 0;                        // calls that want jobs of this type
    absl::btree_map<PartitionId, Key> announced;  // with the oldest job of each
  };

  void change_waiting(const std::string& type, bool more);
  void take_announcements();

  const std::shared_ptr<JobActivator> activator_;
  std::shared_ptr<JobPolls> polls_;
  std::shared_ptr<JobStreams> streams_;

  std::mutex mutex_;
  absl::flat_hash_map<std::string, Waiting> waiting_;
  std::vector<std::string> announced_types_;
};

}  // namespace beeline::service
