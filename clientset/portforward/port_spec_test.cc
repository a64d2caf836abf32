#include "clientset/portforward/port_spec.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::portforward {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;

// behaviour.md: ST-49
TEST(ParsePorts, TakesWhatKubectlTakes) {
  struct Case {
    std::string name;
    std::string spec;
    ForwardedPort port;
  };
  const std::vector<Case> cases = {
      {"the same on both sides", "5000", {.local = 5000, .remote = 5000}},
      {"two numbers", "8888:5000", {.local = 8888, .remote = 5000}},
      {"no local port", ":5000", {.local = 0, .remote = 5000}},
      {"local port zero", "0:5000", {.local = 0, .remote = 5000}},
      {"the highest port", "65535:1", {.local = 65535, .remote = 1}},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(ParsePorts({each.spec}), IsOkAndHolds(ElementsAre(each.port))) << each.name;
  }
}

// behaviour.md: ST-49
TEST(ParsePorts, KeepsTheOrder) {
  EXPECT_THAT(ParsePorts({"2", "1:3"}),
              IsOkAndHolds(ElementsAre(ForwardedPort{.local = 2, .remote = 2},
                                       ForwardedPort{.local = 1, .remote = 3})));
}

// behaviour.md: ST-49
TEST(ParsePorts, RefusesOthersWithTheTextsOfClientGo) {
  struct Case {
    std::string name;
    std::vector<std::string> specs;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"no port", {}, "you must specify at least 1 port"},
      {"three parts", {"1:2:3"}, "invalid port format '1:2:3'"},
      {"a name", {"http"}, "error parsing local port 'http': not a number from 0 to 65535"},
      {"a remote name",
       {"80:http"},
       "error parsing remote port 'http': not a number from 0 to 65535"},
      {"empty", {""}, "error parsing local port '': not a number from 0 to 65535"},
      {"no remote port", {"80:"}, "error parsing remote port '': not a number from 0 to 65535"},
      {"too large", {"65536"}, "error parsing local port '65536': not a number from 0 to 65535"},
      {"a sign", {"+80"}, "error parsing local port '+80': not a number from 0 to 65535"},
      {"a blank", {" 80"}, "error parsing local port ' 80': not a number from 0 to 65535"},
      {"remote port zero", {"80:0"}, "remote port must be > 0"},
      {"zero", {"0"}, "remote port must be > 0"},
      {"the second one", {"80", "x"}, "error parsing local port 'x': not a number from 0 to 65535"},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(ParsePorts(each.specs), StatusIs(absl::StatusCode::kInvalidArgument, each.message))
        << each.name;
  }
}

// behaviour.md: ST-48
TEST(ParseAddresses, SortsAndKeepsEachOnce) {
  struct Case {
    std::string name;
    std::vector<std::string> addresses;
    std::vector<ListenAddress> parsed;
  };
  const ListenAddress v4 = {.ip = "127.0.0.1", .from_localhost = true};
  const ListenAddress v6 = {.ip = "::1", .from_localhost = true};
  const std::vector<Case> cases = {
      {"localhost", {"localhost"}, {v4, v6}},
      {"localhost twice", {"localhost", "localhost"}, {v4, v6}},
      {"an IPv4 address", {"10.0.0.1"}, {{.ip = "10.0.0.1"}}},
      {"all addresses", {"0.0.0.0"}, {{.ip = "0.0.0.0"}}},
      {"an address twice", {"10.0.0.1", "10.0.0.1"}, {{.ip = "10.0.0.1"}}},
      {"two spellings of an IPv6 address", {"0:0::1", "::1"}, {{.ip = "::1"}}},
      {"localhost, and one of its addresses",
       {"localhost", "127.0.0.1"},
       {{.ip = "127.0.0.1"}, v6}},
      {"the other order", {"127.0.0.1", "localhost"}, {{.ip = "127.0.0.1"}, v6}},
      {"sorted", {"10.0.0.2", "10.0.0.1"}, {{.ip = "10.0.0.1"}, {.ip = "10.0.0.2"}}},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(ParseAddresses(each.addresses), IsOkAndHolds(each.parsed)) << each.name;
  }
}

// behaviour.md: ST-48
TEST(ParseAddresses, RefusesNames) {
  EXPECT_THAT(ParseAddresses({}),
              StatusIs(absl::StatusCode::kInvalidArgument, "you must specify at least 1 address"));
  EXPECT_THAT(ParseAddresses({"example.com"}),
              StatusIs(absl::StatusCode::kInvalidArgument, "example.com is not a valid IP"));
  EXPECT_THAT(ParseAddresses({"localhost", ""}),
              StatusIs(absl::StatusCode::kInvalidArgument, " is not a valid IP"));
}

TEST(JoinHostPort, PutsBracketsAroundIpv6) {
  EXPECT_EQ(JoinHostPort("127.0.0.1", 80), "127.0.0.1:80");
  EXPECT_EQ(JoinHostPort("::1", 80), "[::1]:80");
}

}  // namespace
}  // namespace kube::portforward
