#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "feel/arithmetic.h"
#include "feel/feel.h"
#include "feel/type.h"
#include "feel/value.h"

namespace beeline::feel {

// The dialect of FEEL: the lenient one of workflow models (Camunda) or the standard's (TCK).
enum class Dialect : std::uint8_t { Workflow, Dmn };

using NodeId = std::uint32_t;

// The kinds of nodes. Children and names are listed in this order.
enum class NodeKind : std::uint8_t {
  Constant,    // constant
  Name,        // names: the name
  Input,       // ?
  Path,        // children: object; names: member
  Filter,      // children: list, condition
  Call,        // children: arguments; names: the function's name; labels: argument names or empty
  CallValue,   // children: function, arguments; labels as above
  If,          // children: condition, then, else
  For,         // children: domains, body; names: iterator variables
  Some,        // as For
  Every,       // as For
  Span,        // children: first, last: the domain a..b of a loop
  Function,    // children: body, or description when external; names and types: of the parameters
  Or,          // children: two or more
  And,         // children: two or more
  Chain,       // children: operands; operators: + - * / between them, all of one level
  Power,       // children: base, exponent
  Negate,      // children: operand
  Compare,     // children: left, right; operators: one
  Between,     // children: value, low, high
  In,          // children: value, tests
  InstanceOf,  // children: value; types: the type, empty if unknown
  List,        // children: items
  Context,     // children: values; names: keys
  Range,       // children: start, end; start_included, end_included
  Comparison,  // children: operand; operators: one: the value (< 10)
  // Unary tests; their value is true, false or null and the input is bound to `?`.
  AnyTest,      // -
  CompareTest,  // children: operand; operators: one
  ValueTest,    // children: any expression
  Tests,        // children: tests of which one must hold
  NotTests      // children: Tests
};

struct Node {
  NodeKind kind = NodeKind::Constant;
  bool start_included = false;
  bool end_included = false;
  bool external = false;
  std::uint32_t depth = 1;  // height of the tree below
  NodeId first = 0;  // the nodes of this subtree are first ... own id, since children come before
  std::uint32_t begin = 0;  // offset in the text, in bytes
  std::uint32_t end = 0;
  std::vector<NodeId> children;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<Operator> operators;
  std::vector<std::optional<Type>> types;
  Value constant;
};

// A parsed text. All nodes are in one array, children before their parents, so a program is
// destroyed and searched without recursion.
struct Program : std::enable_shared_from_this<Program> {
  std::string text;
  Dialect dialect = Dialect::Workflow;
  bool extensions = true;  // Camunda's functions can be called
  std::vector<Node> nodes;
  NodeId root = 0;
  bool is_condition = false;  // see condition.h

  [[nodiscard]] const Node& node(NodeId id) const { return nodes[id]; }
  [[nodiscard]] Fractions fractions() const {
    return dialect == Dialect::Dmn ? Fractions::Ignored : Fractions::Compared;
  }
  // Returns the source text of the subtree.
  [[nodiscard]] std::string_view text_of(const Node& node) const {
    return std::string_view(text).substr(node.begin, node.end - node.begin);
  }
  // Returns that text for a message: on one line and not longer than a line.
  [[nodiscard]] std::string excerpt(const Node& node) const;
  // True if the subtree reads this name.
  [[nodiscard]] bool mentions(NodeId id, std::string_view name) const;
  [[nodiscard]] bool mentions_input(NodeId id) const;
  // Returns the names that the program reads and does not bind itself, in order and without
  // repetition. A name within a filter counts although the items of the list may have it.
  [[nodiscard]] std::vector<std::string> free_names() const;
};

}  // namespace beeline::feel
