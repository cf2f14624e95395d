#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/engine.h"
#include "tests/golden/golden.h"

// Checkpoints that an earlier version wrote: a server that is updated begins with one of them.
namespace beeline::testing {
namespace {

const std::string kGolden = "tests/golden";

// Loads the checkpoint of a partition and replays the rest of its journal onto it. After each frame
// the state must be the one that the whole journal leads to, pending commands included, and the one
// that was recorded.
void expect_resumes(const GoldenJourney::Partition& golden, PartitionId partition,
                    std::int32_t partition_count) {
  engine::Engine resumed = make_engine(partition, partition_count);
  const Position position = resumed.load(golden.checkpoint);
  ASSERT_GT(position, Position{0});
  engine::Engine whole = make_engine(partition, partition_count);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < golden.frames.size(); ++i) {
    whole.replay(golden.frames[i]);
    if (whole.last_position() < position) continue;
    if (whole.last_position() > position) resumed.replay(golden.frames[i]);
    ASSERT_EQ(resumed.last_position(), whole.last_position());
    ASSERT_EQ(resumed.state().database().digest(), whole.state().database().digest())
        << "after position " << whole.last_position().value();
    ASSERT_EQ(recorded_digest(resumed), golden.recorded.steps.at(i).state)
        << "after position " << whole.last_position().value();
    ++compared;
  }
  EXPECT_GT(compared, 1U) << "nothing of the journal is behind the checkpoint";
}

TEST(GoldenCheckpoints, each_is_loaded_and_the_rest_of_its_journal_replays_onto_it) {
  for (const std::string& generation : generations(kGolden)) {
    for (const GoldenJourney& journey : read_generation(kGolden, generation)) {
      for (std::size_t i = 0; i < journey.partitions.size(); ++i) {
        SCOPED_TRACE(fmt::format("{}, partition {}", journey.name, i + 1));
        expect_resumes(journey.partitions[i], PartitionId{static_cast<std::int32_t>(i) + 1},
                       static_cast<std::int32_t>(journey.partitions.size()));
      }
    }
  }
}

TEST(GoldenCheckpoints, those_of_the_latest_generation_have_a_row_of_every_table) {
  std::set<std::string> known;
  std::set<std::string> stored;
  for (const GoldenJourney& journey : read_generation(kGolden, generations(kGolden).back())) {
    for (const GoldenJourney::Partition& partition : journey.partitions) {
      engine::Engine engine = make_engine(PartitionId{1}, 1);
      (void)engine.load(partition.checkpoint);
      for (const auto& [id, table] : engine.state().database().tables()) {
        known.emplace(table->name());
        if (table->size() > 0) stored.emplace(table->name());
      }
    }
  }
  for (const std::string& table : known) {
    EXPECT_TRUE(stored.contains(table))
        << "no checkpoint has a row of the table " << table
        << ": let a journey in tests/golden/journeys.cc have one for a while, then ./dev golden";
  }
}

}  // namespace
}  // namespace beeline::testing
