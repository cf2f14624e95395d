#include "server/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "server/data_commands.h"
#include "server/server_test_support.h"
#include "server/settings_text.h"

namespace beeline::server {
namespace {

class ServerTest : public ServerFixture {
 protected:
  std::string get(const std::string& path) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_->http_port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const std::string request =
        fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    EXPECT_EQ(::send(socket, request.data(), request.size(), 0),
              static_cast<ssize_t>(request.size()));
    std::string answer;
    char block[4096];
    for (ssize_t size = 0; (size = ::recv(socket, block, sizeof(block), 0)) > 0;) {
      answer.append(block, static_cast<std::size_t>(size));
    }
    ::close(socket);
    return answer;
  }
};

TEST_F(ServerTest, says_over_http_that_it_is_well_and_what_it_does) {
  start();
  EXPECT_TRUE(get("/health").ends_with("{\"status\":\"UP\"}\n"));
  EXPECT_TRUE(get("/ready").ends_with("{\"status\":\"READY\"}\n"));
  EXPECT_TRUE(get("/nothing").starts_with("HTTP/1.1 404 "));
  deploy_one_task();
  const auto metrics = get("/metrics");
  EXPECT_NE(metrics.find("\nbeeline_commands_processed_total{partition=\"1\"} 1\n"),
            std::string::npos)
      << metrics;
}

TEST_F(ServerTest, has_after_a_restart_all_that_was_acknowledged) {
  start();
  deploy_one_task();
  create_instance();
  stop();
  start();
  complete_job(activate_job());
  stop();
  start();
  create_instance();
}

TEST_F(ServerTest, exports_every_record_once_over_orderly_restarts) {
  settings_.json_lines.directory = (directory_ / "exported").string();
  start();
  deploy_one_task();
  create_instance();
  stop();
  start();
  complete_job(activate_job());
  stop();
  std::ifstream file(directory_ / "exported" / "partition-1.jsonl");
  std::int64_t expected = 1;
  for (std::string line; std::getline(file, line); ++expected) {
    EXPECT_NE(line.find(fmt::format("\"position\":{},", expected)), std::string::npos) << line;
  }
  EXPECT_GT(expected, 20);
}

TEST_F(ServerTest, an_address_in_use_is_named_with_what_to_do) {
  start();
  Settings other = settings_;
  other.data = (directory_ / "other").string();
  const auto error_of = [&](Address grpc, Address http) -> std::string {
    other.grpc.address = std::move(grpc);
    other.http.address = std::move(http);
    Server second(other, clock_);
    try {
      second.start(nullptr);
    } catch (const StartError& error) {
      return error.what();
    }
    return "no error";
  };
  const Address free{"127.0.0.1", 0};
  const Address http{"127.0.0.1", static_cast<std::uint16_t>(server_->http_port())};
  const Address grpc{"127.0.0.1", static_cast<std::uint16_t>(server_->grpc_port())};
  EXPECT_EQ(error_of(free, http), fmt::format("The address {} is already in use; stop the program "
                                              "that uses it or choose another with --http.",
                                              to_text(http)));
  EXPECT_EQ(error_of(grpc, free), fmt::format("The address {} is already in use; stop the program "
                                              "that uses it or choose another with --grpc.",
                                              to_text(grpc)));
}

TEST_F(ServerTest, a_data_directory_that_cannot_be_used_is_named_with_what_to_do) {
  std::ofstream(directory_ / "file") << "x";
  settings_.data = (directory_ / "file" / "data").string();
  EXPECT_EQ(start_error(), "The data directory " + settings_.data +
                               " cannot be used (Not a directory); make it writable for this user "
                               "or choose another with --data.");
  settings_.data = directory_.string();
  EXPECT_EQ(
      start_error(),
      "The data directory " + settings_.data +
          " contains files that are not beeline's; choose an empty or new directory with --data.");
}

TEST_F(ServerTest, a_data_directory_belongs_to_one_server_at_a_time) {
  start();
  Server second(settings_, clock_);
  try {
    second.start(nullptr);
    FAIL();
  } catch (const StartError& error) {
    EXPECT_EQ(std::string(error.what()),
              "The data directory " + settings_.data +
                  " is in use by another process; stop it or choose another --data.");
  }
}

TEST_F(ServerTest, the_number_of_partitions_cannot_be_changed) {
  start();
  stop();
  settings_.partitions.count = 2;
  EXPECT_EQ(start_error(), "The data directory " + settings_.data +
                               " was made for 1 partitions, but the setting partitions is 2; start "
                               "with --partitions 1 or choose another --data.");
}

TEST_F(ServerTest, the_number_of_partitions_is_decided_before_the_first_of_them_is_made) {
  settings_.partitions.count = 3;
  start();
  stop();
  // The directory is as if the power had failed before the third partition was created.
  std::filesystem::remove_all(std::filesystem::path(settings_.data) / "partition-3");
  settings_.partitions.count = 2;
  EXPECT_NE(start_error().find("was made for 3 partitions"), std::string::npos);
  settings_.partitions.count = 3;
  start();
}

TEST_F(ServerTest, a_partition_that_was_lost_stops_the_start) {
  settings_.partitions.count = 3;
  start();
  deploy_one_task();
  stop();
  std::filesystem::remove_all(std::filesystem::path(settings_.data) / "partition-2");
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(start_error(), "The folder " + settings_.data +
                                 "/partition-2 is missing, though other partitions have a log; "
                                 "restore the data directory from a backup.");
  }
  std::ostringstream out;
  std::ostringstream errors;
  EXPECT_EQ(verify(settings_.data, out, errors), 1);
  EXPECT_EQ(errors.str(), "beeline: partition 2: the folder " + settings_.data +
                              "/partition-2 is missing; restore it from a copy\n");
  EXPECT_NE(out.str().find("partition 3: "), std::string::npos) << out.str();
}

TEST_F(ServerTest, a_number_of_partitions_that_cannot_be_read_stops_the_start) {
  start();
  stop();
  std::ofstream(settings_.data + "/beeline.partitions", std::ios::trunc).flush();
  EXPECT_EQ(start_error(), "The file " + settings_.data +
                               "/beeline.partitions is damaged: it must contain the number of "
                               "partitions, which is 1 if no folder is missing; restore the file "
                               "or write this number into it.");
}

TEST_F(ServerTest, a_damaged_log_stops_the_start) {
  start();
  deploy_one_task();
  create_instance();
  stop();
  const auto journal = std::filesystem::path(settings_.data) / "partition-1" / "journal";
  for (const auto& entry : std::filesystem::directory_iterator(journal)) {
    if (!entry.path().filename().string().starts_with("segment-")) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    file.write("damage", 6);
  }
  EXPECT_TRUE(start_error().starts_with("The data in " + settings_.data + " cannot be opened: "));
}

}  // namespace
}  // namespace beeline::server
