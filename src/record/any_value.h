#pragma once

#include <string>
#include <string_view>

#include "record/value_type.h"

// Functions for the value of a record whose type is only known at run time. They print nothing for
// a type that this version does not know, and for bytes that do not have the form of the type.
namespace beeline::record {

[[nodiscard]] std::string value_to_json(ValueType type, std::string_view bytes);
// Appends " name=value" for each field that is not at its default.
void value_to_text(ValueType type, std::string_view bytes, std::string& out);
// Returns the subject of the record, by the value's kSubject; empty if it has no subject.
[[nodiscard]] std::string value_subject(ValueType type, std::string_view bytes);
[[nodiscard]] bool is_well_formed_value(ValueType type, std::string_view bytes);

}  // namespace beeline::record
