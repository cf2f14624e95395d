#pragma once

#include <absl/hash/hash.h>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline::state {

// Finds the slots of a table by key. A record is looked up and written in a few hundred
// instructions, so a lookup is to cost ten or twenty: a place holds nothing but the slot, which has
// its key; a slot is at the place its key's hash names, or at the next that was free; half of the
// places are free, so that this is near.
//
// Erasing moves up what stands behind, so that no gap ends a search early.
template <typename K, typename Slot>
class SlotIndex {
 public:
  SlotIndex() { resize(kPlacesMin); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  // Null when there is none.
  [[nodiscard]] Slot* find(const K& key) const {
    for (std::size_t at = home(key);; at = next(at)) {
      Slot* const slot = places_[at];
      if (slot == nullptr || slot->key == key) return slot;
    }
  }

  // No slot with this key may be there.
  void insert(Slot* slot) {
    if (2 * (size_ + 1) > places_.size()) grow();
    ++size_;
    place(slot);
  }

  // The slot must be there.
  void erase(const Slot* slot) {
    std::size_t gap = home(slot->key);
    while (places_[gap] != slot) gap = next(gap);
    for (std::size_t at = next(gap); places_[at] != nullptr; at = next(at)) {
      // What is at home behind the gap stays where it is.
      const std::size_t from_home = (at - home(places_[at]->key)) & mask();
      if (from_home < ((at - gap) & mask())) continue;
      places_[gap] = places_[at];
      gap = at;
    }
    places_[gap] = nullptr;
    --size_;
  }

  // In no order that may matter.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (Slot* const slot : places_) {
      if (slot != nullptr) visit(*slot);
    }
  }

 private:
  static constexpr std::size_t kPlacesMin = 16;

  // The upper bits of a product are those that all bits of the factors have gone into.
  [[nodiscard]] std::size_t home(const K& key) const {
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = 0;
    if constexpr (std::integral<K>) {
      hash = static_cast<std::uint64_t>(key);
    } else if constexpr (requires { requires std::integral<typename K::rep>; }) {
      hash = static_cast<std::uint64_t>(key.value());
    } else {
      hash = absl::Hash<K>{}(key);
    }
    return static_cast<std::size_t>((hash * kGoldenRatio) >> shift_);
  }
  [[nodiscard]] std::size_t mask() const { return places_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }

  void place(Slot* slot) {
    std::size_t at = home(slot->key);
    while (places_[at] != nullptr) at = next(at);
    places_[at] = slot;
  }
  void resize(std::size_t places) {
    places_.assign(places, nullptr);
    shift_ = 64 - std::countr_zero(places);
  }
  void grow() {
    const std::vector<Slot*> before = std::move(places_);
    resize(2 * before.size());
    for (Slot* const slot : before) {
      if (slot != nullptr) place(slot);
    }
  }

  std::vector<Slot*> places_;
  std::size_t size_ = 0;
  int shift_ = 0;
};

}  // namespace beeline::state
