#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/time.h"

namespace beeline::server {

struct Address {
  std::string host;
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;
};

// Everything that can be set about `beeline serve`. The defaults work; they are written here and
// nowhere else.
struct Settings {
  std::string data = "data";
  Address grpc{"127.0.0.1", 26500};
  Address http{"127.0.0.1", 9600};
  bool insecure = false;   // whether an address beyond loopback may be served
  std::string http_hosts;  // names, separated by commas
  std::int32_t partitions = 1;

  log::Level log_level = log::Level::Info;
  bool log_json = false;

  std::int64_t queue_limit = 8192;
  std::int64_t segment_size = std::int64_t{64} << 20;
  Milliseconds checkpoint_interval{60'000};
  Milliseconds shutdown_grace{5'000};
  Milliseconds watchdog_interval{5'000};

  std::string time_zone = "UTC";
  Milliseconds message_sweep_interval{60'000};
  Milliseconds resend_tick{5'000};
  Milliseconds resend_interval{10'000};
  Milliseconds resend_interval_max{300'000};
  bool distribution_paused = false;

  Milliseconds request_timeout{15'000};
  Milliseconds long_poll_timeout{10'000};
  std::int64_t message_size_max = std::int64_t{4} << 20;
  std::int64_t instance_variables_max = std::int64_t{32} << 20;
  std::int32_t http_connections_max = 256;
  std::int32_t http_threads = 2;

  std::string export_jsonl;  // a directory; empty: nothing is exported
  std::int64_t export_file_size = std::int64_t{256} << 20;
  std::int32_t export_files_max = 0;
  Milliseconds export_flush_interval{1'000};
};

// One setting. Its name is the flag (`--queue-limit`), the key in the configuration file
// (`queue-limit = 100`) and, in capitals, the environment variable (`BEELINE_QUEUE_LIMIT`).
struct Setting {
  std::string_view name;
  std::string_view help;
  // Takes a value; the error says what it must be: "must be a whole number from 1 to 8191".
  std::function<Result<void, std::string>(Settings&, std::string_view)> set;
  // The value as `set` would take it.
  std::function<std::string(const Settings&)> show;
};

[[nodiscard]] std::span<const Setting> all_settings();
[[nodiscard]] std::string environment_variable_of(const Setting& setting);

// Where settings come from, the strongest last: defaults, file, environment, flags.
struct SettingSources {
  std::optional<std::string> config_file;  // its path
  std::function<std::optional<std::string>(const std::string&)> environment;
  std::vector<std::pair<std::string, std::string>> flags;  // without the dashes
};

// The error is one sentence that names the setting, its value, where it came from and what it must
// be.
[[nodiscard]] Result<Settings, std::string> load_settings(const SettingSources& sources);

// A configuration file with every setting at its value in `settings`, each with its help.
[[nodiscard]] std::string to_config_file(const Settings& settings);

// Whether only this machine can reach an address. A name other than localhost counts as beyond
// loopback: what it resolves to may change.
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
