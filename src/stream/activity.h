#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "engine/pending_commands.h"
#include "record/record.h"

namespace beeline::stream {

// Shows another thread, such as a watchdog, what the thread of a partition is doing. A thread that
// is stuck in a command cannot be asked, and other threads must not read its state. So before each
// command it stores the command's identity: a few atomic stores, no lock.
//
// Threading: begin() and turn() on the partition's thread, all other functions from any thread.
class Activity {
 public:
  // The partition's thread is about to process a command.
  void begin(const engine::PendingCommand& command);
  // The partition's thread begins another turn.
  void turn() { turns_.store(turns_.load(std::memory_order_relaxed) + 1); }

  // Grows with every turn and every command.
  [[nodiscard]] std::int64_t count() const { return turns_.load() + version_.load() / 2; }
  // Returns the command that was begun last as text: its type, key and position and, for a command
  // to an element, the element and its process instance.
  [[nodiscard]] std::string text() const;

 private:
  // Longer element ids are cut.
  static constexpr std::size_t kIdWords = 8;
  static constexpr std::size_t kIdBytesMax = kIdWords * sizeof(std::uint64_t);

  void store_id(std::string_view id);

  std::atomic<std::int64_t> turns_{0};
  // Odd while begin() changes the other members: a reader then tries again.
  std::atomic<std::int64_t> version_{0};
  std::atomic<std::int64_t> position_{0};
  std::atomic<std::int64_t> key_{0};
  std::atomic<std::uint32_t> type_and_intent_{0};
  std::atomic<std::int64_t> instance_{0};
  std::atomic<std::uint32_t> id_bytes_{0};
  std::array<std::atomic<std::uint64_t>, kIdWords> id_{};
};

}  // namespace beeline::stream
