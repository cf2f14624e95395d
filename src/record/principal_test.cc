#include "record/principal.h"

#include <gtest/gtest.h>

#include "record/codec.h"
#include "record/record.h"
#include "record/sample_values_test.h"
#include "records.pb.h"

namespace beeline::record {
namespace {

Principal principal_of(PrincipalKind kind, std::string id) {
  Principal principal;
  principal.kind = kind;
  principal.id = std::move(id);
  return principal;
}

// A client's JOB COMPLETE, as JSON and text show it.
std::string shown(const EncodedPrincipal& principal, std::string (*show)(const RecordView&)) {
  Metadata metadata{make_head<JobRecord>(JobIntent::Complete, Key{7}).view()};
  metadata.position = Position{1};
  metadata.record_type = RecordType::Command;
  metadata.principal.bytes = principal.bytes;
  return show({metadata, ""});
}

TEST(Principal, survives_the_round_trip) {
  const auto full = sample<Principal>();
  EXPECT_EQ(decode<Principal>(encoded(full).bytes), full);
  records::v1::Principal generated;
  ASSERT_TRUE(generated.ParseFromString(encoded(full).bytes));
  EXPECT_TRUE(generated.GetReflection()->GetUnknownFields(generated).empty());
  EXPECT_EQ(decode<Principal>(generated.SerializeAsString()), full);
}

TEST(Principal, takes_no_bytes_where_nobody_is_known) {
  EXPECT_TRUE(encoded(Principal{}).empty());
  EXPECT_EQ(records::v1::Principal{}.kind(), static_cast<int>(PrincipalKind::Anonymous));
}

TEST(Principal, takes_few_bytes) {
  EXPECT_EQ(encoded(principal_of(PrincipalKind::User, "alice")).bytes.size(), 9U);
}

TEST(Principal, is_shown_by_json_as_the_protocol_has_it) {
  const auto authorizations = [](const Principal& principal) {
    const std::string json = shown(encoded(principal), to_json);
    const std::size_t begin = json.find(R"("operationReference":-1,)");
    const std::size_t end = json.find(R"("value":)");
    EXPECT_NE(begin, std::string::npos);
    EXPECT_NE(end, std::string::npos);
    constexpr std::size_t kBefore = std::string_view{R"("operationReference":-1,)"}.size();
    return json.substr(begin + kBefore, end - begin - kBefore);
  };
  EXPECT_EQ(authorizations(principal_of(PrincipalKind::User, "al\"ice")),
            R"("authorizations":{"authorized_username":"al\"ice"},)");
  EXPECT_EQ(authorizations(principal_of(PrincipalKind::Client, "worker-1")),
            R"("authorizations":{"authorized_client_id":"worker-1"},)");
  EXPECT_EQ(authorizations(Principal{}), "");
}

TEST(Principal, is_shown_by_the_text_form) {
  EXPECT_EQ(shown(encoded(principal_of(PrincipalKind::User, "alice")), to_text),
            R"(C JOB COMPLETE key=7 principal=USER:"alice")");
  EXPECT_EQ(shown({}, to_text), "C JOB COMPLETE key=7");
}

TEST(Principal, bytes_that_are_not_a_principal_are_shown_as_an_unknown_one) {
  EXPECT_NE(shown({"\xff"}, to_json).find(R"("authorizations":{},)"), std::string::npos);
  EXPECT_EQ(shown({"\xff"}, to_text), "C JOB COMPLETE key=7 principal=UNKNOWN");
}

TEST(Principal, of_an_owned_record_is_owned) {
  Metadata metadata;
  EncodedPrincipal principal = encoded(principal_of(PrincipalKind::User, std::string(40, 'x')));
  metadata.principal.bytes = principal.bytes;
  const OwnedRecord owned = to_owned({metadata, ""});
  principal.bytes.assign(principal.bytes.size(), '?');
  EXPECT_EQ(decode<Principal>(owned.view().metadata.principal.bytes).id, std::string(40, 'x'));
}

}  // namespace
}  // namespace beeline::record
