#include "record/record.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "record/codec.h"
#include "record/json.h"
#include "record/metadata_codec.h"
#include "record/values.h"
#include "record/wire_reader.h"

namespace beeline::record {
namespace {

using namespace detail;  // NOLINT: the tags

// What can be done with the value of a record whose type is only known at run
// time.
struct ValueFunctions {
  void (*json)(std::string_view, std::string&) = nullptr;
  void (*text)(std::string_view, std::string&) = nullptr;
  bool (*well_formed)(std::string_view) = nullptr;
};

template <typename T>
constexpr ValueFunctions functions_of() {
  return {[](std::string_view bytes, std::string& out) {
            if (const auto value = try_decode<T>(bytes)) to_json(*value, out);
          },
          [](std::string_view bytes, std::string& out) {
            if (const auto value = try_decode<T>(bytes)) to_text(*value, out);
          },
          [](std::string_view bytes) { return try_decode<T>(bytes).has_value(); }};
}

// A distributed command is printed as what it is, which only this table knows.
// The text form leaves it out: it has one line.
std::string json_of_value(ValueType type, std::string_view bytes);

template <>
constexpr ValueFunctions functions_of<CommandDistributionRecord>() {
  using T = CommandDistributionRecord;
  return {[](std::string_view bytes, std::string& out) {
            auto value = try_decode<T>(bytes);
            if (!value) return;
            const std::string command = std::exchange(value->command_value, {});
            std::string json;
            to_json(*value, json);
            constexpr std::string_view kEmpty = R"("commandValue":"")";
            const std::size_t at = json.find(kEmpty);
            BEELINE_CHECK(at != std::string::npos, "no command value in {}", json);
            json.replace(
                at, kEmpty.size(),
                fmt::format(R"("commandValue":{})",
                            command.empty() ? "{}" : json_of_value(value->value_type, command)));
            out += json;
          },
          [](std::string_view bytes, std::string& out) {
            auto value = try_decode<T>(bytes);
            if (!value) return;
            value->command_value.clear();
            to_text(*value, out);
          },
          [](std::string_view bytes) { return try_decode<T>(bytes).has_value(); }};
}

template <typename... Ts>
constexpr auto function_table(TypeList<Ts...>) {
  std::array<ValueFunctions, 256> table{};
  ((table[static_cast<std::size_t>(Ts::kType)] = functions_of<Ts>()), ...);
  return table;
}

const ValueFunctions& functions_for(ValueType type) {
  static constexpr auto kTable = function_table(AllValues{});
  return kTable[static_cast<std::size_t>(type)];
}

std::string json_of_value(ValueType type, std::string_view bytes) {
  std::string out;
  const ValueFunctions& functions = functions_for(type);
  if (functions.json != nullptr) functions.json(bytes, out);
  if (out.empty()) out = "{}";
  return out;
}

bool read_number(const wire::Reader& reader, Metadata& m) {
  const std::int64_t number = reader.number();
  switch (reader.field()) {
    case kPosition:
      m.position = Position{number};
      break;
    case kSourcePosition:
      m.source_position = Position{number};
      break;
    case kKey:
      m.key = Key{number};
      break;
    case kTimestamp:
      m.timestamp = Timestamp{number};
      break;
    case kRecordType:
      if (number < 0 || number > 2) return false;
      m.record_type = static_cast<RecordType>(number);
      break;
    case kValueType:
      if (number < 0 || number > 255) return false;
      m.value_type = static_cast<ValueType>(number);
      break;
    case kIntent:
      if (number < 0 || number > 255) return false;
      m.intent = static_cast<IntentNumber>(number);
      break;
    case kVersion:
      if (number < 0 || number > 65535) return false;
      m.version = static_cast<std::uint16_t>(number);
      break;
    case kPartition:
      m.partition = PartitionId{static_cast<std::int32_t>(number)};
      break;
    case kRejectionType:
      m.rejection_type = static_cast<RejectionType>(number);
      break;
    case kRequestId:
      m.request_id = static_cast<RequestId>(number);
      break;
    case kOperationReference:
      m.operation_reference = number;
      break;
    case kMinPendingKey:
      m.min_pending_key = Key{number};
      break;
    default:
      break;  // a field of a newer version
  }
  return true;
}

bool read_record(std::string_view bytes, RecordView& record) {
  wire::Reader reader{bytes};
  while (reader.next()) {
    if (reader.is_number()) {
      if (!read_number(reader, record.metadata)) return false;
    } else if (reader.is_bytes() && reader.field() == kValue) {
      record.value = reader.bytes();
    } else if (reader.is_bytes() && reader.field() == kRejectionReason) {
      record.metadata.rejection_reason = reader.bytes();
    }
  }
  return !reader.malformed();
}

char kind_letter(RecordType type) {
  switch (type) {
    case RecordType::Event:
      return 'E';
    case RecordType::Command:
      return 'C';
    case RecordType::CommandRejection:
      return 'R';
  }
  BEELINE_CHECK(false, "{} is not a record type", static_cast<int>(type));
  return '?';
}

}  // namespace

OwnedRecord to_owned(const RecordView& record) {
  OwnedRecord owned{record.metadata, std::string{record.metadata.rejection_reason},
                    std::string{record.value}};
  owned.metadata.rejection_reason = {};
  return owned;
}

void append_record(const Metadata& metadata, std::string_view value, std::string& out) {
  wire::append_at_most(out, record_bytes_max(metadata, value),
                       [&](char* begin) { return write_any_record(begin, metadata, value); });
}

std::optional<RecordView> RecordReader::next() {
  if (rest_.empty() || malformed_) return std::nullopt;
  malformed_ = true;
  if (rest_.size() < 4) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  }
  if (length > rest_.size() - 4) return std::nullopt;
  RecordView record;
  if (!read_record(rest_.substr(4, length), record)) return std::nullopt;
  rest_.remove_prefix(4 + length);
  malformed_ = false;
  return record;
}

std::string value_to_json(const RecordView& record) {
  return json_of_value(record.metadata.value_type, record.value);
}

std::string to_json(const RecordView& record) {
  const Metadata& m = record.metadata;
  std::string out = fmt::format(
      R"({{"position":{},"sourceRecordPosition":{},"key":{},"timestamp":{},"recordType":"{}",)"
      R"("valueType":"{}","intent":"{}","recordVersion":{},"partitionId":{},"rejectionType":"{}",)"
      R"("rejectionReason":)",
      m.position.value(), m.source_position.value(), m.key.value(), m.timestamp.millis(),
      name_of(m.record_type), name_of(m.value_type), intent_name(m.value_type, m.intent), m.version,
      m.partition.value(), name_of(m.rejection_type));
  append_json_string(m.rejection_reason, out);
  out += fmt::format(R"(,"operationReference":{},"value":)", m.operation_reference);
  out += value_to_json(record);
  out += '}';
  return out;
}

std::string text_name(const Metadata& m) {
  if (m.value_type == ValueType::ProcessInstance) {
    const std::string_view intent = intent_name(m.value_type, m.intent);
    constexpr std::string_view kEventPrefix = "ELEMENT_";
    constexpr std::string_view kCommandSuffix = "_ELEMENT";
    if (intent.starts_with(kEventPrefix)) {
      return fmt::format("ELEMENT {}", intent.substr(kEventPrefix.size()));
    }
    if (intent.ends_with(kCommandSuffix)) {
      return fmt::format("ELEMENT {}", intent.substr(0, intent.size() - kCommandSuffix.size()));
    }
  }
  return fmt::format("{} {}", name_of(m.value_type), intent_name(m.value_type, m.intent));
}

std::string to_text(const RecordView& record) {
  const Metadata& m = record.metadata;
  std::string out = fmt::format("{} {}", kind_letter(m.record_type), text_name(m));
  if (m.key.is_set()) out += fmt::format(" key={}", m.key.value());
  const ValueFunctions& functions = functions_for(m.value_type);
  if (functions.text != nullptr) functions.text(record.value, out);
  if (m.rejection_type != RejectionType::None) {
    out += fmt::format(" {} \"{}\"", name_of(m.rejection_type), m.rejection_reason);
  }
  return out;
}

bool is_well_formed(const RecordView& record) {
  const ValueFunctions& functions = functions_for(record.metadata.value_type);
  return functions.well_formed != nullptr && functions.well_formed(record.value);
}

}  // namespace beeline::record
