#include "state/database.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "state/digest.h"
#include "state/key_codec.h"
#include "state/store_error.h"

namespace beeline::state {
namespace {

// Table 0 belongs to the database itself: it contains the position of the checkpoint.
constexpr TableId kOwnTable{0};

std::string position_key() {
  std::string key;
  encode_table_prefix(kOwnTable, key);
  return key + "position";
}

}  // namespace

void encode_table_prefix(TableId id, std::string& out) {
  KeyCodec<TableId>::encode(id, out);
}

// --- batches ---

void Database::begin_batch() {
  undo_.begin();
}

void Database::commit_batch() {
  undo_.commit();
}

void Database::rollback_batch() {
  undo_.roll_back();
}

// --- checkpoints ---

void Database::begin_checkpoint(Position position) {
  BEELINE_CHECK(!in_batch(), "a checkpoint is of the state between two batches");
  BEELINE_CHECK(!is_capturing_, "a checkpoint is under way");
  is_capturing_ = true;
  is_captured_ = false;
  checkpoint_position_ = position;
  // captured_ is empty, unless a batch was given back: then everything newer comes after it.
  captured_.append(removals_);
  for (const auto& [id, table] : tables_) table->begin_capture();
}

bool Database::capture(std::size_t rows) {
  BEELINE_CHECK(!in_batch(), "rows are captured between two batches");
  BEELINE_CHECK(is_capturing_, "no checkpoint is under way");
  BEELINE_CHECK(rows > 0, "a checkpoint would never end");
  for (const auto& [id, table] : tables_) {
    const std::size_t seen = table->capture(rows, captured_);
    if (seen == rows) return false;
    rows -= seen;
  }
  is_captured_ = true;
  return true;
}

WriteBatch Database::take_captured() {
  BEELINE_CHECK(is_capturing_, "no checkpoint is under way");
  BEELINE_CHECK(is_captured_, "some rows are not captured yet");
  std::string position;
  KeyCodec<Position>::encode(checkpoint_position_, position);
  captured_.put(position_key(), position);
  is_capturing_ = false;
  return std::exchange(captured_, WriteBatch{});
}

void Database::give_back(WriteBatch captured) {
  BEELINE_CHECK(!is_capturing_, "a checkpoint is under way");
  BEELINE_CHECK(captured_.empty(), "two batches were given back");
  captured_ = std::move(captured);
}

// --- recovery and comparison ---

Position Database::stored_position(const KeyValueStore& store) {
  const auto position = store.get(position_key());
  if (!position) return Position{0};
  std::string_view bytes = *position;
  return KeyCodec<Position>::decode(bytes);
}

Position Database::load(const KeyValueStore& store) {
  for (const auto& [id, table] : tables_) {
    BEELINE_CHECK(table->size() == 0, "table {} is loaded, but has rows", table->name());
  }
  store.for_each([&](std::string_view key, std::string_view row) {
    const auto id = KeyCodec<TableId>::decode(key);
    if (id == kOwnTable) return;
    const auto table = tables_.find(id);
    if (table == tables_.end()) {
      throw StoreError(fmt::format(
          "the checkpoint has a table {}, which this version does not know; use the version of "
          "beeline that wrote it, or a later one",
          static_cast<int>(id)));
    }
    table->second->load_row(key, row);
  });
  return stored_position(store);
}

std::string Database::dump(std::optional<TableId> except) const {
  std::string dump;
  for (const auto& [id, table] : tables_) {
    if (id == except) continue;
    table->visit_sorted([&, table_id = id](std::string_view key, std::string_view row) {
      encode_table_prefix(table_id, dump);
      for (const std::string_view piece : {key, row}) {
        encode_integer(piece.size(), 4, dump);
        dump.append(piece);
      }
    });
  }
  return dump;
}

std::uint64_t Database::digest(std::optional<TableId> except) const {
  Digest digest;
  for (const auto& [id, table] : tables_) {
    if (id == except) continue;
    std::string prefix;
    encode_table_prefix(id, prefix);
    table->visit_sorted([&](std::string_view key, std::string_view row) {
      digest.add(prefix);
      digest.add(key);
      digest.add(row);
    });
  }
  return digest.value();
}

void Database::add_table(TableBase& table) {
  BEELINE_CHECK(table.id() != kOwnTable, "table {} has the id 0", table.name());
  const bool is_new = tables_.emplace(table.id(), &table).second;
  BEELINE_CHECK(is_new, "two tables have the id {}", static_cast<int>(table.id()));
}

}  // namespace beeline::state
