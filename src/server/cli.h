#pragma once

namespace beeline::server {

// Runs the command line of beeline. Returns the exit code: 0, 1 if the command failed, 2 if it was
// not understood.
[[nodiscard]] int run_cli(int argc, const char* const* argv);

}  // namespace beeline::server
