#include "record/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "record/codec.h"
#include "record/record.h"
#include "record/sample_values_test.h"
#include "records.pb.h"

namespace beeline::record {
namespace {

namespace pb = beeline::records::v1;

TEST(Schema, the_published_file_is_what_the_field_lists_say) {
  std::ifstream file{"proto/records.proto"};
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), schema_text())
      << "regenerate it: beeline inspect --schema > proto/records.proto";
}

TEST(Schema, the_specification_has_a_row_for_each_value_type_with_all_of_its_intents) {
  std::ifstream file{"docs/spec/records.md"};
  std::stringstream text;
  text << file.rdbuf();
  for (const ValueType type : all_value_types()) {
    std::string row = fmt::format("\n| {} | {} |", name_of(type), static_cast<int>(type));
    std::string_view before = " ";
    for (const IntentName& intent : intents_of(type)) {
      row += fmt::format("{}{} {}{}", std::exchange(before, ", "), intent.name, intent.number,
                         intent.written_as == RecordType::Command ? " C" : "");
    }
    // A remark in parentheses may follow.
    const bool is_there = text.str().find(row + " |") != std::string::npos ||
                          text.str().find(row + " (") != std::string::npos;
    EXPECT_TRUE(is_there) << "docs/spec/records.md lacks" << row;
  }
}

// A message of the class that protoc made for `name`.
std::unique_ptr<google::protobuf::Message> generated_message(std::string_view name) {
  const google::protobuf::Descriptor* descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
          "beeline.records.v1." + std::string{name});
  if (descriptor == nullptr) return nullptr;
  google::protobuf::MessageFactory& factory =
      *google::protobuf::MessageFactory::generated_factory();
  return std::unique_ptr<google::protobuf::Message>{factory.GetPrototype(descriptor)->New()};
}

TEST(Schema, generated_code_reads_our_bytes_and_we_read_what_it_writes) {
  for_each_value(
      [](const auto* type) {
        using T = std::decay_t<decltype(*type)>;
        std::string ours;
        encode(sample<T>(), ours);
        const auto message = generated_message(message_name(T::kType));
        ASSERT_NE(message, nullptr);
        ASSERT_TRUE(message->ParseFromString(ours)) << name_of(T::kType);
        // The published schema knows all of our fields.
        EXPECT_TRUE(message->GetReflection()->GetUnknownFields(*message).empty())
            << name_of(T::kType);
        EXPECT_EQ(try_decode<T>(message->SerializeAsString()), sample<T>()) << name_of(T::kType);
      },
      AllValues{});
}

TEST(Schema, generated_code_sees_the_same_defaults) {
  pb::Timer timer;
  ASSERT_TRUE(timer.ParseFromString(""));
  EXPECT_EQ(timer.repetitions(), 1);
  EXPECT_EQ(timer.element_instance_key(), -1);
  EXPECT_EQ(timer.tenant_id(), "<default>");
}

TEST(Schema, generated_code_reads_a_record) {
  Metadata m;
  m.position = Position{5};
  m.key = Key{9};
  m.timestamp = Timestamp{3};
  std::string bytes;
  append_record(m, "v", bytes);
  pb::Record record;
  ASSERT_TRUE(record.ParseFromString(bytes.substr(4)));
  EXPECT_EQ(record.position(), 5);
  EXPECT_EQ(record.source_record_position(), -1);
  EXPECT_EQ(record.key(), 9);
  EXPECT_EQ(record.rejection_type(), 255);
  EXPECT_EQ(record.value(), "v");
}

}  // namespace
}  // namespace beeline::record
