#include "service/job_selection.h"

#include <algorithm>

namespace beeline::service {

JobSelection selection_of(const record::JobBatchRecord& batch) {
  JobSelection selection{batch.tenant_ids, batch.type};
  if (selection.tenants.empty()) selection.tenants.emplace_back(record::kDefaultTenant);
  std::ranges::sort(selection.tenants);
  const auto repeated = std::ranges::unique(selection.tenants);
  selection.tenants.erase(repeated.begin(), repeated.end());
  return selection;
}

}  // namespace beeline::service
