#include "engine/element_encoder.h"

#include <type_traits>

#include "record/codec.h"

namespace beeline::engine {
namespace {

using record::ActivationPart;
using record::ProcessInstanceView;

// The first of the rarely set fields. Records of one element usually agree in all fields before it.
constexpr std::uint32_t kFirstRare = 13;

bool have_all_in_common(const ProcessInstanceView& a, const ProcessInstanceView& b) {
  bool same = true;
  record::for_each_field<ProcessInstanceView>([&](const auto& each) {
    if (each.number >= kFirstRare) return;
    const auto& of_a = each.of(a);
    const auto& of_b = each.of(b);
    if constexpr (std::is_same_v<decltype(of_a), const std::string_view&>) {
      same = same && of_a.data() == of_b.data() && of_a.size() == of_b.size();
    } else {
      same = same && of_a == of_b;
    }
  });
  return same;
}

}  // namespace

void ElementEncoder::forget() {
  last_ = {};
  bytes_.clear();
}

void ElementEncoder::encode_common(const ProcessInstanceView& value) {
  if (have_all_in_common(value, last_)) return;
  bytes_.clear();
  record::encode_part<1, kFirstRare - 1>(value, bytes_);
  last_ = value;
  if (value.activation.is_set()) last_.activation = {};
}

std::string_view ElementEncoder::encode(const ProcessInstanceView& value) {
  encode_common(value);
  if (!value.activation.is_set()) return bytes_;
  return encode(value, *value.activation);
}

std::string_view ElementEncoder::encode(const ProcessInstanceView& value,
                                        const ActivationPart& part) {
  encode_common(value);
  with_part_.assign(bytes_);
  record::encode(part, with_part_);
  return with_part_;
}

}  // namespace beeline::engine
