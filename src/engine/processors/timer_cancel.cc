#include <fmt/format.h>

#include "engine/behaviors/timers.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

void timer_cancel(Step& step, Key key, const record::TimerRecord&) {
  if (step.state().timers().find(key) == nullptr) {
    return step.reject(
        record::RejectionType::NotFound,
        fmt::format("Expected to cancel timer with key '{}', but no such timer was found",
                    key.value()));
  }
  cancel_timer(step, key);
}

}  // namespace beeline::engine
