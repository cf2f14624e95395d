#include "engine/behaviors/mapping_tree.h"

#include <algorithm>

#include "record/json.h"

namespace beeline::engine {
namespace {

std::optional<std::string_view> find_entry(const record::Document& document,
                                           std::string_view name) {
  for (const record::DocumentEntry& entry : document.entries) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

bool is_object(std::string_view json) {
  return !json.empty() && json.front() == '{';
}

}  // namespace

MappingTree::Node& MappingTree::child(std::vector<Node>& nodes, const std::string& name) {
  for (Node& node : nodes) {
    if (node.name == name) return node;
  }
  nodes.push_back(Node{name, std::nullopt, {}});
  return nodes.back();
}

void MappingTree::put(const std::vector<std::string>& path, std::string json) {
  std::vector<Node>* level = &roots_;
  Node* node = nullptr;
  for (const std::string& name : path) {
    if (node != nullptr) node->json.reset();  // the value of an earlier mapping becomes an object
    node = &child(*level, name);
    level = &node->children;
  }
  node->json = std::move(json);
  node->children.clear();
}

std::string MappingTree::render(const Node& node, std::optional<std::string_view> base,
                                OverNonObject rule) {
  if (node.json) return *node.json;
  record::Document object;
  if (base && is_object(*base)) {
    if (auto parsed = record::parse_document(*base)) object = *std::move(parsed);
  } else if (base && *base != "null" && rule == OverNonObject::Null) {
    return "null";
  }
  for (const Node& each : node.children) {
    std::string value = render(each, find_entry(object, each.name), rule);
    const auto known = std::ranges::find(object.entries, each.name, &record::DocumentEntry::name);
    if (known != object.entries.end()) {
      known->value = std::move(value);
    } else {
      object.entries.push_back({each.name, std::move(value)});
    }
  }
  std::string json;
  record::append_document(object, json);
  return json;
}

std::optional<std::string_view> MappingTree::find(std::string_view name) const {
  for (const Node& root : roots_) {
    if (root.name != name) continue;
    if (root.json) return *root.json;
    rendered_.push_back(render(root, below_.find(name), OverNonObject::Replace));
    return rendered_.back();
  }
  return below_.find(name);
}

record::Document MappingTree::fresh() const {
  record::Document document;
  for (const Node& root : roots_) {
    document.entries.push_back({root.name, render(root, std::nullopt, OverNonObject::Replace)});
  }
  return document;
}

record::Document MappingTree::merged_into(const feel::VariableSource& target) const {
  record::Document document;
  for (const Node& root : roots_) {
    document.entries.push_back(
        {root.name, render(root, target.find(root.name), OverNonObject::Null)});
  }
  return document;
}

}  // namespace beeline::engine
