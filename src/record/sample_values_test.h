#pragma once

#include <string>
#include <type_traits>

#include "record/codec_impl.h"
#include "record/values.h"

namespace beeline::record {

// Makes a value with every field set to something other than its default, from the field list: a
// field that is forgotten somewhere fails every test that uses this.
template <HasFields T>
T sample(int seed = 1) {
  T value;
  for_each_field<T>([&](const auto& each) {
    using F = typename std::decay_t<decltype(each)>::Value;
    ++seed;
    if constexpr (std::is_same_v<F, bool>) {
      each.of(value) = true;
    } else if constexpr (std::is_enum_v<F>) {
      each.of(value) = static_cast<F>(1);
    } else if constexpr (detail::Scalar<F>) {
      each.of(value) = detail::from_integer<F>(seed * 1000);
    } else if constexpr (std::is_same_v<F, std::string>) {
      each.of(value) = "text " + std::to_string(seed);
    } else if constexpr (std::is_same_v<F, std::string_view>) {
      each.of(value) = "borrowed text";
    } else if constexpr (detail::kIsEncoded<F>) {
      encode(sample<typename F::Message>(seed), each.of(value).bytes);
    } else if constexpr (detail::kIsVector<F>) {
      using Item = typename F::value_type;
      for (int i = 0; i < 2; ++i) {
        if constexpr (detail::Scalar<Item>) {
          each.of(value).push_back(detail::from_integer<Item>(seed + i));
        } else if constexpr (std::is_same_v<Item, std::string>) {
          each.of(value).push_back("item " + std::to_string(i));
        } else {
          each.of(value).push_back(sample<Item>(seed + i));
        }
      }
    } else {
      each.of(value) = sample<F>(seed);
    }
  });
  return value;
}

template <typename Visitor, typename... Ts>
void for_each_value(Visitor&& visit, TypeList<Ts...>) {
  (visit(static_cast<const Ts*>(nullptr)), ...);
}

}  // namespace beeline::record
