#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

// The client commands: each makes one call over gRPC, prints its answer and returns the exit code.
// An error is one sentence on standard error.
namespace beeline::server {

struct ClientOptions {
  std::string address = "127.0.0.1:26500";
  std::string http = "127.0.0.1:9600";  // for queries that the Zeebe protocol does not have
  bool json = false;                    // print the answer as one JSON object
  Milliseconds timeout{20'000};
};

[[nodiscard]] int deploy(const ClientOptions& client, const std::vector<std::string>& files);

struct CreateOptions {
  std::string process;  // its id; a number is the key of a definition
  std::int32_t version = -1;
  std::string variables = "{}";
  bool with_result = false;
  std::vector<std::string> start_before;     // elements to begin at; empty: the start event
  std::vector<std::string> terminate_after;  // elements after which the instance ends
};
[[nodiscard]] int create(const ClientOptions& client, const CreateOptions& options);

struct ActivateOptions {
  std::string type;
  std::int32_t max = 1;
  Milliseconds timeout{300'000};
  Milliseconds wait{0};  // how long to wait for a first job
  std::string worker = "beeline-cli";
};
[[nodiscard]] int activate_jobs(const ClientOptions& client, const ActivateOptions& options);

[[nodiscard]] int complete_job(const ClientOptions& client, std::int64_t key,
                               const std::string& variables);

struct FailOptions {
  std::int64_t key = 0;
  std::optional<std::int32_t> retries;  // empty: one less than the job has
  std::string message;
  Milliseconds backoff{0};
  std::string variables;
};
[[nodiscard]] int fail_job(const ClientOptions& client, const FailOptions& options);

[[nodiscard]] int update_job_retries(const ClientOptions& client, std::int64_t key,
                                     std::int32_t retries);
[[nodiscard]] int update_job_timeout(const ClientOptions& client, std::int64_t key,
                                     Milliseconds timeout);

struct ThrowOptions {
  std::int64_t key = 0;
  std::string code;
  std::string message;
  std::string variables;
};
[[nodiscard]] int throw_error(const ClientOptions& client, const ThrowOptions& options);

struct EvaluateOptions {
  std::string decision;  // its id; a number is the key of a decision
  std::string variables = "{}";
};
// Evaluates a deployed decision.
[[nodiscard]] int evaluate_decision(const ClientOptions& client, const EvaluateOptions& options);

[[nodiscard]] int cancel(const ClientOptions& client, std::int64_t instance);
[[nodiscard]] int set_variables(const ClientOptions& client, std::int64_t element_instance,
                                const std::string& variables, bool local);
struct PublishOptions {
  std::string name;
  std::string correlation_key;
  Milliseconds time_to_live{0};
  std::string id;
  std::string variables = "{}";
};
[[nodiscard]] int publish(const ClientOptions& client, const PublishOptions& options);

[[nodiscard]] int broadcast(const ClientOptions& client, const std::string& signal,
                            const std::string& variables);

// Starts the processes whose conditional start events hold; those of all processes if the
// definition is 0.
[[nodiscard]] int evaluate_conditional(const ClientOptions& client, std::int64_t definition,
                                       const std::string& variables);

[[nodiscard]] int delete_resource(const ClientOptions& client, std::int64_t resource);
[[nodiscard]] int resolve(const ClientOptions& client, std::int64_t incident);
[[nodiscard]] int status(const ClientOptions& client);

}  // namespace beeline::server
