#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "record/codec.h"
#include "record/frame.h"
#include "record/record.h"
#include "record/values.h"
#include "tests/golden/golden.h"
#include "tests/golden/journeys.h"

// An update: this version continues after a journal that an earlier version wrote.
namespace beeline::testing {
namespace {

const std::string kGenerations = "tests/golden";

engine::EngineOptions options_of(const GoldenJourney& journey, std::size_t index) {
  engine::EngineOptions options;
  options.partition = PartitionId{static_cast<std::int32_t>(index) + 1};
  options.partition_count = static_cast<std::int32_t>(journey.partitions.size());
  return options;
}

std::vector<record::OwnedRecord> owned_records(const std::string& frame) {
  std::vector<record::OwnedRecord> records;
  record::RecordReader reader{record::parse_frame(frame)->records};
  while (const auto record = reader.next()) records.push_back(record::to_owned(*record));
  return records;
}

engine::Engine::Command command_of(const record::OwnedRecord& record) {
  return {record.view().metadata, record.value};
}

// How a command ended: each rejection in a frame, and the events of jobs, instances and variables
// (not how often they occur, which is a detail of the implementation).
std::set<std::string> outcome_of(const std::string& frame) {
  std::set<std::string> outcome;
  for (const record::OwnedRecord& record : owned_records(frame)) {
    const record::Metadata& metadata = record.metadata;
    if (metadata.record_type == record::RecordType::CommandRejection) {
      outcome.insert(fmt::format("{} refused as {}", record::text_name(metadata),
                                 record::name_of(metadata.rejection_type)));
    } else if (metadata.record_type == record::RecordType::Event &&
               (metadata.value_type == record::ValueType::Job ||
                metadata.value_type == record::ValueType::Incident)) {
      outcome.insert(record::text_name(metadata));
    } else if (metadata.value_type == record::ValueType::ProcessInstance &&
               metadata.record_type == record::RecordType::Event) {
      const auto value = record::decode<record::ProcessInstanceRecord>(record.value);
      outcome.insert(fmt::format("{} {}", record::text_name(metadata), value.element_id));
    }
  }
  return outcome;
}

// True for the journey whose commands fail because of a simulated bug.
bool plays_a_bug(const GoldenJourney& journey) {
  return journey.name.ends_with("/bans");
}

// Returns the journey of this version with the name of one in a generation.
const Journey* find_journey(std::string_view name) {
  for (const Journey& journey : all_journeys()) {
    if (name.ends_with(fmt::format("/{}", journey.name))) return &journey;
  }
  return nullptr;
}

// This version processes each command of an old journal, including those that an old version wrote
// for itself, in the state before it, as it would after an update at that moment.
TEST(Update, commands_that_an_earlier_version_wrote_are_processed) {
  std::size_t from_outside = 0;
  std::size_t left_over = 0;
  for (const std::string& generation : generations(kGenerations)) {
    for (const GoldenJourney& journey : read_generation(kGenerations, generation)) {
      if (plays_a_bug(journey)) continue;
      for (std::size_t i = 0; i < journey.partitions.size(); ++i) {
        engine::EngineOptions options = options_of(journey, i);
        // The batches are as small as those of the journey, so the frames can be compared.
        if (const Journey* same = find_journey(journey.name)) {
          options.batch_commands_max = same->options.batch_commands_max;
          options.batch_bytes_max = same->options.batch_bytes_max;
          options.signal_receivers_max = same->options.signal_receivers_max;
        }
        engine::Engine engine{options};
        engine::BatchOutput output;
        for (const std::string& frame : journey.partitions[i].frames) {
          const record::OwnedRecord first = owned_records(frame).front();
          const bool is_from_outside = first.metadata.record_type == record::RecordType::Command &&
                                       !first.metadata.source_position.is_set();
          if (is_from_outside) {
            engine.process(command_of(first), first.metadata.timestamp, output);
          } else {
            ASSERT_TRUE(engine.has_pending());
            engine.process_pending(first.metadata.timestamp, output);
          }
          ++(is_from_outside ? from_outside : left_over);
          EXPECT_EQ(outcome_of(output.frame), outcome_of(frame))
              << journey.name << ", partition " << i + 1 << ", position "
              << first.metadata.position.value();
          engine.rollback();
          engine.replay(frame);
        }
      }
    }
  }
  EXPECT_GT(from_outside, 100U);
  EXPECT_GT(left_over, 10U);
}

// An engine of this version after an old journal, and the growing journal.
class Successor {
 public:
  Successor(const engine::EngineOptions& options, const Frames& frames)
      : engine_(options), frames_(frames) {
    for (const std::string& frame : frames) {
      engine_.replay(frame);
      for (const record::OwnedRecord& record : owned_records(frame)) {
        now_ = std::max(now_, record.metadata.timestamp);
      }
    }
    drain();
  }

  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value) {
    std::string bytes;
    record::encode(value, bytes);
    const record::CommandHead head = record::make_head<T>(intent, key);
    process({head.view(), bytes});
  }
  void pass(Milliseconds duration) {
    now_ = now_ + duration;
    for (int i = 0; i < 1000; ++i) {
      const auto due = engine_.due_commands(now_, 100);
      if (due.empty()) return;
      for (const record::CommandHead& each : due) process({each.view(), ""});
    }
  }
  [[nodiscard]] const engine::Engine& engine() const { return engine_; }
  [[nodiscard]] const Frames& frames() const { return frames_; }

 private:
  void process(const engine::Engine::Command& command) {
    engine_.process(command, now_, output_);
    keep();
    drain();
  }
  void drain() {
    for (int i = 0; i < 1000 && engine_.has_pending(); ++i) {
      engine_.process_pending(now_, output_);
      keep();
    }
    EXPECT_FALSE(engine_.has_pending());
  }
  void keep() {
    engine_.commit();
    frames_.push_back(output_.frame);
    for (const record::OwnedRecord& record : owned_records(output_.frame)) {
      EXPECT_NE(record.metadata.rejection_type, record::RejectionType::ProcessingError)
          << record::text_name(record.metadata) << ": " << record.rejection_reason;
    }
  }

  engine::Engine engine_;
  Frames frames_;
  engine::BatchOutput output_;
  Timestamp now_;
};

// Work continues after an update: jobs are completed, timers fire, waiting instances are canceled,
// and nothing is left. The records of both versions together replay to the state of the second.
TEST(Update, work_goes_on_behind_a_journal_of_an_earlier_version) {
  std::size_t completed = 0;
  std::size_t canceled = 0;
  for (const std::string& generation : generations(kGenerations)) {
    for (const GoldenJourney& journey : read_generation(kGenerations, generation)) {
      for (std::size_t i = 0; i < journey.partitions.size(); ++i) {
        SCOPED_TRACE(fmt::format("{}, partition {}", journey.name, i + 1));
        const Frames& old = journey.partitions[i].frames;
        Successor successor{options_of(journey, i), old};
        const engine::EngineState& state = successor.engine().state();
        std::vector<Key> jobs;
        std::vector<Key> instances;
        for (const std::string& frame : old) {
          for (const record::OwnedRecord& record : owned_records(frame)) {
            const std::string name = record::to_text(record.view());
            if (name.starts_with("E JOB CREATED")) jobs.push_back(record.metadata.key);
            if (name.starts_with("E ELEMENT ACTIVATING") &&
                record::decode<record::ProcessInstanceRecord>(record.value).element_type ==
                    record::ElementType::Process) {
              instances.push_back(record.metadata.key);
            }
          }
        }
        for (const Key job : jobs) {
          if (state.jobs().find(job) == nullptr) continue;
          successor.submit(record::JobIntent::Complete, job, record::JobRecord{});
          completed += state.jobs().find(job) == nullptr ? 1 : 0;
        }
        successor.pass(std::chrono::hours{1});
        for (const Key instance : instances) {
          if (state.element_instances().find(instance) == nullptr) continue;
          successor.submit(record::ProcessInstanceIntent::Cancel, instance,
                           record::ProcessInstanceRecord{});
          ++canceled;
        }
        for (const Key instance : instances) {
          EXPECT_EQ(state.element_instances().find(instance), nullptr) << instance.value();
        }
        engine::Engine replayed{options_of(journey, i)};
        for (const std::string& frame : successor.frames()) replayed.replay(frame);
        EXPECT_TRUE(replayed.state().database().dump() == state.database().dump());
      }
    }
  }
  EXPECT_GT(completed, 10U);
  EXPECT_GT(canceled, 10U);
}

}  // namespace
}  // namespace beeline::testing
