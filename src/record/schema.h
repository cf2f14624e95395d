#pragma once

#include <string>
#include <string_view>

#include "record/value_type.h"

namespace beeline::record {

// Returns the text of proto/records.proto, from the same field lists that the codec uses. A test
// compares the file with it, and another reads our bytes with the code that protoc generates from
// the file.
[[nodiscard]] std::string schema_text();

// Returns the name of the message that values of this type are on the wire; empty for a type that
// this version does not know.
[[nodiscard]] std::string_view message_name(ValueType type);

}  // namespace beeline::record
