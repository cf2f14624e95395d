#include "record/record.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>
#include <set>
#include <string>

#include "record/codec.h"
#include "record/sample_values_test.h"
#include "record/values.h"

namespace beeline::record {
namespace {

TEST(Codec, every_value_survives_the_round_trip_full_and_empty) {
  for_each_value(
      [](const auto* type) {
        using T = std::decay_t<decltype(*type)>;
        std::string bytes;
        encode(sample<T>(), bytes);
        EXPECT_EQ(try_decode<T>(bytes), sample<T>()) << name_of(T::kType);
        bytes.clear();
        encode(T{}, bytes);
        EXPECT_TRUE(bytes.empty()) << name_of(T::kType);
        EXPECT_EQ(try_decode<T>(bytes), T{}) << name_of(T::kType);
      },
      AllValues{});
}

TEST(Codec, a_view_reads_and_writes_the_bytes_of_its_value) {
  for_each_value(
      [](const auto* type) {
        using T = std::decay_t<decltype(*type)>;
        std::string bytes;
        encode(sample<T>(), bytes);
        std::string again;
        encode(decode<ViewOf<T>>(bytes), again);
        EXPECT_EQ(again, bytes) << name_of(T::kType);
      },
      AllValues{});
}

TEST(Codec, parts_are_the_whole) {
  const std::string bytes = [] {
    std::string encoded;
    encode(sample<ProcessInstanceRecord>(), encoded);
    return encoded;
  }();
  const auto value = decode<ProcessInstanceView>(bytes);
  std::string parts;
  encode_part<1, 12>(value, parts);
  encode(*value.activation, parts);
  EXPECT_EQ(parts, bytes);
}

TEST(Codec, pairs_of_texts_of_any_length_are_read) {
  Document document;
  for (const std::size_t name_size : {0U, 1U, 127U, 128U, 300U}) {
    for (const std::size_t value_size : {0U, 1U, 127U, 128U, 300U}) {
      document.entries.push_back({std::string(name_size, 'n'), std::string(value_size, 'v')});
    }
  }
  std::string bytes;
  encode(document, bytes);
  EXPECT_EQ(decode<Document>(bytes), document);
}

TEST(Codec, pairs_of_texts_are_read_in_any_order_and_with_unknown_fields) {
  std::string bytes;
  protozero::pbf_writer writer{bytes};
  {
    protozero::pbf_writer entry{writer, 1};
    entry.add_string(2, "1");
    entry.add_string(1, "a");
  }
  {
    protozero::pbf_writer entry{writer, 1};
    entry.add_string(1, "b");
    entry.add_string(2, "2");
    entry.add_uint64(9, 7);
  }
  EXPECT_EQ(decode<Document>(bytes), (Document{{{"a", "1"}, {"b", "2"}}}));
  std::string cut;
  protozero::pbf_writer broken{cut};
  broken.add_string(1, std::string{"\x0a\x05"
                                   "ab\x12",
                                   5});
  EXPECT_FALSE(try_decode<Document>(cut).has_value());
}

TEST(Codec, rare_parts_are_copied_and_compared_as_if_they_were_fields) {
  const auto full = sample<ProcessInstanceRecord>();
  ProcessInstanceRecord copy = full;
  EXPECT_EQ(copy, full);
  copy.activation.set().tags.clear();
  EXPECT_NE(copy, full);
  copy = full;
  EXPECT_EQ(copy, full);
  copy.activation = {};
  EXPECT_FALSE(copy.activation.is_set());
  EXPECT_TRUE(copy.activation->tags.empty());
  ProcessInstanceRecord empty_part = copy;
  (void)empty_part.activation.set();
  EXPECT_EQ(empty_part, copy);
}

TEST(Codec, field_numbers_are_unique_in_every_value) {
  for_each_value(
      [](const auto* type) {
        using T = std::decay_t<decltype(*type)>;
        std::set<std::uint32_t> numbers;
        std::set<std::string_view> names;
        for_each_field<T>([&](const auto& each) {
          EXPECT_TRUE(numbers.insert(each.number).second) << each.name;
          EXPECT_TRUE(names.insert(each.name).second) << each.name;
        });
      },
      AllValues{});
}

TEST(Codec, unknown_fields_and_foreign_wire_types_are_skipped) {
  std::string bytes;
  protozero::pbf_writer writer{bytes};
  writer.add_string(900, "from a newer version");
  writer.add_string(4, "retries is a number");
  writer.add_string(1, "ship");
  const auto job = try_decode<JobRecord>(bytes);
  ASSERT_TRUE(job.has_value());
  EXPECT_EQ(job->type, "ship");
  EXPECT_EQ(job->retries, 0);
}

TEST(Codec, a_value_cut_short_is_refused) {
  std::string bytes;
  encode(sample<JobRecord>(), bytes);
  bytes.resize(bytes.size() - 1);
  EXPECT_FALSE(try_decode<JobRecord>(bytes).has_value());
}

Metadata full_metadata() {
  Metadata m;
  m.position = Position{12};
  m.source_position = Position{11};
  m.key = make_key(PartitionId{3}, 77);
  m.timestamp = Timestamp{1'700'000'000'000};
  m.record_type = RecordType::CommandRejection;
  m.value_type = ValueType::Job;
  m.intent = static_cast<IntentNumber>(JobIntent::Complete);
  m.version = 2;
  m.partition = PartitionId{3};
  m.rejection_type = RejectionType::NotFound;
  m.rejection_reason = "no such job";
  m.request_id = 99;
  m.operation_reference = 5;
  m.min_pending_key = Key{8};
  return m;
}

TEST(Record, metadata_survives_the_round_trip) {
  const Metadata wrote = full_metadata();
  std::string bytes;
  append_record(wrote, "", bytes);
  RecordReader reader{bytes};
  const auto record = reader.next();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->metadata, wrote);
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.malformed());
}

TEST(Record, a_reader_notices_every_cut) {
  std::string bytes;
  append_record(full_metadata(), "value", bytes);
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    RecordReader reader{std::string_view{bytes}.substr(0, length)};
    EXPECT_FALSE(reader.next().has_value()) << length;
    EXPECT_TRUE(reader.malformed()) << length;
  }
}

TEST(Record, a_distributed_command_is_shown_as_what_it_is) {
  JobRecord job;
  job.type = "courier";
  CommandDistributionRecord distribution;
  distribution.queue_id = "Q";
  distribution.value_type = ValueType::Job;
  encode(job, distribution.command_value);
  std::string value;
  encode(distribution, value);
  Metadata m;
  m.value_type = ValueType::CommandDistribution;
  m.intent = static_cast<IntentNumber>(CommandDistributionIntent::Started);
  const std::string json = value_to_json({m, value});
  EXPECT_NE(json.find(R"("commandValue":{"type":"courier",)"), std::string::npos) << json;
  EXPECT_EQ(to_text({m, value}), R"(E COMMAND_DISTRIBUTION STARTED queueId="Q")");
}

TEST(Record, text_and_json_name_what_matters) {
  JobRecord job;
  job.type = "courier";
  job.retries = 3;
  job.variables.entries.push_back({"a", "[1]"});
  std::string value;
  encode(job, value);
  Metadata m;
  m.position = Position{1};
  m.key = Key{7};
  m.value_type = ValueType::Job;
  m.intent = static_cast<IntentNumber>(JobIntent::Created);
  const RecordView record{m, value};
  EXPECT_EQ(to_text(record), R"(E JOB CREATED key=7 type="courier" retries=3 variables={"a":[1]})");
  const std::string json = to_json(record);
  EXPECT_NE(json.find(R"("intent":"CREATED")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("variables":{"a":[1]})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("tenantId":"<default>")"), std::string::npos) << json;
}

TEST(Record, element_records_are_named_by_what_happens_to_the_element) {
  Metadata m;
  m.value_type = ValueType::ProcessInstance;
  m.intent = static_cast<IntentNumber>(ProcessInstanceIntent::ElementActivating);
  EXPECT_EQ(text_name(m), "ELEMENT ACTIVATING");
  m.intent = static_cast<IntentNumber>(ProcessInstanceIntent::TerminateElement);
  EXPECT_EQ(text_name(m), "ELEMENT TERMINATE");
  m.intent = static_cast<IntentNumber>(ProcessInstanceIntent::Cancel);
  EXPECT_EQ(text_name(m), "PROCESS_INSTANCE CANCEL");
}

TEST(Record, has_the_subject_that_its_value_names) {
  const auto subject = [](const auto& value) {
    RecordView record;
    record.metadata.value_type = std::decay_t<decltype(value)>::kType;
    std::string bytes;
    encode(value, bytes);
    record.value = bytes;
    return subject_of(record);
  };
  JobRecord job;
  job.type = "ship";
  EXPECT_EQ(subject(job), "ship");
  IncidentRecord incident;
  incident.error_type = ErrorType::JobNoRetries;
  EXPECT_EQ(subject(incident), "JOB_NO_RETRIES");
  CommandDistributionRecord distribution;
  EXPECT_EQ(subject(distribution), "");
  distribution.partition_id = PartitionId{2};
  EXPECT_EQ(subject(distribution), "2");
  EXPECT_EQ(subject(DeploymentRecord{}), "");
  RecordView unknown;
  unknown.metadata.value_type = static_cast<ValueType>(200);
  EXPECT_EQ(subject_of(unknown), "");
}

TEST(ValueTypes, every_value_has_a_name_and_intents) {
  for (const ValueType type : all_value_types()) {
    EXPECT_NE(name_of(type), "UNKNOWN");
    EXPECT_FALSE(intents_of(type).empty());
  }
  EXPECT_EQ(name_of(static_cast<ValueType>(254)), "UNKNOWN");
}

}  // namespace
}  // namespace beeline::record
