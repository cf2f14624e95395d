#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "server/client.h"

// The commands that query a running server over HTTP, because the Zeebe protocol has no lists. An
// error is one sentence on standard error.
namespace beeline::server {

struct ListOptions {
  std::string kind;  // "jobs"
  std::vector<std::pair<std::string, std::string>> filters = {};
  std::int64_t limit = 100;
};
// Prints one item per line, ordered by key.
[[nodiscard]] int list(const ClientOptions& client, const ListOptions& options);

struct ShowOptions {
  std::int64_t key = 0;
  bool full = false;
};
[[nodiscard]] int show(const ClientOptions& client, const ShowOptions& options);

// Returns how many retries a job has left. The error is a sentence.
[[nodiscard]] Result<std::int32_t, std::string> job_retries(const ClientOptions& client,
                                                            std::int64_t job);
// Returns the instance with this tag; nothing if there is none, or if the server does not answer.
[[nodiscard]] std::optional<std::string> instance_with_tag(const ClientOptions& client,
                                                           const std::string& tag);

// The server's status (GET /api/status), as the members of one JSON object.
struct ServerStatus {
  std::string version;
  std::string grpc;
  std::string http;
};
[[nodiscard]] Result<ServerStatus, std::string> server_status(const ClientOptions& client);

}  // namespace beeline::server
