#pragma once

#include "server/settings.h"

namespace beeline::server {

// `beeline serve`: runs until SIGTERM or SIGINT, then stops in order; a second signal ends the
// process at once. Returns the exit code: 0, or 1 if the server could not start or had to stop.
[[nodiscard]] int serve(const Settings& settings);

}  // namespace beeline::server
