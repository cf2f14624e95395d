#include "http/signal_api.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "http/error_status.h"
#include "record/values/signals.h"
#include "service/fakes_test.h"

namespace beeline::http {
namespace {

using record::SignalRecord;
using service::Submitted;

Request signal_request(std::string body, std::string content_type = "application/json") {
  Request request;
  request.method = Method::Post;
  request.path = kSignalPath;
  request.body = std::move(body);
  request.headers.emplace_back("content-type", std::move(content_type));
  return request;
}

class SignalApi : public testing::Test {
 protected:
  ~SignalApi() override { loop->stop(); }

  void send(const Request& request) {
    answer.reset();
    broadcast_signal(request, Responder([this](Response response) { answer = response; }), service);
  }

  service::ManualClock clock;
  std::shared_ptr<service::Loop> loop = std::make_shared<service::Loop>(clock);
  service::FakePartitions partitions{3};
  service::Service service{service::ServiceOptions{}, partitions, loop};
  std::optional<Response> answer;
};

TEST_F(SignalApi, a_signal_goes_to_the_partitions_in_turn_and_answers_its_count) {
  std::vector<PartitionId> taken;
  for (int i = 0; i < 3; ++i) {
    send(signal_request(R"({"signalName":"go","VARIABLES":{"x":1}})"));
    Submitted command = partitions.take();
    EXPECT_EQ(command.name(), "SIGNAL BROADCAST");
    taken.push_back(command.partition);
    auto value = command.value<SignalRecord>();
    EXPECT_EQ(value.signal_name, "go");
    EXPECT_EQ(value.variables, (record::Document{{{"x", "1"}}}));
    EXPECT_TRUE(value.awaits_count);
    EXPECT_FALSE(answer.has_value());
    value.delivered_count = 3;
    command.answer(record::SignalIntent::Broadcasted, Key{7}, value);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "{\"DeliveredCount\":3}\n");
  }
  EXPECT_NE(taken[0], taken[1]);
  EXPECT_NE(taken[1], taken[2]);
  EXPECT_NE(taken[0], taken[2]);
}

TEST_F(SignalApi, the_answer_names_started_instances_and_tells_if_partitions_are_missing) {
  send(signal_request(R"({"SignalName":"go"})"));
  SignalRecord value;
  value.delivered_count = 2;
  value.started_instances = {Key{8}, Key{9}};
  value.complete = false;
  partitions.take().answer(record::SignalIntent::Broadcasted, Key{7}, value);
  EXPECT_EQ(answer->body,
            "{\"DeliveredCount\":2,\"WorkflowInstanceIds\":[\"8\",\"9\"],\"Complete\":false}\n");
}

TEST_F(SignalApi, a_bad_request_is_explained_and_reaches_no_partition) {
  const std::pair<std::string, std::string_view> rows[] = {
      {"", "Required request body is missing"},
      {"{}", "Expected a 'SignalName' that is not blank"},
      {R"({"SignalName":" "})", "Expected a 'SignalName' that is not blank"},
      {R"({"SignalName":7})", "Expected 'SignalName' to be a string, but it is 7"},
      {R"({"SignalName":"go","Variables":[1]})", "but was 'ARRAY'"},
      {R"({"SignalName":"go","Variables":"x"})", "but was 'STRING'"},
      {R"({"SignalName":"go","tenant":"x"})", "Request property [tenant] cannot be parsed"},
      {R"({"SignalName":"go","signalname":"go"})", "once, but found"},
      {"go", "Failed to read request: expected a JSON object"},
      {fmt::format(R"({{"SignalName":"{}"}})", std::string(32'769, 'x')), "32768 characters"},
  };
  for (const auto& [body, says] : rows) {
    send(signal_request(body));
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, 400) << body.substr(0, 100);
    EXPECT_NE(answer->body.find(says), std::string::npos) << answer->body;
  }
  send(signal_request("SignalName=go", "text/plain"));
  EXPECT_EQ(answer->status, 415);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(SignalApi, a_rejection_has_its_status) {
  send(signal_request(R"({"SignalName":"go"})"));
  partitions.take().reject(record::RejectionType::ExceededBatchRecordSize, "too large");
  EXPECT_EQ(answer->status, 500);
  EXPECT_NE(answer->body.find("too large"), std::string::npos);
}

}  // namespace
}  // namespace beeline::http
