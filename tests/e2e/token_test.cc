// The controller's token is replaced, as the kubelet does it, and the old one ends.
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/fixture.h"
#include "tests/e2e/replica.h"

namespace kube::e2e {
namespace {

using base::IsOk;

// The end of the line that RunWorkers logs of a key whose request was answered 401, and there was
// no other token to try.
constexpr char kRefused[] = ": Unauthorized\" worker=";

class TokenTest : public E2eTest {
 protected:
  // Until nobody can do anything with it.
  void Revoke(const std::string& token) {
    ASSERT_THAT(cluster().RevokeToken(token), IsOk());
    ASSERT_THAT(Await("the end of the token",
                      [&] {
                        return errors::IsUnauthorized(MayRead(token))
                                   ? absl::OkStatus()
                                   : absl::UnavailableError("the server takes it");
                      }),
                IsOk());
  }
};

TEST_F(TokenTest, ItGoesOnWithTheNextOne) {
  const std::string first = IssueToken();
  ReplaceToken(first);
  // All that it can log.
  Replica& controller = AddReplica({"--v=10"});
  ASSERT_THAT(controller.Start(), IsOk());
  ASSERT_THAT(MakeFoos(0, 5), IsOk());
  ASSERT_THAT(Await("the first Foos", [&] { return HaveConverged(5); }), IsOk());

  // Replaced in time: nothing fails.
  const std::string second = IssueToken();
  ReplaceToken(second);
  ASSERT_NO_FATAL_FAILURE(Revoke(first));
  ASSERT_THAT(MakeFoos(5, 10), IsOk());
  ASSERT_THAT(Await("the Foos of the second token", [&] { return HaveConverged(10); }), IsOk());
  EXPECT_FALSE(controller.Says(kRefused)) << "the second token should have been tried at once";

  // Too late: it fails, and goes on when there is another one.
  ASSERT_NO_FATAL_FAILURE(Revoke(second));
  ASSERT_THAT(MakeFoos(10, 11), IsOk());
  ASSERT_THAT(Await("a failure",
                    [&] {
                      return controller.Says(kRefused) ? absl::OkStatus()
                                                       : absl::UnavailableError("there is none");
                    }),
              IsOk());
  ReplaceToken(IssueToken());
  ASSERT_THAT(MakeFoos(11, 15), IsOk());
  ASSERT_THAT(Await("the Foos of the third token", [&] { return HaveConverged(15); }), IsOk());
}

}  // namespace
}  // namespace kube::e2e
