#include "exporter/json_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "exporter/export_test_support.h"
#include "journal/journal.h"
#include "record/frame.h"

namespace beeline::exporter {
namespace {

using Positions = std::vector<std::int64_t>;

class JsonLinesTest : public testing::Test {
 protected:
  JsonLinesExporter make(std::uint64_t file_bytes_max = 1 << 20, std::size_t files_max = 0) {
    return JsonLinesExporter(disk_, {.directory = directory_.path("out"),
                                     .name = "partition-1",
                                     .file_bytes_max = file_bytes_max,
                                     .files_max = files_max});
  }
  static void export_positions(Exporter& exporter, const Positions& positions) {
    record::JobRecord job;
    job.type = "ship";
    std::string value;
    record::encode(job, value);
    for (const auto position : positions) {
      record::RecordView record{.metadata = {}, .value = value};
      record.metadata.position = Position{position};
      exporter.export_record(record);
    }
  }
  static std::string file_content(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return directory_.path("out/" + name);
  }

  TemporaryDirectory directory_;
  FailingDisk disk_;
};

TEST_F(JsonLinesTest, writes_a_line_a_record_that_is_there_after_the_flush) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  export_positions(exporter, {1, 2, 3});
  exporter.flush();
  EXPECT_EQ(positions_in(path("partition-1.jsonl")), (Positions{1, 2, 3}));
  EXPECT_NE(lines_of(path("partition-1.jsonl"))[0].find("\"ship\""), std::string::npos);
}

TEST_F(JsonLinesTest, writes_a_line_for_a_gap) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  export_positions(exporter, {1});
  exporter.export_gap({PartitionId{1}, Position{2}, Position{9}});
  export_positions(exporter, {10});
  exporter.flush();
  EXPECT_EQ(lines_of(path("partition-1.jsonl"))[1],
            R"({"recordType":"GAP","partitionId":1,"firstPosition":2,"lastPosition":9})");
}

TEST_F(JsonLinesTest, goes_on_in_the_file_that_is_there) {
  for (const Positions& positions : {Positions{1, 2}, Positions{3}}) {
    auto exporter = make();
    (void)exporter.open(Position{positions.front() - 1});
    export_positions(exporter, positions);
    exporter.flush();
  }
  EXPECT_EQ(positions_in(path("partition-1.jsonl")), (Positions{1, 2, 3}));
}

TEST_F(JsonLinesTest, cuts_off_half_a_line_that_a_crash_left) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  export_positions(exporter, {1});
  exporter.flush();
  // This is longer than the block in which the end of the file is searched.
  std::ofstream(path("partition-1.jsonl"), std::ios::app) << std::string(200'000, 'x');
  (void)exporter.open(Position{1});
  export_positions(exporter, {2});
  exporter.flush();
  EXPECT_EQ(positions_in(path("partition-1.jsonl")), (Positions{1, 2}));
}

// Sectors of 512 bytes are lost one by one.
TEST_F(JsonLinesTest, cuts_off_whatever_a_power_loss_left_behind_the_last_flush) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  export_positions(exporter, {1, 2});
  exporter.flush();
  const std::string safe = file_content(path("partition-1.jsonl"));
  export_positions(exporter, {3, 4, 5, 6, 7});
  exporter.flush();
  const std::string whole = file_content(path("partition-1.jsonl"));
  for (std::size_t sector = safe.size() / 512 + 1; sector * 512 < whole.size(); ++sector) {
    std::string torn = whole;
    for (std::size_t i = sector * 512; i < std::min(torn.size(), sector * 512 + 512); ++i) {
      torn[i] = '\0';
    }
    std::ofstream(path("partition-1.jsonl")) << torn;
    EXPECT_EQ(exporter.open(Position{2}), Position{2});
    EXPECT_EQ(file_content(path("partition-1.jsonl")), safe) << "sector " << sector;
  }
}

// Half of its digits look like the position of an older record.
TEST_F(JsonLinesTest, does_not_take_half_a_position_for_a_safe_one) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  export_positions(exporter, {600});
  exporter.flush();
  const std::string whole = file_content(path("partition-1.jsonl"));
  for (const std::size_t digits : {1, 2}) {
    std::string torn = whole;
    std::fill_n(torn.begin() + static_cast<std::ptrdiff_t>(torn.find("600") + digits), 100, '\0');
    std::ofstream(path("partition-1.jsonl")) << torn;
    (void)exporter.open(Position{500});
    EXPECT_EQ(file_content(path("partition-1.jsonl")), "");
  }
}

TEST_F(JsonLinesTest, keeps_what_is_known_to_be_safe_and_nothing_else) {
  for (const std::int64_t kept : {0, 1, 9, 10, 11}) {
    auto exporter = make();
    std::filesystem::remove_all(directory_.path("out"));
    (void)exporter.open(Position{0});
    export_positions(exporter, {1});
    exporter.export_gap({PartitionId{1}, Position{2}, Position{9}});
    export_positions(exporter, {10, 11});
    exporter.flush();
    (void)exporter.open(Position{kept});
    const auto lines = lines_of(path("partition-1.jsonl"));
    EXPECT_EQ(lines.size(), kept == 0   ? 0
                            : kept == 1 ? 1
                                        : static_cast<std::size_t>(kept) - 7)
        << kept;
  }
}

TEST_F(JsonLinesTest, sets_a_full_file_aside_under_its_last_position) {
  auto exporter = make(1);
  (void)exporter.open(Position{0});
  export_positions(exporter, {7, 8});
  exporter.flush();
  EXPECT_EQ(positions_in(path("partition-1-00000000000000000007.jsonl")), (Positions{7}));
  EXPECT_EQ(positions_in(path("partition-1-00000000000000000008.jsonl")), (Positions{8}));
  EXPECT_EQ(positions_in(path("partition-1.jsonl")), Positions{});
}

TEST_F(JsonLinesTest, a_repeated_record_does_not_replace_the_file_that_ends_with_it) {
  auto exporter = make(1);
  (void)exporter.open(Position{0});
  export_positions(exporter, {7});
  (void)exporter.open(Position{0});
  export_positions(exporter, {7, 8});
  exporter.flush();
  EXPECT_EQ(positions_in(path("partition-1-00000000000000000007.jsonl")), (Positions{7}));
  EXPECT_EQ(positions_in(path("partition-1-00000000000000000008.jsonl")), (Positions{7, 8}));
}

TEST_F(JsonLinesTest, removes_the_oldest_full_files_beyond_the_limit_and_nothing_else) {
  std::filesystem::create_directories(directory_.path("out"));
  std::ofstream(path("partition-1-notes.jsonl")) << "mine\n";
  auto exporter = make(1, 2);
  (void)exporter.open(Position{0});
  export_positions(exporter, {1, 2, 3, 4});
  exporter.flush();
  EXPECT_FALSE(std::filesystem::exists(path("partition-1-00000000000000000002.jsonl")));
  EXPECT_TRUE(std::filesystem::exists(path("partition-1-00000000000000000003.jsonl")));
  EXPECT_TRUE(std::filesystem::exists(path("partition-1-00000000000000000004.jsonl")));
  EXPECT_TRUE(std::filesystem::exists(path("partition-1-notes.jsonl")));
}

TEST_F(JsonLinesTest, does_not_acknowledge_what_went_into_a_file_that_was_removed) {
  auto exporter = make();
  (void)exporter.open(Position{0});
  std::filesystem::remove_all(directory_.path("out"));
  export_positions(exporter, {1});
  EXPECT_THROW(exporter.flush(), IoError);
  (void)exporter.open(Position{0});
  export_positions(exporter, {1});
  exporter.flush();
  EXPECT_EQ(positions_in(path("partition-1.jsonl")), (Positions{1}));
}

TEST_F(JsonLinesTest, takes_a_frame_of_70_MiB_from_a_log_with_smaller_segments) {
  constexpr std::size_t kBytes = std::size_t{70} << 20;
  const auto log = std::make_unique<journal::Journal>(
      disk_, directory_.path("journal"), journal::JournalSettings{.segment_bytes = 1 << 20});
  std::string bytes(record::kFrameHeadBytes, '\0');
  record::write_frame_head(Position{0}, bytes.data());
  record::JobRecord job;
  job.error_message = std::string(kBytes, 'x');
  std::string value;
  record::encode(job, value);
  record::Metadata metadata;
  metadata.position = Position{1};
  record::append_record(metadata, value, bytes);
  ASSERT_EQ(log->append(Position{1}, Position{1}, bytes), journal::AppendResult::Accepted);
  log->commit_now();

  auto exporter = make();
  (void)exporter.open(Position{0});
  const auto reader = log->read_from(Position{1});  // which owns the bytes of the frame
  const auto frame = reader->next();
  ASSERT_TRUE(frame);
  const auto parsed = record::parse_frame(frame->bytes);
  record::RecordReader records{parsed->records};
  while (const auto record = records.next()) exporter.export_record(*record);
  EXPECT_FALSE(records.malformed());
  exporter.flush();
  // The record filled the file, which is now complete.
  const auto lines = lines_of(path("partition-1-00000000000000000001.jsonl"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_GT(lines[0].size(), kBytes);
  EXPECT_TRUE(lines[0].ends_with('}'));
}

}  // namespace
}  // namespace beeline::exporter
