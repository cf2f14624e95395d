#pragma once

#include <string>
#include <string_view>

#include "record/values.h"

namespace beeline::engine {

// Encodes the values of element records. Consecutive records usually belong to one element and
// differ only in the rare fields of an activation, so the encoder remembers the last value.
//
// Names at the same address count as equal. They must not change within a batch, and forget() must
// be called between two batches.
class ElementEncoder {
 public:
  void forget();
  // The bytes are valid until the next call.
  [[nodiscard]] std::string_view encode(const record::ProcessInstanceView& value);
  [[nodiscard]] std::string_view encode(const record::ProcessInstanceView& value,
                                        const record::ActivationPart& part);

 private:
  void encode_common(const record::ProcessInstanceView& value);

  record::ProcessInstanceView last_;  // without its rare fields
  std::string bytes_;                 // the bytes of last_
  std::string with_part_;
};

}  // namespace beeline::engine
