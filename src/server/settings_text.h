#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/time.h"

// How addresses, durations and sizes are written.
namespace beeline::server {

// Returns true if only this machine can reach the address. A name other than localhost counts as
// reachable from outside, because it may resolve to another address later.
[[nodiscard]] bool is_loopback(const Address& address);
// The items of a list that is separated by commas, without white space around them.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

// "127.0.0.1:26500", "[::1]:9600", "localhost:0".
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);
[[nodiscard]] std::string to_text(const Address& address);
// "250ms", "30s", "5m", "1h".
[[nodiscard]] std::optional<Milliseconds> parse_duration(std::string_view text);
[[nodiscard]] std::string to_text(Milliseconds duration);
// "4096", "64KiB", "4MiB", "1GiB".
[[nodiscard]] std::optional<std::int64_t> parse_size(std::string_view text);
[[nodiscard]] std::string size_to_text(std::int64_t bytes);

}  // namespace beeline::server
