#include "feel/program.h"

#include <algorithm>
#include <set>

#include "feel/utf8.h"

namespace beeline::feel {
namespace {

// Collects the free names of a subtree. `bound` contains the names that the nodes around it bind.
class FreeNames {
 public:
  explicit FreeNames(const Program& program) : program_(program) {}

  void visit(NodeId id) {
    const Node& node = program_.node(id);
    const std::size_t bound_before = bound_.size();
    if (node.kind == NodeKind::Name) add(node.names.front());
    if (node.kind == NodeKind::Function) {
      bound_.insert(bound_.end(), node.names.begin(), node.names.end());
    }
    for (std::size_t n = 0; n < node.children.size(); ++n) {
      if (node.kind == NodeKind::Filter && n == 1) bound_.emplace_back("item");
      if (node.kind == NodeKind::For && n + 1 == node.children.size()) {
        bound_.emplace_back("partial");
      }
      visit(node.children[n]);
      // An iterator sees those before it, and so does an entry of a context.
      if (binds_in_turn(node.kind) && n < node.names.size()) bound_.emplace_back(node.names[n]);
    }
    bound_.resize(bound_before);
  }

  [[nodiscard]] std::vector<std::string> take() const { return {names_.begin(), names_.end()}; }

 private:
  static bool binds_in_turn(NodeKind kind) {
    return kind == NodeKind::For || kind == NodeKind::Some || kind == NodeKind::Every ||
           kind == NodeKind::Context;
  }

  void add(const std::string& name) {
    if (std::ranges::find(bound_, name) == bound_.end()) names_.insert(name);
  }

  const Program& program_;
  std::vector<std::string_view> bound_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<std::string> Program::free_names() const {
  FreeNames names{*this};
  names.visit(root);
  return names.take();
}

std::string Program::excerpt(const Node& node) const {
  constexpr std::size_t kCharactersMax = 60;
  const std::string_view whole = text_of(node);
  std::string line;
  for (std::size_t at = 0, count = 0; at < whole.size(); ++count) {
    if (count == kCharactersMax) return line + "...";
    const std::size_t start = at;
    (void)utf8::next(whole, at);
    const bool breaks = whole[start] == '\n' || whole[start] == '\r' || whole[start] == '\t';
    line += breaks ? " " : whole.substr(start, at - start);
  }
  return line;
}

bool Program::mentions(NodeId id, std::string_view name) const {
  for (NodeId i = nodes[id].first; i <= id; ++i) {
    if (nodes[i].kind == NodeKind::Name && nodes[i].names.front() == name) return true;
  }
  return false;
}

bool Program::mentions_input(NodeId id) const {
  for (NodeId i = nodes[id].first; i <= id; ++i) {
    if (nodes[i].kind == NodeKind::Input) return true;
  }
  return false;
}

}  // namespace beeline::feel
