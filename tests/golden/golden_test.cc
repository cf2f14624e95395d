#include "tests/golden/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "record/codec.h"
#include "record/frame.h"
#include "record/record.h"
#include "record/values.h"

namespace beeline::testing {
namespace {

// Tests run in the root of the tree.
const std::string kRoot = "tests/golden";

// Events that no journal can contain.
constexpr std::array<std::string_view, 1> kNeverWritten{
    "PROCESS_INSTANCE_RESULT COMPLETED",  // a response only
};

std::string event_name(record::ValueType type, record::IntentNumber intent) {
  return fmt::format("{} {}", record::name_of(type), record::intent_name(type, intent));
}

// Returns the version in which an event is written now.
template <typename... Ts>
std::uint16_t latest_version(record::TypeList<Ts...>, record::ValueType type,
                             record::IntentNumber intent) {
  std::uint16_t version = 1;
  const auto look = [&]<typename T>(const T*) {
    if (T::kType == type) {
      version = record::latest_version<T>(static_cast<typename T::Intent>(intent));
    }
  };
  (look(static_cast<const Ts*>(nullptr)), ...);
  return version;
}

Digests replay_partition(const GoldenJourney& journey, std::size_t index, const Frames& frames) {
  return replay(frames, PartitionId{static_cast<std::int32_t>(index) + 1},
                static_cast<std::int32_t>(journey.partitions.size()));
}

TEST(Golden, every_generation_replays_to_the_states_that_were_recorded) {
  ASSERT_FALSE(generations(kRoot).empty());
  for (const std::string& generation : generations(kRoot)) {
    for (const GoldenJourney& journey : read_generation(kRoot, generation)) {
      ASSERT_FALSE(journey.partitions.empty()) << journey.name;
      for (std::size_t i = 0; i < journey.partitions.size(); ++i) {
        const auto& [frames, recorded, checkpoint] = journey.partitions[i];
        EXPECT_FALSE(recorded.steps.empty());
        EXPECT_EQ(difference(recorded, replay_partition(journey, i, frames), frames), "")
            << journey.name << ", partition " << i + 1
            << ": journals of earlier versions must replay to the state that they had; see "
               "tests/golden/README.md";
      }
    }
  }
}

TEST(Golden, the_latest_generation_has_every_event_in_its_latest_version) {
  std::set<std::string> written;
  for (const GoldenJourney& journey : read_generation(kRoot, generations(kRoot).back())) {
    for (const auto& partition : journey.partitions) {
      for (const std::string& frame : partition.frames) {
        record::RecordReader reader{record::parse_frame(frame)->records};
        while (const auto record = reader.next()) {
          if (record->metadata.record_type != record::RecordType::Event) continue;
          written.insert(fmt::format(
              "{} version {}", event_name(record->metadata.value_type, record->metadata.intent),
              record->metadata.version));
        }
      }
    }
  }
  for (const record::ValueType type : record::all_value_types()) {
    for (const record::IntentName& intent : record::intents_of(type)) {
      const std::string name = event_name(type, intent.number);
      if (intent.written_as != record::RecordType::Event ||
          std::ranges::find(kNeverWritten, name) != kNeverWritten.end()) {
        continue;
      }
      const std::string wanted = fmt::format(
          "{} version {}", name, latest_version(record::AllValues{}, type, intent.number));
      EXPECT_TRUE(written.contains(wanted))
          << wanted
          << " is in no journal: let a journey in tests/golden/journeys.cc write it, then "
          << "./dev golden";
    }
  }
}

// Changes the retries of the first job in the frame, as if another version had read them.
bool change_retries(std::string& frame) {
  const auto head = record::parse_frame(frame);
  std::string changed = frame.substr(0, record::kFrameHeadBytes);
  bool is_changed = false;
  record::RecordReader reader{head->records};
  while (const auto record = reader.next()) {
    std::string value{record->value};
    if (!is_changed && record->metadata.record_type == record::RecordType::Event &&
        event_name(record->metadata.value_type, record->metadata.intent) == "JOB CREATED") {
      auto job = record::decode<record::JobRecord>(value);
      ++job.retries;
      value.clear();
      record::encode(job, value);
      is_changed = true;
    }
    record::append_record(record->metadata, value, changed);
  }
  frame = changed;
  return is_changed;
}

// A test that cannot fail proves nothing.
TEST(Golden, another_state_is_noticed_and_named) {
  const auto journeys = read_generation(kRoot, "001");
  const auto found = std::ranges::find(journeys, "001/jobs", &GoldenJourney::name);
  ASSERT_NE(found, journeys.end());
  const auto& [frames, recorded, checkpoint] = found->partitions.front();
  Frames changed = frames;
  std::size_t index = 0;
  while (index < changed.size() && !change_retries(changed[index])) ++index;
  ASSERT_LT(index, changed.size());
  EXPECT_EQ(difference(recorded, replay_partition(*found, 0, changed), frames)
                .find(fmt::format("the state after position {} is another one",
                                  recorded.steps[index].last.value())),
            0U);
  changed = frames;
  changed.pop_back();
  EXPECT_NE(difference(recorded, replay_partition(*found, 0, changed), frames), "");
}

TEST(Golden, digests_are_read_as_they_were_written) {
  const Digests digests{{{Position{3}, 0xfedcba9876543210}, {Position{9}, 1}}, "abc"};
  EXPECT_EQ(parse_digests(to_text(digests)), digests);
}

}  // namespace
}  // namespace beeline::testing
