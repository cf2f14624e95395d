#include "gateway/grpc_transport.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/io_error.h"
#include "gateway.grpc.pb.h"
#include "gateway/fakes_test.h"
#include "gateway/gateway.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpc/reflection/v1/reflection.grpc.pb.h"

// The whole gateway over a loopback connection, with a real clock and real threads.
namespace beeline::gateway {
namespace {

using namespace gateway_protocol;

class GrpcTransportTest : public testing::Test {
 protected:
  GrpcTransportTest() {
    service.start();
    gateway.start();
    channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(gateway.port()),
                                  grpc::InsecureChannelCredentials());
    stub = Gateway_stub(channel);
  }

  static GatewayOptions options() { return {}; }
  static std::unique_ptr<gateway_protocol::Gateway::Stub> Gateway_stub(
      const std::shared_ptr<grpc::Channel>& channel) {
    return gateway_protocol::Gateway::NewStub(channel);
  }
  static std::unique_ptr<grpc::ClientContext> context() {
    auto result = std::make_unique<grpc::ClientContext>();
    result->set_deadline(std::chrono::system_clock::now() + kPatience);
    return result;
  }
  // Returns the command that follows an announcement. The announcement is repeated until it has an
  // effect, because the call may not be waiting yet.
  Submitted take_announced() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline) {
      partitions.announce(PartitionId{1}, "ship", make_key(PartitionId{1}, 1));
      if (auto command = partitions.try_take(Milliseconds{5})) return std::move(*command);
    }
    return partitions.take();
  }
  // Sends raw bytes as a request and returns how the call ended.
  grpc::Status raw_call(const std::string& method, const std::string& bytes) {
    grpc::GenericStub generic(channel);
    const auto ctx = context();
    grpc::CompletionQueue queue;
    const grpc::Slice slice(bytes);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    grpc::Status status;
    const auto call = generic.PrepareUnaryCall(ctx.get(), method, request, &queue);
    call->StartCall();
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool done = false;
    EXPECT_TRUE(queue.Next(&tag, &done));
    return status;
  }
  static ActivateJobsRequest activation(std::int64_t request_timeout) {
    ActivateJobsRequest request;
    request.set_type("ship");
    request.set_timeout(60'000);
    request.set_maxjobstoactivate(10);
    request.set_requesttimeout(request_timeout);
    return request;
  }

  const SystemClock clock;
  FakePartitions partitions;
  service::Service service{service::ServiceOptions{}, partitions,
                           std::make_shared<service::Loop>(clock)};
  Gateway gateway{options(), service};
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<gateway_protocol::Gateway::Stub> stub;
};

TEST_F(GrpcTransportTest, topology_is_answered) {
  TopologyResponse response;
  const grpc::Status status = stub->Topology(context().get(), {}, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.brokers_size(), 1);
}

TEST_F(GrpcTransportTest, compressed_requests_and_an_empty_authorization_are_fine) {
  const auto ctx = context();
  ctx->set_compression_algorithm(GRPC_COMPRESS_GZIP);
  ctx->AddMetadata("authorization", "");
  DeployResourceRequest request;
  request.add_resources()->set_content(std::string(100'000, 'x'));
  auto answer = std::async(std::launch::async, [&] {
    Submitted command = partitions.take();
    EXPECT_EQ(command.value<record::DeploymentRecord>().resources.at(0).resource.size(), 100'000U);
    command.answer(record::DeploymentIntent::Created, job_key(1), record::DeploymentRecord{});
  });
  DeployResourceResponse response;
  const grpc::Status status = stub->DeployResource(ctx.get(), request, &response);
  answer.get();
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(GrpcTransportTest, the_size_of_a_compressed_message_is_what_it_unpacks_to) {
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    const auto ctx = context();
    ctx->set_compression_algorithm(algorithm);
    DeployResourceRequest request;
    request.add_resources()->set_content(std::string(service.options().message_bytes_max, 'x'));
    DeployResourceResponse response;
    const grpc::Status status = stub->DeployResource(ctx.get(), request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(status.error_message().find("Expected a message of at most 4194304 bytes"), 0U)
        << status.error_message();
  }
}

TEST_F(GrpcTransportTest, a_command_is_answered_with_a_message_or_a_status) {
  auto engine = std::async(std::launch::async, [&] {
    partitions.take().answer(record::JobIntent::Completed, job_key(1), record::JobRecord{});
    partitions.take().reject(record::RejectionType::NotFound, "nothing – there");
  });
  CompleteJobRequest request;
  request.set_jobkey(job_key(1).value());
  CompleteJobResponse response;
  EXPECT_TRUE(stub->CompleteJob(context().get(), request, &response).ok());
  const grpc::Status status = stub->CompleteJob(context().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(),
            "Command 'COMPLETE' rejected with code 'NOT_FOUND': nothing – there");
}

TEST_F(GrpcTransportTest, unknown_methods_are_unimplemented_by_name) {
  ModifyProcessInstanceResponse response;
  const grpc::Status status = stub->ModifyProcessInstance(context().get(), {}, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(status.error_message(),
            "Expected to handle request ModifyProcessInstance, but this version does not "
            "implement it");
  EXPECT_EQ(raw_call("/other.Service/Method", "").error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(GrpcTransportTest, bytes_that_are_no_message_are_an_invalid_argument) {
  const grpc::Status status = raw_call("/gateway_protocol.Gateway/CompleteJob", "\xff\xff");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(GrpcTransportTest, a_message_that_is_too_large_ends_its_call_and_no_other) {
  const std::string large(service.options().message_bytes_max + 1, 'x');
  const grpc::Status status = raw_call("/gateway_protocol.Gateway/DeployResource", large);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  TopologyResponse response;
  EXPECT_TRUE(stub->Topology(context().get(), {}, &response).ok());
}

TEST_F(GrpcTransportTest, a_small_message_that_unpacks_to_a_large_one_is_too_large) {
  const auto ctx = context();
  ctx->set_compression_algorithm(GRPC_COMPRESS_GZIP);
  DeployResourceRequest request;
  request.add_resources()->set_content(std::string(64 << 20, '\0'));
  DeployResourceResponse response;
  const grpc::Status status = stub->DeployResource(ctx.get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_EQ(partitions.waiting(), 0U);
}

TEST_F(GrpcTransportTest, a_long_text_is_cut_to_what_clients_take) {
  auto engine = std::async(std::launch::async, [&] {
    partitions.take().reject(record::RejectionType::NotFound, std::string(100'000, 'r'));
    partitions.take().reject(record::RejectionType::NotFound, std::string(100'000, '\n'));
  });
  CompleteJobRequest request;
  request.set_jobkey(job_key(1).value());
  CompleteJobResponse response;
  grpc::Status status = stub->CompleteJob(context().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message().size(), kStatusTextBytesMax);
  status = stub->CompleteJob(context().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_GT(status.error_message().size(), kStatusTextBytesMax / 4);
}

TEST_F(GrpcTransportTest, a_parked_poll_gets_the_job_that_is_announced) {
  const auto ctx = context();
  const auto reader = stub->ActivateJobs(ctx.get(), activation(600'000));
  partitions.take().answer_jobs({});
  take_announced().answer_jobs({job_key(1), job_key(2)});
  ActivateJobsResponse response;
  ASSERT_TRUE(reader->Read(&response));
  EXPECT_EQ(response.jobs_size(), 2);
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_TRUE(reader->Finish().ok());
}

TEST_F(GrpcTransportTest, a_poll_without_jobs_ends_ok_after_its_time) {
  const auto ctx = context();
  const auto reader = stub->ActivateJobs(ctx.get(), activation(20));
  partitions.take().answer_jobs({});
  ActivateJobsResponse response;
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_TRUE(reader->Finish().ok());
}

TEST_F(GrpcTransportTest, jobs_for_a_client_that_cancelled_are_given_back) {
  const auto ctx = context();
  const auto reader = stub->ActivateJobs(ctx.get(), activation(600'000));
  Submitted command = partitions.take();
  ctx->TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  // Makes another call on the same connection: when it is answered, the server knows of the
  // cancellation.
  TopologyResponse topology;
  ASSERT_TRUE(stub->Topology(context().get(), {}, &topology).ok());
  command.answer_jobs({job_key(1)});
  EXPECT_EQ(partitions.take().name(), "JOB YIELD");
}

TEST_F(GrpcTransportTest, a_deadline_ends_a_parked_poll) {
  grpc::ClientContext ctx;
  ctx.set_deadline(std::chrono::system_clock::now() + Milliseconds{50});
  const auto reader = stub->ActivateJobs(&ctx, activation(600'000));
  ActivateJobsResponse response;
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST_F(GrpcTransportTest, a_stream_pushes_jobs_as_they_are_announced) {
  const auto ctx = context();
  StreamActivatedJobsRequest request;
  request.set_type("ship");
  request.set_timeout(60'000);
  const auto reader = stub->StreamActivatedJobs(ctx.get(), request);
  reader->WaitForInitialMetadata();
  for (int i = 1; i <= 3; ++i) {
    take_announced().answer_jobs({job_key(i)});
    ActivatedJob job;
    ASSERT_TRUE(reader->Read(&job));
    EXPECT_EQ(job.key(), job_key(i).value());
  }
  ctx->TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(GrpcTransportTest, a_client_that_reads_nothing_does_not_make_the_server_pile_up_jobs) {
  const auto ctx = context();
  StreamActivatedJobsRequest request;
  request.set_type("ship");
  request.set_timeout(60'000);
  const auto reader = stub->StreamActivatedJobs(ctx.get(), request);
  reader->WaitForInitialMetadata();
  // Each job is large enough to fill the connection's window soon.
  std::int64_t next = 0;
  bool gave_back = false;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!gave_back && std::chrono::steady_clock::now() < deadline) {
    partitions.announce(PartitionId{1}, "ship", make_key(PartitionId{1}, 1));
    std::optional<Submitted> command = partitions.try_take(Milliseconds{5});
    if (!command) continue;
    if (command->name() == "JOB YIELD") {
      gave_back = true;
    } else {
      command->answer_jobs({job_key(next + 1), job_key(next + 2)}, 100'000);
      next += 2;
    }
  }
  EXPECT_TRUE(gave_back);
  EXPECT_LT(next, 1000);
  ctx->TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(GrpcTransportTest, a_thousand_parked_polls_end_ok_when_the_gateway_stops) {
  constexpr std::size_t kCalls = 1000;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientAsyncReader<ActivateJobsResponse>>> readers;
  std::vector<grpc::Status> statuses(kCalls);
  grpc::CompletionQueue queue;
  for (std::size_t i = 0; i < kCalls; ++i) {
    contexts.push_back(context());
    readers.push_back(
        stub->AsyncActivateJobs(contexts.back().get(), activation(600'000), &queue, nullptr));
  }
  for (std::size_t i = 0; i < kCalls; ++i) partitions.take().answer_jobs({});
  auto stopping = std::async(std::launch::async, [&] { gateway.stop(Milliseconds{30'000}); });
  void* tag = nullptr;
  bool done = false;
  for (std::size_t i = 0; i < kCalls; ++i) ASSERT_TRUE(queue.Next(&tag, &done));  // started
  for (std::size_t i = 0; i < kCalls; ++i) readers[i]->Finish(&statuses[i], nullptr);
  for (std::size_t i = 0; i < kCalls; ++i) ASSERT_TRUE(queue.Next(&tag, &done));
  for (const grpc::Status& status : statuses) EXPECT_TRUE(status.ok()) << status.error_message();
  stopping.get();
  queue.Shutdown();
  while (queue.Next(&tag, &done)) {
  }
}

TEST_F(GrpcTransportTest, stopping_cancels_what_does_not_end_in_time) {
  CompleteJobRequest request;
  request.set_jobkey(job_key(1).value());
  auto call = std::async(std::launch::async, [&] {
    CompleteJobResponse response;
    return stub->CompleteJob(context().get(), request, &response);
  });
  Submitted command = partitions.take();
  gateway.stop(Milliseconds{10});
  EXPECT_FALSE(call.get().ok());
  // An answer after the end has no effect.
  command.answer(record::JobIntent::Completed, job_key(1), record::JobRecord{});
}

TEST_F(GrpcTransportTest, health_is_checked_and_watched) {
  const auto health = grpc::health::v1::Health::NewStub(channel);
  grpc::health::v1::HealthCheckRequest request;
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(health->Check(context().get(), request, &response).ok());
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  request.set_service("other");
  EXPECT_EQ(health->Check(context().get(), request, &response).error_code(),
            grpc::StatusCode::NOT_FOUND);
  request.set_service("gateway_protocol.Gateway");
  const auto ctx = context();
  const auto watch = health->Watch(ctx.get(), request);
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  gateway.set_serving(false);
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  auto stopping = std::async(std::launch::async, [&] { gateway.stop(Milliseconds{30'000}); });
  EXPECT_FALSE(watch->Read(&response));
  EXPECT_TRUE(watch->Finish().ok());
  stopping.get();
}

TEST_F(GrpcTransportTest, reflection_answers_one_question_after_the_other) {
  const auto reflection = grpc::reflection::v1::ServerReflection::NewStub(channel);
  const auto ctx = context();
  const auto stream = reflection->ServerReflectionInfo(ctx.get());
  grpc::reflection::v1::ServerReflectionRequest request;
  grpc::reflection::v1::ServerReflectionResponse response;
  request.set_list_services("");
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.list_services_response().service_size(), 3);
  request.set_file_containing_symbol("gateway_protocol.Gateway");
  ASSERT_TRUE(stream->Write(request));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.file_descriptor_response().file_descriptor_proto_size(), 1);
  stream->WritesDone();
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(GrpcTransportTest, a_port_in_use_is_said_in_a_sentence) {
  GatewayOptions same = options();
  same.address.port = static_cast<std::uint16_t>(gateway.port());
  Gateway second(same, service);
  try {
    second.start();
    FAIL() << "it started";
  } catch (const IoError& error) {
    EXPECT_EQ(error.code().value(), EADDRINUSE);
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("Expected to listen for gRPC on 127.0.0.1:" +
                                 std::to_string(gateway.port()) + ", but could not"))
        << error.what();
  }
}

TEST_F(GrpcTransportTest, another_physical_tenant_is_not_found) {
  const auto ctx = context();
  ctx->AddMetadata("camunda-physical-tenant", "other");
  TopologyResponse response;
  const grpc::Status status = stub->Topology(ctx.get(), {}, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "Unknown physical tenant: other");
}

}  // namespace
}  // namespace beeline::gateway
