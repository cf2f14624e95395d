#include "feel/parser.h"

#include <algorithm>
#include <array>

#include "feel/builtins.h"
#include "feel/condition.h"
#include "feel/fold.h"
#include "feel/parse_error.h"
#include "feel/text.h"
#include "feel/utf8.h"

namespace beeline::feel {

namespace {

constexpr std::array<std::string_view, 17> kKeywords = {
    "and",  "between", "else",   "every",     "external", "for",  "function", "if",   "in",
    "null", "or",      "return", "satisfies", "some",     "then", "true",     "false"};

bool is_keyword(std::string_view word) {
  constexpr std::size_t kLongest = 9;
  if (word.size() > kLongest) return false;
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

std::optional<Operator> comparison_of(const Token& token) {
  if (token.kind != TokenKind::Symbol) return std::nullopt;
  if (token.text == "<") return Operator::Less;
  if (token.text == "<=") return Operator::LessOrEqual;
  if (token.text == ">") return Operator::Greater;
  if (token.text == ">=") return Operator::GreaterOrEqual;
  if (token.text == "=") return Operator::Equal;
  if (token.text == "!=") return Operator::Unequal;
  return std::nullopt;
}

// A recursive descent parser with one function per rule of the grammar. A syntax error is thrown
// and caught in parse(): every rule can fail, and no rule can continue after a failure.
class Parser {
 public:
  Parser(std::vector<Token> tokens, const ParseOptions& options, Program& program)
      : tokens_(std::move(tokens)), options_(options), program_(program) {
    program_.nodes.reserve(tokens_.size());
  }

  void parse_text(EntryPoint entry) {
    program_.root = entry == EntryPoint::Expression ? parse_expression() : parse_unary_tests();
    if (peek().kind != TokenKind::End) fail("an operator or the end of the text");
  }

 private:
  // ---- tokens ----

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at_symbol(std::string_view symbol) const { return peek().is_symbol(symbol); }
  [[nodiscard]] bool at_word(std::string_view word) const { return peek().is_word(word); }

  bool take_symbol(std::string_view symbol) {
    if (!at_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!at_word(word)) return false;
    ++at_;
    return true;
  }
  void expect_symbol(std::string_view symbol) {
    if (!take_symbol(symbol)) fail("'" + std::string(symbol) + "'");
  }
  void expect_word(std::string_view word) {
    if (!take_word(word)) fail("'" + std::string(word) + "'");
  }

  static std::string quoted(std::string_view text) {
    constexpr std::size_t kCharactersMax = 40;
    const std::size_t end = utf8::offset_of(text, kCharactersMax);
    return "'" + std::string(text.substr(0, end)) + (end < text.size() ? "...'" : "'");
  }
  [[noreturn]] void fail(const std::string& expected) const {
    const Token& token = peek();
    const std::string found =
        token.kind == TokenKind::End ? "the text ends" : "found " + quoted(token.text);
    throw ParseError{"Expected " + expected + ", but " + found, token.offset};
  }

  // ---- nodes ----

  NodeId add(Node&& node, std::size_t offset) {
    const auto id = static_cast<NodeId>(program_.nodes.size());
    node.begin = static_cast<std::uint32_t>(offset);
    node.end = at_ > 0 ? end_of(tokens_[at_ - 1]) : 0;
    node.first = id;
    for (const NodeId child : node.children) {
      node.begin = std::min(node.begin, program_.nodes[child].begin);
      node.depth = std::max(node.depth, program_.nodes[child].depth + 1);
      node.first = std::min(node.first, program_.nodes[child].first);
    }
    if (node.depth > kTreeDepthMax) throw ParseError{"The expression is nested too deeply", offset};
    program_.nodes.push_back(std::move(node));
    return id;
  }
  static std::uint32_t end_of(const Token& token) {
    const std::size_t ticks = token.kind == TokenKind::Quoted ? 2 : 0;
    return static_cast<std::uint32_t>(token.offset + token.text.size() + ticks);
  }
  NodeId add_constant(Value value, std::size_t offset) {
    Node node;
    node.constant = std::move(value);
    return add(std::move(node), offset);
  }
  NodeId add_node(NodeKind kind, std::vector<NodeId> children, std::size_t offset) {
    Node node;
    node.kind = kind;
    node.children = std::move(children);
    return add(std::move(node), offset);
  }
  NodeId add_operator(NodeKind kind, Operator op, std::vector<NodeId> children,
                      std::size_t offset) {
    Node node;
    node.kind = kind;
    node.operators = {op};
    node.children = std::move(children);
    return add(std::move(node), offset);
  }

  // Counts nesting during its lifetime.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kParseDepthMax) {
        // No destructor runs for an object whose constructor throws.
        --parser_.depth_;
        throw ParseError{"The expression is nested too deeply", parser_.peek().offset};
      }
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  // ---- names ----

  // The names bound from here until the scope ends.
  class Scope {
   public:
    explicit Scope(Parser& parser) : parser_(parser) { parser_.scopes_.emplace_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { parser_.scopes_.pop_back(); }

   private:
    Parser& parser_;
  };

  void bind(const std::string& name) {
    // In a workflow only back-ticks can write a name that is not an identifier.
    if (options_.dialect == Dialect::Dmn) scopes_.back().add(name);
  }

  // Returns how many tokens from here spell a name in scope; 0 if no name matches.
  [[nodiscard]] std::size_t match_known_name() const {
    const Token* here = &tokens_[at_];
    std::size_t longest = 0;
    for (const NameTable& scope : scopes_) longest = std::max(longest, scope.match(here));
    if (options_.variables != nullptr) {
      longest = std::max(longest, options_.variables->match(here));
    }
    if (filters_ > 0) longest = std::max(longest, match_member());
    return longest;
  }
  [[nodiscard]] std::size_t match_member() const {
    const Token* here = &tokens_[at_];
    std::size_t longest = seen_keys_.match(here);
    if (options_.members != nullptr) longest = std::max(longest, options_.members->match(here));
    return longest;
  }

  // Returns how many words precede the next `(` if nothing else does; otherwise 0.
  [[nodiscard]] std::size_t words_before_parenthesis() const {
    std::size_t count = 0;
    while (peek(count).kind == TokenKind::Word) ++count;
    return count > 0 && peek(count).is_symbol("(") ? count : 0;
  }

  std::string take_name(std::size_t count) {
    std::string name = spell_name(&tokens_[at_], count);
    at_ += count;
    return name;
  }

  // Reads a new name: everything up to one of the delimiters.
  std::string take_new_name(std::initializer_list<std::string_view> ends, const char* what) {
    if (peek().kind == TokenKind::Quoted) {
      std::string name(peek().text);
      ++at_;
      return name;
    }
    std::size_t count = 0;
    while (true) {
      const Token& token = peek(count);
      if (token.kind == TokenKind::End || token.kind == TokenKind::String) break;
      const bool ended = std::any_of(ends.begin(), ends.end(), [&](std::string_view end) {
        return token.text == end && (count > 0 || token.kind == TokenKind::Symbol);
      });
      if (ended) break;
      if (token.kind == TokenKind::Symbol &&
          std::string_view("()[]{},:").find(token.text) != std::string_view::npos) {
        break;
      }
      ++count;
    }
    if (count == 0 || peek().kind == TokenKind::Number) fail(what);
    return take_name(count);
  }

  // ---- unary tests ----

  NodeId parse_unary_tests() {
    const std::size_t offset = peek().offset;
    if (peek().kind == TokenKind::End) return add_node(NodeKind::AnyTest, {}, offset);
    if (at_symbol("-") && peek(1).kind == TokenKind::End) {
      ++at_;
      return add_node(NodeKind::AnyTest, {}, offset);
    }
    if (at_word("not") && peek(1).is_symbol("(") && closes_at_end(at_ + 1)) {
      at_ += 2;
      const NodeId tests = parse_tests();
      expect_symbol(")");
      return add_node(NodeKind::NotTests, {tests}, offset);
    }
    return parse_tests();
  }

  // True if the parenthesis at this token is closed by the last one of the text.
  [[nodiscard]] bool closes_at_end(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].is_symbol("(")) ++depth;
      if (tokens_[i].is_symbol(")") && --depth == 0) {
        return tokens_[i + 1].kind == TokenKind::End;
      }
    }
    // Ranges such as ]1..2) leave parentheses unbalanced; the negation is then the likely meaning.
    return true;
  }

  NodeId parse_tests() {
    const std::size_t offset = peek().offset;
    std::vector<NodeId> tests{parse_test(false)};
    while (take_symbol(",")) tests.push_back(parse_test(false));
    return tests.size() == 1 ? tests.front() : add_node(NodeKind::Tests, std::move(tests), offset);
  }

  // After `in`, a test extends only as far as a sum.
  NodeId parse_test(bool only_sum) {
    const std::size_t offset = peek().offset;
    if (const std::optional<Operator> op = comparison_of(peek())) {
      ++at_;
      const NodeId operand = parse_sum();
      return add_operator(NodeKind::CompareTest, *op, {operand}, offset);
    }
    const NodeId value = only_sum ? parse_sum() : parse_expression();
    return add_node(NodeKind::ValueTest, {value}, offset);
  }

  // ---- expressions, weakest first ----

  NodeId parse_expression() {
    const Nesting nesting(*this);
    return parse_or();
  }

  NodeId parse_or() {
    const std::size_t offset = peek().offset;
    const NodeId first = parse_and();
    if (!at_word("or")) return first;
    std::vector<NodeId> operands{first};
    while (take_word("or")) operands.push_back(parse_and());
    return add_node(NodeKind::Or, std::move(operands), offset);
  }

  NodeId parse_and() {
    const std::size_t offset = peek().offset;
    const NodeId first = parse_relation();
    if (!at_word("and")) return first;
    std::vector<NodeId> operands{first};
    while (take_word("and")) operands.push_back(parse_relation());
    return add_node(NodeKind::And, std::move(operands), offset);
  }

  NodeId parse_relation() {
    NodeId left = parse_sum();
    while (true) {
      const std::size_t offset = peek().offset;
      if (const std::optional<Operator> op = comparison_of(peek())) {
        ++at_;
        const NodeId right = parse_sum();
        left = add_operator(NodeKind::Compare, *op, {left, right}, offset);
      } else if (take_word("between")) {
        const NodeId low = parse_sum();
        expect_word("and");
        const NodeId high = parse_sum();
        left = add_node(NodeKind::Between, {left, low, high}, offset);
      } else if (take_word("in")) {
        const NodeId tests = parse_in_tests();
        left = add_node(NodeKind::In, {left, tests}, offset);
      } else if (at_word("instance") && peek(1).is_word("of")) {
        at_ += 2;
        Node node;
        node.kind = NodeKind::InstanceOf;
        node.children = {left};
        node.types = {parse_type()};
        left = add(std::move(node), offset);
      } else {
        return left;
      }
    }
  }

  NodeId parse_in_tests() {
    if (!at_symbol("(") || parenthesis_opens_range()) return parse_test(true);
    const Nesting nesting(*this);
    ++at_;
    const NodeId tests = parse_tests();
    expect_symbol(")");
    return tests;
  }

  // Distinguishes (1..5) from (1, 2) and (x) after `in` by looking for the dots.
  [[nodiscard]] bool parenthesis_opens_range() const {
    if (peek(1).is_symbol("]")) return false;
    int depth = 0;
    for (std::size_t i = at_ + 1; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::Symbol) continue;
      if (depth == 0 && token.text == "..") return true;
      if (depth == 0 && (token.text == "," || token.text == ")")) return false;
      if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
      if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
    }
    return false;
  }

  // Consecutive operands of one level become one node, so a sum of a thousand strings is not a deep
  // tree.
  NodeId parse_chain(NodeId (Parser::*operand)(), std::string_view first, Operator first_op,
                     std::string_view second, Operator second_op) {
    const std::size_t offset = peek().offset;
    const NodeId leftmost = (this->*operand)();
    if (!at_symbol(first) && !at_symbol(second)) return leftmost;
    Node node;
    node.kind = NodeKind::Chain;
    node.children.push_back(leftmost);
    while (true) {
      if (take_symbol(first)) {
        node.operators.push_back(first_op);
      } else if (take_symbol(second)) {
        node.operators.push_back(second_op);
      } else {
        break;
      }
      node.children.push_back((this->*operand)());
    }
    return add(std::move(node), offset);
  }

  NodeId parse_sum() {
    return parse_chain(&Parser::parse_product, "+", Operator::Add, "-", Operator::Subtract);
  }
  NodeId parse_product() {
    return parse_chain(&Parser::parse_power, "*", Operator::Multiply, "/", Operator::Divide);
  }

  NodeId parse_power() {
    NodeId base = parse_sign();
    while (at_symbol("**")) {
      const std::size_t offset = peek().offset;
      ++at_;
      const NodeId exponent = parse_sign();
      base = add_node(NodeKind::Power, {base, exponent}, offset);
    }
    return base;
  }

  NodeId parse_sign() {
    const std::size_t offset = peek().offset;
    std::size_t signs = 0;
    while (take_symbol("-")) ++signs;
    NodeId operand = parse_postfix();
    // Two signs must not be dropped: the operand must be a number or a duration.
    for (std::size_t i = 0; i < std::min<std::size_t>(signs, 2 - signs % 2); ++i) {
      operand = add_node(NodeKind::Negate, {operand}, offset);
    }
    return operand;
  }

  // ---- postfix ----

  NodeId parse_postfix() {
    NodeId left = parse_primary();
    while (true) {
      const std::size_t offset = peek().offset;
      if (at_symbol(".")) {
        ++at_;
        Node node;
        node.kind = NodeKind::Path;
        node.children = {left};
        node.names = {parse_member()};
        left = add(std::move(node), offset);
      } else if (at_symbol("[")) {
        const std::optional<NodeId> condition = parse_filter();
        if (!condition) return left;
        left = add_node(NodeKind::Filter, {left, *condition}, offset);
      } else if (at_symbol("(")) {
        left = parse_call(left);
      } else {
        return left;
      }
    }
  }

  std::string parse_member() {
    if (peek().kind == TokenKind::Quoted) return std::string(tokens_[at_++].text);
    if (const std::size_t known = match_member()) return take_name(known);
    if (peek().kind != TokenKind::Word) fail("the name of a member");
    const bool two_words = (at_word("time") && peek(1).is_word("offset")) ||
                           ((at_word("start") || at_word("end")) && peek(1).is_word("included"));
    return take_name(two_words ? 2 : 1);
  }

  // Returns the condition, or nothing if the bracket is the open end of a range such as [1..10[.
  std::optional<NodeId> parse_filter() {
    if (!upper_bound_) return parse_filter_condition();
    if (trials_left_ == 0) return std::nullopt;
    // Only one trial at a time and few in total are allowed; otherwise hostile text could multiply
    // them.
    const std::size_t trials_after = trials_left_ - 1;
    trials_left_ = 0;
    const std::size_t start = at_;
    const std::size_t nodes = program_.nodes.size();
    const int filters = filters_;
    std::optional<NodeId> condition;
    try {
      condition = parse_filter_condition();
      if (!at_symbol("]") && !at_symbol(")") && !at_symbol("[")) condition.reset();
    } catch (const ParseError&) {
      condition.reset();
    }
    trials_left_ = trials_after;
    if (!condition) {
      at_ = start;
      filters_ = filters;
      upper_bound_ = true;
      program_.nodes.resize(nodes);
    }
    return condition;
  }

  NodeId parse_filter_condition() {
    const bool upper_bound = std::exchange(upper_bound_, false);
    expect_symbol("[");
    ++filters_;
    const NodeId condition = parse_expression();
    --filters_;
    expect_symbol("]");
    upper_bound_ = upper_bound;
    return condition;
  }

  // True if `name :` follows, where an argument is expected.
  [[nodiscard]] bool at_argument_label() const {
    if (peek().kind != TokenKind::Word) return false;
    std::size_t ahead = 1;
    while (peek(ahead).kind == TokenKind::Word || peek(ahead).kind == TokenKind::Fragment ||
           peek(ahead).is_symbol("-") || peek(ahead).kind == TokenKind::Number) {
      ++ahead;
    }
    return peek(ahead).is_symbol(":");
  }

  NodeId parse_call(NodeId callee) {
    const Nesting nesting(*this);
    const bool upper_bound = std::exchange(upper_bound_, false);
    const std::size_t offset = peek().offset;
    expect_symbol("(");
    Node node;
    const bool by_name = program_.nodes[callee].kind == NodeKind::Name;
    node.kind = by_name ? NodeKind::Call : NodeKind::CallValue;
    if (by_name) {
      // The name node has no parent; it stays to keep the name visible to mentions().
      node.names = program_.nodes[callee].names;
    } else {
      node.children = {callee};
    }
    if (!at_symbol(")")) {
      const bool labelled = at_argument_label();
      do {
        if (labelled) {
          node.labels.push_back(take_new_name({":"}, "the name of an argument"));
          expect_symbol(":");
        }
        node.children.push_back(parse_expression());
      } while (take_symbol(","));
    }
    if (!take_symbol(")")) fail("',' or ')'");
    upper_bound_ = upper_bound;
    const NodeId call = add(std::move(node), offset);
    if (by_name) {
      program_.nodes[call].first = std::min(program_.nodes[call].first, callee);
      program_.nodes[call].begin = program_.nodes[callee].begin;
    }
    return call;
  }

  // ---- primary ----

  NodeId parse_primary() {
    const Token token = peek();
    switch (token.kind) {
      case TokenKind::Number: {
        // A number may also begin a name: "2nd" is a fragment, but "1 st" could be known.
        ++at_;
        const std::optional<Decimal> number = Decimal::parse(token.text);
        if (!number) throw ParseError{"The number is too large", token.offset};
        return add_constant(Value{*number}, token.offset);
      }
      case TokenKind::String:
        ++at_;
        return add_constant(Value{decode_string(token.text)}, token.offset);
      case TokenKind::Quoted:
        ++at_;
        return add_name(std::string(token.text), token.offset);
      case TokenKind::Word:
        return parse_word();
      case TokenKind::Symbol:
        return parse_symbol();
      case TokenKind::Fragment:
        if (const std::size_t known = match_known_name()) {
          return add_name(take_name(known), token.offset);
        }
        fail("an expression");
      case TokenKind::End:
        fail("an expression");
    }
    fail("an expression");
  }

  NodeId add_name(std::string name, std::size_t offset) {
    Node node;
    node.kind = NodeKind::Name;
    node.names = {std::move(name)};
    return add(std::move(node), offset);
  }

  NodeId parse_word() {
    const std::size_t offset = peek().offset;
    const std::size_t known = match_known_name();
    const std::size_t words = words_before_parenthesis();
    if (words > known && is_builtin(spell_name(&tokens_[at_], words))) {
      return add_name(take_name(words), offset);
    }
    if (known > 0) return add_name(take_name(known), offset);
    const std::string_view word = peek().text;
    if (is_keyword(word)) return parse_keyword(word, offset);
    // Words up to a parenthesis are the name of a function, unless an operator is among them.
    bool only_names = words > 1;
    for (std::size_t i = 0; only_names && i < words; ++i) {
      const std::string_view text = peek(i).text;
      only_names = !is_keyword(text) && !(text == "instance" && peek(i + 1).is_word("of"));
    }
    return add_name(take_name(only_names ? words : 1), offset);
  }

  NodeId parse_keyword(std::string_view word, std::size_t offset) {
    const Nesting nesting(*this);
    const bool upper_bound = std::exchange(upper_bound_, false);
    NodeId result = 0;
    if (word == "true" || word == "false") {
      ++at_;
      result = add_constant(Value{word == "true"}, offset);
    } else if (word == "null") {
      ++at_;
      result = add_constant(Value{}, offset);
    } else if (word == "if") {
      result = parse_if();
    } else if (word == "for") {
      result = parse_loop(NodeKind::For, "return");
    } else if (word == "some") {
      result = parse_loop(NodeKind::Some, "satisfies");
    } else if (word == "every") {
      result = parse_loop(NodeKind::Every, "satisfies");
    } else if (word == "function") {
      result = parse_function();
    } else {
      fail("an expression");
    }
    upper_bound_ = upper_bound;
    return result;
  }

  NodeId parse_if() {
    const std::size_t offset = peek().offset;
    ++at_;
    const NodeId condition = parse_expression();
    expect_word("then");
    const NodeId then_branch = parse_expression();
    expect_word("else");
    const NodeId else_branch = parse_expression();
    return add_node(NodeKind::If, {condition, then_branch, else_branch}, offset);
  }

  NodeId parse_loop(NodeKind kind, std::string_view body_word) {
    const std::size_t offset = peek().offset;
    ++at_;
    const Scope scope(*this);
    Node node;
    node.kind = kind;
    do {
      const std::string name = take_new_name({"in", ":"}, "the name of an iterator");
      if (take_symbol(":")) parse_type();
      expect_word("in");
      node.children.push_back(parse_domain());
      node.names.push_back(name);
      bind(name);
    } while (take_symbol(","));
    if (!take_word(body_word)) fail("',' or '" + std::string(body_word) + "'");
    if (kind == NodeKind::For) bind("partial");
    node.children.push_back(parse_expression());
    return add(std::move(node), offset);
  }

  NodeId parse_domain() {
    const std::size_t offset = peek().offset;
    const NodeId first = parse_expression();
    if (!take_symbol("..")) return first;
    const NodeId last = parse_expression();
    return add_node(NodeKind::Span, {first, last}, offset);
  }

  NodeId parse_function() {
    const std::size_t offset = peek().offset;
    ++at_;
    expect_symbol("(");
    const Scope scope(*this);
    Node node;
    node.kind = NodeKind::Function;
    while (!at_symbol(")")) {
      node.names.push_back(take_new_name({":", ",", ")"}, "the name of a parameter"));
      bind(node.names.back());
      node.types.emplace_back(Type::any());
      if (take_symbol(":")) node.types.back() = parse_type();
      if (!take_symbol(",")) break;
    }
    expect_symbol(")");
    node.external = take_word("external");
    node.children.push_back(parse_expression());
    return add(std::move(node), offset);
  }

  NodeId parse_symbol() {
    const Nesting nesting(*this);
    const bool upper_bound = std::exchange(upper_bound_, false);
    const std::size_t offset = peek().offset;
    NodeId result = 0;
    if (take_symbol("?")) {
      result = add_node(NodeKind::Input, {}, offset);
    } else if (take_symbol("@")) {
      result = parse_at_literal(offset);
    } else if (at_symbol("(")) {
      result = parse_parenthesis();
    } else if (at_symbol("[")) {
      result = parse_bracket();
    } else if (take_symbol("]")) {
      const NodeId start = parse_expression();
      expect_symbol("..");
      result = parse_range_end(start, false, offset);
    } else if (at_symbol("{")) {
      result = parse_context();
    } else {
      fail("an expression");
    }
    upper_bound_ = upper_bound;
    return result;
  }

  NodeId parse_at_literal(std::size_t offset) {
    if (peek().kind != TokenKind::String) fail("a text in quotes");
    const std::string text = decode_string(tokens_[at_++].text);
    const TextForms forms =
        options_.dialect == Dialect::Dmn ? TextForms::Strict : TextForms::Lenient;
    Node node;
    if (std::optional<Value> value = parse_temporal(text, forms)) {
      node.constant = *std::move(value);
    } else {
      node.names = {text};  // evaluating it warns
    }
    return add(std::move(node), offset);
  }

  NodeId parse_parenthesis() {
    const std::size_t offset = peek().offset;
    ++at_;
    if (const std::optional<Operator> op = comparison_of(peek())) {
      ++at_;
      const NodeId operand = parse_sum();
      expect_symbol(")");
      return add_operator(NodeKind::Comparison, *op, {operand}, offset);
    }
    const NodeId inner = parse_expression();
    if (take_symbol("..")) return parse_range_end(inner, false, offset);
    expect_symbol(")");
    program_.nodes[inner].begin = static_cast<std::uint32_t>(offset);
    program_.nodes[inner].end = end_of(tokens_[at_ - 1]);
    return inner;
  }

  NodeId parse_bracket() {
    const std::size_t offset = peek().offset;
    ++at_;
    Node node;
    node.kind = NodeKind::List;
    if (take_symbol("]")) return add(std::move(node), offset);
    node.children.push_back(parse_expression());
    if (take_symbol("..")) return parse_range_end(node.children.front(), true, offset);
    while (take_symbol(",")) node.children.push_back(parse_expression());
    if (!take_symbol("]")) fail(node.children.size() == 1 ? "',', '..' or ']'" : "',' or ']'");
    return add(std::move(node), offset);
  }

  NodeId parse_range_end(NodeId start, bool start_included, std::size_t offset) {
    upper_bound_ = true;
    const NodeId end = parse_sum();
    upper_bound_ = false;
    Node node;
    node.kind = NodeKind::Range;
    node.children = {start, end};
    node.start_included = start_included;
    node.end_included = at_symbol("]");
    if (!take_symbol("]") && !take_symbol(")") && !take_symbol("["))
      fail("']', ')' or '[' as the end of the range");
    return add(std::move(node), offset);
  }

  NodeId parse_context() {
    const std::size_t offset = peek().offset;
    ++at_;
    const Scope scope(*this);
    Node node;
    node.kind = NodeKind::Context;
    if (take_symbol("}")) return add(std::move(node), offset);
    do {
      if (peek().kind == TokenKind::String) {
        node.names.push_back(decode_string(tokens_[at_++].text));
      } else {
        node.names.push_back(take_new_name({":"}, "the name of an entry"));
      }
      expect_symbol(":");
      node.children.push_back(parse_expression());
      bind(node.names.back());
      seen_keys_.add(node.names.back());
    } while (take_symbol(","));
    if (!take_symbol("}")) fail("',' or '}'");
    return add(std::move(node), offset);
  }

  // ---- types ----

  std::optional<Type> parse_type() {
    const Nesting nesting(*this);
    if (peek(1).is_symbol("<")) {
      if (take_word("list")) return parse_inner_type(&Type::list);
      if (take_word("range")) return parse_inner_type(&Type::range);
      if (take_word("context")) return parse_context_type();
      if (take_word("function")) return parse_function_type();
    }
    if (peek().kind == TokenKind::Quoted) return find_type(std::string(tokens_[at_++].text));
    if (peek().kind != TokenKind::Word && peek().kind != TokenKind::Fragment) fail("a type");
    constexpr std::size_t kTokensOfName = 16;
    std::size_t count = 1;
    while (count < kTokensOfName && is_part_of_type_name(peek(count))) ++count;
    for (; count > 0; --count) {
      std::optional<Type> type = find_type(spell_name(&tokens_[at_], count));
      if (!type) continue;
      at_ += count;
      return type;
    }
    ++at_;
    while (at_symbol(".") && peek(1).kind == TokenKind::Word) at_ += 2;
    return std::nullopt;
  }

  static bool is_part_of_type_name(const Token& token) {
    return token.kind == TokenKind::Word || token.kind == TokenKind::Number ||
           token.kind == TokenKind::Fragment || token.is_symbol(".") || token.is_symbol("-") ||
           token.is_symbol("/") || token.is_symbol("+") || token.is_symbol("*") ||
           token.is_symbol(":");
  }

  [[nodiscard]] std::optional<Type> find_type(const std::string& name) const {
    if (options_.find_type) {
      if (std::optional<Type> type = options_.find_type(name)) return type;
    }
    return Type::from_name(name);
  }

  std::optional<Type> parse_inner_type(Type (*make)(Type)) {
    expect_symbol("<");
    std::optional<Type> inner = parse_type();
    expect_symbol(">");
    return inner ? std::optional(make(*std::move(inner))) : std::nullopt;
  }

  std::optional<Type> parse_context_type() {
    expect_symbol("<");
    std::vector<Type::Field> fields;
    bool known = true;
    while (!at_symbol(">")) {
      std::string name = take_new_name({":"}, "the name of an entry");
      expect_symbol(":");
      std::optional<Type> type = parse_type();
      known = known && type.has_value();
      if (type) fields.emplace_back(std::move(name), *std::move(type));
      if (!take_symbol(",")) break;
    }
    expect_symbol(">");
    return known ? std::optional(Type::context(std::move(fields))) : std::nullopt;
  }

  std::optional<Type> parse_function_type() {
    expect_symbol("<");
    std::vector<Type> parameters;
    bool known = true;
    while (!at_symbol(">")) {
      std::optional<Type> type = parse_type();
      known = known && type.has_value();
      if (type) parameters.push_back(*std::move(type));
      if (!take_symbol(",")) break;
    }
    expect_symbol(">");
    expect_symbol("->");
    const std::optional<Type> result = parse_type();
    if (!known || !result) return std::nullopt;
    return Type::function(std::move(parameters), *result);
  }

  std::vector<Token> tokens_;
  const ParseOptions& options_;
  Program& program_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int filters_ = 0;               // how many filters enclose this place
  bool upper_bound_ = false;      // directly inside the upper bound of a range
  std::size_t trials_left_ = 16;  // see parse_filter
  std::vector<NameTable> scopes_;
  NameTable seen_keys_;  // keys of context literals, which may follow a dot
};

}  // namespace

Result<std::shared_ptr<const Program>, ParseError> parse(std::string_view text, EntryPoint entry,
                                                         const ParseOptions& options) {
  auto program = std::make_shared<Program>();
  program->text = std::string(text);
  program->dialect = options.dialect;
  program->extensions = options.extensions;
  auto tokens = tokenize(program->text);
  if (!tokens) return std::unexpected(located(std::move(tokens).error(), text));
  try {
    Parser(*std::move(tokens), options, *program).parse_text(entry);
  } catch (const ParseError& error) {
    return std::unexpected(located(error, text));
  }
  fold_constants(*program);
  program->is_condition = is_plain_condition(*program);
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace beeline::feel
