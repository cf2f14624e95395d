#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpmn/builder.h"
#include "engine/engine.h"
#include "record/codec.h"
#include "record/record.h"
#include "record/values.h"

// Engine behaviour as record tables. *Given* brings instances to a point, *when* is one stimulus,
// *then* lists every record that it caused:
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
// A line has the kind of record (C, E, R), its name, and its subject: the element, the job type,
// the variable. Only fields that matter follow, as `name=value`; `...` skips records. A rejection
// has its type as `rejection=NOT_FOUND`. Every scenario ends automatically with a replay of its log
// into a fresh state and a comparison.
//
// SCENARIO_STEP_BY_STEP processes one command per batch, so a race is the order in which commands
// are appended: with appends() no command runs to its end before the next is on the log.
namespace beeline::testing {

using namespace bpmn::build;  // NOLINT: scenarios are written in the builder's words
using namespace std::chrono_literals;
using record::RejectionType;

// One partition without a loop: it processes commands and keeps frames and answers.
class World {
 public:
  explicit World(engine::EngineOptions options = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Processes a command and its follow-up commands.
  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value, bool awaits_answer = true) {
    std::string bytes;
    record::encode(value, bytes);
    record::CommandHead head = record::make_head<T>(intent, key);
    head.principal = record::encoded(principal_);
    submit_bytes(head, bytes, awaits_answer);
  }
  // Sets the sender of the commands from now on; at first it is anonymous.
  void set_principal(record::Principal principal) { principal_ = std::move(principal); }
  void submit_bytes(const record::CommandHead& head, std::string_view value, bool awaits_answer);
  // Processes a command of another partition; see cluster.h.
  void receive(const engine::OutgoingCommand& command);
  // Returns the commands for other partitions since the last call.
  [[nodiscard]] std::vector<engine::OutgoingCommand> take_sends();
  // Discards everything except the log and continues from there.
  void restart();
  // Moves the clock, processes due commands and resends unacknowledged ones.
  void pass(Milliseconds duration);
  // While held, a command is put at the end of the log and one batch is processed from its front;
  // release() processes the rest.
  void hold() { is_held_ = true; }
  // Processes one batch of pending commands; there must be some.
  void step();
  void release();

  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] engine::Engine& engine() { return engine_; }
  [[nodiscard]] const engine::EngineState& state() const { return engine_.state(); }
  [[nodiscard]] const std::vector<record::OwnedRecord>& records() const { return records_; }
  [[nodiscard]] const std::deque<engine::Response>& answers() const { return answers_; }
  [[nodiscard]] const std::vector<std::string>& frames() const { return frames_; }
  [[nodiscard]] std::size_t mark() const { return mark_; }
  void set_mark() { mark_ = records_.size(); }

  // Returns an empty text if a replay of the log gives the same state, otherwise the difference.
  [[nodiscard]] std::string compare_with_replay() const;

 private:
  void keep_output();
  void drain();

  engine::EngineOptions options_;
  engine::Engine engine_;
  engine::BatchOutput output_;
  record::Principal principal_;
  Timestamp now_{1'700'000'000'000};
  record::RequestId next_request_ = 1;
  std::vector<std::string> frames_;
  std::vector<record::OwnedRecord> records_;
  std::deque<engine::Response> answers_;
  std::vector<engine::OutgoingCommand> sends_;
  std::size_t mark_ = 0;
  bool is_held_ = false;
};

// The properties of a message besides its name and correlation key.
struct Publication {
  std::string_view variables = "";
  Milliseconds time_to_live{0};
  std::string id = "";
};

// The actions on a world, in the words of scenarios.
class Actions {
 public:
  Actions(World& world, bool is_stimulus) : world_(world), is_stimulus_(is_stimulus) {}

  template <typename... Items>
  void process(std::string id, Items... items) {
    deploys({{id + ".bpmn", bpmn::build::process(id, std::move(items)...).to_xml()}});
  }
  void model(const std::string& name, const Model& model) { deploys({{name, model.to_xml()}}); }
  void deploys(const std::vector<std::pair<std::string, std::string>>& resources);

  // Deletes a process definition, or the decisions of a file.
  void deletes(Key resource);
  // Returns the latest version of a process; the key stays valid when the version is deleted.
  [[nodiscard]] Key definition(const std::string& process_id) const;

  // Returns the key of the instance; unset if the creation was rejected.
  Key instance(const std::string& process_id, std::string_view variables = "");
  void creates(const record::ProcessInstanceCreationRecord& creation, bool awaits_result = false);
  void cancels(Key process_instance);

  std::vector<Key> activates_jobs(const std::string& type, int max = 100,
                                  Milliseconds timeout = Milliseconds{60'000},
                                  std::vector<std::string> fetch = {});
  // These apply to the oldest job of the type that still exists.
  void completes_job(const std::string& type, std::string_view variables = "");
  void fails_job(const std::string& type, int retries, std::string_view message = "",
                 Milliseconds backoff = Milliseconds{0}, std::string_view variables = "");
  void throws_error(const std::string& type, std::string_view code, std::string_view message = "",
                    std::string_view variables = "");
  void updates_retries(const std::string& type, int retries);
  void updates_timeout(const std::string& type, Milliseconds timeout);
  void yields(const std::string& type);
  // Submits a job command with any key.
  void job_command(record::JobIntent intent, Key key);

  // Returns the key of the message; unset if it was rejected.
  Key publishes(const std::string& name, const std::string& correlation_key = "",
                const Publication& publication = {});
  // Correlates a message whose sender waits for the answer who received it.
  void correlates(const std::string& name, const std::string& correlation_key = "",
                  std::string_view variables = "", Key process_instance = Key{});

  // Broadcasts a signal whose sender waits for the number of receivers on all partitions.
  void broadcasts(const std::string& name, std::string_view variables = "");
  // Broadcasts a signal whose sender does not wait for the number.
  void signals(const std::string& name, std::string_view variables = "");

  // Resolves the oldest open incident.
  void resolves_incident();
  void resolves_incident(Key key);
  void sets_variables(Key scope, std::string_view variables, bool local = false);
  void time_passes(Milliseconds duration);
  // Appends the commands that `commands` submits through `given`, one after the other on the log.
  // Each follows the records that the previous command caused, since that was processed already.
  void appends(const std::function<void()>& commands);
  // Like appends(), while another instance keeps the partition busy: one command is always waiting,
  // so the commands are on the log before anything that follows from the previous one. The records
  // of that instance are left out of tables.
  void appends_behind_others(const std::function<void()>& commands);
  // Submits any command.
  template <typename T>
  void submits(typename T::Intent intent, Key key, const T& value) {
    begin();
    world_.submit(intent, key, value);
  }

  // Returns the oldest job of this type that still exists.
  [[nodiscard]] Key job_key(const std::string& type) const;
  // Returns the latest instance of this element, even if it is gone.
  [[nodiscard]] Key element(std::string_view element_id) const;
  [[nodiscard]] Key incident_key() const;

 private:
  void begin() {
    if (is_stimulus_) world_.set_mark();
  }
  World& world_;
  bool is_stimulus_;
};

// One way to be refused: the command, and its rejection.
struct Refusal {
  std::string_view situation;
  std::function<void()> command;
  RejectionType type;
  std::string_view reason;  // a part of the reason
};

// Expectations after the stimulus.
class Expectations {
 public:
  explicit Expectations(World& world) : world_(world) {}

  // Compares every record since the stimulus began.
  void records(std::string_view table) const;
  // Compares these records since the stimulus began: those whose line begins with one of the words,
  // such as "E ELEMENT" or "C".
  void records_of(std::vector<std::string> beginnings, std::string_view table) const;
  // The last command was rejected in this way.
  void rejected(RejectionType type, std::string_view reason_part) const;
  // Each of these commands is rejected in this way and changes nothing.
  void refused(const std::vector<Refusal>& rows) const;
  // The last command was answered with an event.
  void answered() const;
  // Returns the value of the answer.
  template <typename T>
  [[nodiscard]] T answer() const {
    return record::decode<T>(world_.answers().back().record.value);
  }
  // Return the values and keys of the events with this intent since the stimulus began.
  template <typename T>
  [[nodiscard]] std::vector<T> values(typename T::Intent intent) const {
    std::vector<T> found;
    for (const record::OwnedRecord* event : events(T::kType, intent)) {
      found.push_back(record::decode<T>(event->value));
    }
    return found;
  }
  template <typename T>
  [[nodiscard]] std::vector<Key> keys(typename T::Intent intent) const {
    std::vector<Key> found;
    for (const record::OwnedRecord* event : events(T::kType, intent)) {
      found.push_back(event->metadata.key);
    }
    return found;
  }
  // Returns the JSON of a variable as seen from a scope; "absent" if there is none.
  [[nodiscard]] std::string variable(Key scope, std::string_view name) const;
  [[nodiscard]] std::size_t open_incidents() const { return world_.state().incidents().count(); }
  // No element instance is left.
  void all_done() const;
  // Neither messages nor subscriptions to them are left.
  void no_messages_left() const;
  // The last signal has reached this many receivers.
  void delivered(std::int64_t count) const;
  // No subscriptions to signals are left, nor signals with receivers left.
  void no_signals_left() const;

 private:
  template <typename Intent>
  [[nodiscard]] std::vector<const record::OwnedRecord*> events(record::ValueType type,
                                                               Intent intent) const {
    std::vector<const record::OwnedRecord*> found;
    for (std::size_t i = world_.mark(); i < world_.records().size(); ++i) {
      const record::Metadata& metadata = world_.records()[i].metadata;
      if (metadata.record_type == record::RecordType::Event && metadata.value_type == type &&
          metadata.intent == static_cast<record::IntentNumber>(intent)) {
        found.push_back(&world_.records()[i]);
      }
    }
    return found;
  }
  World& world_;
};

class ScenarioTest : public ::testing::Test {
 protected:
  explicit ScenarioTest(engine::EngineOptions options = {})
      : world(std::move(options)), given(world, false), when(world, true), then(world) {}
  void TearDown() override;

  World world;
  Actions given;
  Actions when;
  Expectations then;
};

// One command per batch.
class StepByStepTest : public ScenarioTest {
 protected:
  StepByStepTest() : ScenarioTest(options()) {}

 private:
  static engine::EngineOptions options() {
    engine::EngineOptions options;
    options.batch_commands_max = 1;
    return options;
  }
};

// Returns "E ELEMENT ACTIVATING ship ..." for a record.
[[nodiscard]] std::string describe(const record::OwnedRecord& record);

}  // namespace beeline::testing

#define SCENARIO(name)                                     \
  class name : public ::beeline::testing::ScenarioTest {}; \
  TEST_F(name, holds)

#define SCENARIO_STEP_BY_STEP(name)                          \
  class name : public ::beeline::testing::StepByStepTest {}; \
  TEST_F(name, holds)
