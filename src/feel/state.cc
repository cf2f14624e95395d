#include "feel/state.h"

#include "feel/json.h"

namespace beeline::feel {

std::string_view warning_kind_name(WarningKind kind) {
  switch (kind) {
    case WarningKind::NoVariableFound:
      return "NO_VARIABLE_FOUND";
    case WarningKind::NoContextEntryFound:
      return "NO_CONTEXT_ENTRY_FOUND";
    case WarningKind::NoPropertyFound:
      return "NO_PROPERTY_FOUND";
    case WarningKind::NotComparable:
      return "NOT_COMPARABLE";
    case WarningKind::InvalidType:
      return "INVALID_TYPE";
    case WarningKind::NoFunctionFound:
      return "NO_FUNCTION_FOUND";
    case WarningKind::FunctionInvocationFailure:
      return "FUNCTION_INVOCATION_FAILURE";
    case WarningKind::Unknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

namespace {

constexpr std::int64_t kStepsBetweenMemoryChecks = 256;
constexpr std::size_t kStepsPerVariable = 64;  // a search through scopes within scopes

}  // namespace

EvalState::EvalState(const Limits& limits, Instant now_time, const VariableSource* source,
                     Budget* budget)
    : now(now_time),
      limits_(limits),
      source_(source),
      budget_(budget),
      steps_left_(budget != nullptr ? budget->left() : limits.steps),
      live_bytes_before_(live_value_bytes()),
      next_memory_check_(steps_left_ - kStepsBetweenMemoryChecks) {
  if (budget != nullptr) limits_.steps = budget->steps();
}

EvalState::~EvalState() {
  if (budget_ != nullptr) budget_->spend(budget_->left() - steps_left_);
}

std::string EvalState::in_place() const {
  return place_.node == nullptr ? "" : " in '" + place_.program->excerpt(*place_.node) + "'";
}

void EvalState::fail(std::string reason) const {
  throw EvaluationFailure{std::move(reason) + in_place()};
}

void EvalState::steps_exhausted() const {
  // Other evaluations may have used up a shared budget.
  fail((budget_ != nullptr ? "The expressions of one command took more than "
                           : "The evaluation took more than ") +
       std::to_string(limits_.steps) + " steps");
}

void EvalState::too_deep() {
  // The nesting object whose constructor throws is not destroyed; this state is not used for
  // evaluation any more, so its counters may stay wrong.
  fail("The evaluation is nested too deeply");
}

void EvalState::check_memory() {
  next_memory_check_ = steps_left_ - kStepsBetweenMemoryChecks;
  if (live_value_bytes() - live_bytes_before_ > limits_.live_bytes) {
    fail("The evaluation holds more than " + std::to_string(limits_.live_bytes / (1024 * 1024)) +
         " MiB");
  }
}

void EvalState::check_list_size(std::size_t size) const {
  if (size > limits_.list_size) {
    fail("A list would have more than " + std::to_string(limits_.list_size) + " items");
  }
}

void EvalState::check_string_size(std::size_t size) const {
  if (size > limits_.string_size) {
    fail("A string would be longer than " + std::to_string(limits_.string_size) + " bytes");
  }
}

void EvalState::check_depth(std::uint32_t depth) const {
  if (depth > kValueDepthMax) {
    fail("A value would be nested deeper than " + std::to_string(kValueDepthMax) + " levels");
  }
}

void EvalState::check_value(const Value& value) {
  check_depth(value.depth());
  if (value.full_size() > limits_.value_size) {
    fail("A value would be larger than " + std::to_string(limits_.value_size) + " bytes");
  }
  if (value.is(Kind::List)) {
    check_list_size(value.list().size());
    step_copying(value.list().size());
  } else if (value.is(Kind::Context)) {
    step_copying(value.context().entries().size() * 4);
  } else if (value.is(Kind::String)) {
    check_string_size(value.string().size());
    step_reading(value.string().size());
  }
}

bool EvalState::wants_warning() {
  if (muted_ > 0) return false;
  return warning_count_++ < limits_.warnings;
}

void EvalState::warn(WarningKind kind, std::string_view text) {
  std::string warning = "[";
  warning += warning_kind_name(kind);
  warning += "] ";
  warning += text;
  warning += in_place();
  warnings_.push_back(std::move(warning));
}

std::vector<std::string> EvalState::take_warnings() {
  if (warning_count_ > limits_.warnings) {
    warn(WarningKind::Unknown,
         std::to_string(warning_count_ - limits_.warnings) + " more warnings were not kept");
  }
  warning_count_ = 0;
  return std::exchange(warnings_, {});
}

const Value* EvalState::read_variable(std::string_view name) {
  if (const auto known = variables_.find(name); known != variables_.end()) {
    return known->second ? &*known->second : nullptr;
  }
  if (source_ == nullptr) return nullptr;
  step(kStepsPerVariable);
  const std::optional<std::string_view> json = source_->find(name);
  std::optional<Value> value;
  if (json) {
    value = parse_json(*json, *this);
    if (!value && wants_warning()) {
      warn(WarningKind::Unknown,
           "The variable '" + std::string(name) + "' is not readable as JSON");
    }
    value = std::move(value).value_or(Value{});
  }
  const auto added = variables_.emplace(std::string(name), std::move(value));
  return added.first->second ? &*added.first->second : nullptr;
}

std::optional<Value> EvalState::read_member(std::string_view name,
                                            std::span<const std::string_view> members) {
  if (source_ == nullptr || variables_.contains(name)) return std::nullopt;
  auto reads = member_reads_.find(name);
  if (reads == member_reads_.end()) reads = member_reads_.emplace(std::string(name), 0).first;
  // If paths into a variable are read often, reading it completely once is cheaper.
  constexpr int kReadsBeforeWhole = 4;
  if (++reads->second > kReadsBeforeWhole) return std::nullopt;
  step(kStepsPerVariable);
  std::optional<std::string_view> json = source_->find(name);
  if (!json) return std::nullopt;
  for (const std::string_view member : members) {
    step(json->size() / 32);
    json = find_json_member(*json, member);
    if (!json) return std::nullopt;
  }
  return parse_json(*json, *this);
}

std::uint64_t EvalState::random() {
  if (!generator_) {
    if (!seed) {
      std::random_device device;
      seed = static_cast<std::uint64_t>(device()) << 32 | device();
    }
    generator_.emplace(*seed);
  }
  return (*generator_)();
}

}  // namespace beeline::feel
