#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/field.h"

// The wire form of values: protobuf, described by proto/records.proto. A field that equals its
// default is left out; an unknown field is skipped; so values may grow.
//
// The templates are instantiated in codec.cc for every value, and in state rows' own .cc files by
// including codec_impl.h: their code is large and must not be compiled wherever a record is used.
namespace beeline::record {

// Appends the bytes of `value` to `out`.
template <HasFields T>
void encode(const T& value, std::string& out);

// Appends the part of the bytes that the fields with the numbers from First to Last make. Parts
// that follow one another are the whole.
template <std::uint32_t First, std::uint32_t Last, HasFields T>
void encode_part(const T& value, std::string& out);

// Appends what a value with this one in its field `number` has there.
template <HasFields T>
void encode_nested(std::uint32_t number, const T& value, std::string& out);

// Nothing when the bytes are not of this form. What the value borrows, it borrows from them.
template <HasFields T>
[[nodiscard]] std::optional<T> try_decode(std::string_view bytes);

// For bytes that we wrote ourselves and whose checksum held: anything else is a bug.
template <HasFields T>
[[nodiscard]] T decode(std::string_view bytes);

// Appends compact JSON: names as in the field list, enumerations by name, documents as objects.
template <HasFields T>
void to_json(const T& value, std::string& out);

// Appends " name=value" for each field that is not at its default; the one-line text form.
template <HasFields T>
void to_text(const T& value, std::string& out);

}  // namespace beeline::record
