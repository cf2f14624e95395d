#include "service/job_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gateway.pb.h"
#include "gateway/fakes_test.h"

// StreamActivatedJobs through the service, with partitions whose answers the test gives.
namespace beeline::gateway {
namespace {

using namespace gateway_protocol;

class JobStreamsTest : public MethodsTest {
 protected:
  explicit JobStreamsTest(std::int32_t partition_count = 1)
      : MethodsTest(partition_count, four_jobs()) {}

  static service::ServiceOptions four_jobs() {
    service::ServiceOptions options;
    options.stream_jobs_max = 4;
    return options;
  }

  std::shared_ptr<FakeCall> open(const std::string& type = "ship") {
    StreamActivatedJobsRequest request;
    request.set_type(type);
    request.set_worker("worker");
    request.set_timeout(60'000);
    return call("StreamActivatedJobs", request);
  }
  std::shared_ptr<FakeCall> parked_poll() {
    ActivateJobsRequest request;
    request.set_type("ship");
    request.set_timeout(60'000);
    request.set_maxjobstoactivate(10);
    request.set_requesttimeout(600'000);
    auto poll = call("ActivateJobs", request);
    for (std::int32_t i = 0; i < partitions.count(); ++i) answer_jobs({});
    return poll;
  }
  static std::vector<std::int64_t> keys_of(const FakeCall& call) {
    std::vector<std::int64_t> keys;
    for (std::size_t i = 0; i < call.messages.size(); ++i) {
      keys.push_back(counter_of(Key{call.message<ActivatedJob>(i).key()}));
    }
    return keys;
  }
  std::vector<std::string> commands() {
    std::vector<std::string> names;
    while (partitions.waiting() > 0) {
      const Submitted command = partitions.take();
      names.push_back(command.name() + " " + std::to_string(counter_of(command.command.head.key)));
    }
    return names;
  }
};

TEST_F(JobStreamsTest, opening_sends_headers_and_asks_for_nothing) {
  const auto stream = open();
  EXPECT_TRUE(stream->headers_sent);
  EXPECT_TRUE(stream->is_open());
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobStreamsTest, announced_jobs_are_pushed_one_message_each) {
  const auto stream = open();
  announce("ship");
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "JOB_BATCH ACTIVATE");
  EXPECT_EQ(command.value<record::JobBatchRecord>().worker, "worker");
  EXPECT_EQ(command.value<record::JobBatchRecord>().timeout, Milliseconds{60'000});
  command.answer_jobs({job_key(1)});
  loop->run_ready();
  EXPECT_EQ(keys_of(*stream), std::vector<std::int64_t>{1});
  EXPECT_TRUE(stream->is_open());
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobStreamsTest, jobs_older_than_what_was_announced_are_not_asked_for) {
  const auto stream = open();
  announce("ship", PartitionId{1}, 7);
  Submitted first = partitions.take();
  EXPECT_EQ(first.value<record::JobBatchRecord>().first_job_key, job_key(7));
  // A job that was given back is older, and is asked for too.
  announce("ship", PartitionId{1}, 3);
  first.answer_jobs({job_key(7)});
  loop->run_ready();
  EXPECT_EQ(partitions.take().value<record::JobBatchRecord>().first_job_key, job_key(3));
}

TEST_F(JobStreamsTest, a_full_answer_is_followed_by_another_question) {
  const auto stream = open();
  announce("ship");
  Submitted command = partitions.take();
  EXPECT_EQ(command.value<record::JobBatchRecord>().max_jobs_to_activate, 2);
  command.answer_jobs({job_key(1), job_key(2)});
  loop->run_ready();
  answer_jobs({job_key(3)});
  EXPECT_EQ(keys_of(*stream), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobStreamsTest, announcements_during_a_question_make_one_more) {
  const auto stream = open();
  announce("ship");
  announce("ship");
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({});
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({job_key(1)});
  EXPECT_EQ(partitions.waiting(), 0U);
  EXPECT_EQ(keys_of(*stream), std::vector<std::int64_t>{1});
}

TEST_F(JobStreamsTest, streams_of_a_type_take_turns) {
  const auto first = open();
  const auto second = open();
  const auto other = open("bill");
  for (int i = 1; i <= 4; ++i) {
    announce("ship");
    answer_jobs({job_key(i)});
  }
  EXPECT_EQ(keys_of(*first), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(keys_of(*second), (std::vector<std::int64_t>{2, 4}));
  EXPECT_TRUE(other->messages.empty());
}

TEST_F(JobStreamsTest, streams_come_before_polls) {
  const auto poll = parked_poll();
  const auto stream = open();
  announce("ship");
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*stream), std::vector<std::int64_t>{1});
  EXPECT_TRUE(poll->is_open());
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobStreamsTest, a_stream_holds_so_many_jobs_and_no_more) {
  const auto stream = open();
  stream->holds_writes = true;
  announce("ship");
  answer_jobs({job_key(1), job_key(2)});
  answer_jobs({job_key(3), job_key(4)});
  // The stream is full: jobs announced now are not for this stream.
  EXPECT_EQ(partitions.waiting(), 0U);
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 0U);
  // After two writes there is room for two again, and the announcement is not forgotten.
  stream->release_write();
  loop->run_ready();
  EXPECT_EQ(partitions.waiting(), 0U);
  stream->release_write();
  loop->run_ready();
  EXPECT_EQ(partitions.waiting(), 1U);
}

TEST_F(JobStreamsTest, what_no_stream_has_room_for_goes_to_the_polls) {
  const auto poll = parked_poll();
  const auto stream = open();
  stream->holds_writes = true;
  announce("ship");
  answer_jobs({job_key(1), job_key(2)});
  answer_jobs({job_key(3), job_key(4)});
  // The last answer was full, so there may be more jobs, and now the poll asks.
  Submitted command = partitions.take();
  EXPECT_EQ(command.value<record::JobBatchRecord>().max_jobs_to_activate, 10);
  command.answer_jobs({job_key(5)});
  loop->run_ready();
  EXPECT_EQ(poll->status, ok());
  EXPECT_EQ(poll->message<ActivateJobsResponse>().jobs_size(), 1);
}

TEST_F(JobStreamsTest, a_client_that_takes_nothing_loses_its_jobs_to_others) {
  const auto stream = open();
  stream->holds_writes = true;
  announce("ship");
  answer_jobs({job_key(1), job_key(2)});
  answer_jobs({job_key(3)});
  EXPECT_EQ(commands(), std::vector<std::string>{});
  pass_time(Milliseconds{999});
  EXPECT_EQ(commands(), std::vector<std::string>{});
  pass_time(Milliseconds{1});
  EXPECT_EQ(commands(), (std::vector<std::string>{"JOB YIELD 2", "JOB YIELD 3"}));
  // It gets no more until the client reads what is on its way.
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 0U);
  stream->release_write();
  loop->run_ready();
  EXPECT_EQ(partitions.waiting(), 1U);
  answer_jobs({job_key(2)});
  EXPECT_EQ(keys_of(*stream), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(JobStreamsTest, a_client_that_takes_slowly_keeps_its_jobs) {
  const auto stream = open();
  stream->holds_writes = true;
  announce("ship");
  answer_jobs({job_key(1), job_key(2)});
  answer_jobs({});
  pass_time(Milliseconds{900});
  stream->release_write();
  loop->run_ready();
  pass_time(Milliseconds{900});
  stream->release_write();
  loop->run_ready();
  pass_time(Milliseconds{5000});
  EXPECT_EQ(commands(), std::vector<std::string>{});
}

TEST_F(JobStreamsTest, a_client_that_vanishes_gives_back_all_it_did_not_get) {
  const auto stream = open();
  stream->holds_writes = true;
  announce("ship");
  answer_jobs({job_key(1), job_key(2)});
  answer_jobs({job_key(3)});
  stream->vanish();
  loop->run_ready();
  auto given_back = commands();
  std::sort(given_back.begin(), given_back.end());
  EXPECT_EQ(given_back, (std::vector<std::string>{"JOB YIELD 1", "JOB YIELD 2", "JOB YIELD 3"}));
  EXPECT_EQ(service.jobs().stream_count(), 0U);
  announce("ship");
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(JobStreamsTest, jobs_activated_for_a_stream_that_ended_meanwhile_are_given_back) {
  const auto stream = open();
  announce("ship");
  Submitted command = partitions.take();
  stream->vanish();
  loop->run_ready();
  command.answer_jobs({job_key(1)});
  loop->run_ready();
  EXPECT_EQ(commands(), std::vector<std::string>{"JOB YIELD 1"});
}

TEST_F(JobStreamsTest, jobs_of_a_stream_that_ended_go_to_the_next) {
  const auto first = open();
  const auto second = open();
  announce("ship");
  Submitted command = partitions.take();
  first->vanish();
  loop->run_ready();
  command.answer_jobs({job_key(1)});
  loop->run_ready();
  EXPECT_EQ(partitions.take().name(), "JOB YIELD");
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*second), std::vector<std::int64_t>{1});
}

TEST_F(JobStreamsTest, a_refused_question_is_asked_again_later) {
  const auto stream = open();
  partitions.set_result(PartitionId{1}, stream::SubmitResult::QueueFull);
  announce("ship");
  partitions.set_result(PartitionId{1}, stream::SubmitResult::Accepted);
  EXPECT_EQ(partitions.waiting(), 0U);
  pass_time(Milliseconds{1000});
  answer_jobs({job_key(1)});
  EXPECT_EQ(keys_of(*stream), std::vector<std::int64_t>{1});
}

TEST_F(JobStreamsTest, a_rejection_ends_the_stream) {
  const auto stream = open();
  announce("ship");
  partitions.take().reject(record::RejectionType::InvalidArgument, "no");
  loop->run_ready();
  EXPECT_EQ(stream->status->code, StatusCode::InvalidArgument);
  EXPECT_EQ(service.jobs().stream_count(), 0U);
}

TEST_F(JobStreamsTest, draining_ends_streams_with_ok_and_refuses_new_ones) {
  const auto stream = open();
  service.jobs().drain();
  loop->run_ready();
  EXPECT_EQ(stream->status, ok());
  EXPECT_EQ(open()->status, (Status{StatusCode::Unavailable, "Failed to register new job stream"}));
}

TEST_F(JobStreamsTest, an_invalid_request_is_refused) {
  EXPECT_EQ(call("StreamActivatedJobs", StreamActivatedJobsRequest{})->status->code,
            StatusCode::InvalidArgument);
}

class StreamsOfManyPartitionsTest : public JobStreamsTest {
 protected:
  StreamsOfManyPartitionsTest() : JobStreamsTest(2) {}
};

TEST_F(StreamsOfManyPartitionsTest, one_partition_does_not_keep_the_others_waiting) {
  const auto stream = open();
  announce("ship", PartitionId{1});
  announce("ship", PartitionId{2});
  Submitted first = partitions.take();
  Submitted second = partitions.take();
  EXPECT_EQ(first.partition, PartitionId{1});
  EXPECT_EQ(second.partition, PartitionId{2});
  EXPECT_EQ(second.value<record::JobBatchRecord>().max_jobs_to_activate, 1);
}

}  // namespace
}  // namespace beeline::gateway
