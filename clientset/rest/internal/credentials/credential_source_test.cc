#include "clientset/rest/internal/credentials/credential_source.h"

#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

TEST(CredentialsTest, IdentityIsWhatAServerSees) {
  const Credentials a{
      .authorization = base::Secret("a"), .certificate = "b", .key = base::Secret("c")};
  Credentials b = a;
  b.expiration = absl::UnixEpoch();
  b.not_after = absl::UnixEpoch();
  b.generation = 7;
  EXPECT_TRUE(SameIdentity(a, b));
  for (const Credentials& other :
       {Credentials{.certificate = "b", .key = base::Secret("c")},
        Credentials{.authorization = base::Secret("a"), .certificate = "b"},
        Credentials{.authorization = base::Secret("a"), .key = base::Secret("c")}}) {
    EXPECT_FALSE(SameIdentity(a, other));
  }
}

}  // namespace
}  // namespace kube::rest::internal
