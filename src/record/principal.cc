#include "record/principal.h"

#include <array>

#include "record/codec_impl.h"
#include "record/json.h"

BEELINE_INSTANTIATE_VALUE(beeline::record::Principal);

namespace beeline::record {

std::string_view name_of(PrincipalKind kind) {
  static constexpr std::array<std::string_view, 5> kNames = {"INTERNAL", "ANONYMOUS", "USER",
                                                             "CLIENT", "NODE"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

std::string_view name_of(CredentialKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "UNSPECIFIED", "PASSWORD", "KEY", "TOKEN", "CERTIFICATE", "SESSION"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

EncodedPrincipal encoded(const Principal& principal) {
  EncodedPrincipal result;
  encode(principal, result.bytes);
  return result;
}

void append_authorizations(EncodedPrincipalView principal, std::string& out) {
  out += '{';
  if (const auto known = try_decode<Principal>(principal.bytes)) {
    if (known->kind == PrincipalKind::User) {
      out += R"("authorized_username":)";
      append_json_string(known->id, out);
    } else if (known->kind == PrincipalKind::Client) {
      out += R"("authorized_client_id":)";
      append_json_string(known->id, out);
    }
  }
  out += '}';
}

std::string principal_text(EncodedPrincipalView principal) {
  const auto known = try_decode<Principal>(principal.bytes);
  if (!known) return "UNKNOWN";
  std::string text{name_of(known->kind)};
  text += ':';
  append_json_string(known->id, text);
  return text;
}

}  // namespace beeline::record
