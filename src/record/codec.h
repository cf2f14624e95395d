#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/field.h"

// The wire form of values: protobuf, described by proto/records.proto. A field that equals its
// default is left out, and an unknown field is skipped, so fields may be added to values.
//
// The templates are instantiated in codec.cc for every value, and in state rows' own .cc files by
// including codec_impl.h: their code is large and must not be compiled in every file that uses a
// record.
namespace beeline::record {

// Appends the bytes of `value` to `out`.
template <HasFields T>
void encode(const T& value, std::string& out);

// Appends the bytes of the fields with the numbers from First to Last. Consecutive parts form the
// whole value.
template <std::uint32_t First, std::uint32_t Last, HasFields T>
void encode_part(const T& value, std::string& out);

// Appends the bytes of the field `number` of a value that contains this one there.
template <HasFields T>
void encode_nested(std::uint32_t number, const T& value, std::string& out);

// Returns nothing if the bytes do not have this form. A value that borrows borrows from the bytes.
template <HasFields T>
[[nodiscard]] std::optional<T> try_decode(std::string_view bytes);

// For bytes that we wrote ourselves and whose checksum is right: anything else is a bug.
template <HasFields T>
[[nodiscard]] T decode(std::string_view bytes);

// Appends compact JSON: names as in the field list, enumerations by name, documents as objects.
template <HasFields T>
void to_json(const T& value, std::string& out);

// Appends " name=value" for each field that is not at its default; the one-line text form.
template <HasFields T>
void to_text(const T& value, std::string& out);

}  // namespace beeline::record
