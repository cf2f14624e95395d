#include "record/frame_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "record/frame.h"
#include "record/values/jobs.h"

namespace beeline::record {
namespace {

Metadata event_at(std::int64_t position) {
  Metadata m;
  m.position = Position{position};
  m.source_position = Position{position - 1};
  m.key = make_key(PartitionId{2}, position);
  m.timestamp = Timestamp{1'700'000'000'000};
  m.record_type = RecordType::Event;
  m.value_type = ValueType::Job;
  m.intent = static_cast<IntentNumber>(JobIntent::Created);
  m.partition = PartitionId{2};
  m.operation_reference = -7;  // a number of ten bytes
  return m;
}

std::vector<RecordView> read(std::string_view frame) {
  std::vector<RecordView> records;
  RecordReader reader{parse_frame(frame)->records};
  while (const auto record = reader.next()) records.push_back(*record);
  EXPECT_FALSE(reader.malformed());
  return records;
}

TEST(FrameWriter, writes_what_the_reader_reads) {
  std::string frame = "what was there before";
  FrameWriter writer;
  writer.begin(frame);
  Metadata metadata = event_at(43);
  writer.set_common(metadata);
  metadata.version = 3;
  writer.append(metadata, "value");
  writer.finish(Position{42});
  EXPECT_EQ(parse_frame(frame)->processed, Position{42});
  EXPECT_EQ(frame.size(), writer.size());
  const auto records = read(frame);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records.front().value, "value");
  EXPECT_EQ(records.front().metadata, metadata);
}

TEST(FrameWriter, a_frame_cannot_have_processed_what_comes_after_it) {
  std::string frame;
  FrameWriter writer;
  writer.begin(frame);
  writer.set_common(event_at(7));
  writer.append(event_at(7), "value");
  EXPECT_DEATH(writer.finish(Position{8}), "a frame that ends at 7 cannot have processed 8");
}

TEST(FrameWriter, a_reason_is_not_dropped_from_a_record_that_is_no_rejection) {
  std::string frame;
  FrameWriter writer;
  writer.begin(frame);
  Metadata metadata = event_at(7);
  metadata.rejection_reason = "no such job";
  EXPECT_DEATH(writer.append_any(metadata, "value"),
               "record 7 has a reason, but it is no rejection");
}

// The bytes of a position follow from those of the previous one, unless its lowest group of seven
// bits is full.
TEST(FrameWriter, positions_follow_one_another_over_every_length) {
  for (const std::int64_t first : {1LL, 120LL, 16'380LL, 2'097'150LL, (1LL << 35U) - 3}) {
    std::string frame;
    FrameWriter writer;
    writer.begin(frame);
    writer.set_common(event_at(first));
    for (std::int64_t position = first; position < first + 300; ++position) {
      writer.append(event_at(position), "");
    }
    writer.append(event_at(first + 1000), "");  // and one that does not follow
    writer.finish(Position{first});
    const auto records = read(frame);
    ASSERT_EQ(records.size(), 301U);
    for (std::size_t i = 0; i < 300; ++i) {
      ASSERT_EQ(records[i].metadata.position.value(), first + static_cast<std::int64_t>(i));
      ASSERT_EQ(records[i].metadata.key, event_at(first + static_cast<std::int64_t>(i)).key);
    }
    EXPECT_EQ(records.back().metadata.position.value(), first + 1000);
  }
}

TEST(FrameWriter, takes_values_larger_than_its_room) {
  std::string frame;
  FrameWriter writer;
  writer.begin(frame);
  writer.set_common(event_at(1));
  const std::string large(100'000, 'x');
  for (std::int64_t position = 1; position <= 5; ++position) {
    writer.append(event_at(position), large);
  }
  Metadata rejection = event_at(6);
  rejection.record_type = RecordType::CommandRejection;
  rejection.rejection_type = RejectionType::NotFound;
  rejection.rejection_reason = large;
  rejection.request_id = 9;
  writer.append_any(rejection, large);
  writer.finish(Position{6});
  const auto records = read(frame);
  ASSERT_EQ(records.size(), 6U);
  for (const RecordView& record : records) EXPECT_EQ(record.value, large);
  EXPECT_EQ(records.back().metadata.rejection_reason, large);
  EXPECT_EQ(records.back().metadata.request_id, 9U);
}

TEST(FrameWriter, begins_anew_in_the_same_room) {
  std::string frame;
  FrameWriter writer;
  for (std::int64_t round = 1; round <= 3; ++round) {
    writer.begin(frame);
    writer.set_common(event_at(round));
    writer.append(event_at(round), "value");
    writer.finish(Position{round});
    const auto records = read(frame);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records.front().metadata.position, Position{round});
  }
}

}  // namespace
}  // namespace beeline::record
