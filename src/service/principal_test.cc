#include "service/principal.h"

#include <gtest/gtest.h>

#include <string>

namespace beeline::service {
namespace {

Principal user(std::string id) {
  Principal principal;
  principal.kind = PrincipalKind::User;
  principal.id = std::move(id);
  return principal;
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

std::string refusal_of(const Principal& principal) {
  const auto checked = check_principal(principal);
  if (checked) return "";
  EXPECT_EQ(checked.error().kind, ErrorKind::Invalid);
  return checked.error().text;
}

TEST(Principal, nobody_and_somebody_with_an_id_are_accepted) {
  EXPECT_EQ(refusal_of(Principal{}), "");
  EXPECT_EQ(refusal_of(user("alice")), "");
  EXPECT_EQ(refusal_of(user(std::string(256, 'x'))), "");
  EXPECT_EQ(refusal_of(user(repeated("\xf0\x9f\x90\x9d", 256))), "");  // four bytes each
}

TEST(Principal, an_id_of_any_other_length_is_refused) {
  EXPECT_EQ(refusal_of(user(std::string(257, 'x'))),
            "Expected the id of the caller to have at most 256 characters, but it has 257 (257 "
            "bytes)");
  // Continuation bytes count as no characters; they are limited nevertheless.
  EXPECT_EQ(refusal_of(user(std::string(1'000'000, '\x80'))),
            "Expected the id of the caller to have at most 256 characters, but it has 0 (1000000 "
            "bytes)");
  EXPECT_EQ(refusal_of(user("")), "Expected a caller of kind USER to have an id, but it has none");
  Principal nobody;
  nobody.id = "alice";
  EXPECT_EQ(refusal_of(nobody), "Expected an anonymous caller to have no id, but it has one");
}

}  // namespace
}  // namespace beeline::service
