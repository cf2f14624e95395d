#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "engine/behaviors/incidents.h"
#include "engine/processors/job_checks.h"
#include "engine/processors/processors.h"

namespace beeline::engine {
namespace {

using record::JobBatchIntent;
using record::JobBatchView;
using record::RejectionType;

// Bytes of a reply that are not filled with jobs.
constexpr std::size_t kSpareBytes = 8 * 1024;
// The number of jobs for which memory is reserved before the real number is known.
constexpr std::size_t kJobsUsual = 32;

std::optional<std::string> find_problem(const JobBatchView& command) {
  if (command.max_jobs_to_activate < 1) {
    return fmt::format(
        "Expected to activate job batch with max jobs to activate to be greater than "
        "zero, but it was '{}'",
        command.max_jobs_to_activate);
  }
  if (command.timeout.count() < 1) {
    return fmt::format(
        "Expected to activate job batch with timeout to be greater than zero, but it "
        "was '{}'",
        command.timeout.count());
  }
  if (command.type.find_first_not_of(" \t\r\n") == std::string::npos) {
    return "Expected to activate job batch with type to be present, but it was blank";
  }
  return std::nullopt;
}

// Returns the tenants whose jobs the command asks for, without duplicates.
absl::InlinedVector<std::string_view, 1> tenants_of(const JobBatchView& command) {
  if (command.tenant_ids.empty()) return {record::kDefaultTenant};
  absl::InlinedVector<std::string_view, 1> tenants{command.tenant_ids.begin(),
                                                   command.tenant_ids.end()};
  std::ranges::sort(tenants);
  tenants.erase(std::ranges::unique(tenants).begin(), tenants.end());
  return tenants;
}

}  // namespace

void job_batch_activate(Step& step, Key, const JobBatchView& command) {
  if (auto problem = find_problem(command)) {
    return step.reject(RejectionType::InvalidArgument, *std::move(problem));
  }
  JobBatchView batch = command;
  batch.jobs.reserve(std::min(static_cast<std::size_t>(command.max_jobs_to_activate), kJobsUsual));
  const std::size_t bytes_max = step.reply_bytes_max();
  std::size_t bytes_left = bytes_max > kSpareBytes ? bytes_max - kSpareBytes : 0;
  const Timestamp deadline = step.now() + command.timeout;
  Key too_large;
  std::size_t too_large_bytes = 0;
  std::string encoded;  // the jobs, as the batch record contains them
  const auto tenants = tenants_of(command);
  const auto add = [&](Key key) {
    const JobRow& job = step.state().jobs().get(key);
    record::JobView value = job_value(step, job);
    value.worker = command.worker;
    value.deadline = deadline;
    value.variables = step.state().variables().collect(job.element_instance_key, command.variables);
    const std::size_t before = encoded.size();
    record::encode_nested(JobBatchView::kJobsField, value, encoded);
    const std::size_t bytes = encoded.size() - before;
    if (bytes > bytes_left) {
      encoded.resize(before);
      batch.truncated = true;
      if (batch.jobs.empty()) {
        too_large = key;
        too_large_bytes = bytes;
      }
      return false;
    }
    bytes_left -= bytes;
    batch.job_keys.push_back(key);
    value.variables = {};  // encoded already and not needed any more
    batch.jobs.push_back(std::move(value));
    return batch.jobs.size() < static_cast<std::size_t>(command.max_jobs_to_activate);
  };
  step.state().jobs().for_each_activatable(command.type, tenants, command.first_job_key, add);
  const Key batch_key = step.next_key();
  step.event(JobBatchIntent::Activated, batch_key, batch, [&](std::string& out) {
    record::encode_part<1, JobBatchView::kJobsField - 1>(batch, out);
    out += encoded;
    record::encode_part<JobBatchView::kJobsField + 1, record::kFieldMax>(batch, out);
  });
  step.respond_with_event(batch_key);
  if (!too_large.is_set()) return;
  const JobRow& job = step.state().jobs().get(too_large);
  raise_incident(
      step, context_of(step, job.element_instance_key),
      {record::ErrorType::MessageSizeExceeded,
       fmt::format(
           "The job with key '{}' can not be activated, because with {} bytes it is larger than "
           "the configured message size (per default is 4 MB). Try to reduce the size by reducing "
           "the number of fetched variables or modifying the variable values.",
           too_large.value(), too_large_bytes),
       job.element_instance_key},
      too_large);
}

}  // namespace beeline::engine
