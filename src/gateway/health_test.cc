#include "gateway/health.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <string>

#include "gateway/fakes_test.h"
#include "gateway/reflection.h"

namespace beeline::gateway {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using grpc::reflection::v1::ServerReflectionRequest;
using grpc::reflection::v1::ServerReflectionResponse;

HealthCheckRequest about(std::string service) {
  HealthCheckRequest request;
  request.set_service(std::move(service));
  return request;
}

TEST(Health, says_whether_it_serves) {
  const auto health = std::make_shared<Health>();
  const auto status = [&](const std::string& service) {
    FakeCall call;
    health->check(about(service), call);
    return call.message<HealthCheckResponse>().status();
  };
  EXPECT_EQ(status(""), HealthCheckResponse::NOT_SERVING);
  health->set_serving(true);
  EXPECT_EQ(status(""), HealthCheckResponse::SERVING);
  EXPECT_EQ(status("gateway_protocol.Gateway"), HealthCheckResponse::SERVING);
  health->stop();
  health->set_serving(true);
  EXPECT_EQ(status(""), HealthCheckResponse::NOT_SERVING);
}

TEST(Health, does_not_know_other_services) {
  const auto health = std::make_shared<Health>();
  FakeCall call;
  health->check(about("other"), call);
  EXPECT_EQ(call.status->code, StatusCode::NotFound);
}

TEST(Health, tells_each_change_to_those_who_watch) {
  const auto health = std::make_shared<Health>();
  const auto call = std::make_shared<FakeCall>();
  const auto stranger = std::make_shared<FakeCall>();
  health->watch(about(""), call);
  health->watch(about("other"), stranger);
  health->set_serving(true);
  health->set_serving(true);
  health->stop();
  ASSERT_EQ(call->messages.size(), 3U);
  EXPECT_EQ(call->message<HealthCheckResponse>(0).status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(call->message<HealthCheckResponse>(1).status(), HealthCheckResponse::SERVING);
  EXPECT_EQ(call->message<HealthCheckResponse>(2).status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(call->status, ok());
  ASSERT_EQ(stranger->messages.size(), 1U);
  EXPECT_EQ(stranger->message<HealthCheckResponse>().status(),
            HealthCheckResponse::SERVICE_UNKNOWN);
  const auto late = std::make_shared<FakeCall>();
  health->watch(about(""), late);
  EXPECT_EQ(late->status, ok());
}

TEST(Health, forgets_those_who_went_away) {
  const auto health = std::make_shared<Health>();
  const auto call = std::make_shared<FakeCall>();
  health->watch(about(""), call);
  call->vanish();
  EXPECT_EQ(call.use_count(), 1);
}

TEST(Reflection, lists_the_services) {
  ServerReflectionRequest request;
  request.set_list_services("*");
  const ServerReflectionResponse response = reflect(request);
  ASSERT_EQ(response.list_services_response().service_size(), 3);
  EXPECT_EQ(response.list_services_response().service(0).name(), "gateway_protocol.Gateway");
}

TEST(Reflection, describes_symbols_and_files) {
  for (const char* symbol : {"gateway_protocol.Gateway", "gateway_protocol.Gateway.Topology",
                             "gateway_protocol.ActivatedJob.JobKind", "grpc.health.v1.Health"}) {
    ServerReflectionRequest request;
    request.set_file_containing_symbol(symbol);
    EXPECT_EQ(reflect(request).file_descriptor_response().file_descriptor_proto_size(), 1)
        << symbol;
  }
  ServerReflectionRequest request;
  request.set_file_by_filename("gateway.proto");
  google::protobuf::FileDescriptorProto file;
  ASSERT_TRUE(
      file.ParseFromString(reflect(request).file_descriptor_response().file_descriptor_proto(0)));
  EXPECT_EQ(file.service(0).method_size(), 24);
}

TEST(Reflection, does_not_find_what_is_not_there) {
  ServerReflectionRequest request;
  EXPECT_EQ(reflect(request).error_response().error_code(), 3);
  request.set_file_containing_symbol("no.Such");
  EXPECT_EQ(reflect(request).error_response().error_code(), 5);
  request.set_file_by_filename("no_such.proto");
  EXPECT_EQ(reflect(request).error_response().error_code(), 5);
  request.mutable_file_containing_extension()->set_containing_type("x");
  EXPECT_EQ(reflect(request).error_response().error_code(), 5);
  request.set_all_extension_numbers_of_type("gateway_protocol.ActivatedJob");
  EXPECT_TRUE(reflect(request).has_all_extension_numbers_response());
}

}  // namespace
}  // namespace beeline::gateway
