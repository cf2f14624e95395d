#pragma once

#include <absl/hash/hash.h>
#include <absl/strings/string_view.h>

#include <string>
#include <string_view>
#include <utility>

namespace beeline::record {

struct JobGroupView {
  std::string_view tenant;
  std::string_view type;
  bool operator==(const JobGroupView&) const = default;
};

// The jobs that one tenant has of one type. Workers ask for jobs by group, and partitions announce
// jobs by group.
struct JobGroup {
  std::string tenant;
  std::string type;

  JobGroup() = default;
  JobGroup(std::string tenant_in, std::string type_in)
      : tenant(std::move(tenant_in)), type(std::move(type_in)) {}
  explicit JobGroup(const JobGroupView& group) : tenant(group.tenant), type(group.type) {}
  operator JobGroupView() const { return {tenant, type}; }  // NOLINT: as std::string does
  bool operator==(const JobGroup&) const = default;
};

// For hash maps by JobGroup in which a JobGroupView finds its entry.
struct JobGroupHash {
  using is_transparent = void;
  std::size_t operator()(const JobGroupView& group) const {
    return absl::HashOf(absl::string_view{group.tenant.data(), group.tenant.size()},
                        absl::string_view{group.type.data(), group.type.size()});
  }
};
struct JobGroupEqual {
  using is_transparent = void;
  bool operator()(const JobGroupView& left, const JobGroupView& right) const {
    return left == right;
  }
};

}  // namespace beeline::record
