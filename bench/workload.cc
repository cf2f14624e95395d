#include "bench/workload.h"

#include "base/check.h"
#include "bpmn/builder.h"
#include "record/codec_impl.h"
#include "record/values.h"

namespace beeline::bench {
namespace {

constexpr Timestamp kNow{1'700'000'000'000};

// The client reads only the keys of JOB_BATCH ACTIVATED. Workers read the jobs, which is not
// part of the measurement.
struct ActivatedKeys {
  std::vector<Key> job_keys;
  static constexpr auto fields() {
    return std::tuple{record::field(7, "jobKeys", &ActivatedKeys::job_keys)};
  }
};

}  // namespace

std::string one_task_xml() {
  using namespace bpmn::build;  // NOLINT: the builder's words
  return process("one_task", start() >> service_task("work", job("work")) >> bpmn::build::end())
      .to_xml();
}

record::Document payload(const std::string& name) {
  record::Document document;
  if (name == "small") {
    document.entries.push_back({"orderId", "\"A-1\""});
  } else if (name == "three") {
    document.entries.push_back({"orderId", "\"A-1\""});
    document.entries.push_back({"amount", "12.5"});
    document.entries.push_back({"paid", "false"});
  } else {
    for (int i = 0; i < 15; ++i) {
      document.entries.push_back(
          {"variable" + std::to_string(i), "\"" + std::string(21, 'x') + "\""});
    }
  }
  return document;
}

CoreDriver::CoreDriver(engine::EngineOptions options) : engine_(std::move(options)) {}

void CoreDriver::run(const engine::Engine::Command& command) {
  engine_.process(command, kNow, output_);
  take(output_);
  while (engine_.has_pending()) {
    engine_.process_pending(kNow, later_);
    take(later_);
  }
}

void CoreDriver::take(const engine::BatchOutput& output) {
  engine_.commit();
  if (frames_ != nullptr) frames_->push_back(output.frame);
  BEELINE_CHECK(output.rejections == 0, "the workload was rejected");
}

void CoreDriver::deploy(const std::string& xml) {
  record::DeploymentRecord deployment;
  deployment.resources.push_back({"process.bpmn", xml});
  submit(record::DeploymentIntent::Create, Key{}, deployment);
}

std::string creation_command(const record::Document& variables, const std::string& process_id) {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = process_id;
  creation.variables = variables;
  std::string command;
  record::encode(creation, command);
  return command;
}

void CoreDriver::create(const record::Document& variables, const std::string& process_id) {
  create(creation_command(variables, process_id));
}

void CoreDriver::create(std::string_view command) {
  const auto head = record::make_head<record::ProcessInstanceCreationRecord>(
      record::ProcessInstanceCreationIntent::Create, Key{});
  run({head.view(), command, 1});
}

std::size_t CoreDriver::work_off(int max, const std::string& variable) {
  record::JobBatchRecord batch;
  batch.type = "work";
  batch.worker = "bench";
  batch.timeout = Milliseconds{60'000};
  batch.max_jobs_to_activate = max;
  if (!variable.empty()) batch.variables.push_back(variable);
  submit(record::JobBatchIntent::Activate, Key{}, batch);
  const auto activated = record::decode<ActivatedKeys>(output_.responses.back().record.value);
  static const std::string kCompletion = [] {
    std::string command;
    record::encode(record::JobRecord{}, command);
    return command;
  }();
  for (const Key key : activated.job_keys) {
    const auto head = record::make_head<record::JobRecord>(record::JobIntent::Complete, key);
    run({head.view(), kCompletion, 1});
  }
  return activated.job_keys.size();
}

}  // namespace beeline::bench
