#pragma once

#include <algorithm>
#include <deque>
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
  // and reading back what was just written would be a good part of the work.
  std::optional<record::ProcessInstanceRecord> element;

  // The value in wire form, from `value` or into `buffer`.
  [[nodiscard]] std::string_view bytes(std::string& buffer) const;
};

// Commands that are on the log and not yet processed, in the order in which they stand there. Every
// element passes two of them through here, so commands that are done leave their memory to those
// that come.
class PendingCommands {
 public:
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] const PendingCommand& front() const { return *queue_.front(); }
  [[nodiscard]] std::unique_ptr<PendingCommand> take_front();
  // Leaves the memory of a command that was taken to those that come.
  void recycle(std::unique_ptr<PendingCommand> done);
  void push_back(const record::Metadata& metadata, std::string_view value);
  void push_back(const record::Metadata& metadata, const record::ProcessInstanceRecord& element);

  template <typename Predicate>
  [[nodiscard]] bool any_of(Predicate&& holds) const {
    return std::any_of(queue_.begin(), queue_.end(),
                       [&](const auto& command) { return holds(*command); });
  }

  [[nodiscard]] std::vector<PendingCommand> copy() const;
  void replace_with(const std::vector<PendingCommand>& commands);

 private:
  [[nodiscard]] PendingCommand& add(const record::Metadata& metadata);

  std::deque<std::unique_ptr<PendingCommand>> queue_;
  std::vector<std::unique_ptr<PendingCommand>> spare_;
};

}  // namespace beeline::engine
