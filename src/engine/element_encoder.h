#pragma once

#include <string>
#include <string_view>

#include "record/values.h"

namespace beeline::engine {

// Encodes the values of records of elements. Those of one element mostly stand behind one another
// and have all in common but the rare parts of an activation, so the last one is remembered.
//
// Names that are at the same place are taken to be the same: within a batch they must not change,
// and between two batches forget() is called.
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
