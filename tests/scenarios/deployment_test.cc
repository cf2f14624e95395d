#include "tests/support/scenario.h"

// Deployment and versions (spec: deployments 1, 2; scenarios/execution 11).
namespace beeline::testing {
namespace {

using record::DeploymentRecord;
using record::ProcessMetadata;

std::string task_process(const std::string& id, const std::string& type) {
  return process(id, start() >> service_task("ship", job(type)) >> end()).to_xml();
}

class DeploymentTest : public ScenarioTest {
 protected:
  ProcessMetadata deployed(const std::string& name, const std::string& xml) {
    when.deploys({{name, xml}});
    then.answered();
    return then.answer<DeploymentRecord>().processes.front();
  }
  Refusal refuses(std::string_view situation, std::string xml, std::string_view reason) {
    return {situation,
            [this, xml = std::move(xml)] {
              when.deploys({{"a.bpmn", xml}});
            },
            RejectionType::InvalidArgument, reason};
  }
};

TEST_F(DeploymentTest, DP1_the_same_file_again_is_a_duplicate) {
  const ProcessMetadata first = deployed("a.bpmn", task_process("a", "one"));
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED a version=1
    E DEPLOYMENT CREATED
  )");
  EXPECT_EQ(first.version, 1);
  EXPECT_FALSE(first.duplicate);
  ProcessMetadata again = deployed("a.bpmn", task_process("a", "one"));
  then.records(R"(
    C DEPLOYMENT CREATE
    E DEPLOYMENT CREATED
  )");
  EXPECT_TRUE(again.duplicate);
  again.duplicate = false;
  EXPECT_EQ(again, first);
}

TEST_F(DeploymentTest, DP1_another_name_or_content_is_a_new_version_even_an_old_one) {
  const ProcessMetadata first = deployed("a.bpmn", task_process("a", "one"));
  const ProcessMetadata renamed = deployed("b.bpmn", task_process("a", "one"));
  const ProcessMetadata changed = deployed("b.bpmn", task_process("a", "two"));
  const ProcessMetadata old_again = deployed("b.bpmn", task_process("a", "one"));
  EXPECT_EQ(renamed.version, 2);
  EXPECT_EQ(changed.version, 3);
  EXPECT_EQ(old_again.version, 4);
  EXPECT_EQ(renamed.checksum, first.checksum);
  EXPECT_NE(changed.checksum, first.checksum);
  EXPECT_NE(old_again.key, renamed.key);
  when.instance("a");
  then.records_of({"E JOB"}, "E JOB CREATED one");
}

TEST_F(DeploymentTest, DP1_resources_are_stripped_from_the_event) {
  deployed("a.bpmn", task_process("a", "one"));
  EXPECT_TRUE(then.answer<DeploymentRecord>().resources.empty());
}

TEST_F(DeploymentTest, DP2_one_changed_file_gives_both_new_versions) {
  given.deploys({{"a.bpmn", task_process("a", "one")}, {"b.bpmn", task_process("b", "one")}});
  when.deploys({{"a.bpmn", task_process("a", "one")}, {"b.bpmn", task_process("b", "two")}});
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED a version=2
    E PROCESS CREATED b version=2
    E DEPLOYMENT CREATED
  )");
  const auto created = then.answer<DeploymentRecord>();
  EXPECT_EQ(created.processes[0].deployment_key, created.deployment_key);
  EXPECT_EQ(created.processes[1].deployment_key, created.deployment_key);
  when.deploys({{"a.bpmn", task_process("a", "one")}, {"b.bpmn", task_process("b", "two")}});
  then.records_of({"E PROCESS"}, "");
}

TEST_F(DeploymentTest, DP3_a_file_may_have_two_processes) {
  when.deploys({{"both.bpmn",
                 file({process("a", start() >> end("ea")), process("b", start("sb") >> end("eb"))})
                     .to_xml()}});
  then.records(R"(
    C DEPLOYMENT CREATE
    E PROCESS CREATED a version=1
    E PROCESS CREATED b version=1
    E DEPLOYMENT CREATED
  )");
  const auto created = then.answer<DeploymentRecord>();
  ASSERT_EQ(created.processes.size(), 2U);
  EXPECT_NE(created.processes[0].key, created.processes[1].key);
  EXPECT_EQ(created.processes[0].checksum, created.processes[1].checksum);
  when.instance("b");
  then.records_of({"E ELEMENT COMPLETED"}, R"(
    E ELEMENT COMPLETED sb
    E ELEMENT COMPLETED eb
    E ELEMENT COMPLETED b
  )");
}

std::string not_executable(std::string xml) {
  const std::size_t at = xml.find("isExecutable=\"true\"");
  EXPECT_NE(at, std::string::npos);
  return xml.replace(at, 19, "isExecutable=\"false\"");
}

TEST_F(DeploymentTest, DP3_a_process_that_is_not_executable_is_passed_over) {
  when.deploys({{"both.bpmn", not_executable(file({process("a", start() >> end("ea")),
                                                   process("b", start("sb") >> end("eb"))})
                                                 .to_xml())}});
  then.records_of({"E PROCESS"}, "E PROCESS CREATED b");
  then.refused(
      {refuses("none is executable", not_executable(task_process("a", "one")), "executable")});
}

TEST_F(DeploymentTest, DP4_one_bad_resource_refuses_all_and_every_error_is_told) {
  const std::string bad =
      process("bad", start() >> service_task("no_type") >> end(),
              from("start") >> catch_event(timer("no_time", "soon")) >> end("e2"))
          .to_xml();
  then.refused({
      {"good and bad",
       [&] {
         when.deploys({{"a.bpmn", task_process("a", "one")}, {"bad.bpmn", bad}});
       },
       RejectionType::InvalidArgument, "bad.bpmn"},
      {"first error",
       [&] {
         when.deploys({{"bad.bpmn", bad}});
       },
       RejectionType::InvalidArgument, "no_type"},
      {"second error",
       [&] {
         when.deploys({{"bad.bpmn", bad}});
       },
       RejectionType::InvalidArgument, "no_time"},
      {"both files are told",
       [&] {
         when.deploys({{"bad.bpmn", bad}, {"worse.bpmn", "<nothing"}});
       },
       RejectionType::InvalidArgument, "worse.bpmn"},
      {"nothing was stored", [&] { when.instance("a"); }, RejectionType::NotFound, "'a'"},
      {"no resource", [&] { when.deploys({}); }, RejectionType::InvalidArgument,
       "at least one resource"},
      {"one id in two files",
       [&] {
         when.deploys({{"a.bpmn", task_process("a", "one")}, {"b.bpmn", task_process("a", "two")}});
       },
       RejectionType::InvalidArgument, "Duplicated process id 'a'"},
      {"no BPMN",
       [&] {
         when.deploys({{"a.txt", "hello"}});
       },
       RejectionType::InvalidArgument, "a.txt"},
  });
}

TEST_F(DeploymentTest, DP4_what_this_version_does_not_execute_is_refused_by_name) {
  then.refused({
      refuses("ad-hoc subprocess",
              process("a", start() >> ad_hoc_subprocess("first", task("x")) >> end()).to_xml(),
              "first"),
  });
}

TEST_F(DeploymentTest, DP6_a_loop_that_never_waits_is_refused) {
  then.refused({
      refuses("two tasks", process("a", start() >> task("x") >> task("y") >> to("x")).to_xml(),
              "x"),
      refuses(
          "through a gateway",
          process("a",
                  start() >> task("x") >> exclusive_gateway("g") >> condition("true") >> to("x"),
                  from("g") >> default_flow() >> end())
              .to_xml(),
          "x"),
  });
  deployed("a.bpmn", process("a",
                             start() >> service_task("x", job("one")) >> exclusive_gateway("g") >>
                                 condition("true") >> to("x"),
                             from("g") >> default_flow() >> end())
                         .to_xml());
  deployed("b.bpmn", process("b",
                             start() >> exclusive_gateway("g") >> exclusive_gateway("h") >>
                                 condition("false") >> to("g"),
                             from("h") >> default_flow() >> end())
                         .to_xml());
}

TEST_F(DeploymentTest, version_tags_are_kept) {
  const auto created =
      deployed("a.bpmn", process("a", version_tag("v1.0"), start() >> end()).to_xml());
  EXPECT_EQ(created.version_tag, "v1.0");
  when.instance("a");
  then.all_done();
}

}  // namespace
}  // namespace beeline::testing
