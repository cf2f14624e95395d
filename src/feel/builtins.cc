#include "feel/builtins.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "feel/check.h"
#include "feel/text.h"

namespace beeline::feel {

namespace {

using KindMask = std::uint32_t;

constexpr KindMask bit(Kind kind) {
  return KindMask{1} << static_cast<unsigned>(kind);
}
constexpr KindMask kAnything = ~KindMask{0};

struct Parameter {
  std::vector<std::string> names;
  std::vector<std::string> lenient_names;  // in workflows only
  KindMask kinds = 0;
  bool optional = false;
  enum class Spread { No, Allowed, Always } spread = Spread::No;

  [[nodiscard]] bool has_name(std::string_view name, Dialect dialect) const {
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    return dialect != Dialect::Dmn &&
           std::find(lenient_names.begin(), lenient_names.end(), name) != lenient_names.end();
  }
};

// A parsed signature.
struct Overload {
  std::vector<Parameter> parameters;
  std::size_t required = 0;
  BuiltinFunction function = nullptr;
  bool extension = false;

  [[nodiscard]] bool is_variadic() const {
    return !parameters.empty() && parameters.back().spread != Parameter::Spread::No;
  }
};

KindMask kind_of_letter(char letter) {
  switch (letter) {
    case 'b':
      return bit(Kind::Boolean);
    case 'n':
      return bit(Kind::Number);
    case 's':
      return bit(Kind::String);
    case 'l':
      return bit(Kind::List);
    case 'c':
      return bit(Kind::Context);
    case 'd':
      return bit(Kind::Date);
    case 't':
      return bit(Kind::Time);
    case 'D':
      return bit(Kind::DateTime);
    case 'y':
      return bit(Kind::YearsMonthsDuration);
    case 'z':
      return bit(Kind::DaysTimeDuration);
    case 'r':
      return bit(Kind::Range);
    case 'f':
      return bit(Kind::Function);
    case '~':
      return bit(Kind::Null);
    case 'a':
      return kAnything;
    default:
      throw std::logic_error("a signature with an unknown letter");
  }
}

bool cut_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// "start position|start?:n"
Parameter read_parameter(std::string_view text) {
  Parameter parameter;
  const std::size_t colon = text.find(':');
  for (const char letter : text.substr(colon + 1)) parameter.kinds |= kind_of_letter(letter);
  std::string_view names = text.substr(0, colon);
  parameter.optional = cut_suffix(names, "?");
  if (cut_suffix(names, "...")) parameter.spread = Parameter::Spread::Allowed;
  if (cut_suffix(names, "*")) parameter.spread = Parameter::Spread::Always;
  while (true) {
    const std::size_t bar = names.find('|');
    const bool is_lenient = names.starts_with('+');
    (is_lenient ? parameter.lenient_names : parameter.names)
        .emplace_back(names.substr(0, bar).substr(is_lenient ? 1 : 0));
    if (bar == std::string_view::npos) return parameter;
    names.remove_prefix(bar + 1);
  }
}

class Registry {
 public:
  Registry() {
    for (const auto rows :
         {conversion_builtins(), string_builtins(), number_builtins(), list_builtins(),
          context_builtins(), temporal_builtins(), range_builtins()}) {
      for (const BuiltinRow& row : rows) add(row);
    }
  }

  [[nodiscard]] const std::vector<Overload>* find(std::string_view name) const {
    const auto found = overloads_.find(name);
    return found == overloads_.end() ? nullptr : &found->second;
  }

 private:
  void add(const BuiltinRow& row) {
    std::string_view signature = row.signature;
    const std::size_t open = signature.find('(');
    Overload overload;
    overload.function = row.function;
    overload.extension = row.origin == kExtension;
    std::string_view rest = signature.substr(open + 1, signature.size() - open - 2);
    while (!rest.empty()) {
      const std::size_t comma = rest.find(", ");
      overload.parameters.push_back(read_parameter(rest.substr(0, comma)));
      if (!overload.parameters.back().optional) ++overload.required;
      rest = comma == std::string_view::npos ? "" : rest.substr(comma + 2);
    }
    overloads_[signature.substr(0, open)].push_back(std::move(overload));
  }

  std::unordered_map<std::string_view, std::vector<Overload>> overloads_;  // keys are literals
};

const Registry& registry() {
  static const Registry instance;
  return instance;
}

// Arguments in the order of the parameters; `given` distinguishes a written null from an omitted
// argument.
struct Bound {
  std::vector<Value> arguments;
  std::vector<bool> given;
};

bool bind_positions(const Overload& overload, std::span<const Value> arguments, Bound& bound) {
  const std::size_t fixed = overload.parameters.size() - (overload.is_variadic() ? 1 : 0);
  if (arguments.size() < overload.required) return false;
  if (!overload.is_variadic() && arguments.size() > fixed) return false;
  bound.arguments.assign(overload.parameters.size(), Value{});
  bound.given.assign(overload.parameters.size(), false);
  for (std::size_t i = 0; i < std::min(fixed, arguments.size()); ++i) {
    bound.arguments[i] = arguments[i];
    bound.given[i] = true;
  }
  if (!overload.is_variadic() || arguments.size() <= fixed) return true;
  const std::span<const Value> rest = arguments.subspan(fixed);
  const bool spread = overload.parameters.back().spread == Parameter::Spread::Always ||
                      rest.size() > 1 || !(rest[0].is(Kind::List) || rest[0].is_null());
  bound.arguments.back() = spread ? Value{std::vector<Value>(rest.begin(), rest.end())} : rest[0];
  bound.given.back() = true;
  return true;
}

bool bind_names(const Overload& overload, std::span<const std::string> labels,
                std::span<const Value> arguments, Dialect dialect, Bound& bound) {
  bound.arguments.assign(overload.parameters.size(), Value{});
  bound.given.assign(overload.parameters.size(), false);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::size_t index = 0;
    // A name may belong to either of two parameters (point and range): the first free one gets the
    // argument.
    while (index < overload.parameters.size() &&
           (bound.given[index] || !overload.parameters[index].has_name(labels[i], dialect))) {
      ++index;
    }
    if (index == overload.parameters.size()) return false;
    const bool wrap = overload.parameters[index].spread == Parameter::Spread::Always &&
                      !arguments[i].is(Kind::List);
    bound.arguments[index] = wrap ? Value{std::vector<Value>{arguments[i]}} : arguments[i];
    bound.given[index] = true;
  }
  return true;
}

// True if the arguments have the accepted kinds. In the dmn dialect a single value may be passed
// for a list, and a list of one for its item.
bool fit_kinds(const Overload& overload, Bound& bound, Dialect dialect) {
  for (std::size_t i = 0; i < overload.parameters.size(); ++i) {
    const Parameter& parameter = overload.parameters[i];
    Value& argument = bound.arguments[i];
    if (parameter.optional && !bound.given[i]) continue;
    if ((parameter.kinds & bit(argument.kind())) != 0) continue;
    const bool spread = parameter.spread == Parameter::Spread::Allowed;
    if (argument.is_null() || (dialect != Dialect::Dmn && !spread)) return false;
    if ((parameter.kinds & bit(Kind::List)) != 0) {
      argument = Value{std::vector<Value>{argument}};
    } else if (argument.is(Kind::List) && argument.list().size() == 1 &&
               (parameter.kinds & bit(argument.list()[0].kind())) != 0) {
      argument = Value{argument.list()[0]};
    } else {
      return false;
    }
  }
  return true;
}

std::string describe_call(std::string_view name, std::span<const Value> arguments) {
  std::string text(name);
  text += "(";
  std::string_view separator;
  for (const Value& argument : arguments) {
    text += separator;
    text += describe(argument);
    separator = ", ";
  }
  return text + ")";
}

}  // namespace

Value BuiltinCall::refuse(std::string_view why) const {
  if (state_.wants_warning()) state_.warn(WarningKind::FunctionInvocationFailure, why);
  return {};
}

bool is_builtin(std::string_view name) {
  return registry().find(name) != nullptr;
}

bool is_builtin(std::string_view name, bool extensions) {
  const std::vector<Overload>* overloads = registry().find(name);
  return overloads != nullptr &&
         (extensions || std::any_of(overloads->begin(), overloads->end(),
                                    [](const Overload& overload) { return !overload.extension; }));
}

Value builtin_as_value(std::string_view name) {
  const std::vector<Overload>* overloads = registry().find(name);
  check(overloads != nullptr, "there is no such built-in function");
  Function function;
  for (const Parameter& parameter : overloads->front().parameters) {
    function.parameters.push_back(parameter.names.front());
  }
  auto body = std::make_shared<Function::Body>();
  body->builtin = std::string(name);
  function.body = std::move(body);
  return Value{std::move(function)};
}

Value call_builtin(EvalState& state, std::string_view name, std::span<const std::string> labels,
                   std::span<const Value> arguments, Dialect dialect, bool extensions) {
  const std::vector<Overload>* overloads = registry().find(name);
  bool arity_fits = false;
  Bound bound;
  for (std::size_t i = 0; overloads != nullptr && i < overloads->size(); ++i) {
    const Overload& overload = (*overloads)[i];
    if (overload.extension && !extensions) continue;
    const bool binds = labels.empty() ? bind_positions(overload, arguments, bound)
                                      : bind_names(overload, labels, arguments, dialect, bound);
    if (!binds) continue;
    arity_fits = true;
    if (!fit_kinds(overload, bound, dialect)) continue;
    state.step(3);
    const EvalState::Nesting nesting(state);
    Value result = overload.function(
        BuiltinCall(state, dialect, std::move(bound.arguments), std::move(bound.given)));
    state.check_value(result);
    return result;
  }
  if (state.wants_warning()) {
    if (arity_fits) {
      state.warn(WarningKind::FunctionInvocationFailure,
                 "Failed to call " + describe_call(name, arguments) +
                     ": an argument is not of the type expected");
    } else {
      state.warn(WarningKind::NoFunctionFound,
                 "No function found for " + describe_call(name, arguments));
    }
  }
  return {};
}

}  // namespace beeline::feel
