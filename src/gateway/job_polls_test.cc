#include "service/job_polls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gateway.pb.h"
#include "gateway/fakes_test.h"

// ActivateJobs through the service, with partitions whose answers the test gives.
namespace beeline::gateway {
namespace {

using namespace gateway_protocol;

class JobPollsTest : public MethodsTest {
 protected:
  explicit JobPollsTest(std::int32_t partition_count = 1, service::ServiceOptions options = {})
      : MethodsTest(partition_count, options) {}

  std::shared_ptr<FakeCall> activate(std::int64_t request_timeout, std::int32_t jobs_max = 10,
                                     const std::string& type = "ship") {
    ActivateJobsRequest request;
    request.set_type(type);
    request.set_worker("worker");
    request.set_timeout(60'000);
    request.set_maxjobstoactivate(jobs_max);
    request.set_requesttimeout(request_timeout);
    return call("ActivateJobs", request);
  }
  // A call that found nothing and waits.
  std::shared_ptr<FakeCall> parked(std::int64_t request_timeout = 30'000) {
    const std::size_t before = service.jobs().parked_count();
    auto call = activate(request_timeout);
    for (std::int32_t i = 0; i < partitions.count(); ++i) answer_jobs({});
    EXPECT_EQ(service.jobs().parked_count(), before + 1);
    return call;
  }
  static std::vector<std::int64_t> keys_of(const FakeCall& call) {
    std::vector<std::int64_t> keys;
    for (std::size_t i = 0; i < call.messages.size(); ++i) {
      const auto response = call.message<ActivateJobsResponse>(i);
      for (const auto& job : response.jobs()) {
        keys.push_back(counter_of(Key{job.key()}));
      }
    }
    return keys;
  }
  // Returns the jobs that were given back; partitions must have received no other commands since.
  std::vector<std::int64_t> yielded() {
    std::vector<std::int64_t> keys;
    while (partitions.waiting() > 0) {
      const Submitted command = partitions.take();
      EXPECT_EQ(command.name(), "JOB YIELD");
      EXPECT_EQ(command.partition, partition_of(command.command.head.key));
      keys.push_back(counter_of(command.command.head.key));
    }
    return keys;
  }
};

TEST_F(JobPollsTest, jobs_are_handed_over_and_the_call_ends) {
  const auto call = activate(-1);
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "JOB_BATCH ACTIVATE");
  EXPECT_EQ(command.value<record::JobBatchRecord>().max_jobs_to_activate, 10);
  EXPECT_EQ(command.value<record::JobBatchRecord>().worker, "worker");
  command.answer_jobs({job_key(1), job_key(2)});
  loop->run_ready();
  EXPECT_EQ(call->status, ok());
  EXPECT_EQ(keys_of(*call), (std::vector<std::int64_t>{1, 2}));
  const ActivatedJob job = call->message<ActivateJobsResponse>().jobs(0);
  EXPECT_EQ(job.type(), "ship");
  EXPECT_EQ(job.customheaders(), "{}");
  EXPECT_EQ(job.variables(), "{}");
  EXPECT_EQ(job.kind(), ActivatedJob::BPMN_ELEMENT);
  EXPECT_EQ(job.listenereventtype(), ActivatedJob::UNSPECIFIED);
  EXPECT_EQ(job.tenantid(), "<default>");
  EXPECT_EQ(job.physicaltenantid(), "default");
}

TEST_F(JobPollsTest, without_waiting_an_empty_answer_ends_the_call_with_no_message) {
  const auto call = activate(-1);
  answer_jobs({});
  EXPECT_EQ(call->status, ok());
  EXPECT_TRUE(call->messages.empty());
  EXPECT_EQ(service.jobs().parked_count(), 0U);
}

TEST_F(JobPollsTest, a_waiting_call_ends_without_jobs_when_its_time_is_over) {
  const auto call = parked(2000);
  pass_time(Milliseconds{1999});
  EXPECT_TRUE(call->is_open());
  pass_time(Milliseconds{1});
  EXPECT_EQ(call->status, ok());
  EXPECT_TRUE(call->messages.empty());
  EXPECT_EQ(service.jobs().parked_count(), 0U);
}

TEST_F(JobPollsTest, the_server_chooses_how_long_to_wait_when_the_client_does_not) {
  const auto call = parked(0);
  pass_time(Milliseconds{9'999});
  EXPECT_TRUE(call->is_open());
  pass_time(Milliseconds{1});
  EXPECT_EQ(call->status, ok());
}

TEST_F(JobPollsTest, an_announcement_wakes_the_oldest_call_and_then_the_next) {
  const auto first = parked();
  const auto second = parked();
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*first), std::vector<std::int64_t>{1});
  EXPECT_TRUE(second->is_open());
  answer_jobs({job_key(2)});
  EXPECT_EQ(keys_of(*second), std::vector<std::int64_t>{2});
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobPollsTest, an_announcement_asks_once_however_many_calls_wait) {
  std::vector<std::shared_ptr<FakeCall>> calls;
  for (int i = 0; i < 1000; ++i) calls.push_back(parked());
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({});
  EXPECT_EQ(partitions.waiting(), 0U);
  EXPECT_EQ(service.jobs().parked_count(), 1000U);
}

TEST_F(JobPollsTest, an_announcement_of_another_type_wakes_nobody) {
  const auto call = parked();
  announce("bill");
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobPollsTest, an_announcement_during_the_first_look_makes_a_second) {
  const auto call = activate(30'000);
  announce("ship");
  answer_jobs({});
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*call), std::vector<std::int64_t>{1});
}

TEST_F(JobPollsTest, an_announcement_during_a_woken_look_makes_another) {
  const auto call = parked();
  announce("ship");
  announce("ship");
  answer_jobs({});
  answer_jobs({});
  EXPECT_EQ(partitions.waiting(), 0U);
  EXPECT_TRUE(call->is_open());
}

TEST_F(JobPollsTest, waiting_calls_look_again_from_time_to_time) {
  const auto call = parked(60'000);
  pass_time(Milliseconds{10'000});
  answer_jobs({});
  pass_time(Milliseconds{10'000});
  answer_jobs({job_key(4)});
  EXPECT_EQ(keys_of(*call), std::vector<std::int64_t>{4});
}

TEST_F(JobPollsTest, calls_whose_client_went_away_are_passed_over) {
  const auto gone = parked();
  const auto live = parked();
  gone->vanish();
  loop->run_ready();
  EXPECT_EQ(service.jobs().parked_count(), 1U);
  announce("ship");
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*live), std::vector<std::int64_t>{1});
}

TEST_F(JobPollsTest, jobs_for_a_client_that_went_away_meanwhile_are_given_back) {
  const auto call = activate(30'000);
  Submitted command = partitions.take();
  call->vanish();
  loop->run_ready();
  command.answer_jobs({job_key(1), job_key(2)});
  loop->run_ready();
  EXPECT_EQ(yielded(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(JobPollsTest, jobs_given_back_by_a_woken_call_go_to_the_next) {
  const auto first = parked();
  const auto second = parked();
  announce("ship");
  Submitted command = partitions.take();
  first->vanish();
  command.answer_jobs({job_key(1)});
  loop->run_ready();
  EXPECT_EQ(partitions.take().name(), "JOB YIELD");
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*second), std::vector<std::int64_t>{1});
}

TEST_F(JobPollsTest, jobs_that_could_not_be_written_are_given_back) {
  const auto call = activate(30'000);
  call->holds_writes = true;
  answer_jobs({job_key(1), job_key(2)});
  EXPECT_EQ(call->status, ok());
  call->vanish();
  loop->run_ready();
  EXPECT_EQ(yielded(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(JobPollsTest, giving_back_is_tried_again_while_the_queue_is_full) {
  const auto call = activate(30'000);
  Submitted command = partitions.take();
  call->vanish();
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  command.answer_jobs({job_key(1)});
  loop->run_ready();
  pass_time(Milliseconds{100});
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
  EXPECT_EQ(partitions.waiting(), 0U);
  pass_time(Milliseconds{100});
  EXPECT_EQ(yielded(), std::vector<std::int64_t>{1});
}

TEST_F(JobPollsTest, a_call_whose_time_ends_during_a_look_waits_for_it_a_little) {
  const auto late = activate(2000);
  pass_time(Milliseconds{2000});
  EXPECT_TRUE(late->is_open());
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*late), std::vector<std::int64_t>{1});

  const auto too_late = activate(2000);
  pass_time(Milliseconds{2000});
  pass_time(Milliseconds{500});
  EXPECT_EQ(too_late->status, ok());
  answer_jobs({job_key(2)});
  EXPECT_EQ(yielded(), std::vector<std::int64_t>{2});
}

TEST_F(JobPollsTest, a_partition_that_never_answers_ends_a_call_that_does_not_wait) {
  const auto call = activate(-1);
  pass_time(Milliseconds{15'000});
  EXPECT_EQ(call->status, status_of(service::timed_out(Milliseconds{15'000})));
}

TEST_F(JobPollsTest, a_rejection_ends_the_call) {
  const auto call = activate(30'000);
  partitions.take().reject(record::RejectionType::Unauthorized, "no");
  loop->run_ready();
  EXPECT_EQ(call->status, (Status{StatusCode::PermissionDenied,
                                  "Command 'ACTIVATE' rejected with code 'UNAUTHORIZED': no"}));
}

TEST_F(JobPollsTest, an_invalid_request_ends_at_once) {
  EXPECT_EQ(activate(30'000, 0)->status->code, StatusCode::InvalidArgument);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobPollsTest, a_refused_question_ends_a_new_call_but_not_a_waiting_one) {
  const auto waiting = parked(60'000);
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  EXPECT_EQ(activate(30'000)->status, status_of(service::activation_overloaded("ship")));
  announce("ship");
  EXPECT_TRUE(waiting->is_open());
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Stopped);
  EXPECT_EQ(activate(30'000)->status, status_of(service::all_inactive()));
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
  pass_time(Milliseconds{1000});
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*waiting), std::vector<std::int64_t>{1});
}

TEST_F(JobPollsTest, a_partition_that_stops_during_a_look_counts_as_unavailable) {
  const auto call = activate(-1);
  { const Submitted dropped = partitions.take(); }
  loop->run_ready();
  EXPECT_EQ(call->status, status_of(service::all_inactive()));
}

TEST_F(JobPollsTest, a_truncated_answer_is_continued_in_the_same_call) {
  const auto call = activate(-1);
  partitions.take().answer_jobs({job_key(1)}, 0, true);
  loop->run_ready();
  EXPECT_TRUE(call->is_open());
  Submitted more = partitions.take();
  EXPECT_EQ(more.value<record::JobBatchRecord>().max_jobs_to_activate, 9);
  more.answer_jobs({job_key(2)});
  loop->run_ready();
  EXPECT_EQ(keys_of(*call), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(call->status, ok());
}

TEST_F(JobPollsTest, a_partition_that_never_stops_truncating_is_left) {
  const auto call = activate(-1);
  int asked = 0;
  while (call->is_open() && asked < 1000) {
    partitions.take().answer_jobs({}, 0, true);
    loop->run_ready();
    ++asked;
  }
  EXPECT_EQ(call->status, ok());
  EXPECT_EQ(asked, 100);
}

TEST_F(JobPollsTest, draining_ends_waiting_calls_with_ok) {
  const auto call = parked();
  const auto looking = activate(30'000);
  service.jobs().drain();
  loop->run_ready();
  EXPECT_EQ(call->status, ok());
  answer_jobs({});
  EXPECT_EQ(looking->status, ok());
}

TEST_F(JobPollsTest, types_that_nobody_asks_for_any_more_are_forgotten) {
  for (int i = 0; i < 5000; ++i) {
    activate(-1, 1, "type" + std::to_string(i));
    answer_jobs({});
  }
  announce("type4999");
  EXPECT_EQ(partitions.waiting(), 0U);
}

class LargeJobsTest : public JobPollsTest {
 protected:
  LargeJobsTest() : JobPollsTest(1, small_messages(10'000)) {}
};

TEST_F(LargeJobsTest, jobs_are_split_over_messages_of_the_size_allowed) {
  const auto call = activate(-1);
  std::vector<Key> keys;
  for (int i = 1; i <= 10; ++i) keys.push_back(job_key(i));
  partitions.take().answer_jobs(keys, 3000);
  loop->run_ready();
  EXPECT_EQ(keys_of(*call), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(call->messages.size(), 4U);
  for (const std::string& message : call->messages) EXPECT_LE(message.size(), 10'000U);
}

TEST_F(LargeJobsTest, a_job_that_no_message_can_hold_is_failed_with_the_reason) {
  const auto call = activate(-1);
  partitions.take().answer_jobs({job_key(1)}, 20'000);
  loop->run_ready();
  EXPECT_TRUE(call->messages.empty());
  const Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "JOB FAIL");
  const auto job = command.value<record::JobRecord>();
  EXPECT_EQ(job.retries, 0);
  EXPECT_TRUE(
      job.error_message.starts_with("The job with key '2251799813685249' can not be "
                                    "activated, because with "));
}

class ManyPartitionsTest : public JobPollsTest {
 protected:
  ManyPartitionsTest() : JobPollsTest(3) {}
};

TEST_F(ManyPartitionsTest, each_partition_is_asked_once_for_what_is_left) {
  const auto call = activate(-1, 3);
  std::vector<std::int32_t> asked;
  for (const std::int32_t left : {3, 2, 1}) {
    Submitted command = partitions.take();
    EXPECT_EQ(command.value<record::JobBatchRecord>().max_jobs_to_activate, left);
    asked.push_back(command.partition.value());
    command.answer_jobs({job_key(1, command.partition)});
    loop->run_ready();
  }
  std::sort(asked.begin(), asked.end());
  EXPECT_EQ(asked, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(call->messages.size(), 3U);
  EXPECT_EQ(call->status, ok());
}

TEST_F(ManyPartitionsTest, the_next_call_begins_at_the_next_partition) {
  std::vector<std::int32_t> first;
  for (int i = 0; i < 4; ++i) {
    activate(-1, 1);
    Submitted command = partitions.take();
    first.push_back(command.partition.value());
    command.answer_jobs({job_key(1, command.partition)});
    loop->run_ready();
  }
  EXPECT_EQ(first, (std::vector<std::int32_t>{1, 2, 3, 1}));
}

TEST_F(ManyPartitionsTest, a_woken_call_begins_where_the_jobs_are) {
  const auto call = parked();
  announce("ship", PartitionId{3});
  Submitted command = partitions.take();
  EXPECT_EQ(command.partition, PartitionId{3});
  command.answer_jobs({job_key(1, PartitionId{3})});
  loop->run_ready();
  // The other partitions are asked too: the call continues until it has visited each once.
  answer_jobs({});
  answer_jobs({});
  EXPECT_EQ(call->status, ok());
}

TEST_F(ManyPartitionsTest, one_partition_that_is_down_does_not_end_the_call) {
  partitions.set_result(PartitionId{2}, stream::SubmitResult::Stopped);
  const auto call = activate(30'000);
  answer_jobs({});
  answer_jobs({});
  EXPECT_TRUE(call->is_open());
  EXPECT_EQ(service.jobs().parked_count(), 1U);
}

}  // namespace
}  // namespace beeline::gateway
