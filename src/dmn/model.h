#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dmn/dmn.h"
#include "dmn/table_index.h"
#include "feel/feel.h"
#include "feel/type.h"

// The compiled form of a DMN file. It is built in three steps, each of which fills in its part:
// reading (xml_reader.cc) takes names, texts and structure from the XML; linking (linker.cc)
// resolves references and types; compiling (compiler.cc) parses every FEEL text in its scope.
// Pointers between elements point into the same Model, or into one that it imports and keeps alive.
namespace beeline::dmn {

// A FEEL text in the file. `expression` is set by compiling, unless the text is empty: an empty
// text is null as an expression and accepts anything as tests.
struct Text {
  std::string source;
  feel::Expression expression{};
  std::string error{};  // why it could not be parsed; under Standard its value is then null
  [[nodiscard]] bool empty() const { return source.find_first_not_of(" \t\r\n") == source.npos; }
};

// A type of the file, or one of its parts.
struct ItemType {
  std::string name;  // in the normal form of FEEL names
  std::string type_ref;
  bool is_collection = false;
  bool is_function = false;
  std::vector<std::string> parameter_type_refs;  // of a function item
  std::vector<std::unique_ptr<ItemType>> components;
  std::optional<Text> allowed_values;   // of each item, if it is a collection
  std::optional<Text> type_constraint;  // of the whole value

  const ItemType* base = nullptr;  // the type that type_ref names, if it is a type of a file
  feel::Type type;                 // the type without its constraints
  bool has_constraints = false;    // here or in a component
};

// A declared type: one of the file's, or one of FEEL's own.
struct TypeRef {
  std::string source;              // as written; empty means Any
  const ItemType* item = nullptr;  // null when the type is FEEL's own
  feel::Type type;
};

struct Variable {
  std::string name;  // in the normal form of FEEL names
  TypeRef type;
};

struct Boxed;
using BoxedPtr = std::unique_ptr<Boxed>;

struct Literal {
  Text text;
};

enum class HitPolicy : std::uint8_t {
  Unique,
  Any,
  Priority,
  First,
  RuleOrder,
  OutputOrder,
  Collect
};
enum class Aggregation : std::uint8_t { None, Sum, Min, Max, Count };

struct Table {
  struct Input {
    std::string id;
    std::string label;
    Text expression;
    TypeRef type;
    std::optional<Text> values;
  };
  struct Output {
    std::string id;
    std::string name;
    std::string label;
    TypeRef type;
    std::optional<Text> values;
    std::optional<Text> default_entry;
    std::optional<Text> priorities;  // the output values as a list, best first
  };
  struct Rule {
    std::string id;
    std::vector<std::uint32_t> tests;  // per input, an index into the tests of its column
    std::vector<Text> outputs;
  };
  // Equal cells of a column are one test, which is evaluated once.
  std::vector<std::vector<Text>> tests;
  std::vector<TableIndex> indexes;  // per column, after compiling
  HitPolicy hit_policy = HitPolicy::Unique;
  Aggregation aggregation = Aggregation::None;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Rule> rules;
};

struct BoxedContext {
  struct Entry {
    std::optional<Variable> variable;  // empty for the result entry
    BoxedPtr value;
  };
  std::vector<Entry> entries;
};

struct Invocation {
  struct Binding {
    std::string parameter;
    BoxedPtr value;  // may be null
  };
  BoxedPtr function;
  std::vector<Binding> bindings;
};

enum class FunctionKind : std::uint8_t { Feel, Java, Pmml };

struct FunctionDefinition {
  FunctionKind kind = FunctionKind::Feel;
  std::vector<Variable> parameters;
  BoxedPtr body;  // may be null
};

struct Relation {
  std::vector<std::string> columns;
  std::vector<std::vector<BoxedPtr>> rows;
};

struct BoxedList {
  std::vector<BoxedPtr> items;
};

struct Conditional {
  BoxedPtr condition;
  BoxedPtr then_value;
  BoxedPtr else_value;
};

struct Filter {
  BoxedPtr list;
  BoxedPtr match;
};

struct Iteration {
  enum class Form : std::uint8_t { For, Some, Every };
  Form form = Form::For;
  Variable variable;
  BoxedPtr domain;
  BoxedPtr body;
  bool uses_partial = true;  // needs a copy of the results so far for each item, so it is false if
                             // no expression uses `partial`
};

// An expression of any form.
struct Boxed {
  std::string id;
  TypeRef type;
  std::variant<Literal, Table, BoxedContext, Invocation, FunctionDefinition, Relation, BoxedList,
               Conditional, Filter, Iteration>
      form;
};

struct Decision;
struct KnowledgeModel;
struct DecisionService;

struct InputData {
  std::string id;
  std::string name;
  Variable variable;
  const Model* model = nullptr;
};

// An element that a decision or knowledge model requires. `prefix` is the import's name for
// elements of other files and empty for elements of the same file.
struct Requirement {
  std::string href;
  std::string prefix{};
  const InputData* input = nullptr;
  const Decision* decision = nullptr;
  const KnowledgeModel* knowledge = nullptr;
  const DecisionService* service = nullptr;
};

struct Decision {
  std::string id;
  std::string name;
  std::string version_tag;
  Variable variable;
  std::vector<Requirement> requirements;
  BoxedPtr expression;  // may be null
  const Model* model = nullptr;
};

struct KnowledgeModel {
  std::string id;
  std::string name;
  Variable variable;
  std::vector<Requirement> requirements;
  std::optional<FunctionDefinition> logic;
  TypeRef logic_type;  // of the encapsulated logic
  const Model* model = nullptr;
};

struct DecisionService {
  std::string id;
  std::string name;
  Variable variable;
  std::vector<Requirement> outputs;
  std::vector<Requirement> encapsulated;
  std::vector<Requirement> input_decisions;
  std::vector<Requirement> input_data;
  const Model* model = nullptr;
};

struct Import {
  std::string name;
  std::string model_namespace;
  const Model* model = nullptr;
};

struct Model {
  std::string id;
  std::string name;
  std::string model_namespace;
  Reading reading = Reading::Workflow;
  std::vector<Import> imports;
  std::vector<std::unique_ptr<ItemType>> types;
  // Deques, because elements point at each other.
  std::deque<InputData> inputs;
  std::deque<Decision> decisions;
  std::deque<KnowledgeModel> knowledge_models;
  std::deque<DecisionService> services;
  // Shared, because several files may import the same file.
  std::vector<std::shared_ptr<const Model>> imported;

  [[nodiscard]] const Decision* find_decision(std::string_view decision_id) const;
};

// ---- the steps ----------------------------------------------------------------------------------

// Reads the XML. Adds problems to the list; returns nothing if it is not a DMN file at all.
[[nodiscard]] std::shared_ptr<Model> read_model(std::string_view xml, Reading reading,
                                                std::vector<Problem>& problems);
// Resolves imports among `others`, references and types.
void link_model(Model& model, std::span<const std::shared_ptr<const Model>> others,
                std::vector<Problem>& problems);
// Parses the FEEL texts and makes the checks that concern more than one element.
void compile_model(Model& model, std::vector<Problem>& problems);

}  // namespace beeline::dmn
