#pragma once

#include <string>

namespace beeline::record {

// The text of proto/records.proto, from the same field lists that the codec walks. A test holds the
// file to it, and another reads our bytes with the code that protoc makes of the file.
[[nodiscard]] std::string schema_text();

}  // namespace beeline::record
