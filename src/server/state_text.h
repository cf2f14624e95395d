#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/state/engine_state.h"

namespace beeline::server {

// One row of the state, as `inspect` prints it.
struct StateRow {
  std::string_view table;  // "jobs"
  std::string key;         // a number, or a list of numbers
  std::string json;
};

// Calls `visit` for every row, by table and key. Element instances contain the id of their element.
void for_each_row(const engine::EngineState& state,
                  const std::function<void(const StateRow&)>& visit);

// Returns a line whose long strings are shortened, and the line itself if it is still too long;
// each cut shows how many bytes there were.
[[nodiscard]] std::string shortened(std::string_view line);

}  // namespace beeline::server
