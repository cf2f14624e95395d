#include "record/record.h"

#include <fmt/format.h>

#include "base/check.h"
#include "record/any_value.h"
#include "record/codec_impl.h"
#include "record/json.h"
#include "record/metadata_codec.h"
#include "record/wire_reader.h"

namespace beeline::record {
namespace {

using namespace detail;  // NOLINT: the numbers of fields, and how one is read

// Reads the field that `reader` is at. An unknown field is skipped, and so is a field whose wire
// type is not the one it is written with. Returns false if a number does not fit its field.
bool read_metadata_field(const wire::Reader& reader, Metadata& metadata) {
  bool is_good = true;
  (void)find_field<Metadata>([&](const auto& each) {
    using F = typename std::decay_t<decltype(each)>::Value;
    if (reader.field() != each.number) return false;
    if constexpr (Scalar<F>) {
      if (!reader.is_number()) return true;
      each.of(metadata) = from_integer<F>(reader.number());
      is_good = to_integer(each.of(metadata)) == reader.number();
    } else if (reader.is_bytes()) {
      is_good = read_field(reader, each.of(metadata));
    }
    return true;
  });
  return is_good;
}

bool read_record(std::string_view bytes, RecordView& record) {
  wire::Reader reader{bytes};
  while (reader.next()) {
    if (reader.field() == Metadata::kValueField && reader.is_bytes()) {
      record.value = reader.bytes();
    } else if (!read_metadata_field(reader, record.metadata)) {
      return false;
    }
  }
  return !reader.malformed() && record.metadata.record_type <= RecordType::CommandRejection;
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
  OwnedRecord owned{record.metadata,
                    std::string{record.metadata.rejection_reason},
                    std::string{record.value},
                    {std::string{record.metadata.principal.bytes}}};
  owned.metadata.rejection_reason = {};
  owned.metadata.principal = {};
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
  return value_to_json(record.metadata.value_type, record.value);
}

std::string to_json(const RecordView& record) {
  const Metadata& m = record.metadata;
  std::string out = "{";
  for_each_field<Metadata>([&](const auto& each) {
    if constexpr (kIsHidden<std::decay_t<decltype(each)>>) return;
    if (each.number == kPrincipal) return;
    append_json_string(each.name, out);
    out += ':';
    if (each.number == kIntent) {
      // The name of an intent depends on the value type.
      append_json_string(intent_name(m.value_type, m.intent), out);
    } else {
      json_field(each.of(m), out);
    }
    out += ',';
  });
  if (!m.principal.empty()) {
    out += R"("authorizations":)";
    append_authorizations(m.principal, out);
    out += ',';
  }
  out += R"("value":)";
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

std::string subject_of(const RecordView& record) {
  return value_subject(record.metadata.value_type, record.value);
}

std::string to_text(const RecordView& record) {
  const Metadata& m = record.metadata;
  std::string out = fmt::format("{} {}", kind_letter(m.record_type), text_name(m));
  if (m.key.is_set()) out += fmt::format(" key={}", m.key.value());
  value_to_text(m.value_type, record.value, out);
  if (m.rejection_type != RejectionType::None) {
    out += fmt::format(" {} \"{}\"", name_of(m.rejection_type), m.rejection_reason);
  }
  if (!m.principal.empty()) out += " principal=" + principal_text(m.principal);
  return out;
}

bool is_well_formed(const RecordView& record) {
  return is_well_formed_value(record.metadata.value_type, record.value);
}

}  // namespace beeline::record
