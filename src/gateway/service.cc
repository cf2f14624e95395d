#include "gateway/service.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <climits>
#include <exception>
#include <string>
#include <utility>

#include "base/log.h"
#include "gateway.pb.h"
#include "gateway/reflection.h"
#include "gateway/requests.h"
#include "gateway/responses.h"
#include "gateway/text.h"

namespace beeline::gateway {

namespace {

gateway_protocol::Partition::PartitionBrokerHealth to_protocol(stream::Health health) {
  switch (health) {
    case stream::Health::Healthy:
      return gateway_protocol::Partition::HEALTHY;
    case stream::Health::Unhealthy:
      return gateway_protocol::Partition::UNHEALTHY;
    case stream::Health::Dead:
      return gateway_protocol::Partition::DEAD;
  }
  return gateway_protocol::Partition::UNHEALTHY;
}

}  // namespace

using CallPtr = std::shared_ptr<Call>;

// One function per RPC that is served, and the table of them all.
struct Service::Methods {
  using Handle = void (*)(Service&, std::string_view request, CallPtr);
  struct Method {
    MethodKind kind;
    Handle handle;
  };

  // Reads the request and passes it on; bytes that are no such message end the call.
  template <typename Request, void (*kHandle)(Service&, const Request&, CallPtr)>
  static void read(Service& service, std::string_view bytes, CallPtr call) {
    Request request;
    if (bytes.size() > INT_MAX ||
        !request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      call->finish(invalid_argument(fmt::format(
          "Expected to read a message of type {}, but the bytes of the request are none: they are "
          "malformed, or a text in them is not UTF-8",
          request.GetTypeName())));
      return;
    }
    kHandle(service, request, std::move(call));
  }

  // RPCs that are one command and its answer.
  template <typename Request, Respond kRespond>
  static void command(Service& service, const Request& request, CallPtr call) {
    send(service, to_command(request), service.options_.request_timeout, std::move(call), kRespond);
  }

  static void send(Service& service, MappedRequest mapped, Milliseconds timeout, CallPtr call,
                   Respond respond) {
    if (!mapped) {
      call->finish(std::move(mapped.error()));
      return;
    }
    service.commands_.send(std::move(*mapped), timeout, std::move(call), respond);
  }

  // Answers that may be larger than a client accepts.
  static void send_limited(Service& service, MappedRequest mapped, Milliseconds timeout,
                           const CallPtr& call, RespondWithin respond) {
    if (!mapped) return call->finish(std::move(mapped.error()));
    service.commands_.send(
        std::move(*mapped), timeout,
        [call, respond, bytes_max = service.options_.message_bytes_max](const Outcome& outcome) {
          if (outcome) {
            respond(**outcome, *call, bytes_max);
          } else {
            call->finish(outcome.error());
          }
        });
  }

  static void create_with_result(
      Service& service, const gateway_protocol::CreateProcessInstanceWithResultRequest& request,
      CallPtr call) {
    const Milliseconds timeout = request.requesttimeout() > 0
                                     ? Milliseconds{request.requesttimeout()}
                                     : service.options_.request_timeout;
    send_limited(service, to_command(request), timeout, call, respond_create_instance_with_result);
  }

  static void evaluate_decision(Service& service,
                                const gateway_protocol::EvaluateDecisionRequest& request,
                                CallPtr call) {
    send_limited(service, to_command(request), service.options_.request_timeout, call,
                 respond_evaluate_decision);
  }

  static void publish_message(Service& service,
                              const gateway_protocol::PublishMessageRequest& request,
                              CallPtr call) {
    send(service, to_command(request, service.partitions_.count()),
         service.options_.request_timeout, std::move(call), respond_publish_message);
  }

  static void activate_jobs(Service& service, const gateway_protocol::ActivateJobsRequest& request,
                            CallPtr call) {
    auto batch = to_job_batch(request);
    if (!batch) {
      call->finish(std::move(batch.error()));
      return;
    }
    service.jobs_->poll(std::move(*batch), Milliseconds{request.requesttimeout()}, std::move(call));
  }

  static void stream_jobs(Service& service,
                          const gateway_protocol::StreamActivatedJobsRequest& request,
                          CallPtr call) {
    auto batch = to_job_batch(request);
    if (!batch) {
      call->finish(std::move(batch.error()));
      return;
    }
    service.jobs_->open_stream(std::move(*batch), std::move(call));
  }

  static void topology(Service& service, const gateway_protocol::TopologyRequest&, CallPtr call) {
    const GatewayOptions& options = service.options_;
    gateway_protocol::TopologyResponse response;
    response.set_clustersize(1);
    response.set_partitionscount(service.partitions_.count());
    response.set_replicationfactor(1);
    response.set_gatewayversion(options.version);
    response.set_clusterid(options.cluster_id);
    gateway_protocol::BrokerInfo& broker = *response.add_brokers();
    broker.set_nodeid(options.node_id);
    broker.set_host(options.node_host);
    broker.set_port(options.node_port);
    broker.set_version(options.version);
    broker.set_brokerid(fmt::format("{}", options.node_id));
    for (std::int32_t id = 1; id <= service.partitions_.count(); ++id) {
      gateway_protocol::Partition& partition = *broker.add_partitions();
      partition.set_partitionid(id);
      partition.set_role(gateway_protocol::Partition::LEADER);
      partition.set_health(
          to_protocol(service.partitions_.partition(PartitionId{id}).condition().health));
    }
    call->respond(response);
  }

  static void health_check(Service& service, const grpc::health::v1::HealthCheckRequest& request,
                           CallPtr call) {
    service.health_->check(request, *call);
  }

  static void health_watch(Service& service, const grpc::health::v1::HealthCheckRequest& request,
                           CallPtr call) {
    service.health_->watch(request, std::move(call));
  }

  static void reflection(Service&, const grpc::reflection::v1::ServerReflectionRequest& request,
                         CallPtr call) {
    call->send(reflect(request));
  }

  using Table = absl::flat_hash_map<std::string, Method>;

  static void add_commands(Table& table);
  static Table make_table();
  static const Method* find(std::string_view path) {
    static const Table table = make_table();
    const auto found = table.find(absl::string_view(path.data(), path.size()));
    return found == table.end() ? nullptr : &found->second;
  }
};

void Service::Methods::add_commands(Table& table) {
  const auto add = [&](std::string_view name, Handle handle) {
    table.emplace(fmt::format("/gateway_protocol.Gateway/{}", name),
                  Method{MethodKind::OneRequest, handle});
  };
  using namespace gateway_protocol;
#define BEELINE_COMMAND(name, respond) \
  add(#name, read<name##Request, command<name##Request, respond>>)
  BEELINE_COMMAND(CompleteJob, respond_empty<CompleteJobResponse>);
  BEELINE_COMMAND(FailJob, respond_empty<FailJobResponse>);
  BEELINE_COMMAND(ThrowError, respond_empty<ThrowErrorResponse>);
  BEELINE_COMMAND(UpdateJobRetries, respond_empty<UpdateJobRetriesResponse>);
  BEELINE_COMMAND(UpdateJobTimeout, respond_empty<UpdateJobTimeoutResponse>);
  BEELINE_COMMAND(CancelProcessInstance, respond_empty<CancelProcessInstanceResponse>);
  BEELINE_COMMAND(ResolveIncident, respond_empty<ResolveIncidentResponse>);
  BEELINE_COMMAND(SetVariables, respond_set_variables);
  BEELINE_COMMAND(DeployResource, respond_deploy_resource);
  BEELINE_COMMAND(DeployProcess, respond_deploy_process);
  BEELINE_COMMAND(DeleteResource, respond_delete_resource);
  BEELINE_COMMAND(CreateProcessInstance, respond_create_instance);
#undef BEELINE_COMMAND
  add("CreateProcessInstanceWithResult",
      read<CreateProcessInstanceWithResultRequest, create_with_result>);
  add("EvaluateDecision", read<EvaluateDecisionRequest, evaluate_decision>);
  add("PublishMessage", read<PublishMessageRequest, publish_message>);
  add("ActivateJobs", read<ActivateJobsRequest, activate_jobs>);
  add("StreamActivatedJobs", read<StreamActivatedJobsRequest, stream_jobs>);
  add("Topology", read<TopologyRequest, topology>);
}

Service::Methods::Table Service::Methods::make_table() {
  Table table;
  add_commands(table);
  table.emplace(
      "/grpc.health.v1.Health/Check",
      Method{MethodKind::OneRequest, read<grpc::health::v1::HealthCheckRequest, health_check>});
  table.emplace(
      "/grpc.health.v1.Health/Watch",
      Method{MethodKind::OneRequest, read<grpc::health::v1::HealthCheckRequest, health_watch>});
  // The two versions differ in nothing but their name.
  for (const std::string_view version : {"v1", "v1alpha"}) {
    table.emplace(fmt::format("/grpc.reflection.{}.ServerReflection/ServerReflectionInfo", version),
                  Method{MethodKind::ManyRequests,
                         read<grpc::reflection::v1::ServerReflectionRequest, reflection>});
  }
  return table;
}

Service::Service(const GatewayOptions& options, stream::Partitions& partitions,
                 std::shared_ptr<Loop> loop)
    : options_(options),
      partitions_(partitions),
      // The record of a request that the transport let in is less than twice as large as the
      // request itself, even if all of it is the shortest members that JSON can write.
      commands_(partitions, loop, 2 * options.message_bytes_max),
      jobs_(std::make_shared<JobDispatcher>(
          std::make_shared<JobActivator>(partitions, loop, options.message_bytes_max),
          JobPolls::Timeouts{.long_poll = options.long_poll_timeout,
                             .probe_interval = options.long_poll_probe_interval,
                             .request = options.request_timeout},
          JobStreams::Limits{.jobs_max = options.stream_jobs_max,
                             .stall_timeout = options.stream_stall_timeout})) {}

MethodKind Service::kind_of(std::string_view method) {
  const Methods::Method* found = Methods::find(method);
  return found == nullptr ? MethodKind::Unknown : found->kind;
}

Status Service::unknown_method(std::string_view method) {
  const std::size_t slash = method.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? method : method.substr(slash + 1);
  return unimplemented(
      fmt::format("Expected to handle request {}, but this version does not "
                  "implement it",
                  first_bytes(name, 256)));
}

void Service::handle(std::string_view method, std::string_view physical_tenant,
                     std::string_view request, std::shared_ptr<Call> call) {
  const Methods::Method* found = Methods::find(method);
  if (found == nullptr) {
    call->finish(unknown_method(method));
    return;
  }
  if (!physical_tenant.empty() && physical_tenant != "default") {
    call->finish({StatusCode::NotFound,
                  fmt::format("Unknown physical tenant: {}", first_bytes(physical_tenant, 256))});
    return;
  }
  // The thread is the transport's, and no exception of ours may end it.
  try {
    found->handle(*this, request, call);
  } catch (const std::exception& error) {
    log::error("A request failed unexpectedly method={} error={}", method, error.what());
    call->finish(unexpected_error(error.what()));
  }
}

}  // namespace beeline::gateway
