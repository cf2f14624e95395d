#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "bench/workload.h"
#include "journal/journal.h"
#include "journal/memory_log.h"
#include "record/codec.h"
#include "stream/partition.h"

// The figures that need no network. Each mode prints one line, "name: value unit"; `./dev bench`
// runs them all.
namespace beeline::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

// Returns the CPU time that this thread has used so far.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::int64_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::int64_t total = 0;
  std::int64_t resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Runs instances from creation to completion through a partition with its threads, `in_flight` at a
// time. Each answer causes the next command, as with real clients.
class ClosedLoop final : public stream::JobListener {
 public:
  ClosedLoop(stream::Partition& partition, std::int64_t instances)
      : partition_(partition), instances_(instances) {
    partition_.set_job_listener(this);
  }

  // Returns the instances per second.
  double run(int in_flight) {
    deploy();
    const auto begin = SteadyClock::now();
    for (int i = 0; i < in_flight; ++i) create();
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return completed_ >= instances_; });
    return static_cast<double>(instances_) / seconds_since(begin);
  }

  void on_job_available(PartitionId, const record::JobGroup&, Key) override { activate(); }

 private:
  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value, stream::ResponseHandler handler) {
    const auto result =
        partition_.submit({}, stream::make_command(intent, key, value), std::move(handler));
    BEELINE_CHECK(result == stream::SubmitResult::Accepted, "a command was refused");
  }

  void deploy() {
    record::DeploymentRecord deployment;
    deployment.resources.push_back({"one_task.bpmn", one_task_xml()});
    std::mutex mutex;
    std::condition_variable done;
    bool is_done = false;
    submit(record::DeploymentIntent::Create, Key{}, deployment, [&](const record::RecordView&) {
      const std::lock_guard lock{mutex};
      is_done = true;
      done.notify_all();
    });
    std::unique_lock lock{mutex};
    done.wait(lock, [&] { return is_done; });
  }

  void create() {
    {
      const std::lock_guard lock{mutex_};
      if (created_ == instances_) return;
      ++created_;
    }
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "one_task";
    creation.variables = payload("small");
    submit(record::ProcessInstanceCreationIntent::Create, Key{}, creation,
           [](const record::RecordView&) {});
  }

  // One request at a time asks for jobs; an announcement of jobs during the request makes it ask
  // again.
  void activate() {
    {
      const std::lock_guard lock{mutex_};
      if (is_asking_) {
        asks_again_ = true;
        return;
      }
      is_asking_ = true;
      asks_again_ = false;
    }
    record::JobBatchRecord batch;
    batch.type = "work";
    batch.worker = "bench";
    batch.timeout = Milliseconds{600'000};
    batch.max_jobs_to_activate = 64;
    submit(record::JobBatchIntent::Activate, Key{}, batch,
           [this](const record::RecordView& answer) {
             const auto jobs = record::decode<record::JobBatchRecord>(answer.value).job_keys;
             for (const Key key : jobs) complete(key);
             bool again = false;
             {
               const std::lock_guard lock{mutex_};
               is_asking_ = false;
               again = asks_again_ || jobs.size() == 64;
             }
             if (again) activate();
           });
  }

  void complete(Key key) {
    submit(record::JobIntent::Complete, key, record::JobRecord{},
           [this](const record::RecordView&) {
             bool is_last = false;
             {
               const std::lock_guard lock{mutex_};
               is_last = ++completed_ >= instances_;
             }
             if (is_last) {
               changed_.notify_all();
             } else {
               create();
             }
           });
  }

  stream::Partition& partition_;
  const std::int64_t instances_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t created_ = 0;
  std::int64_t completed_ = 0;
  bool is_asking_ = false;
  bool asks_again_ = false;
};

double throughput(journal::LogStorage& log, std::int64_t instances, int in_flight) {
  const SystemClock clock;
  state::MemoryStore store;
  stream::PartitionOptions options;
  options.queue_max = 1'000'000;
  stream::Partition partition{options, log, store, clock};
  partition.recover();
  partition.start();
  ClosedLoop loop{partition, instances};
  const double rate = loop.run(in_flight);
  partition.stop();
  return rate;
}

void durable(std::int64_t instances, int in_flight) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("beeline-bench-{}", getpid());
  double best = 0;
  // Uses the best of three runs, since disks vary.
  for (int i = 0; i < 3; ++i) {
    journal::MemoryLog memory;
    const double in_memory = throughput(memory, instances, in_flight);
    journal::PosixDisk disk;
    journal::Journal log{disk, folder.string()};
    const double on_disk = throughput(log, instances, in_flight);
    best = std::max(best, on_disk / in_memory);
    fmt::print("durable: {:.0f} instances/s on disk, {:.0f} in memory, ratio {:.2f}\n", on_disk,
               in_memory, on_disk / in_memory);
    std::filesystem::remove_all(folder);
  }
  fmt::print("durable/memory: {:.2f} (at least 0.6 wanted)\n", best);
}

// For callgrind: the difference of two sizes, divided by the difference in instances.
void core(std::int64_t instances, const std::string& variables) {
  CoreDriver driver;
  driver.deploy();
  const std::string command = creation_command(payload(variables));
  constexpr int kAtOnce = 32;
  for (std::int64_t i = 0; i < instances; i += kAtOnce) {
    for (int j = 0; j < kAtOnce; ++j) driver.create(command);
    driver.work_off(kAtOnce);
  }
}

void replay(std::int64_t instances) {
  CoreDriver driver;
  std::vector<std::string> frames;
  driver.keep_frames(&frames);
  driver.deploy();
  const record::Document document = payload("small");
  for (std::int64_t i = 0; i < instances; i += 32) {
    for (int j = 0; j < 32; ++j) driver.create(document);
    driver.work_off(32);
  }
  engine::Engine engine{engine::EngineOptions{}};
  const auto begin = SteadyClock::now();
  for (const std::string& frame : frames) engine.replay(frame);
  const double seconds = seconds_since(begin);
  fmt::print("replay: {:.0f} records/s (at least 1000000 wanted)\n",
             static_cast<double>(engine.last_position().value()) / seconds);
}

void memory(std::int64_t instances) {
  const std::int64_t before = resident_bytes();
  CoreDriver driver;
  driver.deploy();
  const record::Document document = payload("three");
  for (std::int64_t i = 0; i < instances; ++i) driver.create(document);
  const double gigabytes = static_cast<double>(resident_bytes() - before) / 1e9;
  fmt::print(
      "memory: {:.2f} GB for {} waiting instances, {:.0f} bytes each (at most 1.5 GB per "
      "million wanted)\n",
      gigabytes, instances, gigabytes * 1e9 / static_cast<double>(instances));
}

// Measures the longest turn of the partition while a checkpoint of many instances is written.
void checkpoint(std::int64_t instances) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("beeline-bench-{}", getpid());
  const SystemClock clock;
  {
    const auto store = state::open_rocksdb(folder.string());
    journal::MemoryLog log;
    stream::PartitionOptions options;
    options.queue_max = 1'000'000;
    options.checkpoint_interval = Milliseconds{1'000'000'000};
    options.checkpoint_records = 1'000'000'000;
    stream::Partition partition{options, log, *store, clock};
    partition.recover();
    const auto submit = [&](const auto& command) {
      (void)partition.submit({}, command, {});
      partition.run_once();
      log.commit_now();
    };
    record::DeploymentRecord deployment;
    deployment.resources.push_back({"one_task.bpmn", one_task_xml()});
    submit(stream::make_command(record::DeploymentIntent::Create, Key{}, deployment));
    record::ProcessInstanceCreationRecord creation;
    creation.bpmn_process_id = "one_task";
    creation.variables = payload("three");
    const auto create =
        stream::make_command(record::ProcessInstanceCreationIntent::Create, Key{}, creation);
    for (std::int64_t i = 0; i < instances; ++i) submit(create);
    log.release_before(log.last_position());
    partition.begin_checkpoint();
    double longest = 0;
    double longest_at_work = 0;
    const auto begin = SteadyClock::now();
    while (partition.is_checkpointing()) {
      const auto turn = SteadyClock::now();
      const double work = thread_seconds();
      submit(create);
      longest = std::max(longest, seconds_since(turn));
      longest_at_work = std::max(longest_at_work, thread_seconds() - work);
    }
    fmt::print(
        "checkpoint: longest pause {:.1f} ms in {:.1f} s, {} instances (at most 20 ms wanted)\n"
        "  of the thread's own work {:.1f} ms at most; the rest it waited for a core\n",
        longest * 1e3, seconds_since(begin), instances, longest_at_work * 1e3);
  }
  std::filesystem::remove_all(folder);
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const auto number = [&](int index, std::int64_t otherwise) {
    return argc > index ? std::stoll(argv[index]) : otherwise;
  };
  if (mode == "core") {
    core(number(2, 640), argc > 3 ? argv[3] : "small");
  } else if (mode == "durable") {
    durable(number(2, 20'000), static_cast<int>(number(3, 256)));
  } else if (mode == "replay") {
    replay(number(2, 20'000));
  } else if (mode == "memory") {
    memory(number(2, 1'000'000));
  } else if (mode == "checkpoint") {
    checkpoint(number(2, 1'000'000));
  } else {
    fmt::print(stderr,
               "usage: engine_bench core N small|large | durable [N] [in flight] | replay [N] | "
               "memory [N] | checkpoint [N]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace beeline::bench

int main(int argc, char** argv) {
  return beeline::bench::main(argc, argv);
}
