#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/values.h"
#include "tests/support/chance.h"

namespace beeline::testing {

// The names that random processes wait for and random clients send.
inline constexpr const char* kMessageNames[] = {"paid", "sent"};
// The message name of non-interrupting events, besides the names above.
inline constexpr const char* kNewsName = "news";
// The signals that random processes wait for, throw, and random clients broadcast.
inline constexpr const char* kSignalNames[] = {"go", "halt"};
// The signal of events that may fire any number of times, which no process throws.
inline constexpr const char* kAlarmName = "alarm";
inline constexpr const char* kCorrelationKeys[] = {"a", "b", "c", "123"};
inline constexpr const char* kJobTypes[] = {"work0", "work1", "work2"};
// The processes that clients create instances of.
inline constexpr const char* kProcessIds[] = {"order", "claim"};

// Names and contents of files.
using Resources = std::vector<std::pair<std::string, std::string>>;

// Resources to deploy: two random processes of all kinds of elements; the process and the decision
// that they call; processes that messages, signals and conditions start; and a process that can be
// begun anywhere. Instances read the variables `a`, `b` (small numbers), `key` (a text) and
// `payload` (of any size, or absent); a job may set `again` to go round once more.
//
// An instance always ends, if messages of all names and keys are published and the signals are
// broadcast for long enough, jobs are completed, time passes, and instances with incidents that
// cannot be resolved are cancelled.
[[nodiscard]] Resources random_resources(Chance& chance);

// Changes some creations, so that the instance begins at elements of a process that can be begun
// anywhere, or ends after an element, or both.
void add_random_instructions(Chance& chance, record::ProcessInstanceCreationRecord& creation);

}  // namespace beeline::testing
