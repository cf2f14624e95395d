#include <fmt/format.h>

#include "engine/behaviors/message_correlation.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void message_expire(Step& step, Key key, const record::MessageRecord&) {
  if (step.state().messages().find(key) == nullptr) {
    return step.reject(
        record::RejectionType::NotFound,
        fmt::format("Expected to expire message with key '{}', but no such message was found",
                    key.value()));
  }
  expire_message(step, MessageKey{key});
}

}  // namespace beeline::engine
