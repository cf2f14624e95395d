// Reads XML into the names, texts and structure of a Model. Nothing is resolved or parsed here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <pugixml.hpp>
#include <set>

#include "dmn/model.h"
#include "feel/names.h"

namespace beeline::dmn {
namespace {

constexpr std::array<std::string_view, 6> kModelNamespaces{
    "http://www.omg.org/spec/DMN/20151101/dmn.xsd", "http://www.omg.org/spec/DMN/20180521/MODEL/",
    "https://www.omg.org/spec/DMN/20191111/MODEL/", "https://www.omg.org/spec/DMN/20211108/MODEL/",
    "https://www.omg.org/spec/DMN/20230324/MODEL/", "https://www.omg.org/spec/DMN/20240513/MODEL/",
};
constexpr std::array<std::string_view, 6> kFeelNamespaces{
    "http://www.omg.org/spec/feel/20140401",       "http://www.omg.org/spec/dmn/20180521/feel/",
    "https://www.omg.org/spec/dmn/20191111/feel/", "https://www.omg.org/spec/dmn/20211108/feel/",
    "https://www.omg.org/spec/dmn/20230324/feel/", "https://www.omg.org/spec/dmn/20240513/feel/",
};
constexpr std::string_view kZeebeNamespace = "http://camunda.org/schema/zeebe/1.0";

bool contains(std::span<const std::string_view> texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

struct QualifiedName {
  std::string_view prefix;
  std::string_view local;
};
QualifiedName split_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

// Returns the namespace of a prefix at this element.
std::string_view namespace_of(pugi::xml_node node, std::string_view prefix) {
  const std::string declaration = prefix.empty() ? "xmlns" : fmt::format("xmlns:{}", prefix);
  for (; node; node = node.parent()) {
    if (const pugi::xml_attribute found = node.attribute(declaration.c_str())) return found.value();
  }
  return {};
}

class Reader {
 public:
  Reader(Model& model, std::vector<Problem>& problems) : model_(model), problems_(problems) {}

  void read(pugi::xml_node definitions) {
    model_.id = attribute(definitions, "id");
    model_.name = attribute(definitions, "name");
    model_.model_namespace = attribute(definitions, "namespace");
    check_language(definitions);
    for (const pugi::xml_node child : elements(definitions)) read_top_level(child);
    owner_.clear();
    if (model_.decisions.size() > kDecisionsMax) {
      problem("", fmt::format("The file has {} decisions, more than the {} allowed.",
                              model_.decisions.size(), kDecisionsMax));
    }
  }

 private:
  // ---- XML ----

  [[nodiscard]] bool is_dmn(pugi::xml_node node) const {
    return contains(kModelNamespaces, namespace_of(node, split_name(node.name()).prefix));
  }
  [[nodiscard]] std::vector<pugi::xml_node> elements(pugi::xml_node parent) const {
    std::vector<pugi::xml_node> result;
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() == pugi::node_element && is_dmn(child)) result.push_back(child);
    }
    return result;
  }
  [[nodiscard]] std::vector<pugi::xml_node> elements(pugi::xml_node parent,
                                                     std::string_view name) const {
    std::vector<pugi::xml_node> result;
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() == pugi::node_element && local_name(child) == name && is_dmn(child)) {
        result.push_back(child);
      }
    }
    return result;
  }
  [[nodiscard]] pugi::xml_node element(pugi::xml_node parent, std::string_view name) const {
    const std::vector<pugi::xml_node> found = elements(parent, name);
    return found.empty() ? pugi::xml_node{} : found.front();
  }
  static std::string_view local_name(pugi::xml_node node) { return split_name(node.name()).local; }
  static std::string attribute(pugi::xml_node node, const char* name) {
    return node.attribute(name).value();
  }
  static std::string content(pugi::xml_node node) {
    std::string text;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        text += child.value();
      }
    }
    return text;
  }
  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }

  // An element without an id of its own is named by the decision or other top-level element around
  // it.
  void problem(std::string element_id, std::string message) {
    if (element_id.empty()) element_id = owner_;
    problems_.push_back({std::move(element_id), std::move(message)});
  }
  // Returns the id of an element that can be referred to. The standard allows it to be missing;
  // then the name is used.
  std::string claim_id(pugi::xml_node node) {
    std::string id = attribute(node, "id");
    owner_ = id;
    if (id.empty() && model_.reading == Reading::Standard) id = attribute(node, "name");
    if (id.empty()) {
      problem("", fmt::format("Element '{}' must have an id.", local_name(node)));
    } else if (!ids_.insert(id).second) {
      problem(id, fmt::format("The id '{}' is used more than once.", id));
    }
    return id;
  }
  void check_language(pugi::xml_node node) {
    std::string language = attribute(node, "expressionLanguage");
    std::transform(language.begin(), language.end(), language.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    if (language.empty() || language == "feel" || contains(kFeelNamespaces, language)) return;
    problem(attribute(node, "id"),
            fmt::format("The expression language must be FEEL, but it is '{}'.", language));
  }

  // ---- elements of the graph ----

  void read_top_level(pugi::xml_node node) {
    const std::string_view name = local_name(node);
    if (name == "import") {
      model_.imports.push_back(
          {feel::normalize_name(attribute(node, "name")), attribute(node, "namespace"), nullptr});
    } else if (name == "itemDefinition") {
      model_.types.push_back(read_item_type(node));
    } else if (name == "inputData") {
      read_input_data(node);
    } else if (name == "decision") {
      read_decision(node);
    } else if (name == "businessKnowledgeModel") {
      read_knowledge_model(node);
    } else if (name == "decisionService") {
      read_service(node);
    }
  }

  // Returns the variable of an element; if it has none, the variable has the name of the element.
  Variable read_variable(pugi::xml_node parent) {
    Variable variable = variable_of(element(parent, "variable"));
    if (variable.name.empty()) variable.name = feel::normalize_name(attribute(parent, "name"));
    return variable;
  }
  static Variable variable_of(pugi::xml_node node) {
    return {feel::normalize_name(attribute(node, "name")), {attribute(node, "typeRef"), {}, {}}};
  }

  void read_input_data(pugi::xml_node node) {
    model_.inputs.push_back(
        {claim_id(node), attribute(node, "name"), read_variable(node), &model_});
  }

  void read_requirements(pugi::xml_node node, std::vector<Requirement>& requirements) {
    for (const pugi::xml_node child : elements(node)) {
      const std::string_view name = local_name(child);
      if (name != "informationRequirement" && name != "knowledgeRequirement") continue;
      for (const char* target : {"requiredDecision", "requiredInput", "requiredKnowledge"}) {
        if (const pugi::xml_node reference = element(child, target)) {
          requirements.push_back(Requirement{.href = attribute(reference, "href")});
        }
      }
    }
  }

  void read_decision(pugi::xml_node node) {
    Decision& decision = model_.decisions.emplace_back();
    decision.id = claim_id(node);
    decision.name = attribute(node, "name");
    decision.model = &model_;
    decision.variable = read_variable(node);
    read_requirements(node, decision.requirements);
    decision.expression = read_only_expression(node);
    for (const pugi::xml_node child : element(node, "extensionElements").children()) {
      const QualifiedName name = split_name(child.name());
      if (name.local == "versionTag" && namespace_of(child, name.prefix) == kZeebeNamespace) {
        decision.version_tag = attribute(child, "value");
      }
    }
  }

  void read_knowledge_model(pugi::xml_node node) {
    KnowledgeModel& knowledge = model_.knowledge_models.emplace_back();
    knowledge.id = claim_id(node);
    knowledge.name = attribute(node, "name");
    knowledge.model = &model_;
    knowledge.variable = read_variable(node);
    read_requirements(node, knowledge.requirements);
    if (const pugi::xml_node logic = element(node, "encapsulatedLogic")) {
      knowledge.logic = read_function(logic);
      knowledge.logic_type.source = attribute(logic, "typeRef");
    }
  }

  void read_service(pugi::xml_node node) {
    DecisionService& service = model_.services.emplace_back();
    service.id = claim_id(node);
    service.name = attribute(node, "name");
    service.model = &model_;
    service.variable = read_variable(node);
    const auto references = [&](std::string_view name) {
      std::vector<Requirement> result;
      for (const pugi::xml_node child : elements(node, name)) {
        result.push_back(Requirement{.href = attribute(child, "href")});
      }
      return result;
    };
    service.outputs = references("outputDecision");
    service.encapsulated = references("encapsulatedDecision");
    service.input_decisions = references("inputDecision");
    service.input_data = references("inputData");
    if (service.outputs.empty()) {
      problem(service.id, "A decision service must have an output decision.");
    }
  }

  // ---- types ----

  std::unique_ptr<ItemType> read_item_type(pugi::xml_node node) {
    auto type = std::make_unique<ItemType>();
    type->name = feel::normalize_name(attribute(node, "name"));
    type->type_ref = trimmed(content(element(node, "typeRef")));
    if (type->type_ref.empty()) type->type_ref = attribute(node, "typeRef");
    type->is_collection = node.attribute("isCollection").as_bool();
    if (const pugi::xml_node values = element(node, "allowedValues")) {
      type->allowed_values = read_text(values);
    }
    if (const pugi::xml_node constraint = element(node, "typeConstraint")) {
      type->type_constraint = read_text(constraint);
    }
    for (const pugi::xml_node component : elements(node, "itemComponent")) {
      type->components.push_back(read_item_type(component));
    }
    if (const pugi::xml_node function = element(node, "functionItem")) {
      type->is_function = true;
      type->type_ref = attribute(function, "outputTypeRef");
      for (const pugi::xml_node parameter : elements(function, "parameters")) {
        type->parameter_type_refs.push_back(attribute(parameter, "typeRef"));
      }
    }
    return type;
  }

  // ---- expressions ----

  Text read_text(pugi::xml_node node) {
    check_language(node);
    return {content(element(node, "text"))};
  }

  using ReadBoxed = void (Reader::*)(pugi::xml_node, Boxed&);
  static ReadBoxed reader_of(std::string_view name) {
    static const std::map<std::string_view, ReadBoxed> kReaders{
        {"literalExpression", &Reader::read_literal},
        {"decisionTable", &Reader::read_table},
        {"context", &Reader::read_context},
        {"invocation", &Reader::read_invocation},
        {"functionDefinition", &Reader::read_function_definition},
        {"relation", &Reader::read_relation},
        {"list", &Reader::read_list},
        {"conditional", &Reader::read_conditional},
        {"filter", &Reader::read_filter},
        {"for", &Reader::read_iteration},
        {"some", &Reader::read_iteration},
        {"every", &Reader::read_iteration},
    };
    const auto found = kReaders.find(name);
    return found == kReaders.end() ? nullptr : found->second;
  }

  // Returns all expressions directly below the element. The depth of the XML was checked, so this
  // recursion is limited.
  std::vector<BoxedPtr> read_expressions(pugi::xml_node parent) {
    std::vector<BoxedPtr> result;
    for (const pugi::xml_node child : elements(parent)) {
      const ReadBoxed reader = reader_of(local_name(child));
      if (reader == nullptr) continue;
      auto boxed = std::make_unique<Boxed>();
      boxed->id = attribute(child, "id");
      boxed->type.source = attribute(child, "typeRef");
      (this->*reader)(child, *boxed);
      result.push_back(std::move(boxed));
    }
    return result;
  }
  BoxedPtr read_only_expression(pugi::xml_node parent) {
    std::vector<BoxedPtr> all = read_expressions(parent);
    if (all.size() > 1) {
      problem(attribute(parent, "id"),
              fmt::format("Element '{}' must have only one expression, but it has {}.",
                          local_name(parent), all.size()));
    }
    return all.empty() ? nullptr : std::move(all.front());
  }

  void read_literal(pugi::xml_node node, Boxed& boxed) { boxed.form = Literal{read_text(node)}; }

  void read_context(pugi::xml_node node, Boxed& boxed) {
    BoxedContext context;
    for (const pugi::xml_node child : elements(node, "contextEntry")) {
      BoxedContext::Entry entry;
      if (const pugi::xml_node variable = element(child, "variable")) {
        entry.variable = variable_of(variable);
      }
      entry.value = read_only_expression(child);
      context.entries.push_back(std::move(entry));
    }
    boxed.form = std::move(context);
  }

  void read_invocation(pugi::xml_node node, Boxed& boxed) {
    Invocation invocation;
    invocation.function = read_only_expression(node);
    if (!invocation.function) problem(boxed.id, "An invocation must name a function.");
    for (const pugi::xml_node child : elements(node, "binding")) {
      invocation.bindings.push_back(
          {feel::normalize_name(attribute(element(child, "parameter"), "name")),
           read_only_expression(child)});
    }
    boxed.form = std::move(invocation);
  }

  FunctionDefinition read_function(pugi::xml_node node) {
    FunctionDefinition function;
    const std::string kind = attribute(node, "kind");
    if (kind == "Java") function.kind = FunctionKind::Java;
    if (kind == "PMML") function.kind = FunctionKind::Pmml;
    for (const pugi::xml_node parameter : elements(node, "formalParameter")) {
      function.parameters.push_back(variable_of(parameter));
    }
    function.body = read_only_expression(node);
    return function;
  }
  void read_function_definition(pugi::xml_node node, Boxed& boxed) {
    boxed.form = read_function(node);
  }

  void read_relation(pugi::xml_node node, Boxed& boxed) {
    Relation relation;
    for (const pugi::xml_node column : elements(node, "column")) {
      relation.columns.push_back(feel::normalize_name(attribute(column, "name")));
    }
    for (const pugi::xml_node row : elements(node, "row")) {
      relation.rows.push_back(read_expressions(row));
      if (relation.rows.back().size() != relation.columns.size()) {
        problem(boxed.id, fmt::format("Row {} of a relation has {} cells for {} columns.",
                                      relation.rows.size(), relation.rows.back().size(),
                                      relation.columns.size()));
      }
    }
    boxed.form = std::move(relation);
  }

  void read_list(pugi::xml_node node, Boxed& boxed) {
    boxed.form = BoxedList{read_expressions(node)};
  }

  void read_conditional(pugi::xml_node node, Boxed& boxed) {
    boxed.form = Conditional{read_only_expression(element(node, "if")),
                             read_only_expression(element(node, "then")),
                             read_only_expression(element(node, "else"))};
  }

  void read_filter(pugi::xml_node node, Boxed& boxed) {
    boxed.form = Filter{read_only_expression(element(node, "in")),
                        read_only_expression(element(node, "match"))};
  }

  void read_iteration(pugi::xml_node node, Boxed& boxed) {
    Iteration iteration;
    const std::string_view name = local_name(node);
    iteration.form = name == "for"    ? Iteration::Form::For
                     : name == "some" ? Iteration::Form::Some
                                      : Iteration::Form::Every;
    iteration.variable.name = feel::normalize_name(attribute(node, "iteratorVariable"));
    const pugi::xml_node domain = element(node, "in");
    iteration.variable.type.source = attribute(domain, "typeRef");
    iteration.domain = read_only_expression(domain);
    iteration.body = read_only_expression(
        element(node, iteration.form == Iteration::Form::For ? "return" : "satisfies"));
    boxed.form = std::move(iteration);
  }

  // ---- decision tables ----

  void read_hit_policy(pugi::xml_node node, const Boxed& boxed, Table& table) {
    static const std::map<std::string_view, HitPolicy> kPolicies{
        {"", HitPolicy::Unique},
        {"UNIQUE", HitPolicy::Unique},
        {"ANY", HitPolicy::Any},
        {"PRIORITY", HitPolicy::Priority},
        {"FIRST", HitPolicy::First},
        {"RULE ORDER", HitPolicy::RuleOrder},
        {"OUTPUT ORDER", HitPolicy::OutputOrder},
        {"COLLECT", HitPolicy::Collect},
    };
    static const std::map<std::string_view, Aggregation> kAggregations{
        {"", Aggregation::None},   {"SUM", Aggregation::Sum},     {"MIN", Aggregation::Min},
        {"MAX", Aggregation::Max}, {"COUNT", Aggregation::Count},
    };
    const std::string policy = attribute(node, "hitPolicy");
    if (const auto found = kPolicies.find(policy); found != kPolicies.end()) {
      table.hit_policy = found->second;
    } else {
      problem(boxed.id, fmt::format("There is no hit policy '{}'.", policy));
    }
    const std::string aggregation = attribute(node, "aggregation");
    if (const auto found = kAggregations.find(aggregation); found != kAggregations.end()) {
      // The attribute has a meaning with COLLECT only; modelers leave it behind with other
      // policies.
      if (table.hit_policy == HitPolicy::Collect) table.aggregation = found->second;
    } else {
      problem(boxed.id, fmt::format("There is no aggregation '{}'.", aggregation));
    }
  }

  void read_table(pugi::xml_node node, Boxed& boxed) {
    Table table;
    read_hit_policy(node, boxed, table);
    for (const pugi::xml_node child : elements(node, "input")) {
      Table::Input input;
      input.id = attribute(child, "id");
      input.label = attribute(child, "label");
      const pugi::xml_node expression = element(child, "inputExpression");
      input.expression = read_text(expression);
      input.type.source = attribute(expression, "typeRef");
      if (input.expression.empty()) problem(input.id, "An input must have an expression.");
      if (const pugi::xml_node values = element(child, "inputValues")) {
        input.values = read_text(values);
        if (input.values->empty()) input.values.reset();
      }
      table.inputs.push_back(std::move(input));
    }
    for (const pugi::xml_node child : elements(node, "output")) {
      Table::Output output;
      output.id = attribute(child, "id");
      output.name = feel::normalize_name(attribute(child, "name"));
      output.label = attribute(child, "label");
      if (output.name.empty()) output.name = feel::normalize_name(output.label);
      output.type.source = attribute(child, "typeRef");
      if (const pugi::xml_node values = element(child, "outputValues")) {
        output.values = read_text(values);
        if (output.values->empty()) output.values.reset();
      }
      if (const pugi::xml_node entry = element(child, "defaultOutputEntry")) {
        output.default_entry = read_text(entry);
        if (output.default_entry->empty()) output.default_entry.reset();
      }
      table.outputs.push_back(std::move(output));
    }
    check_outputs(boxed, table);
    read_rules(node, boxed, table);
    boxed.form = std::move(table);
  }

  void check_outputs(const Boxed& boxed, const Table& table) {
    if (table.outputs.empty()) problem(boxed.id, "A decision table must have an output.");
    if (table.aggregation != Aggregation::None && table.outputs.size() > 1) {
      problem(boxed.id, "A decision table with an aggregation must have one output.");
    }
    if (table.outputs.size() < 2) return;
    std::set<std::string_view> names;
    for (const Table::Output& output : table.outputs) {
      if (output.name.empty()) {
        problem(boxed.id, "Each of several outputs must have a name.");
      } else if (!names.insert(output.name).second) {
        problem(boxed.id, fmt::format("Two outputs have the name '{}'.", output.name));
      }
    }
  }

  void read_rules(pugi::xml_node node, const Boxed& boxed, Table& table) {
    table.tests.resize(table.inputs.size());
    std::vector<std::map<std::string, std::uint32_t>> known(table.inputs.size());
    for (const pugi::xml_node child : elements(node, "rule")) {
      Table::Rule rule;
      rule.id = attribute(child, "id");
      const std::vector<pugi::xml_node> tests = elements(child, "inputEntry");
      const std::vector<pugi::xml_node> outputs = elements(child, "outputEntry");
      if (tests.size() != table.inputs.size() || outputs.size() != table.outputs.size()) {
        problem(rule.id.empty() ? boxed.id : rule.id,
                fmt::format("Rule {} has {} input and {} output entries for {} inputs and {} "
                            "outputs.",
                            table.rules.size() + 1, tests.size(), outputs.size(),
                            table.inputs.size(), table.outputs.size()));
        continue;
      }
      for (std::size_t i = 0; i < tests.size(); ++i) {
        Text test = read_text(tests[i]);
        const auto index = static_cast<std::uint32_t>(table.tests[i].size());
        const auto [place, is_new] = known[i].try_emplace(trimmed(test.source), index);
        if (is_new) table.tests[i].push_back(std::move(test));
        rule.tests.push_back(place->second);
      }
      for (const pugi::xml_node output : outputs) rule.outputs.push_back(read_text(output));
      table.rules.push_back(std::move(rule));
    }
  }

  Model& model_;
  std::vector<Problem>& problems_;
  std::set<std::string> ids_;
  std::string owner_;  // the id of the top-level element being read
};

// This must not be recursive, since it protects the recursion of the Reader.
bool is_too_deep(pugi::xml_node root) {
  int depth = 1;
  for (pugi::xml_node node = root; node;) {
    if (const pugi::xml_node child = node.first_child()) {
      if (++depth > kElementDepthMax) return true;
      node = child;
      continue;
    }
    while (node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node == root) break;
    node = node.next_sibling();
  }
  return false;
}

}  // namespace

std::shared_ptr<Model> read_model(std::string_view xml, Reading reading,
                                  std::vector<Problem>& problems) {
  const auto refuse = [&problems](std::string message) {
    problems.push_back({"", std::move(message)});
    return nullptr;
  };
  if (xml.size() > kFileBytesMax) {
    return refuse(
        fmt::format("The file has {} bytes, more than the {} allowed.", xml.size(), kFileBytesMax));
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(
      xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata | pugi::parse_doctype);
  if (!parsed) {
    return refuse(fmt::format("The XML is not well-formed at byte {}: {}.", parsed.offset,
                              parsed.description()));
  }
  for (const pugi::xml_node child : document.children()) {
    if (child.type() == pugi::node_doctype) return refuse("A document type is not allowed.");
  }
  const pugi::xml_node root = document.document_element();
  const QualifiedName name = split_name(root.name());
  const std::string_view root_namespace = namespace_of(root, name.prefix);
  if (name.local != "definitions" || !contains(kModelNamespaces, root_namespace)) {
    return refuse(fmt::format("Expected DMN definitions, but the file has '{}' of namespace '{}'.",
                              name.local, root_namespace));
  }
  if (is_too_deep(root)) {
    return refuse(fmt::format("Elements are nested deeper than {}.", kElementDepthMax));
  }
  auto model = std::make_shared<Model>();
  model->reading = reading;
  Reader(*model, problems).read(root);
  return model;
}

}  // namespace beeline::dmn
