#include "tests/integration/crowd.h"

#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

using base::IsOk;
using testing::StartsWith;

// Go's hash/fnv of "a/b 1\n" and "c/d 2\n".
TEST(Fingerprint, IsTheSameInEachOrder) {
  EXPECT_EQ(Fingerprint({"a/b 1\n", "c/d 2\n"}), Fingerprint({"c/d 2\n", "a/b 1\n"}));
  EXPECT_EQ(Fingerprint({"a/b 1\n", "c/d 2\n"}), "2-b83ec74df661ae6");
  EXPECT_EQ(Fingerprint({}), "0-cbf29ce484222325");
}

TEST(Crowd, CreatesAndWrites) {
  apiserver::ApiHandler server({.cluster_objects = false});
  Crowd crowd(ClientOf(envtest::InProcessConfig(server)), 40);
  ASSERT_THAT(crowd.Create(Soon()), IsOk());
  const absl::StatusOr<Fingerprints> before = crowd.List(Soon());
  ASSERT_THAT(before, IsOk());
  EXPECT_THAT(before->all, StartsWith("40-"));
  EXPECT_THAT(before->of_namespace, StartsWith("4-"));
  crowd.Start();
  EXPECT_THAT(crowd.AwaitWrites(Soon(), 30), IsOk());
  crowd.Stop();
  EXPECT_GE(crowd.writes(), 30);
  const absl::StatusOr<Fingerprints> after = crowd.List(Soon());
  ASSERT_THAT(after, IsOk());
  EXPECT_NE(after->all, before->all);
}

}  // namespace
}  // namespace kube::integration
