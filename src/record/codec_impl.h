#pragma once

#include <protozero/pbf_reader.hpp>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/time.h"
#include "record/codec.h"
#include "record/document.h"
#include "record/enums.h"
#include "record/json.h"
#include "record/wire_writer.h"

// The codecs behind codec.h. Include this only where they are instantiated.
namespace beeline::record::detail {

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <typename T>
inline constexpr bool kIsStrongId = false;
template <typename Tag, typename Rep>
inline constexpr bool kIsStrongId<StrongId<Tag, Rep>> = true;

// Everything that travels as one varint.
template <typename T>
concept Scalar = std::is_integral_v<T> || std::is_enum_v<T> || kIsStrongId<T> ||
    std::is_same_v<T, Timestamp> || std::is_same_v<T, Milliseconds>;

template <Scalar T>
constexpr std::int64_t to_integer(const T& value) {
  if constexpr (kIsStrongId<T>) {
    return value.value();
  } else if constexpr (std::is_same_v<T, Timestamp>) {
    return value.millis();
  } else if constexpr (std::is_same_v<T, Milliseconds>) {
    return value.count();
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <Scalar T>
constexpr T from_integer(std::int64_t number) {
  if constexpr (kIsStrongId<T>) {
    return T{static_cast<typename T::rep>(number)};
  } else if constexpr (std::is_same_v<T, Timestamp> || std::is_same_v<T, Milliseconds>) {
    return T{number};
  } else {
    return static_cast<T>(number);
  }
}

template <HasFields T>
const T& default_of() {
  static const T instance{};
  return instance;
}

template <HasFields T>
void write_fields(const T& value, WireWriter& writer);

template <typename F>
void write_field(WireWriter& writer, std::uint32_t number, const F& value) {
  if constexpr (Scalar<F>) {
    writer.number(number, to_integer(value));
  } else if constexpr (std::is_same_v<F, std::string>) {
    writer.bytes(number, value);
  } else if constexpr (kIsVector<F>) {
    using Item = typename F::value_type;
    if constexpr (Scalar<Item>) {
      writer.nested(number, [&] {
        for (const Item& item : value) writer.item(to_integer(item));
      });
    } else {
      for (const Item& item : value) write_field(writer, number, item);
    }
  } else {
    writer.nested(number, [&] { write_fields(value, writer); });
  }
}

template <HasFields T>
void write_fields(const T& value, WireWriter& writer) {
  const T& defaults = default_of<T>();
  for_each_field<T>([&](const auto& each) {
    if (value.*each.member == defaults.*each.member) return;
    write_field(writer, each.number, value.*each.member);
  });
}

template <HasFields T>
void read_fields(protozero::pbf_reader reader, T& value);

template <typename F>
void read_field(protozero::pbf_reader& reader, F& value) {
  if constexpr (Scalar<F>) {
    value = from_integer<F>(reader.get_int64());
  } else if constexpr (std::is_same_v<F, std::string>) {
    const auto view = reader.get_view();
    value.assign(view.data(), view.size());
  } else if constexpr (kIsVector<F>) {
    using Item = typename F::value_type;
    if constexpr (Scalar<Item>) {
      for (const std::int64_t number : reader.get_packed_int64()) {
        value.push_back(from_integer<Item>(number));
      }
    } else {
      read_field(reader, value.emplace_back());
    }
  } else {
    read_fields(reader.get_message(), value);
  }
}

// Whether the wire type on hand is the one this field is written with; a foreign one is skipped
// like an unknown field, so that hostile bytes cannot trip protozero's assertions.
template <typename F>
constexpr protozero::pbf_wire_type wire_type_of() {
  return Scalar<F> ? protozero::pbf_wire_type::varint : protozero::pbf_wire_type::length_delimited;
}

template <HasFields T>
void read_fields(protozero::pbf_reader reader, T& value) {
  bool has_more = reader.next();
  while (has_more) {
    // Fields were written in the order of the list, so one walk along it reads them all; what is
    // left after a walk came in another order, or is not known.
    bool was_read = false;
    for_each_field<T>([&](const auto& each) {
      using F = std::decay_t<decltype(value.*each.member)>;
      while (has_more && reader.tag() == each.number && reader.wire_type() == wire_type_of<F>()) {
        read_field(reader, value.*each.member);
        has_more = reader.next();
        was_read = true;
      }
    });
    if (has_more && !was_read) {
      reader.skip();
      has_more = reader.next();
    }
  }
}

template <HasFields T>
void json_object(const T& value, std::string& out);

template <typename F>
void json_field(const F& value, std::string& out) {
  if constexpr (std::is_same_v<F, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_enum_v<F>) {
    append_json_string(name_of(value), out);
  } else if constexpr (Scalar<F>) {
    out += std::to_string(to_integer(value));
  } else if constexpr (std::is_same_v<F, std::string>) {
    append_json_string(value, out);
  } else if constexpr (std::is_same_v<F, Document>) {
    append_document(value, out);
  } else if constexpr (std::is_same_v<F, Headers>) {
    append_headers(value, out);
  } else if constexpr (kIsVector<F>) {
    out += '[';
    bool first = true;
    for (const auto& item : value) {
      if (!first) out += ',';
      first = false;
      json_field(item, out);
    }
    out += ']';
  } else {
    json_object(value, out);
  }
}

template <HasFields T>
void json_object(const T& value, std::string& out) {
  out += '{';
  bool first = true;
  for_each_field<T>([&](const auto& each) {
    if (!first) out += ',';
    first = false;
    append_json_string(each.name, out);
    out += ':';
    json_field(value.*each.member, out);
  });
  out += '}';
}

}  // namespace beeline::record::detail

namespace beeline::record {

template <HasFields T>
void encode(const T& value, std::string& out) {
  WireWriter writer{out};
  detail::write_fields(value, writer);
}

template <HasFields T>
std::optional<T> try_decode(std::string_view bytes) {
  try {
    T value;
    detail::read_fields(protozero::pbf_reader{bytes.data(), bytes.size()}, value);
    return value;
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
}

template <HasFields T>
T decode(std::string_view bytes) {
  std::optional<T> value = try_decode<T>(bytes);
  BEELINE_CHECK(value.has_value(), "a value of {} bytes is not of its form", bytes.size());
  return *std::move(value);
}

template <HasFields T>
void to_json(const T& value, std::string& out) {
  detail::json_object(value, out);
}

template <HasFields T>
void to_text(const T& value, std::string& out) {
  for_each_field<T>([&](const auto& each) {
    using F = std::decay_t<decltype(value.*each.member)>;
    if (value.*each.member == detail::default_of<T>().*each.member) return;
    out += ' ';
    out += each.name;
    out += '=';
    if constexpr (std::is_enum_v<F>) {
      out += name_of(value.*each.member);
    } else {
      detail::json_field(value.*each.member, out);
    }
  });
}

}  // namespace beeline::record

// BEELINE_INSTANTIATE_ROW(T): the codec of a row of a state table. BEELINE_INSTANTIATE_VALUE(T):
// that and the printed forms.
#define BEELINE_INSTANTIATE_ROW(T)                                            \
  template void ::beeline::record::encode<T>(const T&, std::string&);         \
  template std::optional<T> beeline::record::try_decode<T>(std::string_view); \
  template T beeline::record::decode<T>(std::string_view)
#define BEELINE_INSTANTIATE_VALUE(T)                                   \
  BEELINE_INSTANTIATE_ROW(T);                                          \
  template void ::beeline::record::to_json<T>(const T&, std::string&); \
  template void ::beeline::record::to_text<T>(const T&, std::string&)
