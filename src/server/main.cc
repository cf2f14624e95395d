#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "server/cli.h"

int main(int argc, char** argv) {
  try {
    return beeline::server::run_cli(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "beeline: {}\n", error.what());
    return 1;
  }
}
