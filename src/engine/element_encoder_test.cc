#include "engine/element_encoder.h"

#include <gtest/gtest.h>

#include "record/codec.h"

namespace beeline::engine {
namespace {

using record::ProcessInstanceView;

std::string encoded(const ProcessInstanceView& value) {
  std::string bytes;
  record::encode(value, bytes);
  return bytes;
}

ProcessInstanceView task() {
  ProcessInstanceView value;
  value.bpmn_process_id = "order";
  value.version = 2;
  value.process_definition_key = Key{1};
  value.process_instance_key = Key{2};
  value.element_id = "ship";
  value.element_type = record::ElementType::ServiceTask;
  value.flow_scope_key = Key{3};
  value.root_process_instance_key = Key{2};
  return value;
}

TEST(ElementEncoder, a_change_of_any_field_is_seen) {
  ElementEncoder encoder;
  EXPECT_EQ(encoder.encode(task()), encoded(task()));
  EXPECT_EQ(encoder.encode(task()), encoded(task()));
  const auto changed = [&](auto change) {
    EXPECT_EQ(encoder.encode(task()), encoded(task()));
    ProcessInstanceView value = task();
    change(value);
    EXPECT_NE(encoded(value), encoded(task()));
    EXPECT_EQ(encoder.encode(value), encoded(value));
  };
  changed([](ProcessInstanceView& value) { value.bpmn_process_id = "claim"; });
  changed([](ProcessInstanceView& value) { value.version = 3; });
  changed([](ProcessInstanceView& value) { value.process_definition_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.process_instance_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.element_id = "pack"; });
  changed([](ProcessInstanceView& value) { value.element_type = record::ElementType::EndEvent; });
  changed([](ProcessInstanceView& value) { value.event_type = record::EventType::None; });
  changed([](ProcessInstanceView& value) { value.flow_scope_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.parent_process_instance_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.parent_element_instance_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.tenant_id = "acme"; });
  changed([](ProcessInstanceView& value) { value.root_process_instance_key = Key{9}; });
  changed([](ProcessInstanceView& value) { value.activation.set().tags = {"gold"}; });
}

TEST(ElementEncoder, the_part_of_an_activation_stands_behind_what_is_common) {
  ElementEncoder encoder;
  ProcessInstanceView value = task();
  record::ActivationPart part;
  part.process_definition_path.push_back(Key{1});
  part.element_instance_path.push_back({.keys = {Key{2}, Key{4}}});
  part.tags = {"gold"};
  const std::string with_part{encoder.encode(value, part)};
  EXPECT_EQ(encoder.encode(value), encoded(value)) << "the next record is without it";
  value.activation.set() = part;
  EXPECT_EQ(with_part, encoded(value));
  EXPECT_EQ(encoder.encode(value), encoded(value));
}

TEST(ElementEncoder, names_may_change_between_two_batches) {
  ElementEncoder encoder;
  std::string name = "ship";
  ProcessInstanceView value = task();
  value.element_id = name;
  EXPECT_EQ(encoder.encode(value), encoded(value));
  name.front() = 'c';
  encoder.forget();
  EXPECT_EQ(encoder.encode(value), encoded(value));
  encoder.forget();
  EXPECT_EQ(encoder.encode(ProcessInstanceView{}), "");
}

}  // namespace
}  // namespace beeline::engine
