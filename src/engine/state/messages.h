#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/state/existing.h"
#include "engine/state/keys.h"
#include "engine/state/rows.h"
#include "state/ordered_index.h"
#include "state/table.h"

namespace beeline::engine {

// Messages that can still be correlated, in the order in which they were published; which process
// each was given to; and who waits to hear of one.
class Messages {
 public:
  explicit Messages(state::Database& database);
  ~Messages();

  [[nodiscard]] const MessageRow* find(Key key) const { return rows_.find(key); }
  // For a row that must be there.
  [[nodiscard]] const MessageRow& get(Key key) const { return existing(find(key), "message", key); }
  // The message with this id, if ids are asked for and it is there; overdue or not.
  [[nodiscard]] MessageKey find_by_id(const record::MessageRecord& message) const;
  // The oldest message that is not overdue at `now` and was not given to this process; unset when
  // there is no such message.
  [[nodiscard]] MessageKey oldest_for(std::string_view tenant, std::string_view name,
                                      std::string_view correlation_key,
                                      std::string_view bpmn_process_id, Timestamp now) const;
  [[nodiscard]] bool is_marked(Key message, std::string_view bpmn_process_id) const;

  // Buffered messages whose deadline is not after `now`, the earliest first.
  [[nodiscard]] std::vector<MessageKey> overdue(Timestamp now, std::size_t limit) const;
  [[nodiscard]] std::optional<Timestamp> next_deadline() const;
  [[nodiscard]] std::size_t count() const { return rows_.size(); }

  // For those who look at the state from outside; see state::Table::walk.
  template <typename Visit, typename Enough>
  [[nodiscard]] std::optional<std::uint64_t> walk(std::uint64_t from, std::size_t places_max,
                                                  Visit&& visit, Enough&& enough) const {
    return rows_.walk(from, places_max, visit, enough);
  }

  void insert(Key key, const record::MessageRecord& message);
  // Erases a message with its marks; does nothing when there is no such message.
  void erase(Key key);
  // Marks a message, which must be there, as given to this process.
  void mark(Key message, const std::string& bpmn_process_id);
  // Does nothing when there is no such mark.
  void unmark(Key message, const std::string& bpmn_process_id);

  // Who waits to hear of a message, or null.
  [[nodiscard]] const MessageCorrelationRow* find_request(Key message) const {
    return requests_.find(message);
  }
  // For a row that must be there.
  [[nodiscard]] const MessageCorrelationRow& get_request(Key message) const {
    return existing(find_request(message), "request of a message", message);
  }
  void insert_request(Key message, const record::MessageCorrelationRecord& request);
  void erase_request(Key message);
  // So many more subscriptions may take it, or fewer. Nothing happens when nobody waits.
  void change_candidates(Key message, std::int32_t by);

 private:
  using NameEntry = std::tuple<std::string, std::string, std::string, Key>;
  using IdEntry = std::tuple<std::string, std::string, std::string, std::string, Key>;

  state::Table<Key, MessageRow, RowCodec<MessageRow>> rows_;
  state::Table<Key, MessageMarksRow, RowCodec<MessageMarksRow>> marks_;
  state::Table<Key, MessageCorrelationRow, RowCodec<MessageCorrelationRow>> requests_;
  state::OrderedIndex<NameEntry> by_name_;  // tenant, name, correlation key, message key
  state::OrderedIndex<IdEntry> by_id_;      // the same with the id before the key
  state::OrderedIndex<std::pair<Timestamp, Key>> by_deadline_;
};

}  // namespace beeline::engine
