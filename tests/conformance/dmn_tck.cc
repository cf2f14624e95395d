// Runs the DMN TCK and prints how many cases pass per level:
//
//   dmn_tck [--explained FILE] [--csv FILE] [--filter TEXT] FOLDER
//
// FOLDER contains compliance-level-2 and -3 in the layout of the TCK; all models of a case's folder
// are one set. Each failing case is printed on a line. The exit code is 0 if only cases failed that
// FILE explains: its lines are the level, the folder and the id of a case, then the reason.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "dmn/dmn.h"
#include "feel/names.h"
#include "feel/value.h"

namespace {

namespace fs = std::filesystem;
using beeline::dmn::DecisionResult;
using beeline::dmn::Definitions;
using beeline::feel::Decimal;
using beeline::feel::Kind;
using beeline::feel::Value;
namespace feel = beeline::feel;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string_view local_name(std::string_view name) {
  return name.substr(name.find(':') + 1);
}

std::vector<pugi::xml_node> children(pugi::xml_node parent, std::string_view name) {
  std::vector<pugi::xml_node> result;
  for (const pugi::xml_node child : parent.children()) {
    if (child.type() == pugi::node_element && local_name(child.name()) == name) {
      result.push_back(child);
    }
  }
  return result;
}

pugi::xml_node child(pugi::xml_node parent, std::string_view name) {
  const std::vector<pugi::xml_node> found = children(parent, name);
  return found.empty() ? pugi::xml_node{} : found.front();
}

std::string_view attribute(pugi::xml_node node, std::string_view name) {
  for (const pugi::xml_attribute each : node.attributes()) {
    if (local_name(each.name()) == name) return each.value();
  }
  return {};
}

// ---- values -------------------------------------------------------------------------------------

template <typename T>
std::optional<Value> as_value(const std::optional<T>& parsed) {
  return parsed ? std::optional<Value>(Value{*parsed}) : std::nullopt;
}

std::optional<Value> scalar(std::string_view type, const std::string& text) {
  if (type == "boolean") return Value{text == "true" || text == "1"};
  if (type == "date") return as_value(feel::Date::parse(text));
  if (type == "time") return as_value(feel::Time::parse(text));
  if (type == "dateTime") return as_value(feel::DateTime::parse(text));
  if (type == "duration") {
    if (auto months = feel::YearsMonthsDuration::parse(text)) return Value{*months};
    return as_value(feel::DaysTimeDuration::parse(text));
  }
  if (type == "decimal" || type == "double" || type == "integer" || type == "int" ||
      type == "long" || type == "float") {
    return as_value(Decimal::parse(text));
  }
  return Value{text};
}

// The value inside an inputNode, expected, component or item element.
Value read_value(pugi::xml_node node) {
  if (const pugi::xml_node list = child(node, "list")) {
    if (attribute(list, "nil") == "true") return {};
    std::vector<Value> items;
    for (const pugi::xml_node item : children(list, "item")) items.push_back(read_value(item));
    return Value{std::move(items)};
  }
  if (const std::vector<pugi::xml_node> components = children(node, "component");
      !components.empty()) {
    std::vector<feel::Entry> entries;
    for (const pugi::xml_node component : components) {
      entries.push_back({feel::normalize_name(attribute(component, "name")),
                         attribute(component, "nil") == "true" ? Value{} : read_value(component)});
    }
    return Value{feel::Context(std::move(entries))};
  }
  const pugi::xml_node value = child(node, "value");
  if (!value || attribute(value, "nil") == "true") return {};
  const std::string_view type = local_name(attribute(value, "type"));
  return scalar(type, value.text().get()).value_or(Value{});
}

bool is_zero_duration(const Value& value) {
  return (value.is(Kind::YearsMonthsDuration) && value.years_months().months == 0) ||
         (value.is(Kind::DaysTimeDuration) && value.days_time() == feel::DaysTimeDuration{});
}

bool matches(const Value& expected, const Value& actual);

bool lists_match(const std::vector<Value>& expected, const std::vector<Value>& actual) {
  return std::equal(expected.begin(), expected.end(), actual.begin(), actual.end(), matches);
}

bool contexts_match(const feel::Context& expected, const feel::Context& actual) {
  if (expected.entries().size() != actual.entries().size()) return false;
  return std::all_of(expected.entries().begin(), expected.entries().end(),
                     [&](const feel::Entry& entry) {
                       const Value* found = actual.find(entry.name);
                       return found != nullptr && matches(entry.value, *found);
                     });
}

bool numbers_match(const Decimal& expected, const Decimal& actual) {
  if (expected == actual) return true;
  const std::optional<Decimal> difference = Decimal::subtract(expected, actual);
  return difference && difference->abs() < *Decimal::parse("0.00000001");
}

bool times_match(const feel::Time& expected, const feel::Time& actual) {
  using Form = feel::ZoneInfo::Form;
  return expected.nanos == actual.nanos && expected.zone.form == actual.zone.form &&
         (expected.zone.form != Form::Offset || expected.zone.offset == actual.zone.offset) &&
         expected.zone.zone == actual.zone.zone;
}

bool matches(const Value& expected, const Value& actual) {
  if (is_zero_duration(expected) && is_zero_duration(actual)) return true;
  if (expected.kind() != actual.kind()) return false;
  switch (expected.kind()) {
    case Kind::Null:
      return true;
    case Kind::Boolean:
      return expected.boolean() == actual.boolean();
    case Kind::Number:
      return numbers_match(expected.number(), actual.number());
    case Kind::String:
      return expected.string() == actual.string();
    case Kind::List:
      return lists_match(expected.list(), actual.list());
    case Kind::Context:
      return contexts_match(expected.context(), actual.context());
    case Kind::Date:
      return expected.date() == actual.date();
    case Kind::Time:
      return times_match(expected.time(), actual.time());
    case Kind::DateTime:
      return expected.date_time().date == actual.date_time().date &&
             times_match(expected.date_time().time, actual.date_time().time);
    case Kind::YearsMonthsDuration:
      return expected.years_months() == actual.years_months();
    case Kind::DaysTimeDuration:
      return expected.days_time() == actual.days_time();
    case Kind::Range:
    case Kind::Function:
      return false;
  }
  return false;
}

std::string shown(const Value& value) {
  return fmt::format("{} ({})", feel::to_json(value), feel::kind_name(value.kind()));
}

// ---- the suite ----------------------------------------------------------------------------------

struct Options {
  std::string explained;
  std::string csv;
  std::string filter;
  std::string folder;
};

struct Counts {
  int passed = 0;
  int failed = 0;
};

// The cases that may fail, as "level folder id".
std::set<std::string> read_explained(const std::string& path) {
  std::set<std::string> cases;
  std::istringstream lines(path.empty() ? "" : read_file(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string level;
    std::string folder;
    std::string id;
    if (words >> level >> folder >> id && level[0] != '#') {
      cases.insert(fmt::format("{} {} {}", level, folder, id));
    }
  }
  return cases;
}

class Runner {
 public:
  explicit Runner(const Options& options)
      : options_(options), explained_(read_explained(options.explained)) {
    if (!options.csv.empty()) csv_.open(options.csv);
  }

  int run() {
    std::string summary;
    for (const char* level : {"level-2", "level-3"}) {
      level_ = level;
      counts_ = {};
      std::vector<fs::path> folders;
      const fs::path parent = fs::path(options_.folder) / fmt::format("compliance-{}", level);
      if (!fs::is_directory(parent)) {
        std::cerr << "no folder " << parent << "\n";
        return 2;
      }
      for (const auto& entry : fs::directory_iterator(parent)) {
        if (entry.is_directory()) folders.push_back(entry.path());
      }
      std::sort(folders.begin(), folders.end());
      for (const fs::path& folder : folders) {
        if (folder.filename().string().find(options_.filter) != std::string::npos) {
          run_folder(folder);
        }
      }
      summary += fmt::format("{}: {} passed, {} failed\n", level, counts_.passed, counts_.failed);
    }
    fmt::print("{}", summary);
    return unexplained_ == 0 ? 0 : 1;
  }

 private:
  void run_folder(const fs::path& folder) {
    folder_ = folder.filename().string();
    std::map<std::string, std::string> models;
    std::vector<fs::path> tests;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".dmn") {
        models[entry.path().filename().string()] = read_file(entry.path());
      } else if (entry.path().extension() == ".xml") {
        tests.push_back(entry.path());
      }
    }
    std::sort(tests.begin(), tests.end());
    for (const fs::path& test : tests) run_test_file(test, models);
  }

  void run_test_file(const fs::path& path, const std::map<std::string, std::string>& models) {
    test_file_ = path.stem().string();
    pugi::xml_document document;
    if (!document.load_file(path.c_str(), pugi::parse_default | pugi::parse_ws_pcdata_single)) {
      std::cerr << "cannot read " << path << "\n";
      ++counts_.failed;
      ++unexplained_;
      return;
    }
    const pugi::xml_node root = document.document_element();
    const std::string model_name = child(root, "modelName").text().get();
    std::vector<std::string_view> others;
    for (const auto& [name, text] : models) {
      if (name != model_name) others.push_back(text);
    }
    const auto main = models.find(model_name);
    auto definitions = beeline::dmn::parse_definitions(
        main == models.end() ? std::string_view{} : std::string_view(main->second),
        beeline::dmn::Reading::Standard, others);
    if (!definitions) {
      fmt::print(stderr, "{}/{}: {}\n", level_, folder_, definitions.error().to_string());
    }
    for (const pugi::xml_node test_case : children(root, "testCase")) {
      run_case(test_case, definitions ? &*definitions : nullptr);
    }
  }

  static feel::Context read_inputs(pugi::xml_node test_case) {
    std::vector<feel::Entry> inputs;
    for (const pugi::xml_node node : children(test_case, "inputNode")) {
      std::string name = feel::normalize_name(attribute(node, "name"));
      if (const std::string_view space = attribute(node, "namespace"); !space.empty()) {
        name = fmt::format("{}#{}", space, name);
      }
      inputs.push_back(
          {std::move(name), attribute(node, "nil") == "true" ? Value{} : read_value(node)});
    }
    return feel::Context(std::move(inputs));
  }

  DecisionResult evaluate(const Definitions& definitions, pugi::xml_node test_case,
                          std::string_view result_name, const feel::Context& inputs) {
    const feel::EvaluationOptions options{
        feel::Instant{std::chrono::milliseconds{1'700'000'000'000}}};
    if (attribute(test_case, "type") == "decisionService") {
      DecisionResult result = beeline::dmn::evaluate_service(
          definitions, attribute(test_case, "invocableName"), inputs, options);
      // With several output decisions the node names one entry of the result.
      if (result.value->is(Kind::Context)) {
        if (const Value* entry = result.value->find(feel::normalize_name(result_name))) {
          result.value = std::make_shared<const Value>(*entry);
        }
      }
      return result;
    }
    for (const beeline::dmn::DecisionInfo& decision : definitions.decisions()) {
      if (decision.name == result_name) {
        return beeline::dmn::evaluate_decision(definitions, decision.id, inputs, options);
      }
    }
    // Some cases request a service's value by its name.
    return beeline::dmn::evaluate_service(definitions, result_name, inputs, options);
  }

  void run_case(pugi::xml_node test_case, const Definitions* definitions) {
    const std::string id(attribute(test_case, "id"));
    std::string message;
    if (definitions == nullptr) message = "the model could not be loaded";
    const feel::Context inputs = read_inputs(test_case);
    for (const pugi::xml_node node : children(test_case, "resultNode")) {
      if (definitions == nullptr) break;
      const std::string_view name = attribute(node, "name");
      const DecisionResult result = evaluate(*definitions, test_case, name, inputs);
      const bool error_expected = attribute(node, "errorResult") == "true";
      const pugi::xml_node expected_node = child(node, "expected");
      const Value expected = error_expected || attribute(expected_node, "nil") == "true"
                                 ? Value{}
                                 : read_value(expected_node);
      if (matches(expected, *result.value)) continue;
      message +=
          fmt::format("{}: expected {} but got {}", name, shown(expected), shown(*result.value));
      if (result.failure) message += "; failure: " + result.failure->message;
      for (const std::string& warning : result.warnings) message += "; " + warning;
      message += " ";
    }
    ++(message.empty() ? counts_.passed : counts_.failed);
    if (!message.empty()) {
      const bool is_explained = explained_.contains(fmt::format("{} {} {}", level_, folder_, id));
      if (!is_explained) ++unexplained_;
      fmt::print("{} {} {} {}{}\n", level_, folder_, id, is_explained ? "(explained) " : "",
                 message);
    }
    if (csv_.is_open()) {
      std::replace(message.begin(), message.end(), '"', '\'');
      std::replace(message.begin(), message.end(), '\n', ' ');
      csv_ << fmt::format("\"compliance-{}/{}\",\"{}\",\"{}\",\"{}\",\"{}\"\n", level_, folder_,
                          test_file_, id, message.empty() ? "SUCCESS" : "ERROR", message);
    }
  }

  const Options& options_;
  const std::set<std::string> explained_;
  int unexplained_ = 0;
  std::ofstream csv_;
  std::string level_;
  std::string folder_;
  std::string test_file_;
  Counts counts_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--explained" && i + 1 < argc) {
      options.explained = argv[++i];
    } else if (argument == "--csv" && i + 1 < argc) {
      options.csv = argv[++i];
    } else if (argument == "--filter" && i + 1 < argc) {
      options.filter = argv[++i];
    } else {
      options.folder = argument;
    }
  }
  if (options.folder.empty()) {
    std::cerr << "usage: dmn_tck [--explained FILE] [--csv FILE] [--filter TEXT] FOLDER\n";
    return 2;
  }
  return Runner(options).run();
}
