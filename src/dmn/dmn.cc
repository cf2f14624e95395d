#include "dmn/dmn.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "dmn/evaluation.h"
#include "dmn/model.h"

namespace beeline::dmn {

std::string Diagnostics::to_string() const {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.element_id.empty() ? problem.message
                                       : fmt::format("{}: {}", problem.element_id, problem.message);
  }
  return text;
}

const Decision* Model::find_decision(std::string_view decision_id) const {
  for (const Decision& decision : decisions) {
    if (decision.id == decision_id) return &decision;
  }
  return nullptr;
}

const std::string& Definitions::id() const {
  return model_->id;
}
const std::string& Definitions::name() const {
  return model_->name;
}
const std::string& Definitions::model_namespace() const {
  return model_->model_namespace;
}

std::vector<DecisionInfo> Definitions::decisions() const {
  std::vector<DecisionInfo> result;
  for (const Decision& decision : model_->decisions) {
    result.push_back({decision.id, decision.name, decision.version_tag});
  }
  return result;
}

bool Definitions::has_decision(std::string_view id) const {
  return model_->find_decision(id) != nullptr;
}

// ---- parsing ------------------------------------------------------------------------------------

namespace {

// The files of one call. A file is finished after those it imports.
class ModelSet {
 public:
  explicit ModelSet(std::vector<Problem>& problems) : problems_(problems) {}

  void add(std::shared_ptr<Model> model) { models_.push_back({std::move(model), State::Read}); }

  void finish(const Model* wanted) {
    for (Member& member : models_) {
      if (member.model.get() == wanted) finish(member);
    }
  }

 private:
  enum class State { Read, Begun, Done };
  struct Member {
    std::shared_ptr<Model> model;
    State state;
  };

  void finish(Member& member) {
    if (member.state == State::Done) return;
    if (member.state == State::Begun) {
      problems_.push_back({"", fmt::format("File '{}' imports itself, directly or through others.",
                                           member.model->name)});
      return;
    }
    member.state = State::Begun;
    for (const Import& import : member.model->imports) {
      for (Member& other : models_) {
        if (other.model->model_namespace == import.model_namespace) finish(other);
      }
    }
    std::vector<std::shared_ptr<const Model>> done;
    for (const Member& other : models_) {
      if (other.state == State::Done) done.push_back(other.model);
    }
    link_model(*member.model, done, problems_);
    compile_model(*member.model, problems_);
    member.state = State::Done;
  }

  std::vector<Problem>& problems_;
  std::vector<Member> models_;
};

}  // namespace

Result<Definitions, Diagnostics> parse_definitions(std::string_view xml, Reading reading,
                                                   std::span<const std::string_view> imports) {
  Diagnostics diagnostics;
  ModelSet set(diagnostics.problems);
  std::shared_ptr<Model> model = read_model(xml, reading, diagnostics.problems);
  if (!model) return failure(std::move(diagnostics));
  set.add(model);
  for (const std::string_view import : imports) {
    if (std::shared_ptr<Model> read = read_model(import, reading, diagnostics.problems)) {
      set.add(std::move(read));
    }
  }
  // References in a file that was not read as a whole would only give misleading problems.
  if (diagnostics.problems.empty()) set.finish(model.get());
  if (!diagnostics.problems.empty()) return failure(std::move(diagnostics));
  return Definitions(std::move(model));
}

// ---- evaluating ---------------------------------------------------------------------------------

std::string_view decision_type_name(DecisionType type) {
  switch (type) {
    case DecisionType::DecisionTable:
      return "DECISION_TABLE";
    case DecisionType::LiteralExpression:
      return "LITERAL_EXPRESSION";
    case DecisionType::Context:
      return "CONTEXT";
    case DecisionType::Invocation:
      return "INVOCATION";
    case DecisionType::List:
      return "LIST";
    case DecisionType::Relation:
      return "RELATION";
    case DecisionType::Unknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

namespace {

DecisionResult not_found(std::string_view kind, std::string_view id) {
  DecisionResult result;
  result.value = std::make_shared<const feel::Value>();
  result.failure = DecisionFailure{
      std::string(id), fmt::format("Expected to find {} '{}', but there is none", kind, id)};
  return result;
}

}  // namespace

DecisionResult evaluate_decision(const Definitions& definitions, std::string_view decision_id,
                                 const feel::VariableSource& variables,
                                 const feel::EvaluationOptions& options) {
  const Decision* decision = definitions.model().find_decision(decision_id);
  if (decision == nullptr) return not_found("decision", decision_id);
  return Evaluation(definitions.model(), &variables, nullptr, options).run_decision(*decision);
}

DecisionResult evaluate_decision(const Definitions& definitions, std::string_view decision_id,
                                 const feel::Context& inputs,
                                 const feel::EvaluationOptions& options) {
  const Decision* decision = definitions.model().find_decision(decision_id);
  if (decision == nullptr) return not_found("decision", decision_id);
  return Evaluation(definitions.model(), nullptr, &inputs, options).run_decision(*decision);
}

DecisionResult evaluate_service(const Definitions& definitions, std::string_view service,
                                const feel::Context& inputs,
                                const feel::EvaluationOptions& options) {
  for (const DecisionService& each : definitions.model().services) {
    if (each.id == service || each.name == service) {
      return Evaluation(definitions.model(), nullptr, &inputs, options).run_service(each);
    }
  }
  return not_found("decision service", service);
}

}  // namespace beeline::dmn
