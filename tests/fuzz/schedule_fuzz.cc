#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "bpmn/schedule.h"

// Hostile timer texts: a schedule that parses is never due in the past and always advances.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace beeline::bpmn;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const beeline::Timestamp now{1'767'225'600'000};
  for (const TimerKind kind : {TimerKind::Date, TimerKind::Duration, TimerKind::Cycle}) {
    const auto schedule = parse_schedule(kind, text);
    if (!schedule) continue;
    const auto due = first_due(*schedule, now);
    if (!due) continue;
    BEELINE_CHECK(due->at >= now);
    const auto next = next_due(*schedule, *due, due->at);
    BEELINE_CHECK(!next || next->at > due->at);
  }
  return 0;
}
