#pragma once

#include "record/values/common.h"

// Deployments, their processes, and the deletion of either.
namespace beeline::record {

struct DeploymentResource {
  static constexpr std::string_view kSchemaName = "DeploymentResource";

  std::string resource_name;
  std::string resource;
  bool operator==(const DeploymentResource&) const = default;
  static constexpr auto fields() {
    return std::tuple{field(1, "resourceName", &DeploymentResource::resource_name),
                      field(2, "resource", &DeploymentResource::resource)};
  }
};

struct ProcessMetadata {
  static constexpr std::string_view kSchemaName = "ProcessMetadata";

  std::string bpmn_process_id;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ProcessMetadata&) const = default;
  static constexpr auto fields() {
    using T = ProcessMetadata;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "versionTag", &T::version_tag),
                      field(4, "processDefinitionKey", &T::key),
                      field(5, "resourceName", &T::resource_name),
                      field(6, "checksum", &T::checksum),
                      field(7, "isDuplicate", &T::duplicate),
                      field(8, "deploymentKey", &T::deployment_key),
                      field(9, "tenantId", &T::tenant_id)};
  }
};

struct DecisionMetadata {
  static constexpr std::string_view kSchemaName = "DecisionMetadata";

  std::string decision_id;
  std::string decision_name;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string requirements_id;
  Key requirements_key;
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionMetadata&) const = default;
  static constexpr auto fields() {
    using T = DecisionMetadata;
    return std::tuple{field(1, "decisionId", &T::decision_id),
                      field(2, "decisionName", &T::decision_name),
                      field(3, "version", &T::version),
                      field(4, "versionTag", &T::version_tag),
                      field(5, "decisionKey", &T::key),
                      field(6, "decisionRequirementsId", &T::requirements_id),
                      field(7, "decisionRequirementsKey", &T::requirements_key),
                      field(8, "isDuplicate", &T::duplicate),
                      field(9, "deploymentKey", &T::deployment_key),
                      field(10, "tenantId", &T::tenant_id)};
  }
};

struct DecisionRequirementsMetadata {
  static constexpr std::string_view kSchemaName = "DecisionRequirementsMetadata";

  std::string requirements_id;
  std::string requirements_name;
  std::int32_t version = 0;
  Key key;
  std::string model_namespace;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  bool duplicate = false;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const DecisionRequirementsMetadata&) const = default;
  static constexpr auto fields() {
    using T = DecisionRequirementsMetadata;
    return std::tuple{field(1, "decisionRequirementsId", &T::requirements_id),
                      field(2, "decisionRequirementsName", &T::requirements_name),
                      field(3, "decisionRequirementsVersion", &T::version),
                      field(4, "decisionRequirementsKey", &T::key),
                      field(5, "namespace", &T::model_namespace),
                      field(6, "resourceName", &T::resource_name),
                      field(7, "checksum", &T::checksum),
                      field(8, "isDuplicate", &T::duplicate),
                      field(9, "deploymentKey", &T::deployment_key),
                      field(10, "tenantId", &T::tenant_id)};
  }
};

#define BEELINE_DEPLOYMENT_INTENTS(COMMAND, EVENT) \
  COMMAND(Create, 0, "CREATE")                     \
  EVENT(Created, 1, "CREATED")
BEELINE_INTENTS(DeploymentIntent, BEELINE_DEPLOYMENT_INTENTS);

struct DeploymentRecord {
  static constexpr ValueType kType = ValueType::Deployment;
  using Intent = DeploymentIntent;

  std::vector<DeploymentResource> resources;
  std::vector<ProcessMetadata> processes;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  std::vector<DecisionMetadata> decisions;
  std::vector<DecisionRequirementsMetadata> requirements;
  bool operator==(const DeploymentRecord&) const = default;
  static constexpr NoSubject kSubject{};
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = DeploymentRecord;
    return std::tuple{field(1, "resources", &T::resources),
                      field(2, "processesMetadata", &T::processes),
                      field(3, "deploymentKey", &T::deployment_key),
                      field(4, "tenantId", &T::tenant_id),
                      field(5, "decisionsMetadata", &T::decisions),
                      field(6, "decisionRequirementsMetadata", &T::requirements)};
  }
};

#define BEELINE_PROCESS_INTENTS(COMMAND, EVENT) \
  EVENT(Created, 0, "CREATED")                  \
  EVENT(Deleting, 1, "DELETING")                \
  EVENT(Deleted, 2, "DELETED")                  \
  EVENT(Draining, 3, "DRAINING")                \
  COMMAND(DeleteComplete, 4, "DELETE_COMPLETE") \
  EVENT(DeleteCompleted, 5, "DELETE_COMPLETED") \
  EVENT(FullyDeleted, 6, "FULLY_DELETED")
BEELINE_INTENTS(ProcessIntent, BEELINE_PROCESS_INTENTS);

struct ProcessRecord {
  static constexpr ValueType kType = ValueType::Process;
  using Intent = ProcessIntent;

  std::string bpmn_process_id;
  std::int32_t version = 0;
  std::string version_tag;
  Key key;
  std::string resource_name;
  std::string checksum;  // hexadecimal
  std::string resource;
  Key deployment_key;
  std::string tenant_id{kDefaultTenant};
  // For a deletion: the partitions that have yet to finish it, or the one that has finished.
  std::vector<std::int32_t> drain_partitions;
  bool operator==(const ProcessRecord&) const = default;
  static constexpr auto kSubject = &ProcessRecord::bpmn_process_id;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ProcessRecord;
    return std::tuple{field(1, "bpmnProcessId", &T::bpmn_process_id),
                      field(2, "version", &T::version),
                      field(3, "versionTag", &T::version_tag),
                      field(4, "processDefinitionKey", &T::key),
                      field(5, "resourceName", &T::resource_name),
                      field(6, "checksum", &T::checksum),
                      field(7, "resource", &T::resource),
                      field(8, "deploymentKey", &T::deployment_key),
                      field(9, "tenantId", &T::tenant_id),
                      field(10, "drainPartitions", &T::drain_partitions)};
  }
};

#define BEELINE_RESOURCE_DELETION_INTENTS(COMMAND, EVENT) \
  COMMAND(Delete, 0, "DELETE")                            \
  EVENT(Deleting, 1, "DELETING")                          \
  EVENT(Deleted, 2, "DELETED")
BEELINE_INTENTS(ResourceDeletionIntent, BEELINE_RESOURCE_DELETION_INTENTS);

// The deletion of a deployed resource: a process, or the decisions of one file.
struct ResourceDeletionRecord {
  static constexpr ValueType kType = ValueType::ResourceDeletion;
  using Intent = ResourceDeletionIntent;

  Key resource_key;
  std::string resource_type;  // "PROCESS_DEFINITION" or "DECISION_REQUIREMENTS"
  std::string resource_id;
  std::string tenant_id{kDefaultTenant};
  bool operator==(const ResourceDeletionRecord&) const = default;
  static constexpr auto kSubject = &ResourceDeletionRecord::resource_id;
  static constexpr Owner kOwner = Owner::Nobody;
  static constexpr auto fields() {
    using T = ResourceDeletionRecord;
    return std::tuple{field(1, "resourceKey", &T::resource_key),
                      field(2, "resourceType", &T::resource_type),
                      field(3, "resourceId", &T::resource_id), field(4, "tenantId", &T::tenant_id)};
  }
};

}  // namespace beeline::record
