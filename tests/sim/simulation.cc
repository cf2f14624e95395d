#include "tests/sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/partition_hash.h"
#include "bpmn/builder.h"
#include "engine/resends.h"
#include "engine/state/tables.h"
#include "record/codec.h"
#include "record/values.h"
#include "tests/support/random_process.h"

namespace beeline::sim {
namespace {

using testing::kAlarmName;
using testing::kCorrelationKeys;
using testing::kJobTypes;
using testing::kMessageNames;
using testing::kNewsName;
using testing::kProcessIds;
using testing::kSignalNames;

constexpr PartitionId kFirstPartition{1};
constexpr int kSettleRoundsMax = 3'000;
// The variable with the payload, and its largest size. A message must fit into an instance whose
// other variables were made small.
constexpr const char* kPayloadName = "payload";
constexpr std::size_t kMessageBytesMax = 4'000;
constexpr std::size_t kRequestBytesMax = 7'000;
// A process that never waits, and how many of its instances run at a time.
constexpr const char* kSpinnerId = "spinner";
constexpr std::size_t kSpinnersMax = 2;
// Each round is a minute; no timer of a process is longer than an hour.
constexpr int kResolveRounds = 100;
// How often variables are made smaller and an incident about their size is then resolved, before it
// counts as unresolvable.
constexpr int kSizeTriesMax = 100;

bool is_rejection(const record::RecordView& answer) {
  return answer.metadata.record_type == record::RecordType::CommandRejection;
}

// A loop of gateways only is legal, and a token in it never waits.
bpmn::build::Model spinner() {
  using namespace bpmn::build;  // NOLINT: the builder's words
  return process(
      kSpinnerId,
      start() >> exclusive_gateway("in") >> exclusive_gateway("out") >> default_flow() >> to("in"),
      from("out") >> condition("done") >> bpmn::build::end());
}

// Tables that keep rows at the end: deployed definitions, and rows that ensure that everything
// happens once.
constexpr engine::TableNumber kTablesThatStay[] = {
    engine::TableNumber::Processes,
    engine::TableNumber::RetiredProcesses,
    engine::TableNumber::DecisionRequirements,
    engine::TableNumber::Decisions,
    engine::TableNumber::Counters,
    engine::TableNumber::MessageStartSubscriptions,
    engine::TableNumber::SignalSubscriptions,       // of start events; others are looked for
    engine::TableNumber::ConditionalSubscriptions,  // likewise
    engine::TableNumber::DistributionFloors,
    engine::TableNumber::ReceivedDistributions,
    // A command without effect is left if nothing was written after it; see PendingCommands.
    engine::TableNumber::PendingCommands,
};

bool stays(state::TableId id) {
  return std::ranges::find(kTablesThatStay, static_cast<engine::TableNumber>(id)) !=
         std::end(kTablesThatStay);
}

}  // namespace

Simulation::Simulation(const Options& options) : chance_(options.seed) {
  for (std::int32_t number = 1; number <= options.partitions; ++number) {
    sites_.push_back(
        std::make_unique<Site>(PartitionId{number}, options.partitions, options.copies,
                               Site::Surroundings{clock_, *this, audit_, chance_, options.traces}));
  }
}

template <typename T>
void Simulation::submit(PartitionId to, typename T::Intent intent, Key key, const T& value,
                        stream::ResponseHandler handler) {
  // If the queue is full, the command is dropped, and the client does not try again.
  (void)site(to).partition().submit(next_principal(), stream::make_command(intent, key, value),
                                    std::move(handler));
}

// Each command has a client of its own; every fifth client is unknown.
record::Principal Simulation::next_principal() {
  const std::int64_t number = ++requests_;
  record::Principal principal;
  if (number % 5 == 0) return principal;
  principal.kind = number % 2 == 0 ? record::PrincipalKind::User : record::PrincipalKind::Client;
  principal.id = fmt::format("client-{}", number);
  return principal;
}

void Simulation::send(PartitionId to, stream::Command command) {
  if (!is_kind_ && chance_.one_in(10)) return;
  if (!is_kind_ && chance_.one_in(10)) under_way_.push_back({to, command});
  under_way_.push_back({to, std::move(command)});
}

void Simulation::carry_one() {
  if (under_way_.empty()) return;
  const std::size_t at = is_kind_ ? 0 : chance_.below(under_way_.size());
  Parcel parcel = std::move(under_way_[at]);
  under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(at));
  site(parcel.to).partition().receive(std::move(parcel.command));
}

void Simulation::run(std::int64_t steps) {
  deploy();
  for (std::int64_t i = 0; i < steps; ++i) move();
}

void Simulation::move() {
  switch (chance_.below(32)) {
    case 0:
      if (chance_.one_in(20)) deploy();
      if (chance_.one_in(20)) delete_a_version();
      return;
    case 1:
    case 2:
      return create();
    case 3:
    case 4:
      return publish(Milliseconds{chance_.below(4) * 60'000});
    case 5:
    case 6:
    case 7:
      return activate(PartitionId{static_cast<std::int32_t>(1 + chance_.below(sites_.size()))},
                      kJobTypes[chance_.below(std::size(kJobTypes))], 3);
    case 8:
    case 9:
    case 10:
    case 11:
      return end_a_job();
    case 12:
      if (chance_.one_in(4)) cancel();
      return;
    case 13:
      if (chance_.one_in(4)) resolve_incidents();
      if (chance_.one_in(20)) spin();
      if (chance_.one_in(20)) stop_spinning();
      return;
    case 14:
      if (chance_.one_in(3)) {
        return broadcast(chance_.one_in(4) ? kAlarmName
                                           : kSignalNames[chance_.below(std::size(kSignalNames))]);
      }
      if (chance_.one_in(4)) return evaluate_conditions();
      return clock_.pass(Milliseconds{chance_.below(20'000)});
    case 15:
      if (chance_.one_in(30)) any_site().lose_power();
      if (chance_.one_in(15)) any_site().lose_power_at_call(1 + chance_.below(20));
      if (chance_.one_in(8)) fill_or_empty_a_disk();
      if (chance_.one_in(4)) any_site().elect();
      return;
    case 16:
    case 17:
    case 18:
    case 19:
    case 20:
    case 21:
      return carry_one();
    default:
      any_site().work();
  }
}

// A full disk stays full for a while: this is called less often than other actions.
void Simulation::fill_or_empty_a_disk() {
  const std::uint64_t segments = chance_.below(3);
  any_site().fill_or_empty_disk(segments, chance_.one_in(2));
}

void Simulation::deploy() {
  record::DeploymentRecord deployment;
  for (auto& [name, content] : testing::random_resources(chance_)) {
    deployment.resources.push_back({std::move(name), std::move(content)});
  }
  deployment.resources.push_back({"spinner.bpmn", spinner().to_xml()});
  submit(
      kFirstPartition, record::DeploymentIntent::Create, Key{}, deployment,
      [this](const record::RecordView& answer) {
        if (is_rejection(answer)) {
          throw Broken(
              fmt::format("a deployment was rejected: {}", answer.metadata.rejection_reason));
        }
        deployments_.push_back(answer.metadata.key);
        for (const auto& each : record::decode<record::DeploymentRecord>(answer.value).processes) {
          if (definitions_.insert(each.key).second) {
            kept_[each.bpmn_process_id].push_back(each.key);
          }
        }
      });
}

// Does not delete the last version of a process: instances that call it would never end.
void Simulation::delete_a_version() {
  const auto versions = kept_.find(kProcessIds[chance_.below(std::size(kProcessIds))]);
  if (versions == kept_.end() || versions->second.size() < 2) return;
  const auto version = versions->second.begin() +
                       static_cast<std::ptrdiff_t>(chance_.below(versions->second.size()));
  record::ResourceDeletionRecord deletion;
  deletion.resource_key = *version;
  versions->second.erase(version);
  submit(kFirstPartition, record::ResourceDeletionIntent::Delete, Key{}, deletion,
         [this, key = deletion.resource_key](const record::RecordView& answer) {
           if (is_rejection(answer)) {
             throw Broken(
                 fmt::format("a deletion was rejected: {}", answer.metadata.rejection_reason));
           }
           deleted_.insert(key);
         });
}

void Simulation::create() {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = kProcessIds[chance_.below(std::size(kProcessIds))];
  creation.variables.entries = {
      {"key", fmt::format("\"{}\"", kCorrelationKeys[chance_.below(std::size(kCorrelationKeys))])},
      {"a", fmt::format("{}", chance_.below(4))},
      {"b", fmt::format("{}", chance_.below(4))}};
  testing::add_random_instructions(chance_, creation);
  add_payload(creation.variables, kRequestBytesMax);
  // A partition may not know the process yet; then the client gets an error.
  submit(PartitionId{static_cast<std::int32_t>(1 + chance_.below(sites_.size()))},
         record::ProcessInstanceCreationIntent::Create, Key{}, creation,
         [this](const record::RecordView& answer) {
           if (is_rejection(answer)) return;
           instances_.push_back(record::decode<record::ProcessInstanceCreationRecord>(answer.value)
                                    .process_instance_key);
         });
}

void Simulation::publish(Milliseconds time_to_live) {
  record::MessageRecord message;
  message.name =
      chance_.one_in(4) ? kNewsName : kMessageNames[chance_.below(std::size(kMessageNames))];
  message.correlation_key = kCorrelationKeys[chance_.below(std::size(kCorrelationKeys))];
  message.time_to_live = time_to_live;
  message.variables.entries = {{"key", fmt::format("\"{}\"", message.correlation_key)}};
  add_payload(message.variables, kMessageBytesMax);
  const PartitionId to = partition_of_correlation_key(message.correlation_key,
                                                      static_cast<std::int32_t>(sites_.size()));
  submit(to, record::MessageIntent::Publish, Key{}, message,
         [this](const record::RecordView& answer) {
           if (!is_rejection(answer)) messages_.push_back(answer.metadata.key);
         });
}

void Simulation::broadcast(const std::string& name) {
  record::SignalRecord signal;
  signal.signal_name = name;
  signal.awaits_count = chance_.one_in(2);
  if (chance_.one_in(2)) add_payload(signal.variables, kMessageBytesMax);
  submit(
      PartitionId{static_cast<std::int32_t>(1 + chance_.below(sites_.size()))},
      record::SignalIntent::Broadcast, Key{}, signal, [](const record::RecordView& answer) {
        if (is_rejection(answer)) {
          throw Broken(fmt::format("a signal was rejected: {}", answer.metadata.rejection_reason));
        }
      });
}

void Simulation::evaluate_conditions() {
  record::ConditionalEvaluationRecord evaluation;
  for (const char* name : {"a", "b"}) {
    evaluation.variables.entries.push_back({name, std::to_string(chance_.below(4))});
  }
  submit(PartitionId{static_cast<std::int32_t>(1 + chance_.below(sites_.size()))},
         record::ConditionalEvaluationIntent::Evaluate, Key{}, evaluation,
         [](const record::RecordView& answer) {
           if (is_rejection(answer)) {
             throw Broken(
                 fmt::format("an evaluation was rejected: {}", answer.metadata.rejection_reason));
           }
         });
}

void Simulation::activate(PartitionId partition, const std::string& type, int max) {
  record::JobBatchRecord batch;
  batch.type = type;
  batch.worker = "worker";
  batch.max_jobs_to_activate = max;
  batch.timeout = Milliseconds{60'000};
  submit(partition, record::JobBatchIntent::Activate, Key{}, batch,
         [this](const record::RecordView& answer) {
           if (is_rejection(answer)) return;
           const auto jobs = record::decode<record::JobBatchRecord>(answer.value).job_keys;
           for (const Key job : jobs) {
             if (completed_jobs_.contains(job)) {
               throw Broken(
                   fmt::format("job {} was handed out after its completion had been "
                               "acknowledged",
                               job.value()));
             }
             activated_jobs_.push_back(job);
           }
         });
}

void Simulation::end_a_job() {
  if (activated_jobs_.empty()) return;
  const std::size_t at = chance_.below(activated_jobs_.size());
  const Key job = activated_jobs_[at];
  activated_jobs_.erase(activated_jobs_.begin() + static_cast<std::ptrdiff_t>(at));
  record::JobRecord value;
  const auto ignore = [](const record::RecordView&) {};
  add_payload(value.variables, kRequestBytesMax);
  if (!is_kind_ && chance_.one_in(8)) {
    value.retries = static_cast<std::int32_t>(chance_.below(2));
    return submit(partition_of(job), record::JobIntent::Fail, job, value, ignore);
  }
  if (!is_kind_ && chance_.one_in(8)) {
    value.error_code = "404";
    return submit(partition_of(job), record::JobIntent::ThrowError, job, value, ignore);
  }
  submit(partition_of(job), record::JobIntent::Complete, job, value,
         [this, job](const record::RecordView& answer) {
           if (is_rejection(answer)) return;
           if (!completed_jobs_.insert(job).second) {
             throw Broken(fmt::format("job {} was completed twice", job.value()));
           }
         });
}

// Payloads are mostly small, otherwise near the limits or anywhere between.
void Simulation::add_payload(record::Document& variables, std::size_t bytes_max) {
  if (is_kind_ || chance_.one_in(2)) return;
  const std::size_t bytes =
      chance_.one_in(3)   ? chance_.below(50)
      : chance_.one_in(3) ? std::min(bytes_max, kInstanceVariablesMax - 50 + chance_.below(60))
                          : chance_.below(bytes_max);
  variables.entries.push_back({kPayloadName, fmt::format("\"{}\"", std::string(bytes, 'x'))});
}

// This is always allowed, however large the variables of the instance are.
void Simulation::make_smaller(Key scope) {
  const auto has_payload = [this, scope] {
    return site(partition_of(scope)).state().variables().find(scope, kPayloadName) != nullptr;
  };
  // Without a payload, the update would add one, for which there may be no room.
  if (!has_payload()) return;
  record::VariableDocumentRecord document;
  document.scope_key = scope;
  document.variables.entries = {{kPayloadName, "0"}};
  submit(partition_of(scope), record::VariableDocumentIntent::Update, Key{}, document,
         [has_payload](const record::RecordView& answer) {
           if (answer.metadata.rejection_type == record::RejectionType::InvalidState &&
               has_payload()) {
             throw Broken(fmt::format("variables cannot be made smaller: {}",
                                      answer.metadata.rejection_reason));
           }
         });
}

void Simulation::cancel() {
  if (instances_.empty()) return;
  const Key instance = instances_[chance_.below(instances_.size())];
  submit(partition_of(instance), record::ProcessInstanceIntent::Cancel, instance,
         record::ProcessInstanceRecord{}, [](const record::RecordView&) {});
}

void Simulation::spin() {
  if (spinners_.size() >= kSpinnersMax) return;
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = kSpinnerId;
  creation.variables.entries = {{"done", "false"}};
  submit(PartitionId{static_cast<std::int32_t>(1 + chance_.below(sites_.size()))},
         record::ProcessInstanceCreationIntent::Create, Key{}, creation,
         [this](const record::RecordView& answer) {
           if (is_rejection(answer)) return;
           const Key instance = record::decode<record::ProcessInstanceCreationRecord>(answer.value)
                                    .process_instance_key;
           instances_.push_back(instance);
           spinners_.push_back(instance);
           ++spinner_count_;
         });
}

// An instance that its client does not know is found among the active ones.
void Simulation::stop_spinning() {
  for (const Key instance : audit_.instances_of(kSpinnerId)) {
    submit(partition_of(instance), record::ProcessInstanceIntent::Cancel, instance,
           record::ProcessInstanceRecord{}, [](const record::RecordView&) {});
  }
  spinners_.clear();
}

void Simulation::resolve_incidents() {
  const auto ignore = [](const record::RecordView&) {};
  for (const auto& [key, incident] : audit_.open_incidents()) {
    if (incident.type == record::ErrorType::MessageSizeExceeded) {
      make_smaller(incident.element);
      make_smaller(incident.instance);
    }
    if (incident.job.is_set()) {
      record::JobRecord value;
      value.retries = 1;
      submit(partition_of(incident.job), record::JobIntent::UpdateRetries, incident.job, value,
             ignore);
    }
    submit(partition_of(key), record::IncidentIntent::Resolve, key, record::IncidentRecord{},
           ignore);
  }
}

// Cancels instances with incidents that cannot be resolved, as people do.
void Simulation::cancel_incidents() {
  for (const auto& [key, incident] : audit_.open_incidents()) {
    if (incident.type == record::ErrorType::MessageSizeExceeded) {
      // Each failed attempt leaves another incident on the element.
      if (++tries_on_size_[incident.element] < kSizeTriesMax) continue;
      throw Broken(fmt::format("incident {} on the size of variables cannot be resolved: {}",
                               key.value(), incident.message));
    }
    submit(partition_of(incident.root), record::ProcessInstanceIntent::Cancel, incident.root,
           record::ProcessInstanceRecord{}, [](const record::RecordView&) {});
  }
}

void Simulation::work_all() {
  // Spinning instances continue for a while, and others end beside them.
  constexpr int kSpinTurns = 20;
  constexpr int kTurnsMax = 100'000;
  bool worked = true;
  for (int turn = 1; worked; ++turn) {
    if (turn > kTurnsMax) throw Broken("the partitions never come to rest");
    if (turn % kSpinTurns == 0) {
      // A partition whose checkpoint found no room refuses commands until its next attempt, a
      // second later; only then can it cancel the instance.
      clock_.pass(Milliseconds{1'000});
      stop_spinning();
    }
    worked = false;
    for (const auto& each : sites_) worked = each->work() || worked;
    while (!under_way_.empty()) {
      carry_one();
      worked = true;
    }
  }
}

void Simulation::settle() {
  for (int round = 0; round < kSettleRoundsMax; ++round) {
    for (const auto& each : sites_) {
      for (const char* type : kJobTypes) activate(each->id(), type, 100);
    }
    work_all();
    while (!activated_jobs_.empty()) end_a_job();
    resolve_incidents();
    if (round > kResolveRounds) cancel_incidents();
    publish(Milliseconds{1'000});
    broadcast(kSignalNames[static_cast<std::size_t>(round) % std::size(kSignalNames)]);
    work_all();
    if (is_over()) return;
    clock_.pass(Milliseconds{60'000});
  }
  std::string stuck;
  for (const auto& each : sites_) {
    stuck += fmt::format(" partition {}: {} instances, {} incidents;", each->id().value(),
                         each->state().element_instances().process_instance_count(),
                         each->state().incidents().count());
  }
  int shown = 0;
  for (const auto& [key, element] : audit_.active_elements()) {
    if (++shown > 20) break;
    stuck += fmt::format("\n    {}: {}", key.value(), element.text);
  }
  throw Broken(fmt::format("not everything came to its end:{}", stuck));
}

bool Simulation::is_over() const {
  return std::ranges::all_of(sites_, [](const auto& each) {
    const bool is_waiting = std::ranges::any_of(
        engine::resend_sources(),
        [&](const engine::ResendSource& source) { return source.has_pending(each->state()); });
    return each->state().element_instances().process_instance_count() == 0 && !is_waiting;
  });
}

void Simulation::finish() {
  is_kind_ = true;
  for (const auto& each : sites_) each->be_kind();
  settle();
  // This is longer than any message lives: messages that nobody received must have expired.
  clock_.pass(Milliseconds{60 * 60'000});
  work_all();
  for (const auto& each : sites_) each->compare_with_replay();
  expect_acknowledged_is_on_the_log();
  expect_nothing_is_left();
  expect_same_definitions();
}

void Simulation::expect_acknowledged_is_on_the_log() const {
  for (const Key key : instances_) {
    if (!audit_.has_instance(key)) {
      throw Broken(fmt::format("instance {} was acknowledged but is not on the log", key.value()));
    }
  }
  for (const Key key : completed_jobs_) {
    if (!audit_.is_completed(key)) {
      throw Broken(fmt::format("the completion of job {} was acknowledged but is not on the log",
                               key.value()));
    }
  }
  for (const Key key : messages_) {
    if (!audit_.is_published(key)) {
      throw Broken(fmt::format("message {} was acknowledged but is not on the log", key.value()));
    }
  }
}

void Simulation::expect_nothing_is_left() const {
  for (const auto& each : sites_) {
    const engine::EngineState& state = each->state();
    for (const auto& [id, table] : state.database().tables()) {
      if (table->size() == 0 || stays(id)) continue;
      throw Broken(fmt::format("partition {}: {} rows of table '{}' are left of what has ended",
                               state.partition().value(), table->size(), table->name()));
    }
    (void)state.signals().walk(
        0, std::numeric_limits<std::size_t>::max(),
        [&](Key key, const engine::SignalSubscriptionRow& row) {
          if (!row.record.element_instance_key.is_set()) return;
          throw Broken(fmt::format("partition {}: subscription {} to signal '{}' is left",
                                   state.partition().value(), key.value(), row.record.signal_name));
        },
        [] { return false; });
    (void)state.conditional_subscriptions().walk(
        0, std::numeric_limits<std::size_t>::max(),
        [&](Key key, const engine::ConditionalSubscriptionRow& row) {
          if (!row.record.element_instance_key.is_set()) return;
          throw Broken(fmt::format("partition {}: subscription {} of the condition of '{}' is left",
                                   state.partition().value(), key.value(), row.record.element_id));
        },
        [] { return false; });
    if (!state.jobs().counts().empty()) {
      throw Broken(fmt::format("partition {}: types of jobs are left that are no more",
                               state.partition().value()));
    }
  }
}

// A definition that was deployed or deleted on one partition was so on all.
void Simulation::expect_same_definitions() const {
  for (const Key key : definitions_) {
    const auto has = [&](const auto& each) {
      return each->state().definitions().find(key) != nullptr;
    };
    const auto count = std::ranges::count_if(sites_, has);
    if (count == std::ssize(sites_) && !deleted_.contains(key)) continue;
    if (count == 0 && std::ranges::none_of(kept_, [&](const auto& versions) {
          return std::ranges::find(versions.second, key) != versions.second.end();
        })) {
      continue;
    }
    throw Broken(fmt::format("{} of {} partitions have the definition {}, which was {}", count,
                             sites_.size(), key.value(),
                             deleted_.contains(key) ? "deleted" : "not deleted for certain"));
  }
}

Simulation::Summary Simulation::summary() const {
  Summary summary;
  summary.commands = audit_.commands();
  summary.records = audit_.records();
  summary.instances = instances_.size();
  summary.completions = completed_jobs_.size();
  summary.messages = messages_.size();
  summary.spinners = spinner_count_;
  for (const auto& each : sites_) {
    summary.power_losses += each->counts().power_losses;
    summary.disk_fills += each->counts().disk_fills;
    summary.elections += each->counts().elections;
  }
  return summary;
}

}  // namespace beeline::sim
