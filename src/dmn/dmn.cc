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

// The files of one call, the requested one first. A file is finished after the files that it
// imports.
class ModelSet {
 public:
  explicit ModelSet(std::vector<Problem>& problems) : problems_(problems) {}

  // Reads a file; returns false if it is not a DMN file.
  bool add(std::string_view xml, Reading reading) {
    std::vector<Problem> found;
    std::shared_ptr<Model> model = read_model(xml, reading, found);
    const bool is_wanted = models_.empty();
    tell(std::move(found), is_wanted, model ? model->name : "");
    if (!model) return false;
    models_.push_back({std::move(model), State::Read});
    return true;
  }

  std::shared_ptr<const Model> finish() {
    finish(models_.front());
    return models_.front().model;
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
      problems_.push_back({"", fmt::format("File '{}' with namespace '{}' imports itself, directly "
                                           "or through others.",
                                           member.model->name, member.model->model_namespace)});
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
    std::vector<Problem> found;
    link_model(*member.model, done, found);
    compile_model(*member.model, found);
    tell(std::move(found), &member == &models_.front(), member.model->name);
    member.state = State::Done;
  }

  void tell(std::vector<Problem> found, bool is_wanted, std::string_view name) {
    for (Problem& problem : found) {
      if (!is_wanted) {
        problem.message = fmt::format("In the imported file '{}': {}", name, problem.message);
      }
      problems_.push_back(std::move(problem));
    }
  }

  std::vector<Problem>& problems_;
  std::vector<Member> models_;
};

}  // namespace

std::expected<Definitions, Diagnostics> parse_definitions(
    std::string_view xml, Reading reading, std::span<const std::string_view> imports) {
  Diagnostics diagnostics;
  ModelSet set(diagnostics.problems);
  if (!set.add(xml, reading)) return std::unexpected(std::move(diagnostics));
  for (const std::string_view import : imports) set.add(import, reading);
  // If a file was not read completely, checking its references would only give misleading problems.
  std::shared_ptr<const Model> model;
  if (diagnostics.problems.empty()) model = set.finish();
  if (!diagnostics.problems.empty()) return std::unexpected(std::move(diagnostics));
  return Definitions(std::move(model));
}

std::optional<FileInfo> look_into(std::string_view xml) {
  std::vector<Problem> ignored;
  const std::shared_ptr<Model> model = read_model(xml, Reading::Workflow, ignored);
  if (!model) return std::nullopt;
  FileInfo info{model->model_namespace, {}};
  for (const Import& import : model->imports) info.imports.push_back(import.model_namespace);
  return info;
}

std::vector<std::string_view> collect_imports(
    std::string_view xml,
    const std::function<std::optional<std::string_view>(const std::string&)>& find) {
  std::vector<std::string_view> texts;
  std::set<std::string> seen;
  std::vector<std::string> wanted;
  const auto want_imports_of = [&](std::string_view file) {
    const std::optional<FileInfo> info = look_into(file);
    if (!info) return;
    seen.insert(info->model_namespace);
    wanted.insert(wanted.end(), info->imports.begin(), info->imports.end());
  };
  want_imports_of(xml);
  while (!wanted.empty()) {
    const std::string name = std::move(wanted.back());
    wanted.pop_back();
    if (!seen.insert(name).second) continue;
    const std::optional<std::string_view> text = find(name);
    if (!text) continue;
    texts.push_back(*text);
    want_imports_of(*text);
  }
  return texts;
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
