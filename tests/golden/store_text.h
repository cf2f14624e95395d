#pragma once

#include <string>

#include "state/key_value_store.h"

// A checkpoint as a file of text: the rows of its store, one on a line, key and value as
// hexadecimal digits.
namespace beeline::testing {

[[nodiscard]] std::string to_text(const state::KeyValueStore& store);
// Writes the rows of `text` into `store`.
void parse_rows(const std::string& text, state::KeyValueStore& store);

}  // namespace beeline::testing
