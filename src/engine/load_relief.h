#pragma once

#include "record/value_type.h"

namespace beeline::engine {

// Whether a client's command takes load off a partition instead of adding to it. An overloaded
// partition accepts such a command beyond its limits, because refusing to end work would keep it
// overloaded.
[[nodiscard]] bool relieves_load(record::ValueType type, record::IntentNumber intent);

}  // namespace beeline::engine
