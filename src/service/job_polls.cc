#include "service/job_polls.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace beeline::service {
namespace {

// A call whose time is over while a partition still looks for jobs gets this much more; clients
// give a call up a second after its time.
constexpr Milliseconds kLastAnswerGrace{500};

// Partitions that keep answering "there is more, but none that fits" are left alone after so many.
constexpr int kEmptyAnswersMax = 100;

}  // namespace

struct JobPolls::Poll {
  JobRequest request;
  std::shared_ptr<JobSink> sink;
  std::uint64_t arrival = 0;  // orders parked calls
  Type* type = nullptr;
  bool waits = false;
  Milliseconds patience{0};  // until the timer below
  Loop::TimerId timer;

  std::int32_t jobs_left = 0;
  bool got_jobs = false;
  bool ended = false;
  bool over_time = false;  // to end with the pass
  bool woken = false;      // the pass is the one its type allows to parked calls

  bool in_pass = false;
  PartitionId partition;  // being asked
  std::int32_t partitions_left = 0;
  std::int32_t partitions_down = 0;
  int empty_answers = 0;
  bool overloaded = false;
  std::optional<Error> rejection;
  std::uint64_t announcements_seen = 0;
};

struct JobPolls::Type {
  std::string name;
  absl::btree_map<std::uint64_t, PollPtr> parked;
  std::size_t polls = 0;  // parked or in a pass
  bool waking = false;    // a parked call was woken and is in its pass
  bool probing = false;   // the probe timer is set
  std::uint64_t announcements = 0;
  std::int32_t turn = 0;  // the partition where the last pass began
};

JobPolls::JobPolls(std::shared_ptr<JobActivator> activator, Timeouts timeouts, Interest interest)
    : activator_(std::move(activator)), timeouts_(timeouts), interest_(std::move(interest)) {}
JobPolls::~JobPolls() = default;

JobPolls::Type& JobPolls::type_of(const std::string& name) {
  const auto found = types_.find(name);
  if (found != types_.end()) return *found->second;
  forget_idle_types();
  auto& type = types_[name];
  type = std::make_unique<Type>();
  type->name = name;
  return *type;
}

// Types are kept after their last call, for their turn; but clients choose the names, so not for
// ever.
void JobPolls::forget_idle_types() {
  if (types_.size() < types_kept_max_) return;
  absl::erase_if(
      types_, [](const auto& entry) { return entry.second->polls == 0 && !entry.second->probing; });
  types_kept_max_ = std::max<std::size_t>(1024, types_.size() * 2);
}

void JobPolls::start(JobRequest request, Milliseconds request_timeout, Timestamp arrived,
                     std::shared_ptr<JobSink> sink) {
  auto poll = std::make_shared<Poll>();
  poll->type = &type_of(request.batch.type);
  poll->jobs_left = request.batch.max_jobs_to_activate;
  poll->request = std::move(request);
  poll->sink = std::move(sink);
  poll->arrival = ++arrivals_;
  poll->waits = request_timeout >= Milliseconds{0};
  poll->patience = request_timeout > Milliseconds{0} ? request_timeout
                   : poll->waits                     ? timeouts_.long_poll
                                                     : timeouts_.request;
  if (++poll->type->polls == 1) interest_(poll->type->name, true);

  Loop& loop = *activator_->loop();
  poll->timer = loop.schedule(arrived + poll->patience,
                              [self = shared_from_this(), poll] { self->time_over(poll); });
  poll->sink->on_closed([weak = weak_from_this(), poll, shared_loop = activator_->loop()] {
    shared_loop->post([weak, poll] {
      if (const auto self = weak.lock()) self->client_gone(poll);
    });
  });
  begin_pass(poll, next_turn(*poll->type));
}

PartitionId JobPolls::next_turn(Type& type) const {
  type.turn = type.turn % activator_->partition_count() + 1;
  return PartitionId{type.turn};
}

void JobPolls::begin_pass(const PollPtr& poll, PartitionId first) {
  poll->in_pass = true;
  poll->partition = first;
  poll->partitions_left = activator_->partition_count();
  poll->partitions_down = 0;
  poll->empty_answers = 0;
  poll->overloaded = false;
  poll->announcements_seen = poll->type->announcements;
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
  if (poll.overloaded) return failure(activation_overloaded(poll.type->name));
  if (poll.partitions_down == activator_->partition_count()) return failure(all_inactive());
  return {};
}

void JobPolls::end_pass(const PollPtr& poll) {
  Type& type = *poll->type;
  poll->in_pass = false;
  const bool was_woken = std::exchange(poll->woken, false);
  if (was_woken) type.waking = false;
  const bool announced_since = type.announcements != poll->announcements_seen;
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
    // A call that waits already is not refused for trouble that may soon be over.
    park(poll);
    look_later(type);
  } else {
    end(poll, trouble);
  }
  if (look_again && !type.waking) wake_oldest(type, poll->partition);
}

void JobPolls::look_later(Type& type) {
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + kTroublePause,
                [self = shared_from_this(), name = type.name, partition = PartitionId{1}] {
                  self->announce(name, partition);
                });
}

void JobPolls::park(const PollPtr& poll) {
  Type& type = *poll->type;
  type.parked.emplace(poll->arrival, poll);
  if (type.probing) return;
  type.probing = true;
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + timeouts_.probe_interval,
                [self = shared_from_this(), name = type.name] { self->probe(name); });
}

void JobPolls::probe(const std::string& type_name) {
  Type& type = *types_.at(type_name);
  type.probing = false;
  if (type.parked.empty() && !type.waking) return;
  type.probing = true;
  Loop& loop = *activator_->loop();
  loop.schedule(loop.now() + timeouts_.probe_interval,
                [self = shared_from_this(), name = type_name] { self->probe(name); });
  if (!type.waking) wake_oldest(type, next_turn(type));
}

void JobPolls::announce(std::string_view type_name, PartitionId partition) {
  const auto found = types_.find(absl::string_view(type_name.data(), type_name.size()));
  if (found == types_.end()) return;
  Type& type = *found->second;
  ++type.announcements;
  if (!type.waking) wake_oldest(type, partition);
}

void JobPolls::wake_oldest(Type& type, PartitionId first) {
  PollPtr poll;
  do {
    if (type.parked.empty()) return;
    poll = type.parked.begin()->second;
    type.parked.erase(type.parked.begin());
    if (!poll->sink->is_open()) end(poll, {});
  } while (poll->ended);
  type.waking = true;
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
  poll->type->parked.erase(poll->arrival);
  if (--poll->type->polls == 0) interest_(poll->type->name, false);
}

void JobPolls::drain() {
  draining_ = true;
  std::vector<PollPtr> parked;
  for (const auto& [name, type] : types_) {
    for (const auto& [arrival, poll] : type->parked) parked.push_back(poll);
  }
  for (const PollPtr& poll : parked) end(poll, {});
}

std::size_t JobPolls::parked_count() const {
  std::size_t count = 0;
  for (const auto& [name, type] : types_) count += type->parked.size();
  return count;
}

}  // namespace beeline::service
