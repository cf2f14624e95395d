#include "gateway/methods.h"

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
#include "service/text.h"

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
struct Methods::Handlers {
  using Handle = void (*)(Methods&, const service::Principal&, std::string_view request, CallPtr);
  struct Method {
    MethodKind kind;
    Handle handle;
  };

  // Parses the request and passes it on; bytes that are not such a message end the call.
  template <typename Request,
            void (*kHandle)(Methods&, const service::Principal&, const Request&, CallPtr)>
  static void read(Methods& methods, const service::Principal& principal, std::string_view bytes,
                   CallPtr call) {
    Request request;
    if (bytes.size() > INT_MAX ||
        !request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      call->finish(invalid_argument(
          fmt::format("Expected a message of type {}, but the request cannot be parsed: its bytes "
                      "are malformed, or a text in it is not UTF-8",
                      request.GetTypeName())));
      return;
    }
    kHandle(methods, principal, request, std::move(call));
  }

  // RPCs that are one command and its answer.
  template <typename Message, Respond kRespond>
  static void command(Methods& methods, const service::Principal& principal, const Message& message,
                      CallPtr call) {
    methods.service_.send(
        principal, to_request(message), methods.service_.options().request_timeout,
        [call = std::move(call)](const service::Outcome<service::Answer>& outcome) {
          if (!outcome) return call->finish(status_of(outcome.error()));
          kRespond(**outcome, *call);
        });
  }

  // RPCs whose answers may be larger than a client accepts.
  template <typename Message, RespondWithin kRespond>
  static void limited_command(Methods& methods, const service::Principal& principal,
                              const Message& message, Milliseconds timeout, CallPtr call) {
    const std::size_t bytes_max = methods.service_.options().message_bytes_max;
    methods.service_.send(
        principal, to_request(message), timeout,
        [call = std::move(call), bytes_max](const service::Outcome<service::Answer>& outcome) {
          if (!outcome) return call->finish(status_of(outcome.error()));
          kRespond(**outcome, *call, bytes_max);
        });
  }

  static void create_with_result(
      Methods& methods, const service::Principal& principal,
      const gateway_protocol::CreateProcessInstanceWithResultRequest& message, CallPtr call) {
    const Milliseconds timeout = message.requesttimeout() > 0
                                     ? Milliseconds{message.requesttimeout()}
                                     : methods.service_.options().request_timeout;
    limited_command<gateway_protocol::CreateProcessInstanceWithResultRequest,
                    respond_create_instance_with_result>(methods, principal, message, timeout,
                                                         std::move(call));
  }

  static void evaluate_decision(Methods& methods, const service::Principal& principal,
                                const gateway_protocol::EvaluateDecisionRequest& message,
                                CallPtr call) {
    limited_command<gateway_protocol::EvaluateDecisionRequest, respond_evaluate_decision>(
        methods, principal, message, methods.service_.options().request_timeout, std::move(call));
  }

  static void activate_jobs(Methods& methods, const service::Principal& principal,
                            const gateway_protocol::ActivateJobsRequest& message, CallPtr call) {
    methods.service_.activate(principal, to_request(message),
                              Milliseconds{message.requesttimeout()},
                              make_poll_sink(std::move(call)));
  }

  static void stream_jobs(Methods& methods, const service::Principal& principal,
                          const gateway_protocol::StreamActivatedJobsRequest& message,
                          CallPtr call) {
    methods.service_.open_stream(principal, to_request(message), make_stream_sink(std::move(call)));
  }

  static void topology(Methods& methods, const service::Principal&,
                       const gateway_protocol::TopologyRequest&, CallPtr call) {
    const GatewayOptions& options = methods.options_;
    gateway_protocol::TopologyResponse response;
    response.set_clustersize(1);
    response.set_partitionscount(methods.service_.partitions().count());
    response.set_replicationfactor(1);
    response.set_gatewayversion(options.version);
    response.set_clusterid(options.cluster_id);
    gateway_protocol::BrokerInfo& broker = *response.add_brokers();
    broker.set_nodeid(options.node_id);
    broker.set_host(options.address.host);
    broker.set_port(options.address.port);
    broker.set_version(options.version);
    broker.set_brokerid(fmt::format("{}", options.node_id));
    for (std::int32_t id = 1; id <= methods.service_.partitions().count(); ++id) {
      gateway_protocol::Partition& partition = *broker.add_partitions();
      partition.set_partitionid(id);
      partition.set_role(gateway_protocol::Partition::LEADER);
      partition.set_health(
          to_protocol(methods.service_.partitions().partition(PartitionId{id}).condition().health));
    }
    call->respond(response);
  }

  static void health_check(Methods& methods, const service::Principal&,
                           const grpc::health::v1::HealthCheckRequest& request, CallPtr call) {
    methods.health_->check(request, *call);
  }

  static void health_watch(Methods& methods, const service::Principal&,
                           const grpc::health::v1::HealthCheckRequest& request, CallPtr call) {
    methods.health_->watch(request, std::move(call));
  }

  static void reflection(Methods&, const service::Principal&,
                         const grpc::reflection::v1::ServerReflectionRequest& request,
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

void Methods::Handlers::add_commands(Table& table) {
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
  BEELINE_COMMAND(PublishMessage, respond_publish_message);
  BEELINE_COMMAND(BroadcastSignal, respond_broadcast_signal);
  BEELINE_COMMAND(EvaluateConditional, respond_evaluate_conditional);
#undef BEELINE_COMMAND
  add("CreateProcessInstanceWithResult",
      read<CreateProcessInstanceWithResultRequest, create_with_result>);
  add("EvaluateDecision", read<EvaluateDecisionRequest, evaluate_decision>);
  add("ActivateJobs", read<ActivateJobsRequest, activate_jobs>);
  add("StreamActivatedJobs", read<StreamActivatedJobsRequest, stream_jobs>);
  add("Topology", read<TopologyRequest, topology>);
}

Methods::Handlers::Table Methods::Handlers::make_table() {
  Table table;
  add_commands(table);
  table.emplace(
      "/grpc.health.v1.Health/Check",
      Method{MethodKind::OneRequest, read<grpc::health::v1::HealthCheckRequest, health_check>});
  table.emplace(
      "/grpc.health.v1.Health/Watch",
      Method{MethodKind::OneRequest, read<grpc::health::v1::HealthCheckRequest, health_watch>});
  // The two versions differ only in their name.
  for (const std::string_view version : {"v1", "v1alpha"}) {
    table.emplace(fmt::format("/grpc.reflection.{}.ServerReflection/ServerReflectionInfo", version),
                  Method{MethodKind::ManyRequests,
                         read<grpc::reflection::v1::ServerReflectionRequest, reflection>});
  }
  return table;
}

MethodKind Methods::kind_of(std::string_view method) {
  const Handlers::Method* found = Handlers::find(method);
  return found == nullptr ? MethodKind::Unknown : found->kind;
}

Status Methods::unknown_method(std::string_view method) {
  const std::size_t slash = method.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? method : method.substr(slash + 1);
  return unimplemented(
      fmt::format("Expected to handle request {}, but this version does not "
                  "implement it",
                  service::first_bytes(name, 256)));
}

void Methods::handle(std::string_view method, const CallOrigin& origin, std::string_view request,
                     std::shared_ptr<Call> call) {
  const Handlers::Method* found = Handlers::find(method);
  if (found == nullptr) {
    call->finish(unknown_method(method));
    return;
  }
  const std::string& tenant = origin.physical_tenant;
  if (!tenant.empty() && tenant != "default") {
    call->finish({StatusCode::NotFound,
                  fmt::format("Unknown physical tenant: {}", service::first_bytes(tenant, 256))});
    return;
  }
  // The thread belongs to the transport, and our exceptions must not end it.
  try {
    found->handle(*this, origin.principal, request, call);
  } catch (const std::exception& error) {
    log::error("A request failed unexpectedly method={} error={}", method, error.what());
    call->finish(status_of(service::unexpected_error(error.what())));
  }
}

}  // namespace beeline::gateway
