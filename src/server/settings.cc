#include "server/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/ids.h"
#include "base/toml.h"
#include "feel/time_zone.h"

namespace beeline::server {
namespace {

using SetResult = Result<void, std::string>;

Setting text_setting(std::string_view name, std::string Settings::*member, bool may_be_empty,
                     std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            if (value.empty() && !may_be_empty) return failure(std::string("must not be empty"));
            settings.*member = value;
            return {};
          },
          [=](const Settings& settings) { return settings.*member; }};
}

Setting address_setting(std::string_view name, Address Settings::*member, std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            auto address = parse_address(value);
            if (!address) {
              return failure(std::string("must be HOST:PORT, for example 127.0.0.1:26500"));
            }
            settings.*member = *std::move(address);
            return {};
          },
          [=](const Settings& settings) { return to_text(settings.*member); }};
}

template <typename T>
Setting number_setting(std::string_view name, T Settings::*member, T least, T most,
                       std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            T number{};
            const char* const end = value.data() + value.size();
            const auto [stop, error] = std::from_chars(value.data(), end, number);
            if (error != std::errc{} || stop != end || number < least || number > most) {
              return failure(fmt::format("must be a whole number from {} to {}", least, most));
            }
            settings.*member = number;
            return {};
          },
          [=](const Settings& settings) { return fmt::format("{}", settings.*member); }};
}

Setting duration_setting(std::string_view name, Milliseconds Settings::*member, Milliseconds least,
                         Milliseconds most, std::string_view help) {
  return {
      name, help,
      [=](Settings& settings, std::string_view value) -> SetResult {
        const auto duration = parse_duration(value);
        if (!duration || *duration < least || *duration > most) {
          return failure(fmt::format("must be a duration from {} to {}, such as 250ms, 30s or 5m",
                                     to_text(least), to_text(most)));
        }
        settings.*member = *duration;
        return {};
      },
      [=](const Settings& settings) { return to_text(settings.*member); }};
}

Setting size_setting(std::string_view name, std::int64_t Settings::*member, std::int64_t least,
                     std::int64_t most, std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            const auto bytes = parse_size(value);
            if (!bytes || *bytes < least || *bytes > most) {
              return failure(fmt::format("must be a size from {} to {}, such as 64KiB or 4MiB",
                                         size_to_text(least), size_to_text(most)));
            }
            settings.*member = *bytes;
            return {};
          },
          [=](const Settings& settings) { return size_to_text(settings.*member); }};
}

Setting zone_setting(std::string_view name, std::string Settings::*member, std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            if (value != "UTC" && feel::TimeZone::find(value) == nullptr) {
              return failure(
                  std::string("must be UTC or the name of a zone of the system's tz database, such "
                              "as Europe/Berlin"));
            }
            settings.*member = value;
            return {};
          },
          [=](const Settings& settings) { return settings.*member; }};
}

template <typename T, std::size_t N>
Setting choice_setting(std::string_view name, T Settings::*member,
                       std::array<std::pair<std::string_view, T>, N> choices,
                       std::string_view help) {
  return {name, help,
          [=](Settings& settings, std::string_view value) -> SetResult {
            std::string names;
            for (const auto& [text, choice] : choices) {
              if (text == value) {
                settings.*member = choice;
                return {};
              }
              names += fmt::format("{}{}", names.empty() ? "" : ", ", text);
            }
            return failure(fmt::format("must be one of {}", names));
          },
          [=](const Settings& settings) {
            const auto found = std::ranges::find_if(
                choices, [&](const auto& choice) { return choice.second == settings.*member; });
            return std::string(found->first);
          }};
}

constexpr std::int64_t kKiB = std::int64_t{1} << 10;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr Milliseconds kHour{3'600'000};

std::vector<Setting> make_settings() {
  using S = Settings;
  using LogLevel = std::pair<std::string_view, log::Level>;
  using Format = std::pair<std::string_view, bool>;
  return {
      text_setting("data", &S::data, false, "Directory that holds the log and the state."),
      address_setting("grpc", &S::grpc, "Where the Zeebe gRPC protocol is served."),
      address_setting("http", &S::http, "Where REST, /health, /ready and /metrics are served."),
      choice_setting("insecure", &S::insecure,
                     std::array{Format{"false", false}, Format{"true", true}},
                     "Whether grpc and http may be addresses beyond loopback, where whoever "
                     "reaches them can do everything."),
      text_setting("http-hosts", &S::http_hosts, true,
                   "Names under which HTTP serves beside loopback and its address, separated by "
                   "commas."),
      number_setting<std::int32_t>(
          "partitions", &S::partitions, 1, kPartitionsMax,
          "Number of partitions; cannot be changed once the data directory is in use."),
      choice_setting(
          "log-level", &S::log_level,
          std::array{LogLevel{"debug", log::Level::Debug}, LogLevel{"info", log::Level::Info},
                     LogLevel{"warn", log::Level::Warn}, LogLevel{"error", log::Level::Error}},
          "How much is logged: debug, info, warn or error."),
      choice_setting("log-format", &S::log_json,
                     std::array{Format{"text", false}, Format{"json", true}},
                     "How log lines look: text or json."),
      number_setting<std::int64_t>(
          "queue-limit", &S::queue_limit, 1, 10'000'000,
          "Commands that may wait at a partition; further ones get RESOURCE_EXHAUSTED."),
      size_setting("segment-size", &S::segment_size, kMiB, 4 * kGiB,
                   "Size of one file of the log."),
      duration_setting("checkpoint-interval", &S::checkpoint_interval, Milliseconds{100},
                       24 * kHour, "Time from one checkpoint of the state to the next."),
      duration_setting("shutdown-grace", &S::shutdown_grace, Milliseconds{0}, kHour,
                       "How long calls under way may take to end when the server stops."),
      duration_setting("watchdog-interval", &S::watchdog_interval, Milliseconds{2'000}, kHour,
                       "How long a partition may stand still before it is reported unhealthy."),
      zone_setting("time-zone", &S::time_zone,
                   "Zone in which timers count days and months and cron expressions are read."),
      duration_setting("message-sweep-interval", &S::message_sweep_interval, Milliseconds{100},
                       24 * kHour, "How often messages past their time to live are removed."),
      duration_setting("resend-tick", &S::resend_tick, Milliseconds{10}, kHour,
                       "How often a partition looks for what others have not acknowledged."),
      duration_setting("resend-interval", &S::resend_interval, Milliseconds{10}, kHour,
                       "After how long that is sent again for the first time."),
      duration_setting("resend-interval-max", &S::resend_interval_max, Milliseconds{10}, 24 * kHour,
                       "How long the time between two sends, which doubles, may become."),
      choice_setting(
          "distribution-paused", &S::distribution_paused,
          std::array{Format{"false", false}, Format{"true", true}},
          "Whether deployments that a partition has not acknowledged are not sent again."),
      duration_setting("request-timeout", &S::request_timeout, Milliseconds{1}, kHour,
                       "How long a command may take to be answered."),
      duration_setting("long-poll-timeout", &S::long_poll_timeout, Milliseconds{1}, kHour,
                       "How long ActivateJobs waits for jobs unless the client says otherwise."),
      size_setting("message-size-max", &S::message_size_max, 64 * kKiB, 32 * kMiB,
                   "The largest message of gRPC, in and out, and the largest body of HTTP."),
      size_setting("instance-variables-max", &S::instance_variables_max, 64 * kKiB, 64 * kMiB,
                   "How large the variables of one process instance may be together."),
      number_setting<std::int32_t>("http-connections-max", &S::http_connections_max, 1, 65'536,
                                   "Connections that HTTP serves at a time; /health, /ready and "
                                   "/metrics have 16 more."),
      number_setting<std::int32_t>("http-threads", &S::http_threads, 1, 64,
                                   "Threads that serve HTTP."),
      text_setting("export-jsonl", &S::export_jsonl, true,
                   "Directory for exported records as JSON lines; empty exports nothing."),
      size_setting("export-file-size", &S::export_file_size, 4 * kKiB, 1024 * kGiB,
                   "Size at which an exported file is set aside and a new one begun."),
      number_setting<std::int32_t>("export-files-max", &S::export_files_max, 0, 1'000'000,
                                   "How many full exported files are kept; 0 keeps all."),
      duration_setting("export-flush-interval", &S::export_flush_interval, Milliseconds{0}, kHour,
                       "How long an exported record may be unsynced."),
  };
}

const Setting* find_setting(std::string_view name) {
  const auto settings = all_settings();
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

// A value as TOML writes it.
std::string quoted(std::string_view text) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    return std::string(text);
  }
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

SetResult apply(Settings& settings, const Setting& setting, std::string_view value,
                std::string_view source) {
  if (auto result = setting.set(settings, value); !result) {
    return failure(fmt::format("The setting {} ({}) is '{}', but it {}.", setting.name, source,
                               value, result.error()));
  }
  return {};
}

SetResult apply_file(Settings& settings, const std::string& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) return failure(fmt::format("The configuration file {} cannot be read.", path));
  const auto entries = toml::parse(content.str());
  if (!entries) {
    return failure(fmt::format("The configuration file {} has a mistake in line {}: {}", path,
                               entries.error().line, entries.error().message));
  }
  for (const auto& entry : *entries) {
    const Setting* const setting = find_setting(entry.key);
    if (setting == nullptr) {
      return failure(fmt::format(
          "The configuration file {} has '{}' in line {}, but there is no such setting; "
          "'beeline serve --print-config' shows them all.",
          path, entry.key, entry.line));
    }
    BEELINE_TRY_VOID(
        apply(settings, *setting, entry.text, fmt::format("{}, line {}", path, entry.line)));
  }
  return {};
}

SetResult check_exposure(const Settings& settings) {
  if (settings.insecure) return {};
  for (const auto& [name, address] :
       {std::pair{"grpc", &settings.grpc}, std::pair{"http", &settings.http}}) {
    if (is_loopback(*address)) continue;
    return failure(fmt::format(
        "The setting {} is {}, which other machines can reach, but there is neither "
        "authentication nor encryption: whoever reaches it can do everything. Serve a loopback "
        "address, or set insecure = true (--insecure true) if the network keeps others away.",
        name, to_text(*address)));
  }
  return {};
}

}  // namespace

std::span<const Setting> all_settings() {
  static const std::vector<Setting> settings = make_settings();
  return settings;
}

std::string environment_variable_of(const Setting& setting) {
  std::string result = "BEELINE_";
  for (const char c : setting.name) {
    result += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

Result<Settings, std::string> load_settings(const SettingSources& sources) {
  Settings settings;
  if (sources.config_file) BEELINE_TRY_VOID(apply_file(settings, *sources.config_file));
  for (const auto& setting : all_settings()) {
    const std::string variable = environment_variable_of(setting);
    if (!sources.environment) break;
    if (const auto value = sources.environment(variable)) {
      BEELINE_TRY_VOID(apply(settings, setting, *value, variable));
    }
  }
  for (const auto& [name, value] : sources.flags) {
    const Setting* const setting = find_setting(name);
    if (setting == nullptr) return failure(fmt::format("There is no setting '{}'.", name));
    BEELINE_TRY_VOID(apply(settings, *setting, value, "--" + name));
  }
  if (settings.resend_interval_max < settings.resend_interval) {
    return failure(
        fmt::format("The setting resend-interval-max is {}, but it must not be less than "
                    "resend-interval, which "
                    "is {}.",
                    to_text(settings.resend_interval_max), to_text(settings.resend_interval)));
  }
  BEELINE_TRY_VOID(check_exposure(settings));
  if (settings.grpc == settings.http && settings.grpc.port != 0) {
    return failure(
        fmt::format("The settings grpc and http are both {}, but each needs an address of its own.",
                    to_text(settings.grpc)));
  }
  return settings;
}

std::string to_config_file(const Settings& settings) {
  std::string result =
      "# Settings of beeline. A flag is stronger than an environment variable, and\n"
      "# that is stronger than a line in this file.\n";
  for (const auto& setting : all_settings()) {
    result +=
        fmt::format("\n# {}\n# --{}, {}\n{} = {}\n", setting.help, setting.name,
                    environment_variable_of(setting), setting.name, quoted(setting.show(settings)));
  }
  return result;
}

}  // namespace beeline::server
