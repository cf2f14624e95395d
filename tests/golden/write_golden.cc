#include <fmt/format.h>

#include "tests/golden/golden.h"

// write_golden: writes a new generation beside the others. Runs in the root of the tree.
int main() {
  constexpr const char* kRoot = "tests/golden";
  fmt::print("wrote generation {} to {}\n", beeline::testing::write_generation(kRoot), kRoot);
}
