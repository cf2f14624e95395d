#include "service/job_dispatcher.h"

#include <algorithm>
#include <utility>

namespace beeline::service {

JobDispatcher::JobDispatcher(std::shared_ptr<JobActivator> activator, JobPolls::Timeouts timeouts,
                             JobStreams::Limits limits)
    : activator_(std::move(activator)) {
  // This object owns both, and they call it only from the loop and during its lifetime.
  const auto interest = [this](const JobSelection& jobs, bool interested) {
    change_waiting(jobs, interested);
  };
  polls_ = std::make_shared<JobPolls>(activator_, timeouts, interest);
  streams_ = std::make_shared<JobStreams>(
      activator_, limits,
      [this](const JobSelection& jobs, PartitionId partition) {
        jobs.for_each_group(
            [&](const record::JobGroup& group) { polls_->announce(group, partition); });
      },
      interest);
}

void JobDispatcher::poll(JobRequest request, Milliseconds request_timeout,
                         std::shared_ptr<JobSink> sink) {
  const std::shared_ptr<Loop>& loop = activator_->loop();
  loop->post([self = shared_from_this(), request = std::move(request), request_timeout,
              arrived = loop->now(), sink = std::move(sink)]() mutable {
    self->polls_->start(std::move(request), request_timeout, arrived, std::move(sink));
  });
}

void JobDispatcher::open_stream(JobRequest request, std::shared_ptr<JobSink> sink) {
  activator_->loop()->post(
      [self = shared_from_this(), request = std::move(request), sink = std::move(sink)]() mutable {
        self->streams_->open(std::move(request), std::move(sink));
      });
}

void JobDispatcher::list_streams(
    absl::AnyInvocable<void(const std::vector<JobStreams::Info>&)> listed) {
  activator_->loop()->post([self = shared_from_this(), listed = std::move(listed)]() mutable {
    listed(self->streams_->list());
  });
}

void JobDispatcher::change_waiting(const JobSelection& jobs, bool more) {
  jobs.for_each_group([&](const record::JobGroup& group) {
    const MutexLock lock{mutex_};
    if (more) {
      ++waiting_[group].count;
      return;
    }
    const auto found = waiting_.find(group);
    if (found != waiting_.end() && --found->second.count == 0) waiting_.erase(found);
  });
}

void JobDispatcher::on_job_available(PartitionId partition, const record::JobGroup& group,
                                     Key job) {
  bool first = false;
  {
    const MutexLock lock{mutex_};
    const auto found = waiting_.find(group);
    if (found == waiting_.end()) return;
    Waiting& waiting = found->second;
    const auto [entry, is_new] = waiting.announced.emplace(partition, job);
    entry->second = std::min(entry->second, job);
    if (!is_new) return;
    if (waiting.announced.size() == 1) announced_groups_.push_back(group);
    first = announced_groups_.size() == 1 && waiting.announced.size() == 1;
  }
  if (first) {
    activator_->loop()->post([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->take_announcements();
    });
  }
}

void JobDispatcher::take_announcements() {
  std::vector<std::pair<record::JobGroup, absl::btree_map<PartitionId, Key>>> announced;
  {
    const MutexLock lock{mutex_};
    for (record::JobGroup& group : std::exchange(announced_groups_, {})) {
      const auto found = waiting_.find(group);
      if (found == waiting_.end()) continue;
      announced.emplace_back(std::move(group), std::exchange(found->second.announced, {}));
    }
  }
  for (const auto& [group, partitions] : announced) {
    for (const auto& [partition, job] : partitions) {
      if (!streams_->announce(group, partition, job)) polls_->announce(group, partition);
    }
  }
}

void JobDispatcher::drain() {
  activator_->loop()->post([self = shared_from_this()] {
    self->streams_->drain();
    self->polls_->drain();
  });
}

}  // namespace beeline::service
