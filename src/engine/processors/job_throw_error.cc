#include "engine/appliers/markers.h"
#include "engine/behaviors/errors.h"
#include "engine/behaviors/incidents.h"
#include "engine/behaviors/variable_writing.h"
#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {

using record::JobIntent;
using record::RejectionType;

void job_throw_error(Step& step, Key key, const record::JobView& command) {
  const auto job = find_workable_job(step, key, "throw an error for");
  if (!job) return step.reject(job.error());
  record::JobView value = job_value(step, **job);
  const ElementContext context = context_of(step, value.element_instance_key);
  if (row_of(step, context.key).state != ElementState::Activated) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to throw an error for job with key '{}', but its "
                                   "element is not active",
                                   key.value()));
  }
  if (is_interrupted(step, **job)) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to throw an error for job with key '{}', but its "
                                   "element '{}' takes no more events",
                                   key.value(), context.element->id));
  }
  value.error_code = command.error_code;
  const std::string message = cut_message(command.error_message);
  value.error_message = message;
  value.variables = command.variables;
  const auto catcher = find_error_catcher(step, context.key, command.error_code);
  if (catcher && !accepts(step, *catcher)) {
    return step.reject(RejectionType::InvalidState,
                       fmt::format("Expected to throw an error for job with key '{}', but '{}', "
                                   "which would catch it, takes no more events",
                                   key.value(), catcher->event->id));
  }
  if (catcher) {
    // The variables become local variables of the event that catches the error.
    const auto checked = check_local(step, owner_of(catcher->host.value), Key{}, command.variables);
    if (!checked) {
      return step.reject(checked.error().to_rejection(
          fmt::format("throw an error for job with key '{}'", key.value())));
    }
  }
  value.error_caught = catcher.has_value();
  if (!catcher) value.element_id = kNoCatchEventFound;
  step.event(JobIntent::ErrorThrown, key, value);
  step.respond_with_event(key);
  if (catcher) {
    throw_to(step, *catcher, command.variables);
    return;
  }
  raise_incident(step, context,
                 unhandled_error(step, context, context.key, command.error_code, message), key);
}

}  // namespace beeline::engine
