#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "record/principal.h"
#include "record/value_type.h"

namespace beeline::record {

// The fields that every command has besides its value, wherever the command is: at an edge, in a
// queue, on the log, on its way to another partition. Events and rejections have a value type, an
// intent and a key as well, and repeat the operation reference of the command that caused them.
// `Text` owns the principal or borrows it.
template <typename Text>
struct BasicCommandHead {
  ValueType value_type = ValueType::Job;
  IntentNumber intent = 0;
  Key key;
  // A number that a client chose; all records that its command causes repeat it.
  std::int64_t operation_reference = -1;
  // Set on a command that another partition distributes, and only there (see
  // engine/behaviors/distribution.h): then `key` is the key of the distribution. It belongs to the
  // head since any command may be distributed, and its value is the same as when a client sends it.
  Key min_pending_key{};
  // The sender. Only a client's command has a principal, and the copies of it that are distributed.
  // Events and follow-up commands have no principal; their source position leads to the command
  // that has it.
  Encoded<Principal, Text> principal = {};
  bool operator==(const BasicCommandHead&) const = default;

  // The view is valid as long as this head.
  [[nodiscard]] BasicCommandHead<std::string_view> view() const {
    return {value_type, intent, key, operation_reference, min_pending_key, {principal.bytes}};
  }
};
using CommandHead = BasicCommandHead<std::string>;
using CommandHeadView = BasicCommandHead<std::string_view>;

// The head of a command with a value of type T.
template <typename T>
[[nodiscard]] CommandHead make_head(typename T::Intent intent, Key key) {
  CommandHead head;
  head.value_type = T::kType;
  head.intent = static_cast<IntentNumber>(intent);
  head.key = key;
  return head;
}

}  // namespace beeline::record
