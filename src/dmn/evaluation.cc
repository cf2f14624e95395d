// The graph: decisions, their requirements, knowledge models and services.
#include "dmn/evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "feel/type.h"

namespace beeline::dmn {

using feel::Value;

std::vector<feel::Entry> Scope::flattened() const {
  std::vector<const Scope*> layers;
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) layers.push_back(scope);
  std::vector<feel::Entry> result;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    result.insert(result.end(), (*layer)->entries_.begin(), (*layer)->entries_.end());
  }
  return result;
}

namespace {

DecisionType type_of(const Decision& decision) {
  if (!decision.expression) return DecisionType::Unknown;
  const auto& form = decision.expression->form;
  if (std::holds_alternative<Table>(form)) return DecisionType::DecisionTable;
  if (std::holds_alternative<Literal>(form)) return DecisionType::LiteralExpression;
  if (std::holds_alternative<BoxedContext>(form)) return DecisionType::Context;
  if (std::holds_alternative<Invocation>(form)) return DecisionType::Invocation;
  if (std::holds_alternative<BoxedList>(form)) return DecisionType::List;
  if (std::holds_alternative<Relation>(form)) return DecisionType::Relation;
  return DecisionType::Unknown;
}

}  // namespace

Evaluation::Evaluation(const Model& model, const feel::VariableSource* source,
                       const feel::Context* inputs, const feel::EvaluationOptions& options)
    : model_(model), given_(inputs), state_(feel::Limits{}, options.now, source, options.budget) {
  state_.call_external = [](feel::EvalState& state, const Value& description,
                            std::span<const Value> arguments) -> Value {
    const Value* java = description.find("java");
    const feel::NativeFunction code =
        java != nullptr ? find_java_function(*java) : feel::NativeFunction{};
    if (code) return code(state, arguments);
    if (state.wants_warning()) {
      state.warn(feel::WarningKind::NoFunctionFound, "There is no such external function");
    }
    return {};
  };
}

DecisionResult Evaluation::run_decision(const Decision& decision) {
  Value value;
  try {
    value = decide(decision, environment_);
  } catch (feel::EvaluationFailure& error) {
    if (!failure_) failure_ = DecisionFailure{decision.id, std::move(error.reason)};
  }
  return finish(std::move(value));
}

DecisionResult Evaluation::run_service(const DecisionService& service) {
  std::vector<Value> arguments;
  for (const auto* references : {&service.input_data, &service.input_decisions}) {
    for (const Requirement& each : *references) {
      const Value* given = nullptr;
      if (each.decision != nullptr) {
        given = find_given(*each.decision->model, each.decision->variable.name);
      } else if (each.input != nullptr) {
        given = find_given(*each.input->model, each.input->variable.name);
      }
      arguments.push_back(given != nullptr ? *given : Value{});
    }
  }
  Value value;
  try {
    value = call_service(service, arguments, &environment_);
  } catch (feel::EvaluationFailure& error) {
    if (!failure_) failure_ = DecisionFailure{service.id, std::move(error.reason)};
  }
  return finish(std::move(value));
}

DecisionResult Evaluation::finish(Value value) {
  DecisionResult result;
  if (failure_) value = Value{};
  result.output_json = feel::to_json(value);
  result.value = std::make_shared<const Value>(std::move(value));
  result.evaluated_decisions = std::move(evaluated_);
  result.warnings = state_.take_warnings();
  result.failure = std::move(failure_);
  return result;
}

void Evaluation::warn(feel::WarningKind kind, std::string_view text) {
  if (state_.wants_warning()) state_.warn(kind, text);
}

Value Evaluation::violation(std::string message) {
  if (!is_standard()) throw feel::EvaluationFailure{std::move(message)};
  warn(feel::WarningKind::Unknown, message);
  return {};
}

// ---- decisions ----------------------------------------------------------------------------------

const Value* Evaluation::find_given(const Model& model, std::string_view name) const {
  if (given_ == nullptr) return nullptr;
  if (const Value* exact = given_->find(fmt::format("{}#{}", model.model_namespace, name))) {
    return exact;
  }
  return given_->find(name);
}

Value Evaluation::input_value(const InputData& input, const Environment& environment) {
  for (const Environment* each = &environment; each != nullptr; each = each->outer) {
    if (const auto found = each->inputs.find(&input); found != each->inputs.end()) {
      return found->second;
    }
  }
  const Value* given = find_given(*input.model, input.variable.name);
  if (given == nullptr) return {};
  return typed(*given, input.variable.type, input.variable.name);
}

Value Evaluation::decide(const Decision& decision, Environment& environment) {
  if (const auto known = environment.decisions.find(&decision);
      known != environment.decisions.end()) {
    return known->second;
  }
  const feel::EvalState::Nesting nesting(state_);
  // Camunda has no decisions with given values: there a decision just hides a variable of its name.
  const Value* given =
      is_standard() ? find_given(*decision.model, decision.variable.name) : nullptr;
  Value value = given != nullptr ? typed(*given, decision.variable.type, decision.variable.name)
                                 : decide_now(decision, environment);
  environment.decisions.emplace(&decision, value);
  return value;
}

Value Evaluation::decide_now(const Decision& decision, Environment& environment) {
  Scope scope(nullptr);
  state_.step(32 + (given_ != nullptr ? given_->entries().size() : 0));
  if (given_ != nullptr && !is_standard()) {
    for (const feel::Entry& entry : given_->entries()) scope.add(entry.name, entry.value);
  }
  add_requirements(scope, decision.requirements, environment);
  TableTrace trace;
  EvaluatedDecision record{decision.id,
                           decision.name,
                           type_of(decision),
                           "null",
                           {},
                           {},
                           decision.model->model_namespace};
  const auto keep_record = [&] {
    if (service_depth_ > 0) return;
    record.inputs = std::move(trace.inputs);
    record.matched_rules = std::move(trace.matched_rules);
    evaluated_.push_back(std::move(record));
  };
  try {
    Value value = evaluate(decision.expression, scope, &trace);
    const std::optional<Value> fitting = fit(value, decision.variable.type);
    value = fitting ? *fitting
                    : violation(fmt::format(
                          "Expected the result of decision '{}' to be of type '{}', but it is {}",
                          decision.id, decision.variable.type.source, feel::to_json(value)));
    for (int written = 0; written < 2; ++written) state_.step_through(value);  // here and in finish
    record.output_json = feel::to_json(value);
    keep_record();
    return value;
  } catch (feel::EvaluationFailure& error) {
    if (!failure_) {
      failure_ = DecisionFailure{decision.id, error.reason};
      keep_record();
    }
    throw;
  }
}

void Evaluation::add_requirements(Scope& scope, const std::vector<Requirement>& requirements,
                                  Environment& environment) {
  std::map<std::string, std::vector<feel::Entry>> imported;
  const auto add = [&](const Requirement& each, const std::string& name, Value value) {
    if (each.prefix.empty()) {
      scope.add(name, std::move(value));
    } else {
      imported[each.prefix].push_back({name, std::move(value)});
    }
  };
  for (const Requirement& each : requirements) {
    if (each.decision != nullptr) {
      const Decision& decision = *each.decision;
      Value value = decide(decision, environment);
      if (!is_standard()) {
        scope.add(decision.id, value);
        scope.add(decision.name, value);
      }
      add(each, decision.variable.name, std::move(value));
    } else if (each.input != nullptr) {
      // Under Camunda's reading, variables are visible whether or not the model has input data for
      // them.
      if (is_standard()) {
        add(each, each.input->variable.name, input_value(*each.input, environment));
      }
    } else if (each.knowledge != nullptr) {
      add(each, each.knowledge->variable.name, knowledge_function(*each.knowledge));
    } else if (each.service != nullptr) {
      add(each, each.service->variable.name, service_function(*each.service));
    }
  }
  for (auto& [prefix, entries] : imported) {
    scope.add(prefix, checked(Value{feel::Context(std::move(entries))}));
  }
}

// ---- knowledge models and services --------------------------------------------------------------

Value Evaluation::make_function(const std::vector<Variable>& parameters, feel::NativeFunction code,
                                std::uint32_t depth) {
  auto body = std::make_shared<feel::Function::Body>();
  feel::Function function;
  for (const Variable& parameter : parameters) {
    function.parameters.push_back(parameter.name);
    body->types.push_back(parameter.type.source.empty() ? std::nullopt
                                                        : std::optional(parameter.type.type));
  }
  body->native = std::move(code);
  function.body = std::move(body);
  function.depth = depth + 1;
  if (function.depth > feel::kValueDepthMax) {
    throw feel::EvaluationFailure{"A value would be nested too deeply"};
  }
  return Value{std::move(function)};
}

std::optional<std::vector<feel::Entry>> Evaluation::bind(const std::vector<Variable>& parameters,
                                                         std::span<const Value> arguments) {
  std::vector<feel::Entry> entries;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::optional<Value> fitting = fit(arguments[i], parameters[i].type);
    if (!fitting) {
      warn(feel::WarningKind::FunctionInvocationFailure,
           fmt::format("The argument for parameter '{}' is not of its type", parameters[i].name));
      return std::nullopt;
    }
    entries.push_back({parameters[i].name, *std::move(fitting)});
  }
  return entries;
}

Value Evaluation::knowledge_function(const KnowledgeModel& knowledge) {
  if (!knowledge.logic) return {};
  // A function value cannot be called after the evaluation: outside it is only converted to JSON.
  // So it may keep `this`.
  return make_function(
      knowledge.logic->parameters,
      [this, &knowledge](feel::EvalState&, std::span<const Value> arguments) {
        return call_knowledge(knowledge, arguments);
      },
      0);
}

Value Evaluation::call_knowledge(const KnowledgeModel& knowledge,
                                 std::span<const Value> arguments) {
  state_.step(16 + 16 * knowledge.requirements.size());
  Scope scope(nullptr);
  // A knowledge model sees knowledge only and no decisions, so any environment will do.
  Environment nothing;
  nothing.outer = &environment_;
  add_requirements(scope, knowledge.requirements, nothing);
  scope.add(knowledge.variable.name, knowledge_function(knowledge));
  const FunctionDefinition& logic = *knowledge.logic;
  if (logic.kind != FunctionKind::Feel) {
    const Value external = form_value(logic, scope);
    return feel::call_function(state_, external, arguments, dialect());
  }
  std::optional<std::vector<feel::Entry>> bound = bind(logic.parameters, arguments);
  if (!bound) return {};
  const Scope inner(&scope, *std::move(bound));
  Value value = evaluate(logic.body, inner);
  return typed(std::move(value), knowledge.logic_type, knowledge.name);
}

namespace {

// Input data come before input decisions, each in the order of the file.
std::vector<Variable> parameters_of(const DecisionService& service) {
  std::vector<Variable> parameters;
  for (const auto* references : {&service.input_data, &service.input_decisions}) {
    for (const Requirement& each : *references) {
      if (each.decision != nullptr) parameters.push_back(each.decision->variable);
      if (each.input != nullptr) parameters.push_back(each.input->variable);
    }
  }
  return parameters;
}

}  // namespace

Value Evaluation::service_function(const DecisionService& service) {
  return make_function(
      parameters_of(service),
      [this, &service](feel::EvalState&, std::span<const Value> arguments) {
        return call_service(service, arguments, &environment_);
      },
      0);
}

Value Evaluation::call_service(const DecisionService& service, std::span<const Value> arguments,
                               const Environment* outer) {
  state_.step(16 + 8 * arguments.size());
  Environment environment;
  environment.outer = outer;
  std::size_t next = 0;
  for (const auto* references : {&service.input_data, &service.input_decisions}) {
    for (const Requirement& each : *references) {
      const Value& argument = arguments[next++];
      if (each.decision != nullptr) {
        environment.decisions.emplace(
            each.decision, typed(argument, each.decision->variable.type, each.decision->name));
      }
      if (each.input != nullptr) {
        environment.inputs.emplace(each.input,
                                   typed(argument, each.input->variable.type, each.input->name));
      }
    }
  }
  struct Inside {
    explicit Inside(int& depth) : depth_(depth) { ++depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth_; }
    int& depth_;
  };
  const Inside inside(service_depth_);
  std::vector<feel::Entry> outputs;
  for (const Requirement& each : service.outputs) {
    if (each.decision == nullptr) continue;
    outputs.push_back({each.decision->variable.name, decide(*each.decision, environment)});
  }
  Value value =
      outputs.size() == 1 ? outputs.front().value : Value{feel::Context(std::move(outputs))};
  return typed(checked(std::move(value)), service.variable.type, service.name);
}

}  // namespace beeline::dmn
