#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "service/job_polls.h"
#include "service/job_streams.h"

namespace beeline::service {

// Brings jobs and workers together: it receives the calls that want jobs and the partitions'
// announcements of available jobs. Streams come first; jobs for which no stream has room are for
// polls.
//
// Partitions announce every job, many thousands a second, with its tenant and its type. For jobs
// that nobody waits for, an announcement costs one look-up in a table; for other jobs, equal
// announcements are kept once until the loop has seen them.
//
// Threading: every function may be called from any thread; the work is done on the loop.
class JobDispatcher final : public stream::JobListener,
                            public std::enable_shared_from_this<JobDispatcher> {
 public:
  JobDispatcher(std::shared_ptr<JobActivator> activator, JobPolls::Timeouts timeouts,
                JobStreams::Limits limits);

  void poll(JobRequest request, Milliseconds request_timeout, std::shared_ptr<JobSink> sink);
  void open_stream(JobRequest request, std::shared_ptr<JobSink> sink);

  void on_job_available(PartitionId partition, const record::JobGroup& group, Key job) override;

  // Calls `listed` with all open streams, on the loop; if the loop has stopped, `listed` is
  // destroyed uncalled.
  void list_streams(absl::AnyInvocable<void(const std::vector<JobStreams::Info>&)> listed);

  // Ends waiting polls and all streams with OK.
  void drain();

  // Returns how many calls wait, for tests and metrics. On the loop only.
  [[nodiscard]] std::size_t parked_count() const { return polls_->parked_count(); }
  [[nodiscard]] std::size_t stream_count() const { return streams_->open_count(); }

 private:
  struct Waiting {
    std::size_t count = 0;                        // selections that include these jobs
    absl::btree_map<PartitionId, Key> announced;  // with the oldest job of each partition
  };

  void change_waiting(const JobSelection& jobs, bool more);
  void take_announcements();

  const std::shared_ptr<JobActivator> activator_;
  std::shared_ptr<JobPolls> polls_;
  std::shared_ptr<JobStreams> streams_;

  Mutex mutex_;
  absl::flat_hash_map<record::JobGroup, Waiting, record::JobGroupHash, record::JobGroupEqual>
      waiting_ BEELINE_GUARDED_BY(mutex_);
  std::vector<record::JobGroup> announced_groups_ BEELINE_GUARDED_BY(mutex_);
};

}  // namespace beeline::service
