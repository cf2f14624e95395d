#include <algorithm>
#include <limits>

#include "feel/evaluator.h"

// `for`, `some` and `every`.
namespace beeline::feel {

// The values that an iterator visits. Spans of numbers and dates are not expanded: 1..1000000000
// costs nothing until items are taken.
class Evaluator::Domain {
 public:
  explicit Domain(Value list) : list_(std::move(list)) {}
  Domain(std::int64_t first, std::int64_t last, bool days)
      : first_(first), last_(last), days_(days) {}

  [[nodiscard]] std::uint64_t size() const {
    if (!list_.is_null()) return list_.list().size();
    const auto low = static_cast<std::uint64_t>(std::min(first_, last_));
    return static_cast<std::uint64_t>(std::max(first_, last_)) - low + 1;
  }
  [[nodiscard]] Value at(std::uint64_t index) const {
    if (!list_.is_null()) return list_.list()[index];
    const auto offset = static_cast<std::int64_t>(index);
    const std::int64_t value = first_ <= last_ ? first_ + offset : first_ - offset;
    return days_ ? Value{Date{value}} : Value::number(value);
  }

 private:
  Value list_;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  bool days_ = false;
};

namespace {

// Both ends of a range, as whole numbers or as days.
struct Ends {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool days = false;
};

std::optional<Ends> whole_ends(const Value& first, const Value& last) {
  constexpr std::int64_t kWidest = std::numeric_limits<std::int64_t>::max() / 4;
  if (first.is(Kind::Date) && last.is(Kind::Date)) {
    return Ends{first.date().days, last.date().days, true};
  }
  if (!first.is(Kind::Number) || !last.is(Kind::Number)) return std::nullopt;
  const auto from = first.number().to_int64();
  const auto to = last.number().to_int64();
  if (!from || !to || std::max(*from, *to) > kWidest || std::min(*from, *to) < -kWidest) {
    return std::nullopt;
  }
  return Ends{*from, *to, false};
}

}  // namespace

std::optional<Evaluator::Domain> Evaluator::eval_domain(NodeId id, const Frame* frame) {
  const Node& node = program_.nodes[id];
  if (node.kind == NodeKind::Span) {
    const Value first = eval(node.children[0], frame);
    const Value last = eval(node.children[1], frame);
    const std::optional<Ends> ends = whole_ends(first, last);
    if (!ends) {
      warn(WarningKind::InvalidType, "An iterator cannot run between", first, last);
      return std::nullopt;
    }
    return Domain(ends->first, ends->last, ends->days);
  }
  Value domain = eval(id, frame);
  if (domain.is(Kind::List)) return Domain(std::move(domain));
  if (domain.is(Kind::Range)) {
    const Range& range = domain.range();
    // Unlike the span a..b, a range only counts upwards.
    std::optional<Ends> ends = whole_ends(range.start, range.end);
    if (ends && ends->first <= ends->last) {
      if (!range.start_included) ++ends->first;
      if (!range.end_included) --ends->last;
      if (ends->first > ends->last) return Domain(Value{std::vector<Value>{}});
      return Domain(ends->first, ends->last, ends->days);
    }
    warn(WarningKind::InvalidType, "An iterator cannot run between", range.start, range.end);
    return std::nullopt;
  }
  if (domain.is_null()) {
    if (state_.wants_warning()) {
      state_.warn(WarningKind::InvalidType, "An iterator cannot run over null");
    }
    return std::nullopt;
  }
  return Domain(Value{std::vector<Value>{std::move(domain)}});
}

// Runs the body for every combination until it returns false. Returns false if an iterator has no
// valid domain.
bool Evaluator::run_loop(const Node& node, std::size_t iterator, const Frame* frame,
                         const std::function<bool(const Frame*)>& body) {
  const EvalState::Nesting nesting(state_);
  const std::optional<Domain> domain = eval_domain(node.children[iterator], frame);
  if (!domain) return false;
  BindingFrame binding(frame, node.names[iterator]);
  const bool innermost = iterator + 1 == node.names.size();
  const std::uint64_t size = domain->size();
  for (std::uint64_t i = 0; i < size; ++i) {
    state_.step();
    binding.set(domain->at(i));
    if (innermost) {
      if (!body(&binding)) return true;
    } else if (!run_loop(node, iterator + 1, &binding, body)) {
      return false;
    }
  }
  return true;
}

Value Evaluator::eval_for(const Node& node, const Frame* frame) {
  std::vector<Value> results;
  const NodeId body = node.children.back();
  state_.step((body - program_.nodes[body].first) / 16);  // the search for `partial`
  const bool uses_partial = program_.mentions(body, "partial");
  const bool complete = run_loop(node, 0, frame, [&](const Frame* bound) {
    if (uses_partial) {
      state_.step_copying(results.size());
      const BindingFrame partial(bound, "partial", Value{results});
      results.push_back(eval(body, &partial));
    } else {
      results.push_back(eval(body, bound));
    }
    state_.check_depth(results.back().depth() + 1);
    state_.check_list_size(results.size());
    return true;
  });
  if (!complete) return {};
  Value list{std::move(results)};
  state_.check_value(list);
  return list;
}

Value Evaluator::eval_quantifier(const Node& node, const Frame* frame) {
  const bool decisive = node.kind == NodeKind::Some;
  const NodeId body = node.children.back();
  bool decided = false;
  bool unknown = false;
  const bool complete = run_loop(node, 0, frame, [&](const Frame* bound) {
    const Value verdict = eval(body, bound);
    if (!verdict.is(Kind::Boolean)) unknown = true;
    decided = verdict.is(Kind::Boolean) && verdict.boolean() == decisive;
    return !decided;
  });
  if (decided) return Value{decisive};
  if (!complete || unknown) return {};
  return Value{!decisive};
}

}  // namespace beeline::feel
