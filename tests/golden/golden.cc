#include "tests/golden/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/md5.h"
#include "engine/engine.h"
#include "engine/state/tables.h"
#include "journal/journal.h"
#include "record/frame.h"
#include "record/record.h"
#include "tests/golden/journeys.h"
#include "tests/golden/store_text.h"

namespace beeline::testing {
namespace {

namespace fs = std::filesystem;

// Segments are small to keep a generation small; some journals are longer than one segment.
constexpr std::uint64_t kSegmentBytes = std::uint64_t{16} << 10;

// The number of rows that a checkpoint captures at a time.
constexpr std::size_t kCapturedRows = 100;

constexpr auto kPending = engine::table_id(engine::TableNumber::PendingCommands);

// A directory that is removed at the end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (fs::temp_directory_path() / "beeline-golden-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchDirectory() { fs::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void copy_segments(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    // Skips spare files that were allocated for later.
    if (!entry.path().filename().string().starts_with("segment-")) continue;
    fs::copy_file(entry.path(), to / entry.path().filename());
  }
}

// Reads a copy, because opening a journal writes to it.
Frames read_journal(const fs::path& directory) {
  const ScratchDirectory scratch;
  copy_segments(directory, scratch.path() / "journal");
  journal::PosixDisk disk;
  journal::Journal journal(disk, (scratch.path() / "journal").string(),
                           {.segment_bytes = kSegmentBytes});
  EXPECT_EQ(journal.cut_bytes(), 0U) << directory;
  Frames frames;
  const auto reader = journal.read_from(journal.first_position());
  while (const auto frame = reader->next()) frames.emplace_back(frame->bytes);
  return frames;
}

std::vector<record::RecordView> records_of(const std::string& frame) {
  const auto view = record::parse_frame(frame);
  EXPECT_TRUE(view.has_value());
  std::vector<record::RecordView> records;
  record::RecordReader reader{view->records};
  while (const auto record = reader.next()) records.push_back(*record);
  EXPECT_FALSE(reader.malformed());
  return records;
}

void write_journal(const fs::path& directory, const Frames& frames) {
  const ScratchDirectory scratch;
  journal::PosixDisk disk;
  {
    journal::Journal journal(disk, (scratch.path() / "journal").string(),
                             {.segment_bytes = kSegmentBytes, .spares_max = 1});
    for (const std::string& frame : frames) {
      const auto records = records_of(frame);
      const auto result = journal.append(records.front().metadata.position,
                                         records.back().metadata.position, frame);
      ASSERT_EQ(result, journal::AppendResult::Accepted);
      journal.commit_now();
    }
  }
  copy_segments(scratch.path() / "journal", directory);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_TRUE(file) << path;
  return content.str();
}

PartitionId partition_number(std::size_t index) {
  return PartitionId{static_cast<std::int32_t>(index) + 1};
}

}  // namespace

std::string to_text(const Digests& digests) {
  std::string text = "# last position of a frame, digest of the state after it\n";
  for (const Digests::Step& step : digests.steps) {
    text += fmt::format("{} {:016x}\n", step.last.value(), step.state);
  }
  return text + fmt::format("dump {}\n", digests.dump);
}

Digests parse_digests(const std::string& text) {
  Digests digests;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words{line};
    std::string position;
    std::string digest;
    words >> position >> digest;
    if (position == "dump") {
      digests.dump = digest;
    } else {
      digests.steps.push_back({Position{std::stoll(position)}, std::stoull(digest, nullptr, 16)});
    }
  }
  return digests;
}

engine::Engine make_engine(PartitionId partition, std::int32_t partition_count) {
  engine::EngineOptions options;
  options.partition = partition;
  options.partition_count = partition_count;
  return engine::Engine{options};
}

std::uint64_t recorded_digest(const engine::Engine& engine) {
  return engine.state().database().digest(kPending);
}

Digests replay(const Frames& frames, PartitionId partition, std::int32_t partition_count) {
  engine::Engine engine = make_engine(partition, partition_count);
  Digests digests;
  for (const std::string& frame : frames) {
    engine.replay(frame);
    digests.steps.push_back({engine.last_position(), recorded_digest(engine)});
  }
  digests.dump = md5_hex(engine.state().database().dump(kPending));
  return digests;
}

void take_checkpoint(const Frames& frames, PartitionId partition, std::int32_t partition_count,
                     state::KeyValueStore& store) {
  std::size_t count = 0;
  std::ptrdiff_t tables_max = 0;
  engine::Engine whole = make_engine(partition, partition_count);
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    whole.replay(frames[i]);
    const std::ptrdiff_t tables =
        std::ranges::count_if(whole.state().database().tables(),
                              [](const auto& table) { return table.second->size() > 0; });
    if (tables > tables_max) count = i + 1;
    tables_max = std::max(tables_max, tables);
  }
  engine::Engine engine = make_engine(partition, partition_count);
  for (std::size_t i = 0; i < count; ++i) engine.replay(frames[i]);
  state::Database& database = engine.checkpoint_source();
  database.begin_checkpoint(engine.last_position());
  while (!database.capture(kCapturedRows)) {
  }
  store.write(database.take_captured());
}

std::string difference(const Digests& recorded, const Digests& found, const Frames& frames) {
  for (std::size_t i = 0; i < std::min(recorded.steps.size(), found.steps.size()); ++i) {
    if (recorded.steps[i] == found.steps[i]) continue;
    std::string text = fmt::format("the state after position {} is another one; its records are\n",
                                   recorded.steps[i].last.value());
    for (const auto& record : records_of(frames.at(i))) text += record::to_text(record) + '\n';
    return text;
  }
  if (recorded.steps.size() != found.steps.size()) {
    return fmt::format("there are {} frames, and {} were recorded", found.steps.size(),
                       recorded.steps.size());
  }
  if (recorded.dump != found.dump) return "the dump at the end is another one";
  return "";
}

std::vector<std::string> generations(const std::string& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<GoldenJourney> read_generation(const std::string& root, const std::string& generation) {
  std::vector<GoldenJourney> journeys;
  for (const std::string& name : generations((fs::path(root) / generation).string())) {
    GoldenJourney& journey = journeys.emplace_back();
    journey.name = fmt::format("{}/{}", generation, name);
    const fs::path directory = fs::path(root) / generation / name;
    for (int number = 1; fs::exists(directory / fmt::format("partition-{}", number)); ++number) {
      const std::string partition = fmt::format("partition-{}", number);
      GoldenJourney::Partition& read = journey.partitions.emplace_back();
      read.frames = read_journal(directory / partition);
      read.recorded = parse_digests(read_file(directory / (partition + ".digests")));
      parse_rows(read_file(directory / (partition + ".checkpoint")), read.checkpoint);
    }
  }
  return journeys;
}

std::string write_generation(const std::string& root) {
  const auto known = generations(root);
  const int number = known.empty() ? 1 : std::stoi(known.back()) + 1;
  const std::string generation = fmt::format("{:03}", number);
  for (const Journey& journey : all_journeys()) {
    Cluster cluster{journey.partitions, {}, 1, journey.options};
    journey.take(cluster);
    const fs::path directory = fs::path(root) / generation / journey.name;
    for (std::size_t i = 0; i < static_cast<std::size_t>(journey.partitions); ++i) {
      const PartitionId partition = partition_number(i);
      const std::string name = fmt::format("partition-{}", partition.value());
      const Frames& frames = cluster.at(partition.value()).frames();
      write_journal(directory / name, frames);
      std::ofstream(directory / (name + ".digests"))
          << to_text(replay(frames, partition, journey.partitions));
      state::MemoryStore checkpoint;
      take_checkpoint(frames, partition, journey.partitions, checkpoint);
      std::ofstream(directory / (name + ".checkpoint")) << to_text(checkpoint);
    }
  }
  return generation;
}

}  // namespace beeline::testing
