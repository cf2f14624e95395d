#include "record/any_value.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "record/codec.h"
#include "record/values.h"

namespace beeline::record {
namespace {

struct ValueFunctions {
  void (*json)(std::string_view, std::string&) = nullptr;
  void (*text)(std::string_view, std::string&) = nullptr;
  std::string (*subject)(std::string_view) = nullptr;
  bool (*is_well_formed)(std::string_view) = nullptr;
};

template <typename T>
void print_json(const T& value, std::string& out) {
  to_json(value, out);
}

// Prints the distributed command with the form of its own type, which only the table below knows.
void print_json(const CommandDistributionRecord& distribution, std::string& out) {
  CommandDistributionRecord value = distribution;
  const std::string command = std::exchange(value.command_value, {});
  std::string json;
  to_json(value, json);
  constexpr std::string_view kEmpty = R"("commandValue":"")";
  const std::size_t at = json.find(kEmpty);
  BEELINE_CHECK(at != std::string::npos, "no command value in {}", json);
  json.replace(at, kEmpty.size(),
               fmt::format(R"("commandValue":{})",
                           command.empty() ? "{}" : value_to_json(value.value_type, command)));
  out += json;
}

template <typename T>
void print_text(const T& value, std::string& out) {
  to_text(value, out);
}

// The text form is a single line and leaves out the distributed command.
void print_text(const CommandDistributionRecord& distribution, std::string& out) {
  CommandDistributionRecord value = distribution;
  value.command_value.clear();
  to_text(value, out);
}

std::string subject_text(const std::string& text) {
  return text;
}
std::string subject_text(ErrorType type) {
  return std::string{name_of(type)};
}
std::string subject_text(PartitionId partition) {
  return partition.is_set() ? std::to_string(partition.value()) : "";
}

template <typename T>
std::string subject(const T& value) {
  if constexpr (std::is_same_v<decltype(T::kSubject), const NoSubject>) {
    return "";
  } else {
    return subject_text(value.*T::kSubject);
  }
}

template <typename T>
constexpr ValueFunctions functions_of() {
  return {
      .json =
          [](std::string_view bytes, std::string& out) {
            if (const auto value = try_decode<T>(bytes)) print_json(*value, out);
          },
      .text =
          [](std::string_view bytes, std::string& out) {
            if (const auto value = try_decode<T>(bytes)) print_text(*value, out);
          },
      .subject =
          [](std::string_view bytes) {
            const auto value = try_decode<T>(bytes);
            return value ? subject(*value) : std::string{};
          },
      .is_well_formed = [](std::string_view bytes) { return try_decode<T>(bytes).has_value(); }};
}

template <typename... Ts>
constexpr auto function_table(TypeList<Ts...>) {
  std::array<ValueFunctions, 256> table{};
  ((table[static_cast<std::size_t>(Ts::kType)] = functions_of<Ts>()), ...);
  return table;
}

const ValueFunctions& functions_for(ValueType type) {
  static constexpr auto kTable = function_table(AllValues{});
  return kTable[static_cast<std::size_t>(type)];
}

}  // namespace

std::string value_to_json(ValueType type, std::string_view bytes) {
  std::string out;
  const ValueFunctions& functions = functions_for(type);
  if (functions.json != nullptr) functions.json(bytes, out);
  if (out.empty()) out = "{}";
  return out;
}

void value_to_text(ValueType type, std::string_view bytes, std::string& out) {
  const ValueFunctions& functions = functions_for(type);
  if (functions.text != nullptr) functions.text(bytes, out);
}

std::string value_subject(ValueType type, std::string_view bytes) {
  const ValueFunctions& functions = functions_for(type);
  return functions.subject != nullptr ? functions.subject(bytes) : std::string{};
}

bool is_well_formed_value(ValueType type, std::string_view bytes) {
  const ValueFunctions& functions = functions_for(type);
  return functions.is_well_formed != nullptr && functions.is_well_formed(bytes);
}

}  // namespace beeline::record
