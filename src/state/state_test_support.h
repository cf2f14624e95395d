#pragma once

#include <string>

#include "base/check.h"
#include "base/ids.h"
#include "state/table.h"

namespace beeline::state {

struct NoteRow {
  std::string text;
  bool operator==(const NoteRow&) const = default;
};

struct NoteCodec {
  static void encode(const NoteRow& row, std::string& out) { out += row.text; }
  static NoteRow decode(std::string_view bytes) {
    if (bytes == "unreadable") throw std::runtime_error("no note");
    return NoteRow{std::string(bytes)};
  }
};

// Two tables with keys of different kinds.
struct Notes {
  Database database;
  Table<Key, NoteRow, NoteCodec> by_key{database, TableId{1}, "by_key"};
  Table<std::string, NoteRow, NoteCodec> by_name{database, TableId{2}, "by_name"};

  // Runs `change` in one batch.
  template <typename Change>
  void batch(Change&& change) {
    database.begin_batch();
    change();
    database.commit_batch();
  }
};

}  // namespace beeline::state
