#pragma once

namespace beeline::server {

// The command line of beeline. Returns the exit code: 0, 1 when the command failed, 2 when it was
// not understood.
[[nodiscard]] int run_cli(int argc, const char* const* argv);

}  // namespace beeline::server
