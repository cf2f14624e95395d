#include "http/router.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

#include "http/target.h"

namespace beeline::http {
namespace {

Handler answering(std::string name) {
  return [name = std::move(name)](const Request& request, Responder responder) {
    std::string body = name;
    for (const auto& [parameter, value] : request.parameters) body += " " + parameter + "=" + value;
    responder.answer({.body = body, .headers = {}});
  };
}

Response ask(const Router& router, std::string_view method, std::string path) {
  std::optional<Response> result;
  Request request;
  request.path = std::move(path);
  router.dispatch(method, std::move(request),
                  Responder([&](Response response) { result = std::move(response); }));
  return result.value();
}

Router routes_of_jobs() {
  Router router;
  router.add(Method::Get, "/", answering("root"));
  router.add(Method::Get, "/jobs/{key}", answering("job"));
  router.add(Method::Delete, "/jobs/{key}", answering("delete"));
  router.add(Method::Get, "/jobs/search", answering("search"));
  router.add(Method::Post, "/jobs/{key}/variables/{name}", answering("variable"));
  return router;
}

TEST(Router, finds_the_route_by_method_and_path) {
  const auto router = routes_of_jobs();
  EXPECT_EQ(ask(router, "GET", "/").body, "root");
  EXPECT_EQ(ask(router, "GET", "/jobs/7").body, "job key=7");
  EXPECT_EQ(ask(router, "DELETE", "/jobs/7").body, "delete key=7");
  EXPECT_EQ(ask(router, "HEAD", "/jobs/7").body, "job key=7");
  EXPECT_EQ(ask(router, "POST", "/jobs/7/variables/a").body, "variable key=7 name=a");
}

TEST(Router, takes_text_before_a_parameter) {
  EXPECT_EQ(ask(routes_of_jobs(), "GET", "/jobs/search").body, "search");
}

TEST(Router, a_rest_takes_all_that_follows) {
  Router router;
  router.add(Method::Get, "/ui/*file", answering("asset"));
  EXPECT_EQ(ask(router, "GET", "/ui/").body, "asset file=");
  EXPECT_EQ(ask(router, "GET", "/ui/app.js").body, "asset file=app.js");
  EXPECT_EQ(ask(router, "GET", "/ui/js/app.js").body, "asset file=js/app.js");
  EXPECT_EQ(ask(router, "GET", "/ui/js/").body, "asset file=js/");
  EXPECT_EQ(ask(router, "GET", "/ui//a").body, "asset file=/a");
  EXPECT_EQ(ask(router, "GET", "/ui").status, 404);
  EXPECT_EQ(ask(router, "GET", "/").status, 404);
}

TEST(Router, a_rest_cannot_leave_its_place) {
  Router router;
  router.add(Method::Get, "/ui/*file", answering("asset"));
  for (const std::string path :
       {"/ui/..", "/ui/../etc/passwd", "/ui/a/../../b", "/ui/./a", "/ui/a/.."}) {
    EXPECT_EQ(ask(router, "GET", path).status, 404) << path;
  }
  EXPECT_EQ(ask(router, "GET", "/ui/..a").body, "asset file=..a");
}

TEST(Router, takes_text_and_parameters_before_a_rest) {
  Router router;
  router.add(Method::Get, "/*any", answering("any"));
  router.add(Method::Get, "/v2/{kind}", answering("kind"));
  router.add(Method::Get, "/v2/*other", answering("other"));
  router.add(Method::Get, "/v2/user-tasks/{key}/assignment", answering("assignment"));
  router.add(Method::Get, "/v2/user-tasks/*task", answering("task"));
  EXPECT_EQ(ask(router, "GET", "/").body, "any any=");
  EXPECT_EQ(ask(router, "GET", "/v1/x").body, "any any=v1/x");
  EXPECT_EQ(ask(router, "GET", "/v2/jobs").body, "kind kind=jobs");
  EXPECT_EQ(ask(router, "GET", "/v2/jobs/1").body, "other other=jobs/1");
  EXPECT_EQ(ask(router, "GET", "/v2/user-tasks/7/assignment").body, "assignment key=7");
  EXPECT_EQ(ask(router, "GET", "/v2/user-tasks/7/form").body, "task task=7/form");
}

TEST(Router, answers_404_with_a_sentence_where_no_pattern_fits) {
  const auto router = routes_of_jobs();
  for (const std::string path : {"/nothing", "/jobs", "/jobs/", "/jobs/7/", "/jobs/7/variables"}) {
    const auto response = ask(router, "GET", path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_NE(response.body.find("There is nothing at '" + path + "'."), std::string::npos);
  }
}

TEST(Router, answers_405_with_the_methods_that_there_are) {
  const auto router = routes_of_jobs();
  for (const std::string method : {"POST", "BREW"}) {
    const auto response = ask(router, method, "/jobs/7");
    EXPECT_EQ(response.status, 405);
    EXPECT_EQ(response.headers[0], NameValue("Allow", "GET, DELETE"));
  }
}

TEST(Router, a_responder_that_is_forgotten_answers_503) {
  Router router;
  router.add(Method::Get, "/", [](const Request&, Responder) {});
  EXPECT_EQ(ask(router, "GET", "/").status, 503);
}

TEST(Request, finds_headers_in_any_case) {
  Request request;
  request.headers = {{"Content-Type", "a"}, {"content-type", "b"}, {"X", ""}};
  ASSERT_NE(request.header("CONTENT-TYPE"), nullptr);
  EXPECT_EQ(*request.header("CONTENT-TYPE"), "a");
  EXPECT_EQ(*request.header("x"), "");
  EXPECT_EQ(request.header("Content"), nullptr);
}

TEST(Target, is_split_and_decoded) {
  EXPECT_EQ(parse_target("/a%20b/c?x=%41&y"), (Target{.path = "/a b/c", .query = "x=%41&y"}));
  EXPECT_EQ(parse_target("/"), (Target{.path = "/", .query = ""}));
  for (const std::string bad : {"", "*", "http://x/", "/%", "/%4", "/%zz", "/%+1"}) {
    EXPECT_FALSE(parse_target(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace beeline::http
