#include "server/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "server/settings_text.h"

namespace beeline::server {
namespace {

class SettingsTest : public testing::Test {
 protected:
  SettingsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "beeline-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~SettingsTest() override { std::filesystem::remove_all(directory_); }

  Result<Settings, std::string> load(std::vector<std::pair<std::string, std::string>> flags = {}) {
    SettingSources sources;
    sources.flags = std::move(flags);
    sources.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = environment_.find(name);
      if (found == environment_.end()) return std::nullopt;
      return found->second;
    };
    if (!file_.empty()) {
      sources.config_file = directory_ / "beeline.toml";
      std::ofstream(*sources.config_file) << file_;
    }
    return load_settings(sources);
  }
  std::string error_of(std::vector<std::pair<std::string, std::string>> flags = {}) {
    const auto settings = load(std::move(flags));
    return settings ? "no error" : settings.error();
  }

  std::filesystem::path directory_;
  std::map<std::string, std::string> environment_;
  std::string file_;
};

TEST_F(SettingsTest, defaults_work_and_listen_on_loopback_only) {
  const auto settings = load().value();
  EXPECT_EQ(settings.grpc.address, (Address{"127.0.0.1", 26500}));
  EXPECT_EQ(settings.http.address, (Address{"127.0.0.1", 9600}));
  EXPECT_EQ(settings.partitions.count, 1);
}

TEST_F(SettingsTest, a_flag_is_stronger_than_the_environment_and_that_than_the_file) {
  file_ = "partitions = 2\nqueue-limit = 20\ndata = '/from/file'\n";
  environment_ = {{"BEELINE_PARTITIONS", "3"}, {"BEELINE_QUEUE_LIMIT", "30"}};
  const auto settings = load({{"partitions", "4"}}).value();
  EXPECT_EQ(settings.partitions.count, 4);
  EXPECT_EQ(settings.partitions.partition.queue_max, 30U);
  EXPECT_EQ(settings.data, "/from/file");
}

TEST_F(SettingsTest, a_wrong_value_is_named_with_its_source_and_what_it_must_be) {
  EXPECT_EQ(error_of({{"partitions", "0"}}),
            "The setting partitions (--partitions) is '0', but it must be a whole number from 1 to "
            "8191.");
  EXPECT_EQ(error_of({{"grpc", "26500"}}),
            "The setting grpc (--grpc) is '26500', but it must be HOST:PORT, for example "
            "127.0.0.1:26500.");
  EXPECT_EQ(error_of({{"log-level", "loud"}}),
            "The setting log-level (--log-level) is 'loud', but it must be one of debug, info, "
            "warn, error.");
  EXPECT_EQ(error_of({{"segment-size", "1"}}),
            "The setting segment-size (--segment-size) is '1', but it must be a size from 1MiB to "
            "4GiB, such as 64KiB or 4MiB.");
  EXPECT_EQ(error_of({{"data", ""}}), "The setting data (--data) is '', but it must not be empty.");
  environment_ = {{"BEELINE_SHUTDOWN_GRACE", "soon"}};
  EXPECT_EQ(error_of(),
            "The setting shutdown-grace (BEELINE_SHUTDOWN_GRACE) is 'soon', but it must be a "
            "duration from 0ms to 1h, such as 250ms, 30s or 5m.");
}

TEST_F(SettingsTest, mistakes_in_the_file_are_named_with_their_line) {
  const std::string path = directory_ / "beeline.toml";
  file_ = "\npartitions = 0\n";
  EXPECT_EQ(error_of(), "The setting partitions (" + path +
                            ", line 2) is '0', but it must be a whole number from 1 to 8191.");
  file_ = "partition = 1\n";
  EXPECT_EQ(error_of(), "The configuration file " + path +
                            " has 'partition' in line 1, but there is no such setting; 'beeline "
                            "serve --print-config' shows them all.");
  file_ = "partitions 1\n";
  EXPECT_EQ(error_of(), "The configuration file " + path +
                            " has a mistake in line 1: Expected '=' behind 'partitions'.");
  file_.clear();
  SettingSources sources;
  sources.config_file = "/nowhere/beeline.toml";
  EXPECT_EQ(load_settings(sources).error(),
            "The configuration file /nowhere/beeline.toml cannot be read.");
}

TEST_F(SettingsTest, two_servers_cannot_share_an_address) {
  EXPECT_EQ(error_of({{"grpc", "127.0.0.1:9600"}}),
            "The settings grpc and http are both 127.0.0.1:9600, but each needs an address of its "
            "own.");
  EXPECT_TRUE(load({{"grpc", "127.0.0.1:0"}, {"http", "127.0.0.1:0"}}).has_value());
}

TEST_F(SettingsTest, addresses_beyond_loopback_need_insecure) {
  EXPECT_EQ(
      error_of({{"grpc", "0.0.0.0:26500"}}),
      "The setting grpc is 0.0.0.0:26500, which other machines can reach, but there is neither "
      "authentication nor encryption: anyone who reaches it can do everything. Serve a loopback "
      "address, or set insecure = true (--insecure true) if the network keeps others away.");
  for (const std::string address : {"[::]:9600", "10.0.0.1:9600", "beeline.example:9600"}) {
    EXPECT_NE(error_of({{"http", address}}).find("insecure = true"), std::string::npos) << address;
    EXPECT_TRUE(load({{"http", address}, {"insecure", "true"}}).has_value());
  }
  for (const std::string address : {"localhost:9600", "127.1.2.3:9600", "[::1]:9600"}) {
    EXPECT_TRUE(load({{"http", address}}).has_value()) << address;
  }
  file_ = "insecure = true\ngrpc = \"0.0.0.0:26500\"\n";
  EXPECT_TRUE(load().has_value());
}

TEST_F(SettingsTest, sends_between_partitions) {
  const auto defaults = load().value();
  const engine::EngineOptions& engine = defaults.partitions.partition.engine;
  EXPECT_EQ(engine.message_sweep_interval, Milliseconds{60'000});
  EXPECT_EQ(engine.resends.first, Milliseconds{10'000});
  EXPECT_EQ(engine.resends.max, Milliseconds{300'000});
  EXPECT_FALSE(engine.resends.distributions_paused);
  file_ = "distribution-paused = true\nresend-tick = '1s'\n";
  const engine::ResendOptions resends = load().value().partitions.partition.engine.resends;
  EXPECT_TRUE(resends.distributions_paused);
  EXPECT_EQ(resends.tick, Milliseconds{1'000});
  EXPECT_EQ(
      error_of({{"distribution-paused", "yes"}}),
      "The setting distribution-paused (--distribution-paused) is 'yes', but it must be one of "
      "false, true.");
  EXPECT_EQ(
      error_of({{"message-sweep-interval", "1ms"}}),
      "The setting message-sweep-interval (--message-sweep-interval) is '1ms', but it must be a "
      "duration from 100ms to 24h, such as 250ms, 30s or 5m.");
  EXPECT_EQ(error_of({{"resend-interval", "10m"}}),
            "The setting resend-interval-max is 5m, but it must not be less than resend-interval, "
            "which is 10m.");
  EXPECT_TRUE(load({{"resend-interval", "10m"}, {"resend-interval-max", "10m"}}).has_value());
}

TEST_F(SettingsTest, the_time_zone_is_one_of_the_system) {
  EXPECT_EQ(load().value().partitions.partition.engine.time_zone, "UTC");
  EXPECT_EQ(load({{"time-zone", "Europe/Berlin"}}).value().partitions.partition.engine.time_zone,
            "Europe/Berlin");
  EXPECT_EQ(error_of({{"time-zone", "Mars/Olympus"}}),
            "The setting time-zone (--time-zone) is 'Mars/Olympus', but it must be UTC or the name "
            "of a zone of the system's tz database, such as Europe/Berlin.");
}

// A setting that cannot be shown and read again, or that has no help, fails here.
TEST_F(SettingsTest, every_setting_can_be_written_to_a_file_and_read_again) {
  Settings changed;
  changed.partitions.count = 7;
  changed.log_level = log::Level::Debug;
  changed.log_json = true;
  changed.partitions.partition.checkpoint_interval = Milliseconds{1500};
  changed.json_lines.directory = "/a \"b\" \\c";
  changed.http.hosts = {"a.example", "b.example"};
  file_ = to_config_file(changed);
  const auto settings = load();
  ASSERT_TRUE(settings.has_value()) << settings.error();
  EXPECT_EQ(to_config_file(*settings), file_);
  for (const auto& setting : all_settings()) EXPECT_TRUE(setting.help.ends_with('.'));
}

TEST(SettingsText, addresses) {
  EXPECT_EQ(parse_address("[::1]:80"), (Address{"::1", 80}));
  EXPECT_EQ(to_text(Address{"::1", 80}), "[::1]:80");
  EXPECT_EQ(parse_address("localhost:0"), (Address{"localhost", 0}));
  for (const auto* bad : {"", ":1", "x", "x:", "x:y", "x:70000", "x:-1", "::1:80", "x:1 "}) {
    EXPECT_EQ(parse_address(bad), std::nullopt) << bad;
  }
}

TEST(SettingsText, lists) {
  EXPECT_EQ(split_list(""), std::vector<std::string>{});
  EXPECT_EQ(split_list(" a , b.example,,c"), (std::vector<std::string>{"a", "b.example", "c"}));
}

TEST(SettingsText, durations_and_sizes) {
  EXPECT_EQ(parse_duration("250ms"), Milliseconds{250});
  EXPECT_EQ(parse_duration("5m"), Milliseconds{300'000});
  EXPECT_EQ(to_text(Milliseconds{90'000}), "90s");
  EXPECT_EQ(to_text(Milliseconds{0}), "0ms");
  EXPECT_EQ(parse_size("64KiB"), 65536);
  EXPECT_EQ(parse_size("12"), 12);
  EXPECT_EQ(size_to_text(3 << 20), "3MiB");
  for (const auto* bad : {"", "5", "ms", "-1s", "1d", "99999999999999999h", "1 s"}) {
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  }
  for (const auto* bad : {"", "KiB", "-1", "1KB", "99999999999GiB"}) {
    EXPECT_EQ(parse_size(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace beeline::server
