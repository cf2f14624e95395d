#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "engine/engine.h"
#include "state/key_value_store.h"

// Journals that an earlier version wrote, and the state after each of their frames:
//
//     tests/golden/001/messages/partition-2/segment-000000000001.log
//     tests/golden/001/messages/partition-2.digests
//     tests/golden/001/messages/partition-2.checkpoint    the rows of a store, on the way
//
// A generation (001) is written once and never changed; a later version must replay it to the same
// state. See README.md here for when to write a new one.
namespace beeline::testing {

// The frames of one partition's journal.
using Frames = std::vector<std::string>;

struct Digests {
  struct Step {
    Position last;            // last position of the frame
    std::uint64_t state = 0;  // digest of the state after it
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> steps;
  std::string dump;  // the MD5 of the canonical dump at the end
  bool operator==(const Digests&) const = default;
};

[[nodiscard]] std::string to_text(const Digests& digests);
[[nodiscard]] Digests parse_digests(const std::string& text);

[[nodiscard]] engine::Engine make_engine(PartitionId partition, std::int32_t partition_count);
// The digest that a generation records: that of the state without the pending commands. The first
// generations were recorded before these were part of the state, and each of them is a command of
// the journal.
[[nodiscard]] std::uint64_t recorded_digest(const engine::Engine& engine);

// Replays a log into an empty state.
[[nodiscard]] Digests replay(const Frames& frames, PartitionId partition,
                             std::int32_t partition_count);

// Replays a part of a log and brings a checkpoint of that state to `store`. The part ends before
// the last frame, where the most tables have rows.
void take_checkpoint(const Frames& frames, PartitionId partition, std::int32_t partition_count,
                     state::KeyValueStore& store);

// Returns an empty text if they are equal; otherwise the first frame after which the states differ,
// with its records.
[[nodiscard]] std::string difference(const Digests& recorded, const Digests& found,
                                     const Frames& frames);

// One journey of a generation.
struct GoldenJourney {
  std::string name;  // "001/messages"
  struct Partition {
    Frames frames;
    Digests recorded;
    state::MemoryStore checkpoint;
  };
  std::vector<Partition> partitions;
};

// Returns the generations under `root`, oldest first: "001", "002".
[[nodiscard]] std::vector<std::string> generations(const std::string& root);
[[nodiscard]] std::vector<GoldenJourney> read_generation(const std::string& root,
                                                         const std::string& generation);
// Runs all journeys and writes the generation after the last; returns its name.
std::string write_generation(const std::string& root);

}  // namespace beeline::testing
