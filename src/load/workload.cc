#include "load/workload.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "base/toml.h"

namespace beeline::load {
namespace {

using Done = Result<void, std::string>;

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

Done set_number(const toml::Entry& entry, std::int32_t least, std::int32_t& out) {
  std::int32_t number = 0;
  const char* const end = entry.text.data() + entry.text.size();
  const auto [stop, error] = std::from_chars(entry.text.data(), end, number);
  if (error != std::errc{} || stop != end || number < least) {
    return failure(fmt::format("'{}' in line {} must be a whole number of at least {}.", entry.key,
                               entry.line, least));
  }
  out = number;
  return {};
}

Done set_bpmn_file(const toml::Entry& entry, const std::string& directory, std::string& out) {
  const std::string path = std::filesystem::path(directory) / entry.text;
  auto content = read_file(path);
  if (!content) return failure(fmt::format("The file {} cannot be read.", path));
  out = *std::move(content);
  return {};
}

Done set_call(const toml::Entry& entry, CallKind& out) {
  if (entry.text != "instance" && entry.text != "topology") {
    return failure(
        fmt::format("'call' in line {} must be \"instance\" or \"topology\".", entry.line));
  }
  out = entry.text == "instance" ? CallKind::Instance : CallKind::Topology;
  return {};
}

Done set_job_source(const toml::Entry& entry, JobSource& out) {
  if (entry.text != "poll" && entry.text != "stream") {
    return failure(
        fmt::format("'worker.source' in line {} must be \"poll\" or \"stream\".", entry.line));
  }
  out = entry.text == "poll" ? JobSource::Poll : JobSource::Stream;
  return {};
}

Done set_text(const toml::Entry& entry, std::string& out) {
  if (entry.kind != toml::Kind::String) {
    return failure(fmt::format("'{}' in line {} must be a string.", entry.key, entry.line));
  }
  out = entry.text;
  return {};
}

Done apply(const toml::Entry& entry, const std::string& directory, Workload& workload) {
  const std::string& key = entry.key;
  if (key == "name") return set_text(entry, workload.name);
  if (key == "call") return set_call(entry, workload.call);
  if (key == "process-id") return set_text(entry, workload.process_id);
  if (key == "bpmn") return set_text(entry, workload.bpmn);
  if (key == "bpmn-file") return set_bpmn_file(entry, directory, workload.bpmn);
  if (key == "variables") return set_text(entry, workload.variables);
  if (key == "worker.job-type") return set_text(entry, workload.job_type);
  if (key == "worker.source") return set_job_source(entry, workload.job_source);
  if (key == "worker.result") return set_text(entry, workload.result);
  if (key == "worker.count") return set_number(entry, 1, workload.workers);
  if (key == "worker.jobs-max") return set_number(entry, 1, workload.jobs_max);
  if (key == "worker.jobs-per-instance") return set_number(entry, 0, workload.jobs_per_instance);
  if (key == "worker.job-timeout-ms") {
    std::int32_t millis = 0;
    BEELINE_TRY_VOID(set_number(entry, 1, millis));
    workload.job_timeout = Milliseconds{millis};
    return {};
  }
  return failure(fmt::format("'{}' in line {} is not a setting of a workload.", key, entry.line));
}

Done check(const Workload& workload) {
  const auto missing = [](std::string_view key) {
    return failure(fmt::format("'{}' is missing.", key));
  };
  if (workload.name.empty()) return missing("name");
  if (workload.call == CallKind::Topology) return {};
  if (workload.process_id.empty()) return missing("process-id");
  if (workload.jobs_per_instance > 0 && workload.job_type.empty()) {
    return missing("worker.job-type");
  }
  return {};
}

}  // namespace

Result<Workload, std::string> parse_workload(std::string_view text, const std::string& directory) {
  const auto entries = toml::parse(text);
  if (!entries) {
    return failure(fmt::format("There is a mistake in line {}: {}", entries.error().line,
                               entries.error().message));
  }
  Workload workload;
  for (const auto& entry : *entries) BEELINE_TRY_VOID(apply(entry, directory, workload));
  BEELINE_TRY_VOID(check(workload));
  return workload;
}

Result<Workload, std::string> read_workload(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return failure(fmt::format("The workload {} cannot be read.", path));
  auto workload = parse_workload(*text, std::filesystem::path(path).parent_path());
  if (!workload)
    return failure(fmt::format("The workload {} is wrong: {}", path, workload.error()));
  return workload;
}

}  // namespace beeline::load
