#include "engine/pending_commands.h"

#include <utility>

#include "record/codec.h"

namespace beeline::engine {
namespace {

// No more than a batch has use for, and none that holds on to much memory.
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
  if (spare_.empty()) {
    queue_.push_back(std::make_unique<PendingCommand>());
  } else {
    queue_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  PendingCommand& command = *queue_.back();
  command.metadata = metadata;
  return command;
}

void PendingCommands::push_back(const record::Metadata& metadata, std::string_view value) {
  PendingCommand& command = add(metadata);
  command.value.assign(value);
  command.element.reset();
}

void PendingCommands::push_back(const record::Metadata& metadata,
                                const record::ProcessInstanceRecord& element) {
  PendingCommand& command = add(metadata);
  command.value.clear();
  command.element = element;
}

std::unique_ptr<PendingCommand> PendingCommands::take_front() {
  std::unique_ptr<PendingCommand> taken = std::move(queue_.front());
  queue_.pop_front();
  return taken;
}

void PendingCommands::recycle(std::unique_ptr<PendingCommand> done) {
  if (spare_.size() >= kSpareMax || done->value.capacity() > kSpareBytesMax) return;
  spare_.push_back(std::move(done));
}

std::vector<PendingCommand> PendingCommands::copy() const {
  std::vector<PendingCommand> commands;
  commands.reserve(queue_.size());
  for (const auto& command : queue_) commands.push_back(*command);
  return commands;
}

void PendingCommands::replace_with(const std::vector<PendingCommand>& commands) {
  queue_.clear();
  for (const PendingCommand& command : commands) add(command.metadata) = command;
}

}  // namespace beeline::engine
