#include "engine/behaviors/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "bpmn/parse.h"
#include "engine/behaviors/expressions.h"
#include "engine/behaviors/user_task_headers.h"

namespace beeline::engine {
namespace {

using record::ErrorType;
using record::JobIntent;

Result<std::string, Failure> evaluate_type(const Step& step, const ElementContext& context,
                                           const bpmn::JobDefinition& definition) {
  BEELINE_TRY(std::string type, evaluate_string(step, definition.type, context.key));
  if (type.empty()) {
    return failure(Failure{ErrorType::ExtractValueError,
                           fmt::format("Expected the job type of element '{}' to be a non-empty "
                                       "string, but the expression '{}' gave an empty one",
                                       context.element->id, definition.type.text),
                           context.key});
  }
  if (type.size() > bpmn::kTextCharsMax) {
    return failure(Failure{ErrorType::ExtractValueError,
                           fmt::format("Expected the job type of element '{}' to have at most {} "
                                       "characters, but it has {}",
                                       context.element->id, bpmn::kTextCharsMax, type.size()),
                           context.key});
  }
  return type;
}

}  // namespace

Result<NewJob, Failure> evaluate_job(const Step& step, const ElementContext& context) {
  const auto& definition = context.element->parts().job;
  BEELINE_ENSURE(definition.has_value(), "element '{}' has no job", context.element->id);
  NewJob job;
  BEELINE_TRY(job.type, evaluate_type(step, context, *definition));
  BEELINE_TRY(const std::int64_t retries, evaluate_number(step, definition->retries, context.key));
  job.retries = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      retries, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  BEELINE_TRY(job.priority, evaluate_integer(step, definition->priority, context.key));
  if (const auto& task = context.element->parts().user_task) {
    BEELINE_TRY(job.headers, evaluate_user_task(step, *task, context.key));
  }
  return job;
}

void create_job(Step& step, const ElementContext& context, const NewJob& job) {
  record::JobView value;
  value.type = job.type;
  value.retries = job.retries;
  value.priority = job.priority;
  for (const bpmn::Header& header : context.element->parts().job->headers) {
    value.custom_headers.entries.push_back({header.key, header.value});
  }
  for (const bpmn::Header& header : job.headers) {
    value.custom_headers.entries.push_back({header.key, header.value});
  }
  value.element_id = context.value.element_id;
  value.element_type = context.value.element_type;
  fill_owner(value, context);
  value.process_definition_version = context.value.version;
  if (const TagsRow* tags = step.state().find_tags(context.value.root_process_instance_key)) {
    value.tags = tags->tags;
  }
  const Key key = step.next_key();
  step.event(JobIntent::Created, key, value);
  step.job_available({value.tenant_id, value.type}, key);
}

void cancel_job(Step& step, const ElementContext& context) {
  const Key key = row_of(step, context.key).job_key;
  if (!key.is_set()) return;
  step.event(JobIntent::Canceled, key, job_value(step, step.state().jobs().get(key)));
}

record::JobView job_value(const Step& step, const JobRow& row) {
  return job_value(context_of(step, row.element_instance_key), row);
}

record::JobView job_value(const ElementContext& context, const JobRow& row) {
  record::JobView value;
  value.type = row.type;
  value.custom_headers = row.headers;
  value.worker = row.worker;
  value.retries = row.retries;
  value.priority = row.priority;
  value.recurring_time = row.recurring_time;
  value.deadline = row.deadline;
  value.error_message = row.error_message;
  value.error_code = row.error_code;
  value.element_id = context.value.element_id;
  value.element_type = context.value.element_type;
  fill_owner(value, context);
  value.process_definition_version = context.value.version;
  value.tenant_id = row.tenant_id;
  value.tags = row.tags;
  return value;
}

}  // namespace beeline::engine
