#include <gtest/gtest.h>

#include "record/frame.h"
#include "state/key_value_store.h"
#include "tests/support/cluster.h"

// The sender of a command is on the log with the command, and with the copies of it that other
// partitions receive.
namespace beeline::testing {
namespace {

using record::Principal;

Principal user_named(std::string id) {
  Principal principal;
  principal.kind = record::PrincipalKind::User;
  principal.id = std::move(id);
  return principal;
}

// Returns the principal of each record that has one, as in "DEPLOYMENT CREATE alice".
std::vector<std::string> principals_on(const World& world) {
  std::vector<std::string> found;
  for (const record::OwnedRecord& each : world.records()) {
    if (each.principal.empty()) continue;
    EXPECT_EQ(each.metadata.record_type, record::RecordType::Command);
    found.push_back(record::text_name(each.metadata) + " " +
                    record::decode<Principal>(each.principal.bytes).id);
  }
  return found;
}

using PrincipalNames = std::vector<std::string>;

std::string order_xml() {
  return process("order", start() >> service_task("ship", job("courier")) >> end()).to_xml();
}

SCENARIO(only_the_commands_of_a_client_have_its_principal) {
  world.set_principal(user_named("alice"));
  given.deploys({{"order.bpmn", order_xml()}});
  given.instance("order");
  world.set_principal(user_named("bob"));
  when.completes_job("courier");
  EXPECT_EQ(principals_on(world),
            (PrincipalNames{"DEPLOYMENT CREATE alice", "PROCESS_INSTANCE_CREATION CREATE alice",
                            "JOB COMPLETE bob"}));
}

SCENARIO(nothing_is_written_when_nobody_is_known) {
  given.deploys({{"order.bpmn", order_xml()}});
  given.instance("order");
  when.completes_job("courier");
  EXPECT_EQ(principals_on(world), PrincipalNames{});
}

TEST(Principals, a_distributed_command_keeps_the_principal_of_its_client) {
  Cluster cluster{3};
  cluster.at(1).set_principal(user_named("alice"));
  cluster.when(1).deploys({{"order.bpmn", order_xml()}});
  cluster.settle();
  EXPECT_EQ(principals_on(cluster.at(1)), PrincipalNames{"DEPLOYMENT CREATE alice"});
  EXPECT_EQ(principals_on(cluster.at(2)), PrincipalNames{"DEPLOYMENT CREATE alice"});
  EXPECT_EQ(principals_on(cluster.at(3)), PrincipalNames{"DEPLOYMENT CREATE alice"});
}

TEST(Principals, a_command_that_is_sent_again_after_a_restart_has_it_too) {
  Cluster cluster{2};
  cluster.at(1).set_principal(user_named("alice"));
  cluster.lose([](const Parcel& parcel) { return parcel.is("DEPLOYMENT CREATE"); });
  cluster.when(1).deploys({{"order.bpmn", order_xml()}});
  cluster.deliver();
  cluster.restart(1);
  cluster.lose({});
  cluster.settle();
  EXPECT_EQ(principals_on(cluster.at(2)), PrincipalNames{"DEPLOYMENT CREATE alice"});
}

TEST(Principals, the_origin_forgets_it_with_the_distribution) {
  Cluster cluster{2};
  cluster.at(1).set_principal(user_named("alice"));
  cluster.when(1).deploys({{"order.bpmn", order_xml()}});
  EXPECT_NE(cluster.at(1).state().database().dump().find("alice"), std::string::npos);
  cluster.settle();
  EXPECT_EQ(cluster.at(1).state().database().dump().find("alice"), std::string::npos);
}

// A pending command is processed later on behalf of the same principal, perhaps by another copy or
// after a restart. So all copies and the checkpoint must have the principal.
class PendingPrincipal : public ::testing::Test {
 protected:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.partition_count = 2;
    options.batch_commands_max = 1;
    return options;
  }
  PendingPrincipal() {
    world_.submit(record::DeploymentIntent::Create, Key{}, deployment("order.bpmn", order_xml()));
    world_.hold();
    // Creating an instance leaves follow-up commands, and the deployment waits behind them.
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "order";
    world_.set_principal(user_named("bob"));
    world_.submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
    world_.set_principal(user_named("alice"));
    world_.submit(record::DeploymentIntent::Create, Key{},
                  deployment("second.bpmn", process("second", start() >> end()).to_xml()));
    (void)world_.take_sends();
    EXPECT_TRUE(world_.engine().has_pending());
  }
  static record::DeploymentRecord deployment(std::string name, std::string xml) {
    record::DeploymentRecord deployment;
    deployment.resources.push_back({std::move(name), std::move(xml)});
    return deployment;
  }
  // Processes all pending commands and returns the id of the sender of the distributed deployment.
  static std::string distributed_by(engine::Engine& engine) {
    std::string id = "nobody";
    engine::BatchOutput output;
    while (engine.has_pending()) {
      engine.process_pending(Timestamp{1'700'000'000'000}, output);
      engine.commit();
      record::RecordReader reader{record::parse_frame(output.frame)->records};
      while (const auto each = reader.next()) {
        if (each->metadata.value_type != record::ValueType::CommandDistribution ||
            each->metadata.intent !=
                static_cast<record::IntentNumber>(record::CommandDistributionIntent::Started)) {
          continue;
        }
        id = record::decode<Principal>(
                 record::decode<record::CommandDistributionRecord>(each->value).principal.bytes)
                 .id;
      }
    }
    return id;
  }

  World world_{options()};
};

TEST_F(PendingPrincipal, is_the_same_for_a_copy_that_replays_the_log) {
  engine::Engine copy{options()};
  for (const std::string& frame : world_.frames()) copy.replay(frame);
  EXPECT_NE(copy.state().database().dump().find("alice"), std::string::npos);
  EXPECT_EQ(copy.state().database().digest(), world_.state().database().digest());
  EXPECT_EQ(distributed_by(copy), "alice");
}

TEST_F(PendingPrincipal, is_the_same_after_a_checkpoint_was_loaded) {
  state::MemoryStore store;
  state::Database& database = world_.engine().checkpoint_source();
  database.begin_checkpoint(world_.engine().last_position());
  while (!database.capture(100)) {
  }
  store.write(database.take_captured());
  engine::Engine loaded{options()};
  loaded.load(store);
  EXPECT_EQ(loaded.state().database().digest(), world_.state().database().digest());
  EXPECT_EQ(distributed_by(loaded), "alice");
}

TEST_F(PendingPrincipal, counts_in_the_digest) {
  World other{options()};
  other.submit(record::DeploymentIntent::Create, Key{}, deployment("order.bpmn", order_xml()));
  other.hold();
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "order";
  other.submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
  other.submit(record::DeploymentIntent::Create, Key{},
               deployment("second.bpmn", process("second", start() >> end()).to_xml()));
  EXPECT_NE(other.state().database().digest(), world_.state().database().digest());
}

// The batch that processes a command may begin with commands of other clients.
TEST_F(PendingPrincipal, is_found_by_the_source_position) {
  world_.release();
  Position deployment;
  Position source;
  for (const record::OwnedRecord& each : world_.records()) {
    if (each.metadata.value_type == record::ValueType::Deployment &&
        each.metadata.record_type == record::RecordType::Command) {
      deployment = each.metadata.position;
    }
    if (each.metadata.value_type == record::ValueType::CommandDistribution &&
        each.metadata.record_type == record::RecordType::Event) {
      source = each.metadata.source_position;
    }
  }
  EXPECT_EQ(source, deployment);
}

}  // namespace
}  // namespace beeline::testing
