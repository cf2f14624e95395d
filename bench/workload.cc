#include "bench/workload.h"

#include "base/check.h"
#include "bpmn/builder.h"
#include "record/codec.h"
#include "record/values.h"

namespace beeline::bench {

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

CoreDriver::CoreDriver() : engine_(engine::EngineOptions{}) {}

template <typename T>
void CoreDriver::submit(typename T::Intent intent, Key key, const T& value) {
  bytes_.clear();
  record::encode(value, bytes_);
  engine_.process({T::kType, static_cast<record::IntentNumber>(intent), key, bytes_, 1, -1},
                  Timestamp{1'700'000'000'000}, output_);
  engine_.commit();
  if (frames_ != nullptr) frames_->push_back(output_.frame);
  BEELINE_CHECK(output_.rejections == 0, "the workload was rejected");
}

void CoreDriver::deploy() {
  record::DeploymentRecord deployment;
  deployment.resources.push_back({"one_task.bpmn", one_task_xml()});
  submit(record::DeploymentIntent::Create, Key{}, deployment);
}

void CoreDriver::create(const record::Document& variables) {
  record::ProcessInstanceCreationRecord creation;
  creation.bpmn_process_id = "one_task";
  creation.variables = variables;
  submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
}

void CoreDriver::work_off(int max) {
  record::JobBatchRecord batch;
  batch.type = "work";
  batch.worker = "bench";
  batch.timeout = Milliseconds{60'000};
  batch.max_jobs_to_activate = max;
  submit(record::JobBatchIntent::Activate, Key{}, batch);
  const auto activated =
      record::decode<record::JobBatchRecord>(output_.responses.back().record.value);
  for (const Key key : activated.job_keys) {
    submit(record::JobIntent::Complete, key, record::JobRecord{});
  }
}

}  // namespace beeline::bench
