#include "service/service.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/fakes_test.h"

// The whole service without a transport, with partitions whose answers the test gives.
namespace beeline::service {
namespace {

// A client that records its jobs. A job is written as its key.
class FakeSink final : public JobSink {
 public:
  [[nodiscard]] std::string encode(Key key, const record::JobRecord& job) const override {
    std::string bytes = std::to_string(counter_of(key));
    for (const record::DocumentEntry& entry : job.variables.entries) bytes += entry.value;
    return bytes;
  }
  void accept() override { accepted = true; }
  void send(std::vector<EncodedJob> jobs, Written written) override {
    if (takes_jobs) {
      std::string message;
      for (const EncodedJob& job : jobs) message += (message.empty() ? "" : ",") + job.bytes;
      messages.push_back(message);
    }
    written(takes_jobs);
  }
  void finish(Outcome<void> outcome) override {
    end = std::move(outcome);
    closed_ = nullptr;
  }
  [[nodiscard]] bool is_open() const override { return !end; }
  void on_closed(absl::AnyInvocable<void()> closed) override { closed_ = std::move(closed); }
  void vanish() { std::exchange(closed_, nullptr)(); }

  bool takes_jobs = true;
  bool accepted = false;
  std::vector<std::string> messages;
  std::optional<Outcome<void>> end;

 private:
  absl::AnyInvocable<void()> closed_;
};

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() { partitions.set_job_listener(&service.jobs()); }
  ~ServiceTest() override {
    // A sink and the call that writes to it own each other until the call ends.
    service.drain();
    loop->run_ready();
    (void)commands();  // nobody answers them, which ends the calls that wait for an answer
    loop->run_ready();
    loop->stop();
  }

  template <typename T>
  void send(const T& request) {
    ended.reset();
    service.send(principal, request, Milliseconds{1000}, [this](const Outcome<Answer>& outcome) {
      ASSERT_FALSE(ended.has_value()) << "it ended twice";
      if (outcome) {
        ended = Error{ErrorKind::Internal, "answered"};
      } else {
        ended = outcome.error();
      }
    });
  }
  std::shared_ptr<FakeSink> activate(std::int32_t jobs_max = 10) {
    auto sink = std::make_shared<FakeSink>();
    service.activate(principal, {.wish = wish, .jobs_max = jobs_max}, Milliseconds{-1}, sink);
    loop->run_ready();
    return sink;
  }
  std::vector<std::string> commands() {
    std::vector<std::string> names;
    while (partitions.waiting() > 0) names.push_back(partitions.take().name());
    return names;
  }

  const JobWish wish{.type = "ship",
                     .worker = "w",
                     .timeout = Milliseconds{1000},
                     .fetch_variables = {},
                     .tenant_ids = {}};
  Principal principal;
  ManualClock clock;
  std::shared_ptr<Loop> loop = std::make_shared<Loop>(clock);
  FakePartitions partitions;
  Service service{ServiceOptions{.message_bytes_max = 100}, partitions, loop};
  std::optional<Error> ended;
};

TEST_F(ServiceTest, a_request_that_is_wrong_reaches_no_partition) {
  send(CompleteJob{
      .job = job_key(1), .variables = "[1]", .result_type = {}, .business_id = std::nullopt});
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->kind, ErrorKind::Invalid);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(ServiceTest, a_command_ends_with_its_answer) {
  send(ResolveIncident{.incident = job_key(1)});
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "INCIDENT RESOLVE");
  EXPECT_FALSE(ended.has_value());
  command.answer(record::IncidentIntent::Resolved, job_key(1), record::IncidentRecord{});
  EXPECT_EQ(ended->text, "answered");
}

TEST_F(ServiceTest, commands_polls_and_streams_are_on_behalf_of_their_principal) {
  principal.kind = PrincipalKind::User;
  principal.id = "alice";
  send(ResolveIncident{.incident = job_key(1)});
  EXPECT_EQ(partitions.take().principal, principal);
  const auto sink = activate();
  EXPECT_EQ(partitions.take().principal, principal);
  const auto stream_sink = std::make_shared<FakeSink>();
  service.open_stream(principal, {.wish = wish}, stream_sink);
  loop->run_ready();
  partitions.announce(PartitionId{1}, "ship", job_key(5));
  loop->run_ready();
  EXPECT_EQ(partitions.take().principal, principal);
}

TEST_F(ServiceTest, a_job_that_is_given_back_is_nobodys_command) {
  const auto sink = activate();
  sink->takes_jobs = false;
  partitions.take().answer_jobs({job_key(1)});
  loop->run_ready();
  const Submitted yield = partitions.take();
  EXPECT_EQ(yield.name(), "JOB YIELD");
  EXPECT_FALSE(yield.principal.has_value());
}

TEST_F(ServiceTest, a_principal_with_an_id_that_is_too_long_reaches_no_partition) {
  principal.kind = PrincipalKind::Client;
  principal.id.assign(257, 'x');
  send(ResolveIncident{.incident = job_key(1)});
  EXPECT_EQ(ended->kind, ErrorKind::Invalid);
  const auto sink = activate();
  EXPECT_EQ(sink->end->error().kind, ErrorKind::Invalid);
  const auto stream_sink = std::make_shared<FakeSink>();
  service.open_stream(principal, {.wish = wish}, stream_sink);
  EXPECT_EQ(stream_sink->end->error().kind, ErrorKind::Invalid);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(ServiceTest, a_rejection_is_an_error_with_its_type) {
  send(ResolveIncident{.incident = job_key(1)});
  partitions.take().reject(record::RejectionType::NotFound, "no such incident");
  EXPECT_EQ(*ended, rejected(record::RejectionType::NotFound, "RESOLVE", "no such incident"));
}

TEST_F(ServiceTest, a_command_that_is_not_answered_in_time_times_out) {
  send(ResolveIncident{.incident = job_key(1)});
  clock.advance(Milliseconds{1000});
  loop->run_ready();
  EXPECT_EQ(ended->kind, ErrorKind::TimedOut);
}

TEST_F(ServiceTest, a_command_that_is_too_large_is_refused) {
  const std::string content(300, 'x');
  send(DeployResources{.resources = {{"a.bpmn", content}}, .tenant_id = {}});
  EXPECT_EQ(ended->kind, ErrorKind::TooLarge);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(ServiceTest, jobs_go_out_in_as_few_messages_as_their_size_allows) {
  const auto sink = activate();
  partitions.take().answer_jobs({job_key(1), job_key(2), job_key(3)}, 20);
  loop->run_ready();
  const std::string text = '"' + std::string(20, 'x') + '"';
  EXPECT_EQ(sink->messages, (std::vector<std::string>{"1" + text + ",2" + text, "3" + text}));
  EXPECT_TRUE(sink->end.has_value() && sink->end->has_value());
}

TEST_F(ServiceTest, a_job_that_no_message_can_hold_is_failed) {
  const auto sink = activate();
  partitions.take().answer_jobs({job_key(1)}, 200);
  loop->run_ready();
  EXPECT_TRUE(sink->messages.empty());
  EXPECT_EQ(commands(), std::vector<std::string>{"JOB FAIL"});
}

TEST_F(ServiceTest, jobs_that_do_not_reach_the_client_are_given_back) {
  const auto sink = activate();
  sink->takes_jobs = false;
  partitions.take().answer_jobs({job_key(1), job_key(2)});
  loop->run_ready();
  EXPECT_EQ(commands(), (std::vector<std::string>{"JOB YIELD", "JOB YIELD"}));
}

TEST_F(ServiceTest, a_poll_that_is_wrong_ends_at_once) {
  const auto sink = activate(0);
  ASSERT_TRUE(sink->end.has_value());
  EXPECT_EQ(sink->end->error().kind, ErrorKind::Rejected);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(ServiceTest, a_stream_is_given_jobs_as_they_are_announced) {
  const auto sink = std::make_shared<FakeSink>();
  service.open_stream(principal, {.wish = wish}, sink);
  loop->run_ready();
  EXPECT_TRUE(sink->accepted);
  partitions.announce(PartitionId{1}, "ship", job_key(5));
  loop->run_ready();
  partitions.take().answer_jobs({job_key(5), job_key(6)});
  loop->run_ready();
  EXPECT_EQ(sink->messages, (std::vector<std::string>{"5", "6"}));
  EXPECT_FALSE(sink->end.has_value());
  sink->vanish();
  loop->run_ready();
  EXPECT_EQ(service.jobs().stream_count(), 0U);
}

// Calls that ask for jobs of certain tenants.
class TenantTest : public ServiceTest {
 protected:
  [[nodiscard]] static JobRequest request(std::vector<std::string> tenants) {
    JobRequest request;
    request.batch.type = "ship";
    request.batch.timeout = Milliseconds{1000};
    request.batch.max_jobs_to_activate = 10;
    request.batch.tenant_ids = std::move(tenants);
    return request;
  }
  // A poll that found nothing and waits.
  std::shared_ptr<FakeSink> park(std::vector<std::string> tenants) {
    auto sink = std::make_shared<FakeSink>();
    service.jobs().poll(request(std::move(tenants)), Milliseconds{60'000}, sink);
    loop->run_ready();
    partitions.take().answer_jobs({});
    loop->run_ready();
    return sink;
  }
  std::shared_ptr<FakeSink> stream(std::vector<std::string> tenants) {
    auto sink = std::make_shared<FakeSink>();
    service.jobs().open_stream(request(std::move(tenants)), sink);
    loop->run_ready();
    return sink;
  }
  void announce(std::string_view tenant, std::int64_t job) {
    partitions.announce(PartitionId{1}, "ship", job_key(job), tenant);
    loop->run_ready();
  }
  // Returns the tenants that the partition is asked for next, or nothing if it is not asked.
  std::vector<std::string> asked_for() {
    if (partitions.waiting() == 0) return {};
    Submitted command = partitions.take();
    const auto tenants = command.value<record::JobBatchRecord>().tenant_ids;
    command.answer_jobs({});
    loop->run_ready();
    return tenants;
  }
  using Tenants = std::vector<std::string>;
};

TEST_F(TenantTest, a_poll_is_woken_for_jobs_of_its_tenants_only) {
  const auto of_a = park({"a"});
  const auto of_both = park({"b", "a"});
  ASSERT_EQ(service.jobs().parked_count(), 2U);
  announce("c", 1);
  announce(record::kDefaultTenant, 2);
  EXPECT_EQ(asked_for(), Tenants{});
  announce("b", 3);
  EXPECT_EQ(asked_for(), (Tenants{"b", "a"}));
  EXPECT_EQ(asked_for(), Tenants{});
  announce("a", 4);
  EXPECT_EQ(partitions.waiting(), 2U);
}

TEST_F(TenantTest, thousands_of_jobs_of_another_tenant_cause_no_question) {
  const auto of_a = park({"a"});
  for (std::int64_t job = 1; job <= 5'000; ++job) announce("b", job);
  EXPECT_EQ(partitions.waiting(), 0U);
  EXPECT_EQ(service.jobs().parked_count(), 1U);
}

TEST_F(TenantTest, a_poll_without_tenants_is_woken_for_the_default_tenant) {
  const auto sink = park({});
  announce("a", 1);
  EXPECT_EQ(partitions.waiting(), 0U);
  announce(record::kDefaultTenant, 2);
  EXPECT_EQ(partitions.waiting(), 1U);
}

TEST_F(TenantTest, a_stream_is_given_jobs_of_its_tenants_only) {
  const auto of_a = stream({"a", "a"});
  announce("b", 1);
  EXPECT_EQ(partitions.waiting(), 0U);
  announce("a", 2);
  partitions.take().answer_jobs({job_key(2)});
  loop->run_ready();
  EXPECT_EQ(of_a->messages, std::vector<std::string>{"2"});
  of_a->vanish();
  loop->run_ready();
  announce("a", 3);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(TenantTest, each_stream_that_wants_a_tenants_jobs_asks_for_them) {
  const auto of_a = stream({"a"});
  const auto of_both = stream({"a", "b"});
  announce("a", 1);
  EXPECT_EQ(partitions.waiting(), 2U);
}

TEST_F(ServiceTest, draining_ends_streams_without_an_error) {
  const auto sink = std::make_shared<FakeSink>();
  service.open_stream(principal, {.wish = wish}, sink);
  service.drain();
  loop->run_ready();
  EXPECT_TRUE(sink->end.has_value() && sink->end->has_value());
}

}  // namespace
}  // namespace beeline::service
