#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/builder.h"
#include "engine/engine.h"
#include "record/codec.h"
#include "record/record.h"
#include "record/values.h"

// Engine behaviour as record tables. *Given* brings instances to a point, *when* is one stimulus,
// *then* is every record it caused:
//
//   SCENARIO(completed_job_ends_the_instance) {
//     given.process("order", start() >> service_task("ship", job("courier")) >> end());
//     given.instance("order");
//     when.completes_job("courier");
//     then.records(R"(
//       C JOB COMPLETE
//       E JOB COMPLETED courier retries=3
//       ...
//       E ELEMENT COMPLETED order
//     )");
//   }
//
// A line names the kind of record (C, E, R), what it says, and its subject: the element, the job
// type, the variable. Only fields that matter follow, as `name=value`; `...` skips. Every scenario
// ends, unasked, by replaying its log into a fresh state and comparing.
namespace beeline::testing {

using namespace bpmn::build;  // NOLINT: scenarios are written in the builder's words
using namespace std::chrono_literals;
using record::RejectionType;

// One partition without a loop: commands go in, frames and answers are kept.
class World {
 public:
  explicit World(engine::EngineOptions options = {});

  // Processes a command and all that follows from it.
  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value, bool awaits_answer = true) {
    std::string bytes;
    record::encode(value, bytes);
    submit_bytes(T::kType, static_cast<record::IntentNumber>(intent), key, bytes, awaits_answer);
  }
  void submit_bytes(record::ValueType type, record::IntentNumber intent, Key key,
                    std::string_view value, bool awaits_answer);
  // Moves the clock and processes what is due.
  void pass(Milliseconds duration);

  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] engine::Engine& engine() { return engine_; }
  [[nodiscard]] const engine::EngineState& state() const { return engine_.state(); }
  [[nodiscard]] const std::vector<record::OwnedRecord>& records() const { return records_; }
  [[nodiscard]] const std::deque<engine::Response>& answers() const { return answers_; }
  [[nodiscard]] std::size_t mark() const { return mark_; }
  void set_mark() { mark_ = records_.size(); }

  // Empty when a replay of the log gives the same state, otherwise what differs.
  [[nodiscard]] std::string compare_with_replay() const;

 private:
  void keep_output();
  void drain();

  engine::EngineOptions options_;
  engine::Engine engine_;
  engine::BatchOutput output_;
  Timestamp now_{1'700'000'000'000};
  record::RequestId next_request_ = 1;
  std::vector<std::string> frames_;
  std::vector<record::OwnedRecord> records_;
  std::deque<engine::Response> answers_;
  std::size_t mark_ = 0;
};

// What can be done to a world, in the words of scenarios.
class Actions {
 public:
  Actions(World& world, bool is_stimulus) : world_(world), is_stimulus_(is_stimulus) {}

  template <typename... Items>
  void process(std::string id, Items... items) {
    deploys({{id + ".bpmn", bpmn::build::process(id, std::move(items)...).to_xml()}});
  }
  void model(const std::string& name, const Model& model) { deploys({{name, model.to_xml()}}); }
  void deploys(const std::vector<std::pair<std::string, std::string>>& resources);

  // Gives the key of the instance; unset when the creation was rejected.
  Key instance(const std::string& process_id, std::string_view variables = "");
  void creates(const record::ProcessInstanceCreationRecord& creation, bool awaits_result = false);
  void cancels(Key process_instance);

  std::vector<Key> activates_jobs(const std::string& type, int max = 100,
                                  Milliseconds timeout = Milliseconds{60'000},
                                  std::vector<std::string> fetch = {});
  // Of the oldest job of the type that is still there.
  void completes_job(const std::string& type, std::string_view variables = "");
  void fails_job(const std::string& type, int retries, std::string_view message = "",
                 Milliseconds backoff = Milliseconds{0}, std::string_view variables = "");
  void throws_error(const std::string& type, std::string_view code, std::string_view message = "",
                    std::string_view variables = "");
  void updates_retries(const std::string& type, int retries);
  void updates_timeout(const std::string& type, Milliseconds timeout);
  void yields(const std::string& type);
  // A job command with whatever key.
  void job_command(record::JobIntent intent, Key key);

  // The oldest open incident.
  void resolves_incident();
  void resolves_incident(Key key);
  void sets_variables(Key scope, std::string_view variables, bool local = false);
  void time_passes(Milliseconds duration);
  // Any command.
  template <typename T>
  void submits(typename T::Intent intent, Key key, const T& value) {
    begin();
    world_.submit(intent, key, value);
  }

  // The oldest job of this type that is still there.
  [[nodiscard]] Key job_key(const std::string& type) const;
  // The latest instance of this element, gone or not.
  [[nodiscard]] Key element(std::string_view element_id) const;
  [[nodiscard]] Key incident_key() const;

 private:
  void begin() {
    if (is_stimulus_) world_.set_mark();
  }
  World& world_;
  bool is_stimulus_;
};

// What must hold after the stimulus.
class Expectations {
 public:
  explicit Expectations(World& world) : world_(world) {}

  // Every record since the stimulus began.
  void records(std::string_view table) const;
  // Every record of these since the stimulus began: those whose line begins with one of the words,
  // such as "E ELEMENT" or "C".
  void records_of(std::vector<std::string> beginnings, std::string_view table) const;
  // The last command was refused so.
  void rejected(RejectionType type, std::string_view reason_part) const;
  // The last command was answered with an event.
  void answered() const;
  // The JSON of a variable as it is seen from a scope; "absent" when it is not.
  [[nodiscard]] std::string variable(Key scope, std::string_view name) const;
  [[nodiscard]] std::size_t open_incidents() const { return world_.state().incidents().count(); }
  // No element instance is left.
  void all_done() const;

 private:
  World& world_;
};

class ScenarioTest : public ::testing::Test {
 protected:
  ScenarioTest() : given(world, false), when(world, true), then(world) {}
  void TearDown() override;

  World world;
  Actions given;
  Actions when;
  Expectations then;
};

// "E ELEMENT ACTIVATING ship ..." of a record.
[[nodiscard]] std::string describe(const record::OwnedRecord& record);

}  // namespace beeline::testing

#define SCENARIO(name)                                     \
  class name : public ::beeline::testing::ScenarioTest {}; \
  TEST_F(name, holds)
