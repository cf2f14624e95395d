#include "stream/activity.h"

#include <gtest/gtest.h>

#include <thread>

#include "record/codec.h"

namespace beeline::stream {
namespace {

engine::PendingCommand element_command(std::string_view element_id) {
  engine::PendingCommand command;
  command.metadata.position = Position{17};
  command.metadata.key = Key{42};
  command.metadata.record_type = record::RecordType::Command;
  command.metadata.value_type = record::ValueType::ProcessInstance;
  command.metadata.intent =
      static_cast<record::IntentNumber>(record::ProcessInstanceIntent::ActivateElement);
  command.element.emplace();
  command.element->process_instance_key = Key{7};
  command.element->element_id = element_id;
  return command;
}

TEST(Activity, names_the_element_and_the_instance_of_the_command_under_way) {
  Activity activity;
  EXPECT_EQ(activity.text(), "no command yet");
  activity.begin(element_command("task"));
  EXPECT_EQ(activity.text(),
            "command ELEMENT ACTIVATE with key 42 at position 17, element 'task' "
            "of process instance 7");
  activity.begin(element_command(std::string(70, 'x')));
  EXPECT_NE(activity.text().find("'" + std::string(64, 'x') + "'"), std::string::npos);
}

TEST(Activity, names_them_for_a_command_that_was_read_from_the_log) {
  engine::PendingCommand command = element_command("task");
  record::ProcessInstanceRecord value;
  value.process_instance_key = Key{8};
  value.element_id = "other";
  record::encode(value, command.value);
  command.element.reset();
  Activity activity;
  activity.begin(command);
  EXPECT_TRUE(activity.text().ends_with("element 'other' of process instance 8"))
      << activity.text();
}

TEST(Activity, counts_turns_and_commands) {
  Activity activity;
  const std::int64_t before = activity.count();
  activity.turn();
  activity.begin(element_command("task"));
  EXPECT_EQ(activity.count(), before + 2);
}

TEST(Activity, is_never_read_half_changed) {
  Activity activity;
  std::atomic<bool> is_over{false};
  const std::string names[] = {std::string(40, 'a'), std::string(64, 'b')};
  std::thread writer([&] {
    for (int i = 0; i < 20'000; ++i) activity.begin(element_command(names[i % 2]));
    is_over = true;
  });
  while (!is_over) {
    const std::string text = activity.text();
    EXPECT_TRUE(text.find(names[0] + "'") != std::string::npos ||
                text.find(names[1] + "'") != std::string::npos || text == "no command yet" ||
                text.starts_with("commands that"))
        << text;
  }
  writer.join();
}

}  // namespace
}  // namespace beeline::stream
