#include "http/workflow_api.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/partition_hash.h"
#include "http/error_status.h"
#include "record/json.h"
#include "service/fakes_test.h"

namespace beeline::http {
namespace {

using record::MessageCorrelationRecord;
using service::Submitted;

Request post(std::string body, std::string content_type = "application/json") {
  Request request;
  request.method = Method::Post;
  request.path = kMessagePath;
  request.body = std::move(body);
  if (!content_type.empty()) request.headers.emplace_back("content-type", std::move(content_type));
  return request;
}

std::string body_with(std::string_view member) {
  return fmt::format(R"({{"messageName":"paid",{}}})", member);
}

// Reads a body with the mapping of this folder and the checks of the service.
Result<MessageCorrelationRecord, Response> read_message(const Request& request) {
  const auto body = read_message_body(request);
  if (!body) return failure(body.error());
  const auto mapped = service::to_command(body->request(), 1);
  if (!mapped) return failure(problem(status_of(mapped.error()), mapped.error().text));
  return record::decode<MessageCorrelationRecord>(mapped->command.value);
}

class WorkflowApi : public testing::Test {
 protected:
  static constexpr std::int32_t kPartitions = 3;

  ~WorkflowApi() override { loop->stop(); }

  void send(Request request) {
    correlate_message(request, Responder([this](Response response) { answer = response; }), service,
                      kMessageAnswerTimeout);
  }

  service::ManualClock clock;
  std::shared_ptr<service::Loop> loop = std::make_shared<service::Loop>(clock);
  service::FakePartitions partitions{kPartitions};
  service::Service service{service::ServiceOptions{.message_bytes_max = std::size_t{1} << 19},
                           partitions, loop};
  std::optional<Response> answer;
};

TEST(ReadMessage, takes_all_that_a_sender_may_say) {
  const auto message = read_message(post(R"({
    "messageName": "payment received", "correlationKey": "ord\u00e9r-1",
    "variables": {"amount": 150.00, "by": null}, "workflowInstanceId": "2251799813685249"})"));
  ASSERT_TRUE(message.has_value()) << message.error().body;
  EXPECT_EQ(message->name, "payment received");
  EXPECT_EQ(message->correlation_key, "ordér-1");
  EXPECT_EQ(message->variables, (record::Document{{{"amount", "150.00"}, {"by", "null"}}}));
  EXPECT_EQ(message->process_instance_key, Key{2'251'799'813'685'249});
}

TEST(ReadMessage, only_the_name_is_required_and_null_is_nothing) {
  MessageCorrelationRecord expected;
  expected.name = "paid";
  for (const std::string body :
       {R"({"messageName":"paid"})", R"( {"MESSAGENAME" : "paid"} )",
        R"({"MessageName":"paid","CorrelationKey":null,"Variables":null})",
        R"({"messageName":"paid","variables":{},"workflowInstanceId":null})"}) {
    const auto message = read_message(post(body));
    ASSERT_TRUE(message.has_value()) << body << message.error().body;
    EXPECT_EQ(*message, expected) << body;
  }
}

TEST(ReadMessage, says_what_is_wrong) {
  struct Row {
    std::string body;
    std::string_view says;
  };
  const std::string long_text(32'769, 'x');
  const Row rows[] = {
      {"", "Required request body is missing"},
      {" ", "Expected a 'messageName' that is not blank"},
      {"{}", "Expected a 'messageName' that is not blank"},
      {R"({"messageName":" \t"})", "Expected a 'messageName' that is not blank"},
      {R"({"messageName":null})", "Expected a 'messageName' that is not blank"},
      {"paid", "Failed to read request: expected a JSON object"},
      {R"(["paid"])", "Failed to read request: expected a JSON object"},
      {R"({"messageName":"paid")", "Failed to read request: it is not valid JSON"},
      {R"({"messageName":"paid"} {})", "Failed to read request: it is not valid JSON"},
      {"{\"messageName\":\"\xff\"}", "Failed to read request: it is not valid UTF-8"},
      {R"({"messageName":7})", "Expected 'messageName' to be a string, but it is 7"},
      {R"({"messageName":{"a":1}})", "Expected 'messageName' to be a string, but it is {"},
      {body_with(R"("correlationKey":1.5)"), "Expected 'correlationKey' to be a string"},
      {body_with(R"("variables":[1])"), "but was 'ARRAY'"},
      {body_with(R"("variables":"{}")"), "but was 'STRING'"},
      {body_with(R"("variables":3)"), "but was 'INTEGER'"},
      {body_with(R"("workflowInstanceId":"7f3c")"),
       "The provided workflowInstanceId '7f3c' is not a valid key."},
      {body_with(R"("workflowInstanceId":"")"), "is not a valid key."},
      {body_with(R"("workflowInstanceId":"-1")"), "is not a valid key."},
      {body_with(R"("workflowInstanceId":7)"), "Expected 'workflowInstanceId' to be a string"},
      {body_with(R"("timeToLive":1000)"), "Expected no 'timeToLive'"},
      {body_with(R"("TimeToLive":0)"), "Expected no 'timeToLive'"},
      {body_with(R"("messageId":"m")"), "Expected no 'messageId'"},
      {body_with(R"("tenant":"x")"), "Request property [tenant] cannot be parsed"},
      {body_with(R"("MessageName":"sent")"),
       "Expected 'messageName' once, but found 'MessageName' as well."},
      {body_with(R"("messageName":"paid")"),
       "Failed to read request: it has the member 'messageName' more than once"},
      {body_with(R"("variables":{},"variables":{})"),
       "Failed to read request: it has the member 'variables' more than once"},
      {fmt::format(R"({{"messageName":"{}"}})", long_text),
       "Expected 'messageName' to have at most 32768 characters, but it has 32769"},
      {body_with(fmt::format(R"("correlationKey":"{}")", long_text)),
       "Expected 'correlationKey' to have at most 32768 characters"},
  };
  for (const Row& row : rows) {
    const auto message = read_message(post(row.body));
    const std::string shown = row.body.substr(0, 100);
    ASSERT_FALSE(message.has_value()) << shown;
    EXPECT_EQ(message.error().status, 400) << shown;
    EXPECT_EQ(message.error().content_type, "application/problem+json");
    const auto problem = record::parse_document(message.error().body);
    ASSERT_TRUE(problem.has_value()) << message.error().body;
    ASSERT_EQ(problem->entries.size(), 5U);
    EXPECT_EQ(problem->entries[2].value, "400");
    EXPECT_EQ(problem->entries[3].name, "detail");
    EXPECT_EQ(problem->entries[4].name, "error");
    EXPECT_EQ(problem->entries[3].value, problem->entries[4].value);
    const auto text = record::parse_json_string(problem->entries[3].value);
    EXPECT_NE(text.value().find(row.says), std::string::npos) << shown << *text;
  }
}

TEST(ReadMessage, a_text_of_the_greatest_length_counts_characters) {
  std::string text;
  for (int i = 0; i < 32'768; ++i) text += "ü";
  EXPECT_TRUE(read_message(post(fmt::format(R"({{"messageName":"{}"}})", text))).has_value());
}

TEST(ReadMessage, wants_json) {
  const std::string body = R"({"messageName":"paid"})";
  for (const std::string type :
       {"application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json ;charset=utf-8"}) {
    EXPECT_TRUE(read_message(post(body, type)).has_value()) << type;
  }
  for (const std::string type :
       {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"}) {
    const auto message = read_message(post(body, type));
    ASSERT_FALSE(message.has_value()) << type;
    EXPECT_EQ(message.error().status, 415);
  }
  // Without a body its type does not matter.
  EXPECT_EQ(read_message(post("", "")).error().status, 400);
}

TEST_F(WorkflowApi, a_message_goes_to_the_partition_of_its_key_and_is_answered_once_it_is_taken) {
  send(post(R"({"messageName":"paid","correlationKey":"order-123","variables":{"a":1}})"));
  Submitted command = partitions.take();
  EXPECT_EQ(command.name(), "MESSAGE_CORRELATION CORRELATE");
  EXPECT_EQ(command.partition, partition_of_correlation_key("order-123", kPartitions));
  auto value = command.value<MessageCorrelationRecord>();
  EXPECT_EQ(value.name, "paid");
  EXPECT_FALSE(answer.has_value());
  value.message_key = Key{7};
  value.process_instance_key = Key{9};
  command.answer(record::MessageCorrelationIntent::Correlated, Key{7}, value);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->content_type, "application/json");
  EXPECT_EQ(answer->body,
            "{\"delivered\":true,\"workflowInstanceIds\":[\"9\"],\"messageKey\":\"7\"}\n");
}

TEST_F(WorkflowApi, a_message_that_nobody_waits_for_is_not_found) {
  send(post(R"({"messageName":"paid"})"));
  partitions.take().reject(record::RejectionType::NotFound, "Expected to, but none was found");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->content_type, "application/problem+json");
  EXPECT_NE(
      answer->body.find(R"("error":"No subscription or start event found for message 'paid': )"
                        "Expected to, but none was found\""),
      std::string::npos)
      << answer->body;
}

TEST_F(WorkflowApi, what_the_engine_says_has_its_status) {
  using record::RejectionType;
  const std::pair<RejectionType, int> rows[] = {
      {RejectionType::InvalidArgument, 400}, {RejectionType::InvalidState, 409},
      {RejectionType::AlreadyExists, 409},   {RejectionType::Forbidden, 403},
      {RejectionType::ProcessingError, 500}, {RejectionType::ExceededBatchRecordSize, 500}};
  for (const auto& [type, status] : rows) {
    send(post(R"({"messageName":"paid"})"));
    partitions.take().reject(type, "because");
    EXPECT_EQ(answer->status, status);
    EXPECT_NE(answer->body.find(R"("error":"because")"), std::string::npos) << answer->body;
  }
}

TEST_F(WorkflowApi, a_bad_request_reaches_no_partition) {
  send(post("{}"));
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(WorkflowApi, partitions_that_do_not_take_it_say_whether_to_try_again) {
  const PartitionId partition = partition_of_correlation_key("", kPartitions);
  const std::pair<stream::SubmitResult, int> rows[] = {{stream::SubmitResult::QueueFull, 429},
                                                       {stream::SubmitResult::DiskFull, 429},
                                                       {stream::SubmitResult::Stopped, 503}};
  for (const auto& [result, status] : rows) {
    partitions.set_result(partition, result);
    answer.reset();
    send(post(R"({"messageName":"paid"})"));
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, status) << answer->body;
  }
}

TEST_F(WorkflowApi, a_partition_that_stops_without_an_answer_is_503) {
  send(post(R"({"messageName":"paid"})"));
  { const Submitted dropped = partitions.take(); }
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 503);
}

TEST_F(WorkflowApi, no_answer_in_time_is_504_and_a_later_one_is_dropped) {
  send(post(R"({"messageName":"paid"})"));
  Submitted command = partitions.take();
  clock.advance(kMessageAnswerTimeout);
  loop->run_ready();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 504);
  command.answer(record::MessageCorrelationIntent::Correlated, Key{7}, MessageCorrelationRecord{});
  EXPECT_EQ(answer->status, 504);
}

TEST_F(WorkflowApi, a_message_larger_than_commands_may_be_is_refused) {
  send(post(fmt::format(R"({{"messageName":"paid","variables":{{"a":"{}"}}}})",
                        std::string(std::size_t{1} << 20, 'x'))));
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(partitions.waiting(), 0U);
}

}  // namespace
}  // namespace beeline::http
