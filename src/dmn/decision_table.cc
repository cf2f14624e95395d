// Decision tables: finds the matching rules and applies the hit policy.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dmn/evaluation.h"
#include "feel/arithmetic.h"
#include "feel/compare.h"

namespace beeline::dmn {

using feel::Kind;
using feel::Value;

namespace {

constexpr std::size_t kNameCharactersMax = 30;

// Returns the first characters of an expression, cut between code points.
std::string beginning_of(std::string_view text) {
  std::size_t bytes = 0;
  for (std::size_t count = 0; bytes < text.size() && count < kNameCharactersMax; ++count) {
    ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) {
      ++bytes;
    }
  }
  return std::string(text.substr(0, bytes));
}

}  // namespace

// One evaluation of one table.
class Evaluation::TableRun {
 public:
  TableRun(Evaluation& evaluation, const Table& table, const Scope& scope, TableTrace* trace)
      : evaluation_(evaluation), table_(table), scope_(scope), trace_(trace) {}

  Value run() {
    if (!evaluate_inputs()) return {};
    find_matches();
    return evaluation_.checked(matches_.empty() ? default_value() : apply_hit_policy());
  }

 private:
  // One matched rule and the values of its outputs.
  struct Match {
    std::uint32_t rule = 0;
    std::vector<Value> outputs;
  };

  // Returns false if a value is not among the input's allowed values.
  bool evaluate_inputs() {
    for (const Table::Input& input : table_.inputs) {
      Value value = evaluation_.typed(evaluation_.evaluate(input.expression, scope_), input.type,
                                      input.expression.source);
      if (trace_ != nullptr) {
        evaluation_.state_.step_through(value);
        trace_->inputs.push_back(
            {input.id, input.label.empty() ? beginning_of(input.expression.source) : input.label,
             feel::to_json(value)});
      }
      if (evaluation_.is_standard() && input.values && !value.is_null() &&
          !evaluation_.test(*input.values, value, scope_).is_true()) {
        evaluation_.warn(feel::WarningKind::InvalidType,
                         fmt::format("The value of input '{}' is not among its allowed values",
                                     input.expression.source));
        return false;
      }
      inputs_.push_back(std::move(value));
    }
    return true;
  }

  void find_matches() {
    std::vector<std::optional<TableIndex::Place>> places;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      evaluation_.state_.step(16);  // a search among the constants of the column
      places.push_back(table_.indexes[i].find(inputs_[i]));
    }
    // The results of the tests that had to be evaluated, per column.
    std::vector<std::vector<std::optional<bool>>> verdicts(inputs_.size());
    const auto holds = [&](std::size_t column, std::uint32_t test) {
      if (const auto known = table_.indexes[column].holds(test, places[column])) return *known;
      if (verdicts[column].empty()) verdicts[column].resize(table_.tests[column].size());
      std::optional<bool>& verdict = verdicts[column][test];
      if (!verdict) {
        verdict = evaluation_.test(table_.tests[column][test], inputs_[column], scope_).is_true();
      }
      return *verdict;
    };
    for (std::uint32_t rule = 0; rule < table_.rules.size(); ++rule) {
      evaluation_.state_.step(1 + table_.rules[rule].tests.size() / 4);
      const std::vector<std::uint32_t>& tests = table_.rules[rule].tests;
      bool matches = true;
      for (std::size_t column = 0; matches && column < tests.size(); ++column) {
        matches = holds(column, tests[column]);
      }
      if (!matches) continue;
      add_match(rule);
      if (table_.hit_policy == HitPolicy::First) break;
    }
  }

  void add_match(std::uint32_t index) {
    const Table::Rule& rule = table_.rules[index];
    Match match{index, {}};
    for (std::size_t i = 0; i < rule.outputs.size(); ++i) {
      match.outputs.push_back(checked(evaluation_.evaluate(rule.outputs[i], scope_), i));
    }
    if (trace_ != nullptr) {
      MatchedRule record{rule.id, index + 1, {}};
      for (std::size_t i = 0; i < match.outputs.size(); ++i) {
        const Table::Output& output = table_.outputs[i];
        evaluation_.state_.step(8);
        evaluation_.state_.step_through(match.outputs[i]);
        record.outputs.push_back({output.id, output.label.empty() ? output.name : output.label,
                                  feel::to_json(match.outputs[i])});
      }
      trace_->matched_rules.push_back(std::move(record));
    }
    matches_.push_back(std::move(match));
  }

  // Converts the value to the output's type and checks it against the list of values.
  Value checked(Value value, std::size_t index) {
    const Table::Output& output = table_.outputs[index];
    value = evaluation_.typed(std::move(value), output.type, output.name);
    if (evaluation_.is_standard() && output.values && !value.is_null() &&
        !evaluation_.test(*output.values, value, scope_).is_true()) {
      evaluation_.warn(
          feel::WarningKind::InvalidType,
          fmt::format("The value of output '{}' is not among its allowed values", output.name));
      return {};
    }
    return value;
  }

  Value default_value() {
    std::vector<feel::Entry> entries;
    for (std::size_t i = 0; i < table_.outputs.size(); ++i) {
      const Table::Output& output = table_.outputs[i];
      if (!output.default_entry) continue;
      entries.push_back(
          {output.name, checked(evaluation_.evaluate(*output.default_entry, scope_), i)});
    }
    if (entries.empty()) return {};
    if (table_.outputs.size() == 1) return entries.front().value;
    return Value{feel::Context(std::move(entries))};
  }

  // ---- hit policies ----

  Value apply_hit_policy() {
    switch (table_.hit_policy) {
      case HitPolicy::Unique:
        if (matches_.size() > 1) {
          return evaluation_.violation(fmt::format(
              "Hit policy UNIQUE allows one matching rule, but {} matched", matches_.size()));
        }
        return value_of(matches_.front());
      case HitPolicy::Any:
        return any();
      case HitPolicy::Priority:
        sort_by_priority();
        return value_of(matches_.front());
      case HitPolicy::First:
        return value_of(matches_.front());
      case HitPolicy::OutputOrder:
        sort_by_priority();
        return all();
      case HitPolicy::RuleOrder:
        return all();
      case HitPolicy::Collect:
        return table_.aggregation == Aggregation::None ? all() : aggregate();
    }
    return {};
  }

  [[nodiscard]] Value value_of(const Match& match) const {
    if (table_.outputs.size() == 1) return match.outputs.front();
    evaluation_.state_.step(4 + 2 * match.outputs.size());
    std::vector<feel::Entry> entries;
    for (std::size_t i = 0; i < match.outputs.size(); ++i) {
      entries.push_back({table_.outputs[i].name, match.outputs[i]});
    }
    return Value{feel::Context(std::move(entries))};
  }

  [[nodiscard]] Value all() const {
    std::vector<Value> values;
    for (const Match& match : matches_) values.push_back(value_of(match));
    return Value{std::move(values)};
  }

  Value any() {
    for (const Match& match : matches_) {
      for (std::size_t i = 0; i < match.outputs.size(); ++i) {
        evaluation_.state_.step_comparing(match.outputs[i], matches_.front().outputs[i]);
        if (feel::equals(match.outputs[i], matches_.front().outputs[i], evaluation_.fractions())) {
          continue;
        }
        return evaluation_.violation(
            fmt::format("Hit policy ANY wants equal outputs, but rules {} and {} differ",
                        matches_.front().rule + 1, match.rule + 1));
      }
    }
    return value_of(matches_.front());
  }

  // Columns count from left to right, a value that is not listed comes last, and rules with equal
  // outputs keep their order.
  void sort_by_priority() {
    std::vector<Value> orders;
    for (const Table::Output& output : table_.outputs) {
      orders.push_back(output.priorities ? evaluation_.evaluate(*output.priorities, scope_)
                                         : Value{});
    }
    const auto rank = [&](const Match& match, std::size_t column) {
      const Value& order = orders[column];
      if (!order.is(Kind::List)) return std::size_t{0};
      const auto found =
          std::find_if(order.list().begin(), order.list().end(), [&](const Value& listed) {
            evaluation_.state_.step();
            evaluation_.state_.step_comparing(listed, match.outputs[column]);
            return feel::equals(listed, match.outputs[column], evaluation_.fractions());
          });
      return static_cast<std::size_t>(found - order.list().begin());
    };
    std::vector<std::pair<std::vector<std::size_t>, std::size_t>> keys;
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      std::vector<std::size_t> ranks;
      for (std::size_t column = 0; column < orders.size(); ++column) {
        ranks.push_back(rank(matches_[i], column));
      }
      keys.emplace_back(std::move(ranks), i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Match> sorted;
    for (const auto& key : keys) sorted.push_back(std::move(matches_[key.second]));
    matches_ = std::move(sorted);
  }

  Value aggregate() {
    if (table_.aggregation == Aggregation::Count) {
      return Value::number(static_cast<std::int64_t>(matches_.size()));
    }
    Value result = matches_.front().outputs.front();
    if (!is_summable(result)) return no_aggregate(result);
    for (std::size_t i = 1; i < matches_.size(); ++i) {
      const Value& next = matches_[i].outputs.front();
      evaluation_.state_.step(4);
      evaluation_.state_.step_comparing(next, result);
      if (next.kind() != result.kind()) return no_aggregate(next);
      if (table_.aggregation == Aggregation::Sum) {
        result = feel::arithmetic(feel::Operator::Add, result, next);
        if (result.is_null()) return no_aggregate(next);
        continue;
      }
      const std::optional<std::strong_ordering> order = feel::order(next, result);
      if (!order) return no_aggregate(next);
      if (table_.aggregation == Aggregation::Min ? *order < 0 : *order > 0) result = next;
    }
    return result;
  }
  [[nodiscard]] bool is_summable(const Value& value) const {
    if (table_.aggregation != Aggregation::Sum) return feel::is_ordered(value.kind());
    return value.is(Kind::Number) || value.is(Kind::YearsMonthsDuration) ||
           value.is(Kind::DaysTimeDuration);
  }
  Value no_aggregate(const Value& value) {
    return evaluation_.violation(fmt::format(
        "The outputs of the matched rules cannot be aggregated, one is {}", feel::to_json(value)));
  }

  Evaluation& evaluation_;
  const Table& table_;
  const Scope& scope_;
  TableTrace* trace_;
  std::vector<Value> inputs_;
  std::vector<Match> matches_;
};

Value Evaluation::evaluate_table(const Table& table, const Scope& scope, TableTrace* trace) {
  return TableRun(*this, table, scope, trace).run();
}

}  // namespace beeline::dmn
