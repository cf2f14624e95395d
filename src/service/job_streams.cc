#include "service/job_streams.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace beeline::service {

struct JobStreams::Stream {
  std::int64_t number = 0;
  JobRequest request;
  JobSelection jobs;  // the jobs that the request asks for
  std::shared_ptr<JobSink> sink;
  std::deque<EncodedJob> queue;
  std::int32_t asked_for = 0;  // jobs that partitions may still send
  bool writing = false;
  bool stalled = false;
  bool watched = false;  // the timer that looks for a stall is set
  Timestamp write_began;
  bool ended = false;

  // Returns how many jobs were activated for it, or may be, that it has not written.
  [[nodiscard]] std::int32_t held() const {
    return asked_for + static_cast<std::int32_t>(queue.size()) + (writing ? 1 : 0);
  }
  [[nodiscard]] bool is_taking() const { return !stalled && !ended && sink->is_open(); }
};

// The streams that ask for the same jobs.
struct JobStreams::Streams {
  JobSelection jobs;
  std::vector<StreamPtr> open;
  std::size_t turn = 0;
  // Each partition is asked once at a time; jobs announced meanwhile cause the next request.
  absl::btree_set<PartitionId> asking;
  absl::btree_set<PartitionId> announced_meanwhile;
  // The oldest announced job.
  absl::btree_map<PartitionId, Key> oldest;
  // Partitions whose jobs were announced while no stream had room.
  absl::btree_set<PartitionId> missed;
};

JobStreams::JobStreams(std::shared_ptr<JobActivator> activator, Limits limits, Unclaimed unclaimed,
                       JobInterest interest)
    : activator_(std::move(activator)),
      limits_(limits),
      unclaimed_(std::move(unclaimed)),
      interest_(std::move(interest)) {}
JobStreams::~JobStreams() = default;

void JobStreams::open(JobRequest request, std::shared_ptr<JobSink> sink) {
  if (draining_) {
    sink->finish(failure(Error{ErrorKind::Unavailable, "Failed to register new job stream"}));
    return;
  }
  sink->accept();
  auto stream = std::make_shared<Stream>();
  stream->number = ++opened_;
  stream->request = std::move(request);
  stream->sink = std::move(sink);
  stream->jobs = selection_of(stream->request.batch);
  streams_of(stream->jobs).open.push_back(stream);
  stream->sink->on_closed([weak = weak_from_this(), stream, loop = activator_->loop()] {
    loop->post([weak, stream] {
      if (const auto self = weak.lock()) self->end(stream, {});
    });
  });
}

JobStreams::Streams& JobStreams::streams_of(const JobSelection& jobs) {
  auto& streams = streams_[jobs];
  if (streams != nullptr) return *streams;
  streams = std::make_unique<Streams>();
  streams->jobs = jobs;
  jobs.for_each_group(
      [&](const record::JobGroup& group) { by_group_[group].push_back(streams.get()); });
  interest_(jobs, true);
  return *streams;
}

void JobStreams::forget(const JobSelection& jobs) {
  const auto streams = streams_.find(jobs);
  jobs.for_each_group([&](const record::JobGroup& group) {
    const auto found = by_group_.find(group);
    std::erase(found->second, streams->second.get());
    if (found->second.empty()) by_group_.erase(found);
  });
  streams_.erase(streams);
  interest_(jobs, false);
}

bool JobStreams::announce(const record::JobGroup& group, PartitionId partition, Key job) {
  const auto found = by_group_.find(group);
  if (found == by_group_.end()) return false;
  // Every group of streams that may have the jobs asks for them: the first one may not have room
  // for all.
  bool is_taken = false;
  for (Streams* const streams : found->second) {
    Key& oldest = streams->oldest.emplace(partition, job).first->second;
    oldest = std::min(oldest, job);
    if (ask(*streams, partition)) is_taken = true;
  }
  return is_taken;
}

bool JobStreams::ask(Streams& streams, PartitionId partition) {
  // Jobs that earlier streams left behind are announced when they are given back.
  if (!streams.oldest.contains(partition)) return false;
  if (streams.asking.contains(partition)) {
    streams.announced_meanwhile.insert(partition);
    return true;
  }
  const StreamPtr stream = next_with_room(streams);
  if (stream == nullptr) {
    streams.missed.insert(partition);
    return false;
  }
  activate(streams, partition, stream);
  return true;
}

JobStreams::StreamPtr JobStreams::next_with_room(Streams& streams) const {
  for (std::size_t i = 0; i < streams.open.size(); ++i) {
    const StreamPtr& stream = streams.open[streams.turn++ % streams.open.size()];
    if (stream->is_taking() && stream->held() + share() <= limits_.jobs_max) return stream;
  }
  return nullptr;
}

// Half of the jobs that a stream may hold, so the next jobs are requested while it still writes the
// last ones. Each partition gets a part of them, so no partition keeps the others waiting.
std::int32_t JobStreams::share() const {
  return std::max(1, limits_.jobs_max / (2 * activator_->partition_count()));
}

void JobStreams::activate(Streams& streams, PartitionId partition, const StreamPtr& stream) {
  const std::int32_t asked = share();
  stream->asked_for += asked;
  streams.asking.insert(partition);
  JobRequest request = stream->request;
  request.batch.first_job_key = streams.oldest.at(partition);
  activator_->activate(partition, request, asked,
                       [self = shared_from_this(), jobs = streams.jobs, partition, stream,
                        asked](Activation activation) {
                         self->answered(jobs, partition, stream, asked, std::move(activation));
                       });
}

void JobStreams::answered(const JobSelection& jobs, PartitionId partition, const StreamPtr& stream,
                          std::int32_t asked, Activation activation) {
  stream->asked_for -= asked;
  bool more = activation.batch.truncated ||
              static_cast<std::int32_t>(activation.batch.job_keys.size()) >= asked;
  if (activation.outcome == Activation::Outcome::Rejected) {
    end(stream, failure(std::move(activation.error)));
    more = true;  // for the other streams
  } else if (activation.outcome != Activation::Outcome::Answered) {
    more = false;
    Loop& loop = *activator_->loop();
    loop.schedule(loop.now() + kTroublePause,
                  [self = shared_from_this(), jobs, partition] { self->offer(jobs, partition); });
  } else if (stream->ended) {
    activator_->give_back_all(activation.batch);
    more = more || !activation.batch.job_keys.empty();
  } else {
    for (EncodedJob& job : activator_->encode(activation.batch, *stream->sink)) {
      stream->queue.push_back(std::move(job));
    }
    pump(stream);
  }
  const auto found = streams_.find(jobs);
  if (found == streams_.end()) {
    if (more) unclaimed_(jobs, partition);
    return;
  }
  Streams& streams = *found->second;
  streams.asking.erase(partition);
  if (streams.announced_meanwhile.erase(partition) > 0) more = true;
  if (more) offer(jobs, partition);
}

void JobStreams::offer(const JobSelection& jobs, PartitionId partition) {
  const auto found = streams_.find(jobs);
  if (found == streams_.end() || !ask(*found->second, partition)) unclaimed_(jobs, partition);
}

void JobStreams::pump(const StreamPtr& stream) {
  if (stream->writing || stream->queue.empty() || stream->ended) return;
  std::vector<EncodedJob> next;
  next.push_back(std::move(stream->queue.front()));
  stream->queue.pop_front();
  const Key key = next.front().key;
  stream->writing = true;
  stream->write_began = activator_->loop()->now();
  watch_for_stall(stream);
  stream->sink->send(std::move(next),
                     [weak = weak_from_this(), loop = activator_->loop(), stream, key](bool taken) {
                       loop->post([weak, stream, key, taken] {
                         if (const auto self = weak.lock()) self->written(stream, key, taken);
                       });
                     });
}

void JobStreams::written(const StreamPtr& stream, Key job, bool taken) {
  stream->writing = false;
  stream->stalled = false;
  if (!taken) {
    activator_->give_back(job);
    end(stream, {});
    return;
  }
  pump(stream);
  const auto found = streams_.find(stream->jobs);
  if (found != streams_.end()) offer_missed(*found->second);
}

void JobStreams::offer_missed(Streams& streams) {
  // A copy, because the offer may be missed again, or end the last stream.
  const JobSelection jobs = streams.jobs;
  for (const PartitionId partition : std::exchange(streams.missed, {})) {
    // Other waiting calls were notified of these jobs before.
    const auto found = streams_.find(jobs);
    if (found != streams_.end()) (void)ask(*found->second, partition);
  }
}

void JobStreams::watch_for_stall(const StreamPtr& stream) {
  if (stream->watched) return;
  stream->watched = true;
  activator_->loop()->schedule(stream->write_began + limits_.stall_timeout,
                               [self = shared_from_this(), stream] { self->check_stall(stream); });
}

void JobStreams::check_stall(const StreamPtr& stream) {
  stream->watched = false;
  if (stream->ended || !stream->writing || stream->stalled) return;
  if (activator_->loop()->now() < stream->write_began + limits_.stall_timeout) {
    watch_for_stall(stream);
    return;
  }
  stream->stalled = true;
  give_up_queue(stream);
}

void JobStreams::give_up_queue(const StreamPtr& stream) {
  absl::btree_set<PartitionId> partitions;
  for (const auto& job : std::exchange(stream->queue, {})) {
    activator_->give_back(job.key);
    partitions.insert(partition_of(job.key));
  }
  for (const PartitionId partition : partitions) offer(stream->jobs, partition);
}

void JobStreams::end(const StreamPtr& stream, Outcome<void> outcome) {
  if (std::exchange(stream->ended, true)) return;
  stream->sink->finish(std::move(outcome));
  const auto found = streams_.find(stream->jobs);
  if (found != streams_.end()) {
    std::erase(found->second->open, stream);
    if (found->second->open.empty()) forget(stream->jobs);
  }
  give_up_queue(stream);
}

void JobStreams::drain() {
  draining_ = true;
  std::vector<StreamPtr> open;
  for (const auto& [jobs, streams] : streams_) {
    open.insert(open.end(), streams->open.begin(), streams->open.end());
  }
  for (const StreamPtr& stream : open) end(stream, {});
}

std::vector<JobStreams::Info> JobStreams::list() const {
  std::vector<Info> result;
  for (const auto& [jobs, streams] : streams_) {
    for (const StreamPtr& stream : streams->open)
      result.push_back({stream->number, stream->request.batch});
  }
  std::ranges::sort(result, {}, &Info::number);
  return result;
}

std::size_t JobStreams::open_count() const {
  std::size_t count = 0;
  for (const auto& [jobs, streams] : streams_) count += streams->open.size();
  return count;
}

}  // namespace beeline::service
