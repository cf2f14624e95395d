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
  record::Metadata metadata;
  std::string value;  // in wire form; not there when `element` is
  // The value of a command to an element, as it was written: most commands that follow are such,
  // and reading back what was just written would be a good part of the work. Its names are borrowed
  // and so it is there until the batch ends.
  std::optional<record::ProcessInstanceView> element;

  // The value in wire form, from `value` or into `buffer`.
  [[nodiscard]] std::string_view bytes(std::string& buffer) const;
};

// Commands that are on the log and not yet processed, in the order in which they stand there. Every
// element passes two of them through here, so a command that is done leaves its memory to one that
// comes.
//
// A batch takes commands from the front and adds others at the end, then either settle() makes both
// final or roll_back() undoes both. A command that was taken keeps its place and its bytes until
// then, so that rolling back costs nothing but two assignments, however many commands are pending.
//
// A batch may come to nothing: it has no records, and so the log does not tell that its commands
// were processed. Such a command is not pending any more, but a replay of the log finds it pending.
// for_each_on_log counts it until the next batch that has records.
class PendingCommands {
 public:
  [[nodiscard]] bool empty() const { return first_ == end_; }
  [[nodiscard]] const PendingCommand& front() const { return *commands_[first_]; }
  // Takes the first one away. It stays where it is until settle() or roll_back().
  [[nodiscard]] const PendingCommand& take_front() { return *commands_[first_++]; }
  void push_back(const record::Metadata& metadata, std::string_view value);
  void push_back(const record::Metadata& metadata, const record::ProcessInstanceView& element);
  // At the end of a batch, while the names that `element` borrows are still there: lets go of the
  // commands that were taken, and of what others borrow. `is_on_log`: the batch has records.
  void settle(bool is_on_log);
  // Makes the queue what it was when settle() was last called.
  void roll_back();

  // Calls `visit(command)` for the commands that are pending as far as the log tells, in their
  // order. Only between two batches.
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
  // Gives back the memory of large values in these places.
  void free_large(std::size_t first, std::size_t end);

  // Those from first_ to end_ are pending. Those before were taken, those behind are room.
  std::vector<std::unique_ptr<PendingCommand>> commands_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  // Where these two were when settle() was last called: commands between them are settled, and
  // roll_back() goes back to here.
  std::size_t first_settled_ = 0;
  std::size_t first_on_log_ = 0;  // as first_settled_, after the last batch that had records
  std::size_t end_settled_ = 0;
  bool has_large_ = false;  // whether a value in any place may hold on to much memory
};

}  // namespace beeline::engine
