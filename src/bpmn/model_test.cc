#include "bpmn/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace beeline::bpmn {
namespace {

ElementIndex add(Process& process, std::string id, ElementType type) {
  const ElementIndex index{static_cast<std::int32_t>(process.elements.size())};
  Element& element = process.elements.emplace_back();
  element.id = std::move(id);
  element.type = type;
  element.index = index;
  process.add_to_index(index);
  return index;
}

TEST(Process, finds_elements_by_ids_of_any_length) {
  Process process;
  EXPECT_EQ(process.find("anything"), nullptr);
  std::vector<std::string> ids;
  for (std::size_t length = 1; length <= 40; ++length) {
    for (const char last : {'x', 'y'}) {
      ids.push_back(std::string(length - 1, 'a') + last);
      add(process, ids.back(), ElementType::Task);
    }
  }
  // Long ids that differ only in the middle, as generated ids may.
  for (int i = 0; i < 500; ++i) {
    ids.push_back(fmt::format("Activity_with_a_long_{:04}_and_the_same_end", i));
    add(process, ids.back(), ElementType::Task);
  }
  for (const std::string& id : ids) {
    const Element* found = process.find(id);
    ASSERT_NE(found, nullptr) << id;
    EXPECT_EQ(found->id, id);
    EXPECT_EQ(process.find(id + "z"), nullptr);
  }
  EXPECT_EQ(process.find(""), nullptr);
}

TEST(Process, of_two_elements_with_one_id_the_one_that_replaced_the_other_is_found) {
  Process process;
  const ElementIndex inner = add(process, "pack", ElementType::ServiceTask);
  const ElementIndex body = add(process, "pack", ElementType::MultiInstanceBody);
  EXPECT_EQ(process.find("pack")->index, inner);
  process.elements[1].inner = inner;
  process.replace_in_index(body);
  EXPECT_EQ(process.find("pack")->index, body);
  EXPECT_EQ(process.find("pack", ElementType::ServiceTask)->index, inner);
  EXPECT_EQ(process.find("pack", ElementType::EndEvent), nullptr);
}

}  // namespace
}  // namespace beeline::bpmn
