#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace beeline::state {

// Memory for the rows of a table: addresses never change, and most rows need no call of the
// allocator. Slots come from blocks and return to a free list; blocks live as long as the pool.
template <typename Slot>
class SlotPool {
 public:
  SlotPool() = default;
  SlotPool(const SlotPool&) = delete;
  SlotPool& operator=(const SlotPool&) = delete;

  // The caller must give every slot back before the pool is destroyed; otherwise the slot's
  // destructor does not run.
  template <typename... Args>
  [[nodiscard]] Slot* make(Args&&... args) {
    if (free_.empty()) grow();
    Slot* slot = std::construct_at(free_.back(), std::forward<Args>(args)...);
    free_.pop_back();
    return slot;
  }

  void destroy(Slot* slot) {
    std::destroy_at(slot);
    free_.push_back(slot);
  }

 private:
  static constexpr std::size_t kSlotsPerBlock = 256;
  struct Block {
    alignas(Slot) std::byte bytes[kSlotsPerBlock * sizeof(Slot)];
  };

  void grow() {
    blocks_.push_back(std::make_unique_for_overwrite<Block>());
    auto* slots = reinterpret_cast<Slot*>(blocks_.back()->bytes);
    // The last entry is handed out first.
    for (std::size_t i = kSlotsPerBlock; i > 0; --i) free_.push_back(slots + i - 1);
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Slot*> free_;
};

}  // namespace beeline::state
