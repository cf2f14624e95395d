#include "engine/pending_commands.h"

#include <algorithm>

#include "record/codec.h"

namespace beeline::engine {
namespace {

// Spare commands are kept for reuse: no more than a batch needs, and no large values.
constexpr std::size_t kSpareMax = 128;
constexpr std::size_t kSpareBytesMax = 4096;

}  // namespace

std::string_view PendingCommand::bytes(std::string& buffer) const {
  if (!element) return value;
  buffer.clear();
  record::encode(*element, buffer);
  return buffer;
}

PendingCommand& PendingCommands::add(const record::Metadata& metadata) {
  if (end_ == commands_.size()) commands_.push_back(std::make_unique<PendingCommand>());
  PendingCommand& command = *commands_[end_++];
  command.metadata = metadata;
  command.metadata.principal = {};
  // Most commands follow from other commands and have no principal.
  if (!metadata.principal.empty() || !command.principal.empty()) [[unlikely]] {
    command.principal.bytes = metadata.principal.bytes;
  }
  return command;
}

void PendingCommands::push_back(const record::Metadata& metadata, std::string_view value) {
  PendingCommand& command = add(metadata);
  command.value.assign(value);
  has_large_ = has_large_ || value.size() > kSpareBytesMax;
  command.element.reset();
}

void PendingCommands::push_back(const record::Metadata& metadata,
                                const record::ProcessInstanceView& element) {
  add(metadata).element = element;
}

void PendingCommands::free_large(std::size_t first, std::size_t end) {
  if (!has_large_) return;
  for (std::size_t i = first; i < end; ++i) {
    if (commands_[i]->value.capacity() > kSpareBytesMax) commands_[i]->value = {};
  }
}

void PendingCommands::roll_back() {
  free_large(end_settled_, end_);
  first_ = first_settled_;
  end_ = end_settled_;
}

void PendingCommands::settle(bool is_on_log) {
  first_settled_ = first_;
  if (!is_on_log) return;  // so nothing was added either
  free_large(first_on_log_, first_);
  for (std::size_t i = std::max(first_, end_settled_); i < end_; ++i) {
    PendingCommand& command = *commands_[i];
    if (!command.element) continue;
    (void)command.bytes(command.value);
    has_large_ = has_large_ || command.value.size() > kSpareBytesMax;
    command.element.reset();
  }
  // Move the pending commands to the front of the memory, but only after at least as many were
  // taken, so that a long queue is not moved for every batch.
  if (first_ >= end_ - first_) {
    if (!empty()) {
      std::rotate(commands_.begin(), commands_.begin() + static_cast<std::ptrdiff_t>(first_),
                  commands_.begin() + static_cast<std::ptrdiff_t>(end_));
    }
    end_ -= first_;
    first_ = 0;
    if (commands_.size() > end_ + kSpareMax) commands_.resize(end_ + kSpareMax);
  }
  first_settled_ = first_on_log_ = first_;
  end_settled_ = end_;
  if (empty()) has_large_ = false;
}

}  // namespace beeline::engine
