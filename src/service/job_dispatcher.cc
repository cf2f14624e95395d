#include "service/job_dispatcher.h"

#include <algorithm>
#include <utility>

namespace beeline::service {

JobDispatcher::JobDispatcher(std::shared_ptr<JobActivator> activator, JobPolls::Timeouts timeouts,
                             JobStreams::Limits limits)
    : activator_(std::move(activator)) {
  // Both are owned by this and call it only from the loop while it lives.
  const auto interest = [this](const std::string& type, bool interested) {
    change_waiting(type, interested);
  };
  polls_ = std::make_shared<JobPolls>(activator_, timeouts, interest);
  streams_ = std::make_shared<JobStreams>(
      activator_, limits,
      [this](const std::string& type, PartitionId partition) { polls_->announce(type, partition); },
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

void JobDispatcher::change_waiting(const std::string& type, bool more) {
  const std::scoped_lock lock(mutex_);
  if (more) {
    ++waiting_[type].count;
    return;
  }
  const auto found = waiting_.find(type);
  if (found != waiting_.end() && --found->second.count == 0) waiting_.erase(found);
}

void JobDispatcher::on_job_available(PartitionId partition, std::string_view job_type, Key job) {
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = waiting_.find(absl::string_view(job_type.data(), job_type.size()));
    if (found == waiting_.end()) return;
    Waiting& waiting = found->second;
    const auto [entry, is_new] = waiting.announced.emplace(partition, job);
    entry->second = std::min(entry->second, job);
    if (!is_new) return;
    if (waiting.announced.size() == 1) announced_types_.push_back(found->first);
    first = announced_types_.size() == 1 && waiting.announced.size() == 1;
  }
  if (first) {
    activator_->loop()->post([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->take_announcements();
    });
  }
}

void JobDispatcher::take_announcements() {
  std::vector<std::pair<std::string, absl::btree_map<PartitionId, Key>>> announced;
  {
    const std::scoped_lock lock(mutex_);
    for (std::string& type : std::exchange(announced_types_, {})) {
      const auto found = waiting_.find(type);
      if (found == waiting_.end()) continue;
      announced.emplace_back(std::move(type), std::exchange(found->second.announced, {}));
    }
  }
  for (const auto& [type, partitions] : announced) {
    for (const auto& [partition, job] : partitions) {
      if (!streams_->announce(type, partition, job)) polls_->announce(type, partition);
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
