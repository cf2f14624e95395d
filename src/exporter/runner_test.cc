#include "exporter/runner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>

#include "exporter/director.h"
#include "exporter/export_test_support.h"
#include "exporter/json_lines.h"
#include "journal/journal.h"
#include "journal/memory_log.h"
#include "tests/support/led_log.h"

namespace beeline::exporter {
namespace {

constexpr RunnerOptions kImpatient{.flush_interval = Milliseconds{0},
                                   .flush_records_max = 3,
                                   .backoff_first = Milliseconds{1},
                                   .backoff_max = Milliseconds{1},
                                   .backoff_room = Milliseconds{1},
                                   .stop_max = Milliseconds{60'000}};

// The records that an exporter of the test has seen; it outlives the exporter.
struct Seen {
  std::mutex mutex;
  std::vector<std::int64_t> positions;  // negative: the first and the last of a gap
  int opened = 0;
  int flushed = 0;
  int failures_left = 0;                 // this many exports will fail
  std::function<void()> on_record = {};  // while a record is exported
  std::optional<Position> own_position;  // the position of an exporter that stores it itself

  [[nodiscard]] std::vector<std::int64_t> copy() {
    const std::lock_guard lock(mutex);
    return positions;
  }
};

class RecordingExporter final : public Exporter {
 public:
  explicit RecordingExporter(Seen& seen) : seen_(seen) {}
  [[nodiscard]] Position open(Position kept) override {
    const std::lock_guard lock(seen_.mutex);
    ++seen_.opened;
    return seen_.own_position.value_or(kept);
  }
  void export_record(const record::RecordView& record) override {
    const std::lock_guard lock(seen_.mutex);
    if (seen_.failures_left > 0 && record.metadata.position == Position{5}) {
      --seen_.failures_left;
      throw std::runtime_error("no");
    }
    seen_.positions.push_back(record.metadata.position.value());
    if (seen_.on_record) seen_.on_record();
  }
  void export_gap(const Gap& gap) override {
    const std::lock_guard lock(seen_.mutex);
    seen_.positions.push_back(-gap.first.value());
    seen_.positions.push_back(-gap.last.value());
  }
  void flush() override {
    const std::lock_guard lock(seen_.mutex);
    ++seen_.flushed;
  }

 private:
  Seen& seen_;
};

ExporterPlan recording(Seen& seen, std::string name = "test",
                       Placement placement = Placement::BesideLeader) {
  return {std::move(name), placement,
          [&seen](PartitionId) { return std::make_unique<RecordingExporter>(seen); }};
}

class RunnerTest : public ::testing::Test {
 protected:
  void append(int count) {
    append_records(log_, count);
    log_.commit_now();
  }
  [[nodiscard]] std::unique_ptr<ExporterDirector> make(RunnerOptions options = kImpatient) {
    auto director =
        std::make_unique<ExporterDirector>(disk_, directory_.path("positions"), log_, options);
    director->add(recording(seen_), PartitionId{1});
    return director;
  }

  TemporaryDirectory directory_;
  FailingDisk disk_;
  journal::MemoryLog log_;
  Seen seen_;
};

TEST_F(RunnerTest, exports_what_is_there_and_what_comes) {
  append(2);
  const auto director = make();
  director->start();
  EXPECT_TRUE(eventually([&] { return director->acknowledged() == Position{2}; }));
  append(3);
  director->notify_commit();
  EXPECT_TRUE(eventually([&] { return director->acknowledged() == Position{5}; }));
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(director->status()[0].lag(), 0);
  EXPECT_EQ(director->status()[0].records_exported, 5);
}

TEST_F(RunnerTest, does_not_export_what_is_not_committed) {
  append(1);
  append_records(log_, 1);
  const auto director = make();
  director->start();
  director->stop();
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{1}));
}

TEST_F(RunnerTest, goes_on_behind_the_kept_position_after_a_restart_even_within_a_frame) {
  append(4);
  PositionFile(disk_, directory_.path("positions"), "test").write(Position{2});
  const auto director = make();
  director->start();
  director->stop();
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{3, 4}));
}

TEST_F(RunnerTest, a_position_that_the_exporter_keeps_itself_counts_more_than_the_kept_one) {
  append(4);
  PositionFile(disk_, directory_.path("positions"), "test").write(Position{1});
  seen_.own_position = Position{3};
  const auto director = make();
  director->start();
  director->stop();
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(director->acknowledged(), Position{4});
}

TEST_F(RunnerTest, records_a_gap_of_the_log_and_goes_on_behind_it) {
  journal::Journal log(disk_, directory_.path("journal"), {.segment_bytes = 4096});
  append_records(log, 2);
  log.commit_now();
  log.skip_to(Position{9});
  append_records(log, 2);
  log.commit_now();
  // This includes an exporter that has exported everything before the gap, and one that is after
  // it, after a restart.
  for (const auto& [kept, expected] :
       std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>{
           {0, {1, 2, -3, -9, 10, 11}}, {2, {-3, -9, 10, 11}}, {9, {10, 11}}, {10, {11}}}) {
    seen_.positions.clear();
    PositionFile(disk_, directory_.path("positions"), "test").write(Position{kept});
    ExporterDirector director(disk_, directory_.path("positions"), log, kImpatient);
    director.add(recording(seen_), PartitionId{1});
    director.start();
    director.stop();
    EXPECT_EQ(seen_.copy(), expected) << kept;
  }
}

TEST_F(RunnerTest, repeats_after_a_failure_what_was_not_flushed_and_skips_nothing) {
  seen_.failures_left = 3;
  append(4);
  append(4);
  const auto director = make();
  director->start();
  EXPECT_TRUE(eventually([&] { return director->acknowledged() == Position{8}; }));
  const auto status = director->status()[0];
  EXPECT_EQ(status.failures, 3);
  EXPECT_FALSE(status.failing);
  EXPECT_EQ(status.last_error, "no");
  EXPECT_EQ(seen_.opened, 4);
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(RunnerTest, stops_at_once_while_it_waits_after_a_failure) {
  seen_.failures_left = 1000;
  append(5);
  const auto director = make({.backoff_first = std::chrono::hours{1}});
  director->start();
  EXPECT_TRUE(eventually([&] { return director->status()[0].failing; }));
  EXPECT_EQ(director->status()[0].lag(), 5);
  director->stop();
  EXPECT_EQ(director->acknowledged(), Position{0});
}

TEST_F(RunnerTest, stops_in_time_though_it_is_behind_and_goes_on_after_the_next_start) {
  for (int i = 0; i < 3; ++i) append(1);  // a frame each
  RunnerOptions options = kImpatient;
  options.stop_max = Milliseconds{0};
  {
    const auto director = make(options);
    seen_.on_record = [&] { director->begin_stop(); };
    director->start();
    director->stop();
    seen_.on_record = nullptr;
    EXPECT_EQ(director->acknowledged(), Position{static_cast<std::int64_t>(seen_.copy().size())});
  }
  EXPECT_LE(seen_.copy().size(), 1U);  // no record if stop() was first
  const auto director = make();
  director->start();
  director->stop();
  EXPECT_EQ(seen_.copy(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(RunnerTest, flushes_once_for_many_records_and_on_stop) {
  const auto director = make({.flush_interval = std::chrono::hours{1}});
  director->start();
  for (int i = 0; i < 10; ++i) {
    append(1);
    director->notify_commit();
  }
  EXPECT_TRUE(eventually([&] { return seen_.copy().size() == 10; }));
  EXPECT_EQ(director->acknowledged(), Position{0});
  director->stop();
  EXPECT_EQ(director->acknowledged(), Position{10});
  EXPECT_EQ(seen_.flushed, 1);
}

TEST_F(RunnerTest, a_position_beyond_the_log_is_an_error_that_names_the_file) {
  append(4);
  PositionFile(disk_, directory_.path("positions"), "test").write(Position{50});
  const auto director = make();
  director->start();
  EXPECT_TRUE(eventually([&] { return director->status()[0].failing; }));
  EXPECT_NE(director->status()[0].last_error.find("test.position"), std::string::npos);
  EXPECT_TRUE(seen_.copy().empty());
}

TEST_F(RunnerTest, does_not_pass_over_a_frame_that_holds_no_records) {
  append(1);
  ASSERT_EQ(log_.append(Position{2}, Position{2}, "01234567\xff\xff nonsense"),
            journal::AppendResult::Accepted);
  append(1);
  const auto director = make();
  director->start();
  EXPECT_TRUE(eventually([&] { return director->status()[0].failures > 1; }));
  director->stop();
  const auto seen = seen_.copy();
  EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()), (std::set<std::int64_t>{1}));
}

TEST_F(RunnerTest, one_exporter_that_fails_does_not_hold_up_another) {
  append(5);
  Seen failing;
  failing.failures_left = 1'000'000;
  const auto director = make();
  director->add(recording(failing, "failing"), PartitionId{1});
  director->start();
  EXPECT_TRUE(eventually([&] { return director->status()[0].acknowledged == Position{5}; }));
  // The slower exporter determines which records may leave the log.
  EXPECT_LT(director->acknowledged(), Position{5});
  director->stop();
}

// Whichever call of the disk fails, in the end every line is complete and in order except for
// repetitions, and no line is missing.
TEST_F(RunnerTest, json_lines_lose_nothing_whichever_call_fails) {
  for (int i = 0; i < 6; ++i) append(2);
  for (std::int64_t failing = 1;; ++failing) {
    const TemporaryDirectory directory;
    FailingDisk disk;
    disk.failing_call = failing;
    ExporterDirector director(disk, directory.path("positions"), log_, kImpatient);
    director.add({"jsonl", Placement::BesideLeader,
                  [&](PartitionId) {
                    return std::make_unique<JsonLinesExporter>(
                        disk, JsonLinesOptions{.directory = directory.path("out"),
                                               .name = "records",
                                               .file_bytes_max = 1000});
                  }},
                 PartitionId{1});
    director.start();
    ASSERT_TRUE(eventually([&] { return director.acknowledged() == Position{12}; })) << failing;
    director.stop();

    std::set<std::int64_t> positions;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path("out"))) {
      for (const auto position : positions_in(entry.path())) {
        EXPECT_NE(position, -1) << failing;
        positions.insert(position);
      }
    }
    EXPECT_EQ(positions.size(), 12u) << failing;
    if (disk.calls < failing) break;
  }
}

TEST_F(RunnerTest, tells_how_far_all_exporters_have_come) {
  append(3);
  std::atomic<std::int64_t> told{-1};
  const auto director = make();
  director->on_acknowledged([&](Position position) { told = position.value(); });
  director->start();
  EXPECT_TRUE(eventually([&] { return told == 3; }));
}

TEST_F(RunnerTest, works_again_once_the_disk_does) {
  append(3);
  disk_.broken = true;
  const auto director = make();
  director->start();
  EXPECT_TRUE(eventually([&] { return director->status()[0].failures > 2; }));
  disk_.broken = false;
  EXPECT_TRUE(eventually([&] { return director->acknowledged() == Position{3}; }));
  EXPECT_TRUE(eventually([&] { return !director->status()[0].failing; }));
}

// One copy of a partition with two exporters: `leaders` runs beside the leader and shares its kept
// position with the other copies, `own` runs on every copy.
struct ExportingCopy {
  ExportingCopy(testing::LedLog& shared, std::size_t index, journal::Disk& disk,
                const std::string& positions)
      : log(shared.open(index)), director(disk, positions, *log, kImpatient) {
    director.add(recording(leaders, "leaders"), PartitionId{1});
    director.add(recording(own, fmt::format("own-{}", index), Placement::OnEveryCopy),
                 PartitionId{1});
    director.start();
  }
  void append(int count) {
    append_records(*log, count);
    log->deliver();
    log->hear();
  }
  // Another copy was elected: this one learns of it and follows.
  void step_down() {
    log->deliver();
    log->follow();
  }
  // Waits for the exporter that every copy has.
  [[nodiscard]] bool has_own(std::size_t count) {
    director.notify_commit();
    return eventually([&] { return own.copy().size() == count; });
  }
  [[nodiscard]] bool has_flushed(Position position) {
    return eventually([&] { return director.status()[0].acknowledged == position; });
  }

  Seen leaders;
  Seen own;
  std::unique_ptr<testing::LedLog::Copy> log;
  ExporterDirector director;
};

TEST(Placement, an_exporter_runs_beside_the_leader_or_on_every_copy) {
  using Exported = std::vector<std::int64_t>;
  const TemporaryDirectory directory;
  FailingDisk disk;
  testing::LedLog log{2};
  ExportingCopy first{log, 0, disk, directory.path("positions")};
  ExportingCopy second{log, 1, disk, directory.path("positions")};
  log.elect(*first.log);
  first.append(2);
  EXPECT_TRUE(first.has_own(2));
  EXPECT_TRUE(second.has_own(2));
  EXPECT_TRUE(first.has_flushed(Position{2}));
  EXPECT_EQ(second.leaders.copy(), Exported{});

  log.elect(*second.log);
  first.step_down();
  second.append(1);
  EXPECT_TRUE(first.has_own(3));
  EXPECT_TRUE(second.has_own(3));
  EXPECT_TRUE(second.has_flushed(Position{3}));
  EXPECT_EQ(first.leaders.copy(), (Exported{1, 2}));
  EXPECT_EQ(second.leaders.copy(), (Exported{3}));
  // The log keeps what a resting exporter may need when its copy leads again.
  EXPECT_EQ(first.director.acknowledged(), Position{2});

  log.elect(*first.log);
  second.step_down();
  first.append(1);
  EXPECT_TRUE(first.has_flushed(Position{4}));
  EXPECT_EQ(first.leaders.copy(), (Exported{1, 2, 4}));
  first.director.stop();
  second.director.stop();
}

}  // namespace
}  // namespace beeline::exporter
