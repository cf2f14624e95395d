#pragma once

#include "base/check.h"

namespace beeline::state {

// A slot without its row: its place in a list.
struct SlotBase {
  SlotBase* previous = nullptr;
  SlotBase* next = nullptr;
};

// A list of slots in the order in which they were added, linked through the slots: adding one takes
// no memory, and removing one costs the same anywhere. A slot is in at most one list, which does
// not own it, and must leave it before it is destroyed.
//
// The list is a ring that is closed by its ends, so every slot has both neighbours.
class SlotList {
 public:
  SlotList() = default;
  SlotList(const SlotList&) = delete;
  SlotList& operator=(const SlotList&) = delete;

  [[nodiscard]] bool empty() const { return ends_.next == &ends_; }
  // Returns the slot that was added first. The list must not be empty.
  [[nodiscard]] SlotBase& front() { return *ends_.next; }

  void push_back(SlotBase& slot) {
    slot.previous = ends_.previous;
    slot.next = &ends_;
    slot.previous->next = &slot;
    ends_.previous = &slot;
  }
  // Removes the slot from its list. Its links are invalid afterwards.
  static void remove(const SlotBase& slot) {
    slot.previous->next = slot.next;
    slot.next->previous = slot.previous;
  }
  // Moves all slots of `other` into this list, which must be empty.
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
