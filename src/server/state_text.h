#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "state/database.h"

namespace beeline::server {

// One row of the state, as `inspect` prints it.
struct StateRow {
  std::string_view table;  // "jobs"
  std::string key;         // a number, or a list of numbers
  std::string json;
};

// Calls `visit` for every row, by table and key.
void for_each_row(const state::Database& database,
                  const std::function<void(const StateRow&)>& visit);

}  // namespace beeline::server
