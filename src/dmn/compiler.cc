// Parses every FEEL text of a model with the names in scope.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dmn/types.h"
#include "feel/names.h"
#include "feel/parser.h"

namespace beeline::dmn {
namespace {

// The names that the texts of one element or box may use. The table is made when it is first
// needed; a decision table needs it thousands of times.
class VisibleNames {
 public:
  explicit VisibleNames(const VisibleNames* parent) : parent_(parent) {}

  void add(std::string_view name) {
    if (name.empty()) return;
    names_.emplace_back(name);
    table_.reset();
  }
  [[nodiscard]] const feel::NameTable& table() const {
    if (!table_) {
      table_.emplace();
      for (const VisibleNames* scope = this; scope != nullptr; scope = scope->parent_) {
        for (const std::string& name : scope->names_) table_->add(name);
      }
    }
    return *table_;
  }

 private:
  const VisibleNames* parent_;
  std::vector<std::string> names_;
  mutable std::optional<feel::NameTable> table_;
};

// Every name that can follow a dot or name a field of a filtered item.
class MemberNames {
 public:
  void add_model(const Model& model) {
    for (const std::unique_ptr<ItemType>& type : model.types) add_type(*type);
    for (const InputData& input : model.inputs) table.add(input.variable.name);
    for (const Decision& decision : model.decisions) {
      table.add(decision.variable.name);
      add_child(decision.expression);
    }
    for (const KnowledgeModel& knowledge : model.knowledge_models) {
      table.add(knowledge.variable.name);
      if (knowledge.logic) add_form(*knowledge.logic);
    }
    for (const DecisionService& service : model.services) table.add(service.variable.name);
    for (const Import& import : model.imports) {
      if (import.model != nullptr) add_model(*import.model);
    }
  }

  feel::NameTable table;

 private:
  void add(std::string_view name) {
    if (!name.empty()) table.add(name);
  }
  void add_type(const ItemType& type) {
    for (const std::unique_ptr<ItemType>& component : type.components) {
      add(component->name);
      add_type(*component);
    }
  }
  void add_child(const BoxedPtr& boxed) {
    if (boxed) std::visit([&](const auto& form) { add_form(form); }, boxed->form);
  }
  void add_form(const Literal&) {}
  void add_form(const Table& each) {
    for (const Table::Output& output : each.outputs) add(output.name);
  }
  void add_form(const BoxedContext& context) {
    for (const BoxedContext::Entry& entry : context.entries) {
      if (entry.variable) add(entry.variable->name);
      add_child(entry.value);
    }
  }
  void add_form(const Invocation& invocation) {
    for (const Invocation::Binding& binding : invocation.bindings) add_child(binding.value);
  }
  void add_form(const FunctionDefinition& function) { add_child(function.body); }
  void add_form(const Relation& relation) {
    for (const std::string& column : relation.columns) add(column);
    for (const std::vector<BoxedPtr>& row : relation.rows) {
      for (const BoxedPtr& cell : row) add_child(cell);
    }
  }
  void add_form(const BoxedList& list) {
    for (const BoxedPtr& item : list.items) add_child(item);
  }
  void add_form(const Conditional& conditional) {
    add_child(conditional.then_value);
    add_child(conditional.else_value);
  }
  void add_form(const Filter& filter) { add_child(filter.list); }
  void add_form(const Iteration& iteration) { add_child(iteration.body); }
};

std::string shortened(std::string_view text) {
  constexpr std::size_t kBytesMax = 200;
  if (text.size() <= kBytesMax) return std::string(text);
  std::size_t end = kBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("{}...", text.substr(0, end));
}

class Compiler {
 public:
  Compiler(Model& model, std::vector<Problem>& problems) : model_(model), problems_(problems) {
    members_.add_model(model);
    options_.dialect =
        model.reading == Reading::Standard ? feel::Dialect::Dmn : feel::Dialect::Workflow;
    options_.extensions = model.reading == Reading::Workflow;
    options_.members = &members_.table;
    options_.find_type = [&model](std::string_view name) { return find_type(model, name); };
  }

  void compile() {
    const VisibleNames nothing(nullptr);
    for (const std::unique_ptr<ItemType>& type : model_.types) compile_type(*type, nothing);
    for (Decision& decision : model_.decisions) {
      VisibleNames scope(nullptr);
      add_requirements(scope, decision.requirements);
      owner_ = decision.id;
      compile_child(decision.expression, scope);
    }
    for (KnowledgeModel& knowledge : model_.knowledge_models) {
      VisibleNames scope(nullptr);
      add_requirements(scope, knowledge.requirements);
      scope.add(knowledge.variable.name);
      owner_ = knowledge.id;
      if (knowledge.logic) compile_form(*knowledge.logic, scope);
    }
  }

 private:
  void add_requirements(VisibleNames& scope, const std::vector<Requirement>& requirements) {
    for (const Requirement& each : requirements) {
      if (!each.prefix.empty()) {
        scope.add(each.prefix);
        continue;
      }
      if (each.input != nullptr) scope.add(each.input->variable.name);
      if (each.decision != nullptr) scope.add(each.decision->variable.name);
      if (each.knowledge != nullptr) scope.add(each.knowledge->variable.name);
      if (each.service != nullptr) scope.add(each.service->variable.name);
      if (model_.reading == Reading::Workflow && each.decision != nullptr) {
        scope.add(each.decision->id);
        scope.add(each.decision->name);
      }
    }
    for (const Import& import : model_.imports) scope.add(import.name);
  }

  void compile_text(Text& text, feel::EntryPoint entry, const VisibleNames& scope) {
    if (text.empty()) return;
    options_.variables = &scope.table();
    auto parsed = feel::parse(text.source, entry, options_);
    if (parsed.has_value()) {
      text.expression = feel::Expression(*std::move(parsed));
      return;
    }
    text.error = fmt::format("Failed to parse expression '{}': {}", shortened(text.source),
                             parsed.error().describe(text.source));
    if (model_.reading == Reading::Workflow) {
      const std::string place = cell_ ? cell_() : "";
      problems_.push_back({owner_, place.empty() ? text.error : place + ": " + text.error});
    }
  }
  void compile_expression(Text& text, const VisibleNames& scope) {
    compile_text(text, feel::EntryPoint::Expression, scope);
  }
  void compile_tests(std::optional<Text>& text, const VisibleNames& scope) {
    if (text) compile_text(*text, feel::EntryPoint::UnaryTests, scope);
  }

  void compile_type(ItemType& type, const VisibleNames& scope) {
    owner_ = type.name;
    compile_tests(type.allowed_values, scope);
    compile_tests(type.type_constraint, scope);
    for (const std::unique_ptr<ItemType>& component : type.components) {
      compile_type(*component, scope);
    }
  }

  void compile_child(BoxedPtr& boxed, const VisibleNames& scope) {
    if (boxed) std::visit([&](auto& form) { compile_form(form, scope); }, boxed->form);
  }
  void compile_form(Literal& literal, const VisibleNames& scope) {
    compile_expression(literal.text, scope);
  }
  void compile_form(Table& table, const VisibleNames& scope) {
    std::size_t column = 0;
    std::uint32_t test_index = 0;
    for (; column < table.inputs.size(); ++column) {
      cell_ = [&] { return fmt::format("Input {}", column + 1); };
      compile_expression(table.inputs[column].expression, scope);
      compile_tests(table.inputs[column].values, scope);
      cell_ = [&] { return test_place(table, column, test_index); };
      for (test_index = 0; test_index < table.tests[column].size(); ++test_index) {
        compile_text(table.tests[column][test_index], feel::EntryPoint::UnaryTests, scope);
      }
      table.indexes.emplace_back(table.tests[column]);
    }
    compile_outputs(table, scope);
    cell_ = nullptr;
  }
  // Equal cells are one test; messages name the first of them.
  static std::string test_place(const Table& table, std::size_t column, std::uint32_t test) {
    for (std::size_t i = 0; i < table.rules.size(); ++i) {
      if (table.rules[i].tests[column] == test) {
        return fmt::format("Rule {}, input {}", i + 1, column + 1);
      }
    }
    return "";
  }
  void compile_outputs(Table& table, const VisibleNames& scope) {
    std::size_t column = 0;
    std::size_t rule = 0;
    cell_ = [&] { return fmt::format("Output {}", column + 1); };
    const bool needs_priorities =
        table.hit_policy == HitPolicy::Priority || table.hit_policy == HitPolicy::OutputOrder;
    for (; column < table.outputs.size(); ++column) {
      Table::Output& output = table.outputs[column];
      compile_tests(output.values, scope);
      if (output.default_entry) compile_expression(*output.default_entry, scope);
      if (needs_priorities) compile_priorities(output, scope);
    }
    cell_ = [&] { return fmt::format("Rule {}, output {}", rule + 1, column + 1); };
    for (; rule < table.rules.size(); ++rule) {
      for (column = 0; column < table.outputs.size(); ++column) {
        compile_expression(table.rules[rule].outputs[column], scope);
      }
    }
  }
  // Takes the values in the order of the table, otherwise in that of the type.
  void compile_priorities(Table::Output& output, const VisibleNames& scope) {
    const Text* values = output.values ? &*output.values : nullptr;
    for (const ItemType* type = output.type.item; values == nullptr && type != nullptr;
         type = type->base) {
      if (type->allowed_values) values = &*type->allowed_values;
    }
    if (values == nullptr || values->empty()) return;
    output.priorities = Text{"[" + values->source + "]"};
    compile_expression(*output.priorities, scope);
  }
  void compile_form(BoxedContext& context, const VisibleNames& scope) {
    VisibleNames inner(&scope);
    for (BoxedContext::Entry& entry : context.entries) {
      compile_child(entry.value, inner);
      if (entry.variable) inner.add(entry.variable->name);
    }
  }
  void compile_form(Invocation& invocation, const VisibleNames& scope) {
    compile_child(invocation.function, scope);
    for (Invocation::Binding& binding : invocation.bindings) compile_child(binding.value, scope);
  }
  void compile_form(FunctionDefinition& function, const VisibleNames& scope) {
    VisibleNames inner(&scope);
    for (const Variable& parameter : function.parameters) inner.add(parameter.name);
    compile_child(function.body, inner);
  }
  void compile_form(Relation& relation, const VisibleNames& scope) {
    for (std::vector<BoxedPtr>& row : relation.rows) {
      for (BoxedPtr& cell : row) compile_child(cell, scope);
    }
  }
  void compile_form(BoxedList& list, const VisibleNames& scope) {
    for (BoxedPtr& item : list.items) compile_child(item, scope);
  }
  void compile_form(Conditional& conditional, const VisibleNames& scope) {
    compile_child(conditional.condition, scope);
    compile_child(conditional.then_value, scope);
    compile_child(conditional.else_value, scope);
  }
  void compile_form(Filter& filter, const VisibleNames& scope) {
    compile_child(filter.list, scope);
    // The fields of the items are not known by name, so every possible name is added.
    VisibleNames inner(&scope);
    inner.add("item");
    for (const std::unique_ptr<ItemType>& type : model_.types) add_components(inner, *type);
    compile_child(filter.match, inner);
  }
  static void add_components(VisibleNames& scope, const ItemType& type) {
    for (const std::unique_ptr<ItemType>& component : type.components) {
      scope.add(component->name);
      add_components(scope, *component);
    }
  }
  void compile_form(Iteration& iteration, const VisibleNames& scope) {
    compile_child(iteration.domain, scope);
    VisibleNames inner(&scope);
    inner.add(iteration.variable.name);
    inner.add("partial");
    compile_child(iteration.body, inner);
    const auto* literal = iteration.body ? std::get_if<Literal>(&iteration.body->form) : nullptr;
    if (literal != nullptr) {
      const feel::Program* program = literal->text.expression.program();
      iteration.uses_partial = program != nullptr && program->mentions(program->root, "partial");
    }
  }

  Model& model_;
  std::vector<Problem>& problems_;
  MemberNames members_;
  feel::ParseOptions options_;
  std::string owner_;                  // the element that problems are reported for
  std::function<std::string()> cell_;  // the place in a table; called only for a problem
};

}  // namespace

void compile_model(Model& model, std::vector<Problem>& problems) {
  Compiler(model, problems).compile();
}

}  // namespace beeline::dmn
