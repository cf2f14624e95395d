#pragma once

#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/time.h"
#include "record/codec.h"
#include "record/document.h"
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

// clang, which builds the fuzzers and looks for mistakes, takes no std::string for a constant.
template <HasFields T>
#ifdef __clang__
inline const T kDefaultOf{};
#else
inline constexpr T kDefaultOf{};
#endif

// Whether a field is as `otherwise`, its default: a constant, so that little is
// left of comparing.
template <typename F>
[[gnu::always_inline]] inline bool is_default(const F& value, const F& otherwise) {
  if constexpr (std::is_same_v<F, std::string>) {
    return value.size() == otherwise.size() &&
           std::char_traits<char>::compare(value.data(), otherwise.data(), otherwise.size()) == 0;
  } else if constexpr (kIsVector<F>) {
    return value.empty() && otherwise.empty();
  } else if constexpr (HasFields<F>) {
    bool all = true;
    for_each_field<F>([&](const auto& each) {
      all = all && is_default(value.*each.member, otherwise.*each.member);
    });
    return all;
  } else {
    return value == otherwise;
  }
}

// The most bytes that a field of this value can take, head included.
template <typename F>
[[gnu::always_inline]] inline std::size_t bytes_max(const F& value) {
  if constexpr (Scalar<F>) {
    return wire::kHeadMax;
  } else if constexpr (std::is_same_v<F, std::string>) {
    return wire::kHeadMax + value.size();
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
    for_each_field<F>([&](const auto& each) { sum += bytes_max(value.*each.member); });
    return sum;
  }
}

template <HasFields T>
char* write_fields(char* at, const T& value);

template <typename F>
[[gnu::always_inline]] inline char* write_field(char* at, std::uint32_t number, const F& value) {
  if constexpr (Scalar<F>) {
    return wire::put_number(at, number, to_integer(value));
  } else if constexpr (std::is_same_v<F, std::string>) {
    return wire::put_bytes(at, number, value);
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

template <HasFields T>
char* write_fields(char* at, const T& value) {
  for_each_field<T>([&](const auto& each) __attribute__((always_inline)) {
    if (is_default(value.*each.member, kDefaultOf<T>.*each.member)) return;
    at = write_field(at, each.number, value.*each.member);
  });
  return at;
}

template <HasFields T>
bool read_fields(wire::Reader reader, T& value);

// Takes the value that `reader` is at. False when it is malformed.
template <typename F>
bool read_field(const wire::Reader& reader, F& value) {
  if constexpr (Scalar<F>) {
    value = from_integer<F>(reader.number());
  } else if constexpr (std::is_same_v<F, std::string>) {
    value.assign(reader.bytes());
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
    return read_fields(wire::Reader{reader.bytes()}, value);
  }
  return true;
}

// A field of another wire type than the one it is written with is skipped like
// one that is unknown.
template <HasFields T>
bool read_fields(wire::Reader reader, T& value) {
  bool has_more = reader.next();
  while (has_more) {
    // Fields were written in the order of the list, so one walk along it reads
    // them all; what is left after a walk came in another order, or is not
    // known.
    bool was_read = false;
    bool is_good = true;
    for_each_field<T>([&](const auto& each) {
      using F = std::decay_t<decltype(value.*each.member)>;
      while (has_more && reader.field() == each.number &&
             (Scalar<F> ? reader.is_number() : reader.is_bytes())) {
        is_good = is_good && read_field(reader, value.*each.member);
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
  wire::append_at_most(out, detail::bytes_max(value),
                       [&](char* at) { return detail::write_fields(at, value); });
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
    using F = std::decay_t<decltype(value.*each.member)>;
    if (detail::is_default(value.*each.member, detail::kDefaultOf<T>.*each.member)) return;
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
