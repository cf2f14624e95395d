#include "server/client.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>

#include "gateway.grpc.pb.h"
#include "load/lane.h"
#include "server/command_io.h"
#include "server/settings_text.h"
#include "server/state_commands.h"

namespace beeline::server {
namespace {

namespace gw = gateway_protocol;
using Stub = gw::Gateway::Stub;

std::unique_ptr<Stub> connect(const ClientOptions& client) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  return gw::Gateway::NewStub(
      grpc::CreateCustomChannel(client.address, grpc::InsecureChannelCredentials(), arguments));
}

int fail_with(const ClientOptions& client, const grpc::Status& status) {
  // A server that answers can be UNAVAILABLE too: it may be starting, or a key may name a partition
  // that it does not have.
  const bool is_unreachable = status.error_message().starts_with("failed to connect") ||
                              status.error_message().starts_with("DNS resolution failed");
  if (status.error_code() == grpc::UNAVAILABLE && is_unreachable) {
    return fail(fmt::format(
        "No server answers at {} ({}); start one there or give another address with --address.",
        client.address, status.error_message()));
  }
  // The texts of rejections contain their code already.
  const std::string_view code = load::name_of(status.error_code());
  const bool is_named = status.error_message().find(code) != std::string::npos;
  return fail(
      fmt::format("{}{}{}", is_named ? "" : code, is_named ? "" : ": ", status.error_message()));
}

std::string to_json(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string result;
  const auto status = google::protobuf::util::MessageToJsonString(message, &result, options);
  return status.ok() ? result : "{}";
}

// Makes one call with one answer. `print` prints the answer as text.
template <typename Request, typename Response, typename Print>
int call(const ClientOptions& client,
         grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
         const Request& request, Print print) {
  const auto stub = connect(client);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + client.timeout);
  Response response;
  const auto status = (stub.get()->*method)(&context, request, &response);
  if (!status.ok()) return fail_with(client, status);
  if (client.json) {
    fmt::print("{}\n", to_json(response));
  } else {
    print(response);
  }
  return 0;
}

void print_job(const ClientOptions& client, const gw::ActivatedJob& job) {
  if (client.json) {
    fmt::print("{}\n", to_json(job));
    return;
  }
  fmt::print("job {} type={} instance={} element={} retries={} headers={} variables={}\n",
             job.key(), job.type(), job.processinstancekey(), job.elementid(), job.retries(),
             job.customheaders(), job.variables());
}

// For commands that take an id or a key: an id never begins with a digit.
std::optional<std::int64_t> as_key(const std::string& text) {
  std::int64_t key = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, key);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return key;
}

void set_creation(const CreateOptions& options, gw::CreateProcessInstanceRequest& request) {
  if (const auto key = as_key(options.process)) {
    request.set_processdefinitionkey(*key);
  } else {
    request.set_bpmnprocessid(options.process);
  }
  request.set_version(options.version);
  request.set_variables(options.variables);
  for (const std::string& element : options.start_before) {
    request.add_startinstructions()->set_elementid(element);
  }
  for (const std::string& element : options.terminate_after) {
    request.add_runtimeinstructions()->mutable_terminate()->set_afterelementid(element);
  }
}

// The protocol returns nothing about an instance before it ends, so the instance gets a tag by
// which it can be found.
std::string random_tag() {
  std::random_device device;
  return fmt::format("beeline-cli:{:08x}{:08x}", device(), device());
}

int create_with_result(const ClientOptions& client, const CreateOptions& options) {
  gw::CreateProcessInstanceWithResultRequest request;
  set_creation(options, *request.mutable_request());
  const std::string tag = random_tag();
  request.mutable_request()->add_tags(tag);
  request.set_requesttimeout(client.timeout.count());
  const auto stub = connect(client);
  grpc::ClientContext context;
  // The server times out first, so both cases have the same message.
  context.set_deadline(std::chrono::system_clock::now() + client.timeout + Milliseconds{1'000});
  gw::CreateProcessInstanceWithResultResponse response;
  const auto status = stub->CreateProcessInstanceWithResult(&context, request, &response);
  if (status.error_code() == grpc::DEADLINE_EXCEEDED) {
    const auto instance = instance_with_tag(client, tag);
    if (instance) {
      return fail(
          fmt::format("Instance {} of {} had no result within {}; it continues ('beeline show {}' "
                      "shows where).",
                      *instance, options.process, to_text(client.timeout), *instance));
    }
    return fail(
        fmt::format("The instance of {} had no result within {}; if it was created, it continues "
                    "('beeline list instances' finds it).",
                    options.process, to_text(client.timeout)));
  }
  if (!status.ok()) return fail_with(client, status);
  if (client.json) {
    fmt::print("{}\n", to_json(response));
    return 0;
  }
  fmt::print("instance {} of {} version {} completed with {}\n", response.processinstancekey(),
             response.bpmnprocessid(), response.version(), response.variables());
  return 0;
}

}  // namespace

int deploy(const ClientOptions& client, const std::vector<std::string>& files) {
  gw::DeployResourceRequest request;
  for (const auto& path : files) {
    auto content = read_file(path);
    if (!content) return fail(content.error());
    auto* const resource = request.add_resources();
    resource->set_name(std::filesystem::path(path).filename());
    resource->set_content(*std::move(content));
  }
  return call(
      client, &Stub::DeployResource, request, [](const gw::DeployResourceResponse& response) {
        for (const auto& deployment : response.deployments()) {
          if (deployment.has_process()) {
            const auto& process = deployment.process();
            fmt::print("deployed {} version {} key {} from {}\n", process.bpmnprocessid(),
                       process.version(), process.processdefinitionkey(), process.resourcename());
          } else if (deployment.has_decision()) {
            const auto& decision = deployment.decision();
            fmt::print("deployed decision {} version {} key {} of {}\n", decision.dmndecisionid(),
                       decision.version(), decision.decisionkey(),
                       decision.dmndecisionrequirementsid());
          }
        }
      });
}

int create(const ClientOptions& client, const CreateOptions& options) {
  if (options.with_result) return create_with_result(client, options);
  gw::CreateProcessInstanceRequest request;
  set_creation(options, request);
  return call(client, &Stub::CreateProcessInstance, request,
              [](const gw::CreateProcessInstanceResponse& response) {
                fmt::print("created instance {} of {} version {}\n", response.processinstancekey(),
                           response.bpmnprocessid(), response.version());
              });
}

int activate_jobs(const ClientOptions& client, const ActivateOptions& options) {
  gw::ActivateJobsRequest request;
  request.set_type(options.type);
  request.set_worker(options.worker);
  request.set_timeout(options.timeout.count());
  request.set_maxjobstoactivate(options.max);
  request.set_requesttimeout(options.wait.count() > 0 ? options.wait.count() : -1);
  const auto stub = connect(client);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + client.timeout + options.wait);
  const auto reader = stub->ActivateJobs(&context, request);
  gw::ActivateJobsResponse response;
  bool found = false;
  while (reader->Read(&response)) {
    for (const auto& job : response.jobs()) {
      print_job(client, job);
      found = true;
    }
  }
  const auto status = reader->Finish();
  if (!status.ok()) return fail_with(client, status);
  if (!found) fmt::print(stderr, "no job of type {} is waiting\n", options.type);
  return 0;
}

int complete_job(const ClientOptions& client, std::int64_t key, const std::string& variables) {
  gw::CompleteJobRequest request;
  request.set_jobkey(key);
  request.set_variables(variables);
  return call(client, &Stub::CompleteJob, request,
              [&](const gw::CompleteJobResponse&) { fmt::print("completed job {}\n", key); });
}

int fail_job(const ClientOptions& client, const FailOptions& options) {
  std::int32_t retries = options.retries.value_or(0);
  if (!options.retries) {
    const auto present = job_retries(client, options.key);
    if (!present) {
      return fail(
          fmt::format("{} To fail the job without looking up its retries, give the number that is "
                      "left with --retries.",
                      present.error()));
    }
    retries = *present - 1;
  }
  retries = std::max(0, retries);
  gw::FailJobRequest request;
  request.set_jobkey(options.key);
  request.set_retries(retries);
  request.set_errormessage(options.message);
  request.set_retrybackoff(options.backoff.count());
  request.set_variables(options.variables);
  return call(client, &Stub::FailJob, request, [&](const gw::FailJobResponse&) {
    fmt::print("failed job {}, retries left: {}{}\n", options.key, retries,
               retries == 0 ? "; there is an incident now ('beeline list incidents')" : "");
  });
}

int update_job_retries(const ClientOptions& client, std::int64_t key, std::int32_t retries) {
  gw::UpdateJobRetriesRequest request;
  request.set_jobkey(key);
  request.set_retries(retries);
  return call(client, &Stub::UpdateJobRetries, request, [&](const gw::UpdateJobRetriesResponse&) {
    fmt::print("set retries of job {} to {}\n", key, retries);
  });
}

int update_job_timeout(const ClientOptions& client, std::int64_t key, Milliseconds timeout) {
  gw::UpdateJobTimeoutRequest request;
  request.set_jobkey(key);
  request.set_timeout(timeout.count());
  return call(client, &Stub::UpdateJobTimeout, request, [&](const gw::UpdateJobTimeoutResponse&) {
    fmt::print("job {} times out in {}\n", key, to_text(timeout));
  });
}

int throw_error(const ClientOptions& client, const ThrowOptions& options) {
  gw::ThrowErrorRequest request;
  request.set_jobkey(options.key);
  request.set_errorcode(options.code);
  request.set_errormessage(options.message);
  request.set_variables(options.variables);
  return call(client, &Stub::ThrowError, request, [&](const gw::ThrowErrorResponse&) {
    fmt::print("threw error {} for job {}\n", options.code, options.key);
  });
}

int evaluate_decision(const ClientOptions& client, const EvaluateOptions& options) {
  gw::EvaluateDecisionRequest request;
  if (const auto key = as_key(options.decision)) {
    request.set_decisionkey(*key);
  } else {
    request.set_decisionid(options.decision);
  }
  request.set_variables(options.variables);
  int exit_code = 0;
  const int result = call(
      client, &Stub::EvaluateDecision, request, [&](const gw::EvaluateDecisionResponse& response) {
        if (!response.faileddecisionid().empty()) {
          exit_code = fail(fmt::format("Decision '{}' failed: {}", response.faileddecisionid(),
                                       response.failuremessage()));
          return;
        }
        fmt::print("{}\n", response.decisionoutput());
      });
  return result != 0 ? result : exit_code;
}

int cancel(const ClientOptions& client, std::int64_t instance) {
  gw::CancelProcessInstanceRequest request;
  request.set_processinstancekey(instance);
  return call(client, &Stub::CancelProcessInstance, request,
              [&](const gw::CancelProcessInstanceResponse&) {
                fmt::print("canceled instance {}\n", instance);
              });
}

int set_variables(const ClientOptions& client, std::int64_t element_instance,
                  const std::string& variables, bool local) {
  gw::SetVariablesRequest request;
  request.set_elementinstancekey(element_instance);
  request.set_variables(variables);
  request.set_local(local);
  return call(client, &Stub::SetVariables, request, [&](const gw::SetVariablesResponse& response) {
    fmt::print("set variables of {} with key {}\n", element_instance, response.key());
  });
}

int publish(const ClientOptions& client, const PublishOptions& options) {
  gw::PublishMessageRequest request;
  request.set_name(options.name);
  request.set_correlationkey(options.correlation_key);
  request.set_timetolive(options.time_to_live.count());
  request.set_messageid(options.id);
  request.set_variables(options.variables);
  return call(client, &Stub::PublishMessage, request,
              [&](const gw::PublishMessageResponse& response) {
                fmt::print("published message {} with key {}\n", options.name, response.key());
              });
}

int broadcast(const ClientOptions& client, const std::string& signal,
              const std::string& variables) {
  gw::BroadcastSignalRequest request;
  request.set_signalname(signal);
  request.set_variables(variables);
  return call(client, &Stub::BroadcastSignal, request,
              [&](const gw::BroadcastSignalResponse& response) {
                fmt::print("broadcast signal {} with key {}\n", signal, response.key());
              });
}

int evaluate_conditional(const ClientOptions& client, std::int64_t definition,
                         const std::string& variables) {
  gw::EvaluateConditionalRequest request;
  if (definition != 0) request.set_processdefinitionkey(definition);
  request.set_variables(variables);
  return call(client, &Stub::EvaluateConditional, request,
              [&](const gw::EvaluateConditionalResponse& response) {
                fmt::print("evaluated conditions with key {}; instances started: {}\n",
                           response.conditionalevaluationkey(), response.processinstances_size());
                for (const auto& started : response.processinstances()) {
                  fmt::print("  instance {} of process definition {}\n",
                             started.processinstancekey(), started.processdefinitionkey());
                }
              });
}

int delete_resource(const ClientOptions& client, std::int64_t resource) {
  gw::DeleteResourceRequest request;
  request.set_resourcekey(resource);
  return call(client, &Stub::DeleteResource, request, [&](const gw::DeleteResourceResponse&) {
    fmt::print("deleted resource {}\n", resource);
  });
}

int resolve(const ClientOptions& client, std::int64_t incident) {
  gw::ResolveIncidentRequest request;
  request.set_incidentkey(incident);
  return call(client, &Stub::ResolveIncident, request, [&](const gw::ResolveIncidentResponse&) {
    fmt::print("resolved incident {}\n", incident);
  });
}

int status(const ClientOptions& client) {
  const auto server = server_status(client);
  return call(
      client, &Stub::Topology, gw::TopologyRequest{}, [&](const gw::TopologyResponse& response) {
        if (server) {
          fmt::print("beeline {} serves gRPC on {} (Zeebe {}) and HTTP on {}\n", server->version,
                     server->grpc, response.gatewayversion(), server->http);
        } else {
          fmt::print("gRPC on {} speaks Zeebe {}; its version is not known: {}\n", client.address,
                     response.gatewayversion(), server.error());
        }
        for (const auto& broker : response.brokers()) {
          for (const auto& partition : broker.partitions()) {
            fmt::print("  partition {} is {} and {}\n", partition.partitionid(),
                       gw::Partition::PartitionBrokerRole_Name(partition.role()),
                       gw::Partition::PartitionBrokerHealth_Name(partition.health()));
          }
        }
      });
}

}  // namespace beeline::server
