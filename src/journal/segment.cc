#include "journal/segment.h"

#include <fmt/format.h>

#include <charconv>

namespace beeline::journal {
namespace {

constexpr std::string_view kSegmentPrefix = "segment-";
constexpr std::string_view kSegmentSuffix = ".log";
constexpr std::string_view kSparePrefix = "spare-";

std::optional<std::uint32_t> parse(std::string_view name, std::string_view prefix,
                                   std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string segment_name(std::uint32_t sequence) {
  return fmt::format("{}{:012}{}", kSegmentPrefix, sequence, kSegmentSuffix);
}

std::string spare_name(std::uint32_t number) {
  return fmt::format("{}{:012}", kSparePrefix, number);
}

std::optional<std::uint32_t> parse_segment_name(std::string_view name) {
  return parse(name, kSegmentPrefix, kSegmentSuffix);
}

std::optional<std::uint32_t> parse_spare_name(std::string_view name) {
  return parse(name, kSparePrefix, "");
}

}  // namespace beeline::journal
