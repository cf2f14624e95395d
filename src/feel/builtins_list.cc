#include <algorithm>
#include <bit>
#include <unordered_map>

#include "feel/builtins.h"
#include "feel/compare.h"

// Lists: searching, changing, adding up, sorting.
namespace beeline::feel {

namespace {

using Items = std::vector<Value>;

// A set of values with FEEL's equality, which remembers the index of each value.
class ValueSet {
 public:
  explicit ValueSet(const BuiltinCall& call) : state_(call.state()), fractions_(call.fractions()) {}

  // Returns the index of an equal value; if there is none, adds the value and returns nothing.
  std::optional<std::size_t> add(const Value& value, std::size_t index) {
    state_.step(18 + value.full_size() / 16);
    const std::size_t key = hash(value, fractions_);
    const auto [first, last] = known_.equal_range(key);
    for (auto it = first; it != last; ++it) {
      state_.step();  // all functions have the same hash
      state_.step_comparing(it->second.value, value);
      if (equals(it->second.value, value, fractions_)) return it->second.index;
    }
    known_.emplace(key, Known{value, index});
    return std::nullopt;
  }

 private:
  struct Known {
    Value value;
    std::size_t index;
  };
  EvalState& state_;
  Fractions fractions_;
  std::unordered_multimap<std::size_t, Known> known_;
};

bool all_are(const Items& items, Kind kind) {
  return std::all_of(items.begin(), items.end(),
                     [kind](const Value& item) { return item.is(kind); });
}

// Returns the 0-based index of a 1-based or negative position; nothing if it is outside the list.
std::optional<std::size_t> index_of_position(const Value& position, std::size_t size) {
  const std::optional<std::int64_t> at = position.number().truncated_int64();
  const auto count = static_cast<std::int64_t>(size);
  if (!at || *at == 0 || *at > count || *at < -count) return std::nullopt;
  return static_cast<std::size_t>(*at > 0 ? *at - 1 : count + *at);
}

// ---- searching ----

Value list_contains(const BuiltinCall& call) {
  for (const Value& item : call[0].list()) {
    call.state().step();
    call.state().step_comparing(item, call[1]);
    if (equals(item, call[1], call.fractions())) return Value{true};
  }
  return Value{false};
}

Value index_of(const BuiltinCall& call) {
  Items positions;
  const Items& items = call[0].list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    call.state().step();
    call.state().step_comparing(items[i], call[1]);
    if (equals(items[i], call[1], call.fractions())) {
      positions.push_back(Value::number(static_cast<std::int64_t>(i + 1)));
    }
  }
  return Value{std::move(positions)};
}

Value count(const BuiltinCall& call) {
  return Value::number(static_cast<std::int64_t>(call[0].list().size()));
}

Value is_empty(const BuiltinCall& call) {
  return Value{call[0].list().empty()};
}

template <bool largest>
Value extreme(const BuiltinCall& call) {
  const Items& items = call[0].list();
  if (items.empty()) return {};
  const Value* best = &items.front();
  if (!is_ordered(best->kind())) return call.refuse("The items have no order");
  for (const Value& item : items) {
    call.state().step();
    call.state().step_comparing(item, *best);
    const auto position = order(item, *best);
    if (!position) return call.refuse("The items cannot be compared with each other");
    if (largest ? *position > 0 : *position < 0) best = &item;
  }
  return *best;
}

template <bool decisive>
Value quantified(const BuiltinCall& call) {
  bool unknown = false;
  call.state().step_copying(call[0].list().size());
  for (const Value& item : call[0].list()) {
    if (!item.is(Kind::Boolean)) {
      unknown = true;
    } else if (item.boolean() == decisive) {
      return Value{decisive};
    }
  }
  return unknown ? Value{} : Value{!decisive};
}

// ---- arithmetic ----

std::optional<Decimal> sum_of(const Items& items) {
  std::optional<Decimal> total = Decimal{0};
  for (const Value& item : items) {
    if (total) total = Decimal::add(*total, item.number());
  }
  return total;
}

// Charges arithmetic over all items, with this number of operations per item.
void step_adding(const BuiltinCall& call, std::size_t operations) {
  call.state().step(call[0].list().size() * operations * 3);
}

constexpr std::string_view kOnlyNumbers = "Only a list of numbers has such a result";

Value sum(const BuiltinCall& call) {
  const Items& items = call[0].list();
  if (items.empty()) return {};
  step_adding(call, 1);
  if (all_are(items, Kind::YearsMonthsDuration) || all_are(items, Kind::DaysTimeDuration)) {
    if (call.is_dmn()) return call.refuse(kOnlyNumbers);
    Value total = items.front();
    for (std::size_t i = 1; i < items.size(); ++i) {
      total = arithmetic(Operator::Add, total, items[i]);
    }
    return total;
  }
  if (!all_are(items, Kind::Number)) return call.refuse(kOnlyNumbers);
  return call.or_refuse(sum_of(items), "The sum is too large");
}

Value product(const BuiltinCall& call) {
  const Items& items = call[0].list();
  if (items.empty()) return {};
  step_adding(call, 2);
  if (!all_are(items, Kind::Number)) return call.refuse(kOnlyNumbers);
  std::optional<Decimal> total = Decimal{1};
  for (const Value& item : items) {
    if (total) total = Decimal::multiply(*total, item.number());
  }
  return call.or_refuse(total, "The product is too large");
}

std::optional<Decimal> mean_of(const Items& items) {
  const std::optional<Decimal> total = sum_of(items);
  if (!total) return std::nullopt;
  return Decimal::divide(*total, Decimal{static_cast<std::int64_t>(items.size())});
}

Value mean(const BuiltinCall& call) {
  const Items& items = call[0].list();
  if (items.empty()) return {};
  step_adding(call, 1);
  if (!all_are(items, Kind::Number)) return call.refuse(kOnlyNumbers);
  return call.or_refuse(mean_of(items), "The sum is too large");
}

Items sorted_numbers(const BuiltinCall& call) {
  const Items& items = call[0].list();
  call.state().step(items.size() * (2 + std::bit_width(items.size())));
  Items sorted = items;
  std::sort(sorted.begin(), sorted.end(),
            [](const Value& a, const Value& b) { return a.number() < b.number(); });
  return sorted;
}

Value median(const BuiltinCall& call) {
  if (call[0].list().empty()) return {};
  if (!all_are(call[0].list(), Kind::Number)) return call.refuse(kOnlyNumbers);
  const Items items = sorted_numbers(call);
  const std::size_t middle = items.size() / 2;
  if (items.size() % 2 == 1) return items[middle];
  return Value::from(mean_of({items[middle - 1], items[middle]}));
}

// The deviation of a sample: the divisor is one less than the count.
Value standard_deviation(const BuiltinCall& call) {
  const Items& items = call[0].list();
  if (items.size() < 2) return call.refuse("A deviation needs at least two numbers");
  step_adding(call, 5);
  if (!all_are(items, Kind::Number)) return call.refuse(kOnlyNumbers);
  const std::optional<Decimal> middle = mean_of(items);
  std::optional<Decimal> squares = Decimal{0};
  for (const Value& item : items) {
    if (!middle || !squares) return call.refuse("The sum is too large");
    const std::optional<Decimal> distance = Decimal::subtract(item.number(), *middle);
    const std::optional<Decimal> square =
        distance ? Decimal::multiply(*distance, *distance) : std::nullopt;
    squares = square ? Decimal::add(*squares, *square) : std::nullopt;
  }
  if (squares) {
    squares = Decimal::divide(*squares, Decimal{static_cast<std::int64_t>(items.size() - 1)});
  }
  return call.or_refuse(squares ? squares->sqrt() : std::nullopt, "The sum is too large");
}

Value mode(const BuiltinCall& call) {
  if (!all_are(call[0].list(), Kind::Number)) return call.refuse(kOnlyNumbers);
  const Items items = sorted_numbers(call);
  Items winners;
  std::size_t most = 0;
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i;
    while (end < items.size() && items[end].number() == items[i].number()) ++end;
    if (end - i > most) winners.clear();
    if (end - i >= most) winners.push_back(items[i]);
    most = std::max(most, end - i);
    i = end;
  }
  return Value{std::move(winners)};
}

// ---- changing ----

Value sublist(const BuiltinCall& call) {
  const Items& items = call[0].list();
  const std::optional<std::size_t> start = index_of_position(call[1], items.size());
  if (!start) return call.refuse("The start position is outside the list");
  std::size_t length = items.size() - *start;
  if (call.has(2)) {
    const std::optional<std::int64_t> wanted = call[2].number().truncated_int64();
    if (!wanted || *wanted < 0) return call.refuse("The length is out of range");
    const auto longest = static_cast<std::size_t>(*wanted);
    if (call.is_dmn() && longest > length) return call.refuse("The list is too short");
    length = std::min(length, longest);
  }
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(*start);
  return Value{Items(first, first + static_cast<std::ptrdiff_t>(length))};
}

Value append(const BuiltinCall& call) {
  call.state().check_list_size(call[0].list().size() + call[1].list().size());
  call.state().step_copying(call[0].list().size());
  Items items = call[0].list();
  items.insert(items.end(), call[1].list().begin(), call[1].list().end());
  return Value{std::move(items)};
}

Value concatenate(const BuiltinCall& call) {
  Items all;
  for (const Value& list : call[0].list()) {
    if (!list.is(Kind::List)) {
      all.push_back(list);
      continue;
    }
    call.state().check_list_size(all.size() + list.list().size());
    call.state().step_copying(list.list().size());
    all.insert(all.end(), list.list().begin(), list.list().end());
  }
  return Value{std::move(all)};
}

Items without_repetition(const BuiltinCall& call, const Items& items) {
  ValueSet seen(call);
  Items kept;
  for (const Value& item : items) {
    if (!seen.add(item, kept.size())) kept.push_back(item);
  }
  return kept;
}

Value union_of(const BuiltinCall& call) {
  const Value all = concatenate(call);
  return Value{without_repetition(call, all.list())};
}

Value distinct_values(const BuiltinCall& call) {
  return Value{without_repetition(call, call[0].list())};
}

Value duplicate_values(const BuiltinCall& call) {
  const Items& items = call[0].list();
  ValueSet seen(call);
  std::vector<int> times(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) ++times[seen.add(items[i], i).value_or(i)];
  Items repeated;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (times[i] > 1) repeated.push_back(items[i]);
  }
  return Value{std::move(repeated)};
}

Value insert_before(const BuiltinCall& call) {
  call.state().step_copying(2 * call[0].list().size());
  Items items = call[0].list();
  const std::optional<std::size_t> index = index_of_position(call[1], items.size());
  if (!index) {
    const std::optional<std::int64_t> at = call[1].number().truncated_int64();
    if (call.is_dmn() || !at || *at == 0) return call.refuse("The position is outside the list");
    items.insert(*at > 0 ? items.end() : items.begin(), call[2]);
    return Value{std::move(items)};
  }
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(*index), call[2]);
  return Value{std::move(items)};
}

Value remove(const BuiltinCall& call) {
  call.state().step_copying(2 * call[0].list().size());
  Items items = call[0].list();
  const std::optional<std::size_t> index = index_of_position(call[1], items.size());
  if (!index) {
    const std::optional<std::int64_t> at = call[1].number().truncated_int64();
    if (call.is_dmn() || !at || *at == 0) return call.refuse("The position is outside the list");
    return call[0];
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(*index));
  return Value{std::move(items)};
}

Value replace_at(const BuiltinCall& call) {
  call.state().step_copying(call[0].list().size());
  Items items = call[0].list();
  const std::optional<std::size_t> index = index_of_position(call[1], items.size());
  if (!index) return call.refuse("The position is outside the list");
  items[*index] = Value{call[2]};
  return Value{std::move(items)};
}

Value replace_matching(const BuiltinCall& call) {
  if (call[1].function().parameters.size() != 2) {
    return call.refuse("The function must take an item and the new item");
  }
  call.state().step_copying(call[0].list().size());
  Items items = call[0].list();
  for (Value& item : items) {
    const Value arguments[] = {item, call[2]};
    const Value verdict = call_function(call.state(), call[1], arguments, call.dialect());
    if (!verdict.is(Kind::Boolean)) return call.refuse("The function must answer a boolean");
    if (verdict.boolean()) item = Value{call[2]};
  }
  return Value{std::move(items)};
}

Value reverse(const BuiltinCall& call) {
  call.state().step_copying(call[0].list().size());
  return Value{Items(call[0].list().rbegin(), call[0].list().rend())};
}

void flatten_into(const BuiltinCall& call, const Items& items, Items& out) {
  for (const Value& item : items) {
    if (item.is(Kind::List)) {
      call.state().step();
      flatten_into(call, item.list(), out);
    } else {
      call.state().step();
      call.state().check_list_size(out.size());
      out.push_back(item);
    }
  }
}

Value flatten(const BuiltinCall& call) {
  Items flat;
  flatten_into(call, call[0].list(), flat);
  return Value{std::move(flat)};
}

Value partition(const BuiltinCall& call) {
  const std::optional<std::int64_t> size = call[1].number().truncated_int64();
  if (!size || *size < 1) return call.refuse("The size must be positive");
  const Items& items = call[0].list();
  call.state().step_copying(items.size());
  Items parts;
  for (std::size_t start = 0; start < items.size();) {
    call.state().step(4);
    const std::size_t length = std::min(items.size() - start, static_cast<std::size_t>(*size));
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(start);
    parts.emplace_back(Items(first, first + static_cast<std::ptrdiff_t>(length)));
    start += length;
  }
  return Value{std::move(parts)};
}

// ---- sorting ----

// Merges neighbouring runs of growing width. It is stable, and safe if the function contradicts
// itself, which std::sort is not. Returns false if the order cannot be determined.
template <typename Precedes>
bool merge_sort(EvalState& state, Items& items, const Precedes& precedes) {
  Items merged(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    state.step(items.size());
    for (std::size_t low = 0; low < items.size(); low += 2 * width) {
      const std::size_t middle = std::min(low + width, items.size());
      const std::size_t high = std::min(low + 2 * width, items.size());
      std::size_t left = low;
      std::size_t right = middle;
      for (std::size_t out = low; out < high; ++out) {
        bool take_right = left == middle;
        if (left < middle && right < high) {
          const std::optional<bool> earlier = precedes(items[right], items[left]);
          if (!earlier) return false;
          take_right = *earlier;
        }
        merged[out] = items[take_right ? right++ : left++];
      }
    }
    std::swap(items, merged);
  }
  return true;
}

Value sort_by(const BuiltinCall& call) {
  Items items = call[0].list();
  const bool sorted =
      merge_sort(call.state(), items, [&](const Value& a, const Value& b) -> std::optional<bool> {
        const Value arguments[] = {a, b};
        call.state().step();
        const Value verdict = call_function(call.state(), call[1], arguments, call.dialect());
        return verdict.is(Kind::Boolean) ? std::optional(verdict.boolean()) : std::nullopt;
      });
  return sorted ? Value{std::move(items)} : call.refuse("The function must answer a boolean");
}

Value sort_naturally(const BuiltinCall& call) {
  Items items = call[0].list();
  const bool sorted =
      merge_sort(call.state(), items, [&](const Value& a, const Value& b) -> std::optional<bool> {
        call.state().step();
        call.state().step_comparing(a, b);
        const auto position = order(a, b);
        return position ? std::optional(*position < 0) : std::nullopt;
      });
  return sorted ? Value{std::move(items)} : call.refuse("The items have no order");
}

constexpr BuiltinRow kListRows[] = {
    {"list contains(list:l, element:a)", &list_contains},
    {"index of(list:l, match:a)", &index_of},
    {"count(list:l)", &count},
    {"is empty(list:l)", &is_empty, kExtension},
    {"min(list...:l)", &extreme<false>},
    {"max(list...:l)", &extreme<true>},
    {"sum(list...:l)", &sum},
    {"product(list...:l)", &product},
    {"mean(list...:l)", &mean},
    {"median(list...:l)", &median},
    {"stddev(list...:l)", &standard_deviation},
    {"mode(list...:l)", &mode},
    {"all(list...:l)", &quantified<false>},
    {"any(list...:l)", &quantified<true>},
    {"and(list...:l)", &quantified<false>, kExtension},
    {"or(list...:l)", &quantified<true>, kExtension},
    {"sublist(list:l, start position|start:n, length?:n)", &sublist},
    {"append(list:l, item|items*:l)", &append},
    {"concatenate(list|lists*:l)", &concatenate},
    {"union(list|lists*:l)", &union_of},
    {"insert before(list:l, position:n, newItem:a)", &insert_before},
    {"remove(list:l, position:n)", &remove},
    {"list replace(list:l, position:n, newItem:a)", &replace_at},
    {"list replace(list:l, match:f, newItem:a)", &replace_matching},
    {"reverse(list:l)", &reverse},
    {"flatten(list:l)", &flatten},
    {"distinct values(list:l)", &distinct_values},
    {"duplicate values(list:l)", &duplicate_values, kExtension},
    {"partition(list:l, size:n)", &partition, kExtension},
    {"sort(list:l, precedes:f)", &sort_by},
    {"sort(list:l)", &sort_naturally, kExtension},
};

}  // namespace

std::span<const BuiltinRow> list_builtins() {
  return kListRows;
}

}  // namespace beeline::feel
