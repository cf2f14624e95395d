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
// reads like variables laid over those of the scope, so that a later mapping sees the earlier ones.
class MappingTree final : public feel::VariableSource {
 public:
  // `below` is what is seen where the tree has nothing; it must outlive this.
  explicit MappingTree(const feel::VariableSource& below) : below_(below) {}

  // Puts a value at a path, replacing what is there.
  void put(const std::vector<std::string>& path, std::string json);
  // A name of the tree laid over the variable below it, or that variable.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override;

  // The tree alone: what inputs create.
  [[nodiscard]] record::Document fresh() const;
  // The tree merged into the variables that `target` shows, at every level; where one of those is
  // there but no object, the result is null.
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
  // Texts that find() has handed out; a deque, so that they stay where they are.
  mutable std::deque<std::string> rendered_;
};

}  // namespace beeline::engine
