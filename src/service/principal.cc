#include "service/principal.h"

#include <fmt/format.h>

#include "service/text.h"

namespace beeline::service {
namespace {

constexpr std::size_t kCharacterBytesMax = 4;

}  // namespace

Outcome<void> check_principal(const Principal& principal) {
  // Bytes that are not UTF-8 may count as no character at all.
  const std::size_t length = characters_in(principal.id);
  if (length > kPrincipalIdLengthMax ||
      principal.id.size() > kPrincipalIdLengthMax * kCharacterBytesMax) {
    return failure(invalid(fmt::format(
        "Expected the id of the caller to have at most {} characters, but it has {} ({} bytes)",
        kPrincipalIdLengthMax, length, principal.id.size())));
  }
  if (principal.kind == PrincipalKind::Anonymous) {
    if (principal.id.empty()) return {};
    return failure(invalid("Expected an anonymous caller to have no id, but it has one"));
  }
  if (principal.id.empty()) {
    return failure(
        invalid(fmt::format("Expected a caller of kind {} to have an id, but it has none",
                            record::name_of(principal.kind))));
  }
  return {};
}

}  // namespace beeline::service
