#include "stream/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "record/codec.h"
#include "record/values/process_instances.h"

namespace beeline::stream {
namespace {

constexpr int kTriesMax = 100;
constexpr std::uint32_t kIntentBits = 16;

}  // namespace

void Activity::begin(const engine::PendingCommand& command) {
  const std::int64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // Each release store keeps the store of the odd version before it.
  const record::Metadata& metadata = command.metadata;
  position_.store(metadata.position.value(), std::memory_order_release);
  key_.store(metadata.key.value(), std::memory_order_release);
  type_and_intent_.store(
      static_cast<std::uint32_t>(metadata.value_type) << kIntentBits | metadata.intent,
      std::memory_order_release);
  if (command.element) {
    instance_.store(command.element->process_instance_key.value(), std::memory_order_release);
    store_id(command.element->element_id);
  } else if (metadata.value_type == record::ValueType::ProcessInstance) {
    // The command comes from the log, after a restart.
    const auto value = record::try_decode<record::ProcessInstanceRecord>(command.value);
    instance_.store(value ? value->process_instance_key.value() : 0, std::memory_order_release);
    store_id(value ? std::string_view(value->element_id) : std::string_view{});
  } else {
    instance_.store(0, std::memory_order_release);
    store_id({});
  }
  version_.store(version + 2, std::memory_order_release);
}

void Activity::store_id(std::string_view id) {
  id = id.substr(0, kIdBytesMax);
  id_bytes_.store(static_cast<std::uint32_t>(id.size()), std::memory_order_release);
  for (std::size_t at = 0; at < id.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, id.data() + at, std::min(sizeof word, id.size() - at));
    id_[at / sizeof word].store(word, std::memory_order_release);
  }
}

std::string Activity::text() const {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const std::int64_t version = version_.load(std::memory_order_acquire);
    if (version == 0) return "no command yet";
    const std::int64_t position = position_.load(std::memory_order_acquire);
    const std::int64_t key = key_.load(std::memory_order_acquire);
    const std::uint32_t type_and_intent = type_and_intent_.load(std::memory_order_acquire);
    const std::int64_t instance = instance_.load(std::memory_order_acquire);
    std::array<char, kIdBytesMax> id{};
    const std::size_t id_bytes = id_bytes_.load(std::memory_order_acquire);
    for (std::size_t at = 0; at < id_bytes; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = id_[at / sizeof(word)].load(std::memory_order_acquire);
      std::memcpy(id.data() + at, &word, sizeof word);
    }
    if (version % 2 != 0 || version_.load(std::memory_order_relaxed) != version) continue;
    record::Metadata metadata;
    metadata.record_type = record::RecordType::Command;
    metadata.value_type = static_cast<record::ValueType>(type_and_intent >> kIntentBits);
    metadata.intent =
        static_cast<record::IntentNumber>(type_and_intent & ((1U << kIntentBits) - 1));
    std::string text = fmt::format("command {} with key {} at position {}",
                                   record::text_name(metadata), key, position);
    if (instance != 0) {
      text += fmt::format(", element '{}' of process instance {}",
                          std::string_view(id.data(), id_bytes), instance);
    }
    return text;
  }
  return "commands that change too fast to be named";
}

}  // namespace beeline::stream
