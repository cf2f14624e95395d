#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/state/tables.h"

namespace beeline::engine {

// How the rows of a table are printed for those who look at a state. `key` and `row` take what
// state::TableBase::visit_sorted gives.
struct TableText {
  TableNumber number;
  std::string name;                      // "messageMarks"
  std::string (*key)(std::string_view);  // JSON: a number, a text, or a list of two of these
  std::string (*row)(std::string_view);  // JSON: an object
};

// All tables, by their numbers.
[[nodiscard]] std::span<const TableText> table_texts();

}  // namespace beeline::engine
