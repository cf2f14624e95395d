#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "record/command_head.h"
#include "record/field.h"
#include "record/value_type.h"

namespace beeline::record {

// Identifies a request that waits for an answer; the gateway assigns it, and 0 means that nobody
// waits. It has a meaning only in the process that assigned it: after a restart nobody waits any
// more.
using RequestId = std::uint64_t;

// The fields that every record has besides its value. `rejection_reason` and `principal` borrow
// from the bytes that the metadata was read from.
//
// The reader, JSON and the published schema follow from the field list. metadata_codec.h writes
// metadata faster than the list would, and in another order; a test compares the two.
struct Metadata : CommandHeadView {
  Position position{};
  // The position of the command that caused this record; unset if it came from outside.
  Position source_position{};
  Timestamp timestamp{};
  RecordType record_type = RecordType::Event;
  std::uint16_t version = 1;  // of the record's meaning: a change of meaning gets a new version
  PartitionId partition{1};
  RejectionType rejection_type = RejectionType::None;
  std::string_view rejection_reason = {};
  RequestId request_id = 0;
  bool operator==(const Metadata&) const = default;

  // The field number of the value, which follows the metadata and is not in the list.
  static constexpr std::uint32_t kValueField = 15;

  static constexpr auto fields() {
    using T = Metadata;
    return std::tuple{field(1, "position", &T::position),
                      field(2, "sourceRecordPosition", &T::source_position),
                      field(3, "key", &T::key),
                      field(4, "timestamp", &T::timestamp),
                      field(5, "recordType", &T::record_type),
                      field(6, "valueType", &T::value_type),
                      field(7, "intent", &T::intent),
                      field(8, "recordVersion", &T::version),
                      field(9, "partitionId", &T::partition),
                      field(10, "rejectionType", &T::rejection_type),
                      field(11, "rejectionReason", &T::rejection_reason),
                      hidden_field(12, "requestId", &T::request_id),
                      field(13, "operationReference", &T::operation_reference),
                      hidden_field(14, "minPendingKey", &T::min_pending_key),
                      field(16, "principal", &T::principal)};
  }
};

// A record whose value is still in its wire form. It borrows the bytes it was read from.
struct RecordView {
  Metadata metadata;
  std::string_view value;
};

// A record that owns its bytes.
struct OwnedRecord {
  Metadata metadata;  // its rejection_reason and principal are not used; those below are
  std::string rejection_reason;
  std::string value;
  EncodedPrincipal principal = {};
  [[nodiscard]] RecordView view() const {
    RecordView result{metadata, value};
    result.metadata.rejection_reason = rejection_reason;
    result.metadata.principal.bytes = principal.bytes;
    return result;
  }
};
[[nodiscard]] OwnedRecord to_owned(const RecordView& record);

// Appends one record, preceded by its length, so several records can follow one another.
void append_record(const Metadata& metadata, std::string_view value, std::string& out);

// Reads the records that follow one another in `bytes`, for example in one frame of the log.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}
  // Returns the next record; nothing at the end, or if the bytes are not records (then
  // malformed()).
  [[nodiscard]] std::optional<RecordView> next();
  [[nodiscard]] bool malformed() const { return malformed_; }

 private:
  std::string_view rest_;
  bool malformed_ = false;
};

// Returns one JSON object with metadata and value, as exporters write it.
[[nodiscard]] std::string to_json(const RecordView& record);
// Returns only the value.
[[nodiscard]] std::string value_to_json(const RecordView& record);
// Returns one line: "E JOB CREATED key=.. type=\"ship\" ..". `inspect` prints it, and tests compare
// it.
[[nodiscard]] std::string to_text(const RecordView& record);
// Returns the name of a record in the text form: "ELEMENT ACTIVATING" for PROCESS_INSTANCE
// ELEMENT_ACTIVATING, "ELEMENT ACTIVATE" for the command, otherwise value type and intent.
[[nodiscard]] std::string text_name(const Metadata& metadata);
// Returns the subject of the record: the type of a job, the id of an element. Empty if its value
// has no subject.
[[nodiscard]] std::string subject_of(const RecordView& record);
// True if the value's bytes have the form of its type.
[[nodiscard]] bool is_well_formed(const RecordView& record);

}  // namespace beeline::record
