#include "feel/program.h"

#include "feel/utf8.h"

namespace beeline::feel {

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
