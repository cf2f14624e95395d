#include "http/hosts.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace beeline::http {
namespace {

constexpr std::size_t kHostEchoMax = 200;

// Returns an IP address in one binary form, also for an IPv4 address written as IPv6.
std::optional<std::array<unsigned char, 16>> parse_ip(std::string_view text) {
  const std::string terminated(text);
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return bytes;
  bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (inet_pton(AF_INET, terminated.c_str(), bytes.data() + 12) == 1) return bytes;
  return std::nullopt;
}

bool is_loopback(const std::array<unsigned char, 16>& ip) {
  static constexpr std::array<unsigned char, 16> kLoopback6{0, 0, 0, 0, 0, 0, 0, 0,
                                                            0, 0, 0, 0, 0, 0, 0, 1};
  static constexpr std::array<unsigned char, 13> kLoopback4{0, 0, 0, 0,    0,    0,  0,
                                                            0, 0, 0, 0xff, 0xff, 127};
  return ip == kLoopback6 || std::ranges::equal(kLoopback4, std::span(ip).first<13>());
}

// Returns the host of HOST, HOST:PORT, [IPV6] or [IPV6]:PORT; empty for any other text.
std::string_view host_of(std::string_view authority) {
  std::string_view host = authority;
  std::string_view rest;
  if (authority.starts_with('[')) {
    const std::size_t bracket = authority.find(']');
    if (bracket == std::string_view::npos) return {};
    host = authority.substr(1, bracket - 1);
    rest = authority.substr(bracket + 1);
  } else if (const std::size_t colon = authority.find(':'); colon != std::string_view::npos) {
    host = authority.substr(0, colon);
    rest = authority.substr(colon);
  }
  const bool is_port =
      rest.empty() ||
      (rest.front() == ':' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
  if (!is_port) return {};
  if (host.ends_with('.')) host.remove_suffix(1);  // the root of the domain names
  return host;
}

bool is_localhost(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  if (host.size() > kName.size() && host[host.size() - kName.size() - 1] == '.') {
    host.remove_prefix(host.size() - kName.size());
  }
  return equals_ignoring_case(host, kName);
}

Response misdirected(std::string_view header, std::string_view value) {
  return problem(421, fmt::format("Expected the header {} to name this server, but it is '{}'. To "
                                  "serve requests under this name, add the name to the setting "
                                  "http-hosts.",
                                  header, value.substr(0, kHostEchoMax)));
}

}  // namespace

bool AllowedHosts::allows(std::string_view authority, std::string_view local_address) const {
  const std::string_view host = host_of(authority);
  if (host.empty()) return false;
  if (is_localhost(host)) return true;
  if (const auto ip = parse_ip(host); ip && (is_loopback(*ip) || ip == parse_ip(local_address))) {
    return true;
  }
  return std::ranges::any_of(
      names_, [&](const std::string& name) { return equals_ignoring_case(name, host); });
}

std::optional<Response> AllowedHosts::refuse(const std::vector<NameValue>& headers,
                                             std::string_view local_address) const {
  bool has_host = false;
  for (const auto& [name, value] : headers) {
    if (equals_ignoring_case(name, "Host")) {
      if (std::exchange(has_host, true)) {
        return problem(400, "Expected the header Host once, but found it more than once.");
      }
      if (!allows(value, local_address)) return misdirected("Host", value);
    } else if (equals_ignoring_case(name, "Origin")) {
      const std::size_t scheme = value.find("://");
      if (scheme == std::string::npos || !allows(value.substr(scheme + 3), local_address)) {
        return misdirected("Origin", value);
      }
    }
  }
  return std::nullopt;
}

}  // namespace beeline::http
