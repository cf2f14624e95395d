#include "http/job_streams_api.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <vector>

namespace beeline::http {
namespace {

using service::JobStreams;

JobStreams::Info stream(std::int64_t number, std::string type, std::string worker) {
  JobStreams::Info info{.number = number, .request = {}};
  info.request.type = std::move(type);
  info.request.worker = std::move(worker);
  info.request.timeout = Milliseconds{60'000};
  info.request.variables = {"a", "b"};
  info.request.tenant_ids = {"<default>"};
  return info;
}

constexpr std::string_view kMetadata =
    R"("metadata":{"worker":"w","timeout":"PT1M","fetchVariables":["a","b"],"tenantIds":["<default>"]})";

TEST(JobStreamsApi, a_broker_sees_calls_that_ask_for_the_same_as_one_stream) {
  const std::vector streams{stream(1, "ship", "w"), stream(2, "ship", "w"), stream(3, "ship", "v")};
  const std::string json = remote_streams(streams);
  const std::string begin =
      fmt::format(R"([{{"jobType":"ship",{},"consumers":[{{"id":")", kMetadata);
  ASSERT_TRUE(json.starts_with(begin)) << json;
  constexpr std::size_t kUuidLength = 36;
  const std::string rest = json.substr(begin.size() + kUuidLength);
  EXPECT_TRUE(rest.starts_with(R"(","receiver":"0"}]},{"jobType":"ship","metadata":{"worker":"v")"))
      << json;
  EXPECT_EQ(remote_streams({}), "[]");
}

TEST(JobStreamsApi, a_gateway_sees_each_call_under_the_brokers_id) {
  const std::vector streams{stream(1, "ship", "w"), stream(2, "ship", "w")};
  const std::string remote = remote_streams(streams);
  const std::string id = remote.substr(remote.find("\"id\":\"") + 6, 36);
  EXPECT_TRUE(std::regex_match(
      id, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")))
      << id;
  const auto item = [&](int number) {
    return fmt::format(
        R"({{"jobType":"ship","id":{{"serverStreamId":"{}","localId":{}}},{},"connectedTo":[0]}})",
        id, number, kMetadata);
  };
  EXPECT_EQ(client_streams(streams), fmt::format("[{},{}]", item(1), item(2)));
  EXPECT_EQ(client_streams({}), "[]");
}

TEST(JobStreamsApi, durations_are_written_as_in_java) {
  EXPECT_EQ(iso_duration(Milliseconds{0}), "PT0S");
  EXPECT_EQ(iso_duration(Milliseconds{100}), "PT0.1S");
  EXPECT_EQ(iso_duration(Milliseconds{61'005}), "PT1M1.005S");
  EXPECT_EQ(iso_duration(Milliseconds{86'400'000}), "PT24H");
  EXPECT_EQ(iso_duration(Milliseconds{3'600'000 + 1'000}), "PT1H1S");
}

}  // namespace
}  // namespace beeline::http
