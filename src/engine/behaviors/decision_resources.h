#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "engine/step.h"
#include "record/values.h"

// The decisions of a deployment (spec: dmn 5).
namespace beeline::engine {

[[nodiscard]] bool is_decision_resource(std::string_view resource_name);

// The DMN files of a deployment, and their problems.
class DecisionResources {
 public:
  // Adds a file, which is read when all are added, because they may import each other.
  void add(const record::DeploymentResource& resource) { resources_.push_back(&resource); }
  // Reads the files; adds their problems to `problems`, one per line. An import is searched in the
  // deployment first, then among the files that the tenant deployed before.
  void read(const EngineState& state, const std::string& tenant, std::string& problems);
  // True if a decision of these files has this id.
  [[nodiscard]] bool has_decision(const std::string& id) const {
    return resource_of_decision_.contains(id);
  }

  // True if any of the files differs from its latest deployed version.
  [[nodiscard]] bool has_new(const EngineState& state, const std::string& tenant) const;
  // Gives every file and every decision a key and a new version, and lists them in `created`.
  void identify(Step& step, record::DeploymentRecord& created) const;
  // Returns why the contents of `deployment` cannot be received from another partition; empty if
  // they can.
  [[nodiscard]] std::string refusal(const EngineState& state,
                                    const record::DeploymentRecord& deployment) const;
  // Writes the files and decisions that `deployment` lists, with its keys and versions.
  void write(Step& step, const record::DeploymentRecord& deployment) const;
  // Lists the deployed versions, if all files are duplicates.
  void list_duplicates(const EngineState& state, record::DeploymentRecord& created) const;

 private:
  struct File {
    const record::DeploymentResource* resource;
    std::string checksum;
    dmn::Definitions definitions;
    std::vector<std::string_view> imports;  // the texts
  };
  void read_file(const record::DeploymentResource& resource, const EngineState& state,
                 const std::string& tenant, std::string& problems);
  [[nodiscard]] const File* find_file(std::string_view requirements_id) const;
  [[nodiscard]] static bool is_duplicate(const EngineState& state, const std::string& tenant,
                                         const File& file);

  std::vector<const record::DeploymentResource*> resources_;
  std::multimap<std::string, const record::DeploymentResource*> by_namespace_;
  std::vector<File> files_;
  std::map<std::string, std::string> resource_of_requirements_;  // by id
  std::map<std::string, std::string> resource_of_decision_;
};

}  // namespace beeline::engine
