#include "state/slot_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace beeline::state {
namespace {

struct NumberedSlot : SlotBase {
  explicit NumberedSlot(int its_number) : number(its_number) {}
  int number;
};

// Empties the list.
std::string taken_from(SlotList& list) {
  std::string numbers;
  while (!list.empty()) {
    const auto& slot = static_cast<const NumberedSlot&>(list.front());
    numbers += std::to_string(slot.number) + " ";
    SlotList::remove(slot);
  }
  return numbers;
}

std::vector<NumberedSlot> slots_up_to(int number) {
  std::vector<NumberedSlot> slots;
  for (int i = 0; i <= number; ++i) slots.emplace_back(i);
  return slots;
}

TEST(SlotList, keeps_the_order_in_which_slots_were_added) {
  std::vector<NumberedSlot> slots = slots_up_to(3);
  SlotList list;
  EXPECT_TRUE(list.empty());
  for (const std::size_t i : {2u, 0u, 3u, 1u}) list.push_back(slots[i]);
  EXPECT_EQ(taken_from(list), "2 0 3 1 ");
  EXPECT_TRUE(list.empty());
}

TEST(SlotList, lets_slots_go_from_anywhere_and_come_again) {
  std::vector<NumberedSlot> slots = slots_up_to(4);
  SlotList list;
  for (NumberedSlot& slot : slots) list.push_back(slot);
  for (const std::size_t i : {2u, 0u, 4u}) SlotList::remove(slots[i]);
  list.push_back(slots[2]);
  EXPECT_EQ(taken_from(list), "1 3 2 ");
}

TEST(SlotList, hands_all_its_slots_over) {
  std::vector<NumberedSlot> slots = slots_up_to(3);
  SlotList from;
  SlotList to;
  to.take_over(from);
  EXPECT_TRUE(to.empty());
  for (const std::size_t i : {0u, 1u, 2u}) from.push_back(slots[i]);
  to.take_over(from);
  EXPECT_TRUE(from.empty());
  from.push_back(slots[3]);
  SlotList::remove(slots[1]);
  EXPECT_EQ(taken_from(to), "0 2 ");
  EXPECT_EQ(taken_from(from), "3 ");
}

}  // namespace
}  // namespace beeline::state
