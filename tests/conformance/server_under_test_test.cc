#include "tests/conformance/server_under_test.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::conformance {
namespace {

using ::testing::HasSubstr;

TEST(ServerUnderTestTest, IsEmbeddedWithoutKubeconfig) {
  EXPECT_FALSE(ServerUnderTest::is_real());
  EXPECT_EQ(ServerUnderTest::variant(), "");
  EXPECT_EQ(ServerUnderTest::Get().minor(), 0);
  EXPECT_TRUE(ServerUnderTest::Get().Compact());
}

TEST(ServerUnderTestTest, KnowsItsUsers) {
  const ServerUnderTest& server = ServerUnderTest::Get();
  const std::string path = "/api/v1/namespaces/" + server.MakeNamespace();
  EXPECT_EQ(server.Send("GET", path, {{"authorization", "Bearer admin-token"}}, "").status, 200);
  EXPECT_EQ(server.Send("GET", path, {{"authorization", "Bearer plain-token"}}, "").status, 403);
  EXPECT_EQ(server.Send("GET", path, {}, "").status, 403);
}

TEST(ServerUnderTestTest, ReadsAsManyLinesOfAWatchAsItIsAskedFor) {
  const HttpAnswer answer = ServerUnderTest::WithControllers().Send(
      "GET", "/api/v1/namespaces?watch=1", {{"authorization", "Bearer admin-token"}}, "", 2);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("\"type\":\"ADDED\""));
}

}  // namespace
}  // namespace kube::conformance
