#include "service/service.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/fakes_test.h"

// The whole service without a transport, with partitions that the test answers for.
namespace beeline::service {
namespace {

// A client that keeps the jobs it is given. A job is written as its key.
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
  ~ServiceTest() override { loop->stop(); }

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
  const Principal principal;
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

TEST_F(ServiceTest, draining_ends_streams_without_an_error) {
  const auto sink = std::make_shared<FakeSink>();
  service.open_stream(principal, {.wish = wish}, sink);
  service.drain();
  loop->run_ready();
  EXPECT_TRUE(sink->end.has_value() && sink->end->has_value());
}

}  // namespace
}  // namespace beeline::service
