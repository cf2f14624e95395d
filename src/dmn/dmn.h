#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feel/feel.h"

// Decisions: read a DMN file once (at deployment), evaluate its decisions often. The functions are
// pure, like those of FEEL.
namespace beeline::feel {
class Context;  // value.h
}

namespace beeline::dmn {

// Limits of a file; a file beyond them is refused.
inline constexpr std::size_t kFileBytesMax = 4 * 1024 * 1024;
inline constexpr int kElementDepthMax = 100;
inline constexpr std::size_t kDecisionsMax = 2000;  // the largest model of the TCK has 1087
inline constexpr int kRequirementDepthMax = 200;

// A mistake in a file. All mistakes are reported, not only the first.
struct Problem {
  std::string element_id;  // empty when it concerns the whole file
  std::string message;     // a sentence
};
struct Diagnostics {
  std::vector<Problem> problems;
  [[nodiscard]] std::string to_string() const;  // one line each
};

// The reading of the standard.
//   Workflow: as Camunda does. Every given variable is visible to every decision, FEEL is the
//     lenient dialect with its extensions, and a violated rule (two matches under UNIQUE, a result
//     of the wrong type) fails the evaluation.
//   Standard: as the TCK reads DMN. A decision sees only what it requires, names may contain spaces
//     and operators, and a violated rule gives null with a warning.
enum class Reading : std::uint8_t { Workflow, Standard };

struct DecisionInfo {
  std::string id;
  std::string name;
  std::string version_tag;  // empty if it has no tag
};

struct Model;  // the compiled form, private to this folder

// A compiled file: immutable, cheap to copy, safe to share between threads.
class Definitions {
 public:
  explicit Definitions(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  [[nodiscard]] const std::string& id() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& model_namespace() const;
  // Returns the decisions in the order of the file, without those of imported files.
  [[nodiscard]] std::vector<DecisionInfo> decisions() const;
  [[nodiscard]] bool has_decision(std::string_view id) const;
  [[nodiscard]] const Model& model() const { return *model_; }

 private:
  // Shared because a deployed decision is read by many instances and threads.
  std::shared_ptr<const Model> model_;
};

// The namespaces that a file declares and imports. look_into() returns nothing if the text is not a
// DMN file.
struct FileInfo {
  std::string model_namespace;
  std::vector<std::string> imports;  // the namespaces of the files it needs
};
[[nodiscard]] std::optional<FileInfo> look_into(std::string_view xml);

// Returns the texts of the files that a file imports, directly or indirectly, each once. `find`
// returns the text for a namespace, which must outlive the result, or nothing; a missing file is
// left out here and reported by parse_definitions.
[[nodiscard]] std::vector<std::string_view> collect_imports(
    std::string_view xml,
    const std::function<std::optional<std::string_view>(const std::string& model_namespace)>& find);

// Compiles one file. `imports` are the texts of the files that it may import, found by their
// namespace.
[[nodiscard]] std::expected<Definitions, Diagnostics> parse_definitions(
    std::string_view xml, Reading reading = Reading::Workflow,
    std::span<const std::string_view> imports = {});

// ---- evaluation ---------------------------------------------------------------------------------

enum class DecisionType : std::uint8_t {
  DecisionTable,
  LiteralExpression,
  Context,
  Invocation,
  List,
  Relation,
  Unknown
};
[[nodiscard]] std::string_view decision_type_name(DecisionType type);  // "DECISION_TABLE", ...

struct EvaluatedInput {
  std::string id;
  std::string name;  // the label, else the first 30 characters of the expression
  std::string value_json;
  bool operator==(const EvaluatedInput&) const = default;
};
struct EvaluatedOutput {
  std::string id;
  std::string name;  // the label, else the name
  std::string value_json;
  bool operator==(const EvaluatedOutput&) const = default;
};
struct MatchedRule {
  std::string id;           // empty if the file does not give one
  std::uint32_t index = 0;  // from 1
  std::vector<EvaluatedOutput> outputs;
  bool operator==(const MatchedRule&) const = default;
};
struct EvaluatedDecision {
  std::string id;
  std::string name;
  DecisionType type = DecisionType::Unknown;
  std::string output_json;
  std::vector<EvaluatedInput> inputs;      // tables only
  std::vector<MatchedRule> matched_rules;  // tables only; with FIRST only the first matched rule
  std::string model_namespace = {};        // of the file that contains it, which may be imported
  bool operator==(const EvaluatedDecision&) const = default;
};

struct DecisionFailure {
  std::string decision_id;
  std::string message;
};

// The result of an evaluation. After a failure the value is null, and the list of evaluated
// decisions ends with the one that failed.
struct DecisionResult {
  std::shared_ptr<const feel::Value> value;  // never a null pointer
  std::string output_json = "null";
  std::vector<EvaluatedDecision>
      evaluated_decisions;  // required decisions first, the requested one last
  std::vector<std::string> warnings;
  std::optional<DecisionFailure> failure;
};

// Evaluates a decision of the file with the variables of a process.
[[nodiscard]] DecisionResult evaluate_decision(const Definitions& definitions,
                                               std::string_view decision_id,
                                               const feel::VariableSource& variables,
                                               const feel::EvaluationOptions& options);

// Like evaluate_decision() above, with FEEL values as input. An entry has the name of input data,
// or of a decision whose evaluation it replaces; the name "<namespace>#<name>" refers to the one of
// that file only.
[[nodiscard]] DecisionResult evaluate_decision(const Definitions& definitions,
                                               std::string_view decision_id,
                                               const feel::Context& inputs,
                                               const feel::EvaluationOptions& options);

// Calls a decision service, found by name or id, with its inputs by name. With one output decision
// the result is its value, with several a context with an entry for each.
[[nodiscard]] DecisionResult evaluate_service(const Definitions& definitions,
                                              std::string_view service, const feel::Context& inputs,
                                              const feel::EvaluationOptions& options);

}  // namespace beeline::dmn
