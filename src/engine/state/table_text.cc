#include "engine/state/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "record/codec_impl.h"
#include "record/record.h"
#include "state/key_codec.h"

namespace beeline::engine {
namespace {

template <typename Part>
std::string key_part_to_json(const Part& part) {
  if constexpr (std::is_same_v<Part, std::string>) {
    return record::json_string(part);
  } else if constexpr (std::is_integral_v<Part>) {
    return fmt::format("{}", part);
  } else {
    return fmt::format("{}", part.value());
  }
}

template <typename K>
std::string key_to_json(std::string_view bytes) {
  const K key = state::KeyCodec<K>::decode(bytes);
  if constexpr (requires { key.first; }) {
    return fmt::format("[{},{}]", key_part_to_json(key.first), key_part_to_json(key.second));
  } else {
    return key_part_to_json(key);
  }
}

template <typename Row>
std::string row_to_json(std::string_view bytes) {
  std::string json;
  record::to_json(RowCodec<Row>::decode(bytes), json);
  return json;
}

// The row of a pending command is the command's record as it is on the log.
std::string command_to_json(std::string_view bytes) {
  record::RecordReader reader{bytes};
  const auto command = reader.next();
  return command ? record::to_json(*command) : "null";
}

// "message_marks" -> "messageMarks"
std::string camel_case(std::string_view name) {
  std::string out;
  bool is_after_underscore = false;
  for (const char c : name) {
    if (c != '_') out += is_after_underscore ? static_cast<char>(c - 'a' + 'A') : c;
    is_after_underscore = c == '_';
  }
  return out;
}

template <typename K, typename Row>
TableText text_of(TableNumber number) {
  return {number, camel_case(table_name(number)), key_to_json<K>, row_to_json<Row>};
}

std::vector<TableText> make_table_texts() {
  std::vector<TableText> texts{
      {TableNumber::PendingCommands, camel_case(table_name(TableNumber::PendingCommands)),
       key_to_json<Position>, command_to_json},
#define BEELINE_TABLE_TEXT(enumerator, number, name, KeyType, RowType) \
  text_of<KeyType, RowType>(TableNumber::enumerator),
#define BEELINE_NUMBERS_TEXT(enumerator, number, name, KeyType) \
  text_of<KeyType, CounterRow>(TableNumber::enumerator),
      BEELINE_TABLES(BEELINE_TABLE_TEXT, BEELINE_NUMBERS_TEXT)
#undef BEELINE_TABLE_TEXT
#undef BEELINE_NUMBERS_TEXT
  };
  std::ranges::sort(texts, {}, &TableText::number);
  return texts;
}

}  // namespace

std::span<const TableText> table_texts() {
  static const std::vector<TableText> kTexts = make_table_texts();
  return kTexts;
}

}  // namespace beeline::engine
