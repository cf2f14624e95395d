#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

// So many at a time, that other commands get their turn.
constexpr std::size_t kMessagesMax = 100;

std::size_t size_of_event(const record::MessageRecord& message) {
  constexpr std::size_t kRest = 256;
  return message.name.size() + message.correlation_key.size() + message.message_id.size() +
         message.tenant_id.size() + kRest;
}

}  // namespace

void message_batch_expire(Step& step, Key, const record::MessageBatchRecord& command) {
  const Messages& messages = step.state().messages();
  std::size_t count = 0;
  for (const Key key : messages.overdue(step.now(), kMessagesMax)) {
    const bool fits = size_of_event(messages.find(key)->record) < step.bytes_left();
    if (!fits && count > 0) break;
    expire_message(step, key);
    ++count;
  }
  if (!messages.overdue(step.now(), 1).empty()) {
    step.command(record::MessageBatchIntent::Expire, Key{}, command);
  }
}

}  // namespace beeline::engine
