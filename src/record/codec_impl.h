#pragma once

#include <absl/container/inlined_vector.h>

#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/time.h"
#include "record/codec.h"
#include "record/document.h"
#include "record/encoded.h"
#include "record/enums.h"
#include "record/json.h"
#include "record/wire_reader.h"
#include "record/wire_writer.h"

// The codecs behind codec.h. Include this only where they are instantiated.
namespace beeline::record::detail {

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T, std::size_t Inlined>
inline constexpr bool kIsVector<absl::InlinedVector<T, Inlined>> = true;

template <typename T>
inline constexpr bool kIsStrongId = false;
template <typename Tag, typename Rep>
inline constexpr bool kIsStrongId<StrongId<Tag, Rep>> = true;

template <typename T>
inline constexpr bool kIsEncoded = false;
template <typename T, typename Text>
inline constexpr bool kIsEncoded<Encoded<T, Text>> = true;

// Text that a value owns, or borrows from the bytes that it was decoded from.
template <typename T>
concept Text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

template <typename T, typename Fields>
struct BasicTextPair : std::false_type {};
template <typename T, Text F>
struct BasicTextPair<T, std::tuple<Field<T, F>, Field<T, F>>>
    : std::bool_constant<std::get<0>(T::fields()).number == 1 &&
                         std::get<1>(T::fields()).number == 2> {};

// Everything that is encoded as one varint.
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

// The default value of a type is a constant unless a member allocates; clang, which builds the
// fuzzers and lints, does not accept a std::string as a constant either.
template <typename T>
concept ConstantByDefault = requires {
  typename std::bool_constant<(static_cast<void>(T{}), true)>;
};
template <HasFields T>
inline const T kDefaultOf{};
template <HasFields T>
requires ConstantByDefault<T>
inline constexpr T kDefaultOf<T>{};

// True if a field equals `otherwise`, its default. The default is a constant, so the comparison
// folds.
template <typename F>
[[gnu::always_inline]] inline bool is_default(const F& value, const F& otherwise) {
  if constexpr (Text<F>) {
    return value.size() == otherwise.size() &&
           std::char_traits<char>::compare(value.data(), otherwise.data(), otherwise.size()) == 0;
  } else if constexpr (kIsVector<F> || kIsEncoded<F>) {
    return value.empty() && otherwise.empty();
  } else if constexpr (HasFields<F>) {
    bool all = true;
    for_each_field<F>(
        [&](const auto& each) { all = all && is_default(each.of(value), each.of(otherwise)); });
    return all;
  } else {
    return value == otherwise;
  }
}

// Returns the largest size of a field with this value, including the head.
template <typename F>
[[gnu::always_inline]] inline std::size_t bytes_max(const F& value) {
  if constexpr (Scalar<F>) {
    return wire::kHeadMax;
  } else if constexpr (Text<F>) {
    return wire::kHeadMax + value.size();
  } else if constexpr (kIsEncoded<F>) {
    return bytes_max(value.bytes);
  } else if constexpr (kIsVector<F>) {
    if constexpr (Scalar<typename F::value_type>) {
      return wire::kHeadMax + value.size() * wire::kVarintMax;
    } else {
      std::size_t sum = 0;
      for (const auto& item : value) sum += bytes_max(item);
      return sum;
    }
  } else {
    std::size_t sum = wire::kHeadMax;
    for_each_field<F>([&](const auto& each) { sum += bytes_max(each.of(value)); });
    return sum;
  }
}

template <HasFields T, std::uint32_t First = 0, std::uint32_t Last = kFieldMax>
char* write_fields(char* at, const T& value);

template <typename F>
[[gnu::always_inline]] inline char* write_field(char* at, std::uint32_t number, const F& value) {
  if constexpr (Scalar<F>) {
    return wire::put_number(at, number, to_integer(value));
  } else if constexpr (Text<F>) {
    return wire::put_bytes(at, number, value);
  } else if constexpr (kIsEncoded<F>) {
    return write_field(at, number, value.bytes);
  } else if constexpr (kIsVector<F>) {
    using Item = typename F::value_type;
    if constexpr (Scalar<Item>) {
      return wire::put_nested(at, number, [&](char* inside) {
        for (const Item& item : value) {
          inside = wire::put_varint(inside, static_cast<std::uint64_t>(to_integer(item)));
        }
        return inside;
      });
    } else {
      for (const Item& item : value) at = write_field(at, number, item);
      return at;
    }
  } else {
    return wire::put_nested(at, number, [&](char* inside) { return write_fields(inside, value); });
  }
}

template <HasFields T, std::uint32_t First, std::uint32_t Last>
char* write_fields(char* at, const T& value) {
  for_each_field<T>([&](const auto& each) __attribute__((always_inline)) {
    if (each.number < First || each.number > Last) return;
    if (is_default(each.of(value), each.of(kDefaultOf<T>))) return;
    at = write_field(at, each.number, each.of(value));
  });
  return at;
}

template <HasFields T>
bool read_fields(wire::Reader reader, T& value);

// Two texts with the numbers 1 and 2: the entries of documents and headers.
template <typename T>
concept TextPair = BasicTextPair<T, decltype(T::fields())>::value;

// Reads a pair of short texts at once; nearly all texts are short. Returns false if it is anything
// else.
template <typename F>
bool read_short_pair(std::string_view bytes, F& first, F& second) {
  constexpr char kFirstHead = 1 << 3U | wire::kLengthDelimited;
  constexpr char kSecondHead = 2 << 3U | wire::kLengthDelimited;
  if (bytes.size() < 4 || bytes[0] != kFirstHead) return false;
  const auto first_size = static_cast<unsigned char>(bytes[1]);
  if (first_size >= 0x80 || bytes.size() < std::size_t{4} + first_size) return false;
  const std::string_view rest = bytes.substr(std::size_t{2} + first_size);
  const auto second_size = static_cast<unsigned char>(rest[1]);
  if (rest[0] != kSecondHead || second_size >= 0x80 ||
      rest.size() != std::size_t{2} + second_size) {
    return false;
  }
  first = bytes.substr(2, first_size);
  second = rest.substr(2);
  return true;
}

// Reads the value at the position of `reader`. Returns false if it is malformed.
template <typename F>
bool read_field(const wire::Reader& reader, F& value) {
  if constexpr (Scalar<F>) {
    value = from_integer<F>(reader.number());
  } else if constexpr (Text<F>) {
    value = reader.bytes();
  } else if constexpr (kIsEncoded<F>) {
    value.bytes = reader.bytes();
  } else if constexpr (kIsVector<F>) {
    using Item = typename F::value_type;
    if constexpr (Scalar<Item>) {
      wire::Reader items{reader.bytes()};
      while (items.next_packed()) value.push_back(from_integer<Item>(items.number()));
      return !items.malformed();
    } else {
      return read_field(reader, value.emplace_back());
    }
  } else {
    if constexpr (TextPair<F>) {
      constexpr auto& kPair = kFieldsOf<F>;
      if (read_short_pair(reader.bytes(), std::get<0>(kPair).of(value),
                          std::get<1>(kPair).of(value))) {
        return true;
      }
    }
    return read_fields(wire::Reader{reader.bytes()}, value);
  }
  return true;
}

// A field with another wire type than the one it is written with is skipped like an unknown field.
template <HasFields T>
bool read_fields(wire::Reader reader, T& value) {
  bool has_more = reader.next();
  while (has_more) {
    // Fields are written in the order of the list, so one walk along it reads them all; fields that
    // are left after a walk came in another order, or are unknown.
    bool was_read = false;
    bool is_good = true;
    for_each_field<T>([&](const auto& each) {
      using F = typename std::decay_t<decltype(each)>::Value;
      while (has_more && reader.field() == each.number &&
             (Scalar<F> ? reader.is_number() : reader.is_bytes())) {
        is_good = is_good && read_field(reader, each.of(value));
        has_more = reader.next();
        was_read = true;
      }
    });
    if (!is_good) return false;
    if (has_more && !was_read) has_more = reader.next();
  }
  return !reader.malformed();
}

template <HasFields T>
void json_object(const T& value, std::string& out);

// Appends `{}` if there is no message, or if the bytes are not of its form.
template <HasFields T>
void json_encoded(std::string_view bytes, std::string& out) {
  T value;
  if (!bytes.empty() && read_fields(wire::Reader{bytes}, value)) {
    json_object(value, out);
  } else {
    out += "{}";
  }
}

template <typename F>
void json_field(const F& value, std::string& out) {
  if constexpr (std::is_same_v<F, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_enum_v<F>) {
    append_json_string(name_of(value), out);
  } else if constexpr (Scalar<F>) {
    out += std::to_string(to_integer(value));
  } else if constexpr (Text<F>) {
    append_json_string(value, out);
  } else if constexpr (std::is_same_v<F, Document>) {
    append_document(value, out);
  } else if constexpr (std::is_same_v<F, Headers>) {
    append_headers(value, out);
  } else if constexpr (kIsEncoded<F>) {
    json_encoded<typename F::Message>(value.bytes, out);
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
    if constexpr (kIsHidden<std::decay_t<decltype(each)>>) return;
    if (!first) out += ',';
    first = false;
    append_json_string(each.name, out);
    out += ':';
    json_field(each.of(value), out);
  });
  out += '}';
}

}  // namespace beeline::record::detail

namespace beeline::record {

template <HasFields T>
void encode(const T& value, std::string& out) {
  wire::append_at_most(out, detail::bytes_max(value),
                       [&](char* at) { return detail::write_fields(at, value); });
}

template <std::uint32_t First, std::uint32_t Last, HasFields T>
void encode_part(const T& value, std::string& out) {
  static_assert(First <= Last);
  std::size_t bytes_max = 0;
  for_each_field<T>([&](const auto& each) {
    if (each.number >= First && each.number <= Last) bytes_max += detail::bytes_max(each.of(value));
  });
  wire::append_at_most(out, bytes_max,
                       [&](char* at) { return detail::write_fields<T, First, Last>(at, value); });
}

template <HasFields T>
void encode_nested(std::uint32_t number, const T& value, std::string& out) {
  BEELINE_CHECK(number >= 1 && number <= kFieldMax, "{} is not the number of a field", number);
  wire::append_at_most(out, detail::bytes_max(value),
                       [&](char* at) { return detail::write_field(at, number, value); });
}

template <HasFields T>
std::optional<T> try_decode(std::string_view bytes) {
  std::optional<T> value{std::in_place};
  if (!detail::read_fields(wire::Reader{bytes}, *value)) value.reset();
  return value;
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
    using F = typename std::decay_t<decltype(each)>::Value;
    if constexpr (kIsHidden<std::decay_t<decltype(each)>>) return;
    if (detail::is_default(each.of(value), each.of(detail::kDefaultOf<T>))) return;
    out += ' ';
    out += each.name;
    out += '=';
    if constexpr (std::is_enum_v<F>) {
      out += name_of(each.of(value));
    } else {
      detail::json_field(each.of(value), out);
    }
  });
}

}  // namespace beeline::record

// BEELINE_INSTANTIATE_ROW(T): the codec of a row of a state table.
// BEELINE_INSTANTIATE_VALUE(T): that and the printed forms.
#define BEELINE_INSTANTIATE_ROW(T)                                            \
  template void ::beeline::record::encode<T>(const T&, std::string&);         \
  template std::optional<T> beeline::record::try_decode<T>(std::string_view); \
  template T beeline::record::decode<T>(std::string_view)
#define BEELINE_INSTANTIATE_VALUE(T)                                   \
  BEELINE_INSTANTIATE_ROW(T);                                          \
  template void ::beeline::record::to_json<T>(const T&, std::string&); \
  template void ::beeline::record::to_text<T>(const T&, std::string&)
