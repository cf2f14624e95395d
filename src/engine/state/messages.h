#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/tables.h"
#include "state/ordered_index.h"

namespace beeline::engine {

// Messages that can still be correlated, in the order in which they were published; the processes
// that have received each; and the clients that wait for the answer.
class Messages {
 public:
  explicit Messages(state::Database& database);
  ~Messages();

  [[nodiscard]] const MessageRow* find(Key key) const { return rows_.find(key); }
  // For a row that must exist.
  [[nodiscard]] const MessageRow& get(Key key) const { return existing(find(key), "message", key); }
  // Returns the message with this id, expired or not, if the message has an id; unset if there is
  // none.
  [[nodiscard]] MessageKey find_by_id(const record::MessageRecord& message) const;
  // Returns the oldest message that has not expired at `now` and that this process has not
  // received; unset if there is no such message.
  [[nodiscard]] MessageKey oldest_for(std::string_view tenant, std::string_view name,
                                      std::string_view correlation_key,
                                      std::string_view bpmn_process_id, Timestamp now) const;
  [[nodiscard]] bool is_marked(Key message, std::string_view bpmn_process_id) const;

  // Returns buffered messages whose deadline is not after `now`, the earliest first.
  [[nodiscard]] std::vector<MessageKey> overdue(Timestamp now, std::size_t limit) const;
  [[nodiscard]] std::optional<Timestamp> next_deadline() const;
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // For readers from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::MessageRecord& message);
  // Erases a message with its marks; does nothing if there is no such message.
  void erase(Key key);
  // Marks a message, which must exist, as received by this process.
  void mark(Key message, const std::string& bpmn_process_id);
  // Does nothing if there is no such mark.
  void unmark(Key message, const std::string& bpmn_process_id);

  // Returns the client that waits for the answer of a message, or null.
  [[nodiscard]] const MessageCorrelationRow* find_request(Key message) const {
    return requests_.find(message);
  }
  // For a row that must exist.
  [[nodiscard]] const MessageCorrelationRow& get_request(Key message) const {
    return existing(find_request(message), "request of a message", message);
  }
  void insert_request(Key message, const record::MessageCorrelationRecord& request);
  void erase_request(Key message);
  // Changes the number of subscriptions that may receive it. Does nothing if nobody waits.
  void change_candidates(Key message, std::int32_t by);

 private:
  using NameEntry = std::tuple<std::string, std::string, std::string, Key>;
  using IdEntry = std::tuple<std::string, std::string, std::string, std::string, Key>;

  TableOf<TableNumber::Messages> rows_;
  TableOf<TableNumber::MessageMarks> marks_;
  TableOf<TableNumber::MessageCorrelations> requests_;
  state::OrderedIndex<NameEntry> by_name_;  // tenant, name, correlation key, message key
  state::OrderedIndex<IdEntry> by_id_;      // the same with the id before the key
  state::OrderedIndex<std::pair<Timestamp, Key>> by_deadline_;
};

}  // namespace beeline::engine
