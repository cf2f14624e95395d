#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/log.h"
#include "base/result.h"
#include "base/time.h"
#include "exporter/json_lines.h"
#include "exporter/runner.h"
#include "gateway/gateway.h"
#include "http/http_server.h"
#include "service/service_options.h"
#include "stream/partition_options.h"

namespace beeline::server {

// Everything that can be set about `beeline serve`, most of it as the options of the parts that it
// is about. The defaults work. Each is written once: in the options of its part, or here.
struct Settings {
  std::string data = "data";
  bool insecure = false;  // allows an address beyond loopback
  log::Level log_level = log::Level::Info;
  bool log_json = false;
  Milliseconds shutdown_grace{5'000};
  Milliseconds watchdog_interval{5'000};

  stream::PartitionSetOptions partitions = {};
  service::ServiceOptions service = {};
  gateway::GatewayOptions grpc = {.address = {.port = 26500}};
  http::HttpOptions http = {.address = {.port = 9600}};

  exporter::RunnerOptions exporters = {};      // all of them
  exporter::JsonLinesOptions json_lines = {};  // without a directory nothing is exported
};

// One setting. Its name is the flag (`--queue-limit`), the key in the configuration file
// (`queue-limit = 100`) and, in capitals, the environment variable (`BEELINE_QUEUE_LIMIT`).
struct Setting {
  std::string_view name;
  std::string_view help;
  // Sets a value; the error describes what it must be: "must be a whole number from 1 to 8191".
  std::function<Result<void, std::string>(Settings&, std::string_view)> set;
  // Returns the value in the form that `set` accepts.
  std::function<std::string(const Settings&)> show;
};

[[nodiscard]] std::span<const Setting> all_settings();
[[nodiscard]] std::string environment_variable_of(const Setting& setting);

// The sources of settings, each overriding the ones before: defaults, file, environment, flags.
struct SettingSources {
  std::optional<std::string> config_file;  // its path
  std::function<std::optional<std::string>(const std::string&)> environment;
  std::vector<std::pair<std::string, std::string>> flags;  // without the dashes
};

// The error is one sentence that names the setting, its value, its source and what it must be.
[[nodiscard]] Result<Settings, std::string> load_settings(const SettingSources& sources);

// Returns a configuration file with every setting at its value in `settings`, each with its help.
[[nodiscard]] std::string to_config_file(const Settings& settings);

}  // namespace beeline::server
