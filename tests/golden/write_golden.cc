#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/golden/golden.h"

// write_golden: writes a new generation beside the others. Runs in the root of the tree.
int main() {
  constexpr const char* kRoot = "tests/golden";
  const std::string generation = beeline::testing::write_generation(kRoot);
  if (::testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) {
    std::filesystem::remove_all(std::filesystem::path(kRoot) / generation);
    fmt::print("a journey did not go as it was meant to, see above; nothing is written\n");
    return 1;
  }
  fmt::print("wrote generation {} to {}\n", generation, kRoot);
}
