#pragma once

#include <string>
#include <string_view>

#include "record/values.h"

namespace beeline::engine {

// Encodes the values of records of elements. Records of one element mostly follow one another and
// differ only in the rare parts of an activation, so the last value is remembered.
//
// Names at the same address are taken to be the same: within a batch they must not change, and
// between two batches forget() is called.
class ElementEncoder {
 public:
  void forget();
  // The bytes are good until the next call.
  [[nodiscard]] std::string_view encode(const record::ProcessInstanceView& value);
  [[nodiscard]] std::string_view encode(const record::ProcessInstanceView& value,
                                        const record::ActivationPart& part);

 private:
  void encode_common(const record::ProcessInstanceView& value);

  record::ProcessInstanceView last_;  // without its rare parts
  std::string bytes_;                 // of last_
  std::string with_part_;
};

}  // namespace beeline::engine
