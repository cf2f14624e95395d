#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

// Journals that an earlier version wrote, and what the state was after each of their frames:
//
//     tests/golden/001/messages/partition-2/segment-000000000001.log
//     tests/golden/001/messages/partition-2.digests
//
// A generation (001) is written once and never changed; a later version must replay it to the same
// state. See README.md here for when to write a new one.
namespace beeline::testing {

// The frames of one partition's log, as they stand in its journal.
using Frames = std::vector<std::string>;

struct Digests {
  struct Step {
    Position last;            // of the frame
    std::uint64_t state = 0;  // after it
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> steps;
  std::string dump;  // the MD5 of the canonical dump at the end
  bool operator==(const Digests&) const = default;
};

[[nodiscard]] std::string to_text(const Digests& digests);
[[nodiscard]] Digests parse_digests(const std::string& text);

// Replays a log into an empty state.
[[nodiscard]] Digests replay(const Frames& frames, PartitionId partition,
                             std::int32_t partition_count);

// Empty when they are equal; otherwise the first frame after which the states differ, with its
// records.
[[nodiscard]] std::string difference(const Digests& recorded, const Digests& found,
                                     const Frames& frames);

// One journey of a generation.
struct GoldenJourney {
  std::string name;  // "001/messages"
  struct Partition {
    Frames frames;
    Digests recorded;
  };
  std::vector<Partition> partitions;
};

// The generations under `root`, oldest first: "001", "002".
[[nodiscard]] std::vector<std::string> generations(const std::string& root);
[[nodiscard]] std::vector<GoldenJourney> read_generation(const std::string& root,
                                                         const std::string& generation);
// Takes all journeys and writes the generation after the last; gives its name.
std::string write_generation(const std::string& root);

}  // namespace beeline::testing
