#include "gateway/status.h"

#include <gtest/gtest.h>

#include "record/values/jobs.h"

namespace beeline::gateway {
namespace {

TEST(Status, each_kind_of_rejection_has_its_code) {
  using record::RejectionType;
  const auto code = [](RejectionType type) {
    return status_of(service::rejected(type, "CREATE", "why")).code;
  };
  EXPECT_EQ(code(RejectionType::InvalidArgument), StatusCode::InvalidArgument);
  EXPECT_EQ(code(RejectionType::NotFound), StatusCode::NotFound);
  EXPECT_EQ(code(RejectionType::AlreadyExists), StatusCode::AlreadyExists);
  EXPECT_EQ(code(RejectionType::InvalidState), StatusCode::FailedPrecondition);
  EXPECT_EQ(code(RejectionType::Unauthorized), StatusCode::PermissionDenied);
  EXPECT_EQ(code(RejectionType::Forbidden), StatusCode::PermissionDenied);
  EXPECT_EQ(code(RejectionType::ProcessingError), StatusCode::Internal);
  EXPECT_EQ(code(RejectionType::ExceededBatchRecordSize), StatusCode::Unknown);
  EXPECT_EQ(code(static_cast<RejectionType>(99)), StatusCode::Unknown);
}

TEST(Status, each_kind_of_error_has_its_code) {
  using service::ErrorKind;
  const auto code = [](ErrorKind kind) { return status_of({kind, "why"}).code; };
  EXPECT_EQ(code(ErrorKind::Invalid), StatusCode::InvalidArgument);
  EXPECT_EQ(code(ErrorKind::Unsupported), StatusCode::Unimplemented);
  EXPECT_EQ(code(ErrorKind::TooLarge), StatusCode::InvalidArgument);
  EXPECT_EQ(code(ErrorKind::Overloaded), StatusCode::ResourceExhausted);
  EXPECT_EQ(code(ErrorKind::Unavailable), StatusCode::Unavailable);
  EXPECT_EQ(code(ErrorKind::TimedOut), StatusCode::DeadlineExceeded);
  EXPECT_EQ(code(ErrorKind::Internal), StatusCode::Internal);
}

TEST(Status, a_rejection_says_what_was_rejected_and_why) {
  record::Metadata metadata;
  metadata.record_type = record::RecordType::CommandRejection;
  metadata.value_type = record::ValueType::Job;
  metadata.intent = static_cast<record::IntentNumber>(record::JobIntent::Complete);
  metadata.rejection_type = record::RejectionType::NotFound;
  metadata.rejection_reason =
      "Expected to complete job with key '2251799813685300', but no such job was found";
  EXPECT_EQ(status_of(service::error_of_rejection(metadata)),
            (Status{StatusCode::NotFound,
                    "Command 'COMPLETE' rejected with code 'NOT_FOUND': Expected to complete job "
                    "with key '2251799813685300', but no such job was found"}));
}

}  // namespace
}  // namespace beeline::gateway
