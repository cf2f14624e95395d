#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "record/value_type.h"

namespace beeline::record {

// Identifies a request that waits for an answer; given by the gateway, 0 where nobody waits. It
// means something only to the process that gave it: after a restart nobody waits any more.
using RequestId = std::uint64_t;

// What every record has. `rejection_reason` borrows from the bytes the metadata was read from.
struct Metadata {
  Position position;
  Position source_position;  // of the command that caused this; none for what came from outside
  Key key;
  Timestamp timestamp;
  RecordType record_type = RecordType::Event;
  ValueType value_type = ValueType::Job;
  IntentNumber intent = 0;
  std::uint16_t version = 1;  // of the record: a change of meaning takes a new one
  PartitionId partition{1};
  RejectionType rejection_type = RejectionType::None;
  std::string_view rejection_reason;
  RequestId request_id = 0;
  std::int64_t operation_reference = -1;
  // Set on a command that another partition distributes, and only there (see
  // engine/behaviors/distribution.h): then `key` is the key of the distribution. It is metadata
  // since any command may be distributed, and its value is the same as when a client sends it.
  Key min_pending_key{};
};

// A record whose value is still in its wire form. Borrows the bytes it was read from.
struct RecordView {
  Metadata metadata;
  std::string_view value;
};

// A record that owns its bytes.
struct OwnedRecord {
  Metadata metadata;  // its rejection_reason is not used; the one below is
  std::string rejection_reason;
  std::string value;
  [[nodiscard]] RecordView view() const {
    RecordView result{metadata, value};
    result.metadata.rejection_reason = rejection_reason;
    return result;
  }
};
[[nodiscard]] OwnedRecord to_owned(const RecordView& record);

// Appends one record, framed by its length so that several can stand behind one another.
void append_record(const Metadata& metadata, std::string_view value, std::string& out);

// Reads the records that stand behind one another in `bytes`, for example in one frame of the log.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}
  // The next record; nothing at the end or where the bytes are not records (then malformed()).
  [[nodiscard]] std::optional<RecordView> next();
  [[nodiscard]] bool malformed() const { return malformed_; }

 private:
  std::string_view rest_;
  bool malformed_ = false;
};

// One JSON object, as exporters write it: metadata and value.
[[nodiscard]] std::string to_json(const RecordView& record);
// Only the value.
[[nodiscard]] std::string value_to_json(const RecordView& record);
// One line: "E JOB CREATED key=.. type=\"ship\" ..". What `inspect` prints and tests compare.
[[nodiscard]] std::string to_text(const RecordView& record);
// "ELEMENT ACTIVATING" for PROCESS_INSTANCE ELEMENT_ACTIVATING, "ELEMENT ACTIVATE" for the command,
// otherwise value type and intent: how the text form names a record.
[[nodiscard]] std::string text_name(const Metadata& metadata);
// Whether the value's bytes are of the form its type asks for.
[[nodiscard]] bool is_well_formed(const RecordView& record);

}  // namespace beeline::record
