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
#include "server/settings_text.h"

namespace beeline::server {
namespace {

using SetResult = Result<void, std::string>;

// The place of a setting's value in Settings, constant or not.
#define BEELINE_AT(path)        \
  [](auto& settings) -> auto& { \
    return settings.path;       \
  }

// A setting at a place. `read` converts text to a value of its type, or returns what the text must
// be; `write` converts a value to text.
template <typename At, typename Read, typename Write>
Setting make_setting(std::string_view name, std::string_view help, At at, Read read, Write write) {
  return {name, help,
          [=](Settings& settings, std::string_view text) -> SetResult {
            auto value = read(text);
            if (!value) return failure(std::move(value).error());
            at(settings) = *std::move(value);
            return {};
          },
          [=](const Settings& settings) { return write(at(settings)); }};
}

template <typename At>
using ValueAt = std::remove_cvref_t<std::invoke_result_t<At, Settings&>>;

template <typename T>
using ReadResult = Result<T, std::string>;

template <typename At>
Setting text_setting(std::string_view name, At at, bool may_be_empty, std::string_view help) {
  return make_setting(
      name, help, at,
      [=](std::string_view text) -> ReadResult<std::string> {
        if (text.empty() && !may_be_empty) return failure(std::string("must not be empty"));
        return std::string(text);
      },
      [](const std::string& value) { return value; });
}

template <typename At>
Setting list_setting(std::string_view name, At at, std::string_view help) {
  using Items = std::vector<std::string>;
  return make_setting(
      name, help, at, [](std::string_view text) -> ReadResult<Items> { return split_list(text); },
      [](const Items& items) { return fmt::format("{}", fmt::join(items, ",")); });
}

template <typename At>
Setting address_setting(std::string_view name, At at, std::string_view help) {
  return make_setting(
      name, help, at,
      [](std::string_view text) -> ReadResult<Address> {
        auto address = parse_address(text);
        if (!address) {
          return failure(std::string("must be HOST:PORT, for example 127.0.0.1:26500"));
        }
        return *std::move(address);
      },
      [](const Address& address) { return to_text(address); });
}

template <typename At>
Setting number_setting(std::string_view name, At at, ValueAt<At> least, ValueAt<At> most,
                       std::string_view help) {
  using T = ValueAt<At>;
  return make_setting(
      name, help, at,
      [=](std::string_view text) -> ReadResult<T> {
        T number{};
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc{} || stop != end || number < least || number > most) {
          return failure(fmt::format("must be a whole number from {} to {}", least, most));
        }
        return number;
      },
      [](T number) { return fmt::format("{}", number); });
}

template <typename At>
Setting duration_setting(std::string_view name, At at, Milliseconds least, Milliseconds most,
                         std::string_view help) {
  return make_setting(
      name, help, at,
      [=](std::string_view text) -> ReadResult<Milliseconds> {
        const auto duration = parse_duration(text);
        if (!duration || *duration < least || *duration > most) {
          return failure(fmt::format("must be a duration from {} to {}, such as 250ms, 30s or 5m",
                                     to_text(least), to_text(most)));
        }
        return *duration;
      },
      [](Milliseconds duration) { return to_text(duration); });
}

template <typename At>
Setting size_setting(std::string_view name, At at, std::int64_t least, std::int64_t most,
                     std::string_view help) {
  using T = ValueAt<At>;
  return make_setting(
      name, help, at,
      [=](std::string_view text) -> ReadResult<T> {
        const auto bytes = parse_size(text);
        if (!bytes || *bytes < least || *bytes > most) {
          return failure(fmt::format("must be a size from {} to {}, such as 64KiB or 4MiB",
                                     size_to_text(least), size_to_text(most)));
        }
        return static_cast<T>(*bytes);
      },
      [](T bytes) { return size_to_text(static_cast<std::int64_t>(bytes)); });
}

template <typename At>
Setting zone_setting(std::string_view name, At at, std::string_view help) {
  return make_setting(
      name, help, at,
      [](std::string_view text) -> ReadResult<std::string> {
        if (text != "UTC" && feel::TimeZone::find(text) == nullptr) {
          return failure(
              std::string("must be UTC or the name of a zone of the system's tz database, such "
                          "as Europe/Berlin"));
        }
        return std::string(text);
      },
      [](const std::string& zone) { return zone; });
}

template <typename At, std::size_t N>
Setting choice_setting(std::string_view name, At at,
                       std::array<std::pair<std::string_view, ValueAt<At>>, N> choices,
                       std::string_view help) {
  using T = ValueAt<At>;
  return make_setting(
      name, help, at,
      [=](std::string_view text) -> ReadResult<T> {
        std::string names;
        for (const auto& [choice, value] : choices) {
          if (choice == text) return value;
          names += fmt::format("{}{}", names.empty() ? "" : ", ", choice);
        }
        return failure(fmt::format("must be one of {}", names));
      },
      [=](T value) {
        const auto found = std::ranges::find_if(
            choices, [&](const auto& choice) { return choice.second == value; });
        return std::string(found->first);
      });
}

constexpr std::int64_t kKiB = std::int64_t{1} << 10;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr Milliseconds kHour{3'600'000};

std::vector<Setting> make_settings() {
  using LogLevel = std::pair<std::string_view, log::Level>;
  using Format = std::pair<std::string_view, bool>;
  return {
      text_setting("data", BEELINE_AT(data), false, "Directory of the log and the state."),
      address_setting("grpc", BEELINE_AT(grpc.address), "Address of the Zeebe gRPC protocol."),
      address_setting("http", BEELINE_AT(http.address),
                      "Address of REST, /health, /ready and /metrics."),
      choice_setting("insecure", BEELINE_AT(insecure),
                     std::array{Format{"false", false}, Format{"true", true}},
                     "Allows addresses beyond loopback for grpc and http. Anyone who reaches them "
                     "can do everything."),
      list_setting("http-hosts", BEELINE_AT(http.hosts),
                   "Host names that HTTP accepts besides loopback names and its own address, "
                   "separated by commas."),
      number_setting(
          "partitions", BEELINE_AT(partitions.count), 1, kPartitionsMax,
          "Number of partitions; it cannot be changed once the data directory is in use."),
      choice_setting(
          "log-level", BEELINE_AT(log_level),
          std::array{LogLevel{"debug", log::Level::Debug}, LogLevel{"info", log::Level::Info},
                     LogLevel{"warn", log::Level::Warn}, LogLevel{"error", log::Level::Error}},
          "How much is logged: debug, info, warn or error."),
      choice_setting("log-format", BEELINE_AT(log_json),
                     std::array{Format{"text", false}, Format{"json", true}},
                     "How log lines look: text or json."),
      number_setting(
          "queue-limit", BEELINE_AT(partitions.partition.queue_max), 1, 10'000'000,
          "How many commands may wait at a partition; further commands get RESOURCE_EXHAUSTED."),
      size_setting("segment-size", BEELINE_AT(partitions.journal.segment_bytes), kMiB, 4 * kGiB,
                   "Size of one file of the log."),
      duration_setting("checkpoint-interval", BEELINE_AT(partitions.partition.checkpoint_interval),
                       Milliseconds{100}, 24 * kHour,
                       "Time from one checkpoint of the state to the next."),
      duration_setting("shutdown-grace", BEELINE_AT(shutdown_grace), Milliseconds{0}, kHour,
                       "How long running calls may take to end when the server stops."),
      duration_setting(
          "watchdog-interval", BEELINE_AT(watchdog_interval), Milliseconds{2'000}, kHour,
          "How long a partition may make no progress before it is reported unhealthy."),
      zone_setting("time-zone", BEELINE_AT(partitions.partition.engine.time_zone),
                   "Time zone of days and months in timers and of cron expressions."),
      duration_setting("message-sweep-interval",
                       BEELINE_AT(partitions.partition.engine.message_sweep_interval),
                       Milliseconds{100}, 24 * kHour, "How often expired messages are removed."),
      duration_setting(
          "resend-tick", BEELINE_AT(partitions.partition.engine.resends.tick), Milliseconds{10},
          kHour,
          "How often a partition looks for commands that other partitions have not acknowledged."),
      duration_setting("resend-interval", BEELINE_AT(partitions.partition.engine.resends.first),
                       Milliseconds{10}, kHour,
                       "Time until an unacknowledged command is sent again for the first time; it "
                       "doubles with each further send."),
      duration_setting("resend-interval-max", BEELINE_AT(partitions.partition.engine.resends.max),
                       Milliseconds{10}, 24 * kHour,
                       "Longest time between two sends of an unacknowledged command."),
      choice_setting("distribution-paused",
                     BEELINE_AT(partitions.partition.engine.resends.distributions_paused),
                     std::array{Format{"false", false}, Format{"true", true}},
                     "Stops resending deployments that a partition has not acknowledged."),
      duration_setting("request-timeout", BEELINE_AT(service.request_timeout), Milliseconds{1},
                       kHour, "How long a command may take to be answered."),
      duration_setting("long-poll-timeout", BEELINE_AT(service.long_poll_timeout), Milliseconds{1},
                       kHour,
                       "How long ActivateJobs waits for jobs if the client sets no timeout."),
      size_setting(
          "message-size-max", BEELINE_AT(service.message_bytes_max), 64 * kKiB, 32 * kMiB,
          "Largest gRPC message, sent or received, after decompression, and largest HTTP body."),
      size_setting("instance-variables-max",
                   BEELINE_AT(partitions.partition.engine.instance_variables_max), 64 * kKiB,
                   64 * kMiB, "Total size of the variables of one process instance."),
      number_setting(
          "http-connections-max", BEELINE_AT(http.connections_max), 1, 65'536,
          "How many connections HTTP serves at a time; /health, /ready and /metrics have 16 more."),
      number_setting("http-threads", BEELINE_AT(http.threads), 1, 64,
                     "Number of threads that serve HTTP."),
      text_setting("export-jsonl", BEELINE_AT(json_lines.directory), true,
                   "Directory for exported records as JSON lines; empty exports nothing."),
      size_setting("export-file-size", BEELINE_AT(json_lines.file_bytes_max), 4 * kKiB, 1024 * kGiB,
                   "Size at which an exported file is complete and a new one is begun."),
      number_setting("export-files-max", BEELINE_AT(json_lines.files_max), 0, 1'000'000,
                     "How many complete exported files are kept; 0 keeps all."),
      duration_setting("export-flush-interval", BEELINE_AT(exporters.flush_interval),
                       Milliseconds{0}, kHour, "How long an exported record may remain unsynced."),
  };
}

const Setting* find_setting(std::string_view name) {
  const auto settings = all_settings();
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

// Returns a value as TOML.
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
       {std::pair{"grpc", &settings.grpc.address}, std::pair{"http", &settings.http.address}}) {
    if (is_loopback(*address)) continue;
    return failure(fmt::format(
        "The setting {} is {}, which other machines can reach, but there is neither authentication "
        "nor encryption: anyone who reaches it can do everything. Serve a loopback address, or set "
        "insecure = true (--insecure true) if the network keeps others away.",
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
  const engine::ResendOptions& resends = settings.partitions.partition.engine.resends;
  if (resends.max < resends.first) {
    return failure(
        fmt::format("The setting resend-interval-max is {}, but it must not be less than "
                    "resend-interval, which "
                    "is {}.",
                    to_text(resends.max), to_text(resends.first)));
  }
  BEELINE_TRY_VOID(check_exposure(settings));
  if (settings.grpc.address == settings.http.address && settings.grpc.address.port != 0) {
    return failure(
        fmt::format("The settings grpc and http are both {}, but each needs an address of its own.",
                    to_text(settings.grpc.address)));
  }
  return settings;
}

std::string to_config_file(const Settings& settings) {
  std::string result =
      "# Settings of beeline. A flag overrides an environment variable, which\n# overrides a line "
      "in this file.\n";
  for (const auto& setting : all_settings()) {
    result +=
        fmt::format("\n# {}\n# --{}, {}\n{} = {}\n", setting.help, setting.name,
                    environment_variable_of(setting), setting.name, quoted(setting.show(settings)));
  }
  return result;
}

}  // namespace beeline::server
