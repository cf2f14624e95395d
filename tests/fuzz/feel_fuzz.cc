#include <cstddef>
#include <cstdint>
#include <string_view>

#include "feel/interpreter.h"
#include "feel/json.h"

// Bytes as an expression, as unary tests and as a variable, in both dialects: nothing may crash,
// hang or recurse without end, and results must be valid JSON.
namespace {

using namespace beeline::feel;

class OneVariable final : public VariableSource {
 public:
  explicit OneVariable(std::string_view json) : json_(json) {}
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const override {
    return name == "a" ? std::optional(json_) : std::nullopt;
  }

 private:
  std::string_view json_;
};

void evaluate_values(std::string_view text, Dialect dialect) {
  NameTable names;
  names.add("a b");
  names.add("a-b");
  ParseOptions options;
  options.dialect = dialect;
  options.variables = &names;
  options.members = &names;
  Limits limits;
  limits.steps = 20'000;
  limits.live_bytes = 4 * 1024 * 1024;
  Interpreter interpreter({.now = {}, .limits = limits, .seed = 1});
  const Context variables{{{"a b", Value::number(1)}, {"a-b", Value{"text"}}}};
  if (const auto expression = parse_expression(text, options)) {
    const std::string json = to_json(interpreter.evaluate(*expression, variables));
    if (!parse_json(json)) __builtin_trap();
  }
  if (const auto tests = parse_unary_tests(text, options)) {
    (void)interpreter.test(*tests, Value::number(5), variables);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  evaluate_values(text, Dialect::Workflow);
  evaluate_values(text, Dialect::Dmn);
  // The part before the first zero byte is the expression, the rest the variable `a`.
  const std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return 0;
  if (const auto expression = parse_expression(text.substr(0, zero))) {
    (void)evaluate(*expression, OneVariable(text.substr(zero + 1)), {});
  }
  return 0;
}
