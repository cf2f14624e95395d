#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace beeline::load {

enum class CallKind {
  Instance,  // create a process instance and complete its jobs
  Topology,  // one call that does nothing, which shows the limit of the transport
};

enum class JobSource {
  Poll,    // ActivateJobs, one call after another
  Stream,  // StreamActivatedJobs
};

// The requests to the gateway, from a file like this:
//
//     name = "one-task"
//     process-id = "one-task"
//     bpmn-file = "one_task.bpmn"     # beside this file; or bpmn = '''<bpmn:...'''
//     variables = '{"orderId": 4711}'
//     [worker]
//     job-type = "work"
//     jobs-per-instance = 1
//
// Missing settings have the defaults below.
struct Workload {
  std::string name;
  CallKind call = CallKind::Instance;
  std::string process_id;
  std::string bpmn;
  std::string variables = "{}";

  // An instance is complete when this number of its jobs is complete; 0 means as soon as it is
  // created.
  std::int32_t jobs_per_instance = 0;
  std::string job_type;
  JobSource job_source = JobSource::Poll;
  std::int32_t workers = 2;
  std::int32_t jobs_max = 64;  // limit of one ActivateJobs
  Milliseconds job_timeout{60'000};
  std::string result = "{}";  // variables with which jobs are completed
};

// `directory` contains the files that the workload names. The error is a sentence.
[[nodiscard]] Result<Workload, std::string> parse_workload(std::string_view toml,
                                                           const std::string& directory);
// The error names the file.
[[nodiscard]] Result<Workload, std::string> read_workload(const std::string& path);

}  // namespace beeline::load
