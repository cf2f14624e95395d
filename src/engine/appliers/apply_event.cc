#include <array>

#include "base/check.h"
#include "engine/appliers/appliers.h"
#include "record/codec.h"

namespace beeline::engine {
namespace {

using ApplyFunction = void (*)(EngineState&, const record::RecordView&);

template <typename T>
void decode_and_apply(EngineState& state, const record::RecordView& event) {
  apply(state, event.metadata, record::decode<record::ViewOf<T>>(event.value));
}

template <typename... Ts>
constexpr auto make_table(record::TypeList<Ts...>) {
  std::array<ApplyFunction, 256> table{};
  ((table[static_cast<std::size_t>(Ts::kType)] = &decode_and_apply<Ts>), ...);
  return table;
}

}  // namespace

void apply_event(EngineState& state, const record::RecordView& event) {
  static constexpr auto kTable = make_table(record::AllValues{});
  const ApplyFunction function = kTable[static_cast<std::size_t>(event.metadata.value_type)];
  if (function == nullptr) no_applier(event.metadata);
  function(state, event);
}

void no_version(const record::Metadata& metadata) {
  BEELINE_CHECK(false,
                "the record at position {} has version {} of {}, which this version of beeline "
                "does not know; run the version that wrote it, or a newer one",
                metadata.position.value(), metadata.version, record::text_name(metadata));
  __builtin_unreachable();
}

void no_applier(const record::Metadata& metadata) {
  BEELINE_CHECK(false,
                "the event {} at position {} is not known to this version of beeline; run the "
                "version that wrote it, or a newer one",
                record::text_name(metadata), metadata.position.value());
  __builtin_unreachable();
}

}  // namespace beeline::engine
