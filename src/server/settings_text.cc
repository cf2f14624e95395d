#include "server/settings_text.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>

namespace beeline::server {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array kDurationUnits{Unit{"ms", 1}, Unit{"s", 1'000}, Unit{"m", 60'000},
                                    Unit{"h", 3'600'000}};
constexpr std::array kSizeUnits{Unit{"", 1}, Unit{"KiB", std::int64_t{1} << 10},
                                Unit{"MiB", std::int64_t{1} << 20},
                                Unit{"GiB", std::int64_t{1} << 30}};

std::optional<std::int64_t> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  for (const auto& [name, factor] : units) {
    if (name != unit) continue;
    if (number > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
    return number * factor;
  }
  return std::nullopt;
}

// Uses the largest unit that leaves a whole number.
std::string with_unit(std::int64_t number, std::span<const Unit> units) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (number != 0 && number % units[i].factor == 0) best = i;
  }
  return fmt::format("{}{}", number / units[best].factor, units[best].name);
}

}  // namespace

bool is_loopback(const Address& address) {
  if (address.host == "localhost") return true;
  in_addr ipv4{};
  if (inet_pton(AF_INET, address.host.c_str(), &ipv4) == 1) {
    return ntohl(ipv4.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  in6_addr ipv6{};
  return inet_pton(AF_INET6, address.host.c_str(), &ipv6) == 1 && IN6_IS_ADDR_LOOPBACK(&ipv6);
}

std::vector<std::string> split_list(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    item.remove_prefix(std::min(item.find_first_not_of(kSpace), item.size()));
    item = item.substr(0, item.find_last_not_of(kSpace) + 1);
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

std::optional<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // an IPv6 address without its brackets: it is unclear which colon
                          // precedes the port
  }
  Address address{.host = std::string(host)};
  const char* const end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, address.port);
  if (host.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return address;
}

std::string to_text(const Address& address) {
  const bool is_v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", address.host, is_v6 ? "]" : "", address.port);
}

std::optional<Milliseconds> parse_duration(std::string_view text) {
  const auto millis = parse_with_unit(text, kDurationUnits);
  if (!millis) return std::nullopt;
  return Milliseconds{*millis};
}

std::string to_text(Milliseconds duration) {
  return with_unit(duration.count(), kDurationUnits);
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  return parse_with_unit(text, kSizeUnits);
}

std::string size_to_text(std::int64_t bytes) {
  return with_unit(bytes, kSizeUnits);
}

}  // namespace beeline::server
