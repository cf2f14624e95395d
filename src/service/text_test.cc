#include "service/text.h"

#include <gtest/gtest.h>

namespace beeline::service {
namespace {

TEST(Text, is_cut_between_characters) {
  EXPECT_EQ(first_bytes("aéb", 2), "a");
  EXPECT_EQ(first_bytes("aéb", 3), "aé");
  EXPECT_EQ(first_bytes("aéb", 9), "aéb");
  EXPECT_EQ(first_encoded_bytes("a%b", 4), "a%");
  EXPECT_EQ(first_encoded_bytes("aéb", 6), "a");
  EXPECT_EQ(first_encoded_bytes("aéb", 8), "aéb");
  EXPECT_EQ(first_characters("aéb", 2), "aé");
  EXPECT_EQ(first_characters("aéb", 0), "");
  EXPECT_EQ(first_characters("aéb", 3), "aéb");
  EXPECT_EQ(characters_in("aéb𝄞"), 4U);
  EXPECT_TRUE(is_blank(" \t\n"));
  EXPECT_FALSE(is_blank(" x "));
}

}  // namespace
}  // namespace beeline::service
