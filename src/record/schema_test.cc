#include "record/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

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

// The message protoc made for each value.
std::unique_ptr<google::protobuf::Message> generated_message(ValueType type) {
  switch (type) {
    case ValueType::Job:
      return std::make_unique<pb::Job>();
    case ValueType::Deployment:
      return std::make_unique<pb::Deployment>();
    case ValueType::ProcessInstance:
      return std::make_unique<pb::ProcessInstance>();
    case ValueType::Incident:
      return std::make_unique<pb::Incident>();
    case ValueType::Message:
      return std::make_unique<pb::Message>();
    case ValueType::MessageSubscription:
      return std::make_unique<pb::MessageSubscription>();
    case ValueType::ProcessMessageSubscription:
      return std::make_unique<pb::ProcessMessageSubscription>();
    case ValueType::JobBatch:
      return std::make_unique<pb::JobBatch>();
    case ValueType::Timer:
      return std::make_unique<pb::Timer>();
    case ValueType::MessageStartEventSubscription:
      return std::make_unique<pb::MessageStartEventSubscription>();
    case ValueType::Variable:
      return std::make_unique<pb::Variable>();
    case ValueType::VariableDocument:
      return std::make_unique<pb::VariableDocument>();
    case ValueType::ProcessInstanceCreation:
      return std::make_unique<pb::ProcessInstanceCreation>();
    case ValueType::Error:
      return std::make_unique<pb::Error>();
    case ValueType::ProcessInstanceResult:
      return std::make_unique<pb::ProcessInstanceResult>();
    case ValueType::Process:
      return std::make_unique<pb::Process>();
    case ValueType::ProcessEvent:
      return std::make_unique<pb::ProcessEvent>();
    case ValueType::Decision:
      return std::make_unique<pb::Decision>();
    case ValueType::DecisionRequirements:
      return std::make_unique<pb::DecisionRequirements>();
    case ValueType::DecisionEvaluation:
      return std::make_unique<pb::DecisionEvaluation>();
    case ValueType::CommandDistribution:
      return std::make_unique<pb::CommandDistribution>();
    case ValueType::ResourceDeletion:
      return std::make_unique<pb::ResourceDeletion>();
    case ValueType::ProcessInstanceBatch:
      return std::make_unique<pb::ProcessInstanceBatch>();
    case ValueType::MessageBatch:
      return std::make_unique<pb::MessageBatch>();
    case ValueType::MessageCorrelation:
      return std::make_unique<pb::MessageCorrelation>();
    case ValueType::AsyncRequest:
      return std::make_unique<pb::AsyncRequest>();
    case ValueType::MultiInstance:
      return std::make_unique<pb::MultiInstance>();
  }
  return nullptr;
}

TEST(Schema, generated_code_reads_our_bytes_and_we_read_what_it_writes) {
  for_each_value(
      [](const auto* type) {
        using T = std::decay_t<decltype(*type)>;
        std::string ours;
        encode(sample<T>(), ours);
        const auto message = generated_message(T::kType);
        ASSERT_NE(message, nullptr);
        ASSERT_TRUE(message->ParseFromString(ours)) << name_of(T::kType);
        // Nothing of ours is unknown to the published schema.
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
  EXPECT_EQ(record.source_position(), -1);
  EXPECT_EQ(record.key(), 9);
  EXPECT_EQ(record.rejection_type(), 255u);
  EXPECT_EQ(record.value(), "v");
}

}  // namespace
}  // namespace beeline::record
