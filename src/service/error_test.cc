#include "service/error.h"

#include <gtest/gtest.h>

#include "record/values/jobs.h"

namespace beeline::service {
namespace {

TEST(Error, a_rejection_keeps_its_type_its_command_and_its_reason) {
  record::Metadata metadata;
  metadata.record_type = record::RecordType::CommandRejection;
  metadata.value_type = record::ValueType::Job;
  metadata.intent = static_cast<record::IntentNumber>(record::JobIntent::Complete);
  metadata.rejection_type = record::RejectionType::NotFound;
  metadata.rejection_reason = "no such job";
  EXPECT_EQ(error_of_rejection(metadata), (Error{ErrorKind::Rejected, "no such job",
                                                 record::RejectionType::NotFound, "COMPLETE"}));
}

TEST(Error, a_partition_that_takes_no_command_says_whether_to_try_again) {
  const auto kind = [](stream::SubmitResult result) {
    return error_of_submit(result, PartitionId{2}).kind;
  };
  EXPECT_EQ(kind(stream::SubmitResult::QueueFull), ErrorKind::Overloaded);
  EXPECT_EQ(kind(stream::SubmitResult::QueueBytesFull), ErrorKind::Overloaded);
  EXPECT_EQ(kind(stream::SubmitResult::DiskFull), ErrorKind::Overloaded);
  EXPECT_EQ(kind(stream::SubmitResult::Stopped), ErrorKind::Unavailable);
}

TEST(Error, durations_are_written_as_iso_8601) {
  EXPECT_EQ(iso_duration(Milliseconds{0}), "PT0S");
  EXPECT_EQ(iso_duration(Milliseconds{500}), "PT0.5S");
  EXPECT_EQ(iso_duration(Milliseconds{15'000}), "PT15S");
  EXPECT_EQ(iso_duration(Milliseconds{1}), "PT0.001S");
  EXPECT_EQ(iso_duration(Milliseconds{90'250}), "PT1M30.25S");
  EXPECT_EQ(iso_duration(Milliseconds{3'600'000}), "PT1H");
}

}  // namespace
}  // namespace beeline::service
