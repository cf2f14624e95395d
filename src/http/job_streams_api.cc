#include "http/job_streams_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "record/json.h"

namespace beeline::http {
namespace {

using service::JobStreams;

// The only node of this server, as in the Topology response.
constexpr int kNode = 0;

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts)
    json += (json.size() > 1 ? "," : "") + record::json_string(text);
  return json + "]";
}

std::string metadata_of(const record::JobBatchRecord& request) {
  return fmt::format(R"({{"worker":{},"timeout":"{}","fetchVariables":{},"tenantIds":{}}})",
                     record::json_string(request.worker), iso_duration(request.timeout),
                     quoted_list(request.variables), quoted_list(request.tenant_ids));
}

// Streams with the same identity are one stream to a broker.
std::string identity_of(const record::JobBatchRecord& request) {
  return record::json_string(request.type) + metadata_of(request);
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

// Returns a UUID (version 8, which is free for own use) derived from the stream's identity, so both
// lists use the same id for a stream.
std::string uuid_of(const std::string& identity) {
  constexpr std::uint64_t kFirst = 0xcbf29ce484222325;
  constexpr std::uint64_t kSecond = 0x84222325cbf29ce4;
  const std::uint64_t a = fnv1a(identity, kFirst);
  const std::uint64_t b = fnv1a(identity, kSecond);
  return fmt::format("{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}", a >> 32, (a >> 16) & 0xffff, a & 0xfff,
                     0x8000 | (b >> 50), b & 0xffff'ffff'ffff);
}

std::string answer_of(std::string_view kind, std::span<const JobStreams::Info> streams) {
  if (kind == "remote") return remote_streams(streams);
  if (kind == "client") return client_streams(streams);
  return fmt::format(R"({{"remote":{},"client":{}}})", remote_streams(streams),
                     client_streams(streams));
}

}  // namespace

std::string iso_duration(Milliseconds duration) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  constexpr std::int64_t kHour = 60 * kMinute;
  const std::int64_t all = duration.count();
  std::string text = "PT";
  if (all >= kHour) text += fmt::format("{}H", all / kHour);
  if (all % kHour >= kMinute) text += fmt::format("{}M", all % kHour / kMinute);
  if (const std::int64_t rest = all % kMinute; rest != 0 || all == 0) {
    std::string fraction = rest % kSecond == 0 ? "" : fmt::format(".{:03}", rest % kSecond);
    while (fraction.ends_with('0')) fraction.pop_back();
    text += fmt::format("{}{}S", rest / kSecond, fraction);
  }
  return text;
}

std::string remote_streams(std::span<const JobStreams::Info> streams) {
  std::string json = "[";
  std::vector<std::string> seen;
  for (const JobStreams::Info& stream : streams) {
    std::string identity = identity_of(stream.request);
    if (std::ranges::find(seen, identity) != seen.end()) continue;
    json += fmt::format(
        R"({}{{"jobType":{},"metadata":{},"consumers":[{{"id":"{}","receiver":"{}"}}]}})",
        seen.empty() ? "" : ",", record::json_string(stream.request.type),
        metadata_of(stream.request), uuid_of(identity), kNode);
    seen.push_back(std::move(identity));
  }
  return json + "]";
}

std::string client_streams(std::span<const JobStreams::Info> streams) {
  std::string json = "[";
  for (const JobStreams::Info& stream : streams) {
    json += fmt::format(
        R"({}{{"jobType":{},"id":{{"serverStreamId":"{}","localId":{}}},"metadata":{},"connectedTo":[{}]}})",
        json.size() > 1 ? "," : "", record::json_string(stream.request.type),
        uuid_of(identity_of(stream.request)), stream.number, metadata_of(stream.request), kNode);
  }
  return json + "]";
}

void list_job_streams(const std::string& kind, Responder responder, service::JobDispatcher& jobs) {
  if (!kind.empty() && kind != "remote" && kind != "client") {
    return responder.answer(problem(
        400, fmt::format("Expected the kind of job streams to be remote or client, but it is '{}'.",
                         kind.substr(0, 100))));
  }
  jobs.list_streams([kind, responder = std::move(responder)](
                        const std::vector<JobStreams::Info>& streams) mutable {
    responder.answer({.body = answer_of(kind, streams) + "\n", .headers = {}});
  });
}

void add_job_streams_endpoints(Router& router, const Api& api) {
  const auto add = [&](std::string_view path, std::string (*kind_of)(const Request&)) {
    router.add(Method::Get, path,
               while_running(
                   api, "The server has no job streams now.",
                   [&service = api.service, kind_of](const Request& request, Responder responder) {
                     list_job_streams(kind_of(request), std::move(responder), service.jobs());
                   }));
  };
  add(kJobStreamsPath, [](const Request&) { return std::string{}; });
  add(fmt::format("{}/{{kind}}", kJobStreamsPath),
      [](const Request& request) { return request.parameter("kind"); });
}

}  // namespace beeline::http
