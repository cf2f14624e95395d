#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "server/cli.h"

int main(int argc, char** argv) {
  // gRPC writes lines of its own to standard error, for example of a port in use, which we tell in
  // a sentence. Whoever looks for a fault in gRPC itself sets the variable.
  ::setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return beeline::server::run_cli(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "beeline: {}\n", error.what());
    return 1;
  }
}
