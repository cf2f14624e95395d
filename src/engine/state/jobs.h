#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/node_hash_map.h>
#include <absl/strings/string_view.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/rows.h"
#include "state/ordered_index.h"
#include "state/table.h"

namespace beeline::engine {

// Jobs, and the orders in which they are asked for: what to hand out of a type, what times out,
// what comes back after its back-off.
class Jobs {
 public:
  explicit Jobs(state::Database& database);
  ~Jobs();

  [[nodiscard]] const JobRow* find(Key key) const { return rows_.find(key); }
  // For a row that must be there.
  [[nodiscard]] const JobRow& get(Key key) const { return existing(find(key), "job", key); }

  // The jobs of a type that can be handed out, in the order in which they are: priority descending,
  // then key ascending; those older than `first` are passed over. `visit` says whether to go on.
  template <typename Visit>
  void for_each_activatable(std::string_view type, Key first, Visit&& visit) const {
    const auto it = by_type_.find(absl::string_view{type.data(), type.size()});
    if (it == by_type_.end()) return;
    const absl::btree_set<Activatable>& jobs = it->second.activatable;
    auto at = jobs.begin();
    while (at != jobs.end()) {
      if (at->key < first) {
        // On to the first that is wanted of this priority, or to the next priority.
        at = jobs.lower_bound({at->priority, first});
        continue;
      }
      if (!visit(at->key)) return;
      ++at;
    }
  }

  // Jobs whose deadline is not after `now`, the earliest first.
  [[nodiscard]] std::vector<Key> timed_out(Timestamp now, std::size_t limit) const;
  // Failed jobs whose back-off is over at `now`, the earliest first.
  [[nodiscard]] std::vector<Key> backed_off(Timestamp now, std::size_t limit) const;
  // When the next of either is due; nothing when none waits.
  [[nodiscard]] std::optional<Timestamp> next_due() const;

  struct Counts {
    std::int64_t activatable = 0;
    std::int64_t activated = 0;
    std::int64_t failed = 0;  // error thrown included
    bool operator==(const Counts&) const = default;
    [[nodiscard]] std::int64_t& of(JobState state) {
      return state == JobState::Activatable ? activatable
             : state == JobState::Activated ? activated
                                            : failed;
    }
  };
  // By type, for metrics; types without a job are left out.
  [[nodiscard]] absl::flat_hash_map<std::string, Counts> counts() const;

  // For those who look at the state from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, JobRow&& row);
  template <typename Change>
  void update(Key key, Change&& change) {
    rows_.update(key, std::forward<Change>(change));
  }
  void erase(Key key);

 private:
  struct Activatable {
    std::int32_t priority;
    Key key;
    bool operator==(const Activatable&) const = default;
    bool operator<(const Activatable& other) const {
      return priority != other.priority ? priority > other.priority : key < other.key;
    }
  };
  struct OfType {
    absl::btree_set<Activatable> activatable;
    Counts counts;
  };
  void on_change(Key key, const JobRow* before, const JobRow* after);
  void index(Key key, const JobRow& row, OfType& jobs);
  void unindex(Key key, const JobRow& row, OfType& jobs);

  state::Table<Key, JobRow, RowCodec<JobRow>> rows_;
  using ByType = absl::node_hash_map<std::string, OfType>;  // entries stay where they are
  ByType by_type_;
  ByType::value_type* last_type_ = nullptr;  // mostly the next job is of the same one
  absl::btree_set<std::pair<Timestamp, Key>> deadlines_;
  absl::btree_set<std::pair<Timestamp, Key>> backoffs_;
};

}  // namespace beeline::engine
