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
class PendingCommands {
 public:
  [[nodiscard]] bool empty() const { return first_ == end_; }
  [[nodiscard]] const PendingCommand& front() const { return *commands_[first_]; }
  // Takes the first one away. It stays where it is until settle().
  [[nodiscard]] const PendingCommand& take_front() { return *commands_[first_++]; }
  void push_back(const record::Metadata& metadata, std::string_view value);
  void push_back(const record::Metadata& metadata, const record::ProcessInstanceView& element);
  // Between two batches: lets go of what was taken, and of what others borrow.
  void settle();

  template <typename Predicate>
  [[nodiscard]] bool any_of(Predicate&& holds) const {
    for (std::size_t i = first_; i < end_; ++i) {
      if (holds(*commands_[i])) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<PendingCommand> copy() const;
  void replace_with(const std::vector<PendingCommand>& commands);

 private:
  [[nodiscard]] PendingCommand& add(const record::Metadata& metadata);

  // Those from first_ to end_ are pending. Those before were taken, those behind are room.
  std::vector<std::unique_ptr<PendingCommand>> commands_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  // Where these two were when settle() was last called: what is before is settled.
  std::size_t first_settled_ = 0;
  std::size_t end_settled_ = 0;
};

}  // namespace beeline::engine
