#include <map>
#include <set>

#include "base/check.h"
#include "base/partition_hash.h"
#include "tests/support/cluster.h"
#include "tests/support/decision_files.h"

// Distribution of commands to every partition, shown with deployments (spec: distribution;
// deployments 1; scenarios/messages 8).
namespace beeline::testing {
namespace {

using record::CommandDistributionIntent;
using record::CommandDistributionRecord;
using record::DeploymentIntent;
using record::DeploymentRecord;
using record::ProcessIntent;
using record::ProcessRecord;

std::string xml_of(const std::string& id, const std::string& task = "work") {
  return process(id, start() >> service_task(task, job("work")) >> end()).to_xml();
}

void deploy(Cluster& cluster, const std::string& id, const std::string& task = "work") {
  cluster.when(1).deploys({{id + ".bpmn", xml_of(id, task)}});
}

// Returns every process record of a partition, in the order of its log.
std::vector<ProcessRecord> processes_on(Cluster& cluster, std::int32_t partition) {
  std::vector<ProcessRecord> found;
  for (const record::OwnedRecord& each : cluster.at(partition).records()) {
    if (each.metadata.value_type == record::ValueType::Process) {
      found.push_back(record::decode<ProcessRecord>(each.value));
    }
  }
  return found;
}

void expect_same_processes(Cluster& cluster, std::size_t count) {
  const std::vector<ProcessRecord> first = processes_on(cluster, 1);
  EXPECT_EQ(first.size(), count);
  for (std::int32_t number = 2; number <= cluster.count(); ++number) {
    EXPECT_EQ(processes_on(cluster, number), first) << "partition " << number;
  }
}

std::size_t delivered(const Cluster& cluster, std::string_view name, std::int32_t to) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cluster.delivered(), [&](const Parcel& parcel) {
        return parcel.is(name) && parcel.command.to == PartitionId{to};
      }));
}

std::function<bool(const Parcel&)> losing(std::string_view name, std::int32_t to) {
  return
      [=](const Parcel& parcel) { return parcel.is(name) && parcel.command.to == PartitionId{to}; };
}

std::size_t finished_count(Cluster& cluster) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cluster.at(1).records(), [](const record::OwnedRecord& each) {
        return record::text_name(each.metadata) == "COMMAND_DISTRIBUTION FINISHED";
      }));
}

TEST(Distribution, one_partition_distributes_nothing) {  // D1
  Cluster cluster{1};
  cluster.when(1).deploys({{"p.bpmn", xml_of("p")}});
  cluster.then(1).records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED p
    E DEPLOYMENT CREATED
  )");
  cluster.then(1).answered();
}

TEST(Distribution, a_deployment_reaches_every_partition) {  // Z6
  Cluster cluster{3};
  cluster.mark();
  deploy(cluster, "p");
  EXPECT_TRUE(cluster.at(1).answers().empty());
  cluster.deliver();
  cluster.then(1).records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED p version=1
    E DEPLOYMENT CREATED
    E COMMAND_DISTRIBUTION STARTED queueId="DEPLOYMENT" valueType=DEPLOYMENT awaitedBy=1
    E COMMAND_DISTRIBUTION ENQUEUED 2 queueId="DEPLOYMENT"
    E COMMAND_DISTRIBUTION DISTRIBUTING 2
    E COMMAND_DISTRIBUTION ENQUEUED 3 queueId="DEPLOYMENT"
    E COMMAND_DISTRIBUTION DISTRIBUTING 3
    C COMMAND_DISTRIBUTION ACKNOWLEDGE 2
    E COMMAND_DISTRIBUTION ACKNOWLEDGED 2
    C COMMAND_DISTRIBUTION ACKNOWLEDGE 3
    E COMMAND_DISTRIBUTION ACKNOWLEDGED 3
    C COMMAND_DISTRIBUTION FINISH
    E COMMAND_DISTRIBUTION FINISHED queueId="DEPLOYMENT"
  )");
  for (const std::int32_t other : {2, 3}) {
    cluster.then(other).records(R"(
      C DEPLOYMENT CREATE
      E PROCESS CREATED p version=1
      E DEPLOYMENT CREATED
      E COMMAND_DISTRIBUTION RECEIVED 1 valueType=DEPLOYMENT
    )");
  }
  expect_same_processes(cluster, 1);
  cluster.then(1).answered();
  const auto answer = cluster.then(1).answer<DeploymentRecord>();
  ASSERT_EQ(answer.processes.size(), 1U);
  EXPECT_EQ(answer.processes.front().key, processes_on(cluster, 1).front().key);
  EXPECT_TRUE(answer.resources.empty());
  EXPECT_EQ(cluster.at(1).state().distributions().count(), 0U);
}

TEST(Distribution, two_processes_have_the_same_keys_everywhere) {  // D10
  Cluster cluster{3};
  cluster.when(1).deploys({{"a.bpmn", xml_of("a")}, {"b.bpmn", xml_of("b")}});
  cluster.deliver();
  expect_same_processes(cluster, 2);
}

TEST(Distribution, instances_run_on_every_partition_once_the_deployment_is_answered) {  // D8
  Cluster cluster{3};
  deploy(cluster, "p");
  cluster.deliver();
  cluster.then(1).answered();
  for (const std::int32_t number : {1, 2, 3}) {
    const Key instance = cluster.given(number).instance("p");
    EXPECT_EQ(partition_of(instance), PartitionId{number});
    cluster.given(number).completes_job("work");
    cluster.then(number).all_done();
  }
}

TEST(Distribution, what_is_refused_on_partition_1_goes_nowhere) {  // D7
  Cluster cluster{3};
  cluster.mark();
  cluster.when(1).deploys({{"p.bpmn", "<nonsense/>"}});
  cluster.deliver();
  cluster.then(1).rejected(RejectionType::InvalidArgument, "");
  cluster.then(2).records("");
  cluster.when(2).instance("p");
  cluster.then(2).rejected(RejectionType::NotFound, "");
}

TEST(Distribution, a_duplicate_is_answered_at_once) {  // D9
  Cluster cluster{3};
  deploy(cluster, "p");
  cluster.deliver();
  cluster.mark();
  deploy(cluster, "p");
  cluster.then(1).records(R"(
    C DEPLOYMENT CREATE
    E DEPLOYMENT CREATED
  )");
  EXPECT_TRUE(cluster.then(1).answer<DeploymentRecord>().processes.front().duplicate);
  expect_same_processes(cluster, 1);
}

TEST(Distribution, start_timers_are_on_partition_1_only) {  // D11
  Cluster cluster{3};
  cluster.when(1).deploys(
      {{"p.bpmn", process("p", start(timer_cycle("begin", "R3/PT10S")) >> end()).to_xml()}});
  cluster.deliver();
  EXPECT_EQ(cluster.at(1).state().timers().next_due().has_value(), true);
  for (const std::int32_t other : {2, 3}) {
    EXPECT_EQ(cluster.at(other).state().timers().next_due(), std::nullopt);
  }
  cluster.pass(11s);
  EXPECT_FALSE(
      cluster.then(1)
          .values<record::ProcessInstanceRecord>(record::ProcessInstanceIntent::ElementActivated)
          .empty());
}

TEST(Distribution, message_starts_are_on_every_partition) {  // D11
  Cluster cluster{3};
  cluster.when(1).deploys(
      {{"p.bpmn", process("p", start(message("begin", "placed")) >> end()).to_xml()}});
  cluster.deliver();
  // These correlation keys belong to the first, second and third partition.
  for (const auto& [number, key] : {std::pair{1, "123"}, std::pair{2, "a"}, std::pair{3, "b"}}) {
    ASSERT_EQ(partition_of_correlation_key(key, 3), PartitionId{number});
    cluster.when(number).publishes("placed", key);
    cluster.then(number).records_of({"E ELEMENT COMPLETED p"}, "E ELEMENT COMPLETED p");
  }
  // A new version replaces the start events on every partition.
  cluster.mark();
  deploy(cluster, "p");
  cluster.deliver();
  for (const std::int32_t number : {1, 2, 3}) {
    cluster.then(number).records_of({"E MESSAGE_START"},
                                    "E MESSAGE_START_EVENT_SUBSCRIPTION DELETED placed");
  }
}

TEST(Distribution, a_lost_command_is_sent_again) {
  Cluster cluster{2};
  cluster.lose(losing("DEPLOYMENT CREATE", 2));
  deploy(cluster, "p");
  cluster.pass(60s);
  EXPECT_TRUE(processes_on(cluster, 2).empty());
  cluster.lose({});
  cluster.settle();
  expect_same_processes(cluster, 1);
  EXPECT_EQ(finished_count(cluster), 1U);
}

TEST(Distribution, a_lost_acknowledgement_costs_a_repetition) {  // D3
  Cluster cluster{2};
  cluster.lose(losing("COMMAND_DISTRIBUTION ACKNOWLEDGE", 1));
  deploy(cluster, "p");
  cluster.deliver();
  cluster.mark();
  // The first scan sees the pending command within 5 s. It is sent again 10 s later, and after that
  // each wait is twice as long.
  cluster.pass(15s);
  EXPECT_EQ(delivered(cluster, "DEPLOYMENT CREATE", 2), 2U);
  cluster.then(2).records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=ALREADY_EXISTS
  )");
  cluster.pass(20s);
  EXPECT_EQ(delivered(cluster, "DEPLOYMENT CREATE", 2), 3U);
  cluster.pass(40s);
  EXPECT_EQ(delivered(cluster, "DEPLOYMENT CREATE", 2), 4U);
  cluster.pass(80s);
  EXPECT_EQ(delivered(cluster, "DEPLOYMENT CREATE", 2), 5U);
  cluster.lose({});
  cluster.settle();
  EXPECT_EQ(finished_count(cluster), 1U);
  expect_same_processes(cluster, 1);
}

TEST(Distribution, what_is_paused_is_sent_once_and_not_again) {
  engine::EngineOptions options;
  options.resends.distributions_paused = true;
  Cluster cluster{3, {}, 1, options};
  deploy(cluster, "p");
  cluster.deliver();
  expect_same_processes(cluster, 1);  // first sends are not paused
  cluster.lose(losing("DEPLOYMENT CREATE", 3));
  deploy(cluster, "q");
  cluster.deliver();
  cluster.lose({});
  const std::size_t delivered = cluster.delivered().size();
  cluster.pass(20min);
  EXPECT_EQ(cluster.delivered().size(), delivered);
}

TEST(Distribution, how_soon_something_is_sent_again_can_be_set) {
  engine::EngineOptions options;
  options.resends = {.tick = 1s, .first = 2s, .max = 4s};
  Cluster cluster{2, {}, 1, options};
  cluster.lose(losing("DEPLOYMENT CREATE", 2));
  std::vector<int> sent;
  deploy(cluster, "p");
  cluster.deliver();
  for (int second = 1; second <= 16; ++second) {
    cluster.lose([&](const Parcel& parcel) {
      if (parcel.is("DEPLOYMENT CREATE")) sent.push_back(second);
      return parcel.is("DEPLOYMENT CREATE");
    });
    cluster.pass(1s);
  }
  // The first scan is after one second. The command is sent two seconds later, and then every four.
  EXPECT_EQ(sent, (std::vector<int>{3, 7, 11, 15}));
  cluster.lose({});
  cluster.settle();
  expect_same_processes(cluster, 1);
}

TEST(Distribution, a_client_waits_five_seconds_at_most) {
  Cluster cluster{3};
  cluster.lose(losing("DEPLOYMENT CREATE", 3));
  deploy(cluster, "p");
  cluster.pass(4s);
  EXPECT_TRUE(cluster.at(1).answers().empty());
  cluster.mark();
  cluster.pass(1s);
  cluster.then(1).records(R"(
    C COMMAND_DISTRIBUTION TIME_OUT
    E COMMAND_DISTRIBUTION TIMED_OUT
  )");
  cluster.then(1).answered();
  EXPECT_EQ(cluster.then(1).answer<DeploymentRecord>().processes.size(), 1U);
  cluster.lose({});
  cluster.settle();
  EXPECT_EQ(cluster.at(1).answers().size(), 1U) << "a request is answered once";
  expect_same_processes(cluster, 1);
}

TEST(Distribution, deployments_reach_a_partition_one_after_the_other) {  // D2
  Cluster cluster{3};
  cluster.lose(losing("DEPLOYMENT CREATE", 2));
  deploy(cluster, "p", "first");
  deploy(cluster, "p", "second");
  cluster.then(1).records(R"(
    ...
    E COMMAND_DISTRIBUTION STARTED
    E COMMAND_DISTRIBUTION ENQUEUED 2
    E COMMAND_DISTRIBUTION ENQUEUED 3
  )");
  cluster.deliver();
  EXPECT_EQ(processes_on(cluster, 3).size(), 2U) << "a slow target does not hold up others";
  cluster.lose({});
  cluster.settle();
  EXPECT_EQ(delivered(cluster, "DEPLOYMENT CREATE", 2), 2U);
  expect_same_processes(cluster, 2);
  EXPECT_EQ(finished_count(cluster), 2U);
}

TEST(Distribution, acknowledgements_nobody_waits_for_are_refused) {  // D4
  Cluster cluster{3};
  cluster.lose([](const Parcel& parcel) { return parcel.is("DEPLOYMENT CREATE"); });
  deploy(cluster, "p", "first");
  deploy(cluster, "p", "second");
  const auto keys =
      cluster.then(1).keys<CommandDistributionRecord>(CommandDistributionIntent::Started);
  const auto acknowledges = [&](Key key, std::int32_t partition) {
    return [&cluster, key, partition] {
      CommandDistributionRecord value;
      value.partition_id = PartitionId{partition};
      cluster.when(1).submits(CommandDistributionIntent::Acknowledge, key, value);
    };
  };
  const auto none = "but no such distribution is pending";
  cluster.then(1).refused({
      {"an unknown key", acknowledges(make_key(PartitionId{1}, 999), 2), RejectionType::NotFound,
       none},
      {"no target", acknowledges(keys.back(), 1), RejectionType::NotFound, none},
      {"not sent yet", acknowledges(keys.back(), 2), RejectionType::NotFound, none},
      {"finishing what is under way",
       [&] {
         cluster.when(1).submits(CommandDistributionIntent::Finish, keys.back(),
                                 CommandDistributionRecord{});
       },
       RejectionType::NotFound, "acknowledged by all"},
      {"a time-out nobody waits for",
       [&] {
         cluster.when(1).submits(CommandDistributionIntent::TimeOut, make_key(PartitionId{1}, 999),
                                 CommandDistributionRecord{});
       },
       RejectionType::NotFound, "but no client waits"},
  });
  cluster.lose({});
  cluster.settle();
  expect_same_processes(cluster, 2);
}

TEST(Distribution, what_a_target_refuses_is_acknowledged) {  // D6
  Cluster cluster{2};
  cluster.mark();
  // Partition 1 would never send this command.
  const Key key = make_key(PartitionId{1}, 1'000'000);
  engine::OutgoingCommand command =
      engine::make_outgoing(PartitionId{2}, DeploymentIntent::Create, key, DeploymentRecord{});
  command.head.min_pending_key = key;
  cluster.send({PartitionId{1}, command});
  cluster.deliver();
  cluster.then(2).records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=INVALID_ARGUMENT
    E COMMAND_DISTRIBUTION RECEIVED 1
  )");
  cluster.then(1).records(R"(
    C COMMAND_DISTRIBUTION ACKNOWLEDGE 2
    R COMMAND_DISTRIBUTION ACKNOWLEDGE rejection=NOT_FOUND
  )");
}

TEST(Distribution, what_a_target_cannot_process_is_acknowledged) {
  engine::EngineOptions options;
  options.before_command = [](const record::Metadata& command) {
    if (command.partition == PartitionId{2} &&
        command.value_type == record::ValueType::Deployment) {
      throw InvariantError{"a bug"};
    }
  };
  Cluster cluster{2, {}, 1, options};
  cluster.mark();
  deploy(cluster, "p");
  cluster.deliver();
  cluster.then(2).records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=PROCESSING_ERROR
    E COMMAND_DISTRIBUTION RECEIVED 1
  )");
  EXPECT_EQ(finished_count(cluster), 1U);
  cluster.then(1).answered();
}

TEST(Distribution, an_old_command_that_turns_up_late_is_not_carried_out_again) {
  Cluster cluster{2};
  for (const char* task : {"first", "second", "third"}) {
    deploy(cluster, "p", task);
    cluster.deliver();
  }
  const std::vector<Parcel> before = cluster.delivered();
  cluster.mark();
  for (const Parcel& parcel : before) cluster.send(parcel);
  cluster.deliver();
  cluster.then(2).records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=ALREADY_EXISTS
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=ALREADY_EXISTS
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=ALREADY_EXISTS
  )");
  expect_same_processes(cluster, 3);
  EXPECT_EQ(finished_count(cluster), 3U);
}

TEST(Distribution, keys_of_decisions_that_are_in_use_are_refused) {
  Cluster cluster{2};
  cluster.when(1).deploys({{"d.dmn", decisions_file("drg", literal_decision("d", "1"))}});
  cluster.deliver();
  const auto sent = std::ranges::find_if(
      cluster.delivered(), [](const Parcel& parcel) { return parcel.is("DEPLOYMENT CREATE"); });
  ASSERT_NE(sent, cluster.delivered().end());
  Parcel another = *sent;
  another.command.head.key = Key{another.command.head.key.value() + 100};
  cluster.mark();
  cluster.send(another);
  cluster.deliver();
  cluster.then(2).records(R"(
    C DEPLOYMENT CREATE
    R DEPLOYMENT CREATE rejection=INVALID_ARGUMENT
    E COMMAND_DISTRIBUTION RECEIVED
  )");
}

TEST(Distribution, the_origin_goes_on_after_a_restart) {  // D5
  Cluster cluster{3};
  deploy(cluster, "p", "first");
  deploy(cluster, "p", "second");
  cluster.restart(1);  // before any command was sent
  EXPECT_TRUE(processes_on(cluster, 2).empty());
  cluster.settle();
  expect_same_processes(cluster, 2);
  EXPECT_EQ(finished_count(cluster), 2U);
}

TEST(Distribution, a_target_remembers_across_a_restart) {
  Cluster cluster{2};
  cluster.lose(losing("COMMAND_DISTRIBUTION ACKNOWLEDGE", 1));
  deploy(cluster, "p");
  cluster.deliver();
  cluster.restart(2);
  cluster.lose({});
  cluster.settle();
  expect_same_processes(cluster, 1);
  EXPECT_EQ(finished_count(cluster), 1U);
}

TEST(Distribution, what_is_remembered_does_not_grow_with_history) {  // D12
  Cluster cluster{2};
  for (int i = 0; i < 200; ++i) {
    deploy(cluster, "p", "task_" + std::to_string(i));
    cluster.deliver();
    EXPECT_LE(cluster.at(2).state().distributions().received_count(), 1U);
  }
  expect_same_processes(cluster, 200);
  EXPECT_EQ(cluster.at(1).state().distributions().count(), 0U);
}

// With any behaviour of the network, every partition carries out each deployment once and in order.
class BadNetworkTest : public ::testing::TestWithParam<int> {};

TEST_P(BadNetworkTest, deployments_are_the_same_everywhere) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random{seed};
  Cluster cluster{3, {.loses = 0.3, .repeats = 0.3, .reorders = true}, seed};
  std::size_t processes = 0;
  for (int i = 0; i < 12; ++i) {
    const std::string task = "task_" + std::to_string(i);
    cluster.when(1).deploys({{"a.bpmn", xml_of("a", task)}, {"b.bpmn", xml_of("b", task)}});
    processes += 2;
    if (random() % 2 == 0) cluster.pass(Milliseconds{static_cast<std::int64_t>(random() % 30'000)});
    if (random() % 3 == 0) cluster.restart(static_cast<std::int32_t>(random() % 3) + 1);
  }
  cluster.settle();
  expect_same_processes(cluster, processes);
  EXPECT_EQ(finished_count(cluster), 12U);
  EXPECT_EQ(cluster.at(1).state().distributions().count(), 0U);
  std::set<record::RequestId> answered;
  for (const engine::Response& response : cluster.at(1).answers()) {
    EXPECT_TRUE(answered.insert(response.request).second) << "answered twice";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BadNetworkTest, ::testing::Range(1, 31));

}  // namespace
}  // namespace beeline::testing
