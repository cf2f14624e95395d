// Resolves the relations between elements: imports, references and types.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "dmn/types.h"
#include "feel/names.h"

namespace beeline::dmn {
namespace {

template <typename Elements>
const typename Elements::value_type* find_by_id(const Elements& elements, std::string_view id) {
  for (const auto& element : elements) {
    if (element.id == id) return &element;
  }
  return nullptr;
}

class Linker {
 public:
  Linker(Model& model, std::vector<Problem>& problems)
      : model_(model), problems_(problems), types_(model, problems) {}

  void link() {
    for (const std::unique_ptr<ItemType>& type : model_.types) types_.resolve(*type);
    for (InputData& input : model_.inputs) link_variable(input.variable, input.id);
    for (Decision& decision : model_.decisions) {
      link_variable(decision.variable, decision.id);
      for (Requirement& each : decision.requirements) link_requirement(each, decision.id);
      if (decision.expression) link_types(*decision.expression, decision.id);
    }
    for (KnowledgeModel& knowledge : model_.knowledge_models) {
      link_variable(knowledge.variable, knowledge.id);
      types_.resolve(knowledge.logic_type, knowledge.id);
      for (Requirement& each : knowledge.requirements) link_requirement(each, knowledge.id);
      if (knowledge.logic) link_function(*knowledge.logic, knowledge.id);
    }
    for (DecisionService& service : model_.services) {
      link_variable(service.variable, service.id);
      for (auto* references : {&service.outputs, &service.encapsulated, &service.input_decisions,
                               &service.input_data}) {
        for (Requirement& each : *references) link_requirement(each, service.id);
      }
    }
    check_chains();
  }

 private:
  void problem(std::string_view element_id, std::string message) {
    problems_.push_back({std::string(element_id), std::move(message)});
  }

  void link_requirement(Requirement& requirement, std::string_view owner) {
    const std::size_t hash = requirement.href.rfind('#');
    const std::string_view href = requirement.href;
    const std::string_view id = hash == std::string_view::npos ? href : href.substr(hash + 1);
    const std::string_view where =
        hash == std::string_view::npos ? std::string_view{} : href.substr(0, hash);
    const Model* target = where.empty() || where == model_.model_namespace ? &model_ : nullptr;
    for (const Import& import : model_.imports) {
      if (target != nullptr) break;
      if (import.model == nullptr || import.model_namespace != where) continue;
      target = import.model;
      requirement.prefix = import.name;
    }
    if (target != nullptr) {
      requirement.input = find_by_id(target->inputs, id);
      requirement.decision = find_by_id(target->decisions, id);
      requirement.knowledge = find_by_id(target->knowledge_models, id);
      requirement.service = find_by_id(target->services, id);
    }
    if (requirement.input == nullptr && requirement.decision == nullptr &&
        requirement.knowledge == nullptr && requirement.service == nullptr) {
      problem(owner, fmt::format("It refers to '{}', but there is no such element.", href));
    }
  }

  // ---- types of expressions ----

  void link_variable(Variable& variable, std::string_view owner) {
    types_.resolve(variable.type, owner);
  }
  void link_function(FunctionDefinition& function, std::string_view owner) {
    for (Variable& parameter : function.parameters) link_variable(parameter, owner);
    link_child(function.body, owner);
  }
  void link_child(BoxedPtr& boxed, std::string_view owner) {
    if (boxed) link_types(*boxed, owner);
  }
  void link_types(Boxed& boxed, std::string_view owner) {
    types_.resolve(boxed.type, owner);
    std::visit([&](auto& form) { link_form(form, owner); }, boxed.form);
  }
  void link_form(Literal&, std::string_view) {}
  void link_form(Table& table, std::string_view owner) {
    for (Table::Input& input : table.inputs) types_.resolve(input.type, owner);
    for (Table::Output& output : table.outputs) types_.resolve(output.type, owner);
  }
  void link_form(BoxedContext& context, std::string_view owner) {
    for (BoxedContext::Entry& entry : context.entries) {
      if (entry.variable) link_variable(*entry.variable, owner);
      link_child(entry.value, owner);
    }
  }
  void link_form(Invocation& invocation, std::string_view owner) {
    link_child(invocation.function, owner);
    for (Invocation::Binding& binding : invocation.bindings) link_child(binding.value, owner);
  }
  void link_form(FunctionDefinition& function, std::string_view owner) {
    link_function(function, owner);
  }
  void link_form(Relation& relation, std::string_view owner) {
    for (std::vector<BoxedPtr>& row : relation.rows) {
      for (BoxedPtr& cell : row) link_child(cell, owner);
    }
  }
  void link_form(BoxedList& list, std::string_view owner) {
    for (BoxedPtr& item : list.items) link_child(item, owner);
  }
  void link_form(Conditional& conditional, std::string_view owner) {
    link_child(conditional.condition, owner);
    link_child(conditional.then_value, owner);
    link_child(conditional.else_value, owner);
  }
  void link_form(Filter& filter, std::string_view owner) {
    link_child(filter.list, owner);
    link_child(filter.match, owner);
  }
  void link_form(Iteration& iteration, std::string_view owner) {
    link_variable(iteration.variable, owner);
    link_child(iteration.domain, owner);
    link_child(iteration.body, owner);
  }

  // ---- chains of requirements ----

  // Returns the length of the longest chain below an element. An element that occurs again on the
  // way forms a cycle.
  int chain_below(const void* element, std::string_view id,
                  std::span<const std::span<const Requirement>> requirements) {
    constexpr int kOnTheWay = -1;
    const auto [place, is_new] = chains_.try_emplace(element, kOnTheWay);
    if (!is_new) {
      if (place->second == kOnTheWay) {
        problem(id, "It requires itself, directly or through others.");
        return 0;
      }
      return place->second;
    }
    int longest = 0;
    for (const std::span<const Requirement> part : requirements) {
      for (const Requirement& each : part) longest = std::max(longest, 1 + chain_of(each));
    }
    chains_[element] = longest;
    return longest;
  }
  int chain_of(const Requirement& requirement) {
    if (const Decision* decision = requirement.decision) {
      const std::span<const Requirement> below[] = {decision->requirements};
      return chain_below(decision, decision->id, below);
    }
    if (const KnowledgeModel* knowledge = requirement.knowledge) {
      const std::span<const Requirement> below[] = {knowledge->requirements};
      return chain_below(knowledge, knowledge->id, below);
    }
    if (const DecisionService* service = requirement.service) {
      const std::span<const Requirement> below[] = {service->outputs, service->encapsulated};
      return chain_below(service, service->id, below);
    }
    return 0;
  }
  void check_chains() {
    // The recursion is as deep as there are elements, which the size of the file limits; a file
    // with that many elements in one chain is refused below, before other code walks it.
    const std::size_t elements =
        model_.decisions.size() + model_.knowledge_models.size() + model_.services.size();
    if (elements > 2 * kDecisionsMax) {
      problem("", "The file has too many decisions, knowledge models and services.");
      return;
    }
    const auto check = [&](const auto& element, Requirement start) {
      if (chain_of(start) > kRequirementDepthMax) {
        problem(element.id,
                fmt::format("Its chain of requirements is longer than {}.", kRequirementDepthMax));
      }
    };
    for (const Decision& each : model_.decisions) {
      Requirement start;
      start.decision = &each;
      check(each, start);
    }
    for (const KnowledgeModel& each : model_.knowledge_models) {
      Requirement start;
      start.knowledge = &each;
      check(each, start);
    }
  }

  Model& model_;
  std::vector<Problem>& problems_;
  TypeResolver types_;
  std::map<const void*, int> chains_;
};

}  // namespace

void link_model(Model& model, std::span<const std::shared_ptr<const Model>> others,
                std::vector<Problem>& problems) {
  for (Import& import : model.imports) {
    for (const std::shared_ptr<const Model>& other : others) {
      if (other->model_namespace != import.model_namespace) continue;
      import.model = other.get();
      model.imported.push_back(other);
      break;
    }
    if (import.model == nullptr) {
      problems.push_back({"", fmt::format("Import '{}' needs a file with namespace '{}', but there "
                                          "is none.",
                                          import.name, import.model_namespace)});
    }
  }
  Linker(model, problems).link();
}

}  // namespace beeline::dmn
