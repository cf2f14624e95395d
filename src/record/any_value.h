#pragma once

#include <string>
#include <string_view>

#include "record/value_type.h"

// What can be done with the value of a record whose type is only known at run time. Of a type that
// this version does not know, and of bytes that are not of the type's form, nothing can be printed.
namespace beeline::record {

[[nodiscard]] std::string value_to_json(ValueType type, std::string_view bytes);
// Appends " name=value" for each field that is not at its default.
void value_to_text(ValueType type, std::string_view bytes, std::string& out);
// What the record is about, by the value's kSubject; empty if it is about no single thing.
[[nodiscard]] std::string value_subject(ValueType type, std::string_view bytes);
[[nodiscard]] bool is_well_formed_value(ValueType type, std::string_view bytes);

}  // namespace beeline::record
