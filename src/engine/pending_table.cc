#include "engine/pending_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "engine/state/tables.h"
#include "record/record.h"
#include "state/key_codec.h"
#include "state/store_error.h"

namespace beeline::engine {
namespace {

std::string encode_key(Position position) {
  std::string key;
  state::KeyCodec<Position>::encode(position, key);
  return key;
}

// Encodes the command into `row`, and uses `buffer` for its value.
void encode_row(const PendingCommand& command, std::string& buffer, std::string& row) {
  record::Metadata metadata = command.metadata;
  metadata.request_id = 0;
  metadata.principal.bytes = command.principal.bytes;
  row.clear();
  record::append_record(metadata, command.bytes(buffer), row);
}

}  // namespace

PendingTable::PendingTable(state::Database& database, PendingCommands& commands)
    : TableBase(table_id(TableNumber::PendingCommands), table_name(TableNumber::PendingCommands)),
      commands_(commands) {
  database.add_table(*this);
}

PendingTable::~PendingTable() = default;

void PendingTable::undo(state::ChangeKind, state::SlotBase&) {
  BEELINE_CHECK(false, "pending commands are not in the undo log");
}

void PendingTable::forget_erased(state::SlotBase&) {
  BEELINE_CHECK(false, "pending commands are not in the undo log");
}

// A command never changes, so only commands that the store does not have are written.
void PendingTable::begin_capture() {
  std::vector<Position> now;
  now.reserve(commands_.count_on_log());
  std::string buffer;
  auto stored = stored_.begin();
  const auto remove_before = [&](Position position) {
    for (; stored != stored_.end() && *stored < position; ++stored) {
      due_.push_back({encode_key(*stored), {}});
    }
  };
  commands_.for_each_on_log([&](const PendingCommand& command) {
    const Position position = command.metadata.position;
    now.push_back(position);
    remove_before(position);
    if (stored != stored_.end() && *stored == position) {
      ++stored;
      return;
    }
    Change& change = due_.emplace_back();
    change.key = encode_key(position);
    encode_row(command, buffer, change.row);
  });
  for (; stored != stored_.end(); ++stored) due_.push_back({encode_key(*stored), {}});
  stored_ = std::move(now);
}

std::size_t PendingTable::capture(std::size_t rows, state::WriteBatch& batch) {
  std::string prefix;
  state::encode_table_prefix(id(), prefix);
  std::size_t count = 0;
  for (; count < rows && !due_.empty(); ++count) {
    const Change& change = due_.front();
    if (change.row.empty()) {
      batch.remove(prefix + change.key);
    } else {
      batch.put(prefix + change.key, change.row);
    }
    due_.pop_front();
  }
  return count;
}

void PendingTable::load_row(std::string_view encoded_key, std::string_view encoded_row) {
  record::RecordReader reader{encoded_row};
  const auto command = reader.next();
  if (!command || encoded_key != encode_key(command->metadata.position) ||
      command->metadata.record_type != record::RecordType::Command || reader.next()) {
    throw state::StoreError(
        fmt::format("the checkpoint has a pending command of {} bytes that cannot be read",
                    encoded_row.size()));
  }
  commands_.push_back(command->metadata, command->value);
  stored_.push_back(command->metadata.position);
}

void PendingTable::visit_sorted(
    const std::function<void(std::string_view, std::string_view)>& visit) const {
  std::string buffer;
  std::string row;
  commands_.for_each_on_log([&](const PendingCommand& command) {
    encode_row(command, buffer, row);
    visit(encode_key(command.metadata.position), row);
  });
}

}  // namespace beeline::engine
