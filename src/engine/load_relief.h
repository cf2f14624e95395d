#pragma once

#include "record/command_head.h"

namespace beeline::engine {

// True if a client's command reduces the load of a partition instead of adding to it. An overloaded
// partition accepts such a command beyond its limits, because refusing to end work would keep it
// overloaded.
[[nodiscard]] bool relieves_load(const record::CommandHeadView& command);

}  // namespace beeline::engine
