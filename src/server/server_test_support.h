#pragma once

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "base/time.h"
#include "gateway.grpc.pb.h"
#include "server/server.h"

namespace beeline::server {

// A server on free ports and a new data directory, and a client of it.
class ServerFixture : public testing::Test {
 protected:
  ServerFixture() {
    std::string name = (std::filesystem::temp_directory_path() / "beeline-test-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    settings_.data = (directory_ / "data").string();
    settings_.grpc.address.port = 0;
    settings_.http.address.port = 0;
    settings_.partitions.journal.segment_bytes = 1 << 20;
    settings_.shutdown_grace = Milliseconds{1'000};
  }
  ~ServerFixture() override {
    server_.reset();
    std::filesystem::remove_all(directory_);
  }

  void start() {
    server_ = std::make_unique<Server>(settings_, clock_);
    server_->start(nullptr);
    stub_ = gateway_protocol::Gateway::NewStub(grpc::CreateChannel(
        fmt::format("127.0.0.1:{}", server_->grpc_port()), grpc::InsecureChannelCredentials()));
  }
  void stop() {
    stub_.reset();
    server_.reset();
  }
  // Returns the error of start(), which must fail.
  std::string start_error() {
    try {
      start();
    } catch (const StartError& error) {
      server_.reset();
      return error.what();
    }
    return "no error";
  }

  template <typename Request, typename Response>
  Response call(grpc::Status (gateway_protocol::Gateway::Stub::*method)(grpc::ClientContext*,
                                                                        const Request&, Response*),
                const Request& request) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds{60});
    Response response;
    const auto status = (stub_.get()->*method)(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  void deploy_one_task() {
    std::stringstream content;
    content << std::ifstream("bench/workloads/one_task.bpmn").rdbuf();
    gateway_protocol::DeployResourceRequest request;
    auto* const resource = request.add_resources();
    resource->set_name("one_task.bpmn");
    resource->set_content(content.str());
    call(&gateway_protocol::Gateway::Stub::DeployResource, request);
  }
  std::int64_t create_instance() {
    gateway_protocol::CreateProcessInstanceRequest request;
    request.set_bpmnprocessid("bench-one-task");
    request.set_version(-1);
    request.set_variables("{\"orderId\":4711}");
    return call(&gateway_protocol::Gateway::Stub::CreateProcessInstance, request)
        .processinstancekey();
  }
  // Returns the key of the only job.
  std::int64_t activate_job() {
    gateway_protocol::ActivateJobsRequest request;
    request.set_type("bench-work");
    request.set_worker("test");
    request.set_timeout(600'000);
    request.set_maxjobstoactivate(1);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds{60});
    const auto reader = stub_->ActivateJobs(&context, request);
    gateway_protocol::ActivateJobsResponse response;
    EXPECT_TRUE(reader->Read(&response));
    EXPECT_EQ(response.jobs_size(), 1);
    context.TryCancel();
    (void)reader->Finish();
    return response.jobs_size() == 1 ? response.jobs(0).key() : -1;
  }
  void complete_job(std::int64_t key) {
    gateway_protocol::CompleteJobRequest request;
    request.set_jobkey(key);
    call(&gateway_protocol::Gateway::Stub::CompleteJob, request);
  }

  std::filesystem::path directory_;
  Settings settings_;
  SystemClock clock_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<gateway_protocol::Gateway::Stub> stub_;
};

}  // namespace beeline::server
