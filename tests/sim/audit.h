#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/ids.h"
#include "record/enums.h"
#include "record/record.h"

namespace beeline::sim {

// A promise was broken.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads every committed record of every partition once, and throws Broken if two of them cannot
// both be true: a missing position, a key that is used twice, a job that ends twice, a message that
// reaches a process twice, a token in a scope that does not exist, a bug for which an instance was
// banned, a command that was accepted, or follows from one, and is rejected for its size, a record
// that has a principal and is not a client's command, or a distributed command whose principal is
// not that of its client.
class Audit {
 public:
  void read(PartitionId partition, const record::RecordView& record);

  [[nodiscard]] bool has_instance(Key key) const { return instances_.contains(key); }
  [[nodiscard]] bool is_completed(Key job) const { return completed_jobs_.contains(job); }
  [[nodiscard]] bool is_published(Key message) const { return messages_.contains(message); }
  struct Element {
    std::string text;
    Key scope;                    // the scope that it runs in, if any
    std::string process_id = {};  // for a process instance
    int children = 0;
  };
  // All active element instances, by key.
  [[nodiscard]] const std::map<Key, Element>& active_elements() const { return active_; }
  // The active instances of a process.
  [[nodiscard]] std::vector<Key> instances_of(const std::string& bpmn_process_id) const;
  struct Incident {
    Key job;   // the job that it is about, if any
    Key root;  // the instance that a client can cancel
    Key instance;
    Key element;
    record::ErrorType type = record::ErrorType::Unknown;
    std::string message;
  };
  [[nodiscard]] const std::map<Key, Incident>& open_incidents() const { return open_incidents_; }
  [[nodiscard]] std::int64_t records() const { return records_; }
  [[nodiscard]] std::int64_t commands() const { return commands_; }

 private:
  void read_principal(PartitionId partition, const record::RecordView& record);
  // Throws Broken if another record of this distribution had another principal.
  void expect_principal(Key distribution, std::string_view principal,
                        const record::RecordView& record);
  void read_event(const record::RecordView& record);
  void give(Key key, const record::RecordView& record);
  void begin_element(Key key, const record::RecordView& record);
  void end_element(Key key, const record::RecordView& record);
  void end_job(Key key, const record::RecordView& record);
  void deliver(Key message, const std::string& bpmn_process_id, const record::RecordView& record);

  std::map<PartitionId, Position> last_;
  std::map<Key, std::string> given_;  // key to the entity that got it
  std::set<Key> instances_;
  std::map<Key, Element> active_;
  std::map<Key, Incident> open_incidents_;
  std::set<Key> ended_jobs_;
  std::set<Key> completed_jobs_;
  std::set<Key> messages_;
  std::set<std::pair<Key, std::string>> delivered_;
  // The principals of clients' commands by partition and position, and those of distributions, in
  // wire form.
  std::map<std::pair<PartitionId, Position>, std::string> principals_;
  std::map<Key, std::string> distributed_;
  std::int64_t records_ = 0;
  std::int64_t commands_ = 0;
};

}  // namespace beeline::sim
