#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/dmn.h"
#include "engine/step.h"
#include "record/values.h"

// The decisions of a deployment (spec feel-dmn 22).
namespace beeline::engine {

[[nodiscard]] bool is_decision_resource(std::string_view resource_name);

// The DMN files of a deployment, and what is wrong with them.
class DecisionResources {
 public:
  // Reads a file; what is wrong with it is added to `problems`, a line each.
  void add(const record::DeploymentResource& resource, std::string& problems);
  // Whether a decision of these files has this id.
  [[nodiscard]] bool has_decision(const std::string& id) const {
    return resource_of_decision_.contains(id);
  }

  // Whether any of the files differs from what is deployed as the latest.
  [[nodiscard]] bool has_new(const EngineState& state, const std::string& tenant) const;
  // Gives every file and every decision a key and a new version, and lists them in `created`.
  void identify(Step& step, record::DeploymentRecord& created) const;
  // Writes the files and decisions that `deployment` lists, with its keys and versions.
  void write(Step& step, const record::DeploymentRecord& deployment) const;
  // Lists what is deployed already, all of it being the same.
  void list_duplicates(const EngineState& state, record::DeploymentRecord& created) const;

 private:
  struct File {
    const record::DeploymentResource* resource;
    std::string checksum;
    dmn::Definitions definitions;
  };
  [[nodiscard]] static bool is_duplicate(const EngineState& state, const std::string& tenant,
                                         const File& file);

  std::vector<File> files_;
  std::map<std::string, std::string> resource_of_requirements_;  // by id
  std::map<std::string, std::string> resource_of_decision_;
};

}  // namespace beeline::engine
