#include "dmn/types.h"

#include <fmt/format.h>

#include "feel/names.h"

namespace beeline::dmn {
namespace {

const ItemType* find_item(const Model& model, std::string_view name) {
  for (const std::unique_ptr<ItemType>& type : model.types) {
    if (type->name == name) return type.get();
  }
  return nullptr;
}

// Returns the type of an imported file that `prefix.name` refers to.
const ItemType* find_imported(const Model& model, std::string_view name) {
  for (const Import& import : model.imports) {
    if (import.model == nullptr || !name.starts_with(import.name)) continue;
    const std::string_view rest = name.substr(import.name.size());
    if (!rest.starts_with('.')) continue;
    if (const ItemType* found = find_item(*import.model, rest.substr(1))) return found;
  }
  return nullptr;
}

}  // namespace

ItemType* TypeResolver::find_own(std::string_view name) {
  return const_cast<ItemType*>(find_item(model_, name));  // this class may change the model
}

TypeResolver::Meaning TypeResolver::meaning_of(std::string_view source, std::string_view owner) {
  if (source.empty()) return {};
  const std::string name = feel::normalize_name(source);
  // DMN 1.1 writes a qualified name whose prefix represents a namespace.
  const std::string_view unqualified = std::string_view(name).substr(name.find(':') + 1);
  for (const std::string_view candidate : {std::string_view(name), unqualified}) {
    if (ItemType* own = find_own(candidate)) {
      resolve(*own);
      return {own, own->type};
    }
    if (const std::optional<feel::Type> built_in = feel::Type::from_name(candidate)) {
      return {nullptr, *built_in};
    }
    if (const ItemType* imported = find_imported(model_, candidate)) {
      return {imported, imported->type};
    }
  }
  if (model_.reading == Reading::Standard) {
    problems_.push_back({std::string(owner), fmt::format("There is no type '{}'.", source)});
  }
  return {};
}

void TypeResolver::resolve(TypeRef& reference, std::string_view owner) {
  const Meaning meaning = meaning_of(reference.source, owner);
  reference.item = meaning.item;
  reference.type = meaning.type;
}

void TypeResolver::resolve(ItemType& type) {
  const auto [place, is_new] = progress_.try_emplace(&type, Progress::Begun);
  if (!is_new) {
    if (place->second == Progress::Begun) {
      problems_.push_back({"", fmt::format("Type '{}' is defined by itself.", type.name)});
    }
    return;
  }
  type.has_constraints = type.allowed_values.has_value() || type.type_constraint.has_value();
  feel::Type item;
  if (type.is_function) {
    std::vector<feel::Type> parameters;
    for (const std::string& parameter : type.parameter_type_refs) {
      parameters.push_back(meaning_of(parameter, "").type);
    }
    item = feel::Type::function(std::move(parameters), meaning_of(type.type_ref, "").type);
  } else if (!type.components.empty()) {
    std::vector<feel::Type::Field> fields;
    for (const std::unique_ptr<ItemType>& component : type.components) {
      resolve(*component);
      type.has_constraints |= component->has_constraints;
      fields.emplace_back(component->name, component->type);
    }
    item = feel::Type::context(std::move(fields));
  } else {
    const Meaning meaning = meaning_of(type.type_ref, "");
    type.base = meaning.item;
    if (type.base != nullptr) type.has_constraints |= type.base->has_constraints;
    item = meaning.type;
  }
  type.type = type.is_collection ? feel::Type::list(std::move(item)) : std::move(item);
  progress_[&type] = Progress::Done;
}

std::optional<feel::Type> find_type(const Model& model, std::string_view name) {
  if (const ItemType* own = find_item(model, name)) return own->type;
  if (const ItemType* imported = find_imported(model, name)) return imported->type;
  return std::nullopt;
}

}  // namespace beeline::dmn
