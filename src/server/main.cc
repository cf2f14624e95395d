#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "server/cli.h"

int main(int argc, char** argv) {
  // gRPC writes its own lines to standard error, for example about a port in use, which we report
  // in a sentence. To look for a fault in gRPC itself, set the variable.
  ::setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return beeline::server::run_cli(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "beeline: {}\n", error.what());
    return 1;
  }
}
