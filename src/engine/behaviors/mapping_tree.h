#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/feel.h"
#include "record/document.h"

namespace beeline::engine {

// The results of mappings so far, as a tree of names: "a.b" and "a.c" are two children of "a". It
// hides the variables of the scope, so a later mapping sees the results of earlier ones.
class MappingTree final : public feel::VariableSource {
 public:
  // `below` provides names that the tree does not have; it must outlive this object.
  explicit MappingTree(const feel::VariableSource& below) : below_(below) {}

  // Puts a value at a path, replacing an existing one.
  void put(const std::vector<std::string>& path, std::string json);
  // Returns a name of the tree merged with the variable below it, or that variable.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

  // Returns the tree alone: the variables that inputs create.
  [[nodiscard]] record::Document fresh() const;
  // Returns the tree merged into the variables of `target`, at every level; if one of those exists
  // and is not an object, the result is null.
  [[nodiscard]] record::Document merged_into(const feel::VariableSource& target) const;

 private:
  struct Node {
    std::string name;
    std::optional<std::string> json;  // a leaf
    std::vector<Node> children;
  };
  enum class OverNonObject { Replace, Null };
  static Node& child(std::vector<Node>& nodes, const std::string& name);
  static std::string render(const Node& node, std::optional<std::string_view> base,
                            OverNonObject rule);

  const feel::VariableSource& below_;
  std::vector<Node> roots_;
  // Texts that find() has returned; in a deque, their addresses do not change.
  mutable std::deque<std::string> rendered_;
};

}  // namespace beeline::engine
