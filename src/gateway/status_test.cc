#include "gateway/status.h"

#include <gtest/gtest.h>

#include "gateway/text.h"

namespace beeline::gateway {
namespace {

TEST(Status, each_kind_of_rejection_has_its_code) {
  using record::RejectionType;
  const auto code = [](RejectionType type) { return rejected(type, "CREATE", "why").code; };
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

TEST(Status, a_rejection_says_what_was_rejected_and_why) {
  record::Metadata metadata;
  metadata.record_type = record::RecordType::CommandRejection;
  metadata.value_type = record::ValueType::Job;
  metadata.intent = static_cast<record::IntentNumber>(record::JobIntent::Complete);
  metadata.rejection_type = record::RejectionType::NotFound;
  metadata.rejection_reason =
      "Expected to complete job with key '2251799813685300', but no such job was found";
  EXPECT_EQ(status_of_rejection(metadata),
            (Status{StatusCode::NotFound,
                    "Command 'COMPLETE' rejected with code 'NOT_FOUND': Expected to complete job "
                    "with key '2251799813685300', but no such job was found"}));
}

TEST(Status, durations_are_written_as_iso_8601) {
  EXPECT_EQ(iso_duration(Milliseconds{0}), "PT0S");
  EXPECT_EQ(iso_duration(Milliseconds{500}), "PT0.5S");
  EXPECT_EQ(iso_duration(Milliseconds{15'000}), "PT15S");
  EXPECT_EQ(iso_duration(Milliseconds{1}), "PT0.001S");
  EXPECT_EQ(iso_duration(Milliseconds{90'250}), "PT1M30.25S");
  EXPECT_EQ(iso_duration(Milliseconds{3'600'000}), "PT1H");
}

TEST(Text, is_cut_between_characters) {
  EXPECT_EQ(first_bytes("aéb", 2), "a");
  EXPECT_EQ(first_bytes("aéb", 3), "aé");
  EXPECT_EQ(first_bytes("aéb", 9), "aéb");
  EXPECT_EQ(first_encoded_bytes("a%b", 4), "a%");
  EXPECT_EQ(first_encoded_bytes("aéb", 6), "a");
  EXPECT_EQ(first_encoded_bytes("aéb", 8), "aéb");
  EXPECT_EQ(first_characters("aéb", 2), "aé");
  EXPECT_EQ(first_characters("aéb", 0), "");
  EXPECT_EQ(first_characters("aéb", 3), "aéb");
  EXPECT_EQ(characters_in("aéb𝄞"), 4U);
  EXPECT_TRUE(is_blank(" \t\n"));
  EXPECT_FALSE(is_blank(" x "));
}

}  // namespace
}  // namespace beeline::gateway
