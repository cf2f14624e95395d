#include "service/job_polls.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace beeline::service {
namespace {

// A call whose time is over while a partition still looks for jobs gets this much more time;
// clients abandon a call a second after its time.
constexpr Milliseconds kLastAnswerGrace{500};

// A partition that answers so many times that there are more jobs, but none that fits, is not asked
// again.
constexpr int kEmptyAnswersMax = 100;

}  // namespace

struct JobPolls::Poll {
  JobRequest request;
  std::shared_ptr<JobSink> sink;
  std::uint64_t arrival = 0;  // orders parked calls
  Queue* queue = nullptr;
  bool waits = false;
  Milliseconds patience{0};  // time until the timer below
  Loop::TimerId timer;

  std::int32_t jobs_left = 0;
  bool got_jobs = false;
  bool ended = false;
  bool over_time = false;  // true if it ends with this pass
  bool woken = false;      // this is the one pass that its queue allows to parked calls

  bool in_pass = false;
  PartitionId partition;  // the partition being asked
  std::int32_t partitions_left = 0;
  std::int32_t partitions_down = 0;
  int empty_answers = 0;
  bool overloaded = false;
  std::optional<Error> rejection;
  std::uint64_t announcements_seen = 0;
};

// The calls that ask for the same jobs.
struct JobPolls::Queue {
  JobSelection jobs;
  absl::btree_map<std::uint64_t, PollPtr> parked;
  std::size_t polls = 0;  // parked or in a pass
  bool waking = false;    // a parked call was woken and is in its pass
  bool probing = false;   // the probe timer is set
  std::uint64_t announcements = 0;
  std::int32_t turn = 0;  // the partition where the last pass began
};

JobPolls::JobPolls(std::shared_ptr<JobActivator> activator, Timeouts timeouts, JobInterest interest)
    : activator_(std::move(activator)), timeouts_(timeouts), interest_(std::move(interest)) {}
JobPolls::~JobPolls() = default;

JobPolls::Queue& JobPolls::queue_of(const JobSelection& jobs) {
  const auto found = queues_.find(jobs);
  if (found != queues_.end()) return *found->second;
  forget_idle_queues();
  auto& queue = queues_[jobs];
  queue = std::make_unique<Queue>();
  queue->jobs = jobs;
  jobs.for_each_group(
      [&](const record::JobGroup& group) { by_group_[group].push_back(queue.get()); });
  return *queue;
}

// A queue is kept after its last call, to remember its turn; but clients choose the names, so not
// for ever.
void JobPolls::forget_idle_queues() {
  if (queues_.size() < queues_kept_max_) return;
  absl::erase_if(queues_, [&](const auto& entry) {
    Queue* const queue = entry.second.get();
    if (queue->polls != 0 || queue->probing) return false;
    queue->jobs.for_each_group([&](const record::JobGroup& group) {
      const auto found = by_group_.find(group);
      std::erase(found->second, queue);
      if (found->second.empty()) by_group_.erase(found);
    });
    return true;
  });
  queues_kept_max_ = std::max<std::size_t>(1024, queues_.size() * 2);
}

void JobPolls::start(JobRequest request, Milliseconds request_timeout, Timestamp arrived,
                     std::shared_ptr<JobSink> sink) {
  auto poll = std::make_shared<Poll>();
  poll->queue = &queue_of(selection_of(request.batch));
  poll->jobs_left = request.batch.max_jobs_to_activate;
  poll->request = std::move(request);
  poll->sink = std::move(sink);
  poll->arrival = ++arrivals_;
  poll->waits = request_timeout >= Milliseconds{0};
  poll->patience = request_timeout > Milliseconds{0} ? request_timeout
                   : poll->waits                     ? timeouts_.long_poll
                                                     : timeouts_.request;
  if (++poll->queue->polls == 1) interest_(poll->queue->jobs, true);

  Loop& loop = *activator_->loop();
  poll->timer = loop.schedule(arrived + poll->patience,
                              [self = shared_from_this(), poll] { self->time_over(poll); });
  poll->sink->on_closed([weak = weak_from_this(), poll, shared_loop = activator_->loop()] {
    shared_loop->post([weak, poll] {
      if (const auto self = weak.lock()) self->client_gone(poll);
    });
  });
  begin_pass(poll, next_turn(*poll->queue));
}

PartitionId JobPolls::next_turn(Queue& queue) const {
  queue.turn = queue.turn % activator_->partition_count() + 1;
  return PartitionId{queue.turn};
}

void JobPolls::begin_pass(const PollPtr& poll, PartitionId first) {
  poll->in_pass = true;
  poll->partition = first;
  poll->partitions_left = activator_->partition_count();
  poll->partitions_down = 0;
  poll->empty_answers = 0;
  poll->overloaded = false;
  poll->announcements_seen = poll->queue->announcements;
  ask(poll);
}

void JobPolls::ask(const PollPtr& poll) {
  activator_->activate(poll->partition, poll->request, poll->jobs_left,
                       [self = shared_from_this(), poll](Activation activation) {
                         self->answered(poll, std::move(activation));
                       });
}

void JobPolls::answered(const PollPtr& poll, Activation activation) {
  if (poll->ended) {
    activator_->give_back_all(activation.batch);
    end_pass(poll);
    return;
  }
  switch (activation.outcome) {
    case Activation::Outcome::Answered:
      break;
    case Activation::Outcome::Rejected:
      poll->rejection = std::move(activation.error);
      end_pass(poll);
      return;
    case Activation::Outcome::Overloaded:
      poll->overloaded = true;
      next_partition(poll);
      return;
    case Activation::Outcome::Unavailable:
      ++poll->partitions_down;
      next_partition(poll);
      return;
  }
  const auto count = static_cast<std::int32_t>(activation.batch.job_keys.size());
  if (count > 0) {
    poll->got_jobs = true;
    poll->jobs_left -= count;
    poll->empty_answers = 0;
    activator_->deliver(activator_->encode(activation.batch, *poll->sink), *poll->sink);
  } else {
    ++poll->empty_answers;
  }
  if (poll->jobs_left <= 0) {
    end_pass(poll);
  } else if (activation.batch.truncated && poll->empty_answers < kEmptyAnswersMax) {
    ask(poll);
  } else {
    next_partition(poll);
  }
}

void JobPolls::next_partition(const PollPtr& poll) {
  if (--poll->partitions_left == 0) {
    end_pass(poll);
    return;
  }
  poll->partition = PartitionId{poll->partition.value() % activator_->partition_count() + 1};
  ask(poll);
}

Outcome<void> JobPolls::trouble_of(const Poll& poll) const {
  if (poll.overloaded) return failure(activation_overloaded(poll.queue->jobs.type));
  if (poll.partitions_down == activator_->partition_count()) return failure(all_inactive());
  return {};
}

void JobPolls::end_pass(const PollPtr& poll) {
  Queue& queue = *poll->queue;
  poll->in_pass = false;
  const bool was_woken = std::exchange(poll->woken, false);
  if (was_woken) queue.waking = false;
  const bool announced_since = queue.announcements != poll->announcements_seen;
  const bool may_wait = poll->waits && !poll->over_time && !draining_;
  const Outcome<void> trouble = trouble_of(*poll);

  bool look_again = false;
  if (poll->ended) {
    leave(poll);
    look_again = was_woken;
  } else if (poll->got_jobs) {
    end(poll, {});
    look_again = was_woken;
  } else if (poll->rejection) {
    end(poll, failure(*poll->rejection));
    look_again = was_woken;
  } else if (!may_wait) {
    end(poll, trouble);
    look_again = announced_since;
  } else if (trouble.has_value()) {
    park(poll);
    look_again = announced_since;
  } else if (was_woken) {
    // A call that waits already is not refused because of a problem that may soon be over.
    park(poll);
    look_later(queue);
  } else {
    end(poll, trouble);
  }
  if (look_again && !queue.waking) wake_oldest(queue, poll->partition);
}

void JobPolls::look_later(const Queue& queue) {
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + kTroublePause, [self = shared_from_this(), jobs = queue.jobs] {
    const auto found = self->queues_.find(jobs);
    if (found == self->queues_.end()) return;
    self->jobs_announced(*found->second, PartitionId{1});
  });
}

void JobPolls::park(const PollPtr& poll) {
  Queue& queue = *poll->queue;
  queue.parked.emplace(poll->arrival, poll);
  if (queue.probing) return;
  queue.probing = true;
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + timeouts_.probe_interval,
                [self = shared_from_this(), jobs = queue.jobs] { self->probe(jobs); });
}

void JobPolls::probe(const JobSelection& jobs) {
  Queue& queue = *queues_.at(jobs);
  queue.probing = false;
  if (queue.parked.empty() && !queue.waking) return;
  queue.probing = true;
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + timeouts_.probe_interval,
                [self = shared_from_this(), jobs] { self->probe(jobs); });
  if (!queue.waking) wake_oldest(queue, next_turn(queue));
}

void JobPolls::announce(const record::JobGroup& group, PartitionId partition) {
  const auto found = by_group_.find(group);
  if (found == by_group_.end()) return;
  // Waking a call may end the call, but not its queue, so the list does not change.
  for (Queue* const queue : found->second) jobs_announced(*queue, partition);
}

void JobPolls::jobs_announced(Queue& queue, PartitionId partition) {
  ++queue.announcements;
  if (!queue.waking) wake_oldest(queue, partition);
}

void JobPolls::wake_oldest(Queue& queue, PartitionId first) {
  PollPtr poll;
  do {
    if (queue.parked.empty()) return;
    poll = queue.parked.begin()->second;
    queue.parked.erase(queue.parked.begin());
    if (!poll->sink->is_open()) end(poll, {});
  } while (poll->ended);
  queue.waking = true;
  poll->woken = true;
  begin_pass(poll, first);
}

void JobPolls::time_over(const PollPtr& poll) {
  if (poll->ended) return;
  if (!poll->waits) {
    end(poll, poll->got_jobs ? Outcome<void>{} : failure(timed_out(poll->patience)));
  } else if (!poll->in_pass || poll->over_time) {
    end(poll, {});
  } else {
    poll->over_time = true;
    Loop& loop = *activator_->loop();
    poll->timer = loop.schedule(loop.now() + kLastAnswerGrace,
                                [self = shared_from_this(), poll] { self->time_over(poll); });
  }
}

void JobPolls::end(const PollPtr& poll, Outcome<void> outcome) {
  poll->ended = true;
  activator_->loop()->cancel(poll->timer);
  poll->sink->finish(std::move(outcome));
  if (!poll->in_pass) leave(poll);
}

void JobPolls::client_gone(const PollPtr& poll) {
  if (!poll->ended) end(poll, {});
}

void JobPolls::leave(const PollPtr& poll) {
  poll->queue->parked.erase(poll->arrival);
  if (--poll->queue->polls == 0) interest_(poll->queue->jobs, false);
}

void JobPolls::drain() {
  draining_ = true;
  std::vector<PollPtr> parked;
  for (const auto& [jobs, queue] : queues_) {
    for (const auto& [arrival, poll] : queue->parked) parked.push_back(poll);
  }
  for (const PollPtr& poll : parked) end(poll, {});
}

std::size_t JobPolls::parked_count() const {
  std::size_t count = 0;
  for (const auto& [jobs, queue] : queues_) count += queue->parked.size();
  return count;
}

}  // namespace beeline::service
