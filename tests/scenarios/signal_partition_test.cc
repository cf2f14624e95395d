#include <map>

#include "tests/scenarios/signal_models.h"
#include "tests/support/cluster.h"

// Signals that reach every partition (spec: signals 2, 4; scenarios/messages 9, 10).
namespace beeline::testing {
namespace {

using record::CommandDistributionIntent;
using record::CommandDistributionRecord;
using record::SignalRecord;

// A process that waits, and one that a signal starts, on all partitions.
void deploy(Cluster& cluster) {
  cluster.when(1).deploys({{"order.bpmn", one_signal_catch().to_xml()},
                           {"begin.bpmn", process("begin", start(signal("begun", "begin")) >>
                                                               service_task("t", job("t")) >> end())
                                              .to_xml()}});
  cluster.deliver();
}

void wait_on_all(Cluster& cluster, int count) {
  for (std::int32_t number = 1; number <= cluster.count(); ++number) {
    for (int i = 0; i < count; ++i) cluster.given(number).instance("order");
  }
}

void expect_done(Cluster& cluster) {
  for (std::int32_t number = 1; number <= cluster.count(); ++number) {
    SCOPED_TRACE(number);
    cluster.then(number).all_done();
    EXPECT_EQ(cluster.at(number).state().signals().broadcast_count(), 0U);
    EXPECT_EQ(cluster.at(number).state().distributions().count(), 0U);
  }
}

std::function<bool(const Parcel&)> losing(std::string_view name, std::int32_t to) {
  return
      [=](const Parcel& parcel) { return parcel.is(name) && parcel.command.to == PartitionId{to}; };
}

TEST(SignalPartitions, S6_SG4_a_signal_reaches_the_receivers_of_all_partitions) {
  Cluster cluster{3};
  deploy(cluster);
  wait_on_all(cluster, 2);
  cluster.mark();
  const std::size_t before = cluster.at(2).answers().size();
  cluster.when(2).broadcasts("go");
  EXPECT_EQ(cluster.at(2).answers().size(), before) << "the other partitions have not answered";
  cluster.deliver();
  cluster.then(2).delivered(6);
  EXPECT_TRUE(cluster.then(2).answer<SignalRecord>().complete);
  cluster.then(2).records_of({"C SIGNAL", "E SIGNAL B", "C COMMAND", "E COMMAND"}, R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E COMMAND_DISTRIBUTION STARTED valueType=SIGNAL result=2
    E COMMAND_DISTRIBUTION DISTRIBUTING 1
    E COMMAND_DISTRIBUTION DISTRIBUTING 3
    C COMMAND_DISTRIBUTION ACKNOWLEDGE 1
    E COMMAND_DISTRIBUTION ACKNOWLEDGED 1 result=2
    C COMMAND_DISTRIBUTION ACKNOWLEDGE 3
    E COMMAND_DISTRIBUTION ACKNOWLEDGED 3 result=2
    C COMMAND_DISTRIBUTION FINISH
    E COMMAND_DISTRIBUTION FINISHED result=6
  )");
  cluster.then(1).records_of({"C SIGNAL", "E SIGNAL B", "C COMMAND", "E COMMAND"}, R"(
    C SIGNAL BROADCAST go
    E SIGNAL BROADCASTED go
    E COMMAND_DISTRIBUTION RECEIVED 2 valueType=SIGNAL result=2
  )");
  expect_done(cluster);
}

TEST(SignalPartitions, SC5_a_client_that_does_not_wait_for_the_count_is_answered_at_once) {
  Cluster cluster{3};
  deploy(cluster);
  wait_on_all(cluster, 1);
  cluster.when(1).signals("go");
  cluster.then(1).answered();
  EXPECT_TRUE(cluster.at(1).answers().back().record.metadata.key.is_set());
  const std::size_t answers = cluster.at(1).answers().size();
  cluster.deliver();
  EXPECT_EQ(cluster.at(1).answers().size(), answers) << "it is answered once";
  expect_done(cluster);
}

TEST(SignalPartitions, S5_SG4_a_start_event_starts_one_instance_where_the_signal_came_in) {
  Cluster cluster{3};
  deploy(cluster);
  for (std::int32_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(cluster.at(number).state().signals().count(), 1U) << "it is open everywhere";
  }
  cluster.when(2).broadcasts("begin");
  cluster.deliver();
  cluster.then(2).delivered(1);
  const auto answer = cluster.then(2).answer<SignalRecord>();
  ASSERT_EQ(answer.started_instances.size(), 1U);
  EXPECT_EQ(partition_of(answer.started_instances.front()), PartitionId{2});
  for (std::int32_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(cluster.given(number).activates_jobs("t").size(), number == 2 ? 1U : 0U);
  }
}

TEST(SignalPartitions, S7_a_partition_that_is_down_receives_later_and_once) {
  Cluster cluster{3};
  deploy(cluster);
  wait_on_all(cluster, 1);
  cluster.lose(losing("SIGNAL BROADCAST", 3));
  cluster.when(1).broadcasts("go");
  cluster.deliver();
  cluster.then(2).all_done();
  const std::size_t answers = cluster.at(1).answers().size();
  cluster.pass(6s);
  ASSERT_EQ(cluster.at(1).answers().size(), answers + 1);
  cluster.then(1).delivered(2);
  EXPECT_FALSE(cluster.then(1).answer<SignalRecord>().complete);
  cluster.lose({});
  cluster.settle();
  EXPECT_EQ(cluster.at(1).answers().size(), answers + 1) << "it is answered once";
  expect_done(cluster);
}

TEST(SignalPartitions, S7_a_command_that_arrives_twice_is_carried_out_once) {
  Cluster cluster{2};
  deploy(cluster);
  wait_on_all(cluster, 1);
  cluster.lose(losing("COMMAND_DISTRIBUTION ACKNOWLEDGE", 1));
  cluster.when(1).broadcasts("go");
  cluster.deliver();
  cluster.given(2).instance("order");
  cluster.lose({});
  cluster.at(2).set_mark();
  cluster.settle();
  cluster.then(2).records_of({"C SIGNAL", "R", "E PROCESS_EVENT"}, R"(
    C SIGNAL BROADCAST go
    R SIGNAL BROADCAST rejection=ALREADY_EXISTS
  )");
  const auto& records = cluster.at(1).records();
  const auto finished = std::ranges::find_if(records, [](const record::OwnedRecord& each) {
    return record::text_name(each.metadata) == "COMMAND_DISTRIBUTION FINISHED" &&
           record::decode<CommandDistributionRecord>(each.value).value_type ==
               record::ValueType::Signal;
  });
  ASSERT_NE(finished, records.end());
  EXPECT_EQ(record::decode<CommandDistributionRecord>(finished->value).result, 2);
  EXPECT_EQ(cluster.at(2).state().signals().count(), 2U) << "one waits, and the start event";
}

TEST(SignalPartitions, SC12_a_crash_loses_no_signal) {
  for (const std::int32_t crashed : {1, 2}) {
    SCOPED_TRACE(crashed);
    Cluster cluster{3};
    deploy(cluster);
    wait_on_all(cluster, 1);
    cluster.when(1).broadcasts("go");
    cluster.restart(crashed);
    cluster.settle();
    expect_done(cluster);
  }
}

// Sums come together although the origin restarts between two acknowledgements.
TEST(SignalPartitions, SC6_the_sum_survives_a_restart) {
  Cluster cluster{3};
  deploy(cluster);
  wait_on_all(cluster, 2);
  cluster.lose(losing("SIGNAL BROADCAST", 3));
  cluster.mark();
  cluster.when(1).broadcasts("go");
  cluster.deliver();
  cluster.restart(1);
  cluster.lose({});
  cluster.settle();
  const auto finished =
      cluster.then(1).values<CommandDistributionRecord>(CommandDistributionIntent::Finished);
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished.front().result, 6);
}

TEST(SignalPartitions, FS2_a_thrown_signal_reaches_other_partitions) {
  Cluster cluster{3};
  deploy(cluster);
  cluster.when(1).deploys(
      {{"thrower.bpmn",
        process("thrower", start() >> throw_event(signal("shout", "go"), input("=1", "x")) >> end())
            .to_xml()}});
  cluster.deliver();
  wait_on_all(cluster, 1);
  cluster.mark();
  cluster.given(2).instance("thrower");
  cluster.deliver();
  const auto finished =
      cluster.then(2).values<CommandDistributionRecord>(CommandDistributionIntent::Finished);
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished.front().result, 3);
  for (const std::int32_t number : {1, 2, 3}) {
    const auto created =
        cluster.then(number).values<record::VariableRecord>(record::VariableIntent::Created);
    EXPECT_TRUE(std::ranges::any_of(created, [](const auto& each) { return each.name == "x"; }));
  }
  expect_done(cluster);
}

TEST(SignalPartitions, SC7_a_target_with_many_receivers_acknowledges_after_its_last_step) {
  engine::EngineOptions options;
  options.signal_receivers_max = 5;
  options.batch_commands_max = 1;
  Cluster cluster{2, {}, 1, options};
  deploy(cluster);
  for (int i = 0; i < 12; ++i) cluster.given(2).instance("order");
  cluster.when(1).broadcasts("go");
  const std::vector<engine::OutgoingCommand> sends = cluster.at(1).take_sends();
  ASSERT_EQ(sends.size(), 1U);
  World& target = cluster.at(2);
  target.hold();
  target.receive(sends.front());
  target.step();
  ASSERT_EQ(target.state().signals().broadcast_count(), 1U);
  EXPECT_TRUE(target.take_sends().empty()) << "nothing is acknowledged yet";
  // A repetition is refused without an acknowledgement, since the broadcast goes on.
  target.set_mark();
  target.receive(sends.front());
  for (int i = 0; i < 60 && target.state().signals().broadcast_count() > 0; ++i) target.step();
  target.release();
  cluster.then(2).records_of({"R", "E COMMAND"}, R"(
    R SIGNAL BROADCAST rejection=ALREADY_EXISTS
    E COMMAND_DISTRIBUTION RECEIVED 1 result=12
  )");
  cluster.settle();
  cluster.then(1).delivered(12);
  expect_done(cluster);
}

TEST(SignalPartitions, SC12_a_target_goes_on_after_a_crash_in_the_middle) {
  engine::EngineOptions options;
  options.signal_receivers_max = 5;
  options.batch_commands_max = 1;
  Cluster cluster{2, {}, 1, options};
  deploy(cluster);
  for (int i = 0; i < 12; ++i) cluster.given(2).instance("order");
  cluster.mark();
  cluster.when(1).broadcasts("go");
  const std::vector<engine::OutgoingCommand> sends = cluster.at(1).take_sends();
  World& target = cluster.at(2);
  target.hold();
  target.receive(sends.at(0));
  target.step();
  ASSERT_EQ(target.state().signals().broadcast_count(), 1U);
  cluster.restart(2);
  cluster.settle();
  const auto finished =
      cluster.then(1).values<CommandDistributionRecord>(CommandDistributionIntent::Finished);
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished.front().result, 12);
  expect_done(cluster);
}

// A bad network, and crashes of all partitions: each signal reaches each receiver once.
TEST(SignalPartitions, a_bad_network_and_crashes_lose_and_repeat_nothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    engine::EngineOptions options;
    options.signal_receivers_max = 3;
    Cluster cluster{3, {.loses = 0.3, .repeats = 0.3, .reorders = true}, seed, options};
    cluster.when(1).deploys(
        {{"count.bpmn",
          process("count", start() >> service_task("t", job("t")) >> end(),
                  boundary("t", signal("note", "go"), non_interrupting()) >> end("noted"))
              .to_xml()}});
    cluster.settle();
    constexpr std::int32_t kInstances = 4;
    for (std::int32_t number = 1; number <= 3; ++number) {
      for (int i = 0; i < kInstances; ++i) cluster.given(number).instance("count");
    }
    constexpr int kSignals = 6;
    for (int i = 0; i < kSignals; ++i) {
      cluster.given(static_cast<std::int32_t>(random() % 3) + 1).broadcasts("go");
      if (random() % 3 == 0) cluster.restart(static_cast<std::int32_t>(random() % 3) + 1);
      if (random() % 2 == 0) cluster.pass(1s);
    }
    cluster.settle();
    for (std::int32_t number = 1; number <= 3; ++number) {
      int noted = 0;
      for (const record::OwnedRecord& each : cluster.at(number).records()) {
        if (record::text_name(each.metadata) == "ELEMENT COMPLETED" &&
            record::subject_of(each.view()) == "noted") {
          ++noted;
        }
      }
      EXPECT_EQ(noted, kSignals * kInstances) << "partition " << number;
      for (int i = 0; i < kInstances; ++i) cluster.given(number).completes_job("t");
    }
    cluster.settle();
    expect_done(cluster);
  }
}

}  // namespace
}  // namespace beeline::testing
