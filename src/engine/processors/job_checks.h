#pragma once

#include <fmt/format.h>

#include <string_view>

#include "engine/behaviors/jobs.h"
#include "engine/failure.h"
#include "engine/step.h"

// The checks that every command about a job makes first.
namespace beeline::engine {

inline constexpr std::size_t kErrorMessageCharsMax = 10'000;

[[nodiscard]] inline Rejection no_such_job(std::string_view verb, Key key) {
  return {record::RejectionType::NotFound,
          fmt::format("Expected to {} job with key '{}', but no such job was found", verb,
                      key.value())};
}

// Returns the job, in any state.
[[nodiscard]] inline Result<const JobRow*, Rejection> find_job(const Step& step, Key key,
                                                               std::string_view verb) {
  const JobRow* job = step.state().jobs().find(key);
  if (job == nullptr) return failure(no_such_job(verb, key));
  return job;
}

// Returns the job if a worker may have it: activatable or activated.
[[nodiscard]] inline Result<const JobRow*, Rejection> find_workable_job(const Step& step, Key key,
                                                                        std::string_view verb) {
  BEELINE_TRY(const JobRow* job, find_job(step, key, verb));
  if (job->state == JobState::Failed || job->state == JobState::ErrorThrown) {
    return failure(
        Rejection{record::RejectionType::InvalidState,
                  fmt::format("Expected to {} job with key '{}', but it is in state '{}'", verb,
                              key.value(), name_of(job->state))});
  }
  return job;
}

// True if an interrupting boundary event has ended the work on the job, although its task still
// exists. The first command on the log wins.
[[nodiscard]] inline bool is_interrupted(const Step& step, const JobRow& job) {
  const ElementInstanceRow* row = step.state().element_instances().find(job.element_instance_key);
  return row != nullptr && !row->accepts_events;
}

// Cuts a message that is too long, between two characters.
[[nodiscard]] inline std::string cut_message(std::string_view message) {
  if (message.size() <= kErrorMessageCharsMax) return std::string{message};
  std::size_t end = kErrorMessageCharsMax;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xc0) == 0x80) --end;
  return std::string{message.substr(0, end)} + "...";
}

}  // namespace beeline::engine
