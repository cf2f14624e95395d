#pragma once

#include <absl/functional/any_invocable.h>

#include <string>
#include <utility>
#include <vector>

#include "record/job_group.h"
#include "record/values.h"

namespace beeline::service {

// The jobs that a call asks for: the jobs of one type, of some tenants. Calls that ask for the same
// jobs take turns.
struct JobSelection {
  std::vector<std::string> tenants;  // sorted, each once
  std::string type;

  bool operator==(const JobSelection&) const = default;
  template <typename H>
  friend H AbslHashValue(H hash, const JobSelection& selection) {
    return H::combine(std::move(hash), selection.tenants, selection.type);
  }

  // Calls `visit(group)` for the jobs of each tenant.
  template <typename Visit>
  void for_each_group(Visit&& visit) const {
    for (const std::string& tenant : tenants) visit(record::JobGroup{tenant, type});
  }
};

// A batch without tenants asks for jobs of the default tenant.
[[nodiscard]] JobSelection selection_of(const record::JobBatchRecord& batch);

// Called when jobs get the first call that asks for them, or lose the last.
using JobInterest = absl::AnyInvocable<void(const JobSelection& jobs, bool interested)>;

}  // namespace beeline::service
