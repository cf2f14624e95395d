#include "service/job_streams.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace beeline::service {

struct JobStreams::Stream {
  std::int64_t number = 0;
  JobRequest request;
  std::shared_ptr<JobSink> sink;
  std::deque<EncodedJob> queue;
  std::int32_t asked_for = 0;  // jobs that partitions may still send
  bool writing = false;
  bool stalled = false;
  bool watched = false;  // the timer that looks for a stall is set
  Timestamp write_began;
  bool ended = false;

  // How many jobs were activated for it, or may be, that it has not written.
  [[nodiscard]] std::int32_t held() const {
    return asked_for + static_cast<std::int32_t>(queue.size()) + (writing ? 1 : 0);
  }
  [[nodiscard]] bool is_taking() const { return !stalled && !ended && sink->is_open(); }
};

struct JobStreams::Type {
  std::string name;
  std::vector<StreamPtr> streams;
  std::size_t turn = 0;
  // One question at a time to each partition; what is announced meanwhile makes the next one.
  absl::btree_set<PartitionId> asking;
  absl::btree_set<PartitionId> announced_meanwhile;
  // The oldest job that was announced.
  absl::btree_map<PartitionId, Key> oldest;
  // Announced while no stream had room.
  absl::btree_set<PartitionId> missed;
};

JobStreams::JobStreams(std::shared_ptr<JobActivator> activator, Limits limits, Unclaimed unclaimed,
                       Interest interest)
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
  auto& type = types_[stream->request.batch.type];
  if (type == nullptr) {
    type = std::make_unique<Type>();
    type->name = stream->request.batch.type;
    interest_(type->name, true);
  }
  type->streams.push_back(stream);
  stream->sink->on_closed([weak = weak_from_this(), stream, loop = activator_->loop()] {
    loop->post([weak, stream] {
      if (const auto self = weak.lock()) self->end(stream, {});
    });
  });
}

bool JobStreams::announce(const std::string& type_name, PartitionId partition, Key job) {
  const auto found = types_.find(type_name);
  if (found == types_.end()) return false;
  Type& type = *found->second;
  Key& oldest = type.oldest.emplace(partition, job).first->second;
  oldest = std::min(oldest, job);
  return ask(type, partition);
}

bool JobStreams::ask(Type& type, PartitionId partition) {
  // What streams before these left behind is announced when it is given back.
  if (!type.oldest.contains(partition)) return false;
  if (type.asking.contains(partition)) {
    type.announced_meanwhile.insert(partition);
    return true;
  }
  const StreamPtr stream = next_with_room(type);
  if (stream == nullptr) {
    type.missed.insert(partition);
    return false;
  }
  activate(type, partition, stream);
  return true;
}

JobStreams::StreamPtr JobStreams::next_with_room(Type& type) const {
  for (std::size_t i = 0; i < type.streams.size(); ++i) {
    const StreamPtr& stream = type.streams[type.turn++ % type.streams.size()];
    if (stream->is_taking() && stream->held() + share() <= limits_.jobs_max) return stream;
  }
  return nullptr;
}

// Half of what a stream may hold, so that the next jobs are asked for while it still writes the
// last ones; of that a part for each partition, so that one does not keep the others waiting.
std::int32_t JobStreams::share() const {
  return std::max(1, limits_.jobs_max / (2 * activator_->partition_count()));
}

void JobStreams::activate(Type& type, PartitionId partition, const StreamPtr& stream) {
  const std::int32_t asked = share();
  stream->asked_for += asked;
  type.asking.insert(partition);
  JobRequest request = stream->request;
  request.batch.first_job_key = type.oldest.at(partition);
  activator_->activate(partition, request, asked,
                       [self = shared_from_this(), name = type.name, partition, stream,
                        asked](Activation activation) {
                         self->answered(name, partition, stream, asked, std::move(activation));
                       });
}

void JobStreams::answered(const std::string& type_name, PartitionId partition,
                          const StreamPtr& stream, std::int32_t asked, Activation activation) {
  stream->asked_for -= asked;
  bool more = activation.batch.truncated ||
              static_cast<std::int32_t>(activation.batch.job_keys.size()) >= asked;
  if (activation.outcome == Activation::Outcome::Rejected) {
    end(stream, failure(std::move(activation.error)));
    more = true;  // for the other streams
  } else if (activation.outcome != Activation::Outcome::Answered) {
    more = false;
    Loop& loop = *activator_->loop();
    loop.schedule(loop.now() + kTroublePause, [self = shared_from_this(), type_name, partition] {
      self->offer(type_name, partition);
    });
  } else if (stream->ended) {
    activator_->give_back_all(activation.batch);
    more = more || !activation.batch.job_keys.empty();
  } else {
    for (EncodedJob& job : activator_->encode(activation.batch, *stream->sink)) {
      stream->queue.push_back(std::move(job));
    }
    pump(stream);
  }
  const auto found = types_.find(type_name);
  if (found == types_.end()) {
    if (more) unclaimed_(type_name, partition);
    return;
  }
  Type& type = *found->second;
  type.asking.erase(partition);
  if (type.announced_meanwhile.erase(partition) > 0) more = true;
  if (more) offer(type_name, partition);
}

void JobStreams::offer(const std::string& type_name, PartitionId partition) {
  const auto found = types_.find(type_name);
  if (found == types_.end() || !ask(*found->second, partition)) unclaimed_(type_name, partition);
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
  const auto found = types_.find(stream->request.batch.type);
  if (found != types_.end()) offer_missed(*found->second);
}

void JobStreams::offer_missed(Type& type) {
  // A copy: what is offered may be missed again, or end the type.
  const std::string name = type.name;
  for (const PartitionId partition : std::exchange(type.missed, {})) {
    // Whoever else waits heard of these before.
    const auto found = types_.find(name);
    if (found != types_.end()) (void)ask(*found->second, partition);
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
  for (const PartitionId partition : partitions) offer(stream->request.batch.type, partition);
}

void JobStreams::end(const StreamPtr& stream, Outcome<void> outcome) {
  if (std::exchange(stream->ended, true)) return;
  stream->sink->finish(std::move(outcome));
  const auto found = types_.find(stream->request.batch.type);
  if (found != types_.end()) {
    std::erase(found->second->streams, stream);
    if (found->second->streams.empty()) {
      types_.erase(found);
      interest_(stream->request.batch.type, false);
    }
  }
  give_up_queue(stream);
}

void JobStreams::drain() {
  draining_ = true;
  std::vector<StreamPtr> streams;
  for (const auto& [name, type] : types_) {
    streams.insert(streams.end(), type->streams.begin(), type->streams.end());
  }
  for (const StreamPtr& stream : streams) end(stream, {});
}

std::vector<JobStreams::Info> JobStreams::list() const {
  std::vector<Info> result;
  for (const auto& [name, type] : types_) {
    for (const StreamPtr& stream : type->streams)
      result.push_back({stream->number, stream->request.batch});
  }
  std::ranges::sort(result, {}, &Info::number);
  return result;
}

std::size_t JobStreams::open_count() const {
  std::size_t count = 0;
  for (const auto& [name, type] : types_) count += type->streams.size();
  return count;
}

}  // namespace beeline::service
