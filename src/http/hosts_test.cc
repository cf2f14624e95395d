#include "http/hosts.h"

#include <gtest/gtest.h>

namespace beeline::http {
namespace {

const AllowedHosts kHosts{{"beeline.example", "10.1.2.3"}};

int status_for(const std::vector<NameValue>& headers) {
  const auto response = kHosts.refuse(headers, "192.168.1.7");
  return response ? response->status : 200;
}

TEST(AllowedHosts, allows_loopback_the_address_connected_to_and_the_names_given) {
  for (const std::string_view allowed :
       {"localhost", "LOCALHOST:9600", "localhost.", "app.localhost:1", "127.0.0.1", "127.8.0.1:80",
        "[::1]", "[::1]:9600", "[::ffff:127.0.0.1]", "192.168.1.7", "192.168.1.7:8080",
        "[::ffff:192.168.1.7]:1", "beeline.example", "Beeline.Example:443", "10.1.2.3"}) {
    EXPECT_TRUE(kHosts.allows(allowed, "192.168.1.7")) << allowed;
  }
  EXPECT_TRUE(kHosts.allows("192.168.1.7", "::ffff:192.168.1.7"));
}

TEST(AllowedHosts, refuses_everything_else) {
  for (const std::string_view refused :
       {"", ":80", "evil.example", "localhost.evil.example", "evillocalhost", "192.168.1.8",
        "127.0.0.1.evil.example", "[::1", "::1", "localhost:evil", "localhost@evil.example",
        "x.beeline.example", "2130706433", "[::2]"}) {
    EXPECT_FALSE(kHosts.allows(refused, "192.168.1.7")) << refused;
  }
}

TEST(AllowedHosts, looks_at_host_and_origin) {
  EXPECT_EQ(status_for({}), 200);
  EXPECT_EQ(status_for({{"host", "localhost:9600"}}), 200);
  EXPECT_EQ(status_for({{"Host", "evil.example:9600"}}), 421);
  EXPECT_EQ(status_for({{"Host", "localhost"}, {"HOST", "localhost"}}), 400);
  EXPECT_EQ(status_for({{"Host", "localhost"}, {"Origin", "http://localhost:9600"}}), 200);
  EXPECT_EQ(status_for({{"Host", "localhost"}, {"Origin", "https://beeline.example"}}), 200);
  EXPECT_EQ(status_for({{"Host", "localhost"}, {"Origin", "http://evil.example"}}), 421);
  EXPECT_EQ(status_for({{"Host", "localhost"}, {"Origin", "null"}}), 421);
}

}  // namespace
}  // namespace beeline::http
