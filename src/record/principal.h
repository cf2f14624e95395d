#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "record/encoded.h"

namespace beeline::record {

// The numbers are on disk and on the wire: entries are added and never changed.
enum class PrincipalKind : std::uint8_t {
  Internal = 0,   // beeline itself; it is never written
  Anonymous = 1,  // a client that did not identify itself; it is never written either
  User = 2,
  Client = 3,  // a program, such as a worker
  Node = 4,    // another server of the cluster
};

// How a principal proved who it is.
enum class CredentialKind : std::uint8_t {
  Unspecified = 0,
  Password = 1,
  Key = 2,
  Token = 3,
  Certificate = 4,
  Session = 5,
};

struct Credential {
  static constexpr std::string_view kSchemaName = "Credential";

  CredentialKind kind = CredentialKind::Unspecified;
  std::string key_id;  // the first bytes of the id of an API key
  bool operator==(const Credential&) const = default;
  static constexpr auto fields() {
    using T = Credential;
    return std::tuple{field(1, "kind", &T::kind), field(2, "keyId", &T::key_id)};
  }
};

// A rule that gave the principal rights because claims of its token matched.
struct MatchedMappingRule {
  static constexpr std::string_view kSchemaName = "MatchedMappingRule";

  Key rule_key;
  std::int64_t revision = 0;
  bool operator==(const MatchedMappingRule&) const = default;
  static constexpr auto fields() {
    using T = MatchedMappingRule;
    return std::tuple{field(1, "ruleKey", &T::rule_key), field(2, "revision", &T::revision)};
  }
};

// The sender of a command. Every call from outside has one; it is anonymous if the edge does not
// know the caller. Only kind and id are filled today.
//
// A command carries its principal to the log in its head. An anonymous principal is written as no
// bytes at all. So a command without a principal has an unknown sender; this does not prove that
// the command is internal.
struct Principal {
  static constexpr std::string_view kSchemaName = "Principal";

  PrincipalKind kind = PrincipalKind::Anonymous;
  std::string id;  // the name of a user, the id of a client or node; empty if it is anonymous
  std::vector<MatchedMappingRule> rules;
  std::vector<std::string> groups;
  Credential via;
  bool operator==(const Principal&) const = default;
  static constexpr auto fields() {
    using T = Principal;
    return std::tuple{field(1, "kind", &T::kind), field(2, "id", &T::id),
                      field(3, "rules", &T::rules), field(4, "groups", &T::groups),
                      field(5, "via", &T::via)};
  }
};

using EncodedPrincipal = Encoded<Principal, std::string>;
using EncodedPrincipalView = Encoded<Principal, std::string_view>;

[[nodiscard]] std::string_view name_of(PrincipalKind kind);
[[nodiscard]] std::string_view name_of(CredentialKind kind);

[[nodiscard]] EncodedPrincipal encoded(const Principal& principal);

// Appends `{"authorized_username":"alice"}` for a user, `{"authorized_client_id":"worker"}` for a
// client: exported records show the sender of a command in this form. Appends `{}` for any other
// principal, and for bytes that are not a principal.
void append_authorizations(EncodedPrincipalView principal, std::string& out);

// Returns `USER:"alice"`, the name of a principal in the text form of a record.
[[nodiscard]] std::string principal_text(EncodedPrincipalView principal);

}  // namespace beeline::record
