#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dmn/model.h"

namespace beeline::dmn {

// Resolves a typeRef: to a type of the file, of an imported file (`prefix.name`) or of FEEL. An
// unknown name is Any under Camunda's reading and a problem under the standard's.
class TypeResolver {
 public:
  TypeResolver(Model& model, std::vector<Problem>& problems) : model_(model), problems_(problems) {}

  void resolve(ItemType& type);
  void resolve(TypeRef& reference, std::string_view owner);

 private:
  struct Meaning {
    const ItemType* item = nullptr;
    feel::Type type;
  };
  [[nodiscard]] Meaning meaning_of(std::string_view source, std::string_view owner);
  [[nodiscard]] ItemType* find_own(std::string_view name);

  Model& model_;
  std::vector<Problem>& problems_;
  enum class Progress { Begun, Done };
  std::map<const ItemType*, Progress> progress_;
};

// Finds a type by name after all types are resolved: those that `instance of` may name beyond
// FEEL's own.
[[nodiscard]] std::optional<feel::Type> find_type(const Model& model, std::string_view name);

}  // namespace beeline::dmn
