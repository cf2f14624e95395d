#include <algorithm>

#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

// The number of messages that one command expires, limited so that other commands get their turn.
constexpr std::size_t kMessagesMax = 100;

std::size_t size_of_event(const record::MessageRecord& message) {
  constexpr std::size_t kRest = 256;
  return message.name.size() + message.correlation_key.size() + message.message_id.size() +
         message.tenant_id.size() + kRest;
}

}  // namespace

void message_batch_expire(Step& step, Key, const record::MessageBatchRecord& command) {
  const Messages& messages = step.state().messages();
  const std::vector<MessageKey> under_way = step.pending_correlations();
  std::size_t count = 0;
  bool is_more = false;
  for (const MessageKey key : messages.overdue(step.now(), kMessagesMax + under_way.size() + 1)) {
    // The receivers that existed when the message was published still get it. The step that serves
    // the last of them removes the message.
    if (std::ranges::find(under_way, key) != under_way.end()) continue;
    const bool fits = size_of_event(messages.get(key).record) < step.bytes_left();
    is_more = count == kMessagesMax || (!fits && count > 0);
    if (is_more) break;
    expire_message(step, key);
    ++count;
  }
  if (is_more) step.command(record::MessageBatchIntent::Expire, Key{}, command);
}

}  // namespace beeline::engine
