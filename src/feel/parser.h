#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "feel/names.h"
#include "feel/program.h"

namespace beeline::feel {

// The parser's knowledge about the context of a text.
struct ParseOptions {
  Dialect dialect = Dialect::Workflow;
  bool extensions = true;
  // Names of variables in scope. Only names that are not plain identifiers need to be here.
  const NameTable* variables = nullptr;
  // Names that may follow a dot, or that name the fields of the item inside a filter.
  const NameTable* members = nullptr;
  // Types beyond FEEL's own, for `instance of` and parameters.
  std::function<std::optional<Type>(std::string_view)> find_type;
};

inline constexpr int kParseDepthMax = 200;  // brackets, branches and bodies inside each other
inline constexpr std::uint32_t kTreeDepthMax = 400;  // depth of the syntax tree

enum class EntryPoint { Expression, UnaryTests };

[[nodiscard]] Result<std::shared_ptr<const Program>, ParseError> parse(std::string_view text,
                                                                       EntryPoint entry,
                                                                       const ParseOptions& options);

}  // namespace beeline::feel
