#pragma once

#include <absl/hash/hash.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace beeline::state {

// Finds the slots of a table by key. A record is looked up and written in a few hundred
// instructions, so a lookup should cost ten or twenty. A place therefore contains only a pointer to
// the slot, which contains its key. A slot is at the place that its key's hash selects, or at the
// next one that was free; half of the places are free, so that one is near.
//
// Erasing moves later slots up, so no gap ends a search early. Growing never pauses, however many
// slots there are: the number of places doubles, and each insertion moves some slots from the
// former places, which are searched as well until they are empty.
template <typename K, typename Slot>
class SlotIndex {
 public:
  SlotIndex() : now_(kPlacesMin) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  // Returns null if there is no such slot.
  [[nodiscard]] Slot* find(const K& key) const {
    const std::uint64_t hash = hash_of(key);
    Slot* const slot = now_.find(key, hash);
    if (slot != nullptr || former_.count == 0) return slot;
    return former_.find(key, hash);
  }

  // The index must not contain a slot with this key.
  void insert(Slot* slot) {
    if (2 * (size_ + 1) > now_.count) grow();
    if (former_.count != 0) bring_over(kBroughtOverAtOnce);
    ++size_;
    now_.place(slot);
  }

  // The index must contain the slot.
  void erase(const Slot* slot) {
    --size_;
    if (!now_.erase(slot)) former_.mark_moved(slot);
  }

  // Calls `visit(slot)` for slots whose walk position is not below `from`, which is 0 at first, in
  // the order of these positions. The walk position of a slot is its key's mixed hash and never
  // changes. So a walk can be split into pieces, between which slots are added and removed and the
  // index grows, and it still visits every slot that existed all the time exactly once. A piece
  // ends after `places_max` places of the index, or before the first slot at which `enough()`
  // returns true. Returns where to continue, or nothing at the end.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    std::vector<std::pair<std::uint64_t, const Slot*>> here;  // slots whose home is this place
    for (std::size_t place = from >> now_.shift; place < now_.count; ++place) {
      const std::uint64_t begin = std::uint64_t{place} << now_.shift;
      if (places_max == 0 || enough()) return std::max(begin, from);
      --places_max;
      here.clear();
      const auto add_if_here = [&](const Slot& slot) {
        const std::uint64_t mixed = Places::mix(hash_of(slot.key));
        if (mixed >> now_.shift == place && mixed >= from) here.emplace_back(mixed, &slot);
      };
      now_.for_each_from(place, add_if_here);
      if (former_.count != 0) former_.for_each_from(begin >> former_.shift, add_if_here);
      std::ranges::sort(here);
      for (const auto& [mixed, slot] : here) {
        if (enough()) return mixed;
        visit(*slot);
      }
    }
    return std::nullopt;
  }

  // Visits all slots in an arbitrary order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    now_.for_each(visit);
    former_.for_each(visit);
  }

 private:
  static constexpr std::size_t kPlacesMin = 16;
  // Two per insertion would be enough to finish before the next doubling.
  static constexpr std::size_t kBroughtOverAtOnce = 8;

  static std::uint64_t hash_of(const K& key) {
    if constexpr (std::integral<K>) {
      return static_cast<std::uint64_t>(key);
    } else if constexpr (requires { requires std::integral<typename K::rep>; }) {
      return static_cast<std::uint64_t>(key.value());
    } else {
      return absl::Hash<K>{}(key);
    }
  }

  // Marks the former place of a slot that was moved or erased while the places are emptied: a
  // search continues after it.
  static Slot* moved() { return reinterpret_cast<Slot*>(std::uintptr_t{1}); }

  struct Free {
    void operator()(Slot** places) const { std::free(places); }
  };
  struct Places {
    Places() = default;
    // Allocated by calloc, which need not touch the pages of a large block.
    explicit Places(std::size_t number)
        : at(static_cast<Slot**>(std::calloc(number, sizeof(Slot*)))),
          count(number),
          shift(64 - std::countr_zero(number)) {
      if (at == nullptr) throw std::bad_alloc();
    }

    // All bits of the factors influence the upper bits of a product.
    [[nodiscard]] static std::uint64_t mix(std::uint64_t hash) {
      constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15U;
      return hash * kGoldenRatio;
    }
    [[nodiscard]] std::size_t home(std::uint64_t hash) const {
      return static_cast<std::size_t>(mix(hash) >> shift);
    }
    [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (count - 1); }

    [[nodiscard]] Slot* find(const K& key, std::uint64_t hash) const {
      for (std::size_t place = home(hash);; place = next(place)) {
        Slot* const slot = at[place];
        if (slot == nullptr) return nullptr;
        if (slot != moved() && slot->key == key) return slot;
      }
    }
    void place(Slot* slot) {
      std::size_t place = home(hash_of(slot->key));
      while (at[place] != nullptr) place = next(place);
      at[place] = slot;
    }
    // For places that are not being emptied. Returns whether it found the slot.
    bool erase(const Slot* slot) {
      std::size_t gap = home(hash_of(slot->key));
      while (at[gap] != slot) {
        if (at[gap] == nullptr) return false;
        gap = next(gap);
      }
      const std::size_t mask = count - 1;
      for (std::size_t place = next(gap); at[place] != nullptr; place = next(place)) {
        // A slot whose home lies after the gap stays where it is.
        const std::size_t from_home = (place - home(hash_of(at[place]->key))) & mask;
        if (from_home < ((place - gap) & mask)) continue;
        at[gap] = at[place];
        gap = place;
      }
      at[gap] = nullptr;
      return true;
    }
    void mark_moved(const Slot* slot) {
      std::size_t place = home(hash_of(slot->key));
      while (at[place] != slot) place = next(place);
      at[place] = moved();
    }
    // Visits all slots whose home may be this place, and others.
    template <typename Visit>
    void for_each_from(std::size_t place, Visit&& visit) const {
      for (; at[place] != nullptr; place = next(place)) {
        if (at[place] != moved()) visit(*at[place]);
      }
    }
    template <typename Visit>
    void for_each(Visit&& visit) const {
      for (std::size_t place = 0; place < count; ++place) {
        if (at[place] != nullptr && at[place] != moved()) visit(*at[place]);
      }
    }

    std::unique_ptr<Slot*[], Free> at;
    std::size_t count = 0;
    int shift = 0;
  };

  void grow() {
    if (former_.count != 0) bring_over(former_.count);
    former_ = std::exchange(now_, Places(2 * now_.count));
    brought_over_ = 0;
  }
  void bring_over(std::size_t places) {
    for (; places > 0 && brought_over_ < former_.count; --places) {
      Slot*& slot = former_.at[brought_over_++];
      if (slot == nullptr || slot == moved()) continue;
      now_.place(slot);
      slot = moved();
    }
    if (brought_over_ == former_.count) former_ = Places();
  }

  Places now_;
  Places former_;  // empty, except while slots are moved
  std::size_t brought_over_ = 0;
  std::size_t size_ = 0;
};

}  // namespace beeline::state
