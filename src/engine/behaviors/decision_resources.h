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

// The DMN files of a deployment, and what is wrong with them.
class DecisionResources {
 public:
  // Takes a file, to be read when all are there: they may import each other.
  void add(const record::DeploymentResource& resource) { resources_.push_back(&resource); }
  // Reads the files; what is wrong with them is added to `problems`, a line each. An import is
  // looked for in the deployment first, then among what the tenant deployed before.
  void read(const EngineState& state, const std::string& tenant, std::string& problems);
  // Whether a decision of these files has this id.
  [[nodiscard]] bool has_decision(const std::string& id) const {
    return resource_of_decision_.contains(id);
  }

  // Whether any of the files differs from what is deployed as the latest.
  [[nodiscard]] bool has_new(const EngineState& state, const std::string& tenant) const;
  // Gives every file and every decision a key and a new version, and lists them in `created`.
  void identify(Step& step, record::DeploymentRecord& created) const;
  // Why what `deployment` lists cannot be received from another partition; empty: it can.
  [[nodiscard]] std::string refusal(const EngineState& state,
                                    const record::DeploymentRecord& deployment) const;
  // Writes the files and decisions that `deployment` lists, with its keys and versions.
  void write(Step& step, const record::DeploymentRecord& deployment) const;
  // Lists what is deployed already, all of it being the same.
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
