#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/frame.h"
#include "record/json.h"
#include "record/record.h"

// Bytes as a frame of the log, as one record, and as a JSON document: they may only be refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace beeline::record;  // NOLINT: one small function
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  if (const auto frame = parse_frame(bytes)) {
    RecordReader reader{frame->records};
    while (const auto record = reader.next()) {
      (void)to_text(*record);
      (void)to_json(*record);
      (void)is_well_formed(*record);
    }
  }
  if (size > 0) {
    // The first byte chooses the kind of value.
    RecordView record;
    record.metadata.value_type = all_value_types()[data[0] % all_value_types().size()];
    record.value = bytes.substr(1);
    (void)to_text(record);
    (void)to_json(record);
  }
  (void)parse_document(bytes);
  return 0;
}
