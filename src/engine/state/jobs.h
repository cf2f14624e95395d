#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>
#include <absl/container/node_hash_map.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/tables.h"
#include "record/job_group.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Jobs, and the orders in which they are looked up: jobs of a tenant and a type that can be handed
// out, jobs that time out, jobs that return after their back-off.
class Jobs {
 public:
  explicit Jobs(state::Database& database);
  ~Jobs();

  [[nodiscard]] const JobRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const JobRow& get(Key key) const { return existing(find(key), "job", key); }

  // Visits the jobs of this type and these tenants that can be handed out, by descending priority,
  // then by ascending key. Skips jobs older than `first`. Each tenant must be named once. `visit`
  // returns true to continue. Jobs of other tenants cost nothing.
  template <typename Visit>
  void for_each_activatable(std::string_view type, std::span<const std::string_view> tenants,
                            Key first, Visit&& visit) const {
    absl::InlinedVector<Cursor, 2> cursors;
    for (const std::string_view tenant : tenants) {
      const auto group = by_group_.find(record::JobGroupView{tenant, type});
      if (group == by_group_.end()) continue;
      Cursor cursor{&group->second.activatable, group->second.activatable.begin()};
      if (cursor.pass_over(first)) cursors.push_back(cursor);
    }
    // The cursors are a heap; its front is the cursor at the job that comes first.
    const auto comes_later = [](const Cursor& a, const Cursor& b) { return *b.at < *a.at; };
    std::ranges::make_heap(cursors, comes_later);
    while (!cursors.empty()) {
      std::ranges::pop_heap(cursors, comes_later);
      Cursor& next = cursors.back();
      if (!visit(next.at->key)) return;
      ++next.at;
      if (next.pass_over(first)) {
        std::ranges::push_heap(cursors, comes_later);
      } else {
        cursors.pop_back();
      }
    }
  }

  // Returns jobs whose deadline is not after `now`, the earliest first.
  [[nodiscard]] std::vector<Key> timed_out(Timestamp now, std::size_t limit) const;
  // Returns failed jobs whose back-off is over at `now`, the earliest first.
  [[nodiscard]] std::vector<Key> backed_off(Timestamp now, std::size_t limit) const;
  // Returns when the next job times out or returns after its back-off; nothing if no job waits.
  [[nodiscard]] std::optional<Timestamp> next_due() const;

  struct Counts {
    std::int64_t activatable = 0;
    std::int64_t activated = 0;
    std::int64_t failed = 0;  // including jobs with a thrown error
    bool operator==(const Counts&) const = default;
    Counts& operator+=(const Counts& other) {
      activatable += other.activatable;
      activated += other.activated;
      failed += other.failed;
      return *this;
    }
    [[nodiscard]] std::int64_t& of(JobState state) {
      return state == JobState::Activatable ? activatable
             : state == JobState::Activated ? activated
                                            : failed;
    }
  };
  // Counts by type, for metrics; types without a job are left out.
  [[nodiscard]] absl::flat_hash_map<std::string, Counts> counts() const;

  // For readers from outside; see state::Table::walk.
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
  struct Group {
    absl::btree_set<Activatable> activatable;
    Counts counts;
  };
  // A place among the jobs of one group.
  struct Cursor {
    const absl::btree_set<Activatable>* jobs;
    absl::btree_set<Activatable>::const_iterator at;

    // Moves to the next job that is not older than `first`; returns false if there is no such job.
    bool pass_over(Key first) {
      // The next place is the first wanted job of this priority, or the next priority.
      while (at != jobs->end() && at->key < first) at = jobs->lower_bound({at->priority, first});
      return at != jobs->end();
    }
  };
  void on_change(Key key, const JobRow* before, const JobRow* after);
  void index(Key key, const JobRow& row, Group& group);
  void unindex(Key key, const JobRow& row, Group& group);

  // The map never moves its entries.
  using ByGroup =
      absl::node_hash_map<record::JobGroup, Group, record::JobGroupHash, record::JobGroupEqual>;
  // Keeps a group that has no jobs any more, for the next job, and forgets the one kept before.
  void keep_empty(ByGroup::value_type& group);

  TableOf<TableNumber::Jobs> rows_;
  ByGroup by_group_;
  ByGroup::value_type* last_group_ = nullptr;  // the next job is mostly of the same group
  // The group that was the last to become empty; it may have jobs again. Models can compute job
  // types, so no other group without jobs is kept.
  ByGroup::value_type* empty_group_ = nullptr;
  absl::btree_set<std::pair<Timestamp, Key>> deadlines_;
  absl::btree_set<std::pair<Timestamp, Key>> backoffs_;
};

}  // namespace beeline::engine
