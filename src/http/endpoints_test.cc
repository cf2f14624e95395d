#include "http/endpoints.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "service/fakes_test.h"

namespace beeline::http {
namespace {

class Endpoints : public testing::Test {
 protected:
  Endpoints() {
    add_endpoints(router, {service, [this] { return running; }});
  }
  ~Endpoints() override { loop->stop(); }

  Response ask(std::string_view method, std::string path) {
    std::optional<Response> result;
    Request request;
    request.path = std::move(path);
    router.dispatch(method, std::move(request),
                    Responder([&](Response response) { result = std::move(response); }));
    loop->run_ready();
    return result.value();
  }

  bool running = true;
  service::ManualClock clock;
  std::shared_ptr<service::Loop> loop = std::make_shared<service::Loop>(clock);
  service::FakePartitions partitions;
  service::Service service{service::ServiceOptions{}, partitions, loop};
  Router router;
};

TEST_F(Endpoints, each_answers_at_its_path) {
  EXPECT_EQ(ask("POST", "/api/workflow/message").status, 400);
  EXPECT_EQ(ask("GET", "/api/state/nothing").status, 404);
  EXPECT_EQ(ask("GET", "/api/state/keys/x").status, 400);
  EXPECT_EQ(ask("GET", "/actuator/jobstreams").body, "{\"remote\":[],\"client\":[]}\n");
  EXPECT_EQ(ask("GET", "/actuator/jobstreams/client").body, "[]\n");
  EXPECT_EQ(ask("GET", "/actuator/jobstreams/other").status, 400);
}

TEST_F(Endpoints, none_reaches_the_engine_unless_the_server_runs) {
  running = false;
  const auto refusal = [&](std::string_view method, std::string path) {
    const Response response = ask(method, std::move(path));
    EXPECT_EQ(response.status, 503);
    return response.body;
  };
  EXPECT_NE(refusal("POST", "/api/workflow/message").find("The server accepts no commands now."),
            std::string::npos);
  EXPECT_NE(refusal("GET", "/api/state/jobs").find("The server cannot be read now."),
            std::string::npos);
  EXPECT_NE(refusal("GET", "/api/state/keys/1").find("The server cannot be read now."),
            std::string::npos);
  EXPECT_NE(refusal("GET", "/actuator/jobstreams").find("The server has no job streams now."),
            std::string::npos);
}

}  // namespace
}  // namespace beeline::http
