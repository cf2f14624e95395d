#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"
#include "record/values.h"

namespace beeline::engine {

// A command to be processed: from outside, or one that follows from another.
struct PendingCommand {
  record::Metadata metadata;  // its principal is not used; the one below is
  record::EncodedPrincipal principal = {};
  std::string value = {};  // in wire form; empty if `element` is set
  // The value of a command to an element, as it was written. Most follow-up commands are of this
  // kind, and reading back what was just written would be a large part of the work. Its names are
  // borrowed, so it exists only until the batch ends.
  std::optional<record::ProcessInstanceView> element = {};

  // Returns the value in wire form, from `value` or encoded into `buffer`.
  [[nodiscard]] std::string_view bytes(std::string& buffer) const;
};

// Commands that are on the log and not yet processed, in the order of the log. Every element passes
// two of them through here, so a processed command leaves its memory to a new one.
//
// A batch takes commands from the front and adds others at the end; then either settle() makes both
// final or roll_back() undoes both. A command that was taken keeps its place and its bytes until
// then, so rolling back costs only two assignments, however many commands are pending.
//
// A batch may have no effect: it has no records, so the log does not show that its commands were
// processed. Such a command is no longer pending, but a replay of the log finds it pending.
// for_each_on_log counts it until the next batch with records.
class PendingCommands {
 public:
  [[nodiscard]] bool empty() const { return first_ == end_; }
  [[nodiscard]] const PendingCommand& front() const { return *commands_[first_]; }
  // Takes the first command. It stays in place until settle() or roll_back().
  [[nodiscard]] const PendingCommand& take_front() { return *commands_[first_++]; }
  void push_back(const record::Metadata& metadata, std::string_view value);
  void push_back(const record::Metadata& metadata, const record::ProcessInstanceView& element);
  // Called at the end of a batch, while the names that `element` borrows still exist: releases the
  // commands that were taken, and the texts that others borrow. `is_on_log`: the batch has records.
  void settle(bool is_on_log);
  // Restores the queue of the last call of settle().
  void roll_back();

  // Calls `visit(command)` for the commands that are pending according to the log, in their order.
  // Only between two batches.
  template <typename Visit>
  void for_each_on_log(Visit&& visit) const {
    for (std::size_t i = first_on_log_; i < end_; ++i) visit(*commands_[i]);
  }
  [[nodiscard]] std::size_t count_on_log() const { return end_ - first_on_log_; }

  template <typename Predicate>
  [[nodiscard]] bool any_of(Predicate&& holds) const {
    for (std::size_t i = first_; i < end_; ++i) {
      if (holds(*commands_[i])) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] PendingCommand& add(const record::Metadata& metadata);
  // Releases the memory of large values in these places.
  void free_large(std::size_t first, std::size_t end);

  // The commands from first_ to end_ are pending. The commands before first_ were taken, and the
  // places from end_ on are free.
  std::vector<std::unique_ptr<PendingCommand>> commands_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  // The values at the last call of settle(): commands between them are settled, and roll_back()
  // returns to them.
  std::size_t first_settled_ = 0;
  std::size_t first_on_log_ = 0;  // as first_settled_, after the last batch that had records
  std::size_t end_settled_ = 0;
  bool has_large_ = false;  // true if a value in any place may own much memory
};

}  // namespace beeline::engine
