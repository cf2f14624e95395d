#pragma once

#include <iosfwd>
#include <string>
#include <vector>

// Commands that evaluate an expression or a decision locally, without a server: for trying out
// models, and for tests.
namespace beeline::server {

struct FeelOptions {
  std::string expression;  // a leading "=" is allowed, as in models
  std::string context;     // JSON object with the variables; empty for none
};

// Prints the result as JSON; warnings go to `errors`. Returns the exit code.
[[nodiscard]] int evaluate_feel(const FeelOptions& options, std::ostream& out,
                                std::ostream& errors);

// Reads requests as JSON lines, {"expression": text, "context": object}, and answers each with a
// line: {"result": value, "warnings": [text]} or {"error": text}.
[[nodiscard]] int evaluate_feel_lines(std::istream& in, std::ostream& out);

struct DecideOptions {
  std::string file;
  std::vector<std::string> imports;  // imported files, found by their namespace
  std::string decision;              // may be omitted if the file has only one
  std::string context;               // as above
  bool audit = false;                // also print how the result was found
};

// Prints the decision's output as JSON. Returns the exit code.
[[nodiscard]] int decide(const DecideOptions& options, std::ostream& out, std::ostream& errors);

}  // namespace beeline::server
