#include "http/state_api.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/state/engine_state.h"

namespace beeline::http {
namespace {

// Partitions with a state that no engine processes; reads run at once.
class StatePartitions final : public stream::Partitions {
 public:
  explicit StatePartitions(std::int32_t count) {
    for (std::int32_t id = 1; id <= count; ++id) {
      ports_.push_back(std::make_unique<Port>(PartitionId{id}, count));
    }
  }
  [[nodiscard]] std::int32_t count() const override {
    return static_cast<std::int32_t>(ports_.size());
  }
  [[nodiscard]] stream::PartitionPort& partition(PartitionId id) override {
    return *ports_.at(static_cast<std::size_t>(id.value()) - 1);
  }
  void set_job_listener(stream::JobListener*) override {}

  Key add_job(std::int32_t partition, std::int64_t number, std::string type) {
    Port& port = *ports_.at(static_cast<std::size_t>(partition) - 1);
    const Key key = make_key(PartitionId{partition}, number);
    auto& database = port.state.database();
    database.begin_batch();
    engine::JobRow row;
    row.type = std::move(type);
    port.state.jobs().insert(key, std::move(row));
    database.commit_batch();
    return key;
  }

 private:
  struct Port final : stream::PartitionPort {
    Port(PartitionId id_in, std::int32_t count) : number(id_in), state(id_in, count) {}
    [[nodiscard]] PartitionId id() const override { return number; }
    [[nodiscard]] stream::Condition condition() const override { return {}; }
    [[nodiscard]] stream::SubmitResult submit_internal(stream::Command) override {
      return stream::SubmitResult::Stopped;
    }
    [[nodiscard]] stream::SubmitResult submit(const record::Principal&, stream::Command,
                                              stream::ResponseHandler) override {
      return stream::SubmitResult::Stopped;
    }
    [[nodiscard]] stream::SubmitResult read(stream::ReadStep step,
                                            stream::ReadHandler handler) override {
      if (result != stream::SubmitResult::Accepted) return result;
      while (!step(state)) {
      }
      handler(Position{7});
      return stream::SubmitResult::Accepted;
    }
    const PartitionId number;
    engine::EngineState state;
    stream::SubmitResult result = stream::SubmitResult::Accepted;
  };
  std::vector<std::unique_ptr<Port>> ports_;

 public:
  void set_result(stream::SubmitResult result) { ports_.front()->result = result; }
};

Response list(stream::Partitions& partitions, std::string kind, std::string query = "") {
  Request request;
  request.parameters = {{"kind", std::move(kind)}};
  request.query = std::move(query);
  std::optional<Response> answer;
  list_state(request, Responder([&](Response response) { answer = std::move(response); }),
             partitions);
  return answer.value_or(Response{.status = 0, .body = {}, .headers = {}});
}
Response show(stream::Partitions& partitions, std::string key) {
  Request request;
  request.parameters = {{"key", std::move(key)}};
  std::optional<Response> answer;
  show_state(request, Responder([&](Response response) { answer = std::move(response); }),
             partitions);
  return answer.value_or(Response{.status = 0, .body = {}, .headers = {}});
}

TEST(StateApi, a_list_goes_through_the_partitions_page_by_page) {
  StatePartitions partitions(3);
  partitions.add_job(1, 1, "a");
  partitions.add_job(3, 1, "a");
  const Response first = list(partitions, "jobs");
  EXPECT_EQ(first.status, 200);
  EXPECT_TRUE(first.body.starts_with(
      R"({"partition":1,"position":7,"items":[{"key":"2251799813685249","type":"a","state":"ACTIVATABLE",)"))
      << first.body;
  EXPECT_TRUE(first.body.ends_with("\"cursor\":\"2-0000000000000000\"}\n")) << first.body;
  // Partition 2 has no jobs, so the page shows partition 3, which is the last.
  const Response second = list(partitions, "jobs", "cursor=2-0000000000000000");
  EXPECT_TRUE(second.body.starts_with(R"({"partition":3,)")) << second.body;
  EXPECT_TRUE(second.body.ends_with("],\"cursor\":null}\n")) << second.body;
}

TEST(StateApi, every_item_is_on_one_page) {
  StatePartitions partitions(1);
  for (std::int64_t n = 1; n <= 5'000; ++n) partitions.add_job(1, n, n % 1'000 == 0 ? "b" : "a");
  std::size_t found = 0;
  std::string cursor = "1-0000000000000000";
  while (!cursor.empty()) {
    const Response page = list(partitions, "jobs", "type=b&limit=2&cursor=" + cursor);
    ASSERT_EQ(page.status, 200);
    for (std::size_t at = 0; (at = page.body.find("\"type\":\"b\"", at)) != std::string::npos;
         ++at) {
      ++found;
    }
    EXPECT_EQ(page.body.find("\"type\":\"a\""), std::string::npos);
    const std::size_t at = page.body.find("\"cursor\":\"");
    cursor = at == std::string::npos ? "" : page.body.substr(at + 10, 18);
  }
  EXPECT_EQ(found, 5U);
}

TEST(StateApi, refuses_what_it_does_not_know_in_words) {
  StatePartitions partitions(1);
  const auto expect = [](const Response& response, int status, std::string_view text) {
    EXPECT_EQ(response.status, status);
    EXPECT_NE(response.body.find(text), std::string::npos) << response.body;
  };
  expect(list(partitions, "cats"), 404,
         "processes, instances, jobs, incidents, messages, timers or events");
  expect(list(partitions, "jobs", "color=red"), 400, "limit, cursor or one of key, type, state");
  expect(list(partitions, "jobs", "limit=0"), 400, "a number from 1 to 1000");
  expect(list(partitions, "jobs", "cursor=2-0"), 400, "to be the cursor of a page");
  expect(list(partitions, "jobs", "cursor=x"), 400, "to be the cursor of a page");
  expect(show(partitions, "seven"), 400, "Expected a key, which is a number");
  expect(show(partitions, "7"), 404, "There is nothing with the key 7");
  expect(show(partitions, "2251799813685249"), 404, "There is nothing with the key");
  partitions.set_result(stream::SubmitResult::QueueFull);
  expect(list(partitions, "jobs"), 429, "Too many reads");
  partitions.set_result(stream::SubmitResult::Stopped);
  expect(show(partitions, "2251799813685249"), 503, "cannot be read now");
}

TEST(StateApi, shows_what_a_key_stands_for) {
  StatePartitions partitions(2);
  const Key key = partitions.add_job(2, 5, "ship");
  const Response response = show(partitions, std::to_string(key.value()));
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.body.starts_with(
      R"({"partition":2,"position":7,"found":{"kind":"job","key":"4503599627370501","type":"ship")"))
      << response.body;
}

}  // namespace
}  // namespace beeline::http
