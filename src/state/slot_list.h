#pragma once

#include "base/check.h"

namespace beeline::state {

// What a slot is to those who need not know its row: its place in a list.
struct SlotBase {
  SlotBase* previous = nullptr;
  SlotBase* next = nullptr;
};

// Slots in the order in which they were added, linked through themselves: adding one takes no
// memory, and one leaves from anywhere at the same cost. A slot is in one list at most, which does
// not own it, and leaves that before it dies.
//
// The list is a ring that its ends close, so that no neighbour is ever missing.
class SlotList {
 public:
  SlotList() = default;
  SlotList(const SlotList&) = delete;
  SlotList& operator=(const SlotList&) = delete;

  [[nodiscard]] bool empty() const { return ends_.next == &ends_; }
  // The one that was added first. The list must not be empty.
  [[nodiscard]] SlotBase& front() { return *ends_.next; }

  void push_back(SlotBase& slot) {
    slot.previous = ends_.previous;
    slot.next = &ends_;
    slot.previous->next = &slot;
    ends_.previous = &slot;
  }
  // From the list that it is in. What it says of its neighbours then means nothing.
  static void remove(const SlotBase& slot) {
    slot.previous->next = slot.next;
    slot.next->previous = slot.previous;
  }
  // Takes all slots out of `other` into this list, which must be empty.
  void take_over(SlotList& other) {
    BEELINE_CHECK(empty(), "a list has slots that would be lost");
    if (other.empty()) return;
    ends_ = other.ends_;
    ends_.previous->next = &ends_;
    ends_.next->previous = &ends_;
    other.ends_ = SlotBase{&other.ends_, &other.ends_};
  }

 private:
  SlotBase ends_{&ends_, &ends_};
};

}  // namespace beeline::state
