#include "record/metadata_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "record/codec_impl.h"
#include "record/frame.h"
#include "record/frame_writer.h"
#include "record/wire_reader.h"

namespace beeline::record {
namespace {

using Random = std::mt19937_64;

// Numbers of every length, negative ones among them.
std::int64_t random_number(Random& random) {
  const auto number = static_cast<std::int64_t>(random() >> (random() % 64));
  return random() % 8 == 0 ? -number : number;
}

std::string random_text(Random& random) {
  std::string text(random() % 300, ' ');
  for (char& each : text) each = static_cast<char>(random());
  return text;
}

// Returns metadata in which each field of the list is at its default or random, so a test fails
// when the fast writer does not know a field. Texts are borrowed from `texts`.
Metadata random_metadata(Random& random, std::vector<std::string>& texts) {
  Metadata metadata;
  texts.clear();
  texts.reserve(std::tuple_size_v<decltype(Metadata::fields())>);
  for_each_field<Metadata>([&](const auto& each) {
    using F = typename std::decay_t<decltype(each)>::Value;
    if (random() % 3 == 0) return;
    if constexpr (std::is_same_v<F, RecordType>) {
      each.of(metadata) = static_cast<RecordType>(random() % 3);
    } else if constexpr (detail::Scalar<F>) {
      each.of(metadata) = detail::from_integer<F>(random_number(random));
    } else if constexpr (detail::kIsEncoded<F>) {
      each.of(metadata).bytes = texts.emplace_back(random_text(random));
    } else {
      each.of(metadata) = texts.emplace_back(random_text(random));
    }
  });
  // A reason is written behind a rejection type only.
  if (metadata.rejection_type == RejectionType::None) metadata.rejection_reason = {};
  return metadata;
}

// The fields of a message by their numbers, each in its wire form.
std::map<std::uint64_t, std::string> fields_of(std::string_view bytes) {
  std::map<std::uint64_t, std::string> fields;
  wire::Reader reader{bytes};
  while (reader.next()) {
    std::string& field = fields[reader.field()];
    EXPECT_TRUE(field.empty()) << "field " << reader.field() << " is there twice";
    field = reader.is_bytes() ? "bytes " + std::string{reader.bytes()}
                              : "number " + std::to_string(reader.number());
  }
  EXPECT_FALSE(reader.malformed());
  return fields;
}

std::string written_fast(const Metadata& metadata, std::string_view value) {
  std::string bytes;
  append_record(metadata, value, bytes);
  return bytes;
}

// Encodes the metadata by its field list.
std::string written_by_list(const Metadata& metadata, std::string_view value) {
  std::string content;
  encode(metadata, content);
  wire::append_at_most(content, wire::kHeadMax + value.size(),
                       [&](char* at) { return wire::put_bytes(at, Metadata::kValueField, value); });
  const auto length = static_cast<std::uint32_t>(content.size());
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + content;
}

TEST(MetadataCodec, writes_what_the_field_list_has) {
  Random random{12};
  std::vector<std::string> texts;
  for (int i = 0; i < 4'000; ++i) {
    const Metadata metadata = random_metadata(random, texts);
    const std::string value = random_text(random);
    const std::string fast = written_fast(metadata, value);
    const std::string by_list = written_by_list(metadata, value);
    for (const std::string& bytes : {fast, by_list}) {
      RecordReader reader{bytes};
      const auto record = reader.next();
      ASSERT_TRUE(record.has_value()) << i;
      ASSERT_EQ(record->metadata, metadata) << i;
      ASSERT_EQ(record->value, value) << i;
    }
    // The fast writer also writes some fields that are at their defaults.
    const auto fast_fields = fields_of(std::string_view{fast}.substr(detail::kLengthBytes));
    for (const auto& [number, bytes] :
         fields_of(std::string_view{by_list}.substr(detail::kLengthBytes))) {
      const auto found = fast_fields.find(number);
      ASSERT_NE(found, fast_fields.end()) << "field " << number << " is not written";
      ASSERT_EQ(found->second, bytes) << "field " << number;
    }
  }
}

// A record of a frame is made from bytes of the record before it; it must be the same as alone.
TEST(MetadataCodec, a_frame_has_the_bytes_of_its_records) {
  Random random{13};
  std::vector<std::string> texts;
  FrameWriter writer;
  std::string frame;
  for (int round = 0; round < 100; ++round) {
    writer.begin(frame);
    std::string expected;
    Metadata metadata = random_metadata(random, texts);
    metadata.position = Position{static_cast<std::int64_t>(random() >> (16 + random() % 48))};
    writer.set_common(metadata);
    for (int i = 0; i < 20; ++i) {
      const Metadata own = random_metadata(random, texts);
      metadata.position = Position{metadata.position.value() + 1 + (random() % 8 == 0 ? 100 : 0)};
      metadata.key = own.key;
      metadata.record_type = RecordType::Event;
      metadata.value_type = own.value_type;
      metadata.intent = own.intent;
      metadata.version = own.version;
      // Only commands from outside and rejections have these.
      metadata.rejection_type = RejectionType::None;
      metadata.rejection_reason = {};
      metadata.request_id = 0;
      metadata.min_pending_key = Key{};
      metadata.principal = {};
      const std::string value = random_text(random);
      writer.append(metadata, value);
      append_record(metadata, value, expected);
    }
    writer.finish(metadata.position);
    ASSERT_EQ(parse_frame(frame)->records, expected) << round;
  }
}

// A reader that cut such a number off would read another number.
TEST(MetadataCodec, a_number_that_its_field_cannot_hold_makes_a_record_malformed) {
  for (const auto& [field, number] :
       std::map<std::uint32_t, std::int64_t>{{detail::kRecordType, 3},
                                             {detail::kValueType, 256},
                                             {detail::kIntent, -1},
                                             {detail::kVersion, 65'536},
                                             {detail::kPartition, std::int64_t{1} << 32},
                                             {detail::kRejectionType, 300}}) {
    std::string bytes(detail::kLengthBytes, '\0');
    wire::append_at_most(bytes, wire::kHeadMax, [&, tag = field, value = number](char* at) {
      return wire::put_number(at, tag, value);
    });
    bytes[0] = static_cast<char>(bytes.size() - detail::kLengthBytes);
    RecordReader reader{bytes};
    EXPECT_FALSE(reader.next().has_value()) << field;
    EXPECT_TRUE(reader.malformed()) << field;
  }
}

}  // namespace
}  // namespace beeline::record
