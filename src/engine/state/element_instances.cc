#include "engine/state/element_instances.h"

#include <utility>

#include "base/check.h"

namespace beeline::engine {

ElementInstances::ElementInstances(state::Database& database) : rows_(database) {
  // Only appearing and vanishing rows matter, because an instance never moves within the tree.
  rows_.observe_presence([this](const Entry& entry, state::Presence presence) {
    const bool appears = presence == state::Presence::Appears;
    BEELINE_CHECK(appears || entry.attachment.first_child == nullptr,
                  "element instance {} goes before its children", entry.key.value());
    if (!entry.row.flow_scope_key.is_set()) {
      const int change = appears ? 1 : -1;
      process_instances_ += change;
      by_definition_[entry.row.process_definition_key] += change;
    } else if (appears) {
      link(entry);
    } else {
      unlink(entry);
    }
  });
}

std::int64_t ElementInstances::process_instance_count(Key definition) const {
  const auto it = by_definition_.find(definition);
  return it != by_definition_.end() ? it->second : 0;
}

ElementInstances::~ElementInstances() = default;

// --- the tree ---

const ElementInstances::Entry& ElementInstances::scope_of(const Entry& child) const {
  const Entry* scope = rows_.find_entry(child.row.flow_scope_key);
  BEELINE_CHECK(scope != nullptr, "element instance {} has no scope", child.key.value());
  return *scope;
}

const ElementInstances::Entry* ElementInstances::find_child(Key scope_key, ChildKey from) const {
  const Entry* scope = rows_.find_entry(scope_key);
  if (scope == nullptr) return nullptr;
  const Entry* child = scope->attachment.first_child;
  if (child == nullptr || child->key >= from) return child;
  const Entry* wanted = rows_.find_entry(from);
  if (wanted != nullptr && wanted->row.flow_scope_key == scope_key) return wanted;
  while (child != nullptr && child->key < from) child = child->attachment.next;
  return child;
}

const ElementInstances::Entry* ElementInstances::next_of(const Entry& child, const Entry& first) {
  const Entry* next = nullptr;
  for (const Entry* at = first.attachment.previous; child.key < at->key;
       at = at->attachment.previous) {
    next = at;
    if (at == &first) break;
  }
  return next;
}

void ElementInstances::link(const Entry& child) {
  const Entry*& first = scope_of(child).attachment.first_child;
  Links& links = child.attachment;
  if (first == nullptr) {
    links.previous = &child;
    first = &child;
    return;
  }
  // An entry that still has links was erased and is now restored among the siblings that it had, so
  // its old place is right. Searching would be slow: thousands may be restored in reverse order,
  // and each of them comes before all the others.
  if (links.previous == nullptr) links.next = next_of(child, *first);
  const Entry* behind = links.next != nullptr ? links.next : first;
  links.previous = std::exchange(behind->attachment.previous, &child);
  if (links.next == first) {
    first = &child;
  } else {
    links.previous->attachment.next = &child;
  }
}

void ElementInstances::unlink(const Entry& child) {
  const Entry*& first = scope_of(child).attachment.first_child;
  const Links& links = child.attachment;  // kept, because a rollback may restore the entry
  const Entry* behind = links.next != nullptr ? links.next : first;
  behind->attachment.previous = links.previous;
  if (first == &child) {
    first = links.next;
  } else {
    links.previous->attachment.next = links.next;
  }
}

// --- changes ---

void ElementInstances::insert(Key key, ElementInstanceRow&& row) {
  rows_.insert(key, std::move(row));
}

void ElementInstances::erase(Key key) {
  rows_.erase(key);
}

void ElementInstances::for_each(
    const std::function<void(Key, const ElementInstanceRow&)>& visit) const {
  rows_.for_each_sorted(visit);
}

}  // namespace beeline::engine
