#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "record/codec.h"
#include "record/values.h"
#include "stream/port.h"

// Replacements for the engine and the clock in tests of the service and of the edges.
namespace beeline::service {

// How long a test waits for something that must happen at once.
inline constexpr std::chrono::seconds kPatience{30};

class ManualClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  void advance(Milliseconds by) {
    const std::scoped_lock lock(mutex_);
    now_ = now_ + by;
  }

 private:
  mutable std::mutex mutex_;
  Timestamp now_{1'000'000};
};

// A command that a partition received, with the means to answer it.
struct Submitted {
  PartitionId partition;
  stream::Command command;
  stream::ResponseHandler handler;
  std::optional<record::Principal> principal;  // of a client's command

  template <typename T>
  [[nodiscard]] T value() const {
    EXPECT_EQ(command.head.value_type, T::kType);
    return record::decode<T>(command.value);
  }
  [[nodiscard]] std::string name() const {
    return std::string(record::name_of(command.head.value_type)) + " " +
           std::string(record::intent_name(command.head.value_type, command.head.intent));
  }
  // Answers with an event of the same value type.
  template <typename T>
  void answer(typename T::Intent intent, Key key, const T& value) {
    const record::CommandHead head = record::make_head<T>(intent, key);
    record::Metadata metadata{head.view()};
    metadata.record_type = record::RecordType::Event;
    std::string bytes;
    record::encode(value, bytes);
    std::exchange(handler, nullptr)(record::RecordView{metadata, bytes});
  }
  void reject(record::RejectionType type, std::string_view reason) {
    record::Metadata metadata{command.head.view()};
    metadata.record_type = record::RecordType::CommandRejection;
    metadata.rejection_type = type;
    metadata.rejection_reason = reason;
    std::exchange(handler, nullptr)(record::RecordView{metadata, command.value});
  }
  // Answers an activation with jobs of these keys.
  void answer_jobs(const std::vector<Key>& keys, std::size_t variable_bytes = 0,
                   bool truncated = false) {
    auto batch = value<record::JobBatchRecord>();
    EXPECT_LE(keys.size(), static_cast<std::size_t>(batch.max_jobs_to_activate));
    batch.job_keys = keys;
    batch.truncated = truncated;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      record::JobRecord job;
      job.type = batch.type;
      job.worker = batch.worker;
      job.retries = 3;
      if (variable_bytes > 0) {
        job.variables.entries.push_back({"text", '"' + std::string(variable_bytes, 'x') + '"'});
      }
      batch.jobs.push_back(std::move(job));
    }
    answer(record::JobBatchIntent::Activated, Key{}, batch);
  }
};

// Partitions that keep the commands that they receive until the test answers them.
class FakePartitions final : public stream::Partitions {
 public:
  explicit FakePartitions(std::int32_t count = 1) {
    for (std::int32_t id = 1; id <= count; ++id) ports_.emplace_back(*this, PartitionId{id});
  }

  [[nodiscard]] std::int32_t count() const override {
    return static_cast<std::int32_t>(ports_.size());
  }
  [[nodiscard]] stream::PartitionPort& partition(PartitionId id) override {
    return ports_.at(static_cast<std::size_t>(id.value() - 1));
  }
  void set_job_listener(stream::JobListener* listener) override {
    const std::scoped_lock lock(mutex_);
    listener_ = listener;
  }
  void announce(PartitionId partition, std::string_view type, Key job,
                std::string_view tenant = record::kDefaultTenant) {
    const std::scoped_lock lock(mutex_);
    if (listener_ == nullptr) return;
    listener_->on_job_available(partition, record::JobGroup{{tenant, type}}, job);
  }

  // From now on the partition answers every command with this result.
  void set_result(PartitionId partition, stream::SubmitResult result) {
    const std::scoped_lock lock(mutex_);
    ports_.at(static_cast<std::size_t>(partition.value() - 1)).result = result;
  }

  // Returns the oldest command that was not taken yet; waits for one.
  Submitted take() {
    std::optional<Submitted> first = try_take(kPatience);
    if (!first) {
      ADD_FAILURE() << "no command arrived";
      std::abort();
    }
    return std::move(*first);
  }
  std::optional<Submitted> try_take(Milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, patience, [&] { return !submitted_.empty(); })) {
      return std::nullopt;
    }
    Submitted first = std::move(submitted_.front());
    submitted_.pop_front();
    return first;
  }
  [[nodiscard]] std::size_t waiting() {
    const std::scoped_lock lock(mutex_);
    return submitted_.size();
  }

 private:
  struct Port final : stream::PartitionPort {
    Port(FakePartitions& owner_in, PartitionId id_in) : owner(owner_in), number(id_in) {}
    [[nodiscard]] PartitionId id() const override { return number; }
    [[nodiscard]] stream::Condition condition() const override {
      const std::scoped_lock lock(owner.mutex_);
      return condition_of(result);
    }
    [[nodiscard]] stream::SubmitResult submit(const record::Principal& principal,
                                              stream::Command command,
                                              stream::ResponseHandler handler) override {
      return take({number, std::move(command), std::move(handler), principal});
    }
    [[nodiscard]] stream::SubmitResult submit_internal(stream::Command command) override {
      return take({number, std::move(command), nullptr, std::nullopt});
    }
    [[nodiscard]] stream::SubmitResult take(Submitted submitted) {
      {
        const std::scoped_lock lock(owner.mutex_);
        if (result != stream::SubmitResult::Accepted) return result;
        owner.submitted_.push_back(std::move(submitted));
      }
      owner.arrived_.notify_all();
      return stream::SubmitResult::Accepted;
    }
    // There is no state to read.
    [[nodiscard]] stream::SubmitResult read(stream::ReadStep, stream::ReadHandler) override {
      return stream::SubmitResult::Stopped;
    }
    FakePartitions& owner;
    const PartitionId number;
    stream::SubmitResult result = stream::SubmitResult::Accepted;
  };

  static stream::Condition condition_of(stream::SubmitResult result) {
    switch (result) {
      case stream::SubmitResult::Accepted:
      case stream::SubmitResult::QueueFull:
      case stream::SubmitResult::QueueBytesFull:
        return {};
      case stream::SubmitResult::DiskFull:
        return {stream::Health::Unhealthy, true, "The disk is full."};
      case stream::SubmitResult::Stopped:
        return {stream::Health::Unhealthy, false, "The partition is stopping."};
    }
    return {};
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Port> ports_;
  std::deque<Submitted> submitted_;
  stream::JobListener* listener_ = nullptr;
};

inline Key job_key(std::int64_t counter, PartitionId partition = PartitionId{1}) {
  return make_key(partition, counter);
}

}  // namespace beeline::service
