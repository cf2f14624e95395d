#pragma once

#include <limits>

#include "base/check.h"
#include "record/record.h"
#include "record/wire_writer.h"

// Writes metadata in wire form, for record.cc and frame_writer.cc. It writes the fields that
// Metadata::fields() lists, in an order that lets the records of a batch share a part of their
// bytes.
namespace beeline::record::detail {

// The numbers of Metadata::fields().
enum Tag : std::uint32_t {
  kPosition = 1,
  kSourcePosition = 2,
  kKey = 3,
  kTimestamp = 4,
  kRecordType = 5,
  kValueType = 6,
  kIntent = 7,
  kVersion = 8,
  kPartition = 9,
  kRejectionType = 10,
  kRejectionReason = 11,
  kRequestId = 12,
  kOperationReference = 13,
  kMinPendingKey = 14,
  kPrincipal = 16,
};

// The most bytes that all numbers and the heads of texts and of the value take.
inline constexpr std::size_t kMetadataBytesMax =
    (std::tuple_size_v<decltype(Metadata::fields())> + 1) * wire::kHeadMax;

// Writes what the records of a batch have in common.
inline char* write_common(char* at, const Metadata& m) {
  if (m.source_position.is_set()) {
    at = wire::put_number(at, kSourcePosition, m.source_position.value());
  }
  at = wire::put_number(at, kTimestamp, m.timestamp.millis());
  if (m.partition != PartitionId{1}) at = wire::put_number(at, kPartition, m.partition.value());
  if (m.operation_reference != -1) {
    at = wire::put_number(at, kOperationReference, m.operation_reference);
  }
  return at;
}

// Writes the kind of the record: three numbers, mostly of a byte each.
[[gnu::always_inline]] inline char* write_kind(char* at, const Metadata& m) {
  const auto record_type = static_cast<std::uint64_t>(m.record_type);
  const auto value_type = static_cast<std::uint64_t>(m.value_type);
  if ((value_type | m.intent) < 0x80) {
    const std::uint64_t bytes = std::uint64_t{kRecordType << 3U} | record_type << 8U |
                                std::uint64_t{kValueType << 3U} << 16U | value_type << 24U |
                                std::uint64_t{kIntent << 3U} << 32U |
                                static_cast<std::uint64_t>(m.intent) << 40U;
    std::memcpy(at, &bytes, sizeof bytes);
    return at + 6;
  }
  at = wire::put_number(at, kRecordType, static_cast<std::int64_t>(record_type));
  at = wire::put_number(at, kValueType, static_cast<std::int64_t>(value_type));
  return wire::put_number(at, kIntent, m.intent);
}

// Writes what belongs to each record alone, except its position.
[[gnu::always_inline]] inline char* write_own(char* at, const Metadata& m) {
  if (m.key.is_set()) at = wire::put_number(at, kKey, m.key.value());
  at = write_kind(at, m);
  if (m.version != 1) at = wire::put_number(at, kVersion, m.version);
  return at;
}

// Writes what only a rejection or a command from outside has.
inline char* write_outer(char* at, const Metadata& m) {
  if (m.rejection_type != RejectionType::None) {
    at = wire::put_number(at, kRejectionType, static_cast<std::int64_t>(m.rejection_type));
    at = wire::put_bytes(at, kRejectionReason, m.rejection_reason);
  }
  if (m.request_id != 0) {
    at = wire::put_number(at, kRequestId, static_cast<std::int64_t>(m.request_id));
  }
  if (m.min_pending_key.is_set()) {
    at = wire::put_number(at, kMinPendingKey, m.min_pending_key.value());
  }
  if (!m.principal.empty()) at = wire::put_bytes(at, kPrincipal, m.principal.bytes);
  return at;
}

// The length of a record comes first and always takes four bytes, so the record can be written in
// place.
inline constexpr std::size_t kLengthBytes = 4;

// Writes a record: its length, the bytes that `write_metadata(char*)` writes, and the value.
template <typename Write>
[[gnu::always_inline]] inline char* write_record(char* begin, std::string_view value,
                                                 Write&& write_metadata) {
  char* const content = begin + kLengthBytes;
  char* const end = wire::put_bytes(write_metadata(content), Metadata::kValueField, value);
  const auto length = static_cast<std::uint32_t>(end - content);
  static_assert(std::endian::native == std::endian::little && sizeof length == kLengthBytes);
  std::memcpy(begin, &length, kLengthBytes);
  return end;
}

inline char* write_any_record(char* begin, const Metadata& metadata, std::string_view value) {
  BEELINE_CHECK(metadata.rejection_reason.empty() || metadata.rejection_type != RejectionType::None,
                "record {} has a reason, but it is no rejection", metadata.position.value());
  return write_record(begin, value, [&](char* at) {
    at = wire::put_number(at, kPosition, metadata.position.value());
    return write_outer(write_own(write_common(at, metadata), metadata), metadata);
  });
}

inline std::size_t record_bytes_max(const Metadata& metadata, std::string_view value) {
  const std::size_t bytes = kLengthBytes + kMetadataBytesMax + metadata.rejection_reason.size() +
                            metadata.principal.bytes.size() + value.size();
  BEELINE_CHECK(bytes <= std::numeric_limits<std::uint32_t>::max(),
                "the length of a record of {} bytes has no room", bytes);
  return bytes;
}

}  // namespace beeline::record::detail
