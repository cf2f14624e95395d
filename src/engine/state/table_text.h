#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/state/tables.h"

namespace beeline::engine {

// Prints the rows of a table, for people who look at a state. `key` and `row` take the bytes that
// state::TableBase::visit_sorted passes.
struct TableText {
  TableNumber number;
  std::string name;                      // "messageMarks"
  std::string (*key)(std::string_view);  // JSON: a number, a text, or a list of two of these
  std::string (*row)(std::string_view);  // JSON: an object
};

// All tables, by their numbers.
[[nodiscard]] std::span<const TableText> table_texts();

}  // namespace beeline::engine
