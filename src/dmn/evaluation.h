#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dmn/model.h"
#include "feel/evaluator.h"
#include "feel/state.h"
#include "feel/value.h"

namespace beeline::dmn {

// The names that an expression sees, in layers: a decision's requirements, then parameters, entries
// of contexts, iterator variables. A scope lives on the stack; functions keep a copy of the names
// that they see.
class Scope {
 public:
  explicit Scope(const Scope* parent)
      : parent_(parent), frame_(parent != nullptr ? &parent->frame_ : nullptr, entries_) {}
  Scope(const Scope* parent, std::vector<feel::Entry> entries)
      : parent_(parent),
        entries_(std::move(entries)),
        frame_(parent != nullptr ? &parent->frame_ : nullptr, entries_) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // If two entries have the same name, the later one hides the earlier one.
  void add(std::string name, feel::Value value) {
    entries_.push_back({std::move(name), std::move(value)});
  }
  [[nodiscard]] const std::vector<feel::Entry>& entries() const { return entries_; }
  [[nodiscard]] const feel::Frame* frame() const { return &frame_; }
  // Returns all visible entries, outermost first.
  [[nodiscard]] std::vector<feel::Entry> flattened() const;

 private:
  const Scope* parent_;
  std::vector<feel::Entry> entries_;
  feel::EntriesFrame frame_;
};

// The inputs and matched rules of one evaluation of a table.
struct TableTrace {
  std::vector<EvaluatedInput> inputs;
  std::vector<MatchedRule> matched_rules;
};

// One evaluation of a decision with everything it requires, or of a service. Every decision is
// evaluated once, and its value is kept. Calling a service opens a fresh Environment, in which its
// arguments replace the input decisions.
//
// A failure is thrown as feel::EvaluationFailure; the functions of dmn.h catch it.
class Evaluation {
 public:
  // `source` and `inputs` may each be null; the values that they return must live as long as the
  // evaluation.
  Evaluation(const Model& model, const feel::VariableSource* source, const feel::Context* inputs,
             const feel::EvaluationOptions& options);

  [[nodiscard]] DecisionResult run_decision(const Decision& decision);
  [[nodiscard]] DecisionResult run_service(const DecisionService& service);

 private:
  struct Environment {
    const Environment* outer = nullptr;
    std::map<const Decision*, feel::Value> decisions;  // evaluated so far, or given
    std::map<const InputData*, feel::Value> inputs;    // given
  };

  // ---- the graph (evaluation.cc) ----
  [[nodiscard]] feel::Value decide(const Decision& decision, Environment& environment);
  [[nodiscard]] feel::Value decide_now(const Decision& decision, Environment& environment);
  [[nodiscard]] feel::Value input_value(const InputData& input, const Environment& environment);
  [[nodiscard]] const feel::Value* find_given(const Model& model, std::string_view name) const;
  void add_requirements(Scope& scope, const std::vector<Requirement>& requirements,
                        Environment& environment);
  [[nodiscard]] feel::Value knowledge_function(const KnowledgeModel& knowledge);
  [[nodiscard]] feel::Value call_knowledge(const KnowledgeModel& knowledge,
                                           std::span<const feel::Value> arguments);
  [[nodiscard]] feel::Value service_function(const DecisionService& service);
  [[nodiscard]] feel::Value call_service(const DecisionService& service,
                                         std::span<const feel::Value> arguments,
                                         const Environment* outer);
  [[nodiscard]] DecisionResult finish(feel::Value value);

  // ---- boxed expressions (boxed.cc) ----
  [[nodiscard]] feel::Value evaluate(const BoxedPtr& boxed, const Scope& scope,
                                     TableTrace* trace = nullptr);
  [[nodiscard]] feel::Value evaluate(const Text& text, const Scope& scope);
  [[nodiscard]] feel::Value test(const Text& text, const feel::Value& input, const Scope& scope);
  // Returns the value, or fails the evaluation if the value is nested too deeply or too large.
  [[nodiscard]] feel::Value checked(feel::Value value);
  [[nodiscard]] feel::Value form_value(const Literal& literal, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const BoxedContext& context, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const Invocation& invocation, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const FunctionDefinition& function, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const Relation& relation, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const BoxedList& list, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const Conditional& conditional, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const Filter& filter, const Scope& scope);
  [[nodiscard]] feel::Value form_value(const Iteration& iteration, const Scope& scope);
  [[nodiscard]] std::optional<std::vector<feel::Value>> domain_of(const feel::Value& value);
  [[nodiscard]] feel::Value make_function(const std::vector<Variable>& parameters,
                                          feel::NativeFunction code, std::uint32_t depth);
  // Binds arguments to parameters; returns nothing if one violates the constraints of its type.
  [[nodiscard]] std::optional<std::vector<feel::Entry>> bind(
      const std::vector<Variable>& parameters, std::span<const feel::Value> arguments);

  // ---- decision tables (decision_table.cc) ----
  class TableRun;
  [[nodiscard]] feel::Value evaluate_table(const Table& table, const Scope& scope,
                                           TableTrace* trace);

  // ---- types (typing.cc) ----
  // Converts the value to the declared type; returns nothing if it does not fit.
  [[nodiscard]] std::optional<feel::Value> fit(const feel::Value& value, const TypeRef& type);
  // Like fit(), but a value that does not fit becomes null with a warning.
  [[nodiscard]] feel::Value typed(feel::Value value, const TypeRef& type, std::string_view what);
  [[nodiscard]] bool satisfies(const feel::Value& value, const ItemType& type);
  [[nodiscard]] bool satisfies_item(const feel::Value& value, const ItemType& type);

  // Reports a violated rule of DMN: null with a warning under the standard's reading, otherwise a
  // failure.
  [[nodiscard]] feel::Value violation(std::string message);
  void warn(feel::WarningKind kind, std::string_view text);
  [[nodiscard]] bool is_standard() const { return model_.reading == Reading::Standard; }
  [[nodiscard]] feel::Dialect dialect() const {
    return is_standard() ? feel::Dialect::Dmn : feel::Dialect::Workflow;
  }
  [[nodiscard]] feel::Fractions fractions() const {
    return is_standard() ? feel::Fractions::Ignored : feel::Fractions::Compared;
  }

  const Model& model_;
  const feel::Context* given_;
  feel::EvalState state_;
  Environment environment_;
  int service_depth_ = 0;  // decisions inside services are not recorded
  std::vector<EvaluatedDecision> evaluated_;
  std::optional<DecisionFailure> failure_;
};

// Returns code for the few Java methods that can be supported without Java: those of java.lang that
// only calculate. The description is a context with the entries `class` and `method signature`.
// Returns nothing for other methods.
[[nodiscard]] feel::NativeFunction find_java_function(const feel::Value& description);

}  // namespace beeline::dmn
